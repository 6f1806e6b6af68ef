// modes replay as it is built, on what the plugin's own processes logged.
import fs from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../../src/model/facts.ts';
import { callOf } from '../../../support/call.ts';
import { modesHere } from '../../../support/command-line.ts';
import { append, logged, policyOf } from '../../../support/logged-calls.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const ANY = '{\n  "permissions": {\n    "allow": ["Bash(curl localhost*)"]\n  }\n}\n';
const COMMANDS = ['curl localhost:8080', 'curl localhost:8080/health', 'ls', 'git log'];

let project: Project;
beforeEach(() => {
  project = makeProject();
  project.put('.claude/settings.any.json', ANY);
  project.trust();
});
/** What was asked before; the guide has it asked in earnest. */
async function asked(...more: ToolCall[]): Promise<void> {
  const policy = await policyOf(project);
  const calls = COMMANDS.map((command, at) => callOf('Bash', { command }, project.root, { toolUseId: `t-${at}` }));
  append(
    project,
    [...calls, ...more].map((call) => logged(policy, call)),
  );
}

const modes = (...args: string[]) => modesHere(args, { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } });
async function askHook(command: string, id: string): Promise<void> {
  const stdin = JSON.stringify({
    hook_event_name: 'PreToolUse',
    session_id: 'session-1',
    cwd: project.root,
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
    permission_mode: 'default',
  });
  const args = [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root];
  expect(await run(process.execPath, args, { cwd: '/', env: project.env(), stdin })).toMatchObject({ code: 0 });
}
/** A copy of the modes, as somebody changes it. */
function next(change: (settings: string) => string = (text) => text, name = 'next'): void {
  fs.cpSync(path.join(project.root, '.claude'), path.join(project.root, name), { recursive: true });
  const file = `${name}/settings.idle.json`;
  project.put(file, change(project.get(file)));
}
const noCurl = (text: string) => text.replace('["@edit"]', '["@edit", "Bash(curl:*)"]');
const json = async (...args: string[]) => JSON.parse((await modes('replay', '--json', ...args)).out);

