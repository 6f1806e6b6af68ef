// Managed, user, project, local: what each may say, and what an untrusted project may not.

import { generateKeyPairSync, sign } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { layerFolders } from '../../../src/platform/layer-folders.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { decideBy, Layered, modesYaml, permissions } from '../../support/layered-project.ts';

const errors = (problems: { severity: string; code: string }[]) =>
  problems.filter(({ severity }) => severity === 'error').map(({ code }) => code);

describe('rules', () => {
  test('deny and ask of every layer add up, trusted or not [s:layers.add-up] [s:layers.order]', async () => {
    const at = new Layered()
      .put('managed', 'settings.any.json', permissions({ deny: ['Write(managed/**)'] }))
      .put('user', 'settings.one.json', permissions({ deny: ['Write(user/**)'], allow: ['Write(managed/**)'] }))
      .put('project', 'modes.yaml', modesYaml())
      .put('project', 'settings.one.json', permissions({ deny: ['Write(project/**)'], allow: ['Write(user/**)'] }))
      .put('project', 'settings.one.local.json', permissions({ ask: ['Write(local/**)'], allow: ['Write(project/**)'] }));
    for (const trusted of [false, true]) {
      if (trusted) await at.trust();
      for (const name of ['managed/a', 'user/a', 'project/a']) expect([name, await at.write(name)]).toEqual([name, 'deny']);
      expect(await at.write('local/a')).toBe('ask');
    }
  });

  test('a decision names the file of the layer as a person knows it', async () => {
    const at = new Layered().put('project', 'modes.yaml', modesYaml());
    at.put('user', 'settings.any.json', permissions({ deny: ['Write(a)'] }));
    expect((await at.decide('Write', { file_path: path.join(at.root, 'a'), content: '' })).reason).toContain(
      '~/.claude/settings.any.json:1',
    );
    at.put('managed', 'settings.any.json', permissions({ deny: ['Write(b)'] }));
    expect((await at.decide('Write', { file_path: path.join(at.root, 'b'), content: '' })).reason).toContain(
      at.at('managed', 'settings.any.json'),
    );
  });

  test('the user layer is in the client’s own folder, whatever it is called', async () => {
    const at = new Layered('config/of-the-client').put('project', 'modes.yaml', modesYaml());
    at.put('user', 'settings.any.json', permissions({ deny: ['Write(a)'] }));
    expect(await at.write('a')).toBe('deny');
    expect((await at.open()).for(nobody).problems()).toEqual([]);
  });

  type Row = [
    what: string,
    layers: Partial<Record<'managed' | 'user' | 'project' | 'local', object>>,
    trusted: boolean,
    then: string,
  ];
  test.each<Row>([
    ['the narrowest default counts', { managed: { default: 'ask' }, project: { default: 'deny' } }, true, 'deny'],
    ['an allow of its own layer lifts a default', { project: { default: 'deny', allow: ['Write(a)'] } }, true, 'allow'],
    ['local lifts project', { project: { default: 'deny' }, local: { allow: ['Write(a)'] } }, true, 'allow'],
    ['project lifts local', { local: { default: 'deny' }, project: { allow: ['Write(a)'] } }, true, 'allow'],
    ['user lifts project', { project: { default: 'deny' }, user: { allow: ['Write(a)'] } }, true, 'allow'],
    ['project does not lift user', { user: { default: 'deny' }, project: { allow: ['Write(a)'] } }, true, 'deny'],
    ['user does not lift managed', { managed: { default: 'deny' }, user: { allow: ['Write(a)'] } }, true, 'deny'],
    ['managed lifts user', { user: { default: 'deny' }, managed: { allow: ['Write(a)'] } }, true, 'allow'],
    ['untrusted, it lifts its own, which passes', { project: { default: 'deny', allow: ['Write(a)'] } }, false, 'pass'],
    ['untrusted, it lifts no other', { user: { default: 'ask' }, project: { allow: ['Write(a)'] } }, false, 'ask'],
    ['untrusted, its allow is nothing', { project: { allow: ['Write(a)'] } }, false, 'pass'],
    ['untrusted, a narrower default counts', { user: { allow: ['Read(b)'] }, project: { default: 'deny' } }, false, 'deny'],
    ['the user’s allow counts in a project that is not trusted', { user: { allow: ['Write(a)'] } }, false, 'allow'],
  ])('%s [s:default.narrowest]', async (_, layers, trusted, then) => {
    const at = new Layered().put('project', 'modes.yaml', modesYaml());
    for (const [layer, given] of Object.entries(layers)) {
      if (layer === 'local') at.put('project', 'settings.one.local.json', permissions(given));
      else at.put(layer as 'user', 'settings.one.json', permissions(given));
    }
    if (trusted) await at.trust();
    expect(await at.write('a')).toBe(then);
  });
});

