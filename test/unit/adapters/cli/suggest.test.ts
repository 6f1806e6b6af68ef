// modes suggest on asks that a server really asked and calls that it was told of.

import fs from 'node:fs';
import path from 'node:path';
import Ajv from 'ajv';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { LoggedApprovals } from '../../../../src/store/log/approvals.ts';
import { callOf } from '../../../support/call.ts';
import { modesHere } from '../../../support/command-line.ts';
import { putFile } from '../../../support/files.ts';
import { append, type Lists, logged, policyOf, withLists } from '../../../support/logged-calls.ts';
import { Session, type SessionOptions } from '../../../support/mcp-session.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const SETTINGS = `{
  // What is asked about.
  "permissions": {
    "ask": ["Bash(git push:*)"],
    "default": "ask"
  }
}
`;
let project: Project;
beforeEach(async () => {
  project = makeProject({ example: null });
  await withLists({}, project);
  project.put('.claude/settings.work.json', SETTINGS);
  project.trust();
});

const modes = (...args: string[]) =>
  modesHere(['suggest', ...args], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } });
const json = async (...args: string[]) => JSON.parse((await modes('--json', ...args)).out);
const approvals = () => new LoggedApprovals(project.data, project.root).read().size;

interface Step {
  command: string;
  id: string;
  /** What the client tells of it afterwards. */
  event?: string | null;
  fields?: Record<string, string>;
  ran?: string;
}
/** A call as the client tells of it: before, and where it ran after. */
async function call(session: Session, { command, id, event = 'PostToolUse', fields = {}, ran = command }: Step): Promise<string> {
  const common = { tool_name: 'Bash', tool_use_id: id, ...fields };
  const decided = await session.decide('Bash', { command }, common);
  if (event !== null)
    await session.event(event, { ...common, tool_input: JSON.stringify({ command: ran }), tool_response: '{}' });
  return decided;
}

test('the commands of the guide print the documented output', async () => {
  const session = await Session.start(project);
  for (const id of ['a', 'b', 'c']) expect(await call(session, { command: 'npm run lint', id })).toBe('ask');
  await call(session, { command: 'make', id: 'd' });
  await call(session, { command: 'git push', id: 'e' });
  await session.end();
  const guide = fs.readFileSync(path.join(repository, 'docs/suggest.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```console\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
  expect(blocks).toHaveLength(2);
  const before = fs.readdirSync(project.home, { recursive: true }).filter((name) => !String(name).includes('/cache/'));
  for (const block of blocks) {
    const [command = '', ...printed] = block.trimEnd().split('\n');
    const ended = await modes(...command.replace('$ modes suggest ', '').split(' '));
    expect(ended).toMatchObject({ code: 0, err: '' });
    for (const line of printed) expect(`\n${ended.out}`).toContain(`\n${line}`);
  }
  expect(fs.readdirSync(project.home, { recursive: true }).filter((name) => !String(name).includes('/cache/'))).toEqual(before);
});

test.each<[string, string | null]>([
  ['keeps comments', SETTINGS],
  ['goes on with a list', '{\n  "permissions": {\n    "allow": [\n      "Bash(ls)" // for all\n    ]\n  }\n}\n'],
  ['makes a file', null],
])('the patch %s, applies, and quiets the ask', async (_, settings) => {
  project.put('.claude/settings.any.json', '{"permissions":{"default":"ask"}}');
  if (settings === null) fs.rmSync(path.join(project.root, '.claude/settings.work.json'));
  else project.put('.claude/settings.work.json', settings);
  project.trust();
  const session = await Session.start(project);
  for (const id of ['a', 'b', 'c']) expect(await call(session, { command: 'npm run lint', id })).toBe('ask');
  await session.end();
  const { out } = await modes('--patch');
  const applied = await run('/usr/bin/git', ['apply', '-p0'], { cwd: project.root, env: { PATH: '/usr/bin:/bin' }, stdin: out });
  expect(applied.code, applied.out + applied.err + out).toBe(0);
  const comment = /\/\/.*/.exec(settings ?? '')?.[0] ?? '';
  expect(project.get('.claude/settings.work.json')).toContain(comment);
  const policy = await policyOf(project);
  expect(policy.problems).toEqual([]);
  expect(policy.decide(callOf('Bash', { command: 'npm run lint' }, project.root), null).decision).toBe('allow');
  expect(await json()).toMatchObject({ asks: 3, suggestions: [], not_suggested: [{ why: 'settled', count: 3 }] });
});

