// Loading from a disk: what is opened, what is refused, and that nothing of it throws or waits.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAX_FILE_BYTES, MAX_MODES_BYTES } from '../../../src/config/disk.ts';
import { loadConfiguration } from '../../../src/config/load.ts';
import { getUnderlined, makeFolder, makeProject, TWO_MODES } from './project.ts';

const BASE = { '.claude/modes.yaml': TWO_MODES, '.claude/settings.any.json': '{}' };

const codes = (root: string) => loadConfiguration(root).problems.map((problem) => `${problem.code} ${problem.file}`);

/** node:fs but for one function. */
function failing(name: keyof typeof fs, matches: (path: string) => boolean, code: string): typeof fs {
  const original = fs[name] as (...args: unknown[]) => unknown;
  const replaced = (...args: unknown[]) => {
    if (matches(String(args[0]))) throw Object.assign(new Error(code), { code });
    return original(...args);
  };
  return { ...fs, [name]: replaced };
}

describe('a project on the disk', () => {
  it('is read with everything that belongs to it and nothing else', () => {
    const root = makeProject({
      ...BASE,
      '.claude/settings.idle.json': '{"permissions": {"deny": ["Write"]}}',
      '.claude/settings.idle.local.json': '{}',
      '.claude/settings.work.json': '{}',
      '.claude/settings.json': 'not ours',
      '.claude/settings.local.json': 'not ours',
      '.claude/CLAUDE.md': 'not ours',
      '.claude/CLAUDE.idle.md': 'main',
      '.claude/modes/idle/b.md': 'second',
      '.claude/modes/idle/a.md': 'first',
      '.claude/modes/idle/a.txt': 'not ours',
      '.claude/modes/idle/.hidden.md': 'not ours',
      '.claude/policies/deep/er/a.rego': 'package modes.policy.a',
      '.claude/policies/a_test.rego': 'not ours',
      '.claude/commands/mode.md': 'not ours',
      'src/index.js': '',
    });
    const { files, problems, instructions, root: found } = loadConfiguration(root);
    expect(problems).toEqual([]);
    expect(found).toBe(fs.realpathSync(root));
    expect(files.map((file) => file.name)).toEqual([
      '.claude/CLAUDE.idle.md',
      '.claude/modes.yaml',
      '.claude/modes/idle/a.md',
      '.claude/modes/idle/b.md',
      '.claude/policies/deep/er/a.rego',
      '.claude/settings.any.json',
      '.claude/settings.idle.json',
      '.claude/settings.idle.local.json',
      '.claude/settings.work.json',
    ]);
    expect(instructions.get('idle')!.map(({ text }) => text)).toEqual(['main', 'first', 'second']);
  });

  it.each([
    ['a folder without .claude', {}],
    ['a .claude without modes.yaml', { '.claude/settings.json': '{}' }],
  ])('%s has no modes', (_, files) => {
    expect(codes(makeProject(files as Record<string, string>))).toEqual(['E_NO_MODES .claude/modes.yaml']);
  });

  it('that is missing is a problem, not an exception', () => {
    const root = join(makeFolder(), 'nowhere');
    expect(codes(root)).toEqual(['E_UNREADABLE .claude']);
    expect(loadConfiguration(root).root).toBe(root);
  });

  it.each([
    'modes.yml',
    'mode.yaml',
    'modes.json',
    'Modes.yaml',
    'settings-idle.json',
    'settings.idle.jsonc',
    'Settings.idle.json',
    'claude.idle.md',
    'push.rego',
    'policy/push.rego',
    'rego/push.rego',
    'policies/push.REGO',
    'policies/push.rego.txt',
    'policies/push.reg',
    'policies/data.json',
    'policies/a/data.yaml',
  ])('has an unused file %s, which is reported', (name) => {
    expect(codes(makeProject({ ...BASE, [`.claude/${name}`]: '' }))).toEqual([`W_UNUSED_FILE .claude/${name}`]);
  });

  it.each(['policies/README.md', 'policies/push_test.rego', 'policies/push.cases.yaml', 'policy/notes.md', 'skills/x/a.rego'])(
    'may have %s',
    (name) => {
      expect(codes(makeProject({ ...BASE, [`.claude/${name}`]: '' }))).toEqual([]);
    },
  );

  it('reports where a policy belongs, and that a policy reads no data', () => {
    const remedy = (name: string) => loadConfiguration(makeProject({ ...BASE, [`.claude/${name}`]: '' })).problems[0]?.remedy;
    expect(remedy('policy/push.rego')).toContain('.claude/policies/*.rego');
    expect(remedy('policies/data.json')).toContain('into a .rego file');
  });

  it('suggests the name of an unused file', () => {
    const [problem] = loadConfiguration(makeProject({ ...BASE, '.claude/settings-idle.json': '' })).problems;
    expect(problem!.remedy).toContain('.claude/settings.idle.json');
  });

  it('may be reached through a link', () => {
    const root = makeProject(BASE);
    const link = join(makeFolder(), 'link');
    fs.symlinkSync(root, link);
    expect(loadConfiguration(link)).toMatchObject({ root: fs.realpathSync(root), problems: [] });
  });
});

