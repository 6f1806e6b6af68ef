// Other coding agents as they are installed from npm, with a scripted model: a denied write by tool and by shell, an allowed write, an
// ask without a person, a launcher that is broken, and the mode in the context.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { planHarness, writeChanges } from '../../src/adapters/harnesses/setup.ts';
import { harnesses } from '../../src/adapters/harnesses/table.ts';
import type { Harness } from '../../src/adapters/harnesses/types.ts';
import { modesHere } from '../support/command-line.ts';
import { temporaryFolder } from '../support/files.ts';
import { makeProject, type Project, run } from '../support/project.ts';
import { pluginFolder, REPOSITORY, SYSTEM_PATH, seedHome, session } from './client.ts';
import { type HarnessModel, type ModelCall, type Protocol, startHarnessModel } from './harness-model.ts';
import { go } from './mode.ts';
import { copyPlugin } from './plugin.ts';

interface Program {
  package: string;
  version: string;
  /** The program below node_modules. */
  file: string;
  protocol: Protocol;
  write(project: Project, file: string): ModelCall;
  shell(project: Project, command: string): ModelCall;
  /** Writes its settings; returns its words and variables. */
  configure(project: Project, model: HarnessModel): { words: string[]; env: Record<string, string> };
}

const programs: Readonly<Record<string, Program>> = {
  codex: {
    package: '@openai/codex',
    version: '0.171.0',
    file: '.bin/codex',
    protocol: 'responses',
    write: (_, file) => ({
      name: 'apply_patch',
      args: {},
      freeform: `*** Begin Patch\n*** Add File: ${file}\n+x\n*** End Patch`,
    }),
    // The folder of the command is known, so a relative path is.
    shell: (_, command) => ({ name: 'exec_command', args: { cmd: command, workdir: 'src', yield_time_ms: 30_000 } }),
    configure({ home, root }, { url }) {
      fs.mkdirSync(path.join(home, '.codex'));
      const provider = `[model_providers.local]\nname = "local"\nbase_url = "${url}/v1"\nwire_api = "responses"\n`;
      const head = `model = "gpt-6.2-sol"\nmodel_provider = "local"\n${provider}[projects."${root}"]\ntrust_level = "trusted"\n`;
      fs.writeFileSync(path.join(home, '.codex/config.toml'), head);
      const open = ['--dangerously-bypass-hook-trust', '--dangerously-bypass-approvals-and-sandbox'];
      return { words: ['exec', '--skip-git-repo-check', ...open, 'go'], env: {} };
    },
  },
  gemini: {
    package: '@google/gemini-cli',
    version: '0.61.0',
    file: '.bin/gemini',
    protocol: 'gemini',
    write: (_, file_path) => ({ name: 'write_file', args: { file_path, content: 'x' } }),
    shell: (_, command) => ({ name: 'run_shell_command', args: { command, dir_path: 'src', description: 'd' } }),
    configure({ home }, { url }) {
      fs.mkdirSync(path.join(home, '.gemini'));
      const settings = { security: { auth: { selectedType: 'gemini-api-key' } }, general: { disableAutoUpdate: true } };
      fs.writeFileSync(path.join(home, '.gemini/settings.json'), JSON.stringify(settings));
      const env = { GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_API_KEY: 'x', GOOGLE_GEMINI_BASE_URL: url };
      return { words: ['--yolo', '-m', 'gemini-2.5-pro', '-p', 'go'], env };
    },
  },
  copilot: {
    package: '@github/copilot',
    version: '1.0.102',
    file: '.bin/copilot',
    protocol: 'chat',
    write: ({ root }, file) => ({ name: 'create', args: { path: path.join(root, file), file_text: 'x' } }),
    shell: (_, command) => ({ name: 'bash', args: { command: `cd src && ${command}`, description: 'd' } }),
    configure({ home, root }, { url }) {
      fs.mkdirSync(path.join(home, '.copilot'));
      fs.writeFileSync(path.join(home, '.copilot/config.json'), JSON.stringify({ trusted_folders: [root], banner: 'never' }));
      const provider = { COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_API_KEY: 'x', COPILOT_PROVIDER_TYPE: 'openai' };
      const env = { ...provider, COPILOT_OFFLINE: 'true', COPILOT_MODEL: 'gpt-5', GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS: '1' };
      return { words: ['-p', 'go', '--allow-all-tools'], env };
    },
  },
  opencode: {
    package: 'opencode-ai',
    version: '1.18.33',
    file: '.bin/opencode',
    protocol: 'chat',
    write: ({ root }, file) => ({ name: 'write', args: { filePath: path.join(root, file), content: 'x' } }),
    shell: ({ root }, command) => ({ name: 'bash', args: { command, workdir: path.join(root, 'src'), description: 'd' } }),
    configure({ home }, { url }) {
      const local = {
        npm: '@ai-sdk/openai-compatible',
        options: { baseURL: `${url}/v1`, apiKey: 'x' },
        models: { m: { name: 'm' } },
      };
      const settings = { provider: { local }, model: 'local/m', small_model: 'local/m', autoupdate: false, share: 'disabled' };
      fs.mkdirSync(path.join(home, '.config/opencode'), { recursive: true });
      fs.writeFileSync(path.join(home, '.config/opencode/opencode.json'), JSON.stringify(settings));
      return { words: ['run', 'go'], env: { OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' } };
    },
  },
};

/** The program; installs it once at its pinned version. */
function install({ package: name, version, file }: Program): string {
  const folder = path.join(REPOSITORY, '.cache/harnesses', `${name.replace('/', '-')}-${version}`);
  const program = path.join(folder, 'node_modules', file);
  if (fs.existsSync(program)) return program;
  const fresh = `${folder}.${process.pid}`;
  fs.mkdirSync(fresh, { recursive: true });
  fs.writeFileSync(path.join(fresh, 'package.json'), '{"private":true}\n');
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], {
    cwd: fresh,
    encoding: 'utf8',
    timeout: 300_000,
  });
  if (npm.status !== 0) throw new Error(`cannot install ${name} from npm: ${npm.error?.message ?? npm.stderr}`);
  fs.renameSync(fresh, folder);
  return program;
}