test('the commands of the guide print the documented output', { timeout: 60_000 }, async () => {
  for (const [at, command] of COMMANDS.entries()) await askHook(command, `t-${at}`);
  const guide = fs.readFileSync(path.join(repository, 'docs/replay.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  expect(blocks).toHaveLength(2);
  for (const part of blocks.flatMap((text) => text.split(/^(?=\$ )/m))) {
    const [command = '', ...printed] = part.trimEnd().split('\n');
    const [, words = '', code = '0'] = /^\$ (.*?)(?:\s+# exits with (\d+))?$/.exec(command) ?? [];
    const script = words.replace(/^modes /, `'${process.execPath}' '${plugin}/dist/modes.mjs' `);
    const ended = await run('/bin/sh', ['-c', script], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } });
    expect(ended.code, `${command}\n${ended.out}${ended.err}`).toBe(Number(code));
    for (const line of printed) expect(`\n${ended.out}`, command).toContain(`\n${line}`);
  }
});

test('--json matches its schema', async () => {
  await asked();
  next(noCurl);
  const schema = JSON.parse(fs.readFileSync(path.join(repository, 'schemas/output/replay.schema.json'), 'utf8'));
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
  const report = await json('--policy', 'next', '--since', '7d', '--fail-on', 'narrowing');
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  expect(report).toMatchObject({
    calls: 4,
    same: 2,
    changed: 2,
    failed_on: ['narrowing'],
    changes: [
      {
        mode: 'idle',
        tool: 'Bash',
        before: {
          decision: 'allow',
          by: 'Bash(curl localhost*)',
          place: expect.stringMatching(/^\.claude\/settings\.any\.json:\d+$/),
        },
        after: { decision: 'deny', by: 'Bash(curl:*)', place: '.claude/settings.idle.json:9' },
        direction: 'narrowing',
        count: 2,
        example: { call: 'curl localhost:8080/health' },
      },
    ],
  });
});

test('the same modes change no decision, from any folder, and nothing is written', async () => {
  await asked();
  next();
  const before = fs.readdirSync(project.home, { recursive: true }).filter((name) => !String(name).includes('/cache/'));
  const ended = await modes('replay', '--policy', '.');
  expect(ended).toMatchObject({ code: 0, err: '' });
  expect(ended.out).toBe('0 of 4 calls would be decided differently: 0 narrowed, 0 widened\n');
  for (const folder of ['.claude', 'next']) expect((await modes('replay', '--policy', folder)).out).toBe(ended.out);
  const after = fs.readdirSync(project.home, { recursive: true }).filter((name) => !String(name).includes('/cache/'));
  expect(after).toEqual(before);
});

describe('--fail-on', () => {
  const opened = (text: string) =>
    text.replace('"allow": ["Read(**)"]', '"allow": ["Read(**)", "Bash(git log)"]').replace('"deny": ["@edit"]', '"deny": []');
  test.each<[string, (text: string) => string, number]>([
    ['any', noCurl, 1],
    ['narrowing', noCurl, 1],
    ['widening', noCurl, 0],
    ['allow-to-deny', noCurl, 1],
    ['allow-to-ask,pass-to-deny', noCurl, 0],
    ['ask-to-pass,allow-to-deny', noCurl, 1],
    ['not-comparable', noCurl, 0],
    ['narrowing', opened, 0],
    ['any', (text) => text, 0],
  ])('%s %s', async (name, change, code) => {
    await asked();
    next(change);
    const ended = await modes('replay', '--policy', 'next', '--fail-on', name);
    expect(ended.code, ended.out).toBe(code);
    expect(ended.err).toMatch(code === 1 ? /^modes: some calls changed like this: / : /^$/);
  });

  test('a write that is allowed now is a widening', async () => {
    await asked(callOf('Write', { file_path: path.join(project.root, 'a.txt'), content: '' }, project.root));
    next(opened);
    expect(await modes('replay', '--policy', 'next', '--fail-on', 'widening')).toMatchObject({ code: 1 });
    expect(await modes('replay', '--policy', 'next', '--fail-on', 'deny-to-pass,deny-to-ask')).toMatchObject({ code: 1 });
  });

  test('masked calls cannot be compared', async () => {
    const command = 'curl -H "Authorization: Bearer abcdefabcdef1234" x.org';
    await asked(callOf('Bash', { command }, project.root));
    next();
    const ended = await modes('replay', '--policy', 'next', '--fail-on', 'not-comparable');
    expect(ended.code).toBe(1);
    expect(ended.out).toMatch(/^1 calls are not comparable:\n {2}1× {2}the log has only part .*\([0-9a-f]{8}\)$/m);
  });
});

test.each<[string[], number]>([
  [['--mode', 'idle'], 5],
  [['--mode', 'test-dev'], 0],
  [['--tool', 'Read'], 1],
  [['--session', 'oth'], 1],
  [['--until', '10m'], 0],
  [['--since', '10m'], 5],
])('%j: %d calls', async (args, calls) => {
  const file = path.join(project.root, 'README.md');
  await asked(callOf('Read', { file_path: file }, project.root, { sessionId: 'other' }));
  expect(await json('--policy', '.', ...args)).toMatchObject({ calls });
});

test('a call from two hooks counts once, with the stricter decision', async () => {
  await asked();
  const event = logged(await policyOf(project), callOf('Bash', { command: COMMANDS[0] }, project.root, { toolUseId: 't-0' }));
  append(project, [{ ...event, result: { ...event.result, decision: 'ask' } }]);
  const report = await json('--policy', '.');
  expect(report).toMatchObject({
    calls: 4,
    changed: 1,
    changes: [{ before: { decision: 'ask' }, after: { decision: 'allow' } }],
  });
});

test('a broken policy is reported, with line and caret', async () => {
  next((text) => `${text}x`);
  const ended = await modes('replay', '--policy', 'next');
  expect(ended).toMatchObject({ code: 1, out: '' });
  expect(ended.err).toMatch(/settings\.idle\.json:\d+/);
});

test.each<[string[], RegExp]>([
  [[], /required option/],
  [['--policy', 'nowhere'], /there is no modes\.yaml in nowhere/],
  [['--policy', '.', '--fail-on', 'allow-to-allow'], /is not a class of change: any, widening/],
  [['--policy', '.', '--since', 'yesterday'], /is not a time/],
])('%j is wrong usage', async (args, text) => {
  const ended = await modes('replay', ...args);
  expect(ended).toMatchObject({ code: 64, out: '' });
  expect(ended.err).toMatch(text);
});