describe('text', () => {
  it('may begin with a byte order mark', () => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    const withMark = (text: string) => Buffer.concat([mark, Buffer.from(text)]);
    const root = makeProject({ '.claude/modes.yaml': withMark(TWO_MODES), '.claude/settings.any.json': withMark('{"x": 1}') });
    const { topology, problems } = loadConfiguration(root);
    expect(topology!.modes.size).toBe(2);
    expect(problems).toMatchObject([{ code: 'E_UNKNOWN_KEY', line: 1, column: 2, lineText: '{"x": 1}' }]);
  });

  it.each<[string, Uint8Array, number, number]>([
    ['Latin-1', Buffer.from('name: caf\xe9\n', 'latin1'), 1, 10],
    ['a second line', Buffer.concat([Buffer.from('name: é\nx: ü'), Buffer.from([0xff])]), 2, 5],
    ['UTF-16', Buffer.from('\ufeffname: x\n', 'utf16le'), 1, 1],
    ['an unfinished character at the end', Buffer.from([0x61, 0xe2, 0x82]), 1, 2],
    ['an overlong form', Buffer.from([0x61, 0xc0, 0xaf]), 1, 2],
    ['half a character', Buffer.from([0xed, 0xa0, 0x80]), 1, 1],
  ])('that is not UTF-8 is refused: %s', (_, bytes, line, column) => {
    const root = makeProject({ ...BASE, '.claude/modes.yaml': bytes });
    const { problems, topology } = loadConfiguration(root);
    expect(topology).toBeNull();
    expect(problems).toMatchObject([{ code: 'E_ENCODING', severity: 'error', file: '.claude/modes.yaml', line, column }]);
  });

  it.each(['.claude/modes.yaml', '.claude/settings.any.json', '.claude/CLAUDE.idle.md', '.claude/policies/a.rego'])(
    'may not contain NUL: %s',
    (name) => {
      const root = makeProject({ ...BASE, [name]: 'a\nb\0c' });
      const problem = loadConfiguration(root).problems.find((other) => other.file === name)!;
      expect(problem).toMatchObject({ code: 'E_CONTROL_CHARACTER', line: 2, column: 2 });
      expect(getUnderlined(problem)).toBe('\0');
    },
  );
});