describe('modes and transitions', () => {
  const named = (mode: string) => `name: t\ndefault: ${mode}\nmodes:\n  ${mode}:\n`;
  test.each([
    ['the managed ones', { managed: 'm', user: 'u', project: 'p' }, true, 'm'],
    ['a trusted project’s before the user’s', { user: 'u', project: 'p' }, true, 'p'],
    ['the user’s before an untrusted project’s', { user: 'u', project: 'p' }, false, 'u'],
    ['an untrusted project’s where there are no others', { project: 'p' }, false, 'p'],
    ['the user’s where a project has none', { user: 'u' }, false, 'u'],
  ])('come whole from one layer: %s [s:topology.source] [s:topology.untrusted]', async (_, layers, trusted, mode) => {
    const at = new Layered();
    for (const [layer, name] of Object.entries(layers)) at.put(layer as 'user', 'modes.yaml', named(name));
    if (trusted) await at.trust();
    const { configuration } = (await at.open()).for(nobody).describe();
    expect([...(configuration.topology?.modes.keys() ?? [])]).toEqual([mode]);
    expect(errors(configuration.problems)).toEqual([]);
  });

  test('other layers add requirements to a transition, and no transition [s:topology.additions]', async () => {
    const at = new Layered()
      .put(
        'managed',
        'modes.yaml',
        'name: m\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, constraint: first}]\n  b:\n    transitions: [{to: "*"}]\n  c:\n',
      )
      .put(
        'user',
        'modes.yaml',
        'name: u\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, constraint: second, approve: human}, {to: c}]\n  b:\n  c:\n    transitions: [{to: a}]\n  d:\n',
      )
      .put(
        'project',
        'modes.yaml',
        'name: p\ndefault: a\nmodes:\n  b:\n    transitions: [{to: c, approve: human}]\n  a:\n  c:\n',
      );
    const { modes } = (await at.open()).for(nobody).describe().configuration.topology!;
    const edges = (mode: string) => modes.get(mode)?.transitions.map(({ to, constraint, approve }) => [to, constraint, approve]);
    expect([...modes.keys()]).toEqual(['a', 'b', 'c']);
    expect(edges('a')).toEqual([['b', 'first\nsecond', 'human']]);
    expect(edges('b')).toEqual([
      ['*', null, null],
      ['c', null, 'human'],
    ]);
    expect(edges('c')).toEqual([]);
  });

  test.each<[what: string, layers: Partial<Record<'managed' | 'user' | 'project', string>>, trusted: boolean, stop: unknown]>([
    ['the user’s, where a trusted project has none', { user: '{phrases: [HALT]}', project: '' }, true, [['HALT'], null]],
    [
      'those of all, and where they lead is for whose modes hold to say',
      { managed: '{phrases: [STOP]}', user: '{phrases: [HALT], to: one}', project: '{phrases: [HALT, x], to: two}' },
      true,
      [['STOP', 'HALT', 'x'], null],
    ],
    ['those of two', { user: '{phrases: [HALT], to: one}', project: '{phrases: [x], to: two}' }, true, [['x', 'HALT'], 'two']],
    [
      'no mode of the user’s, where the project leads nowhere',
      { user: '{phrases: [HALT], to: two}', project: '' },
      true,
      [['HALT'], null],
    ],
    ['an untrusted project’s, beside none', { user: '{phrases: [HALT]}', project: '{phrases: [a]}' }, false, [['HALT'], null]],
    ['an untrusted project’s own', { project: '{phrases: [a]}' }, false, [['a'], null]],
    ['none', { user: '', project: '' }, true, null],
  ])('phrases that stop the work: %s [s:topology.additions] [w:stop.word]', async (_, layers, trusted, stop) => {
    const at = new Layered();
    for (const [layer, said] of Object.entries(layers)) {
      at.put(layer as 'user', 'modes.yaml', modesYaml(said === '' ? '' : `stop: ${said}\n`));
    }
    if (trusted) await at.trust();
    const found = (await at.open()).for(nobody).describe().configuration.topology?.stop ?? null;
    expect(found && [found.phrases, found.to]).toEqual(stop);
  });

  test('and branches that are protected, even if a trusted project has modes of its own [w:task.protected]', async () => {
    const at = new Layered()
      .put('user', 'modes.yaml', modesYaml('tasks: {protected: [main]}\n'))
      .put('project', 'modes.yaml', modesYaml('tasks: {protected: [live]}\n'));
    fs.mkdirSync(path.join(at.root, '.git'));
    const on = async (branch: string) => {
      fs.writeFileSync(path.join(at.root, '.git/HEAD'), `ref: refs/heads/${branch}\n`);
      return at.write('a');
    };
    expect([await on('main'), await on('live'), await on('work')]).toEqual(['deny', 'deny', 'pass']);
    await at.trust();
    expect([await on('main'), await on('live'), await on('work')]).toEqual(['deny', 'deny', 'pass']);
  });

  test('instructions of all layers are sent, the most authoritative first', async () => {
    const at = new Layered()
      .put('project', 'modes.yaml', modesYaml())
      .put('project', 'CLAUDE.one.md', 'of the project')
      .put('user', 'CLAUDE.one.md', 'of the user')
      .put('user', 'modes/one/more.md', 'more of the user')
      .put('managed', 'CLAUDE.one.md', 'of the organisation');
    expect((await at.open()).for(nobody).context('whole')).toContain(
      'INSTRUCTIONS:\nof the organisation\n\nof the user\n\nmore of the user\n\nof the project',
    );
  });

  test('a user’s file for a mode of another project is no problem of this one', async () => {
    const at = new Layered().put('project', 'modes.yaml', modesYaml()).put('user', 'settings.elsewhere.json', permissions({}));
    expect(
      (await at.open())
        .for(nobody)
        .problems()
        .map(({ code }) => code),
    ).not.toContain('W_UNKNOWN_MODE_FILE');
  });
});

