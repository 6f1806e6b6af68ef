// What the model is told, and when: on a prompt, at the start of a session, in a subagent, on a transition.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Session, session } from './client.ts';
import { go, serversOf } from './mode.ts';
import { bash, type ModelRequest, say, textOf, use } from './model.ts';
import type { Place } from './place.ts';
import { copyPlugin } from './plugin.ts';
import { plainProject, tddProject } from './project.ts';
import { startTerminal, submit } from './terminal.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

/** How often the whole context (with the ways out) was given. */
const full = (request: ModelRequest | undefined) =>
  (request ? (textOf(request).match(/AVAILABLE TRANSITIONS/g) ?? []) : []).length;

describe('the model receives the mode', () => {
  let shared: Place;
  let run: Session;
  beforeAll(async () => {
    shared = tddProject();
    const agent = use('Agent', {
      description: 'helper',
      prompt: 'SUBAGENT: look',
      subagent_type: 'general-purpose',
      run_in_background: false,
    });
    run = await session({
      ...shared,
      turns: [...go('test-dev'), agent, say('done')],
      agents: [{ prompt: 'SUBAGENT:', turns: [bash('ls'), say('seen')] }],
    });
  });
  afterAll(() => shared.remove());

  test('with the first prompt: mode, transitions, constraints', () => {
    const text = textOf(run.requests[0]!);
    expect(text).toContain('MODE: idle');
    expect(text).toMatch(/AVAILABLE TRANSITIONS:.*test-dev/);
    expect(text).toContain('User has described a bug or feature');
  });

  test('on a transition: the new instructions and permissions at once [w:transition.context] [w:context.whole]', () => {
    const [call] = run.calls;
    expect(call?.result).toContain('MODE: test-dev');
    expect(call?.result).toContain('writing a failing test');
    expect(call?.result).toContain('Write(src/**)');
  });

  test('in a subagent, from its first request on [w:context.whole]', () => {
    const first = run.requests.find((request) => JSON.stringify(request.messages[0]).includes('SUBAGENT:'));
    expect(textOf(first!)).toContain('MODE: test-dev');
    expect(textOf(first!)).toContain('writing a failing test');
  });

  test('when a session is resumed or forked', async () => {
    for (const more of [
      ['--resume', run.sessionId!],
      ['--continue', '--fork-session'],
    ]) {
      const { requests, hooks } = await session({ ...shared, args: more, turns: [say('again')] });
      expect(hooks.find(({ event }) => event === 'SessionStart')?.output, more[0]).toContain('MODE: test-dev');
      const last = JSON.stringify(requests[0]!.messages.slice(-3));
      expect(last, more[0]).toContain('MODE: test-dev');
    }
  });

  test('in one line with later prompts, until something changes [w:context.line]', async () => {
    const terminal = await startTerminal({
      ...place,
      turns: [say('one'), say('two'), ...go('test-dev'), say('three'), say('four')],
    });
    const told = () => JSON.stringify(terminal.requests.at(-1)!.messages.slice(-2));
    try {
      await submit(terminal, 'hello');
      await terminal.waitFor('● one');
      await submit(terminal, 'hello again');
      await terminal.waitFor('● two');
      expect(told()).toMatch(/MODE: idle.*test-dev/);
      expect(told()).not.toContain('AVAILABLE TRANSITIONS');
      await submit(terminal, 'go to test-dev');
      await terminal.waitFor('● three');
      await submit(terminal, 'and now');
      await terminal.waitFor('● four');
      expect(told()).toContain('MODE: test-dev');
      expect(told()).not.toContain('MODE: idle');
    } finally {
      await terminal.stop();
    }
  });

  test('again after /clear and after /compact [w:context.whole]', async () => {
    const terminal = await startTerminal({
      ...place,
      turns: [say('one'), say('two'), say('summary'), say('three'), say('four')],
    });
    try {
      await submit(terminal, 'hello');
      await terminal.waitFor('● one');
      await submit(terminal, '/clear');
      await terminal.waitGone('● one');
      await submit(terminal, 'hello after clear');
      await terminal.waitFor('● two');
      expect(full(terminal.requests.at(-1))).toBeGreaterThan(0);
      await submit(terminal, '/compact');
      await terminal.waitFor('Compacted');
      await submit(terminal, 'hello after compact');
      await terminal.waitFor(/● (three|four|done)/);
      expect(full(terminal.requests.at(-1))).toBeGreaterThan(0);
    } finally {
      await terminal.stop();
    }
  });
});

describe('a project without modes', () => {
  test('gets no output and no changes [s:default.pass]', async () => {
    place.remove();
    place = plainProject();
    const { requests, calls, hooks } = await session({ ...place, turns: [bash('echo free > src/calc.ts'), say('done')] });
    expect(textOf(requests[0]!)).not.toContain('MODE:');
    expect(calls[0]?.refused).toBe(false);
    expect(place.read('src/calc.ts')).toBe('free\n');
    expect(place.exists('.claude')).toBe(false);
    expect(hooks.filter(({ output }) => ![undefined, '', '{}'].includes(output?.trim()))).toEqual([]);
  });
});

test('a prompt after the server was killed shows the mode and the remedy [w:context.server-ended]', async () => {
  // A copy whose server cannot be started again.
  const plugin = copyPlugin(path.join(place.root, 'plugin'));
  const terminal = await startTerminal({ ...place, plugin, turns: [say('first'), say('second')] });
  try {
    await submit(terminal, 'go');
    await terminal.waitFor('● first');
    fs.rmSync(path.join(plugin, 'dist/server.mjs'));
    for (const pid of serversOf(terminal.mark)) process.kill(pid, 'SIGKILL');
    await submit(terminal, 'and now');
    await terminal.waitFor('● second');
    const [before, after] = terminal.requests.slice(-2).map((request) => JSON.stringify(request.messages.slice(-2)));
    expect(before).not.toContain('The server of Modes ended');
    expect(after).toContain('MODE: idle');
    expect(after).toContain('The server of Modes ended');
  } finally {
    await terminal.stop();
  }
});
