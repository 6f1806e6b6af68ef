// `arguments:` through a whole project: from the file, by trust and layer, to the decision.
import { expect, test } from 'vitest';
import { makeWorld, topology, type World } from '../../support/sessions.ts';

const put = 'mcp__x__put';
const declare = (world: World, role: string, folder = '.claude') =>
  world.put(`${folder}/modes.yaml`, `${topology('{to: two}')}arguments: {${put}: {path: ${role}}}\n`);

test('a declaration adds accesses at once and takes uncertainty away when it is trusted', async () => {
  const world = makeWorld();
  world.settings({ deny: ['Write(src/**)'] });
  const ask = (session: string, path: string) => world.decide(session, put, { path });
  expect([await ask('1', 'src/a'), await ask('1', 'docs/a')]).toEqual(['ask', 'ask']);
  declare(world, 'write');
  expect([await ask('2', 'src/a'), await ask('2', 'docs/a')]).toEqual(['deny', 'ask']);
  await world.trust();
  expect([await ask('3', 'src/a'), await ask('3', 'docs/a')]).toEqual(['deny', 'pass']);
});

test('of the user it holds in a project that is not trusted', async () => {
  const world = makeWorld();
  world.settings({ deny: ['Write(src/**)'] });
  declare(world, 'write', '~/.claude');
  expect(await world.decide('1', put, { path: 'docs/a' })).toBe('pass');
});

test('of an untrusted project it does not change what a rule of the user means', async () => {
  const world = makeWorld();
  world.settings({ deny: [`${put}(path:*drop*)`] }, '~/.claude');
  declare(world, 'read');
  expect(await world.decide('1', put, { path: 'a; drop b' })).toBe('deny');
});

test('of a tool with a dot in its name is for the tool as the client writes it [s:name.dot]', async () => {
  const world = makeWorld();
  world.settings({ deny: ['Write(src/**)'] });
  world.put('.claude/modes.yaml', `${topology('{to: two}')}arguments: {mcp__x.y__put: {path: write}}\n`);
  expect(await world.decide('1', 'mcp__x_y__put', { path: 'src/a' })).toBe('deny');
});