describe('an approval is recorded', () => {
  const rows: [string, number, Partial<Step>, SessionOptions][] = [
    ['where the call ran', 1, {}, {}],
    ['in the plan mode of the client', 1, { fields: { permission_mode: 'plan' } }, {}],
    ['not where nothing more was heard', 0, { event: null }, {}],
    ['not where it failed', 0, { event: 'PostToolUseFailure' }, {}],
    ['not where another command ran', 0, { ran: 'rm -rf .' }, {}],
    ['not of a subagent', 0, { fields: { agent_id: 'a1', agent_type: 'x' } }, {}],
    ['not where the client asks nobody', 0, { fields: { permission_mode: 'bypassPermissions' } }, {}],
    ['not in a mode of the client that is not known', 0, { fields: { permission_mode: 'later' } }, {}],
    ['not where nobody can be asked', 0, {}, { env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } }],
    ['not of a call that was not asked about', 0, { command: 'git status' }, {}],
  ];
  test.each(rows)('%s', async (_, count, step, options) => {
    if (step.command !== undefined) project.put('.claude/settings.work.json', '{"permissions":{}}');
    project.trust();
    const session = await Session.start(project, options);
    await call(session, { command: 'make', id: 'a', ...step });
    expect(await session.end()).toBe(0);
    expect(approvals()).toBe(count);
  });

  test.each<[string, string, string]>([
    ['a hook of another could answer', '.claude/settings.json', '{"hooks":{"PermissionRequest":[{"hooks":[]}]}}'],
    [
      'a hook of another sees the call',
      '.claude/settings.local.json',
      '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[]}]}}',
    ],
  ])('not if %s', async (_, name, text) => {
    project.put(name, text);
    const session = await Session.start(project);
    await call(session, { command: 'make', id: 'a' });
    await session.end();
    expect(approvals()).toBe(0);
  });

  test('not if a plugin contains a mod', async () => {
    const folder = path.join(project.home, 'other');
    fs.mkdirSync(path.join(folder, 'hooks'), { recursive: true });
    fs.writeFileSync(path.join(folder, 'hooks/hooks.json'), '{"modules":["./register.js"]}');
    const record = path.join(project.home, '.claude/plugins/installed_plugins.json');
    putFile(record, JSON.stringify({ plugins: { 'other@shop': [{ installPath: folder }] } }));
    const session = await Session.start(project);
    await call(session, { command: 'make', id: 'a' });
    await session.end();
    expect(approvals()).toBe(0);
  });

  test('not if two events differ under one id', async () => {
    const session = await Session.start(project);
    await call(session, { command: 'make', id: 'a', event: null });
    await call(session, { command: 'make all', id: 'a' });
    await session.end();
    expect(approvals()).toBe(0);
  });
});

/** Asks about these calls, the approved ones noted. */
async function asked(lists: Lists, calls: [string, boolean][]): Promise<void> {
  const { policy } = await withLists(lists, project);
  project.trust();
  const store = new LoggedApprovals(project.data, project.root);
  append(
    project,
    calls.map(([command, approved], at) => {
      if (approved) store.note('session-1', `t-${at}`);
      return logged(policy, callOf('Bash', { command }, project.root, { toolUseId: `t-${at}` }));
    }),
  );
}

test('--json matches its schema; --min and --mode select', async () => {
  await asked({ default: 'ask' }, [
    ['make', true],
    ['make', true],
    ['lint', true],
    ['lint', false],
  ]);
  const schema = JSON.parse(fs.readFileSync(path.join(repository, 'schemas/output/suggest.schema.json'), 'utf8'));
  const validate = new Ajv({ strict: true, allowUnionTypes: true }).compile(schema);
  const report = await json('--min', '2');
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true);
  expect(report).toMatchObject({
    asks: 4,
    suggestions: [{ mode: 'work', file: '.claude/settings.work.json', allow: 'Bash(make)', quiets: 2, approved: 2 }],
    not_suggested: [{ why: 'refused', count: 2 }],
  });
  expect(await json()).toMatchObject({ suggestions: [], not_suggested: [{ why: 'few' }, { why: 'refused' }] });
  expect(await json('--mode', 'other')).toMatchObject({ asks: 0 });
});

test('suggests no rule that would change another call', async () => {
  await asked({ default: 'ask' }, [
    ['make', true],
    ['make', true],
    ['make && make', false],
  ]);
  expect(await json('--min', '2')).toMatchObject({
    suggestions: [],
    not_suggested: expect.arrayContaining([expect.objectContaining({ why: 'others', count: 2 })]),
  });
});

test("suggests no rule that the user's own default would override", async () => {
  fs.writeFileSync(path.join(project.home, '.claude/settings.any.json'), '{"permissions":{"default":"ask"}}');
  await asked({ default: 'ask' }, [['make', true]]);
  expect(await json('--min', '1')).toMatchObject({ suggestions: [], not_suggested: [{ why: 'useless' }] });
});

test.each<[string[], RegExp]>([
  [['--min', '0'], /is not a number of approvals/],
  [['--min', 'x'], /is not a number of approvals/],
  [['--since', 'x'], /is not a time/],
  [['--json', '--patch'], /either --json or --patch/],
  [['--apply'], /unknown option/],
])('%j is wrong usage', async (args, text) => {
  const ended = await modes(...args);
  expect(ended.code).toBe(64);
  expect(ended.err + ended.out).toMatch(text);
});
