// Presets whose work is done by others: Roo's modes, subagents, delegates of an MCP server; and how a project gets a preset.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { pluginFolder, SYSTEM_PATH, session } from './client.ts';
import { dataFolder } from './mode.ts';
import { type Block, say, use } from './model.ts';
import { openPane, type Pane } from './pane.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';
import { expected, presetProject, run, type Step, seen, start, to, write } from './steps.ts';
import { accept, startTerminal, submit, type Terminal } from './terminal.ts';
import { differences, readTree } from './tree.ts';

// A session of many calls, or a terminal: more than the usual limit on a machine that is busy.
vi.setConfig({ testTimeout: 150_000 });
/** Milliseconds for what a terminal shows after work of the server. */
const patient = 60_000;

let place: Place;
let terminal: Terminal | undefined;
let pane: Pane | undefined;
afterEach(async () => {
  await terminal?.stop();
  pane?.close();
  [terminal, pane] = [undefined, undefined];
  place.remove();
});

/** A project with the preset, as a person has approved it. */
function trusted(...asked: Parameters<typeof presetProject>): Place {
  const made = presetProject(...asked);
  recordTrust(dataFolder(made.home), made.project, loadConfiguration(made.project).hash, 'terminal', new Date());
  return made;
}

/** What a subagent tries, in order, and what it says last. */
interface Helper {
  type: string;
  steps: Step[];
  says: string;
}

/** Plays the steps of the session; a helper is started by the step that names it. */
async function play(steps: (Step | Helper)[], more: { args?: string[]; env?: Record<string, string> } = {}): Promise<void> {
  const helpers = steps.filter((step): step is Helper => 'type' in step);
  const asked = (helper: Helper) => `HELPER-${helpers.indexOf(helper)}:`;
  const flat = steps.map((step): Step => ('type' in step ? [start(step.type, asked(step)), true] : step));
  const { calls } = await session({
    ...place,
    turns: flat.map(([turn]) => turn(place)),
    agents: helpers.map((helper) => ({
      prompt: asked(helper),
      turns: [...helper.steps.map(([turn]) => turn(place)), say(helper.says)],
    })),
    limit: 120_000,
    ...more,
  });
  const own = calls.filter(({ parent }) => parent === null);
  expect(seen(own, flat)).toEqual(expected(own, flat));
  const started = own.filter((_, at) => 'type' in (steps[at] as object));
  for (const [at, { type, steps: theirs }] of helpers.entries()) {
    const inner = calls.filter(({ parent }) => parent === started[at]?.id);
    expect([type, seen(inner, theirs)]).toEqual([type, expected(inner, theirs)]);
  }
}

const mended = 'exports.sum = (a, b) => a + b;\n';
const passing = `require('node:test').test('sum', () => require('node:assert').equal(require('../src/sum.js').sum(1, 2), 3));\n`;

test('agents: each subagent does its part, the session only delegates, and the gates require each to have ended with PASS', async () => {
  place = trusted('agents', { mode: 'implement' });
  await play([
    [write('src/sum.js', mended), 'refused'],
    [run('npm test'), 'refused'],
    [to('test'), ['changed', 'agent']],
    {
      type: 'implementer',
      steps: [
        [write('.plan/sum.md'), 'refused'],
        [write('src/sum.js', mended), true],
        [write('test/sum.test.js', passing), true],
        [run('npm test'), true],
      ],
      says: 'Both steps are done.\n\nPASS',
    },
    [to('test'), true],
    {
      type: 'tester',
      steps: [
        [write('src/sum.js'), 'refused'],
        [run('echo x > src/sum.js'), 'refused'],
        [run('npm test'), true],
      ],
      says: 'PASS',
    },
    [to('learn'), true],
    {
      type: 'learner',
      steps: [
        [write('src/sum.js'), 'refused'],
        [run('ls'), 'refused'],
        [write('.ai-knowledge/patterns.md'), true],
      ],
      says: 'FAIL',
    },
    [to('plan'), ['agent']],
    { type: 'learner', steps: [], says: 'PASS' },
    [to('plan'), true],
    {
      type: 'planner',
      steps: [
        [write('src/sum.js'), 'refused'],
        [write('.plan/next.md'), true],
      ],
      says: 'PASS',
    },
    [to('implement'), ['approve']],
  ]);
  expect(place.read('src/sum.js')).toBe(mended);
});

