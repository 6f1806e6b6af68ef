// What the real client tells about the ends of commands and subagents, as the status tool shows it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Call, session } from './client.ts';
import { go } from './mode.ts';
import { type Block, bash, mcp, say, use } from './model.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';
import { startTerminal, submit } from './terminal.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

const evidenceOf = (call: Call | undefined) => {
  // A result's text, or its blocks.
  const text = call?.result ?? '{}';
  const [block] = text.startsWith('[') ? (JSON.parse(text) as { text: string }[]) : [{ text }];
  return JSON.parse(block!.text).evidence;
};

describe('the end of a Bash call', () => {
  const ends: [string, Block[], Record<string, unknown>][] = [
    ['exit 0', bash('echo fine'), { command: 'echo fine', how: 'passed' }],
    ['exit 1', bash('echo oh >&2; false'), { how: 'failed', exitCode: 1 }],
    ['exit 2', bash('ls nosuchfile'), { how: 'failed', exitCode: 2 }],
    ['grep that finds nothing', bash('grep -q zzz README.md'), { how: 'interpreted', meaning: 'No matches found' }],
    ['test that does not hold', bash('test -f none'), { how: 'interpreted' }],
    ['its time limit', bash('sleep 9', { timeout: 500 }), { how: 'timeout' }],
    ['the background', bash('sleep 0.1; false', { run_in_background: true }), { how: 'background' }],
    ['another folder', bash('cd src'), { how: 'passed' }],
    ['which the next call starts in', bash('pwd'), { how: 'passed' }],
  ];

  test('is recorded with its result; a denied call is not recorded; a subagent has its type and last line, its commands have its id [w:evidence.foreground]', async () => {
    const agent = use('Agent', {
      description: 'helper',
      prompt: 'SUBAGENT: look',
      subagent_type: 'general-purpose',
      run_in_background: false,
    });
    const { calls } = await session({
      ...place,
      turns: [
        agent,
        mcp('status'),
        ...go('test-dev'),
        ...ends.map(([, call]) => call),
        bash('rm -rf ../.claude'),
        mcp('status'),
        say('done'),
      ],
      agents: [{ prompt: 'SUBAGENT:', turns: [bash('echo looked'), say('I looked.\nPASS')] }],
    });
    const [afterAgent, atEnd] = calls.filter(({ name }) => name.endsWith('__status')).map(evidenceOf);
    expect(afterAgent.agents).toEqual([
      { id: expect.any(String), type: 'general-purpose', mode: 'idle', ended: true, last_line: 'PASS' },
    ]);
    const looked = { command: 'echo looked', agent: afterAgent.agents[0].id, how: 'passed' };
    expect(afterAgent.commands).toMatchObject([looked]);
    const [first, ...commands] = atEnd.commands;
    expect(first).toMatchObject(looked);
    expect(commands).toHaveLength(ends.length);
    ends.forEach(([name, , expected], at) => {
      expect(commands[at], name).toMatchObject({ mode: 'test-dev', agent: null, ...expected });
    });
    expect(commands.map(({ cwd }: { cwd: string }) => cwd).slice(-2)).toEqual([place.project, `${place.project}/src`]);
  });

  test('is an interruption if a person interrupts the call', async () => {
    const terminal = await startTerminal({
      ...place,
      permissionMode: 'bypassPermissions',
      turns: [bash('tail -f README.md'), say('after'), mcp('status'), say('shown')],
    });
    try {
      await submit(terminal, 'go');
      await terminal.waitFor('tail -f README.md');
      await terminal.press('Escape', 'Interrupted');
      await submit(terminal, 'on');
      await terminal.waitFor('● after');
      await submit(terminal, 'status');
      await terminal.waitFor('● shown');
      const [last] =
        JSON.stringify(terminal.requests.at(-1)!.messages).match(
          /\\"command\\\\*": \\*"tail -f README.md.*?how\\*": \\*"(\w+)/,
        ) ?? [];
      expect(last).toMatch(/interrupted$/);
    } finally {
      await terminal.stop();
    }
  });
});
