// What a session began with holds until it ends, or a person adopts another: asked of one process after the other, as channels are.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../../src/platform/data-folder.ts';
import { pinsFolder } from '../../../src/store/session-pins.ts';
import { snapshotId } from '../../../src/store/snapshots.ts';
import { nobody, openProject } from '../../../src/workflow/project.ts';
import { decideBy, Layered, modesYaml, packageRoot, permissions, writeBy } from '../../support/layered-project.ts';
import { prepare } from '../../support/prepare.ts';

const session = 'session-a';
const strict = permissions({ deny: ['Write(src/**)'], allow: ['Write(docs/**)'] });
const loose = permissions({ allow: ['Write'] });

/** A trusted project whose mode denies src and allows docs. */
async function begin(): Promise<Layered> {
  const at = new Layered().put('project', 'modes.yaml', modesYaml()).put('project', 'settings.one.json', strict);
  await at.trust();
  expect([await at.write('src/a', session), await at.write('docs/a', session)]).toEqual(['deny', 'allow']);
  return at;
}

const trustFiles = (at: Layered) => projectFolder(at.data, at.root);

describe('the stricter of the two applies', () => {
  type Row = [what: string, change: (at: Layered) => unknown, src: string, docs: string];
  test.each<Row>([
    ['rules are taken away', (at) => at.put('project', 'settings.one.json', permissions({})), 'deny', 'pass'],
    ['a loose allow comes', (at) => at.put('project', 'settings.one.json', loose), 'deny', 'pass'],
    [
      'a loose content is one that a person trusted',
      (at) => at.put('project', 'settings.one.json', loose).trust(),
      'deny',
      'allow',
    ],
    ['all settings are gone', (at) => at.drop('project', 'settings.one.json'), 'deny', 'pass'],
    ['modes.yaml is gone', (at) => at.drop('project', 'modes.yaml'), 'deny', 'allow'],
    ['the whole folder is gone', (at) => at.drop('project', '.'), 'deny', 'allow'],
    ['modes.yaml is half saved', (at) => at.put('project', 'modes.yaml', 'name: t\ndefault: one\nmodes:\n  on'), 'deny', 'allow'],
    ['settings are half saved', (at) => at.put('project', 'settings.one.json', '{"permissions":{"de'), 'deny', 'allow'],
    ['a file is no longer one', (at) => at.drop('project', 'modes.yaml').put('project', 'modes.yaml/x', ''), 'deny', 'allow'],
    ['the mode is gone', (at) => at.put('project', 'modes.yaml', 'name: t\ndefault: two\nmodes:\n  two:\n'), 'deny', 'allow'],
    [
      'a deny comes',
      (at) => at.put('project', 'settings.one.local.json', permissions({ deny: ['Write(docs/a)'] })),
      'deny',
      'deny',
    ],
    ['an ask comes', (at) => at.put('project', 'settings.any.json', permissions({ ask: ['Write(docs/a)'] })), 'deny', 'ask'],
    ['a default comes', (at) => at.put('project', 'settings.two.json', permissions({ deny: ['Write'] })), 'deny', 'pass'],
    ['the user’s own rules go', (at) => at.put('user', 'settings.any.json', permissions({ allow: ['Write'] })), 'deny', 'allow'],
    ['only prose is written', (at) => at.put('project', 'CLAUDE.one.md', 'Do as you like.'), 'deny', 'allow'],
  ])('%s [s:pin.stricter] [s:pin.broken] [s:pin.no-widening]', async (_, change, src, docs) => {
    const at = await begin();
    await change(at);
    expect([await at.write('src/a', session), await at.write('docs/a', session)]).toEqual([src, docs]);
  });

  test('and the reason names the one that decided', async () => {
    const at = await begin();
    at.put('project', 'settings.one.json', permissions({ deny: ['Write(docs/**)'] }));
    const by = async (name: string) =>
      (await at.decide('Write', { file_path: path.join(at.root, name), content: '' }, session)).reason;
    expect(await by('src/a')).toMatch(
      /Write\(src\/\*\*\).*Denied by the configuration that this session started with.*\/modes:trust/,
    );
    expect(await by('docs/a')).toMatch(/Write\(docs\/\*\*\).*Denied by the current configuration/);
  });

  test('but does not suggest to adopt an unusable content', async () => {
    const at = new Layered().put('project', 'modes.yaml', modesYaml()).put('project', 'settings.one.json', loose);
    await at.open();
    at.put('project', 'settings.one.json', '{');
    const { decision, reason } = await at.decide('Write', { file_path: path.join(at.root, 'a'), content: '' }, session);
    expect([decision, reason]).toEqual(['deny', expect.stringMatching(/settings\.one\.json:1:.*\(E_JSON_SYNTAX\)\.$/)]);
  });

  test('in a running process as in a new one, and for sessions that it did not start', async () => {
    const at = await begin();
    const server = await at.open('session-b');
    expect((await writeBy(server, 'src/a', session)).decision).toBe('deny');
    at.put('project', 'settings.one.json', loose);
    server.touch();
    expect((await writeBy(server, 'src/a', session)).decision).toBe('deny');
    expect((await writeBy(server, 'src/a', 'session-b')).decision).toBe('deny');
    await at.trust();
    // A new session begins with what is trusted now; the others go on with what they began with.
    server.touch();
    expect((await writeBy(server, 'src/a', 'session-c')).decision).toBe('allow');
    expect((await writeBy(server, 'src/a', session)).decision).toBe('deny');
    expect(await at.write('src/a', 'session-b')).toBe('deny');
  });

  test('modes and transitions are those of its pinned content [s:pin.edges]', async () => {
    const at = await begin();
    at.put('project', 'modes.yaml', 'name: t\ndefault: one\nmodes:\n  one:\n    transitions: [{to: free}]\n  free:\n');
    const project = (await at.open(session)).for({ session, cwd: at.root });
    const asker = { session, permissionMode: null };
    expect(await project.transitions.transition('free', 'because', asker)).toMatchObject({
      success: false,
      reason: "Mode 'free' does not exist",
    });
    expect(await project.transitions.force('free', 'because', asker)).toMatchObject({ success: false });
    expect(await project.transitions.transition('two', 'because', asker)).toMatchObject({ success: true });
    expect(project.context('whole')).toMatch(/^MODE: two[\s\S]*NOTICE: The configuration differs/);
  });

  test('a restrictive edit applies to a running process without a notification [s:pin.live]', async () => {
    const at = await begin();
    const server = await at.open(session);
    expect((await writeBy(server, 'docs/a', session)).decision).toBe('allow');
    at.put('project', 'settings.one.local.json', permissions({ deny: ['Write(docs/**)'] }));
    await expect.poll(async () => (await writeBy(server, 'docs/a', session)).decision).toBe('deny');
  });
});