describe('roo', () => {
  test('the orchestrator delegates to specialists, each with its mode; ask and architect are always open', async () => {
    place = trusted('roo', { mode: 'orchestrator' });
    await play([
      [write('src/sum.js'), 'refused'],
      [run('echo x > src/sum.js'), 'refused'],
      [run('git log --oneline'), true],
      [start('general-purpose', 'HELPER-X:'), 'refused'],
      {
        type: 'code',
        steps: [
          [write('src/sum.js', mended), true],
          [start('general-purpose', 'HELPER-X:'), 'refused'],
        ],
        says: 'done',
      },
      {
        type: 'architect',
        steps: [
          [write('src/sum.js'), 'refused'],
          [write('plans/sum.md'), true],
        ],
        says: 'done',
      },
      {
        type: 'test',
        steps: [
          [write('src/sum.js'), 'refused'],
          [write('test/sum.test.js', passing), true],
        ],
        says: 'done',
      },
      { type: 'ask', steps: [[write('notes.md'), 'refused']], says: 'done' },
      [to('code'), ['approve']],
      [to('ask'), true],
      [write('notes.md'), 'refused'],
      [to('debug'), ['approve']],
      [to('architect'), true],
      [run('ls'), 'refused'],
      [write('src/sum.js'), 'refused'],
      [to('code'), ['approve', 'changed']],
      [write('plans/sum.md', 'again\n'), true],
      [to('code'), ['approve']],
    ]);
    expect(place.read('src/sum.js')).toBe(mended);
  });

  test('the mode writer drafts; a person sees the difference, applies it, and can restore the previous files', async () => {
    place = trusted('roo', { mode: 'mode-writer' });
    const before = place.read('.claude/settings.ask.json') as string;
    const drafted = before.replace('"Read(**)"', '"Read(**)",\n      "WebFetch(domain:example.org)"');
    const turns = [
      write('.claude/settings.ask.json', drafted)(place),
      write('src/sum.js')(place),
      write('modes-draft/settings.ask.json', '{"permissions": {"allow": ["Raed(**)"]}}')(place),
      say('drafted'),
      use('Edit', {
        file_path: path.join(place.project, 'modes-draft/settings.ask.json'),
        old_string: 'Raed',
        new_string: 'Read',
      }),
      write('modes-draft/settings.ask.json', drafted)(place),
      say('mended'),
    ];
    terminal = await startTerminal({ ...place, turns, permissionMode: 'bypassPermissions' });
    await submit(terminal, 'draft');
    await terminal.waitFor('● drafted', patient);
    expect([place.read('.claude/settings.ask.json'), place.exists('src/sum.js')]).toEqual([before, false]);
    await submit(terminal, '/modes:apply');
    expect(await terminal.waitFor('A broken draft cannot be applied', patient)).toContain('Did you mean Read');
    await submit(terminal, 'mend');
    await terminal.waitFor('● mended', patient);
    await submit(terminal, '/modes:apply');
    const shown = await terminal.waitFor(/\/modes:apply [0-9a-f]{12}/, patient);
    expect(shown).toContain('+ .claude/settings.ask.json: allow WebFetch(domain:example.org)');
    await submit(terminal, /\/modes:apply [0-9a-f]{12}/.exec(shown)?.[0] as string);
    expect((await agree(terminal)).answer).toMatch(/Adopted and trusted/);
    expect(place.read('.claude/settings.ask.json')).toBe(drafted);
    expect(place.read('.claude/settings.ask.json.before-modes')).toBe(before);
  });
});