describe('size', () => {
  it.each([
    ['.claude/modes.yaml', MAX_MODES_BYTES],
    ['.claude/settings.any.json', MAX_FILE_BYTES],
    ['.claude/CLAUDE.idle.md', MAX_FILE_BYTES],
    ['.claude/policies/a.rego', MAX_FILE_BYTES],
  ])('of %s has a limit', (name, limit) => {
    const fill = (bytes: number) => (name.endsWith('.yaml') ? `${TWO_MODES}#` : '{}').padEnd(bytes, ' ');
    expect(codes(makeProject({ ...BASE, [name]: fill(limit) }))).toEqual([]);
    expect(codes(makeProject({ ...BASE, [name]: fill(limit + 1) }))).toContain(`E_TOO_LARGE ${name}`);
    expect(codes(makeProject({ ...BASE, [name]: fill(5 * 1024 * 1024) }))).toContain(`E_TOO_LARGE ${name}`);
  });

  it('is checked again while reading: a file may grow after the check', () => {
    const root = makeProject({ ...BASE, '.claude/settings.any.json': ' '.repeat(MAX_FILE_BYTES + 5) });
    const shrink = (stat: fs.Stats) => Object.assign(stat, { size: 10 });
    const blind = {
      ...fs,
      statSync: (path: string) => shrink(fs.statSync(path)),
      fstatSync: (handle: number) => shrink(fs.fstatSync(handle)),
    };
    expect(loadConfiguration(root, blind as unknown as typeof fs).problems).toMatchObject([{ code: 'E_TOO_LARGE' }]);
  });

  it('of the whole has a limit: a thousand files', () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`.claude/policies/p${index}.rego`, 'x']));
    expect(codes(makeProject({ ...BASE, ...many }))).toEqual(['E_TOO_MANY_FILES .claude']);
  });

  it('of the whole has a limit: eight megabytes', () => {
    const many = Object.fromEntries(
      Array.from({ length: 10 }, (_, index) => [`.claude/policies/p${index}.rego`, ' '.repeat(MAX_FILE_BYTES)]),
    );
    expect(codes(makeProject({ ...BASE, ...many }))).toEqual(['E_TOO_LARGE .claude']);
  });

  it('of nested folders of policies has a limit', () => {
    const deep = `.claude/policies/${'d/'.repeat(20)}a.rego`;
    expect(codes(makeProject({ ...BASE, [deep]: 'x' }))).toEqual([expect.stringContaining('E_TOO_DEEP .claude/policies/d/')]);
  });
});

describe('what is not a regular file', () => {
  const targets = ['.claude/modes.yaml', '.claude/settings.idle.json', '.claude/CLAUDE.idle.md', '.claude/policies/a.rego'];

  it.each(targets)('is refused as a folder: %s', (name) => {
    const root = makeProject(BASE);
    fs.rmSync(join(root, name), { force: true });
    fs.mkdirSync(join(root, name), { recursive: true });
    const problem = loadConfiguration(root).problems.find((other) => other.file === name)!;
    expect(problem).toMatchObject({ code: 'E_NOT_A_FILE', severity: 'error', message: expect.stringContaining('a folder') });
  });

  it.each(targets)('is refused as a named pipe, without opening it: %s', (name) => {
    const root = makeProject({ ...BASE, '.claude/policies/b.rego': 'x' });
    fs.rmSync(join(root, name), { force: true });
    execFileSync('mkfifo', [join(root, name)]);
    const opened: string[] = [];
    const openSync = (path: string, flags: number) => {
      opened.push(path);
      return fs.openSync(path, flags);
    };
    const watching = { ...fs, openSync };
    const { problems } = loadConfiguration(root, watching as unknown as typeof fs);
    expect(problems.find((other) => other.file === name)).toMatchObject({
      code: 'E_NOT_A_FILE',
      message: expect.stringContaining('a named pipe'),
    });
    expect(opened.filter((path) => path.endsWith(name))).toEqual([]);
    expect(opened.length).toBeGreaterThan(0);
  });

  it('is refused as a named pipe that replaced a file after the check', () => {
    const root = makeProject(BASE);
    const path = join(root, '.claude/settings.any.json');
    const realStat = fs.statSync(path);
    fs.rmSync(path);
    execFileSync('mkfifo', [path]);
    const fooled = { ...fs, statSync: (asked: string) => (asked.endsWith('settings.any.json') ? realStat : fs.statSync(asked)) };
    expect(loadConfiguration(root, fooled as unknown as typeof fs).problems).toMatchObject([{ code: 'E_NOT_A_FILE' }]);
  });

  it('is refused as a socket', async () => {
    const root = makeProject({ ...BASE, '.claude/settings.work.json': '{}' });
    const server = createServer();
    const before = process.cwd();
    await new Promise<void>((resolve) => server.listen(join(root, '.claude/settings.idle.json'), resolve));
    expect(codes(root)).toEqual(['E_NOT_A_FILE .claude/settings.idle.json']);
    await new Promise((resolve) => server.close(resolve));
    expect(process.cwd()).toBe(before);
  });

  it('is refused as a device', () => {
    const root = makeProject(BASE);
    const device = {
      ...fs.statSync('/dev/null'),
      isFile: () => false,
      isDirectory: () => false,
      isFIFO: () => false,
      isSocket: () => false,
    };
    const fooled = { ...fs, statSync: (path: string) => (path.endsWith('.json') ? device : fs.statSync(path)) };
    expect(loadConfiguration(root, fooled as unknown as typeof fs).problems).toMatchObject([
      { code: 'E_NOT_A_FILE', message: expect.stringContaining('a device') },
    ]);
  });

  it.each(['.claude', '.claude/modes', '.claude/policies'])('is refused where a folder belongs: %s', (name) => {
    const root = makeProject(name === '.claude' ? { x: '' } : BASE);
    fs.writeFileSync(join(root, name), '');
    expect(codes(root)).toEqual([`E_NOT_A_FOLDER ${name}`]);
  });
});

