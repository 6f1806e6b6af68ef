// How a Bash call ended, from what the client tells: the rows are events as client 2.1.330 sends them.
import { describe, expect, test } from 'vitest';
import { commandOf, readResult } from '../../../../src/adapters/mcp/results.ts';

const success = (response: unknown, input: Record<string, unknown> = { command: 'npm test' }) => ({
  hook_event_name: 'PostToolUse',
  tool_input: JSON.stringify(input),
  tool_response: typeof response === 'string' ? response : JSON.stringify(response),
});
const failure = (error: string, interrupted = 'false') => ({
  hook_event_name: 'PostToolUseFailure',
  tool_input: '{"command":"npm test"}',
  error,
  is_interrupt: interrupted,
});
const printed = { stdout: 'hi', stderr: '', interrupted: false, isImage: false, noOutputExpected: false };

describe('a result', () => {
  test.each<[string, Record<string, string>, unknown, string]>([
    ['of exit 0', success(printed), { how: 'passed' }, 'hi'],
    ['of exit 0 with both outputs', success({ ...printed, stderr: 'oh' }), { how: 'passed' }, 'hi\noh'],
    [
      'of grep that finds nothing',
      success({ ...printed, stdout: '', returnCodeInterpretation: 'No matches found' }),
      { how: 'interpreted', meaning: 'No matches found' },
      '',
    ],
    ['of a background task', success({ ...printed, stdout: '', backgroundTaskId: 'b6fiw1go9' }), { how: 'background' }, ''],
    [
      'that was asked for in the background',
      success(printed, { command: 'npm test', run_in_background: true }),
      { how: 'background' },
      'hi',
    ],
    ['that was interrupted', success({ ...printed, interrupted: true }), { how: 'interrupted' }, 'hi'],
    ['that does not say whether it was interrupted', success({ stdout: 'hi' }), { how: 'interrupted' }, 'hi'],
    ['of exit 1', failure('Exit code 1\nerr'), { how: 'failed', exitCode: 1 }, 'err'],
    ['of exit 1 without output', failure('Exit code 1'), { how: 'failed', exitCode: 1 }, ''],
    [
      'of an unknown command',
      failure('Exit code 127\n/bin/bash: line 1: nosuchcommand: command not found'),
      { how: 'failed', exitCode: 127 },
      '/bin/bash: line 1: nosuchcommand: command not found',
    ],
    ['over its time', failure('Exit code 143\nCommand timed out after 1s'), { how: 'timeout' }, 'Command timed out after 1s'],
    [
      'over its time, after output',
      failure('Exit code 143\nCommand timed out after 2m 0s\npartial'),
      { how: 'timeout' },
      'Command timed out after 2m 0s\npartial',
    ],
    ['of a failure by interruption', failure('Exit code 130\n', 'true'), { how: 'interrupted' }, ''],
    ['that failed before it ran', failure('Permission denied'), { how: 'void', why: expect.any(String) }, 'Permission denied'],
    [
      'whose output only looks like an exit',
      failure('Error\nExit code 1'),
      { how: 'void', why: expect.any(String) },
      expect.any(String),
    ],
    ['that failed with 0', failure('Exit code 0'), { how: 'void', why: expect.any(String) }, ''],
    ['that is no object', success('done'), { how: 'void', why: expect.any(String) }, ''],
    ['that is a list', success('[]'), { how: 'void', why: expect.any(String) }, ''],
    ['that is missing', { hook_event_name: 'PostToolUse' }, { how: 'void', why: expect.any(String) }, ''],
  ])('%s', (_, fields, ending, output) => {
    expect(readResult(fields)).toEqual({ ending, output });
  });
});

test.each<[string | undefined, string | null]>([
  ['{"command":"npm test"}', 'npm test'],
  ['{"command":7}', null],
  ['{}', null],
  ['no', null],
  [undefined, null],
])('the command of %j is %j', (tool_input, command) => {
  expect(commandOf(tool_input === undefined ? {} : { tool_input })).toBe(command);
});