/** A project in which src/ is closed and ask.txt asks, with the hooks of this harness. */
function governed(harness: Harness, launcher: string): Project {
  const project = makeProject({ example: null });
  const modes = '{one: {transitions: [{to: two, constraint: it is time}]}, two: {}}';
  project.put('.claude/modes.yaml', `name: ruled\ndefault: one\nmodes: ${modes}\n`);
  project.put('.claude/settings.one.json', '{"permissions":{"deny":["Write(src/**)"],"ask":["Write(ask.txt)"]}}');
  project.put('.claude/settings.two.json', '{"permissions":{"deny":["Write(docs/**)"]}}');
  fs.mkdirSync(path.join(project.root, 'src'));
  project.trust();
  spawnSync('git', ['init', '-q', project.root]);
  register(project, harness, launcher);
  return project;
}

function register(project: Project, harness: Harness, launcher: string): void {
  const plan = planHarness({ root: project.root, harness, launcher, undo: false, dataFolder: project.data });
  if ('error' in plan) throw new Error(plan.error);
  writeChanges(project.root, plan);
}

/** Runs the agent with these calls of the model. Returns what the model was told, as one text. */
async function play(program: Program, project: Project, script: readonly ModelCall[]): Promise<string> {
  const model = await startHarnessModel(program.protocol, script);
  try {
    const { words, env } = program.configure(project, model);
    await run(install(program), words, {
      cwd: project.root,
      env: { HOME: project.home, PATH: SYSTEM_PATH, LANG: 'C.UTF-8', ...env },
      timeout: 100_000,
    });
    return model.requests.join('\n');
  } finally {
    await model.close();
  }
}

const launcher = (): string => path.join(pluginFolder(), 'hooks/harness.sh');

