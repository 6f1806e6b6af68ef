// The source document's verification plan, played in the real client without a person.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Call, pluginFolder, session } from './client.ts';
import { contentsBelow, dataFolder, go, viewedMode } from './mode.ts';
import { type Block, bash, mcp, say, use } from './model.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';
import { differences, readTree } from './tree.ts';
import { type Attempt, attempt, type Way, waysToChange } from './ways.ts';

let place: Place;
/** A project for a block, and what its tests have in common: one session, of which each looks at its part. */
const inOneProject = (play: () => Promise<void> = async () => undefined) => {
  beforeAll(async () => {
    place = tddProject();
    await play();
  });
  afterAll(() => place.remove());
};

const happened = (attempts: Attempt[]) => attempts.filter(({ changed, refused }) => changed.length > 0 || !refused);
const write = (name: string, file: string): Way => ({
  name,
  call: (project) => use('Write', { file_path: `${project}/${file}`, content: 'x' }),
});
const run = (command: string): Way => ({ name: command, call: () => bash(command) });
/** The JSON of a tool of ours; an answer that is an error arrives as plain text, the others as a list of blocks. */
const json = (call: Call | undefined) => {
  const text = call?.result ?? 'null';
  return JSON.parse(text.startsWith('[') ? (JSON.parse(text) as { text: string }[])[0]!.text : text);
};

/** Tries several lists of ways in one session. @returns what became of each list. */
async function attemptAll<Name extends string>(
  lists: Record<Name, Way[]>,
  first: Block[][] = [],
): Promise<Record<Name, Attempt[]>> {
  const names = Object.keys(lists) as Name[];
  const { attempts } = await attempt(
    place,
    names.flatMap((name) => lists[name]),
    { limit: 100_000 },
    first,
  );
  return Object.fromEntries(names.map((name) => [name, attempts.splice(0, lists[name].length)])) as Record<Name, Attempt[]>;
}

describe('idle', () => {
  let tried: Record<'source' | 'test' | 'read', Attempt[]>;
  inOneProject(async () => {
    tried = await attemptAll({
      source: waysToChange('src/calc.ts'),
      test: waysToChange('test/calc.test.ts'),
      read: [
        { name: 'Read', call: (project) => use('Read', { file_path: `${project}/src/calc.ts` }) },
        run('cat src/calc.ts | head -1'),
        run('git status --short || ls'),
      ],
    });
  });

  test('no method changes a source file [s:threat.before] [s:write.narrow] [s:write.bash]', () => {
    expect(happened(tried.source)).toEqual([]);
    expect(tried.source).toHaveLength(waysToChange('src/calc.ts').length);
  });

  test('no method changes a test file', () => {
    expect(happened(tried.test)).toEqual([]);
    expect(tried.test).toHaveLength(waysToChange('test/calc.test.ts').length);
  });

  test('reads are allowed', () => {
    expect(tried.read.map(({ refused }) => refused)).toEqual([false, false, false]);
    expect(tried.read[1]?.told).toBe('export const first = 1;');
  });
});

describe('test-dev', () => {
  let tried: Record<'source' | 'parent' | 'test', Attempt[]>;
  let status: { current_mode: string };
  inOneProject(async () => {
    tried = await attemptAll(
      {
        source: waysToChange('src/calc.ts'),
        parent: [run(`rm -rf ${place.project}`), run('rm -rf .'), run('rm -rf ../project'), run('rm -rf *')],
        test: [
          write('Write', 'test/new.test.ts'),
          run('echo x > test/other.test.ts'),
          run('sed -i s/first/second/ test/calc.test.ts'),
          run('npm test'),
        ],
      },
      go('test-dev'),
    );
    const typed = await session({ ...place, turns: [], prompt: '/modes:mode feature-dev' });
    expect(typed.requests).toEqual([]);
    expect(typed.result).toContain('feature-dev');
    const { calls } = await session({ ...place, turns: [mcp('status')] });
    status = json(calls[0]);
  });

  test('no method changes a source file, and the reason names a rule [s:threat.before] [s:write.narrow] [s:write.bash]', () => {
    expect(happened(tried.source)).toEqual([]);
    expect(tried.source.find(({ name }) => name === 'Write')?.told).toContain('Write(src/**)');
    expect(tried.source.find(({ name }) => name.startsWith('sed'))?.told).toMatch(/(Write|Edit)\(src\/\*\*\).*src\/calc\.ts/s);
  });

  test('the parent of src cannot be removed [s:extent.narrow]', () => {
    expect(happened(tried.parent)).toEqual([]);
  });

  test('tests can be written, and run', () => {
    expect(tried.test.slice(0, 3).map(({ changed }) => changed)).toEqual([
      ['+test/new.test.ts'],
      ['+test/other.test.ts'],
      ['~test/calc.test.ts'],
    ]);
    expect(tried.test[3]?.told).toContain('> node --test');
  });

  test('the mode outlives the session; a typed command that adds permissions is refused without a person [s:threat.authority]', () => {
    expect(status.current_mode).toBe('test-dev');
  });
});

