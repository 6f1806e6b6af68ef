// modes completion: what fits, and the scripts in the shells themselves.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { beforeAll, describe, expect, test } from 'vitest';
import { values } from '../../../../src/adapters/cli/completion.ts';
import { shells } from '../../../../src/adapters/cli/completion-scripts.ts';
import { makeProgram } from '../../../../src/adapters/cli/program.ts';
import { afterTest } from '../../../support/cleanup.ts';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { makeProject, type Project } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const env = (project: Project, bin = path.join(plugin, 'bin')): NodeJS.ProcessEnv => ({
  HOME: project.home,
  PATH: `${bin}:${path.dirname(process.execPath)}:/usr/bin:/bin`,
  TERM: 'dumb',
});
const modes = (project: Project, ...args: string[]) => modesHere(args, { cwd: project.root, env: env(project) });

/** The kind of what fits behind `modes`, and the words without what is said of them. */
async function fitting(project: Project, ...typed: string[]): Promise<string[]> {
  const { code, out, err } = await modes(project, '__complete', '--', ...typed);
  expect([code, err]).toEqual([0, '']);
  return out
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t')[0] as string);
}

const TDD = ['idle', 'test-dev', 'feature-dev'];
const verbNames = (command: Command) =>
  command
    .createHelp()
    .visibleCommands(command)
    .map((one) => one.name());

describe('completions', () => {
  test('include every verb of the program, and every verb below one', async () => {
    const program = makeProgram();
    const policy = program.commands.find((one) => one.name() === 'policy') as Command;
    expect(await fitting(makeProject(), '')).toEqual(['words', ...verbNames(program)]);
    expect(await fitting(makeProject(), 'policy', '')).toEqual(['words', ...verbNames(policy)]);
    expect(verbNames(program)).not.toContain('__complete');
  });

  test.each<[string[], string[]]>([
    [['sta'], ['words', 'status', 'stats']],
    [['nope', ''], ['words']],
    [
      ['check', '--mode', ''],
      ['words', ...TDD],
    ],
    [
      ['check', '--mode', 't'],
      ['words', 'test-dev'],
    ],
    [
      ['check', 'Bash(git push)', '--mode', 't'],
      ['words', 'test-dev'],
    ],
    [
      ['check', '--mode=t'],
      ['words', '--mode=test-dev'],
    ],
    [['check', '--', '--mode', ''], ['words']],
    [
      ['check', '--mo'],
      ['words', '--mode'],
    ],
    [['check', '--mode', 'idle', '--mo'], ['words']],
    [
      ['log', '--decision', ''],
      ['words', 'deny', 'ask', 'allow', 'pass'],
    ],
    [
      ['log', '--tool', 'Noteb'],
      ['words', 'NotebookEdit'],
    ],
    [
      ['init', '--preset', 'tdd'],
      ['words', 'tdd', 'tdd-checked', 'tdd-words'],
    ],
    [
      ['graph', '--theme', ''],
      ['words', 'light', 'dark', 'auto'],
    ],
    [
      ['hook', ''],
      ['words', 'PreToolUse', 'SessionStart', 'SubagentStart'],
    ],
    [
      ['completion', ''],
      ['words', 'bash', 'zsh', 'fish'],
    ],
    [['replay', '--policy', ''], ['folders']],
    [['replay', '--policy=x'], ['folders']],
    [
      ['replay', '--fail-on', 'any', 'wid'],
      ['words', 'widening'],
    ],
    [
      ['replay', '--fail-on', 'any', '--since', '7'],
      ['words', '7d'],
    ],
    [['graph', '-o', ''], ['files']],
    [['policy', 'export', '-o', ''], ['folders']],
    [
      ['policy', 'coverage', '--format', ''],
      ['words', 'table', 'json', 'lcov', 'html'],
    ],
    [
      ['policy', 'build', '--target', ''],
      ['words', 'opa', 'wasm'],
    ],
    [['policy', 'test', ''], ['files']],
    [['policy', 'diff', '', ''], ['folders']],
    [
      ['trust', '--revoke', '--l'],
      ['words', '--list'],
    ],
    [
      ['status', '--nope', '--js'],
      ['words', '--json'],
    ],
    [['--vers'], ['words', '--version']],
    [
      ['help', 'policy', 'te'],
      ['words', 'test'],
    ],
  ])('of modes %j are %j', async (typed, expected) => {
    expect(await fitting(makeProject(), ...typed)).toEqual(expected);
  });

  test('are modes of the named project, or of the surrounding one', async () => {
    const here = makeProject();
    const folder = path.join(here.root, 'deep/er');
    fs.mkdirSync(folder, { recursive: true });
    expect(await fitting({ ...here, root: folder }, 'log', '--mode', '')).toEqual(['words', ...TDD]);
    expect(await fitting({ ...here, root: '/' }, 'log', '--project', here.root, '--mode', 'i')).toEqual(['words', 'idle']);
  });

  test('leave out invalid mode names, and have one line each', async () => {
    const project = makeProject();
    const hostile = ['$(touch x)', 'a b', '-x', 'a;id', 'a\\nb', '`id`', "a'b", 'a\\u001b[31m'];
    project.put(
      '.claude/modes.yaml',
      `name: x\ndefault: ok\nmodes:\n  ok: {}\n${hostile.map((name) => `  "${name}": {}\n`).join('')}`,
    );
    expect(await fitting(project, 'check', '--mode', '')).toEqual(['words', 'ok']);
  });

  test.each([
    ['no project', (project: Project) => fs.rmSync(path.join(project.root, '.claude'), { recursive: true })],
    ['no YAML', (project: Project) => void project.put('.claude/modes.yaml', '{{{')],
    [
      'a folder for modes.yaml',
      (project: Project) => {
        fs.rmSync(path.join(project.root, '.claude/modes.yaml'));
        fs.mkdirSync(path.join(project.root, '.claude/modes.yaml'));
      },
    ],
  ])('are empty and silent with %s', async (_, spoil) => {
    const project = makeProject();
    spoil(project);
    expect(await fitting(project, 'check', '--mode', '')).toEqual(['words']);
  });

  test('each list of values belongs to an existing option or argument', () => {
    const program = makeProgram();
    const all = (command: Command, verb: string[]): string[] => [
      ...command.options.flatMap(({ long }) => [`${long}`, `${verb.join(' ')} ${long}`]),
      ...command.registeredArguments.map((argument) => `${verb.join(' ')} ${argument.name()}`),
      ...command.commands.flatMap((one) => all(one, [...verb, one.name()])),
    ];
    const known = new Set(all(program, []));
    expect(Object.keys(values).filter((name) => !known.has(name))).toEqual([]);
  });
});

