// A day of ordinary work under every mode of every preset: what is denied is denied by the preset's own lines and policies, or by its own default.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Project } from '../../../src/workflow/project.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { workday } from '../../e2e/workday.ts';
import { named } from '../../support/named.ts';
import { makeWorld, type World } from '../../support/sessions.ts';

const presets = fs.readdirSync('examples').filter((name) => fs.existsSync(path.join('examples', name, '.claude/modes.yaml')));
/** The preset in a repository with sources, tests and a package. `default: deny` of its modes may be left out. */
async function open(preset: string, withDefaults: boolean): Promise<{ world: World; project: Project }> {
  const world = makeWorld();
  fs.rmSync(path.join(world.root, '.claude'), { recursive: true });
  fs.cpSync(path.join('examples', preset, '.claude'), path.join(world.root, '.claude'), { recursive: true });
  for (const name of fs.readdirSync(path.join(world.root, '.claude'))) {
    const file = path.join(world.root, '.claude', name);
    if (!withDefaults && name.startsWith('settings.'))
      fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(/^ *"default": "deny",\n/m, ''));
  }
  for (const [name, text] of Object.entries({
    'src/calc.ts': 'export const first = 1;\n',
    'test/calc.test.ts': '\n',
    'package.json': '{"name":"day"}\n',
    'vendor/dep/package.json': '{"name":"dep","version":"1.0.0"}\n',
    'CLAUDE.md': '# Notes\n',
  }))
    world.put(name, text);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.root, env: { PATH: process.env.PATH, HOME: world.home } });
  await world.trust();
  const project = await world.open();
  expect(
    project
      .for(nobody)
      .problems()
      .filter(({ severity }) => severity === 'error'),
  ).toEqual([]);
  return { world, project };
}

/** What a preset itself says: its rules, its policies, and the bounds of its subagents. */
const own = new Set(['rule', 'policy', 'bound']);
const counted = ['Read', 'Grep', 'Glob'];

describe.each(presets)('%s', (preset) => {
  test('in each of its modes, by the session and by each mentioned subagent', async () => {
    const { world, project } = await open(preset, true);
    const lenient = (await open(preset, false)).project;
    for (const { name: mode, agents } of project.for(nobody).describe().configuration.topology!.modes.values()) {
      for (const agent of [null, ...agents.map(({ type }) => type)]) {
        const counts = { allow: 0, pass: 0, ask: 0, deny: 0 };
        const foreign: unknown[] = [];
        for (const block of workday(world.root).flat()) {
          if (block.type !== 'tool_use' || block.name.startsWith('mcp__')) continue;
          const { name, input } = block as { name: string; input: Record<string, unknown> };
          const ask = (asked: Project, root: string) => {
            const moved = JSON.parse(JSON.stringify(input).replaceAll(world.root, root)) as Record<string, unknown>;
            asked.for(nobody).transitions.force(mode, 'the day', { session: null, permissionMode: null });
            const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd: root, tool_name: name, tool_input: moved };
            const caller = agent === null ? {} : { agent_id: 'a', agent_type: agent };
            return named(asked.decideText(JSON.stringify({ ...event, ...caller })));
          };
          const decision = ask(project, world.root);
          counts[decision.decision as keyof typeof counts] += 1;
          if (counted.includes(name)) expect([mode, agent, name, decision.decision]).not.toContain('deny');
          if (decision.decision !== 'deny' || own.has(decision.by)) continue;
          const without = ask(lenient, lenient.root);
          if (without.decision === 'deny' && !own.has(without.by)) foreign.push([mode, agent, name, input, decision.reason]);
        }
        console.info(`${preset} ${mode}${agent === null ? '' : ` (${agent})`}: ${counts.ask} asked, ${counts.deny} denied`);
        expect(foreign).toEqual([]);
      }
    }
  });
});
