// What the Agent SDK is given: its types are met by ours, and what is for a person goes to the caller.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Asked, type Modes, openModesBy } from '../../../../src/adapters/sdk/modes.ts';
import { LogFiles, logFolder } from '../../../../src/store/log/files.ts';
import { prepare } from '../../../support/prepare.ts';
import { type Hosted, hostedProject, removeProjects } from './fixture.ts';

let hosted: Hosted;
let modes: Modes;
beforeAll(async () => {
  hosted = hostedProject();
  modes = (await openModesBy(prepare, hosted.root, hosted.given)) as Modes;
});
afterAll(removeProjects);

const asked = (changes: Partial<Asked> = {}): Asked => ({ signal: new AbortController().signal, toolUseID: 't1', ...changes });
const write = (file_path: string) => ['Write', { file_path, content: 'x' }] as const;

describe('canUseTool', () => {
  test.each([
    ['allowed', write('notes/b.md'), { behavior: 'allow', updatedInput: { file_path: 'notes/b.md', content: 'x' } }],
    ['denied', write('src/a.ts'), { behavior: 'deny', message: expect.stringContaining('Write(src/**)') }],
    ['asked about', ['Bash', { command: 'npm --version' }], 'the caller'],
    ['that no rule is about', write('a.txt'), 'the caller'],
    ['that a rule of the client asks about', write('notes/b.md'), 'the caller', { matchedAskRule: {} }],
    ['that a rule of the client is the reason for', write('notes/b.md'), 'the caller', { decisionReasonType: 'rule' }],
    ['that a person alone may answer', write('notes/b.md'), 'the caller', { requiresUserInteraction: true }],
    [
      'that is asked about for another reason',
      write('src/a.ts'),
      { behavior: 'deny', message: expect.any(String) },
      { decisionReasonType: 'other' },
    ],
  ] as [string, readonly [string, Record<string, unknown>], unknown, Partial<Asked>?][])(
    'a call %s',
    async (_, [tool, input], expected, more: Partial<Asked> = {}) => {
      const seen: unknown[] = [];
      const permit = modes.canUseTool(async (...given) => {
        seen.push(given);
        return 'the caller';
      });
      const options = asked(more);
      expect(await permit(tool, input, options)).toEqual(expected);
      expect(seen).toEqual(expected === 'the caller' ? [[tool, input, options]] : []);
    },
  );

  test('denies without a caller to ask', async () => {
    expect(await modes.canUseTool()(...write('a.txt'), asked())).toMatchObject({ behavior: 'deny' });
  });

  test('denies a call that cannot be examined', async () => {
    expect(await modes.canUseTool(async () => 'x')('Write', null as never, asked())).toMatchObject({ behavior: 'deny' });
    expect(await modes.canUseTool(async () => 'x')(...write('a.txt'), undefined as never)).toMatchObject({ behavior: 'deny' });
  });
});

describe('hooks', () => {
  const signal = new AbortController().signal;
  const event = (more: object) => ({ hook_event_name: 'PreToolUse', session_id: 's', cwd: hosted.root, ...more });
  const command = { tool_name: 'Bash', tool_input: { command: 'npm --version' } };

  test('ask if a person can be asked, and deny otherwise', async () => {
    for (const [asks, expected] of [
      [true, 'ask'],
      [false, 'deny'],
    ] as const) {
      const [matcher] = modes.hooks({ asks }).PreToolUse;
      const answer = await matcher?.hooks[0]?.(event(command), 't7', { signal });
      expect(answer).toMatchObject({ hookSpecificOutput: { permissionDecision: expected } });
      expect(matcher?.onFailure).toBe('block');
    }
  });

  test('pass the place of a call to canUseTool', async () => {
    const inNotes = { tool_name: 'Write', tool_input: { file_path: 'b.md', content: '' }, cwd: path.join(hosted.root, 'notes') };
    await modes.hooks().PreToolUse[0]?.hooks[0]?.(event(inNotes), 't8', { signal });
    const permit = modes.canUseTool();
    const [tool, given] = ['Write', { file_path: 'b.md', content: '' }];
    expect(await permit(tool, given, asked({ toolUseID: 't8' }))).toMatchObject({ behavior: 'allow' });
    expect(await permit(tool, given, asked({ toolUseID: 't9' }))).toMatchObject({ behavior: 'deny' });
  });
});

describe('the permission mode', () => {
  test.each([
    ['plan', 'plan'],
    ['default', 'default'],
    ['acceptEdits', 'default'],
    ['bypassPermissions', 'default'],
    [undefined, 'default'],
  ] as const)('%s is, where the mode names none, %s', async (wanted, expected) => {
    expect(await modes.permissionMode(wanted)).toBe(expected);
  });

  test.each([
    [true, 'acceptEdits', 'auto', 'acceptEdits'],
    [true, 'bypassPermissions', undefined, 'bypassPermissions'],
    [false, 'acceptEdits', 'acceptEdits', 'default'],
    [false, 'bypassPermissions', undefined, 'default'],
    [false, 'plan', 'default', 'plan'],
  ] as const)('approved: %s, named: %s: %s is %s [s:headless.untrusted]', async (trusted, goesWith, wanted, expected) => {
    const { root, given } = hostedProject({ trusted, goesWith });
    const own = (await openModesBy(prepare, root, given)) as Modes;
    expect(await own.permissionMode(wanted)).toBe(expected);
  });
});

test('the host logs the decisions', async () => {
  await modes.canUseTool()(...write('src/logged.ts'), asked({ toolUseID: 't99' }));
  const files = new LogFiles(logFolder(path.join(hosted.home, '.claude/modes-data'), hosted.root));
  await expect
    .poll(() =>
      fs
        .readdirSync(files.folder)
        .map((name) => fs.readFileSync(path.join(files.folder, name), 'utf8'))
        .join('\n'),
    )
    .toMatch(/"requested_by":"host"/);
});

test('a folder without modes has none', async () => {
  expect(await openModesBy(prepare, hosted.home, hosted.given)).toBeNull();
  await expect(openModesBy(prepare, path.join(hosted.home, 'nowhere'), hosted.given)).rejects.toThrow(/ENOENT/);
});