test('a shell without a script is wrong usage', async () => {
  expect(await modes(makeProject(), 'completion', 'tcsh')).toMatchObject({
    code: 64,
    err: expect.stringMatching(/bash, zsh, fish/),
  });
});

/** Runs a script in a shell, with a file of its own. */
function inShell(shell: string, project: Project, script: string, bin?: string): string {
  const flags: Record<string, string[]> = { bash: ['--norc', '--noprofile'], zsh: ['-f'], fish: ['--no-config'] };
  const file = project.put(`try.${shell}`, script);
  const { stdout, stderr, status } = spawnSync(shell, [...(flags[shell] as string[]), file], {
    cwd: project.root,
    env: env(project, bin),
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout;
}

/** A `modes` that answers anything with these lines. */
function answering(...lines: string[]): string {
  const bin = fs.mkdtempSync(path.join(repository, '.cache/bin-'));
  afterTest(() => fs.rmSync(bin, { recursive: true, force: true }));
  fs.writeFileSync(path.join(bin, 'answer'), `${lines.join('\n')}\n`);
  fs.writeFileSync(path.join(bin, 'modes'), `#!/bin/sh\ncat '${bin}/answer'\n`, { mode: 0o755 });
  return bin;
}
const HOSTILE = ['words', 'plain', 'two words\tsaid of it', '$(touch hit)', "it's", 'a;touch hit', '`touch hit`'];

/** How each shell tells what it would offer for a line; `words` are as typed, the last one is being typed. */
const drive: Record<string, (script: string, words: string[]) => string> = {
  bash: (script, words) => {
    const typed = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    return `source '${script}'\ncompopt() { echo "compopt $2"; }\nCOMP_WORDS=(modes ${typed})\nCOMP_CWORD=${words.length}\n_modes modes\nprintf '%s\\n' "\${COMPREPLY[@]}"\n`;
  },
  zsh: (script, words) => {
    const typed = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    return `source '${script}'\ncompadd() { print -rl -- $values }\n_files() { print -r -- files $* }\nwords=(modes ${typed})\nCURRENT=${words.length + 1}\nPREFIX=$words[CURRENT]\n_modes\ntrue\n`;
  },
  fish: (script, words) =>
    `source '${script}'\ncomplete -C '${['modes', ...words].join(' ').replaceAll('\\', '\\\\').replaceAll("'", "\\'")}' | string replace -r '\\t.*' ''\ntrue\n`,
};
const has = (shell: string): boolean => spawnSync('sh', ['-c', `command -v ${shell}`]).status === 0;

describe.each(shells.filter((shell) => shell === 'bash' || has(shell)))('%s', (shell) => {
  const scriptIn = async (project: Project): Promise<string> =>
    project.put(`completion.${shell}`, (await modes(project, 'completion', shell)).out);
  const offered = async (project: Project, words: string[], bin?: string): Promise<string[]> =>
    inShell(shell, project, (drive[shell] as (typeof drive)[string])(await scriptIn(project), words), bin)
      .split('\n')
      .filter((line) => line !== '');

  test('accepts the script', async () => {
    const project = makeProject();
    const { status, stderr } = spawnSync(shell, ['-n', await scriptIn(project)], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('offers verbs, options and modes, and inserts nothing else', async () => {
    const project = makeProject();
    expect((await offered(project, ['stat'])).sort()).toEqual(['stats', 'status']);
    expect(await offered(project, ['policy', 'cov'])).toEqual(['coverage']);
    expect(await offered(project, ['check', '--mod'])).toEqual(['--mode']);
    expect(await offered(project, ['check', '--mode', 'te'])).toEqual(['test-dev']);
    expect(await offered(project, ['check', "'Bash(git push)'", '--mode', 'te'])).toEqual(['test-dev']);
  });

  test('completes in a project whose folder has blanks', async () => {
    const project = makeProject({ name: 'two words' });
    const outside = { ...project, root: project.home };
    expect(await offered(outside, ['log', '--project', "'two words'", '--mode', 'te'])).toEqual(['test-dev']);
    expect(await offered(outside, ['log', '--project', 'two\\ words', '--mode', 'te'])).toEqual(['test-dev']);
  });

  test('runs no completion as a program', async () => {
    const project = makeProject();
    await offered(project, [''], answering(...HOSTILE));
    expect(fs.existsSync(path.join(project.root, 'hit'))).toBe(false);
  });

  test('is silent if modes fails', async () => {
    const bin = answering('words');
    fs.writeFileSync(path.join(bin, 'modes'), '#!/bin/sh\necho no >&2\nexit 1\n');
    expect(await offered(makeProject(), ['check', ''], bin)).toEqual([]);
  });
});

describe('in bash', () => {
  const replies = async (project: Project, words: string[], bin?: string): Promise<string[]> => {
    const script = project.put('completion.bash', (await modes(project, 'completion', 'bash')).out);
    return inShell('bash', project, (drive.bash as (typeof drive)[string])(script, words), bin)
      .split('\n')
      .filter((line) => line !== '');
  };

  test('an inserted value is read back as one word', async () => {
    const project = makeProject();
    const quoted = await replies(project, [''], answering(...HOSTILE));
    const script = `for word in ${quoted.join(' ')}; do printf '%s\\n' "$word"; done\n`;
    expect(inShell('bash', project, script).trimEnd().split('\n')).toEqual(HOSTILE.slice(1).map((line) => line.split('\t')[0]));
    expect(fs.existsSync(path.join(project.root, 'hit'))).toBe(false);
  });

  test('within quotes only plain words are offered', async () => {
    expect(await replies(makeProject(), ["'"], answering(...HOSTILE))).toEqual(['plain']);
    expect(await replies(makeProject(), ['check', '--mode', '"te'])).toEqual(['test-dev']);
  });

  test('an option with = is one word', async () => {
    expect(await replies(makeProject(), ['check', '--mode', '=', 'te'])).toEqual(['test-dev']);
    expect(await replies(makeProject(), ['graph', '--theme', '='])).toEqual(['light', 'dark', 'auto']);
  });

  test('files and folders are left to bash', async () => {
    expect(await replies(makeProject(), ['graph', '-o', ''])).toEqual(['compopt default']);
    expect(await replies(makeProject(), ['replay', '--policy', ''])).toEqual(['compopt dirnames']);
  });
});
