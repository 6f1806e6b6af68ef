// Whose words count: the project, its layers, trust, and what a session began with.

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { readConfiguration } from '../../../src/config/read.ts';
import * as combining from '../../../src/engine/combine.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { makeWorld, topology, type World } from '../../support/sessions.ts';

vi.mock('../../../src/engine/combine.ts', { spy: true });

const asker = (session: string) => ({ session, permissionMode: 'default' });
const write = (world: World, session: string, name: string) =>
  world.decide(session, 'Write', { file_path: path.join(world.root, name), content: 'x' });
const open = { allow: ['Write(**)'] };
const closed = { deny: ['Write(src/**)'], allow: ['Write(**)'] };

describe('the project', () => {
  test('is governed by a modes.yaml of its own or of the user [s:project.governed]', async () => {
    const world = makeWorld();
    await world.open();
    world.remove('.claude');
    fs.mkdirSync(path.join(world.root, 'sub'), { recursive: true });
    await expect(world.open()).rejects.toThrow('not governed');
    world.put('~/.claude/modes.yaml', topology('{to: two}'));
    await world.open();
  });

  test('stays governed without modes.yaml until a person ends it [s:project.governed-before] [s:project.ungoverned]', async () => {
    const world = makeWorld();
    const project = await world.open();
    project.markGoverned();
    world.remove('.claude');
    expect(await write(world, 's', 'a')).toBe('deny');
    (await world.open()).release();
    await expect(world.open()).rejects.toThrow('not governed');
  });

  test('a session keeps the content of its first event, a later one starts with a later content [s:project.first-event]', async () => {
    const world = makeWorld();
    world.settings(closed);
    await world.trust();
    expect(await write(world, 'early', 'src/a')).toBe('deny');
    world.settings(open);
    await world.trust();
    expect(await write(world, 'early', 'src/a')).toBe('deny');
    expect(await write(world, 'late', 'src/a')).toBe('allow');
  });
});

describe('modes and transitions', () => {
  const layer = (name: 'managed' | 'user' | 'project', edges: string | null) => ({
    layer: name,
    shown: `${name}/`,
    root: `/${name}`,
    files: edges === null ? [] : [{ name: `${name}/modes.yaml`, text: topology(edges).replace('name: t', `name: ${name}`) }],
  });
  const chosen = (trusted: boolean, ...names: ('managed' | 'user' | 'project')[]) =>
    readConfiguration(
      names.map((name) => layer(name, '{to: two}')),
      trusted,
    ).topology?.name;

  test.each<[string, boolean, ('managed' | 'user' | 'project')[], string]>([
    ['managed before all others', true, ['project', 'user', 'managed'], 'managed'],
    ['a trusted project before the user', true, ['user', 'project'], 'project'],
    ['the user before an untrusted project', false, ['project', 'user'], 'user'],
    ['an untrusted project where there is no other', false, ['project'], 'project'],
  ])('%s [s:topology.source]', (_, trusted, names, expected) => {
    expect(chosen(trusted, ...names)).toBe(expected);
  });

  test('of an untrusted project hold as written [s:topology.untrusted]', async () => {
    const world = makeWorld();
    const project = await world.open();
    expect(project.for(nobody).describe().trusted).toBe(false);
    expect(await project.for(nobody).transitions.transition('three', 'try', asker('s'))).toMatchObject({ success: false });
    expect(await project.for(nobody).transitions.transition('two', 'go', asker('s'))).toMatchObject({ success: true });
  });

  test('other layers add to existing transitions, and add none [s:topology.additions]', () => {
    const { topology: joined } = readConfiguration(
      [layer('project', '{to: two}'), layer('user', '{to: two, approve: human}, {to: three}')],
      true,
    );
    expect(joined?.name).toBe('project');
    expect(joined?.modes.get('one')?.transitions.map(({ to, approve }) => [to, approve])).toEqual([['two', 'human']]);
  });
});

describe('layers', () => {
  test('a deny of the user counts in a trusted project that allows, and an allow of it counts in an untrusted one [s:layers.add-up] [s:layers.order]', async () => {
    const world = makeWorld();
    world.settings(open);
    world.put(
      '~/.claude/settings.any.json',
      JSON.stringify({ permissions: { deny: ['Write(src/**)'], allow: ['Write(docs/**)'] } }),
    );
    expect(await write(world, 'a', 'src/a')).toBe('deny');
    expect(await write(world, 'a', 'docs/a')).toBe('allow');
    expect(await write(world, 'a', 'lib/a')).toBe('pass');
    await world.trust();
    expect(await write(world, 'b', 'src/a')).toBe('deny');
    expect(await write(world, 'b', 'lib/a')).toBe('allow');
  });
});

