// What a hook answers, in the one form that the shell client accepts.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { showInLine, showUnseen } from '../../../src/config/text.ts';
import { answerText, contextText, hookAnswer, isHeadless } from '../../../src/engine/answer.ts';
import type { Decision } from '../../../src/model/decision.ts';

const client = fs.readFileSync(path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../hooks/client.sh'), 'utf8');
const wholeFunction = /^whole\(\) \{\n[\s\S]*?\n\}\n/m.exec(client)?.[0] as string;
const shells = ['/bin/dash', '/bin/bash', '/bin/sh'].filter((name) => fs.existsSync(name));

/** What the shell client thinks of these answers, in order. */
function accepted(shell: string, event: string, answers: string[]): boolean[] {
  const script = `event=$1; shift\n${wholeFunction}\nfor answer do if whole; then echo yes; else echo no; fi; done`;
  // With a socket on stdin bash would read a start file.
  const quiet = shell.endsWith('bash') ? ['--norc', '--posix'] : [];
  const { stdout, stderr } = spawnSync(shell, [...quiet, '-c', script, 'sh', event, ...answers], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: '' },
  });
  expect(stderr).toBe('');
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => line === 'yes');
}

const wellFormed = (text: string) => (text as string & { toWellFormed(): string }).toWellFormed();
const base: Decision = {
  decision_id: 'd',
  decision: 'deny',
  mode: 'm',
  tool: 'Write',
  by: 'default',
  rules: [],
  also: [],
  policies: [],
  protections: [],
  reason: 'No.',
  remedy: 'Do this.',
  facts: null,
  bundle: null,
  took_us: 1,
};
const answerTo = (changes: Partial<Decision>, headless = false) => hookAnswer({ ...base, ...changes }, headless);
const reasonOf = (changes: Partial<Decision>) =>
  (answerTo(changes) as { hookSpecificOutput: { permissionDecisionReason: string } }).hookSpecificOutput.permissionDecisionReason;
