// A home folder and a project with the TDD example, and processes of the plugin that run in it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { hashConfiguration } from '../../src/config/hash.ts';
import { readSources } from '../../src/config/sources.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { afterTest } from './cleanup.ts';
import { putFile, temporaryFolder } from './files.ts';
import { repository } from './plugin.ts';

export interface Project {
  home: string;
  root: string;
  data: string;
  put(name: string, text: string): string;
  get(name: string): string;
  /** Approves the present content, as a person would. */
  trust(): void;
  /** Environment of a process that the client starts here. */
  env(changes?: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
}

/** `example: null` leaves the project empty. */
export function makeProject({ example = 'tdd' as string | null, trusted = true, name = 'work' } = {}): Project {
  const top = temporaryFolder('modes-project-');
  afterTest(() => fs.rmSync(top, { recursive: true, force: true }));
  const home = path.join(top, 'home');
  const root = path.join(home, name);
  const data = path.join(home, '.claude/modes-data');
  fs.mkdirSync(root, { recursive: true });
  fs.mkdirSync(data, { recursive: true });
  if (example !== null) fs.cpSync(path.join(repository, 'examples', example), root, { recursive: true });
  const project: Project = {
    home,
    root,
    data,
    put(file, text) {
      putFile(path.join(root, file), text);
      return path.join(root, file);
    },
    get: (file) => fs.readFileSync(path.join(root, file), 'utf8'),
    trust() {
      const { files, faults } = readSources(root);
      recordTrust(data, root, hashConfiguration(files, faults), 'terminal', new Date());
    },
    env: (changes = {}) => ({
      HOME: home,
      PATH: '/usr/bin:/bin',
      CLAUDE_PROJECT_DIR: root,
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      ...changes,
    }),
  };
  if (trusted && example !== null) project.trust();
  return project;
}

/** Replaces the named tests in the gates of examples/tdd-checked by exit codes, which a test can make up. */
export function gateByExitCodes({ get, put }: Pick<Project, 'get' | 'put'>): void {
  const modes = get('.claude/modes.yaml')
    .replace('tests: {command: npm test, failing: new}', 'fails: npm test')
    .replace('tests: {command: npm test, passing: all}', 'passes: npm test');
  put('.claude/modes.yaml', modes);
}

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a program to its end. */
export async function run(
  command: string,
  args: string[],
  /** `timeout` in ms: the process is killed then, and has no exit code. */
  options: { cwd: string; env: NodeJS.ProcessEnv; stdin?: string; timeout?: number },
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env,
    ...(options.timeout !== undefined && { timeout: options.timeout, killSignal: 'SIGKILL' as const }),
  });
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    err += text;
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.stdin ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}