describe('custom Rego', () => {
  const oneMode = 'name: t\ndefault: one\nmodes:\n  one:\n';
  const policy = (name: string, effect: string, tail = '') =>
    `package modes.policy.${name}\n\n${effect} contains "${name} says so" if {\n\tsome write in input.writes\n\twrite.path == "${name}${tail}"\n}\n`;

  test('of user and organization counts, of an untrusted project only its restrictions [s:untrusted.counts]', async () => {
    const at = new Layered()
      .put('project', 'modes.yaml', oneMode)
      .put('user', 'policies/u.rego', policy('u', 'deny'))
      .put('managed', 'policies/m.rego', policy('m', 'ask'))
      .put('user', 'policies/free.rego', policy('free', 'allow'))
      .put('project', 'policies/p.rego', policy('p', 'deny'))
      .put('project', 'policies/open.rego', policy('open', 'allow'));
    const seen = async () => {
      const verdicts: string[] = [];
      for (const name of ['u', 'm', 'free', 'p', 'open']) verdicts.push(await at.write(name));
      return verdicts;
    };
    expect(await seen()).toEqual(['deny', 'ask', 'allow', 'deny', 'pass']);
    await at.trust();
    expect(await seen()).toEqual(['deny', 'ask', 'allow', 'deny', 'allow']);
  }, 60_000);

  test('an allow of a project’s policy overrides no default of the user', async () => {
    const at = new Layered()
      .put('project', 'modes.yaml', oneMode)
      .put('user', 'settings.any.json', permissions({ default: 'ask' }))
      .put('user', 'policies/free.rego', policy('free', 'allow'))
      .put('project', 'policies/open.rego', policy('open', 'allow'));
    await at.trust();
    expect([await at.write('open'), await at.write('free')]).toEqual(['ask', 'allow']);
  }, 60_000);

  test('a package that two layers share denies everything except reading', async () => {
    const at = new Layered()
      .put('project', 'modes.yaml', oneMode)
      .put('user', 'policies/u.rego', policy('same', 'deny'))
      .put('project', 'policies/p.rego', policy('same', 'allow', '/x'));
    expect(errors((await at.open()).for(nobody).problems())).toContain('E_POLICY_SHARED');
    expect(await at.write('a')).toBe('deny');
  }, 60_000);
});

