// Progress is for terminals: what it says, where it says nothing, and that it leaves nothing behind.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Screen, showProgress } from '../../../../src/adapters/cli/progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function screen(changes: Partial<Screen> = {}): { screen: Screen; said: string[] } {
  const said: string[] = [];
  return { said, screen: { isTTY: true, columns: 80, write: (text) => said.push(text), ...changes } };
}

/** What a terminal shows in the end. */
const left = (said: string[]): string =>
  said
    .join('')
    .split('\n')
    .map((line) => line.split('\r').at(-1)?.replace('\x1b[K', '') ?? '')
    .join('\n');

describe('on a terminal', () => {
  test('shows a slow operation with its progress and duration, and then erases it', () => {
    const { screen: on, said } = screen();
    const progress = showProgress('replaying', { screen: on, env: { TERM: 'xterm' } });
    progress.at(1, 9);
    expect(said).toEqual([]);
    vi.advanceTimersByTime(500);
    expect(left(said)).toBe('replaying … 1 of 9');
    vi.advanceTimersByTime(3_000);
    progress.at(5, 9);
    vi.advanceTimersByTime(500);
    expect(left(said)).toBe('replaying … 5 of 9 (4 s)');
    progress.end();
    vi.advanceTimersByTime(10_000);
    expect(left(said)).toBe('');
  });

  test('shows progress even if no timer can run', () => {
    const { screen: on, said } = screen();
    let now = 0;
    const progress = showProgress('replaying', { screen: on, env: {}, clock: () => now });
    for (now of [100, 600, 700, 1_300]) progress.at(now, 2_000);
    expect(said.map((one) => one.slice(1))).toEqual(['replaying … 600 of 2000\x1b[K', 'replaying … 1300 of 2000 (1 s)\x1b[K']);
    progress.end();
  });

  test('shows nothing for a fast operation', () => {
    const { screen: on, said } = screen();
    showProgress('testing', { screen: on, env: {} }).end();
    vi.advanceTimersByTime(5_000);
    expect(said).toEqual([]);
  });

  test('stays on its line, without color', () => {
    const { screen: on, said } = screen({ columns: 10 });
    const progress = showProgress('a text that is longer', { screen: on, env: {} });
    vi.advanceTimersByTime(500);
    progress.end();
    expect(said).toEqual(['\ra text th\x1b[K', '\r\x1b[K']);
  });
});

test('a dumb terminal gets one message, without control sequences', () => {
  const { screen: on, said } = screen();
  const progress = showProgress('testing', { screen: on, env: { TERM: 'dumb' } });
  vi.advanceTimersByTime(5_000);
  progress.at(1, 2);
  progress.end();
  expect(said).toEqual(['testing …\n']);
});

test('a pipe gets no message', () => {
  const { screen: on, said } = screen({ isTTY: false });
  const progress = showProgress('testing', { screen: on, env: { TERM: 'xterm' } });
  progress.at(1, 2);
  vi.advanceTimersByTime(5_000);
  progress.end();
  expect(said).toEqual([]);
});
