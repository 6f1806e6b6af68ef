// Plans in the real client: what the agent proposes, what a person approves, and where that leads.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { type Call, pluginFolder, session } from './client.ts';
import { dataFolder, viewedMode } from './mode.ts';
import { bash, mcp, say, type Turn, use } from './model.ts';
import type { Place } from './place.ts';
import { until } from './processes.ts';
import { plainProject } from './project.ts';
import { accept, answered, answers, drawn, startTerminal, submit, type Terminal } from './terminal.ts';

const modes = `name: daic
default: discussion
modes:
  discussion:
    transitions:
      - {to: implementation, require: [{plan: approved}]}
  implementation:
    exit_when: {plan: complete, to: discussion}
    transitions: [{to: discussion}]
`;

let place: Place;
let terminal: Terminal | undefined;
beforeEach(() => {
  place = plainProject();
  place.write('.claude/modes.yaml', modes);
  place.write('.claude/settings.discussion.json', '{"permissions": {"deny": ["@edit"]}}');
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

/** The JSON of a tool of ours; an answer that is an error arrives as plain text, the others as a list of blocks. */
const json = (call: Call | undefined) => {
  const text = call?.result ?? 'null';
  return JSON.parse(text.startsWith('[') ? (JSON.parse(text) as { text: string }[])[0]!.text : text);
};
const write = (file: string) => use('Write', { file_path: `${place.project}/${file}`, content: 'x' });
const go = (target: string) => mcp('transition', { target, explanation: 'because' });
const items = ['write a', { text: 'write b', files: ['src/b.ts'] }];

describe('the plan tools without a person', () => {
  test('propose, show and check off, but cannot approve; a subagent can only read the plan', async () => {
    const { calls, agents } = await run();
    expect(calls.map(({ refused }) => refused)).toEqual([false, false, true, false, false, false]);
    expect(json(calls[0])).toMatchObject({ success: true, plan: { approved: false } });
    expect(json(calls[2])).toMatchObject({ success: false, unmet: [{ check: 'plan: approved' }] });
    expect(json(calls[3])).toMatchObject({ plan: { done: '1 of 2, according to the agent' } });
    expect(agents.map(({ refused }) => refused)).toEqual([true, false]);
    expect(agents[0]?.result).toContain('a subagent may not change the plan');
    expect(json(calls[5])).toMatchObject({
      plan: {
        items: [
          { text: 'write a', done: true },
          { text: 'write b', done: false },
        ],
      },
    });
  });

  async function run() {
    const { calls } = await session({
      ...place,
      permissionMode: 'default',
      turns: [
        mcp('plan_propose', { title: 'A plan', items }),
        mcp('plan_status'),
        go('implementation'),
        mcp('plan_check', { item: 1 }),
        use('Agent', { description: 'look', prompt: 'AGENT look', subagent_type: 'general-purpose' }),
        mcp('plan_status'),
        say('done'),
      ],
      agents: [{ prompt: 'AGENT look', turns: [mcp('plan_propose', { items: ['mine'] }), mcp('plan_status'), say('seen')] }],
    });
    const isAgents = ({ name, input }: Call) => name.endsWith('plan_propose') && JSON.stringify(input).includes('mine');
    const at = calls.findIndex(isAgents);
    const agents = at === -1 ? [] : calls.splice(at, 2);
    return { calls, agents };
  }
});

/** Types `/modes:approve plan`, and says yes in its dialog. */
async function approve(t: Terminal): Promise<void> {
  const before = answers(t);
  await submit(t, '/modes:approve plan');
  await drawn(t);
  await accept(t);
  expect(await answered(t, before + 1)).toContain('Approved: 2 items');
}

test('with a person: an approved plan opens the mode and limits it; a changed list ends the mode and shows the difference, and a complete one ends it too', async () => {
  const results: string[] = [];
  const told =
    (text: string): Turn =>
    (request) => {
      results.push(JSON.stringify(request.messages));
      return say(text);
    };
  terminal = await startTerminal({
    ...place,
    permissionMode: 'bypassPermissions',
    rows: 100,
    turns: [
      mcp('plan_propose', { items }),
      say('proposed 1'),
      go('implementation'),
      mcp('plan_propose', { items: ['write a', 'write everything'] }),
      write('src/b.ts'),
      told('changed'),
      mcp('plan_propose', { items }),
      say('proposed 2'),
      go('implementation'),
      write('src/a.ts'),
      write('src/b.ts'),
      mcp('plan_check', { item: [1, 2] }),
      write('src/c.ts'),
      told('worked'),
    ],
  });
  await submit(terminal, 'plan it');
  await terminal.waitFor('● proposed 1');
  await approve(terminal);
  await submit(terminal, 'do it');
  await terminal.waitFor('● changed');
  expect(viewedMode(place)).toBe('discussion');
  expect(place.exists('src/b.ts')).toBe(false);
  expect(results[0]).toMatch(/− 2\. write b.*\+ 2\. write everything/s);

  await submit(terminal, 'plan it again');
  await terminal.waitFor('● proposed 2');
  await approve(terminal);
  await submit(terminal, 'do it again');
  await terminal.waitFor('● worked');
  expect(['a.ts', 'b.ts', 'c.ts'].map((name) => place.exists(`src/${name}`))).toEqual([false, true, false]);
  expect(results[1]).toContain("src/a.ts is not among the files of the plan's open items");
  await until('the view to name discussion', () => viewedMode(place) === 'discussion');
  expect(results[1]).toContain('The plan is complete: the mode is discussion now.');
});

test('a trigger shows the whole list in one dialog; accepting it approves the list and changes the mode [w:trigger.plan]', async () => {
  place.write('.claude/modes.yaml', modes.replace('{plan: approved}]', '{plan: approved}], triggers: [yert]'));
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
  const long = Array.from({ length: 14 }, (_, at) => `write part ${at + 1} of the cache`);
  terminal = await startTerminal({
    ...place,
    permissionMode: 'bypassPermissions',
    turns: [mcp('plan_propose', { items: long }), say('proposed'), write('src/b.ts'), say('worked')],
  });
  await submit(terminal, 'plan it');
  await terminal.waitFor('● proposed');
  await submit(terminal, 'yert');
  const dialog = await drawn(terminal);
  for (const [at, item] of long.entries()) expect(dialog).toContain(`[ ] ${at + 1}. ${item}`);
  await accept(terminal);
  await terminal.waitFor('● worked');
  expect(viewedMode(place)).toBe('implementation');
  expect(place.exists('src/b.ts')).toBe(true);
});

describe("the client's plan mode", () => {
  const markdown = '# A plan\n\n1. write a\n2. write b\n';
  /** The model writes its plan where the client says, asks to leave plan mode, and goes on. */
  const turns = (after: Turn[]): Turn[] => [
    (request) => {
      const [file] = /\/[^\s"`\\]*\/plans\/[^\s"`\\]*\.md/.exec(JSON.stringify(request)) ?? [];
      return use('Write', { file_path: file as string, content: markdown });
    },
    use('ExitPlanMode', { plan: markdown }),
    ...after,
  ];
  const status = async () => {
    const { calls } = await session({ ...place, turns: [mcp('plan_status'), say('done')] });
    return json(calls[0]).plan;
  };

  test('declined: there is no plan; accepted: the plan is approved and opens the mode', async () => {
    terminal = await startTerminal({
      ...place,
      permissionMode: 'plan',
      turns: [...turns([]), ...turns([go('implementation'), mcp('plan_check', { item: 1 }), say('● ended')])],
    });
    await submit(terminal, 'plan it');
    await terminal.waitFor('Would you like to proceed?');
    await terminal.press('Escape', "Rejected Claude's plan");
    expect(await status()).toBeNull();
    await submit(terminal, 'plan it again');
    await terminal.waitFor('Would you like to proceed?');
    await terminal.press('Enter', '● ended');
    expect(viewedMode(place)).toBe('implementation');
    expect(await status()).toMatchObject({ title: 'A plan', approved: true, items: [{ done: true }, { done: false }] });
  });

  test('with a hook that could approve: the plan waits for /modes:approve', async () => {
    const hook = { type: 'command', command: 'true' };
    place.write('.claude/settings.json', JSON.stringify({ hooks: { PermissionRequest: [{ hooks: [hook] }] } }));
    terminal = await startTerminal({ ...place, permissionMode: 'plan', turns: turns([go('implementation'), say('● ended')]) });
    await submit(terminal, 'plan it');
    await terminal.waitFor('Would you like to proceed?');
    await terminal.press('Enter', '● ended');
    expect(viewedMode(place) ?? 'discussion').toBe('discussion');
    expect(await status()).toMatchObject({ approved: false, items: [{ text: 'write a' }, { text: 'write b' }] });
  });

  test('a plan that its review rejects is revised', async () => {
    place.write('.claude/modes.yaml', modes.replace('{plan: approved}', '{plan: approved}, {review: grep -q tests}'));
    execFileSync('git', ['init', '-q'], { cwd: place.project });
    const told: string[] = [];
    terminal = await startTerminal({
      ...place,
      permissionMode: 'plan',
      turns: turns([
        (request) => {
          told.push(JSON.stringify(request.messages));
          return say('● ended');
        },
      ]),
    });
    await submit(terminal, 'plan it');
    await terminal.waitFor('● ended');
    expect(told[0]).toMatch(/Revise the plan; this is missing:.*review: grep -q tests/);
    expect(await status()).toBeNull();
  });
});

test("the client's tasks check off the items with their texts", async () => {
  const { calls } = await session({
    ...place,
    env: { CLAUDE_CODE_ENABLE_TODO_TOOLS: '1' },
    turns: [
      mcp('plan_propose', { items }),
      use('TaskCreate', { subject: 'write b', description: 'x' }),
      use('TaskUpdate', { taskId: '1', status: 'completed' }),
      mcp('plan_status'),
      say('done'),
    ],
  });
  expect(json(calls.at(-1)).plan).toMatchObject({ items: [{ done: false }, { text: 'write b', done: true }] });
});

test('a phrase starts a protocol with its plan, and a task limits writes to its branch', async () => {
  place.write(
    '.claude/modes.yaml',
    'name: t\ndefault: a\nprotocols:\n  creation: {triggers: ["mek:"], instructions: "On {{branch}}, for {{task}}.", plan: [ask]}\nmodes:\n  a: {}\n',
  );
  place.write('.claude/tasks/form.md', '---\nname: form\nbranch: feature/form\n---\n');
  execFileSync('git', ['init', '-q', '-b', 'feature/form'], { cwd: place.project });
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
  const told: string[] = [];
  terminal = await startTerminal({
    ...place,
    permissionMode: 'bypassPermissions',
    turns: [
      (request) => {
        told.push(JSON.stringify(request.messages));
        return write('src/on.ts');
      },
      bash('git symbolic-ref HEAD refs/heads/other'),
      write('src/off.ts'),
      bash('echo x > src/off.ts'),
      mcp('plan_check', { item: 1 }),
      mcp('plan_status'),
      (request) => {
        told.push(JSON.stringify(request.messages));
        return say('● ended');
      },
    ],
  });
  await submit(terminal, '/modes:task start form');
  await terminal.waitFor('Task: form (writes only on feature/form)');
  await submit(terminal, 'mek: a form');
  await terminal.waitFor('● ended');
  expect(told[0]).toContain('On feature/form, for form.');
  expect(place.exists('src/on.ts')).toBe(true);
  expect(place.exists('src/off.ts')).toBe(false);
  expect(told[1]).toContain('the task form uses the branch feature/form');
});

/** `/modes:trust HASH` as `/modes:trust` itself says to type it. */
async function trust(t: Terminal): Promise<string> {
  await submit(t, '/modes:trust');
  return /\/modes:trust [0-9a-f]{12}/.exec(await t.waitFor(/exactly this: \/modes:trust [0-9a-f]{12}/))?.[0] ?? '';
}

test('the preset daic: discuss, write a task, and finish one with approval', async () => {
  place.remove();
  place = plainProject({ copy: path.join(pluginFolder(), 'examples/daic') });
  const task = '---\nname: fix-form\nbranch: fix/form\n---\n';
  terminal = await startTerminal({
    ...place,
    permissionMode: 'acceptEdits',
    turns: [
      use('Write', { file_path: `${place.project}/.claude/tasks/fix-form.md`, content: task }),
      write('src/a.ts'),
      mcp('plan_check', { item: [1, 2, 3] }),
      say('● talked'),
      write('src/b.ts'),
      mcp('plan_check', { item: [1, 2, 3, 4] }),
      say('● ended'),
    ],
  });
  const yes = async (told: string) => {
    await drawn(terminal as Terminal);
    await accept(terminal as Terminal);
    await terminal?.waitFor(told);
  };
  await submit(terminal, await trust(terminal));
  await yes('Trusted:');
  await submit(terminal, 'mek: a form');
  // The client's own question about its folder.
  await terminal.waitFor('Do you want to create fix-form.md?');
  await terminal.press('Enter', '● talked');
  expect(place.read('.claude/tasks/fix-form.md')).toBe(task);
  expect(place.exists('src/a.ts')).toBe(false);
  await submit(terminal, 'finito');
  await yes('● ended');
  expect(place.exists('src/b.ts')).toBe(true);
  expect(viewedMode(place)).toBe('discussion');
});
