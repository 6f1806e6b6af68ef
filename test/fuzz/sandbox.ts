// A folder in which generated commands are run for real: a governed project that is a git repository, a worktree of it and a home.
// Where the system lets us, they run in namespaces of their own: no network, and nothing but the folder can be written.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfiguration } from '../../src/config/load.ts';
import { prepare } from '../../src/engine/prepare.ts';
import { dataFolderOf } from '../../src/facts/paths/place.ts';
import type { Decision } from '../../src/model/decision.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { nobody, openProject, type Project } from '../../src/workflow/project.ts';
import { eventOf } from '../bench/fixture.ts';

/** Names below the folder with what they are: kind, mode, content or target of a link. */
export type Picture = ReadonlyMap<string, string>;

interface Contents {
  /** Below the project: text of a file, or `-> target`. */
  files: Record<string, string>;
  folders?: readonly string[];
  /** `permissions` of the one mode. */
  permissions: object;
}

const SEARCH = '/usr/local/bin:/usr/bin:/bin';
const SECONDS = 5;
/** Reads a folder on each line, runs the text in the command file there, and says so. `kill` ends all that goes on in the background. */
const RUNNER = `
control=$1
while IFS= read -r folder; do
  if [ "$folder" = kill ]; then kill -9 -1 2>/dev/null
  else
    (cd "$folder" && exec env -i PATH=${SEARCH} HOME="$2" LC_ALL=C GIT_CONFIG_NOSYSTEM=1 \\
      timeout -k 1 ${SECONDS} bash -c 'eval "$(<"$0/command")"; pwd -P >| "$0/folder"' "$control") </dev/null >/dev/null 2>&1
  fi
  echo done
done
`;

export class Sandbox {
  readonly base: string;
  readonly root: string;
  readonly tree: string;
  readonly home: string;
  readonly isIsolated: boolean;
  private readonly pristine: string;
  private readonly control: string;
  private readonly runner: ChildProcess;
  private project!: Project;
  private first!: Picture;
  private waiting: (() => void) | null = null;

  private constructor(private readonly contents: Contents) {
    const memory = '/dev/shm';
    const folder = attempt(() => fs.statSync(memory).isDirectory()) ? memory : fs.realpathSync(os.tmpdir());
    this.base = fs.mkdtempSync(path.join(folder, 'modes-sandbox-'));
    const at = (name: string) => path.join(this.base, name);
    [this.root, this.tree, this.home] = [at('live/project'), at('live/tree'), at('live/home')];
    [this.pristine, this.control] = [at('pristine'), at('control')];
    this.make();
    this.isIsolated = spawnSync('unshare', [...APART, 'true'], { stdio: 'ignore' }).status === 0;
    const run = ['bash', '-c', RUNNER, 'runner', this.control, this.home];
    const inside = ['sh', '-c', 'mount -o remount,bind,ro / && exec "$@"', 'inside', ...run];
    const [program = '', ...words] = this.isIsolated ? ['unshare', ...APART, ...inside] : run;
    this.runner = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.runner.stdout?.on('data', () => {
      this.waiting?.();
      this.waiting = null;
    });
  }

