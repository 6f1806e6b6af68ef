// A request for permission: what it is answered by, and in which form.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Opened } from '../../../../src/adapters/sdk/open.ts';
import { answerOf, refusal } from '../../../../src/adapters/sdk/permission.ts';
import { type HostCall, type PermissionDecision, ruleOn } from '../../../../src/adapters/sdk/permission-decision.ts';
import { nobody } from '../../../../src/workflow/project.ts';
import { hostedProject, openHosted, removeProjects } from './fixture.ts';

let opened: Opened;
let passing: Opened;
beforeAll(async () => {
  opened = await openHosted(hostedProject());
  passing = await openHosted(hostedProject({ user: 'headless: {pass: allow}' }));
});

afterAll(removeProjects);

const rule = ({ project, start }: Opened, tool: string, input: unknown, more: Partial<HostCall> = {}): PermissionDecision =>
  ruleOn(project, { tool, input, cwd: start, ...more });
/** `null`: a person has to say. */
const behavior = (where: Opened, tool: string, input: Record<string, unknown>, more: Partial<HostCall> = {}) =>
  answerOf(rule(where, tool, input, more), { input })?.behavior ?? null;

const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const;
const bash = (command: string) => ['Bash', { command }] as const;

describe('a call', () => {
  test.each([
    ['allowed by a rule', write('notes/b.md'), 'allow'],
    ['denied by a rule', write('src/a.ts'), 'deny'],
    ['asked about by a rule', bash('npm --version'), null],
    ['that no rule is about', write('a.txt'), null],
    ['asked about since it may write', bash('node -e 1'), null],
    ['in the folder that the event names', ['Bash', { command: 'touch b.md' }], null],
  ] as const)('%s [s:headless.prompt]', (_, [tool, input], expected) => {
    expect(behavior(opened, tool, input)).toBe(expected);
  });

  test.each([
    ['null', null],
    ['a text', 'x'],
    ['a list', []],
  ])('whose input is %s is denied', (_, input) => {
    const ruling = rule(opened, 'Write', input);
    expect(answerOf(ruling, { input: {} })).toMatchObject({ behavior: 'deny', message: expect.stringContaining('tool_input') });
  });

  test('without a name or a folder is denied', () => {
    expect(rule(opened, '', {}).decision.decision).toBe('deny');
    expect(rule(opened, ...write('notes/b.md'), { cwd: 'notes' }).decision.decision).toBe('deny');
  });
});

describe('a call that no rule matches', () => {
  test('is allowed if the user configured it, and no other call is [s:headless.pass]', () => {
    expect(behavior(passing, ...write('a.txt'))).toBe('allow');
    expect(behavior(passing, ...write('src/a.ts'))).toBe('deny');
    expect(behavior(passing, ...bash('npm --version'))).toBeNull();
  });

  test.each([
    ['a question to the user', 'AskUserQuestion', { questions: [] }, {}],
    ['the approval of a plan', 'ExitPlanMode', { plan: 'p' }, {}],
    [
      'a change of mode by force',
      'mcp__plugin_modes_modes__force_transition',
      { target: 'work' },
      { mcpServer: { name: 'plugin:modes:modes', source: 'plugin' } },
    ],
  ])('but never %s [s:headless.pass]', (_, tool, input, more) => {
    const ruling = rule(passing, tool, input, more);
    expect(ruling.decision.decision).toBe('pass');
    expect(answerOf(ruling, { input })).toBeNull();
    expect(refusal(ruling)).toMatchObject({ behavior: 'deny' });
  });

  test('is refused without a person, with the line that would allow it [s:headless.prompt]', () => {
    const refused = refusal(rule(opened, ...write('a.txt')));
    expect(refused).toMatchObject({
      behavior: 'deny',
      message: expect.stringMatching(/no one can approve.*Write\(\/a\.txt\).*headless/),
    });
    expect(refusal(rule(opened, ...bash('npm --version')))).toMatchObject({ message: expect.stringContaining('Bash(npm:*)') });
  });
});

test('an allow rule does not answer a request for which the client requires a person', () => {
  const [tool, input] = write('notes/b.md');
  const ruling = rule(opened, tool, input);
  expect(answerOf(ruling, { input, wantsPerson: true })).toBeNull();
  expect(refusal(ruling, { wantsPerson: true })).toMatchObject({ behavior: 'deny' });
});

