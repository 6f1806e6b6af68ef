// Reading commands against a project with two files that may not be read, decided by the engine and, where allowed, really run. The
// model: the text of the denied files is never printed, and never arrives in a file that may be read.

import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfiguration } from '../../src/config/load.ts';
import { prepare } from '../../src/engine/prepare.ts';
import { dataFolderOf } from '../../src/facts/paths/place.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { openProject, type Project } from '../../src/workflow/project.ts';
import { eventOf, packageRoot } from '../bench/fixture.ts';
import { putFile } from '../support/files.ts';
import { makeCalls } from './reads-grammar.ts';
import type { Target } from './target.ts';

const MARK = 'TOPq7Zk2Wx9';
const CALL = '\n#---\n';
const SECONDS = 3;

/** Texts by which a program may print the mark. */
const base64 = [0, 1, 2].map((at) =>
  Buffer.from('x'.repeat(at) + MARK)
    .toString('base64')
    .slice(4, 12),
);
const SHAPES = [MARK, [...MARK].reverse().join(''), Buffer.from(MARK).toString('hex').slice(0, 16), ...base64.slice(0, 1)];

class Sandbox {
  readonly base = fs.realpathSync(
    fs.mkdtempSync(path.join(fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir(), 'modes-reads-')),
  );
  readonly root = path.join(this.base, 'work');
  private readonly home = path.join(this.base, 'home');
  private readonly template = path.join(this.base, 'template');
  private readonly cases = path.join(this.base, 'cases');
  readonly env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    HOME: path.join(this.base, 'settings'),
    CLAUDE_PROJECT_DIR: this.root,
    CLAUDE_CODE_SESSION_ID: '00000000-0000-4000-8000-000000000000',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_PLUGIN_ROOT: packageRoot,
  };

  constructor() {
    for (const folder of [this.home, this.template, this.cases, this.env.HOME as string, this.root]) fs.mkdirSync(folder);
    this.makeTemplate();
    const claude = path.join(this.root, '.claude');
    fs.mkdirSync(claude);
    fs.writeFileSync(path.join(claude, 'modes.yaml'), 'name: reads\ndefault: work\nmodes:\n  work:\n    title: Work\n');
    const deny = ['Read(secret/**)', 'Read(.env)'];
    fs.writeFileSync(path.join(claude, 'settings.work.json'), JSON.stringify({ permissions: { deny } }));
    this.renew();
  }

  private makeTemplate(): void {
    const file = (name: string, text: string): void => {
      putFile(path.join(this.template, name), text);
    };
    const git = (...args: string[]): void =>
      void execFileSync('git', args, { cwd: this.template, env: this.programs, stdio: 'ignore' });
    file('.gitignore', '.env\n.claude/\nlocal/\n');
    file('.env', `KEY=${MARK}\n`);
    file('secret/key', `first ${MARK}\n`);
    file('secret/deep/more', `${MARK}\n`);
    file('open/a', 'plain one\n');
    file('open/b.ts', 'export const b = 1;\n');
    // Its name becomes two words.
    file('plain/x secret/key', 'plain\n');
    file('open/list', 'secret/key\n');
    file('open/list0', 'secret/key\0');
    file('plain/c', 'plain\n');
    fs.symlinkSync('../secret', path.join(this.template, 'open/l'));
    fs.symlinkSync('../secret/key', path.join(this.template, 'open/f'));
    git('init', '-q', '-b', 'main');
    for (const [name, value] of [
      ['user.name', 'n'],
      ['user.email', 'n@example.invalid'],
    ] as const)
      git('config', name, value);
    git('add', '-A');
    git('commit', '-qm', 'one');
    git('tag', 'v1');
    file('secret/key', `second ${MARK}\n`);
    file('open/a', 'plain two\n');
    git('commit', '-qam', 'two');
    file('secret/key', `third ${MARK}\n`);
    git('stash', '-q');
    const past = new Date(Date.now() - 60_000);
    for (const name of ['secret/key', 'open/a']) fs.utimesSync(path.join(this.template, name), past, past);
    git('update-index', '-q', '--refresh');
    file('open/a', 'plain three\n');
  }

  /** The environment of a call: no settings of the machine's. */
  private get programs(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.home,
      TMPDIR: path.join(this.base, 'tmp'),
      LANG: 'C.UTF-8',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
    };
  }

  /** Everything but the configuration as it was in the beginning. */
  renew(): void {
    for (const name of fs.readdirSync(this.base))
      if (!['work', 'home', 'template', 'cases', 'settings'].includes(name))
        fs.rmSync(path.join(this.base, name), { recursive: true, force: true });
    for (const name of fs.readdirSync(this.root))
      if (name !== '.claude') fs.rmSync(path.join(this.root, name), { recursive: true, force: true });
    fs.rmSync(this.home, { recursive: true, force: true });
    for (const folder of [this.home, path.join(this.base, 'tmp')]) fs.mkdirSync(folder);
    execFileSync('cp', ['-a', `${this.template}/.`, this.root]);
  }

  /** Runs each call in a shell of its own, one after the other. @returns what each printed */
  run(calls: readonly string[]): string[] {
    calls.forEach((text, at) => void fs.writeFileSync(path.join(this.cases, `${at}`), text));
    const driver = `
      ulimit -t 5 -f 20000
      for ((at = 0; at < $1; at++)); do
        (cd "$2" && exec timeout -s KILL ${SECONDS} bash --norc -c "$(cat "$3/$at")" > "$3/$at.out" 2>&1 < /dev/null)
      done 2> /dev/null`;
    const args = ['-c', driver, 'driver', String(calls.length), this.root, this.cases];
    const [program, ...before] = hasNamespaces() ? ['unshare', '-n', '--pid', '--fork', '--kill-child', 'bash'] : ['bash'];
    spawnSync(program as string, [...before, ...args], {
      env: this.programs,
      stdio: 'ignore',
      timeout: 1_000 * (5 + SECONDS * calls.length),
    });
    return calls.map((_, at) => {
      const file = path.join(this.cases, `${at}.out`);
      const text = fs.existsSync(file) ? fs.readFileSync(file, 'latin1') : '';
      fs.rmSync(file, { force: true });
      return text;
    });
  }

  /** A file outside of the denied ones that holds the mark; null for none. */
  leaked(): string | null {
    const places = [this.root, this.home, ...fs.readdirSync(this.base).map((name) => path.join(this.base, name))];
    const kept = new Set([this.template, this.cases].map((one) => one));
    for (const place of new Set(places)) {
      if (kept.has(place)) continue;
      const { stdout } = spawnSync('grep', ['-rlIa', '--exclude-dir=.git', '--exclude-dir=.claude', MARK, place], {
        encoding: 'utf8',
      });
      const found = stdout.split('\n').find((name) => name !== '' && !/^(?:.*\/)?(?:secret\/.*|\.env)$/.test(name));
      if (found !== undefined) return path.relative(this.base, found);
    }
    return null;
  }

  close(): void {
    fs.rmSync(this.base, { recursive: true, force: true });
  }
}

