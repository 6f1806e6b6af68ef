// modes stop where not the project but each session or worktree has a mode of its own.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { builtPlugin } from '../../../support/plugin.ts';
import { run } from '../../../support/project.ts';
import { makeWorld, topology, type World } from '../../../support/sessions.ts';

let program: string;
beforeAll(async () => {
  program = path.join(await builtPlugin(), 'dist/modes.mjs');
}, 120_000);

const stop = (world: World) =>
  run(process.execPath, [program, 'stop', '--json'], { cwd: world.root, env: { HOME: world.home, PATH: '/usr/bin:/bin' } });
const write = (root: string) => ({ file_path: `${root}/a`, content: '' });

test('scope session: every session that has started is stopped, but no later one [w:stop.terminal]', async () => {
  const world = makeWorld();
  world.put('.claude/modes.yaml', `scope: session\n${topology('{to: two}')}`);
  expect((await stop(world)).code).toBe(1);
  const sessions = ['s1', 's2'];
  for (const session of sessions) expect(await world.decide(session, 'Write', write(world.root))).toBe('pass');
  const { code, out } = await stop(world);
  expect([code, JSON.parse(out)]).toEqual([0, expect.objectContaining({ ok: true, changed: true })]);
  for (const session of sessions) expect(await world.decide(session, 'Write', write(world.root))).toBe('deny');
  expect(await world.decide('s3', 'Write', write(world.root))).toBe('pass');
});

test('scope worktree: the project and its worktrees are stopped', async () => {
  const world = makeWorld();
  world.put('.claude/modes.yaml', `scope: worktree\n${topology('{to: two}')}`);
  fs.mkdirSync(path.join(world.root, '.claude/worktrees/side'), { recursive: true });
  const project = await world.open();
  const modeIn = (cwd: string | null) => project.for({ session: null, cwd }).state().degraded?.code;
  const places = [null, path.join(world.root, '.claude/worktrees/side')];
  expect(places.map(modeIn)).toEqual([undefined, undefined]);
  expect((await stop(world)).code).toBe(0);
  expect(places.map(modeIn)).toEqual(['E_STOPPED', 'E_STOPPED']);
});