test('delegates: the files and commands of each delegate are limited to its purpose', async () => {
  place = trusted('delegates', { files: { '.env': 'TOKEN=1\n', 'test/sum.test.js': passing, 'src/sum.js': mended } });
  const server = fileURLToPath(new URL('modagent.mjs', import.meta.url));
  const config = path.join(place.root, 'mcp.json');
  fs.writeFileSync(config, JSON.stringify({ mcpServers: { modagent: { command: process.execPath, args: [server] } } }));
  const ask = (tool: string, input: Record<string, unknown>) => (): Block[] => use(`mcp__modagent__${tool}`, input);
  const prompt = 'what is it';
  await play(
    [
      [ask('junior-r', { prompt, filepaths: [path.join(place.project, 'src/sum.js')] }), true],
      [ask('junior-r', { prompt, filepaths: [path.join(place.project, '.env')] }), 'refused'],
      [ask('junior-r', { prompt, filepaths: ['/etc/hosts'] }), 'refused'],
      [ask('junior-r', { prompt, bash_cmd: 'git log --oneline' }), true],
      [ask('junior-r', { prompt, bash_cmd: 'cat .env' }), 'refused'],
      [ask('junior-r', { prompt, bash_cmd: 'echo x > src/sum.js' }), 'refused'],
      [ask('junior-r', { prompt, bash_cmd: 'npm test' }), 'refused'],
      [ask('junior-r', { prompt, role: 'junior-rwx' }), 'refused'],
      [ask('logworm', { bash_cmd: 'npm test' }), true],
      [ask('logworm', { bash_cmd: 'npm install' }), 'refused'],
      [ask('junior-rwx', { prompt, bash_cmd: 'ls' }), 'refused'],
      [write('src/sum.js'), 'refused'],
      [to('work'), ['approve']],
    ],
    { args: ['--mcp-config', config], env: { ENABLE_TOOL_SEARCH: 'false' } },
  );
});

const DIALOG = 'requests your input';

/** Accepts the dialog; gives it, and what the screen shows after it. */
async function agree(asked: Terminal): Promise<{ dialog: string; answer: string }> {
  const dialog = await asked.waitFor(DIALOG, patient);
  await accept(asked);
  return { dialog, answer: await asked.waitFor(/Original prompt: \S+ \S/) };
}

describe('a project gets a preset', () => {
  test('by /modes:init: compares, asks, writes, and the preset applies immediately', async () => {
    place = plainProject();
    terminal = await startTerminal({ ...place, turns: [...write('src/sum.js')(place).map((block) => [block]), say('tried')] });
    await submit(terminal, '/modes:init');
    expect(await terminal.waitFor(/Original prompt: \/modes:init\s*$/m)).toMatch(
      /tdd-checked +idle, test-dev, feature-dev +2 of 3/,
    );
    await submit(terminal, '/modes:init delegates');
    const { dialog, answer } = await agree(terminal);
    expect(dialog).toContain('Set this project up with the preset delegates?');
    expect(answer).toContain('To undo it: /modes:init undo.');
    expect(terminal.requests).toEqual([]);
    expect(place.read('.claude/modes.yaml')).toContain('name: delegates');
    await submit(terminal, 'go');
    await terminal.waitFor('● tried', patient);
    expect(place.exists('src/sum.js')).toBe(false);
  });

  /** `modes init` in a terminal of its own. */
  const dialogue = (...args: string[]): Pane => {
    const command = [process.execPath, path.join(pluginFolder(), 'dist/modes.mjs'), 'init', ...args];
    pane = openPane({ command, cwd: place.project, env: { HOME: place.home, PATH: SYSTEM_PATH, TERM: 'xterm-256color' } });
    return pane;
  };

  test('by modes init: compares, shows what it writes, asks, and names the undo command', async () => {
    place = plainProject();
    const before = readTree(place.project);
    const asked = dialogue();
    await asked.waitFor('Which preset?', patient);
    asked.type('refactorign');
    asked.key('Enter');
    await asked.waitFor('Did you mean refactoring?');
    asked.type('ref');
    asked.key('Enter');
    expect(await asked.waitFor(/Write this to .*\? \[y\/N\]/)).toContain('+ .claude/modes.yaml  (from the preset refactoring)');
    expect(differences(before, readTree(place.project))).toEqual([]);
    asked.type('y');
    asked.key('Enter');
    await asked.waitFor('To undo it: modes init --undo.');
    expect(place.read('.claude/modes.yaml')).toContain('name: refactoring');
  });

  test.each([
    ['Enter at the first question', ['Enter']],
    ['the end of input', ['C-d']],
    ['an interrupt', ['C-c']],
  ])('by modes init, ended by %s: nothing is written', async (_, keys) => {
    place = plainProject();
    const before = readTree(place.project);
    const asked = dialogue();
    await asked.waitFor('Which preset?', patient);
    asked.key(...keys);
    await asked.waitFor('Nothing was changed.');
    expect(differences(before, readTree(place.project))).toEqual([]);
  });
});