describe('a link', () => {
  it.each([
    ['.claude/modes.yaml', TWO_MODES],
    ['.claude/settings.idle.json', '{"permissions": {"allow": ["Bash"]}}'],
    ['.claude/CLAUDE.idle.md', 'text'],
    ['.claude/policies/a.rego', 'x'],
  ])('to a file out of the project is refused: %s', (name, text) => {
    const outside = makeProject({ file: text });
    const root = makeProject({ ...BASE, '.claude/policies/b.rego': 'x' });
    fs.rmSync(join(root, name), { force: true });
    fs.symlinkSync(join(outside, 'file'), join(root, name));
    const configuration = loadConfiguration(root);
    expect(configuration.problems).toContainEqual(
      expect.objectContaining({ code: 'E_LEAVES_PROJECT', severity: 'error', file: name }),
    );
    expect(configuration.files.map((file) => file.name)).not.toContain(name);
  });

  it.each(['.claude', '.claude/modes', '.claude/modes/idle', '.claude/policies', '.claude/policies/more'])(
    'to a folder out of the project is refused: %s',
    (name) => {
      const outside = makeProject({ 'modes.yaml': TWO_MODES, 'a.rego': 'x', 'a.md': 'x' });
      const root = makeProject(
        name === '.claude' ? {} : { ...BASE, '.claude/modes/work/a.md': 'x', '.claude/policies/b.rego': 'x' },
      );
      fs.rmSync(join(root, name), { recursive: true, force: true });
      fs.symlinkSync(outside, join(root, name));
      expect(codes(root)).toContain(`E_LEAVES_PROJECT ${name}`);
      expect(
        loadConfiguration(root)
          .files.map((file) => file.name)
          .filter((file) => file.startsWith(`${name}/`)),
      ).toEqual([]);
    },
  );

  it('to a sibling folder with the same name prefix is outside the project', () => {
    const parent = makeProject({ 'app/.claude/modes.yaml': TWO_MODES, 'app-other/settings.json': '{}' });
    fs.symlinkSync(join(parent, 'app-other/settings.json'), join(parent, 'app/.claude/settings.any.json'));
    expect(codes(join(parent, 'app'))).toContain('E_LEAVES_PROJECT .claude/settings.any.json');
  });

  it('inside the project is followed', () => {
    const root = makeProject({
      ...BASE,
      '.claude/settings.work.json': '{}',
      'shared/idle.json': '{"permissions": {"deny": ["Write"]}}',
      'shared/p/a.rego': 'x',
    });
    fs.symlinkSync('../shared/idle.json', join(root, '.claude/settings.idle.json'));
    fs.symlinkSync('../shared/p', join(root, '.claude/policies'));
    const { problems, settings, policies } = loadConfiguration(root);
    expect(problems).toEqual([]);
    expect(settings.get('idle')!.rules).toHaveLength(1);
    expect(policies.map((file) => file.name)).toEqual(['.claude/policies/a.rego']);
  });

  it.each(['.claude/modes.yaml', '.claude/settings.idle.json', '.claude/policies'])(
    'to nothing is an error, not an absent file: %s',
    (name) => {
      const root = makeProject(BASE);
      fs.rmSync(join(root, name), { force: true });
      fs.symlinkSync('nowhere', join(root, name));
      expect(codes(root)).toContain(`E_UNREADABLE ${name}`);
      expect(codes(root)).not.toContain('E_NO_MODES .claude/modes.yaml');
    },
  );

  it('that forms a cycle ends', () => {
    const root = makeProject({ ...BASE, '.claude/policies/a.rego': 'x' });
    fs.symlinkSync('.', join(root, '.claude/policies/again'));
    fs.symlinkSync('self', join(root, '.claude/policies/self'));
    const { policies, problems } = loadConfiguration(root);
    expect(policies.map((file) => file.name)).toEqual(['.claude/policies/a.rego']);
    expect(problems).toMatchObject([{ code: 'E_UNREADABLE', file: '.claude/policies/self' }]);
  });
});