describe('trust', () => {
  const parts: [string, (world: World) => void][] = [
    ['an allow line', (world) => world.settings({ allow: ['Write(src/**)'] })],
    ['a default', (world) => world.settings({ default: 'pass' })],
    ['a local file', (world) => world.put('.claude/settings.one.local.json', '{"permissions":{"allow":["Bash"]}}')],
    ['a file for every mode', (world) => world.put('.claude/settings.any.json', '{"permissions":{"allow":["Bash"]}}')],
    ['an edge', (world) => world.put('.claude/modes.yaml', topology('{to: two}, {to: three}'))],
    ['a gate', (world) => world.put('.claude/modes.yaml', topology('{to: two, approve: human}'))],
    [
      'declared commands',
      (world) => world.put('.claude/modes.yaml', `${topology('{to: two}')}commands:\n  - {match: x, class: read-only}\n`),
    ],
    [
      'declared arguments',
      (world) => world.put('.claude/modes.yaml', `${topology('{to: two}')}arguments:\n  mcp__x__y: {path: read}\n`),
    ],
    ['a policy', (world) => world.put('.claude/policies/a.rego', 'package modes.policy.a\n\nallow contains "x" if true\n')],
  ];
  test.each(parts)('covers %s [s:trust.covers]', async (_, change) => {
    const world = makeWorld();
    await world.trust();
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(true);
    change(world);
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(false);
  });

  test('does not cover prose [s:trust.prose]', async () => {
    const world = makeWorld();
    await world.trust();
    world.put('.claude/CLAUDE.one.md', 'Be kind.');
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(true);
  });

  test('is for one exact content: going back to it is trusted again [s:trust.exact]', async () => {
    const world = makeWorld();
    await world.trust();
    world.settings(open);
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(false);
    world.settings({});
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(true);
  });

  test('comes from a signature of a key that the user pinned, over this content [s:trust.signature]', async () => {
    const world = makeWorld();
    world.settings(open);
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const hash = (await world.open()).for(nobody).describe().present.configuration.hash;
    world.put('.claude/modes.sig', sign(null, Buffer.from(hash), privateKey).toString('base64'));
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(false);
    world.put('~/.claude/modes.keys.pem', publicKey.export({ type: 'spki', format: 'pem' }) as string);
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(true);
    expect(await write(world, 's', 'src/a')).toBe('allow');
    world.settings({ allow: ['Bash', 'Write(**)'] });
    expect((await world.open()).for(nobody).describe().present.trusted).toBe(false);
  });

  test('of an earlier content: a new session begins with that, and the stricter of both counts [s:untrusted.earlier]', async () => {
    const world = makeWorld();
    world.settings(closed);
    await world.trust();
    await world.open();
    world.settings({ allow: ['Write(**)'], deny: ['Write(docs/**)'] });
    expect(await write(world, 'new', 'src/a')).toBe('deny');
    expect(await write(world, 'new', 'docs/a')).toBe('deny');
    expect(await write(world, 'new', 'lib/a')).toBe('pass');
    await world.trust();
    expect(await write(world, 'newer', 'src/a')).toBe('allow');
  });
});