describe('feature-dev', () => {
  const names = [
    'Write',
    'Write of a new file',
    'Edit',
    'NotebookEdit',
    'sed -i s/first/edited/ src/calc.ts',
    'echo over > src/calc.ts',
    'rm src/calc.ts',
  ];
  let tried: Record<'source' | 'test', Attempt[]>;
  inOneProject(async () => {
    tried = await attemptAll(
      {
        source: waysToChange('src/calc.ts').filter(({ name }) => names.includes(name)),
        test: waysToChange('test/calc.test.ts'),
      },
      go('test-dev', 'feature-dev'),
    );
  });

  test('every tool with known writes can change source files', () => {
    expect(tried.source.filter(({ changed }) => changed.length === 0)).toEqual([]);
    expect(tried.source).toHaveLength(names.length);
  });

  test('no method changes a test file', () => {
    expect(happened(tried.test)).toEqual([]);
    expect(tried.test).toHaveLength(waysToChange('test/calc.test.ts').length);
  });
});

describe('transitions', () => {
  const refusals: [string, Record<string, unknown>, RegExp][] = [
    ['an empty target', { target: '', explanation: 'because' }, /target/i],
    ['an empty explanation', { target: 'test-dev', explanation: '  ' }, /explanation/i],
    ['an unknown mode', { target: 'tset-dev', explanation: 'because' }, /tset-dev/],
    ['the name of a property of every object', { target: 'constructor', explanation: 'because' }, /constructor/],
    ['the mode it is in', { target: 'idle', explanation: 'because' }, /already/i],
    ['a mode without an edge', { target: 'feature-dev', explanation: 'because' }, /feature-dev/],
  ];
  const typed = {
    hook_event_name: 'UserPromptExpansion',
    command_name: 'modes:mode',
    command_args: 'feature-dev',
    command_source: 'plugin',
  };
  let refused: Call[];
  let written: Call;
  let forced: Call[];
  let whole: Call[];
  inOneProject(async () => {
    const { calls } = await session({
      ...place,
      turns: [
        ...refusals.map(([, input]) => mcp('transition', input)),
        bash('echo x > src/calc.ts'),
        mcp('force_transition', { target: 'feature-dev', explanation: 'I want' }),
        mcp('status'),
        mcp('hook', typed),
        mcp('status'),
        ...go('test-dev', 'feature-dev', 'idle'),
        mcp('status'),
      ],
    });
    refused = calls.splice(0, refusals.length);
    [written] = calls.splice(0, 1) as [Call];
    forced = calls.splice(0, 4);
    whole = calls;
  });

  test('each refusal has its own reason, and nothing changes [w:transition.shape]', () => {
    const answers = refused.map(json);
    expect(answers.map(({ success }) => success)).toEqual(refusals.map(() => false));
    answers.forEach(({ reason }, index) => void expect(reason, refusals[index]?.[0]).toMatch(refusals[index]![2]));
    expect(new Set(answers.map(({ reason }) => reason)).size).toBe(refusals.length);
    expect(written.refused).toBe(true);
    expect(place.read('src/calc.ts')).toBe('export const first = 1;\n');
  });

  test('force_transition is refused without a person, under bypassPermissions too [s:own.force] [s:headless.deny] [w:authority.headless]', () => {
    expect(forced[0]?.refused).toBe(true);
    expect(json(forced[1]).current_mode).toBe('idle');
  });

  test('the model cannot use the private tool [s:own.recognised]', () => {
    expect(forced[2]?.refused).toBe(true);
    expect(json(forced[3]).current_mode).toBe('idle');
  });

  test('the whole cycle: idle, test-dev, feature-dev, idle, with the history in status', () => {
    expect(whole.slice(0, 3).map((call) => json(call).success)).toEqual([true, true, true]);
    const status = json(whole[3]);
    expect(status.current_mode).toBe('idle');
    expect(status.history.map(({ from, to }: { from: string; to: string }) => `${from} → ${to}`)).toEqual(
      expect.arrayContaining(['idle → test-dev', 'test-dev → feature-dev', 'feature-dev → idle']),
    );
    expect(viewedMode(place)).toBe('idle');
  });
});