describe.each(Object.entries(programs))('%s', (name, program) => {
  const harness = harnesses.get(name) as Harness;
  const exists = (project: Project, file: string): boolean => fs.existsSync(path.join(project.root, file));

  test('asks Modes before every call', async () => {
    const project = governed(harness, launcher());
    const told = await play(program, project, [
      program.shell(project, 'echo x > by-shell.js'),
      program.write(project, 'src/by-tool.js'),
      program.write(project, 'ask.txt'),
      program.write(project, 'open.txt'),
    ]);
    const files = ['src/by-shell.js', 'src/by-tool.js', 'ask.txt', 'open.txt'];
    expect(files.filter((file) => exists(project, file))).toEqual(['open.txt']);
    expect(told).toContain('is denied in one');
    expect(told).toContain('would change src/by-tool.js');
    expect(told).toContain('cannot ask about this call');
    expect(told).toContain(harness.needsAgentsFile ? 'modes:begin' : 'MODE: one');
  });

  test('runs exactly the call that a person grants in a terminal meanwhile', async () => {
    const project = governed(harness, launcher());
    const asked = program.write(project, 'ask.txt');
    const there = { cwd: project.root, env: { HOME: project.home, PATH: SYSTEM_PATH }, types: 'y' };
    const script = [asked, program.shell(project, 'sleep 6'), asked, program.write(project, 'src/a.js')];
    let isOver = false;
    const playing = play(program, project, script).finally(() => {
      isOver = true;
    });
    let shown = '';
    while (shown === '' && !isOver) {
      const granted = await modesHere(['grant', '--json'], there);
      if (granted.code === 0) shown = granted.err;
      else await setTimeout(300);
    }
    expect(await playing).toContain('modes grant');
    expect(shown).toContain('ask.txt');
    expect(['ask.txt', 'src/a.js'].filter((file) => exists(project, file))).toEqual(['ask.txt']);
  });

  test('runs a program that cannot change the mode, whatever process it starts', async () => {
    const project = governed(harness, launcher());
    const rules = { deny: ['Write(src/**)'], allow: ['Bash(sh ../change.sh)'] };
    project.put('.claude/settings.one.json', JSON.stringify({ permissions: rules }));
    project.trust();
    const modes = `'${process.execPath}' '${path.join(pluginFolder(), 'dist/modes.mjs')}'`;
    const change = project.put('../change', `#!/bin/sh\ncd '${project.root}' && ${modes} mode two\n`);
    fs.chmodSync(change, 0o755);
    const clean = `env -i HOME='${project.home}' PATH=/usr/bin:/bin`;
    const answers = '(sleep 3; echo y; sleep 2; echo y; sleep 2)';
    const inTerminal = `script -qec '${change}' /dev/null`;
    const ways = [`${clean} ${inTerminal}`, `${clean} setsid -w ${inTerminal}`, `setsid -f sh -c "${clean} ${inTerminal}"`];
    project.put('change.sh', `${ways.map((way) => `${answers} | ${way} &`).join('\n')}\nwait\n: >'${project.home}/done'\n`);
    await play(program, project, [program.shell(project, 'sh ../change.sh')]);
    expect(fs.existsSync(path.join(project.home, 'done'))).toBe(true);
    const { out } = await modesHere(['status', '--json'], { cwd: project.root, env: { HOME: project.home, PATH: SYSTEM_PATH } });
    expect(JSON.parse(out)).toMatchObject({ current_mode: 'one', history: [] });
  });

  test('runs no call while the check is killed, and says why', async () => {
    const plugin = copyPlugin(temporaryFolder('modes-killed-'), (folder) =>
      fs.writeFileSync(path.join(folder, 'dist/modes.mjs'), "process.kill(process.pid, 'SIGKILL');\n"),
    );
    const project = governed(harness, path.join(plugin, 'hooks/harness.sh'));
    const told = await play(program, project, [
      program.write(project, 'open.txt'),
      program.shell(project, 'echo x > by-shell.js'),
    ]);
    expect(['open.txt', 'src/by-shell.js'].filter((file) => exists(project, file))).toEqual([]);
    expect(told).toContain('E_HOOK_CHECK');
  });

  test('runs no call while the launcher is broken', async () => {
    const project = governed(harness, '/nonexistent/hooks/harness.sh');
    await play(program, project, [program.write(project, 'open.txt'), program.shell(project, 'echo x > by-shell.js')]);
    expect(['open.txt', 'src/by-shell.js'].filter((file) => exists(project, file))).toEqual([]);
  });
});

