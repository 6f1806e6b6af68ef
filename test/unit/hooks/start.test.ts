// The compiled code that the one-shot process keeps: it saves time, and nothing else can come of it.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject, type Project, run } from '../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const ask = (project: Project, tool: string, input: object, flags: string[] = []) =>
  run(process.execPath, [...flags, path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
    cwd: '/',
    env: project.env(),
    stdin: JSON.stringify({ hook_event_name: 'PreToolUse', cwd: project.root, tool_name: tool, tool_input: input }),
  });
const decide = (project: Project) => ask(project, 'Write', { file_path: path.join(project.root, 'src/a.js'), content: '' });
const cache = (project: Project) => path.join(project.data, 'cache');
const kept = (project: Project) => fs.readdirSync(cache(project)).filter((name) => name.startsWith('code-'));

async function warm(): Promise<{ project: Project; file: string; answer: string }> {
  const project = makeProject();
  const { out } = await decide(project);
  const [name = ''] = kept(project);
  return { project, file: path.join(cache(project), name), answer: out };
}

describe('compiled code', () => {
  test('is stored by the first call for the next, in one file of the user alone', async () => {
    const { project, file, answer } = await warm();
    expect(answer).toContain('"permissionDecision":"deny"');
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const before = fs.readFileSync(file);
    expect(await decide(project)).toEqual({ code: 0, out: answer, err: '' });
    expect(kept(project)).toHaveLength(1);
    expect(fs.readFileSync(file).equals(before)).toBe(true);
  });

  const damage: [string, (file: string) => void][] = [
    ['cut off', (file) => fs.truncateSync(file, 5_000)],
    ['empty', (file) => fs.writeFileSync(file, '')],
    ['changed in one byte', (file) => fs.writeFileSync(file, flipped(fs.readFileSync(file)))],
    ['made of zeros', (file) => fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size))],
    ['writable by others', (file) => fs.chmodSync(file, 0o666)],
    ['a folder', (file) => [fs.rmSync(file), fs.mkdirSync(file)]],
    ['a link', (file) => [fs.renameSync(file, `${file}.there`), fs.symlinkSync(`${file}.there`, file)]],
  ];
  test.each(damage)('that is %s does not count, and the answer is the same', async (_, act) => {
    const { project, file, answer } = await warm();
    act(file);
    expect(await decide(project)).toEqual({ code: 0, out: answer, err: '' });
    const isWhole = fs.statSync(file).isFile() && fs.lstatSync(file).isFile();
    if (isWhole) expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  });

  test('of an incompatible Node is refused by V8 and compiled again', async () => {
    const { project, file } = await warm();
    const before = fs.readFileSync(file);
    const ended = await ask(project, 'Read', { file_path: '/a' }, ['--no-lazy']);
    expect(ended.code).toBe(0);
    expect(fs.readFileSync(file).equals(before)).toBe(false);
  });

  test('of another kind of call is added once, and that of commands is stored separately', async () => {
    const { project, file } = await warm();
    const before = fs.readFileSync(file);
    const read = () => ask(project, 'Read', { file_path: path.join(project.root, 'src/a.js') });
    await read();
    const added = fs.readFileSync(file);
    expect(added.equals(before)).toBe(false);
    await read();
    await decide(project);
    expect(fs.readFileSync(file).equals(added)).toBe(true);
    expect(kept(project)).toHaveLength(1);
    const denied = await ask(project, 'Bash', { command: 'sed -i s/a/b/ src/a.js' });
    expect(denied.out).toContain('"permissionDecision":"deny"');
    expect(kept(project)).toHaveLength(2);
    const texts = () => kept(project).map((name) => fs.readFileSync(path.join(cache(project), name), 'latin1'));
    const all = texts();
    expect(await ask(project, 'Bash', { command: 'sed -i s/a/b/ src/a.js' })).toEqual(denied);
    expect(texts().every((text, at) => text === all[at])).toBe(true);
  });

  test('is not stored if the data folder is not writable, and few files of other versions are kept', async () => {
    const project = makeProject();
    fs.mkdirSync(cache(project), { recursive: true });
    for (const name of 'abcdefgh') fs.writeFileSync(path.join(cache(project), `code-${name}`), '');
    await decide(project);
    expect(kept(project)).toHaveLength(6);
    fs.rmSync(project.data, { recursive: true });
    fs.writeFileSync(project.data, '');
    expect((await decide(project)).code).toBe(0);
  });
});

test.each([
  ['the parser of YAML', 'BLOCK_AS_IMPLICIT_KEY'],
  ['the parser of commands', 'Unexpected syntax node'],
  ['the large form of zod', 'ZodISODateTime'],
  ['the schemas of configuration files', 'a person must approve this transition'],
  ['the protocol of MCP', 'tools/list'],
])('most calls do not load %s', (_, mark) => {
  const holds = (name: string) => fs.readFileSync(path.join(plugin, 'dist', name), 'utf8').includes(mark);
  expect(['hook.cjs', 'hook-main.cjs'].filter(holds)).toEqual([]);
  expect(fs.readdirSync(path.join(plugin, 'dist')).some((name) => /\.[cm]js$/.test(name) && holds(name))).toBe(true);
});

function flipped(bytes: Buffer): Buffer {
  bytes[bytes.length >> 1]! ^= 1;
  return bytes;
}