describe('a session', () => {
  test('starts with the last trusted content if the present one is not trusted', async () => {
    const at = await begin();
    at.put('project', 'settings.one.json', permissions({}));
    expect(await at.write('src/a', 'session-new')).toBe('deny');
    expect(await at.write('docs/a', 'session-new')).toBe('pass');
    await at.trust();
    expect(await at.write('src/a', 'session-newer')).toBe('pass');
    expect(await at.write('src/a', 'session-new')).toBe('deny');
  });

  test.each<['managed' | 'user', string, (at: Layered) => void]>(
    (['managed', 'user'] as const).flatMap((layer) => [
      [layer, 'broken', (at) => at.put('project', 'modes.yaml', 'modes: [')],
      [layer, 'gone', (at) => at.drop('project', 'modes.yaml')],
      [layer, 'gone whole', (at) => at.drop('project', '.')],
    ]),
  )('is restricted by the %s layer even if the project is %s [s:pin.broken] [s:layers.add-up]', async (layer, _, change) => {
    const at = await new Layered().put('project', 'modes.yaml', modesYaml()).trust();
    const session = await at.open('s');
    const verdict = async () => {
      session.touch();
      await session.ready('s');
      return decideBy(session, 'Write', { file_path: path.join(at.root, 'a'), content: '' }, 's').decision;
    };
    expect(await verdict()).toBe('pass');
    change(at);
    expect(await verdict()).toBe('pass');
    at.put(layer, 'settings.any.json', permissions({ deny: ['Write(a)'] }));
    expect([await verdict(), await at.write('a', 's')]).toEqual(['deny', 'deny']);
  });

  test('starts with it if the present one is broken or gone; without one only reading is allowed', async () => {
    for (const trusted of [true, false]) {
      const at = new Layered().put('project', 'modes.yaml', modesYaml()).put('project', 'settings.one.json', strict);
      if (trusted) await at.trust();
      (await at.open()).markGoverned();
      for (const change of ['broken', 'gone']) {
        if (change === 'gone') at.drop('project', 'modes.yaml');
        else at.put('project', 'modes.yaml', '[');
        const seen = [await at.write('src/a', `s-${change}`), await at.write('docs/a', `s-${change}`)];
        expect([trusted, change, seen]).toEqual([trusted, change, trusted ? ['deny', 'allow'] : ['deny', 'deny']]);
        expect((await at.decide('Read', { file_path: path.join(at.root, 'README.md') }, `s-${change}`)).decision).toBe('pass');
      }
    }
  });

  test('that finds no usable content starts with the first usable one', async () => {
    const at = new Layered().put('project', 'modes.yaml', '[');
    expect(await at.write('a', session)).toBe('deny');
    at.put('project', 'modes.yaml', modesYaml()).put('project', 'settings.one.json', strict);
    expect([await at.write('a', session), await at.write('src/a', session)]).toEqual(['pass', 'deny']);
    at.put('project', 'settings.one.json', permissions({}));
    expect(await at.write('src/a', session)).toBe('deny');
  });

  test('whose record or copy is damaged only reads, until a person adopts [s:pin.copy]', async () => {
    for (const damage of [
      (at: Layered) => fs.writeFileSync(path.join(pinsFolder(at.data, at.root), `${session}.json`), 'null'),
      (at: Layered) => fs.writeFileSync(path.join(pinsFolder(at.data, at.root), `${session}.json`), '{"version":1'),
      (at: Layered) => fs.rmSync(path.join(trustFiles(at), 'contents'), { recursive: true }),
      (at: Layered) => {
        for (const name of fs.readdirSync(path.join(trustFiles(at), 'contents')))
          fs.writeFileSync(path.join(trustFiles(at), 'contents', name), '[]');
      },
    ]) {
      // Never trusted: of what was, there is a second copy.
      const at = new Layered().put('project', 'modes.yaml', modesYaml()).put('project', 'settings.one.json', strict);
      expect(await at.write('docs/a', session)).toBe('pass');
      at.put('project', 'settings.one.json', permissions({}));
      damage(at);
      const decision = await at.decide('Write', { file_path: path.join(at.root, 'docs/a'), content: '' }, session);
      expect(decision).toMatchObject({ decision: 'deny', reason: expect.stringMatching(/E_PIN_LOST/) });
      const project = (await at.open(session)).for({ session, cwd: at.root });
      project.adopt('session');
      expect(await at.write('docs/a', session)).toBe('pass');
    }
  });

  test('whose id is no file name is pinned like any other, and two that differ are two', async () => {
    const at = await begin();
    for (const id of ['../../x', 'a/b', '', 'ü', 'x'.repeat(300), 'hash-0']) {
      expect(await at.write('src/a', id)).toBe('deny');
    }
    at.put('project', 'settings.one.json', loose);
    for (const id of ['../../x', 'a/b', 'ü', 'x'.repeat(300), 'hash-0']) expect(await at.write('src/a', id)).toBe('deny');
    expect(fs.readdirSync(pinsFolder(at.data, at.root)).every((name) => /^[A-Za-z0-9-]+\.json$/.test(name))).toBe(true);
  });

  test('that two processes start at once has one pin', async () => {
    const at = await begin();
    const [first, second] = [await at.open(), await at.open()];
    at.put('project', 'settings.one.json', permissions({ deny: ['Write(docs/**)'] }));
    second.touch();
    await Promise.all([first.ready('both'), second.ready('both')]);
    const pinned = [first, second].map((one) => one.for({ session: 'both', cwd: null }).describe().pinned.id);
    expect(pinned[0]).toBe(pinned[1]);
  });

  test('works without a writable data folder', async () => {
    const at = await begin();
    fs.rmSync(pinsFolder(at.data, at.root), { recursive: true });
    fs.writeFileSync(pinsFolder(at.data, at.root), '');
    const server = await at.open();
    expect((await writeBy(server, 'src/a', 'session-new')).decision).toBe('deny');
    at.put('project', 'settings.one.json', loose);
    await at.trust();
    server.touch();
    expect((await writeBy(server, 'src/a', 'session-new')).decision).toBe('deny');
  });
});

