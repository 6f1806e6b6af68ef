// The text of rules: the same lines in the client's own settings and in a mode, compared for the same calls.

import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseRule } from '../../src/adapters/sdk/rule.ts';
import type { Effect } from '../../src/model/configuration.ts';
import { putFile } from '../support/files.ts';
import { type Block, use } from './model.ts';
import { makePlace, type Place } from './place.ts';
import { commands, differences, named, paths, type Rows, readPaths } from './rule-text-rows.ts';
import { clientSays, modeSays } from './ruled.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const bash = (command: string): Block[] => use('Bash', { command, description: 'd' });

function ofFile(call: string): Block[] {
  const [, tool = '', file = ''] = /^(\w+) (.*)$/s.exec(call) ?? [];
  const full = file.startsWith('~/') ? place.home + file.slice(1) : file.startsWith('/') ? file : path.join(place.project, file);
  if (!file.startsWith('/')) {
    putFile(full, 'x');
  }
  return use(tool, tool === 'Edit' ? { file_path: full, old_string: 'x', new_string: 'y' } : { file_path: full });
}

function ofName(call: string): Block[] {
  const [, tool = '', value = ''] = /^(\w+) (.*)$/s.exec(call) ?? [];
  const inputs: Record<string, object> = {
    WebFetch: { url: value, prompt: 'p' },
    Agent: { description: 'd', prompt: 'p', subagent_type: value },
  };
  return use(tool, inputs[tool] ?? { a: value });
}

/** Splits the rows so that no rule of a group matches a call of another row: they share no word. */
function grouped(rows: Rows): Rows[] {
  const groups: { rows: Rows; inRules: Set<string>; inCalls: Set<string> }[] = [];
  for (const row of rows) {
    const [rule, ...calls] = row;
    const [inRule, inCalls] = [wordsOf(rule).slice(1), calls.flatMap(wordsOf)];
    // A rule that begins with a star could match any call.
    const canShare = (one: (typeof groups)[number]): boolean =>
      !one.inRules.has('*') &&
      !rule.includes('(*') &&
      !inRule.some((word) => one.inCalls.has(word)) &&
      !inCalls.some((word) => one.inRules.has(word));
    let group = groups.find(canShare);
    if (group === undefined) {
      group = { rows: [], inRules: new Set(), inCalls: new Set() };
      groups.push(group);
    }
    group.rows.push(row);
    for (const word of rule.includes('(*') ? ['*'] : inRule) group.inRules.add(word);
    for (const word of inCalls) group.inCalls.add(word);
  }
  return groups.map((one) => one.rows);
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-zé]\w*\d|\b[a-z]{2,}\b/g) ?? [];

/** Calls on which the mode is less strict than Claude Code with the same rule, and rules that the mode refuses. */
async function laxer(effect: Effect, rows: Rows, blockOf: (call: string) => Block[]): Promise<string[]> {
  const found: string[] = [];
  const isRead = ([rule]: Rows[number]): boolean => 'rule' in parseRule(rule, effect, { home: place.home });
  for (const [rule] of rows.filter((row) => !isRead(row))) found.push(`${rule}: refused`);
  let matched = 0;
  for (const group of grouped(rows.filter(isRead))) {
    place.remove();
    place = makePlace();
    const asked = group.flatMap(([rule, ...calls]) => calls.map((call) => ({ rule, call, block: blockOf(call) })));
    const layers = { project: { [effect]: group.map(([rule]) => rule) } };
    const blocks = asked.map(({ block }) => block);
    const theirs = await clientSays(place, layers, blocks, { together: 40 });
    const ours = await modeSays(place, layers, blocks);
    expect(theirs.length).toBe(asked.length);
    asked.forEach(({ rule, call }, at) => {
      const [client, mode] = [theirs[at] === effect, ours[at] === effect];
      if (client && mode) matched++;
      if (effect === 'allow' ? mode && !client : client && !mode) found.push(`${rule} <- ${call}`);
    });
  }
  expect(matched).toBeGreaterThan(rows.length / 3);
  return found.sort();
}

test.each<[Effect, string, Rows, (call: string) => Block[], keyof typeof differences]>([
  ['deny', 'commands', commands, bash, 'denied commands'],
  ['allow', 'commands', commands, bash, 'allowed commands'],
  ['deny', 'edits', paths, ofFile, 'denied files'],
  ['allow', 'edits', paths, ofFile, 'allowed files'],
  ['deny', 'reads', readPaths, ofFile, 'denied files'],
  ['deny', 'names', named, ofName, 'denied names'],
])(
  'a mode is as strict as Claude Code: %s of %s [s:rules.text]',
  { timeout: 600_000 },
  async (effect, what, rows, blockOf, known) => {
    const listed = Object.values(differences[known]).flat();
    const expected = what === 'reads' ? [] : listed;
    expect(await laxer(effect, rows, blockOf)).toEqual([...expected].sort());
  },
);