  static async open(contents: Contents): Promise<Sandbox> {
    const made = new Sandbox(contents);
    const env = { PATH: SEARCH, HOME: made.home, CLAUDE_PROJECT_DIR: made.root, CLAUDE_CODE_ENTRYPOINT: 'cli' };
    recordTrust(dataFolderOf(env), made.root, loadConfiguration(made.root).hash, 'terminal', new Date());
    const project = openProject({ start: made.root, env, packageRoot: process.cwd(), prepare });
    if (project === null) throw new Error('the project of the sandbox is not governed');
    await project.ready();
    const wrong = project
      .for(nobody)
      .problems()
      .filter(({ severity }) => severity === 'error');
    if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join('\n'));
    made.project = project;
    fs.cpSync(path.join(made.base, 'live'), made.pristine, { recursive: true, verbatimSymlinks: true });
    made.first = made.picture();
    return made;
  }

  private make(): void {
    const git = (...words: string[]) =>
      execFileSync('git', words, { cwd: this.root, stdio: 'ignore', env: { PATH: SEARCH, HOME: this.home } });
    for (const folder of [this.root, this.home, this.control]) fs.mkdirSync(folder, { recursive: true });
    const { files, folders = [], permissions } = this.contents;
    const put = (name: string, text: string) => {
      fs.mkdirSync(path.dirname(name), { recursive: true });
      if (text.startsWith('-> ')) fs.symlinkSync(text.slice(3), name);
      else fs.writeFileSync(name, text);
    };
    for (const [name, text] of Object.entries(files)) put(path.join(this.root, name), text);
    for (const name of folders) fs.mkdirSync(path.join(this.root, name), { recursive: true });
    put(path.join(this.root, '.claude/modes.yaml'), 'name: sandbox\ndefault: one\nmodes:\n  one: {}\n');
    put(path.join(this.root, '.claude/settings.one.json'), JSON.stringify({ permissions }));
    put(path.join(this.home, '.bashrc'), '# start\n');
    git('init', '-q', '--template=', '-b', 'main');
    for (const [name, value] of [
      ['user.name', 'a'],
      ['user.email', 'a@b.invalid'],
      ['gc.auto', '0'],
    ] as const)
      git('config', name, value);
    git('add', '-A');
    git('commit', '-qm', 'one');
    git('branch', 'other');
    git('worktree', 'add', '-q', this.tree, 'other');
  }

  /** What the engine says of a Bash command in a folder. */
  decide(command: string, cwd = this.root): Decision {
    return this.project.decideText(JSON.stringify({ ...JSON.parse(eventOf(this.root, 'Bash', { command })), cwd }));
  }

  /** Runs a command and gives the folder that it ended in. */
  async run(command: string, cwd = this.root): Promise<string> {
    const file = path.join(this.control, 'folder');
    fs.writeFileSync(path.join(this.control, 'command'), command);
    fs.rmSync(file, { force: true });
    await this.send(cwd);
    const ended = attempt(() => fs.readFileSync(file, 'utf8').trimEnd()) ?? cwd;
    return `${ended}/`.startsWith(`${this.root}/`) && fs.existsSync(ended) ? ended : this.root;
  }

  /** Waits for what commands left in the background, and ends it where they are apart from all other processes. */
  async settle(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.isIsolated ? 500 : 1_000));
    if (this.isIsolated) await this.send('kill');
  }

  private send(line: string): Promise<void> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.runner.stdin?.write(`${line}\n`);
    });
  }

  /** Everything below the folder but git's bookkeeping and what Modes keeps. Links are not followed. */
  picture(): Picture {
    const found = new Map<string, string>();
    const live = path.join(this.base, 'live');
    const look = (name: string) => {
      if (isKept(name)) return;
      const at = path.join(live, name);
      const stat = fs.lstatSync(at);
      if (stat.isSymbolicLink()) found.set(name, `-> ${fs.readlinkSync(at)}`);
      else if (stat.isDirectory()) {
        if (name !== '') found.set(name, `folder ${stat.mode.toString(8)}`);
        for (const entry of fs.readdirSync(at)) look(name === '' ? entry : `${name}/${entry}`);
      } else if (stat.isFile()) found.set(name, `file ${stat.mode.toString(8)} ${textOf(at)}`);
      else found.set(name, 'special');
    };
    look('');
    return found;
  }

  get before(): Picture {
    return this.first;
  }

  /** Puts everything back as it was. `withGit`: git's bookkeeping as well. */
  reset(now: Picture, withGit: boolean): void {
    const live = path.join(this.base, 'live');
    const names = [...now.keys()].filter((name) => this.first.get(name) !== now.get(name));
    for (const name of names.sort()) fs.rmSync(path.join(live, name), { recursive: true, force: true });
    const gone = [...this.first.keys()].filter(
      (name) => this.first.get(name) !== now.get(name) || !exists(path.join(live, name)),
    );
    for (const name of gone.sort()) this.restore(name);
    if (withGit) {
      fs.rmSync(path.join(this.root, '.git'), { recursive: true, force: true });
      fs.cpSync(path.join(this.pristine, 'project/.git'), path.join(this.root, '.git'), { recursive: true });
    }
  }

  private restore(name: string): void {
    const [from, to] = [path.join(this.pristine, name), path.join(this.base, 'live', name)];
    const stat = fs.lstatSync(from);
    fs.rmSync(to, { recursive: true, force: true });
    if (stat.isDirectory()) fs.mkdirSync(to, { recursive: true, mode: stat.mode });
    else if (stat.isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to);
    else fs.copyFileSync(from, to);
    if (!stat.isSymbolicLink()) fs.chmodSync(to, stat.mode);
  }

  close(): void {
    this.runner.stdin?.end();
    this.runner.kill('SIGKILL');
    fs.rmSync(this.base, { recursive: true, force: true });
  }
}

const APART = ['-rmnp', '--fork', '--mount-proc', '--kill-child'];

/** Git's bookkeeping but what decides what git runs, and the folder of Modes and the client. */
const isKept = (name: string) => /^project\/\.git\/(?!config$|hooks|info)/.test(name) || name === 'home/.claude';

function textOf(file: string): string {
  const stat = fs.statSync(file);
  return stat.size > 100_000 ? `${stat.size} ${stat.mtimeMs}` : fs.readFileSync(file, 'latin1');
}

function exists(name: string): boolean {
  return fs.lstatSync(name, { throwIfNoEntry: false }) !== undefined;
}

function attempt<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