describe('a session stays in the project where it started', () => {
  const openAt = async (at: Layered, start: string, id: string, named = start) => {
    const env = { ...at.env, CLAUDE_PROJECT_DIR: start };
    const project = openProject({ start: named, env, packageRoot, prepare, session: id });
    if (project === null) throw new Error('not governed');
    await project.ready(id);
    return project;
  };
  const decideAt = async (at: Layered, start: string, id: string, named?: string) => {
    const input = { file_path: path.join(at.root, 'src/a'), content: '' };
    return decideBy(await openAt(at, start, id, named), 'Write', input, id).decision;
  };

  test('if a nearer folder gets a modes.yaml of its own [s:project.first-event]', async () => {
    const at = await begin();
    const near = path.join(at.root, 'src');
    expect(await decideAt(at, near, 'near')).toBe('deny');
    fs.mkdirSync(path.join(near, '.claude'));
    fs.writeFileSync(path.join(near, '.claude/modes.yaml'), modesYaml());
    expect(await decideAt(at, near, 'near')).toBe('deny');
    // As the shell client starts us: with the folder that it finds now.
    expect((await openAt(at, near, 'near', near)).root).toBe(at.root);
    expect((await openAt(at, near, 'begun later')).root).toBe(near);
  });

  test('if only the user has modes, and a parent folder gets some', async () => {
    const at = new Layered().put('user', 'modes.yaml', modesYaml()).put('user', 'settings.one.json', strict);
    const inner = path.join(at.root, 'inner');
    fs.mkdirSync(inner);
    expect((await openAt(at, inner, session)).root).toBe(inner);
    at.put('project', 'modes.yaml', modesYaml());
    expect((await openAt(at, inner, session, at.root)).root).toBe(inner);
    expect((await openAt(at, inner, 'begun later')).root).toBe(at.root);
  });

  test('when the link or folder by which the client was started is gone', async () => {
    const at = await begin();
    const alias = path.join(at.home, 'alias');
    fs.symlinkSync(at.root, alias);
    expect(await decideAt(at, alias, 'by link')).toBe('deny');
    fs.rmSync(alias);
    expect(await decideAt(at, alias, 'by link')).toBe('deny');
    expect(openProject({ start: alias, env: at.env, packageRoot, prepare, session: 'begun later' })).toBeNull();
  });

  test('and a record of a folder elsewhere is not used', async () => {
    const at = await begin();
    const other = path.join(at.home, 'other');
    fs.mkdirSync(path.join(other, '.claude'), { recursive: true });
    fs.writeFileSync(path.join(other, '.claude/modes.yaml'), modesYaml());
    expect((await openAt(at, other, session)).root).toBe(other);
  });
});