test('gemini: a path that the program reads in its own way does not open a closed file', async () => {
  const gemini = programs.gemini as Program;
  const project = governed(harnesses.get('gemini') as Harness, launcher());
  project.put('src/only.js', 'one\n');
  const edit = { name: 'replace', args: { file_path: 'only.js', instruction: 'i', old_string: 'one', new_string: 'two' } };
  const names = ['@src/at.js', 'sr%63/percent.js', 'sr\0c/nul.js'];
  const told = await play(gemini, project, [...names.map((name) => gemini.write(project, name)), edit]);
  expect(fs.readdirSync(path.join(project.root, 'src'))).toEqual(['only.js']);
  expect(project.get('src/only.js')).toBe('one\n');
  expect(told).toContain('absolute path');
});

test('codex: calls that the model makes in a script, and starts of subagents, are decided', async () => {
  const codex = programs.codex as Program;
  const project = governed(harnesses.get('codex') as Harness, launcher());
  project.put('.claude/settings.one.json', '{"permissions":{"deny":["Write(src/**)","Agent"]}}');
  const scripts = [
    'await tools.exec_command({ cmd: "echo x > by-shell.js", workdir: "src" })',
    'await tools.apply_patch("*** Begin Patch\\n*** Add File: src/by-patch.js\\n+x\\n*** End Patch")',
    'await tools.apply_patch("*** Begin Patch\\n*** Add File: open.txt\\n+x\\n*** End Patch")',
  ].map((freeform) => ({ name: 'exec', args: {}, freeform }));
  const start = { name: 'spawn_agent', namespace: 'collaboration', args: { message: 'x', task_name: 'a', fork_turns: 'none' } };
  const told = await play(codex, project, [...scripts, start]);
  expect(fs.readdirSync(path.join(project.root, 'src'))).toEqual([]);
  expect(fs.existsSync(path.join(project.root, 'open.txt'))).toBe(true);
  expect(told).toMatch(/Agent .*is denied in one/);
});

test('two harnesses and the client share the mode and the log of a project', async () => {
  const [codex, gemini] = [programs.codex as Program, programs.gemini as Program];
  const project = governed(harnesses.get('codex') as Harness, launcher());
  register(project, harnesses.get('gemini') as Harness, launcher());
  const exists = (file: string): boolean => fs.existsSync(path.join(project.root, file));
  await Promise.all([
    play(codex, project, [codex.write(project, 'src/codex.js'), codex.write(project, 'docs/codex.md')]),
    play(gemini, project, [gemini.write(project, 'src/gemini.js'), gemini.write(project, 'docs/gemini.md')]),
  ]);
  const files = ['src/codex.js', 'docs/codex.md', 'src/gemini.js', 'docs/gemini.md'];
  expect(files.filter(exists)).toEqual(['docs/codex.md', 'docs/gemini.md']);

  seedHome(project.home, [project.root]);
  const { calls } = await session({ project: project.root, home: project.home, turns: go('two') });
  expect(calls.map(({ refused }) => refused)).toEqual([false]);
  fs.rmSync(path.join(project.home, '.codex'), { recursive: true });
  await play(codex, project, [codex.write(project, 'src/later.js'), codex.write(project, 'docs/later.md')]);
  expect(['src/later.js', 'docs/later.md'].filter(exists)).toEqual(['src/later.js']);

  const { out } = await run(process.execPath, [path.join(pluginFolder(), 'dist/modes.mjs'), 'log', '--limit', '50'], {
    cwd: project.root,
    env: project.env(),
  });
  expect(out).toMatch(/codex:/);
  expect(out).toMatch(/gemini:/);
});
