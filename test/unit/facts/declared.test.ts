// `arguments:` through a whole project: from the file, by trust and layer, to the decision.
import { expect, test } from 'vitest';
import { makeWorld, topology, type World } from '../../support/sessions.ts';

const put = 'mcp__x__put';
const declare = (world: World, role: string, folder = '.claude') =>
  world.put(`${folder}/modes.yaml`, `${topology('{to: two}')}arguments: {${put}: {path: ${role}}}\n`);

test('a declaration adds accesses at once and removes uncertainty once it is trusted', async () => {
  const world = makeWorld();
  world.settings({ deny: ['Write(src/**)'] });
  const ask = (session: string, path: string) => world.decide(session, put, { path });
  expect([await ask('1', 'src/a'), await ask('1', 'docs/a')]).toEqual(['ask', 'ask']);
  declare(world, 'write');
  expect([await ask('2', 'src/a'), await ask('2', 'docs/a')]).toEqual(['deny', 'ask']);
  await world.trust();
  expect([await ask('3', 'src/a'), await ask('3', 'docs/a')]).toEqual(['deny', 'pass']);
});

test('a declaration of the user applies in an untrusted project', async () => {
  const world = makeWorld();
  world.settings({ deny: ['Write(src/**)'] });
  declare(world, 'write', '~/.claude');
  expect(await world.decide('1', put, { path: 'docs/a' })).toBe('pass');
});

test('a declaration of an untrusted project does not change the meaning of a user rule', async () => {
  const world = makeWorld();
  world.settings({ deny: [`${put}(path:*drop*)`] }, '~/.claude');
  declare(world, 'read');
  expect(await world.decide('1', put, { path: 'a; drop b' })).toBe('deny');
});

test('a declaration for a tool with a dot in its name applies to the name that the client writes [s:name.dot]', async () => {
  const world = makeWorld();
  world.settings({ deny: ['Write(src/**)'] });
  world.put('.claude/modes.yaml', `${topology('{to: two}')}arguments: {mcp__x.y__put: {path: write}}\n`);
  expect(await world.decide('1', 'mcp__x_y__put', { path: 'src/a' })).toBe('deny');
});