describe('ownership', () => {
  const other = 12345;
  const isRoot = process.getuid?.() === 0;
  // Only root can give a folder away.
  test('a folder of the user or the organization with another owner permits only reading', async () => {
    if (!isRoot) return;
    for (const layer of ['user', 'managed'] as const) {
      const at = new Layered().put('project', 'modes.yaml', modesYaml());
      at.put(layer, 'settings.any.json', permissions({ allow: ['Write'] }));
      fs.chownSync(path.dirname(at.at(layer, 'x')), other, other);
      expect(errors((await at.open()).for(nobody).problems())).toContain('E_FOREIGN_OWNER');
      expect(await at.write('a')).toBe('deny');
    }
  });

  test('and so does a file of another owner in it', async () => {
    if (!isRoot) return;
    const at = new Layered().put('project', 'modes.yaml', modesYaml());
    at.put('user', 'settings.any.json', permissions({ allow: ['Write'] }));
    fs.chownSync(at.at('user', 'settings.any.json'), other, other);
    expect(errors((await at.open()).for(nobody).problems())).toContain('E_FOREIGN_OWNER');
    expect(await at.write('a')).toBe('deny');
  });

  test('a project of another owner is reported, and trusted by its content alone [s:project.owner]', async () => {
    if (!isRoot) return;
    const at = new Layered().put('project', 'modes.yaml', modesYaml());
    at.put('project', 'settings.one.json', permissions({ allow: ['Write(a)'] }));
    fs.chownSync(path.dirname(at.at('project', 'x')), other, other);
    expect((await at.open()).for(nobody).context('whole')).toContain('belongs to another user');
    expect(await at.write('a')).toBe('pass');
    await at.trust();
    expect(await at.write('a')).toBe('allow');
  });

  test('a link of the user may lead anywhere, one of a project only inside', async () => {
    const at = new Layered().put('project', 'modes.yaml', modesYaml());
    fs.writeFileSync(path.join(at.home, 'dotfile.json'), permissions({ deny: ['Write(a)'] }));
    fs.mkdirSync(path.dirname(at.at('user', 'x')), { recursive: true });
    fs.symlinkSync(path.join(at.home, 'dotfile.json'), at.at('user', 'settings.any.json'));
    expect(await at.write('a')).toBe('deny');
    expect(errors((await at.open()).for(nobody).problems())).toEqual([]);
    fs.symlinkSync(path.join(at.home, 'dotfile.json'), at.at('project', 'settings.any.json'));
    expect(errors((await at.open()).for(nobody).problems())).toEqual(['E_LEAVES_PROJECT']);
  });

  test('the home folder’s own .claude is the user’s, and no project’s', () => {
    const at = new Layered().put('user', 'modes.yaml', modesYaml());
    const around = { home: at.home, configFolder: path.dirname(at.at('user', 'x')), managedFolders: ['/etc/x'] };
    expect(layerFolders(at.home, around).map(({ layer }) => layer)).toEqual(['managed', 'user']);
    expect(layerFolders(at.root, around).map(({ shown }) => shown)).toEqual(['/etc/x/modes/', '~/.claude/', '.claude/']);
  });
});

describe('a signature', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const pem = publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const signed = async (at: Layered, key = privateKey) => {
    const { hash } = (await at.open()).for(nobody).describe().present.configuration;
    at.put('project', 'modes.sig', `${sign(null, Buffer.from(hash), key).toString('base64')}\n`);
  };
  const fixture = () =>
    new Layered()
      .put('project', 'modes.yaml', modesYaml())
      .put('project', 'settings.one.json', permissions({ allow: ['Write(a)'] }));

  test.each(['user', 'managed'] as const)(
    'by a key that the %s layer pinned is trust, of exactly this content [s:trust.signature]',
    async (layer) => {
      const at = fixture();
      await signed(at);
      expect(await at.write('a')).toBe('pass');
      at.put(layer, 'modes.keys.pem', `# ours\n${pem}`);
      expect(await at.write('a')).toBe('allow');
      at.put('project', 'settings.one.json', permissions({ allow: ['Write(a)', 'Write(b)'] }));
      expect([await at.write('a'), await at.write('b')]).toEqual(['pass', 'pass']);
    },
  );

  test('by another key, by a key of the project, or by none, has no effect', async () => {
    const at = fixture().put('user', 'modes.keys.pem', pem);
    await signed(at, generateKeyPairSync('ed25519').privateKey);
    expect(await at.write('a')).toBe('pass');
    for (const text of ['', 'AAAA', 'not base64 at all ☃']) {
      at.put('project', 'modes.sig', text);
      expect(await at.write('a')).toBe('pass');
    }
    await signed(at);
    at.drop('user', 'modes.keys.pem').put('project', 'modes.keys.pem', pem);
    expect(await at.write('a')).toBe('pass');
    at.put('user', 'modes.keys.pem', pem);
    expect(await at.write('a')).toBe('allow');
    // What others may write is not the user's word.
    at.drop('user', 'modes.keys.pem').put('user', 'modes.keys.pem', pem);
    fs.chmodSync(at.at('user', 'modes.keys.pem'), 0o666);
    expect(await at.write('a')).toBe('pass');
    at.put('user', 'modes.keys.pem', '-----BEGIN PUBLIC KEY-----\nbm8=\n-----END PUBLIC KEY-----\n');
    expect(await at.write('a')).toBe('pass');
  });
});

test('prose can change without a new approval [s:trust.prose] [s:trust.exact]', async () => {
  const at = new Layered()
    .put('project', 'modes.yaml', modesYaml())
    .put('project', 'settings.one.json', permissions({ allow: ['Write(a)'] }))
    .put('project', 'CLAUDE.one.md', 'before');
  await at.trust();
  at.put('project', 'CLAUDE.one.md', 'after');
  const project = await at.open();
  expect(project.for(nobody).context('whole')).toContain('after');
  expect(decideBy(project, 'Write', { file_path: path.join(at.root, 'a'), content: '' }).decision).toBe('allow');
});
