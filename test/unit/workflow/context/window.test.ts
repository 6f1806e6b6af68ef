// How full the context window is, told from the end of a transcript; and how often that is said.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readTokens, WindowWarnings } from '../../../../src/workflow/context/window.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

function transcript(lines: (object | string)[]): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-transcript-'));
  folders.push(folder);
  const file = path.join(folder, 't.jsonl');
  fs.writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return file;
}

const answer = (usage: object, more: object = {}) => ({ type: 'assistant', message: { model: 'm', usage }, ...more });
const used = (tokens: number, more: object = {}) => answer({ input_tokens: tokens }, more);

describe('a transcript', () => {
  test.each<[string, (object | string)[], number | null]>([
    ['the newest answer counts', [used(1), used(2), { type: 'user' }], 2],
    [
      'everything that was sent and answered',
      [
        answer({
          input_tokens: 1,
          cache_creation_input_tokens: 20,
          cache_read_input_tokens: 300,
          output_tokens: 4_000,
          other: 9,
        }),
      ],
      4_321,
    ],
    ['a subagent is not the main chain', [used(5), used(900, { isSidechain: true })], 5],
    ['an error of the interface is no answer', [used(5), used(900, { isApiErrorMessage: true })], 5],
    ['what the client writes itself used nothing', [used(5), used(0)], 5],
    ['a line that is being written', [used(5), '{"type":"assistant","message":{"usage":{"input_tokens":7'], 5],
    ['text that only looks like one', [used(5), { type: 'user', message: { content: '"usage"' } }], 5],
    ['numbers that are none', [answer({ input_tokens: 'many', output_tokens: -3, cache_read_input_tokens: 6 })], 6],
    ['nothing', [], null],
    ['no answer yet', [{ type: 'user' }], null],
  ])('%s', (_, lines, tokens) => {
    expect(readTokens(transcript(lines))).toBe(tokens);
  });

  test('is read only from its end', () => {
    const file = transcript([used(1), 'x'.repeat(2 * 1024 * 1024), used(7)]);
    expect(readTokens(file)).toBe(7);
    fs.appendFileSync(file, 'y'.repeat(2 * 1024 * 1024));
    expect(readTokens(file)).toBeNull();
  });

  test('that is invalid gives no size', () => {
    expect(readTokens('/nonexistent/t.jsonl')).toBeNull();
    expect(readTokens(os.tmpdir())).toBeNull();
  });
});

describe('a warning', () => {
  test('is given once for each threshold and session [w:context.warnings]', () => {
    const warnings = new WindowWarnings();
    const due = (percent: number, session = 's') => warnings.due(session, percent, [85, 90]);
    expect(due(84)).toBeNull();
    expect(due(86)).toBe('CONTEXT WINDOW: 86 % is used (warning at 85 %).');
    expect(due(87)).toBeNull();
    expect(due(91)).toBe('CONTEXT WINDOW: 91 % is used (warning at 90 %).');
    expect(due(40)).toBeNull();
    expect(due(99)).toBeNull();
    expect(due(95, 'other'), 'the higher one stands for the lower').toContain('warning at 90 %');
    expect(due(96, 'other')).toBeNull();
  });
});
