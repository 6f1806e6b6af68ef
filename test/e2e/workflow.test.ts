// The source document's verification plan, played in the real client without a person.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Call, pluginFolder, session } from './client.ts';
import { contentsBelow, dataFolder, go, viewedMode } from './mode.ts';
import { type Block, bash, mcp, say, use } from './model.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';
import { differences, readTree } from './tree.ts';
import { type Attempt, attempt, type Way, waysToChange } from './ways.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

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

describe('idle', () => {
  test('no way changes a source file [s:threat.before] [s:write.narrow] [s:write.bash]', async () => {
    const { attempts } = await attempt(place, waysToChange('src/calc.ts'));
    expect(happened(attempts)).toEqual([]);
  });

  test('no way changes a test file', async () => {
    const { attempts } = await attempt(place, waysToChange('test/calc.test.ts'));
    expect(happened(attempts)).toEqual([]);
  });

  test('reading goes on', async () => {
    const turns = [
      use('Read', { file_path: `${place.project}/src/calc.ts` }),
      bash('cat src/calc.ts | head -1'),
      bash('git status --short || ls'),
    ];
    const { calls } = await session({ ...place, turns });
    expect(calls.map(({ refused }) => refused)).toEqual([false, false, false]);
    expect(calls[1]?.result).toBe('export const first = 1;');
  });
});

describe('test-dev', () => {
  test('no way changes a source file, and the reason names a rule [s:threat.before] [s:write.narrow] [s:write.bash]', async () => {
    const { attempts } = await attempt(place, waysToChange('src/calc.ts'), {}, go('test-dev'));
    expect(happened(attempts)).toEqual([]);
    expect(attempts.find(({ name }) => name === 'Write')?.told).toContain('Write(src/**)');
    expect(attempts.find(({ name }) => name.startsWith('sed'))?.told).toMatch(/(Write|Edit)\(src\/\*\*\).*src\/calc\.ts/s);
  });

  test('the parent of src cannot be removed [s:extent.narrow]', async () => {
    const { attempts } = await attempt(
      place,
      [run(`rm -rf ${place.project}`), run('rm -rf .'), run('rm -rf ../project'), run('rm -rf *')],
      {},
      go('test-dev'),
    );
    expect(happened(attempts)).toEqual([]);
  });

  test('tests can be written, and run', async () => {
    const ways = [
      write('Write', 'test/new.test.ts'),
      run('echo x > test/other.test.ts'),
      run('sed -i s/first/second/ test/calc.test.ts'),
    ];
    const { attempts } = await attempt(place, ways, {}, go('test-dev'));
    expect(attempts.map(({ changed }) => changed)).toEqual([
      ['+test/new.test.ts'],
      ['+test/other.test.ts'],
      ['~test/calc.test.ts'],
    ]);
    const { calls } = await session({ ...place, turns: [bash('npm test')] });
    expect(calls[0]?.result).toContain('> node --test');
  });
});

describe('feature-dev', () => {
  test('sources can be changed by every tool that says what it writes', async () => {
    const names = [
      'Write',
      'Write of a new file',
      'Edit',
      'NotebookEdit',
      'sed -i s/first/edited/ src/calc.ts',
      'echo over > src/calc.ts',
      'rm src/calc.ts',
    ];
    const ways = waysToChange('src/calc.ts').filter(({ name }) => names.includes(name));
    const { attempts } = await attempt(place, ways, {}, go('test-dev', 'feature-dev'));
    expect(attempts.filter(({ changed }) => changed.length === 0)).toEqual([]);
    expect(attempts).toHaveLength(names.length);
  });

  test('no way changes a test file', async () => {
    const { attempts } = await attempt(place, waysToChange('test/calc.test.ts'), {}, go('test-dev', 'feature-dev'));
    expect(happened(attempts)).toEqual([]);
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

  test('each refusal has its own reason, and nothing changes [w:transition.shape]', async () => {
    const { calls } = await session({
      ...place,
      turns: [...refusals.map(([, input]) => mcp('transition', input)), bash('echo x > src/calc.ts')],
    });
    const answers = calls.slice(0, -1).map(json);
    expect(answers.map(({ success }) => success)).toEqual(refusals.map(() => false));
    answers.forEach(({ reason }, index) => void expect(reason, refusals[index]?.[0]).toMatch(refusals[index]![2]));
    expect(new Set(answers.map(({ reason }) => reason)).size).toBe(refusals.length);
    expect(place.read('src/calc.ts')).toBe('export const first = 1;\n');
  });

  test('the whole way: idle, test-dev, feature-dev, idle, with the history in status', async () => {
    const { calls } = await session({
      ...place,
      turns: [mcp('status'), ...go('test-dev', 'feature-dev', 'idle'), mcp('status')],
    });
    expect(json(calls[0]).current_mode).toBe('idle');
    expect(calls.slice(1, 4).map((call) => json(call).success)).toEqual([true, true, true]);
    const status = json(calls[4]);
    expect(status.current_mode).toBe('idle');
    expect(status.history.map(({ from, to }: { from: string; to: string }) => `${from} → ${to}`)).toEqual(
      expect.arrayContaining(['idle → test-dev', 'test-dev → feature-dev', 'feature-dev → idle']),
    );
    expect(viewedMode(place)).toBe('idle');
  });

  test('the mode outlives the session', async () => {
    await session({ ...place, turns: go('test-dev') });
    const { calls } = await session({ ...place, turns: [mcp('status')] });
    expect(json(calls[0]).current_mode).toBe('test-dev');
  });

  test('force_transition is refused when nobody can be asked, under bypassPermissions too [s:own.force] [s:headless.deny] [w:authority.headless]', async () => {
    const { calls } = await session({
      ...place,
      turns: [mcp('force_transition', { target: 'feature-dev', explanation: 'I want' }), mcp('status')],
    });
    expect(calls[0]?.refused).toBe(true);
    expect(json(calls[1]).current_mode).toBe('idle');
  });

  test('a typed command that widens is refused when nobody can be asked [s:threat.authority]', async () => {
    const { result, requests } = await session({ ...place, turns: [], prompt: '/modes:mode feature-dev' });
    expect(requests).toEqual([]);
    expect(result).toContain('feature-dev');
    const { calls } = await session({ ...place, turns: [mcp('status')] });
    expect(json(calls[0]).current_mode).toBe('idle');
  });

  test('the private tool is not for the model [s:own.recognised]', async () => {
    const event = {
      hook_event_name: 'UserPromptExpansion',
      command_name: 'modes:mode',
      command_args: 'feature-dev',
      command_source: 'plugin',
    };
    const { calls } = await session({ ...place, turns: [mcp('hook', event), mcp('status')] });
    expect(calls[0]?.refused).toBe(true);
    expect(json(calls[1]).current_mode).toBe('idle');
  });
});

describe('what guards the modes is closed to the model, in the most open mode too', () => {
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

  test('nothing of it happens [s:protect.claude] [s:protect.data] [s:protect.plugin] [s:protect.git] [s:protect.shell] [s:protect.real] [s:protect.client] [s:protect.cli] [s:protect.skill] [s:protect.text]', async () => {
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