describe('the model cannot change the files that protect the modes, even in the least restricted mode', () => {
  inOneProject();

  const calls: [string, (where: Place) => Block[]][] = [
    [
      'the mode file by Write',
      ({ project }) => use('Write', { file_path: `${project}/.claude/modes.yaml`, content: 'name: free' }),
    ],
    [
      'a permission file by Write',
      ({ project }) => use('Write', { file_path: `${project}/.claude/settings.feature-dev.json`, content: '{}' }),
    ],
    [
      'settings of the client',
      ({ project }) => use('Write', { file_path: `${project}/.claude/settings.local.json`, content: '{"disableAllHooks":true}' }),
    ],
    ['the view', () => bash(`echo '{"currentMode":"idle"}' > .claude/mode-state.json`)],
    ['the socket', () => bash('rm -f .claude/mode.sock')],
    ['the whole folder', () => bash('rm -rf .claude')],
    ['through a link', () => bash('ln -s .claude there && rm -rf there/settings.feature-dev.json')],
    ['by another name of it', () => bash('cd src && mv ../.claude ../claude')],
    ['the journal', ({ home }) => bash(`rm -rf ${home}/.claude/modes-data`)],
    ['a record of trust', ({ home }) => use('Write', { file_path: `${home}/.claude/modes-data/trust/x`, content: 'x' })],
    ['the plugin', () => bash(`rm ${pluginFolder()}/hooks/client.sh`)],
    ['a hook of git', () => bash('mkdir -p .git/hooks && echo "rm -rf test" > .git/hooks/pre-commit')],
    ['a start file of the shell', () => bash('echo "exit 0" >> ~/.bashrc')],
    ['a typed command, as a skill', () => use('Skill', { skill: 'modes:mode', args: 'idle' })],
    ['a typed command, scheduled', () => use('CronCreate', { cron: '* * * * *', prompt: '/modes:mode idle', recurring: false })],
    ['a typed command, in a client of its own', () => bash("claude -p '/modes:mode idle'")],
    ['a client by its package', () => bash("npx @anthropic-ai/claude-code -p '/modes:mode idle'")],
    ['trust, on the command line', () => bash(`${pluginFolder()}/bin/modes trust`)],
    [
      'the private tool',
      () => mcp('hook', { hook_event_name: 'UserPromptExpansion', command_name: 'modes:mode', command_args: 'idle' }),
    ],
  ];

  test('every attempt is denied [s:protect.claude] [s:protect.data] [s:protect.plugin] [s:protect.git] [s:protect.shell] [s:protect.real] [s:protect.client] [s:protect.cli] [s:protect.skill] [s:protect.text]', async () => {
    const ways = calls.map(([name, call]): Way => ({ name, call: () => call(place) }));
    const before = readTree(pluginFolder());
    const { attempts } = await attempt(place, ways, {}, go('test-dev', 'feature-dev'));
    expect(happened(attempts)).toEqual([]);
    expect(viewedMode(place)).toBe('feature-dev');
    expect(contentsBelow(dataFolder(place.home))).toContain('feature-dev');
    expect(differences(before, readTree(pluginFolder()))).toEqual([]);
  });
});

describe('a subagent', () => {
  inOneProject();

  const agent = use('Agent', {
    description: 'helper',
    prompt: 'SUBAGENT: change the source',
    subagent_type: 'general-purpose',
    run_in_background: false,
  });

  test('obeys the mode of its parent and cannot change it [s:own.transition] [w:subagent.mode] [w:subagent.never]', async () => {
    const turns = [
      bash('echo agent > src/calc.ts'),
      use('Write', { file_path: `${place.project}/src/new.ts`, content: 'agent' }),
      ...go('feature-dev'),
      bash('echo agent > test/agent.test.ts'),
      say('I tried'),
    ];
    const { calls } = await session({
      ...place,
      turns: [...go('test-dev'), agent, mcp('status'), say('done')],
      agents: [{ prompt: 'SUBAGENT:', turns }],
    });
    const inside = calls.filter(({ parent }) => parent !== null);
    expect(inside.map(({ name, refused }) => [name, refused])).toEqual([
      ['Bash', true],
      ['Write', true],
      ['mcp__plugin_modes_modes__transition', true],
      ['Bash', false],
    ]);
    expect(place.read('src/calc.ts')).toBe('export const first = 1;\n');
    expect(place.exists('src/new.ts')).toBe(false);
    expect(place.read('test/agent.test.ts')).toBe('agent\n');
    expect(json(calls.find(({ name }) => name.endsWith('__status'))).current_mode).toBe('test-dev');
  });
});
