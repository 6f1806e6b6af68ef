// Which asks give a rule, and that no rule lets through more than what was approved.
import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Configured } from '../../../src/app/dry-run.ts';
import type { Again } from '../../../src/app/log/replay.ts';
import { type Candidate, sortAsks, type Withheld } from '../../../src/app/log/suggest.ts';
import type { ToolCall } from '../../../src/model/facts.ts';
import type { LogEvent } from '../../../src/store/log/event.ts';
import { callOf } from '../../support/call.ts';
import { type Lists, logged, withLists } from '../../support/logged-calls.ts';
import { builtPlugin } from '../../support/plugin.ts';
import type { Project } from '../../support/project.ts';

beforeAll(async () => void (await builtPlugin()), 120_000);

const file = (project: Project, name: string) => (path.isAbsolute(name) ? name : path.join(project.root, name));
/** A call as `Tool` and its main argument. */
const made = (project: Project, tool: string, about: string, more: object = {}): ToolCall =>
  tool === 'Bash'
    ? callOf(tool, { command: about, ...more }, project.root)
    : callOf(tool, { file_path: file(project, about), ...more }, project.root);

interface Asked {
  policy: Configured;
  project: Project;
  events: LogEvent[];
  min?: number;
  isApproved?: (event: LogEvent) => boolean;
}
function sorted({ policy, project, events, min = 1, isApproved = () => true }: Asked) {
  const decide = ({ call, mode, state }: Again) => policy.decide(call, mode, { state });
  return sortAsks(events, { isApproved, decide, root: project.root, min });
}
const lines = (candidates: readonly Candidate[]) => candidates.map(({ line }) => line);

describe('one call', () => {
  const ask: Lists = { default: 'ask' };
  const rows: [string, Lists, string, string, object, string | { why: Withheld }][] = [
    ['a command', ask, 'Bash', 'npm run lint', {}, 'Bash(npm run lint)'],
    ['one that is not known', ask, 'Bash', './tool --all', {}, 'Bash(./tool --all)'],
    ['one that may write', { deny: ['Write(src/**)'] }, 'Bash', 'make docs', {}, 'Bash(make docs)'],
    ['a file that is written', ask, 'Write', 'src/a.ts', { content: 'x' }, 'Write(/src/a.ts)'],
    ['a file that is edited', ask, 'Edit', 'src/a.ts', { old_string: 'a', new_string: 'b' }, 'Write(/src/a.ts)'],
    ['a file that is read', ask, 'Read', 'docs/b c.md', {}, 'Read(/docs/b c.md)'],
    ['two commands', ask, 'Bash', 'npm run lint && npm test', {}, { why: 'wide' }],
    ['a command that writes', ask, 'Bash', 'sort a > b', {}, { why: 'wide' }],
    ['a command with a star', ask, 'Bash', 'make *', {}, { why: 'wide' }],
    ['a command with a value of later', ask, 'Bash', 'make $TARGET', {}, { why: 'wide' }],
    ['a command in a wrapper', ask, 'Bash', 'timeout 5 make', {}, { why: 'wide' }],
    ['a command with a variable', ask, 'Bash', 'CI=1 make', {}, { why: 'wide' }],
    ['a command outside the sandbox', ask, 'Bash', 'make', { dangerouslyDisableSandbox: true }, { why: 'wide' }],
    ['a parameter that is not known', ask, 'Read', 'a.md', { later: 1 }, { why: 'wide' }],
    ['a path that a pattern cannot say', ask, 'Write', 'src/[id].ts', { content: '' }, { why: 'wide' }],
    ['a page', ask, 'WebFetch', 'https://example.org/a', {}, { why: 'wide' }],
    ['a file that is not there', ask, 'Write', 'gone.ts', { content: '' }, { why: 'gone' }],
    ['a file outside', ask, 'Read', '/etc/hosts', {}, { why: 'wide' }],
    ['a rule that asks', { ask: ['Bash(git push:*)'] }, 'Bash', 'git push', {}, { why: 'rule' }],
    ['a protected file', ask, 'Write', 'CLAUDE.md', { content: '' }, { why: 'protection' }],
    ['a protected folder', {}, 'Write', '.claude/agents/a.md', { content: '' }, { why: 'protection' }],
    ['a secret', ask, 'Bash', 'deploy --password hunter2hunter2', {}, { why: 'lost' }],
  ];
  test.each(rows)('%s', async (_, lists, tool, about, more, expected) => {
    const { project, policy } = await withLists(lists);
    if (/^(src|docs)/.test(about)) project.put(about, '');
    const call = tool === 'WebFetch' ? callOf(tool, { url: about, prompt: 'x' }, project.root) : made(project, tool, about, more);
    const event = logged(policy, call);
    expect(event.result.decision).toBe('ask');
    const { candidates, without } = sorted({ policy, project, events: [event] });
    expect(without[0] === undefined ? lines(candidates)[0] : { why: without[0].why }).toEqual(expected);
  });

  test('in another folder than the root', async () => {
    const { project, policy } = await withLists({ default: 'ask' });
    const event = logged(policy, { ...made(project, 'Bash', 'make'), cwd: path.dirname(project.put('sub/a', '')) });
    expect(sorted({ policy, project, events: [event] }).without.map(({ why }) => why)).toEqual(['folder']);
  });

  test('that the present modes already decide, or that touches another path now', async () => {
    const { project, policy } = await withLists({ default: 'ask' });
    const event = logged(policy, made(project, 'Bash', 'make'));
    const { policy: open } = await withLists({ default: 'ask', allow: ['Bash(make)'] }, project);
    expect(sorted({ policy: open, project, events: [event] }).without[0]?.why).toBe('settled');
    const moved = { ...event, input: { ...event.input, reads: [], writes: [{ path: 'a', real: 'b' }] } } as LogEvent;
    expect(sorted({ policy, project, events: [moved] }).without[0]?.why).toBe('lost');
  });
});