/** Any text, lone surrogates, control characters and what looks like our own answers included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.oneof(fc.integer({ min: 0, max: 0xff }), fc.integer({ min: 0xd700, max: 0xe000 }), fc.integer({ min: 1, max: 0xffff })),
      { maxLength: 60 },
    )
    .map((codes) => String.fromCharCode(...codes)),
  fc
    .array(
      fc.constantFrom('"', '\\', '}}', '{}', '\\u', '\n', '"}}', '$', '`', "'", '\u0000', '\u007f', '\u2028', '\ud83d', 'a'),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
);
const batch = fc.array(anyText, { minLength: 40, maxLength: 80 });

describe('hookAnswer', () => {
  test('a pass is the empty object [s:default.pass]', () => {
    expect(answerTo({ decision: 'pass' })).toEqual({});
  });

  test.each(['deny', 'ask', 'allow'] as const)('%s carries reason and remedy', (decision) => {
    expect(answerTo({ decision })).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision, permissionDecisionReason: 'No. Do this.' },
    });
  });

  test('an ask without a person is a deny with that reason and the remedy [s:headless.deny]', () => {
    expect(answerTo({ decision: 'ask' }, true)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'No. This session is not interactive, so no one can approve the call. Do this.',
      },
    });
    expect(answerTo({ decision: 'allow' }, true)).toEqual(answerTo({ decision: 'allow' }, false));
  });

  test('a long reason is cut below the limit of the client, visibly', () => {
    const reason = reasonOf({ reason: 'x'.repeat(20_000) });
    expect(reason.length).toBeLessThan(10_000);
    expect(reason).toMatch(/x… Do this\.$/);
  });

  test('a remedy is kept for any length of the reason, and cut if it is too long itself', () => {
    const reason = reasonOf({ reason: 'x'.repeat(20_000), remedy: 'y'.repeat(20_000) });
    expect(reason).toMatch(/^x{1000,}… y{1000,}…$/);
    expect(reason.length).toBeLessThan(10_000);
  });

  test('a name cannot control the terminal', () => {
    expect(reasonOf({ reason: 'a\u001b[2K\u009b2J\rb\u202ec', remedy: 'd\u0007' })).toBe(
      'a\\u{1b}[2K\\u{9b}2J b\\u{202e}c d\\u{7}',
    );
  });

  test.each<[string | undefined, boolean]>([
    ['sdk-cli', true],
    ['sdk-ts', true],
    ['sdk-py', true],
    ['cli', false],
    ['', false],
    [undefined, false],
    ['my-sdk-cli', false],
  ])('the entry point %s is headless: %s [s:headless.sdk]', (entrypoint, headless) => {
    expect(isHeadless(entrypoint)).toBe(headless);
  });
});

describe('the text of an answer', () => {
  test('is JSON with the given content, for any content', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const answer = answerTo({ reason: text, remedy: '' });
        const read = JSON.parse(answerText(answer));
        expect(read.hookSpecificOutput?.permissionDecisionReason).toBe(showInLine(text));
        expect(answerText(answer)).toBe(wellFormed(answerText(answer)));
        if (text !== '')
          expect(JSON.parse(contextText('SessionStart', text)).hookSpecificOutput).toEqual({
            hookEventName: 'SessionStart',
            additionalContext: wellFormed(showUnseen(text)),
          });
      }),
      { numRuns: 1_000 },
    );
  });

  test('contains no control character', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(answerText(answerTo({ reason: text }))).not.toMatch(/[\u0000-\u001f\u007f]/);
      }),
    );
  });

  test('without a content is the empty object', () => {
    expect(answerText({})).toBe('{}');
    expect(contextText('SessionStart', '')).toBe('{}');
  });
});

describe.each(shells)('the check of the client in %s', (shell) => {
  test('accepts every answer', () => {
    fc.assert(
      fc.property(batch, fc.constantFrom('deny', 'ask', 'allow'), (texts, decision) => {
        const answers = texts.map((reason) => answerText(answerTo({ reason, decision: decision as 'deny' })));
        expect(accepted(shell, 'PreToolUse', ['{}', ...answers])).not.toContain(false);
      }),
      { numRuns: 25 },
    );
  });

  test.each(['SessionStart', 'SubagentStart'])('accepts every context of %s and none of another event', (event) => {
    fc.assert(
      fc.property(batch, (texts) => {
        const answers = texts.map((text) => contextText(event, text));
        expect(accepted(shell, event, answers)).not.toContain(false);
        expect(
          accepted(
            shell,
            event === 'SessionStart' ? 'SubagentStart' : 'SessionStart',
            answers.filter((answer) => answer !== '{}'),
          ),
        ).not.toContain(true);
        expect(
          accepted(
            shell,
            'PreToolUse',
            answers.filter((answer) => answer !== '{}'),
          ),
        ).not.toContain(true);
      }),
      { numRuns: 15 },
    );
  });

  test('refuses every proper beginning of an answer', () => {
    fc.assert(
      fc.property(anyText, (reason) => {
        const answer = Buffer.from(answerText(answerTo({ reason })));
        const torn = Array.from({ length: answer.length }, (_, length) => answer.subarray(0, length).toString('latin1'));
        expect(accepted(shell, 'PreToolUse', torn)).not.toContain(true);
      }),
      { numRuns: 25 },
    );
    const context = contextText('SessionStart', 'MODE: a "b" \\ \n ü');
    expect(
      accepted(
        shell,
        'SessionStart',
        Array.from({ length: context.length }, (_, length) => context.slice(0, length)),
      ),
    ).not.toContain(true);
  });

  test('refuses an answer with anything inserted or appended', () => {
    const answer = answerText(answerTo({ reason: 'some text', remedy: '' }));
    const broken = [...'"\\\n\t\x01\x7f'].flatMap((char) =>
      Array.from({ length: answer.length + 1 }, (_, at) => answer.slice(0, at) + char + answer.slice(at)),
    );
    expect(accepted(shell, 'PreToolUse', broken)).not.toContain(true);
  });

  test('accepts the longest answer', () => {
    expect(accepted(shell, 'PreToolUse', [answerText(answerTo({ reason: '"\\\n'.repeat(2_000) }))])).toEqual([true]);
  });
});
