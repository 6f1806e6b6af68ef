// The length of what the model receives about each mode of each preset.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { targets } from '../../../../src/config/targets.ts';
import { describeRequirement } from '../../../../src/engine/requirement-text.ts';
import type { Mode } from '../../../../src/model/configuration.ts';
import { renderContext, renderLine, type Situation } from '../../../../src/workflow/context/render.ts';
import { repository } from '../../../support/plugin.ts';

const examples = path.join(repository, 'examples');
const rows = fs
  .readdirSync(examples)
  .filter((name) => fs.existsSync(path.join(examples, name, '.claude/modes.yaml')))
  .flatMap((preset) => {
    const { topology, settings } = loadConfiguration(path.join(examples, preset));
    return [...(topology?.modes.keys() ?? [])].map((name): [string, string, Situation] => [
      preset,
      name,
      {
        topology: topology as NonNullable<typeof topology>,
        // The role is part of the instructions.
        mode: { ...(topology?.modes.get(name) as Mode), role: null },
        settings: settings.get(name) ?? null,
        ...{ instructions: [], trusted: true, notices: [], subagent: false, plan: null },
      },
    ]);
  });

/** Every requirement of every transition, unmet. */
function everythingUnmet({ mode, topology }: Situation): Map<string, string[]> {
  return new Map(
    targets(mode, topology).map(({ to, require, approve }) => [
      to,
      [...require.map(describeRequirement), ...(approve === null ? [] : ['approve: human'])],
    ]),
  );
}

describe.each(rows)('%s, %s', (_preset, _name, situation) => {
  test('the context has at most 900 characters besides the instructions [w:context.brief]', () => {
    const text = renderContext(situation);
    expect(text.length, text).toBeLessThanOrEqual(900);
    // The name of every transition stays.
    for (const { to } of targets(situation.mode, situation.topology)) expect(text).toMatch(new RegExp(`^→ .*\\b${to}\\b`, 'm'));
  });

  test('the line of later prompts has at most 130 characters [w:context.brief]', () => {
    for (const line of [renderLine(situation), renderLine(situation, everythingUnmet(situation))])
      expect(line.length, line).toBeLessThanOrEqual(130);
  });

  test('no list of globs is longer than a person reads', () => {
    for (const { require } of situation.mode.transitions)
      for (const one of require) expect(describeRequirement(one).length).toBeLessThanOrEqual(100);
  });
});
