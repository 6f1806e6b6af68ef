// The preset daic with the phrases, commands and tools of a project.
import fs from 'node:fs';
import path from 'node:path';
import { isMap, parseDocument } from 'yaml';
import { objectOf } from '../../app/setup/step.ts';
import { readText } from './disk.ts';
import type { NewFile, Permissions } from './types.ts';
import { settingsFile, settingsWith } from './write.ts';

type Aim = 'implementation' | 'stop' | 'task-creation' | 'task-startup' | 'task-completion' | 'context-compaction';

export interface Daic {
  /** Phrases by their effect; if absent, the preset's phrases apply. */
  phrases: Partial<Record<Aim, string[]>>;
  /** Rules that are denied in discussion. */
  denied: string[];
  /** Commands that only read. */
  reading: string[];
  /** Percent of the context window. */
  warn: number[];
  prefix: string | null;
}

const ANY_SETTINGS = '.claude/settings.any.json';
const MODES = ['discussion', 'implementation'];
/** The calls that cc-sessions blocks in discussion. The client decides all others and asks as before. */
const CLOSED = ['@edit', 'Bash(@writes)', 'Bash(@runs)', 'Bash(@unknown)'];
/** Commands with an effect that other people see. */
const ASK_RULES = ['Bash(git merge:*)', 'Bash(git push:*)'];

const DISCUSSION = `## Mode: discussion

In this mode you discuss the work and write nothing. Read the code, say what is unclear, suggest what could be done and why, and say where
you are not sure.

When the work is clear, propose a plan with \`plan_propose\`: a few items, each of which can be checked, with its files if you know them.
The person approves exactly this list with \`/modes:approve plan\`. Then ask for the transition to \`implementation\`.
`;

export function daicFiles(daic: Daic, root: string, packageRoot: string): NewFile[] {
  const preset = (name: string): string => fs.readFileSync(path.join(packageRoot, 'examples/daic/.claude', name), 'utf8');
  return [
    { name: '.claude/CLAUDE.discussion.md', text: DISCUSSION },
    { name: '.claude/CLAUDE.implementation.md', text: preset('CLAUDE.implementation.md') },
    { name: ANY_SETTINGS, text: anySettings(root, preset('settings.any.json')) },
    settingsFile(root, '.claude/settings.discussion.json', { deny: [...CLOSED, ...daic.denied] }),
    settingsFile(root, '.claude/settings.implementation.json', { ask: ASK_RULES }),
    { name: '.claude/modes.yaml', text: topologyOf(preset('modes.yaml'), daic) },
  ];
}

/** Settings that the project already has are kept. */
function anySettings(root: string, preset: string): string {
  const present = readText(root, ANY_SETTINGS);
  if (present === null || 'wrong' in present) return preset;
  const { permissions = {} } = (objectOf(preset) ?? {}) as { permissions?: Permissions };
  return settingsWith(present.text, permissions);
}

function topologyOf(text: string, { phrases, reading, warn, prefix }: Daic): string {
  const document = parseDocument(text);
  const protocols = document.get('protocols');
  for (const [aim, own] of Object.entries(phrases) as [Aim, string[]][]) {
    if (aim === 'stop') {
      // An emergency stop only restricts: without other phrases, the preset's are kept.
      if (own.length > 0) document.setIn(['stop', 'phrases'], own);
    } else if (aim === 'implementation') {
      const triggersPath = ['modes', 'discussion', 'transitions', 0, 'triggers'];
      if (own.length > 0) document.setIn(triggersPath, own);
      else document.deleteIn(triggersPath);
    } else if (own.length > 0) document.setIn(['protocols', aim, 'triggers'], own);
    else if (isMap(protocols)) protocols.delete(aim);
  }
  if (isMap(protocols) && protocols.items.length === 0) document.delete('protocols');
  // In cc-sessions a phrase permits writes for its protocol; here a person is asked first.
  for (const { key } of isMap(protocols) ? protocols.items : [])
    document.setIn(['protocols', String(key), 'mode'], 'implementation');
  for (const mode of MODES) {
    if (warn.length > 0) document.setIn(['modes', mode, 'context'], document.createNode({ warn }, { flow: true }));
    else document.deleteIn(['modes', mode, 'context']);
    if (prefix !== null) document.setIn(['modes', mode, 'promptPrefix'], prefix);
  }
  if (reading.length > 0)
    document.set(
      'commands',
      reading.map((word) => ({ match: `${word} *`, class: 'read-only' })),
    );
  return document.toString({ lineWidth: 0 });
}