let namespaces: boolean | null = null;

function hasNamespaces(): boolean {
  namespaces ??= spawnSync('unshare', ['-n', '--pid', '--fork', '--kill-child', 'true']).status === 0;
  return namespaces;
}

const isPrinted = (text: string): boolean => {
  const plain = text.replace(/[\s\0]|\x1b\[[\d;]*m/g, '');
  return SHAPES.some((shape) => plain.includes(shape));
};

/** Reads and writes of which everything is known: a program that is not understood may print what it likes. */
type Decided = { isRun: boolean; changes: boolean };

export async function readsTarget(): Promise<Target> {
  const sandbox = new Sandbox();
  recordTrust(dataFolderOf(sandbox.env), sandbox.root, loadConfiguration(sandbox.root).hash, 'terminal', new Date());
  const project: Project | null = openProject({ start: sandbox.root, env: sandbox.env, packageRoot, prepare });
  if (project === null) throw new Error('the project is not governed');
  await project.ready();
  const decide = (text: string): Decided => {
    const { decision, facts } = project.decideText(eventOf(sandbox.root, 'Bash', { command: text }));
    const kind = facts?.bash?.class;
    const isRun = (decision === 'allow' || decision === 'pass') && (kind === 'read-only' || kind === 'writes');
    return { isRun, changes: kind !== 'read-only' };
  };
  const alone = (text: string): string | null => {
    let found: string | null = null;
    let isChanged = false;
    for (const call of text.split(CALL)) {
      const { isRun, changes } = decide(call);
      if (!isRun) continue;
      isChanged ||= changes;
      const [printed] = sandbox.run([call]);
      if (isPrinted(printed ?? '')) found ??= 'printed the denied text';
    }
    if (isChanged && found === null) {
      const place = sandbox.leaked();
      if (place !== null) found = `the denied text is in ${place}`;
    }
    if (isChanged) sandbox.renew();
    return found;
  };
  return {
    name: 'reads',
    seeds: ['cat open/a', 'git diff', "git log -p -- . ':!secret'"],
    words: [],
    isMade: true,
    make: (pick) => makeCalls(pick).join(CALL),
    check: alone,
    checkAll(texts) {
      const results = new Map<string, string | null>();
      const together: string[] = [];
      for (const text of texts) {
        const calls = text.split(CALL);
        const decided = calls.map(decide);
        if (decided.some(({ isRun, changes }) => isRun && changes)) results.set(text, alone(text));
        else {
          results.set(text, null);
          const runs = calls.filter((_, at) => decided[at]?.isRun);
          if (runs.length > 0) together.push(text);
        }
      }
      const calls = together.flatMap((text) =>
        text
          .split(CALL)
          .filter((call) => decide(call).isRun)
          .map((call) => ({ text, call })),
      );
      const printed = sandbox.run(calls.map(({ call }) => call));
      calls.forEach(({ text }, at) => {
        if (isPrinted(printed[at] ?? '')) results.set(text, 'printed the denied text');
      });
      return texts.map((text) => results.get(text) ?? null);
    },
    close: () => sandbox.close(),
  };
}