describe('a session that began with some content', () => {
  async function begun(permissions: object = closed): Promise<World> {
    const world = makeWorld();
    world.settings(permissions);
    await world.trust();
    await write(world, 's', 'README');
    return world;
  }

  test('is found by its id from another process, by a copy in the data folder [s:pin.copy]', async () => {
    const world = await begun();
    world.settings(open);
    await world.trust();
    const other = await world.open();
    const input = { file_path: path.join(world.root, 'src/a'), content: 'x' };
    expect(await world.decide('s', 'Write', input, other)).toBe('deny');
    expect(await world.decide('t', 'Write', input, other)).toBe('allow');
    const kept = fs.readdirSync(path.join(world.home, '.claude/modes-data'), { recursive: true, encoding: 'utf8' });
    const files = kept
      .map((name) => path.join(world.home, '.claude/modes-data', name))
      .filter((name) => fs.statSync(name).isFile());
    expect(files.some((name) => fs.readFileSync(name).includes('Write(src/**)'))).toBe(true);
  });

  test.each<[string, object, string, string]>([
    ['a deny taken away', open, 'src/a', 'deny'],
    ['a deny added', { ...closed, deny: ['Write(src/**)', 'Write(docs/**)'] }, 'docs/a', 'deny'],
    ['an allow taken away', { deny: ['Write(src/**)'] }, 'docs/a', 'pass'],
    ['an ask added', { ...closed, ask: ['Write(docs/**)'] }, 'docs/a', 'ask'],
  ])('%s: the stricter counts, trusted or not [s:pin.stricter]', async (_, permissions, name, expected) => {
    const world = await begun();
    world.settings(permissions);
    expect(await write(world, 's', name)).toBe(expected);
    await world.trust();
    expect(await write(world, 's', name)).toBe(expected);
  });

  test('uses the transitions of its pinned content [s:pin.edges]', async () => {
    const world = await begun();
    world.put('.claude/modes.yaml', topology('{to: three}'));
    await world.trust();
    const project = await world.open();
    await project.ready('s');
    expect(await project.for({ session: 's', cwd: world.root }).transitions.transition('three', 'try', asker('s'))).toMatchObject(
      {
        success: false,
      },
    );
    expect(await project.for({ session: 's', cwd: world.root }).transitions.transition('two', 'go', asker('s'))).toMatchObject({
      success: true,
    });
  });

  test.each<[string, (world: World) => void]>([
    ['broken settings', (world) => world.put('.claude/settings.one.json', '{"permissions":')],
    ['a broken modes.yaml', (world) => world.put('.claude/modes.yaml', '[')],
    ['a modes.yaml that is gone', (world) => world.remove('.claude/modes.yaml')],
    ['a folder that is gone', (world) => world.remove('.claude')],
  ])('with %s is decided by that content alone [s:pin.broken]', async (_, change) => {
    const world = await begun();
    change(world);
    expect(await write(world, 's', 'src/a')).toBe('deny');
    expect(await write(world, 's', 'docs/a')).toBe('allow');
  });

  test('uses the present one when a person adopts it for all sessions [s:pin.cli]', async () => {
    const world = await begun();
    await write(world, 't', 'README');
    world.settings(open);
    const project = await world.open();
    project.for(nobody).approvals.give('terminal');
    project.touch();
    await project.ready();
    project.for(nobody).adopt('all');
    expect(await write(world, 's', 'src/a')).toBe('allow');
    expect(await write(world, 't', 'src/a')).toBe('allow');
  });

  test('is not weakened by an old branch, nor by a script that rewrites settings [s:pin.no-widening]', async () => {
    const world = makeWorld();
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.org', ...args], { cwd: world.root, stdio: 'ignore' });
    world.remove('.claude');
    fs.mkdirSync(world.root, { recursive: true });
    git('init', '-q', '-b', 'old');
    git('commit', '-q', '--allow-empty', '-m', 'no modes yet');
    git('checkout', '-q', '-b', 'new');
    world.put('.claude/modes.yaml', topology('{to: two}'));
    world.settings(closed);
    git('add', '-A');
    git('commit', '-q', '-m', 'modes');
    await world.trust();
    (await world.open()).markGoverned();
    expect(await write(world, 's', 'src/a')).toBe('deny');
    git('checkout', '-q', 'old');
    expect(fs.existsSync(path.join(world.root, '.claude/modes.yaml'))).toBe(false);
    expect(await write(world, 's', 'src/a')).toBe('deny');
    git('checkout', '-q', 'new');
    execFileSync(
      process.execPath,
      ['-e', `fs.writeFileSync('.claude/settings.one.json', '{"permissions":{"allow":["Write(**)"]}}')`],
      {
        cwd: world.root,
      },
    );
    expect(await write(world, 's', 'src/a')).toBe('deny');
  });

  test('is decided twice only while it differs from the present one [s:pin.once]', async () => {
    const world = await begun();
    const asked = vi.mocked(combining.combineConfigurations);
    asked.mockClear();
    await write(world, 's', 'docs/a');
    expect(asked).not.toHaveBeenCalled();
    world.settings(open);
    await write(world, 's', 'docs/a');
    expect(asked).toHaveBeenCalledTimes(1);
    world.settings(closed);
    await write(world, 's', 'docs/a');
    expect(asked).toHaveBeenCalledTimes(1);
  });
});