describe('several', () => {
  test('count together by the rule; fewer than --min, or one that was not approved, give none', async () => {
    const { project, policy } = await withLists({ default: 'ask' });
    const events = ['make', 'make', 'make', 'lint', 'lint', 'test', 'test', 'test'].map((command) =>
      logged(policy, made(project, 'Bash', command)),
    );
    const refused = events.at(-1);
    const { candidates, without } = sorted({ policy, project, events, min: 3, isApproved: (event) => event !== refused });
    expect(candidates.map(({ line, asks }) => [line, asks.length])).toEqual([['Bash(make)', 3]]);
    expect(without.map(({ why }) => why).sort()).toEqual(['few', 'few', 'refused', 'refused', 'refused']);
  });
});

const isFile = (name: string) => fs.existsSync(name) && fs.statSync(name).isFile();
const isBelowFile = (name: string): boolean => name !== '/' && (isFile(path.dirname(name)) || isBelowFile(path.dirname(name)));
/** Makes a file, unless a folder or a file is in the way. */
function putIfFree(project: Project, name: string): void {
  const parents = name.split('/').map((_, at, parts) => file(project, parts.slice(0, at + 1).join('/')));
  const isBlocked = parents.slice(0, -1).some(isFile) || fs.existsSync(parents.at(-1)!);
  if (!isBlocked) project.put(name, '');
}

describe('a rule allows nothing that was not approved', () => {
  /** What a call does, however it is written: simple commands by their words, files by whether they are written. */
  const doneBy = ({ facts }: ReturnType<Configured['decide']>): string[] => {
    const written = (facts?.writes ?? []).map(({ real }) => `write ${real}`);
    if (facts?.bash) return [...written, ...facts.bash.commands.map(({ argv }) => JSON.stringify(argv))];
    return [...written, ...(facts?.reads ?? []).filter(({ implied }) => !implied).map(({ real }) => `read ${real}`)];
  };
  const words = fc.constantFrom('make', 'npm', 'run', 'lint', 'test', './tool', '--all', '-x', 'a.txt', 'src', "'a b'", 'push');
  const commands = fc.array(words, { minLength: 1, maxLength: 4 }).map((all) => all.join(' '));
  const names = fc.constantFrom('a', 'b.ts', 'src', 'c d.md', '.env', 'x-y');
  const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((all) => all.join('/'));
  const calls = fc.oneof(
    commands.map((about) => ['Bash', about] as const),
    fc.tuple(fc.constantFrom('Read', 'Write', 'Edit'), paths),
  );
  const near: ((text: string, other: string) => string)[] = [
    (text) => text,
    (text) => `${text} `,
    (text) => text.replace(' ', '  '),
    (text, other) => `${text} ${other}`,
    (text, other) => `${other} ${text}`,
    (text, other) => `${text} && ${other}`,
    (text, other) => `${text}; ${other}`,
    (text, other) => `${text} | ${other}`,
    (text) => `${text} > out.txt`,
    (text) => `cd sub && ${text}`,
    (text) => `X=1 ${text}`,
    (text) => `sudo ${text}`,
    (text) => `sh -c "${text}"`,
    (text) => `$(${text})`,
    (text) => text.toUpperCase(),
    (text) => text.slice(0, -1),
    (text) => `${text}x`,
    (text) => `${text}/x`,
    (text) => `${text}/../x`,
    (text) => `./${text}`,
    (text) => `sub/${text}`,
    (text) => `../${text}`,
    (text) => text.replace(/[^/ ]+$/, '*'),
    (text) => path.dirname(text),
    (_, other) => other,
  ];

  test('several rules together do not either', { timeout: 120_000 }, async () => {
    const { project, policy } = await withLists({ default: 'ask' });
    await fc.assert(
      fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 4 }), calls, async (approved, [, other]) => {
        const asked = approved
          .map(([tool, about]) => made(project, tool, about, tool === 'Edit' ? { old_string: 'a', new_string: 'b' } : {}))
          .map((call) => (call.tool === 'Write' ? { ...call, input: { ...call.input, content: '' } } : call));
        for (const [tool, about] of approved) if (tool !== 'Bash') putIfFree(project, about);
        const events = asked.map((call) => logged(policy, call)).filter(({ result }) => result.decision === 'ask');
        const { candidates } = sorted({ policy, project, events });
        const meant = new Set(
          candidates.flatMap(({ asks }) => asks.flatMap(({ again }) => doneBy(policy.decide(again.call, null)))),
        );
        const { policy: open } = await withLists({ default: 'ask', allow: lines(candidates) }, project);
        for (const { asks } of candidates)
          for (const { again } of asks) expect(open.decide(again.call, null).decision).toBe('allow');
        for (const [tool, about] of approved)
          for (const change of near) {
            for (const other_tool of tool === 'Bash' ? ['Bash'] : ['Read', 'Write', 'Edit', 'Bash']) {
              const text = change(about, other);
              // The disk holds nothing below a file.
              if (tool !== 'Bash' && isBelowFile(file(project, text))) continue;
              const call = made(project, other_tool, other_tool === 'Bash' && tool !== 'Bash' ? `cat ${text}` : text);
              const found = open.decide(call, null);
              if (found.decision === 'allow')
                expect(
                  doneBy(found).filter((one) => !meant.has(one)),
                  `${call.tool} ${text}`,
                ).toEqual([]);
            }
          }
      }),
      { numRuns: 40 },
    );
    await withLists({ default: 'ask' }, project);
  });
});