describe('a fault of the disk', () => {
  const root = () =>
    makeProject({ ...BASE, '.claude/settings.idle.json': '{}', '.claude/policies/a.rego': 'x', '.claude/modes/idle/a.md': 'x' });

  it.each<[string, keyof typeof fs, string, string]>([
    ['opening a file', 'openSync', '.claude/settings.idle.json', '.claude/settings.idle.json'],
    ['resolving a file', 'realpathSync', '.claude/settings.idle.json', '.claude/settings.idle.json'],
    ['looking at a file', 'statSync', '.claude/settings.idle.json', '.claude/settings.idle.json'],
    ['listing .claude', 'readdirSync', '.claude', '.claude'],
    ['listing policies', 'readdirSync', '.claude/policies', '.claude/policies'],
    ['listing modes', 'readdirSync', '.claude/modes', '.claude/modes'],
    ['listing instructions', 'readdirSync', '.claude/modes/idle', '.claude/modes/idle'],
    ['looking at instructions', 'statSync', '.claude/modes/idle/a.md', '.claude/modes/idle/a.md'],
    ['opening modes.yaml', 'openSync', '.claude/modes.yaml', '.claude/modes.yaml'],
  ])('while %s is an error', (_, call, path, file) => {
    for (const code of ['EACCES', 'EIO', 'ELOOP', 'ENAMETOOLONG']) {
      const broken = failing(call, (asked) => asked.endsWith(`/${path}`), code);
      const { problems } = loadConfiguration(root(), broken);
      expect(problems.filter((problem) => problem.severity === 'error')).toMatchObject([
        { code: 'E_UNREADABLE', file, message: expect.stringContaining(code) },
      ]);
    }
  });

  it.each(['nowhere', 'modes.yaml'])('a link to %s in place of modes.yaml counts as broken', (target) => {
    const folder = root();
    fs.rmSync(`${folder}/.claude/modes.yaml`);
    fs.symlinkSync(target, `${folder}/.claude/modes.yaml`);
    const { problems } = loadConfiguration(folder);
    expect(problems).toContainEqual(
      expect.objectContaining({ code: 'E_UNREADABLE', remedy: expect.stringContaining('a broken link') }),
    );
  });

  it('while reading is an error, and the file is closed', () => {
    const closed: number[] = [];
    const broken = {
      ...fs,
      readSync: () => {
        throw Object.assign(new Error('x'), { code: 'EIO' });
      },
      closeSync: (handle: number) => {
        closed.push(handle);
        fs.closeSync(handle);
      },
    };
    const { problems } = loadConfiguration(root(), broken as unknown as typeof fs);
    expect(new Set(problems.map((problem) => problem.code))).toEqual(new Set(['E_UNREADABLE']));
    expect(closed).toHaveLength(5);
  });

  it('changes the hash', () => {
    const project = root();
    const broken = failing('openSync', (path) => path.endsWith('idle.json'), 'EACCES');
    expect(loadConfiguration(project, broken).hash).not.toBe(loadConfiguration(project).hash);
  });

  it('in a file of a mode that does not exist is a warning only', () => {
    const project = makeProject(BASE);
    fs.mkdirSync(join(project, '.claude/settings.nobody.json'));
    expect(codes(project)).toEqual(['W_UNKNOWN_MODE_FILE .claude/settings.nobody.json']);
  });
});