describe('a path for which the client wants a permission', () => {
  test.each([
    ['that the call shows changes nothing', write('notes/b.md'), 'notes/b.md', 'allow'],
    ['that it does not show and a rule denies to read', bash('touch notes/b.md'), 'secret/key', 'deny'],
    ['that it does not show and a rule denies to write', bash('touch notes/b.md'), 'src/a.ts', 'deny'],
    ['that it does not show and no rule is about is left to a person', bash('touch notes/b.md'), 'a.txt', null],
    ['that it does not show and rules allow to read and write', bash('touch notes/b.md'), 'notes/c.md', 'allow'],
    ['that a reading call does not show is only read', ['Read', { file_path: 'notes/a.md' }], 'src/a.ts', 'allow'],
  ] as const)('%s [s:headless.blocked]', (_, [tool, input], blockedPath, expected) => {
    expect(behavior(opened, tool, input, { blockedPath })).toBe(expected);
  });

  test('is named in the refusal', () => {
    const { decision } = rule(opened, ...bash('touch notes/b.md'), { blockedPath: 'src/a.ts' });
    expect(decision).toMatchObject({ tool: 'Bash', reason: expect.stringMatching(/src\/a\.ts.*Write\(src\/\*\*\)/) });
  });
});

describe('a subagent', () => {
  const search = ['WebSearch', { query: 'x' }] as const;
  test.each([
    ['the main thread', {}, 'allow'],
    ['of a type without limits', { agentId: 'a1', agentType: 'other' }, 'allow'],
    ['of a type with limits', { agentId: 'a1', agentType: 'helper' }, 'deny'],
    ['whose type is not told has those of every type', { agentId: 'a1' }, 'deny'],
  ])('%s', (_, more, expected) => {
    expect(behavior(opened, ...search, more)).toBe(expected);
  });
});

describe('suggestions', () => {
  const session = { destination: 'session' } as const;
  const cases = [
    ['the permission mode that the mode names', { type: 'setMode', mode: 'acceptEdits', ...session }, true],
    ['a stricter one', { type: 'setMode', mode: 'default', ...session }, true],
    ['a wider one', { type: 'setMode', mode: 'bypassPermissions', ...session }, false],
    ['one that is not known', { type: 'setMode', mode: 'yolo', ...session }, false],
    ['the same for later sessions', { type: 'setMode', mode: 'acceptEdits', destination: 'projectSettings' }, false],
    ['a rule that allows', { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', ...session }, false],
    ['a rule that denies', { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'deny', ...session }, true],
    ['rules taken away', { type: 'removeRules', rules: [{ toolName: 'Bash' }], behavior: 'deny', ...session }, false],
    ['a folder', { type: 'addDirectories', directories: ['/'], ...session }, false],
    ['something else', null, false],
  ] as const;

  test.each(cases)('of %s [s:headless.suggestions]', (_, suggestion, isGranted) => {
    const input = { file_path: 'notes/b.md', content: '' };
    const ruling = { ...rule(opened, 'Write', input), permissionMode: 'acceptEdits' };
    const answer = answerOf(ruling, { input, suggestions: [suggestion] });
    expect(answer).toEqual({ behavior: 'allow', updatedInput: input, ...(isGranted && { updatedPermissions: [suggestion] }) });
  });

  test('of a permission mode are dropped if the mode names none', () => {
    const input = { file_path: 'notes/b.md', content: '' };
    const ruling = rule(opened, 'Write', input);
    expect(ruling.permissionMode).toBeNull();
    expect(answerOf(ruling, { input, suggestions: [{ type: 'setMode', mode: 'default', ...session }] })).not.toHaveProperty(
      'updatedPermissions',
    );
  });
});

test('an emergency stop interrupts what it denies [s:headless.stop]', async () => {
  const stopped = await openHosted(hostedProject({ user: 'headless: {pass: allow}' }));
  expect(stopped.project.for(nobody).transitions.stop('SILENCE', { session: null, permissionMode: null })).toBe(true);
  const [tool, input] = write('notes/b.md');
  expect(answerOf(rule(stopped, tool, input), { input })).toMatchObject({ behavior: 'deny', interrupt: true });
  expect(behavior(stopped, 'Read', { file_path: 'notes/a.md' })).toBe('allow');
  expect(answerOf(rule(opened, ...write('src/a.ts')), { input })).not.toHaveProperty('interrupt');
});

test('a longer message is cut', () => {
  const { decision, ...rest } = rule(opened, ...write('src/a.ts'));
  const answer = answerOf({ ...rest, decision: { ...decision, reason: 'x'.repeat(100_000) } }, { input: {} });
  expect(answer).toMatchObject({ message: expect.stringMatching(/^x{4000}…$/) });
});