describe('a person adopts the present content', () => {
  test('for one session, which is all that changes [s:pin.setup]', async () => {
    const at = await begin();
    expect(await at.write('src/a', 'other')).toBe('deny');
    const server = await at.open(session);
    at.put('project', 'settings.one.json', loose);
    server.touch();
    await server.ready(session);
    server.for({ session, cwd: at.root }).adopt('session');
    server.for(nobody).approvals.give('dialog');
    expect((await writeBy(server, 'src/a', session)).decision).toBe('allow');
    expect(await at.write('src/a', session)).toBe('allow');
    expect(await at.write('src/a', 'other')).toBe('deny');
  });

  test('for every session, and a running process detects it [s:pin.cli]', async () => {
    const at = await begin();
    const server = await at.open(session);
    at.put('project', 'settings.one.json', loose);
    const terminal = await at.open();
    terminal.for(nobody).adopt('all');
    terminal.for(nobody).approvals.give('terminal');
    await expect.poll(async () => (await writeBy(server, 'src/a', session)).decision).toBe('allow');
    expect(await at.write('src/a', session)).toBe('allow');
  });

  test('but not an unusable one', async () => {
    const at = await begin();
    at.put('project', 'modes.yaml', '[');
    const project = (await at.open(session)).for({ session, cwd: at.root });
    project.adopt('session');
    project.adopt('all');
    expect([await at.write('src/a', session), await at.write('docs/a', session)]).toEqual(['deny', 'allow']);
  });

  test('without modes: the governance of the folder ends, and that of its sessions [s:project.ungoverned]', async () => {
    const at = await begin();
    (await at.open()).markGoverned();
    at.drop('project', 'modes.yaml');
    const server = await at.open(session);
    expect((await writeBy(server, 'src/a', session)).decision).toBe('deny');
    (await at.open()).release();
    await expect.poll(async () => (await writeBy(server, 'src/a', session)).decision).toBe('pass');
    expect(server.released).toBe(true);
    await expect(at.open()).rejects.toThrow('not governed');
    // What comes later is governed again, and begins with what was trusted.
    at.put('project', 'modes.yaml', modesYaml());
    await expect.poll(async () => (await writeBy(server, 'src/a', session)).decision).toBe('deny');
  });
});

test('one content is evaluated once, two while they differ [s:pin.once]', async () => {
  const at = await begin();
  const views = async () => {
    const { pinned, present } = (await at.open(session)).for({ session, cwd: null }).describe();
    return [pinned === present.config, present.differs];
  };
  expect(await views()).toEqual([true, false]);
  at.put('project', 'CLAUDE.one.md', 'prose');
  expect(await views()).toEqual([true, false]);
  at.put('project', 'settings.two.json', permissions({}));
  expect(await views()).toEqual([false, true]);
  at.drop('project', 'settings.two.json');
  expect(await views()).toEqual([true, false]);
});

test('a copy has the hash of its content without prose', async () => {
  const at = await begin();
  const idOf = async () => snapshotId((await at.open()).for(nobody).describe().present.config.content);
  const before = await idOf();
  at.put('project', 'CLAUDE.one.md', 'prose');
  expect(await idOf()).toBe(before);
  at.put('user', 'settings.any.json', permissions({ deny: ['Write(x)'] }));
  expect(await idOf()).not.toBe(before);
});
