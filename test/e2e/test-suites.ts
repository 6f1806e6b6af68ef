// Test suites of real runners that a scripted session plays: files by phase, gates that ask for tests by name, what the gates said.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Call } from './client.ts';
import type { Turn } from './model.ts';
import type { Place } from './place.ts';

/** Files by name; null: removed. */
export type Files = Record<string, string | null>;

export interface Suite {
  runner: string;
  command: string;
  /** Folder that the command runs in, below the project. */
  folder?: string;
  /** Folders of programs in front of PATH. */
  path?: string[];
  env?: Record<string, string>;
  files: Files;
  /** The failing test, the fix, and what the test is called. */
  failing: Files;
  fix: Files;
  title: string;
}

const output = (program: string, ...args: string[]): string => execFileSync(program, args, { encoding: 'utf8' }).trim();
export const root = path.resolve(import.meta.dirname, '../..');
export const python = output('python3', '-c', 'import sys; print(sys.executable)');
export const golang = output('go', 'env', 'GOROOT');
export const cargo = process.env.CARGO ?? output('bash', '-c', 'rustup which cargo 2>/dev/null || command -v cargo');

/** Gradle, and JUnit for it, as Debian has them. */
export const hasGradle = ['/usr/bin/gradle', '/usr/share/java/junit4.jar'].every((file) => fs.existsSync(file));

/** Build results of runners, outside of every project. */
export const cache = path.join(os.tmpdir(), 'modes-forged-tests');
export const rustEnvironment = { CARGO_TARGET_DIR: path.join(cache, 'rust'), CARGO_HOME: path.join(cache, 'cargo') };

/** A pom.xml with JUnit. */
export const mavenProject = (): string =>
  `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>a</artifactId><version>1</version><properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties><dependencies><dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency></dependencies><build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build></project>\n`;

/** Installs a package of npm once. @returns its node_modules. */
export function installed(name: string, version: string): string {
  const folder = path.join(cache, `${name}-${version}`);
  const modules = path.join(folder, 'node_modules');
  if (fs.existsSync(path.join(modules, '.package-lock.json'))) return modules;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{"private":true}\n');
  const npm = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${version}`], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 240_000,
  });
  if (npm.status !== 0) throw new Error(`cannot install ${name} from npm: ${npm.error?.message ?? npm.stderr}`);
  return modules;
}

/** A configuration whose gates ask for a new failing test, then for all tests passing. `where` goes into both. */
export const gatesFor = (command: string, where = ''): string => `name: tests
default: red
modes:
  red:
    transitions: [{to: green, require: [{tests: {command: '${command}', failing: new${where}}}]}]
  green:
    transitions: [{to: done, require: [{tests: {command: '${command}', passing: all${where}}}]}]
  done:
    transitions: [{to: red}]
`;

export function apply(place: Place, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    // A link is replaced, and not its target.
    fs.rmSync(path.join(place.project, name), { force: true });
    if (text !== null) place.write(name, text);
  }
}

/** A turn before which files change. */
export const changed =
  (place: Place, change: Files, turn: Turn): Turn =>
  (request) => {
    apply(place, change);
    return typeof turn === 'function' ? turn(request) : turn;
  };

/** What the gate says is missing, for each transition that was asked for; '' if it was open. */
export function answers(calls: readonly Call[]): string[] {
  return calls
    .filter(({ name }) => name.endsWith('__transition'))
    .map(({ result = 'null' }) => {
      const text = result.startsWith('[') ? (JSON.parse(result) as { text: string }[])[0]!.text : result;
      const { success, unmet = [] } = JSON.parse(text) as { success: boolean; unmet?: { missing: string }[] };
      return success ? '' : unmet.map(({ missing }) => missing).join('; ');
    });
}
