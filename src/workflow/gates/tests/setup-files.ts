// Files that the configuration of a test runner names: setup files, preloaded modules, mocks, plugins. A change of one of them
// affects the meaning of a run, as a change of the configuration does.

import fs from 'node:fs';
import path from 'node:path';
import type { TreeScope } from '../../../git/file-tree.ts';
import type { RequiredRun } from '../../../model/requirement.ts';
import { belowOf, inside } from '../../../platform/path-text.ts';
import { readRegularText } from '../../../platform/read-file.ts';

/** Configurations in which runners name further files, in the root and in the folders of the command. */
const configurations =
  /^(?:package\.json|(?:vite|vitest|jest|playwright|karma|ava)\.(?:config|workspace|projects|conf)\.\w+|\.mocharc(?:\.\w+)?|mocha\.opts|\.taprc|bunfig\.toml|deno\.jsonc?|\.?pytest\.ini|\.?pytest\.toml|pyproject\.toml|setup\.cfg|tox\.ini|conftest\.py|\.rspec|phpunit(?:\.dist)?\.xml(?:\.dist)?)$/;

const cargoConfigurations = ['.cargo/config.toml', '.cargo/config'];

/** Keys whose values are files, in the syntax of JSON, JavaScript, TOML or YAML. */
const keys =
  /["']?\b(?:setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|testEnvironment|environment|snapshotSerializers|snapshotResolver|resolver|rustc(?:-workspace)?-wrapper|runner|testRunner|reporters?|transform|moduleNameMapper|sequencer|testSequencer|require|import|loader|preload|pytest_plugins)["']?\s*[:=]\s*/g;
/** Options of a command line, also in a script or in addopts. */
const options =
  /(?:^|[\s"'=])(?:-r|-p|-c|--(?:require|import|loader|experimental-loader|preload|config|setup-files|setupFiles(?:AfterEnv)?|globalSetup|setup|file|rootdir))[ =]+["']?([^\s"',\]]+)/gm;
/** An attribute of XML. */
const attributes = /\bbootstrap\s*=\s*"([^"]+)"/g;

const endings = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.jsx', '.tsx', '.json', '.py', '.rb', '.php'];
const indexes = ['/index.js', '/index.ts', '/__init__.py'];
/** Folders of a command line: npm's workspaces and prefixes, make's and pnpm's folders. */
const folderOptions = /(?:^|\s)(?:-w|-C|--workspace|--prefix|--dir|--cwd|--directory)[ =]+["']?([^\s"']+)/g;

const maxBytes = 1_048_576;
/** Longest value of a key that is read, in characters. */
const maxValue = 4_000;

type RunCommand = Pick<RequiredRun, 'command' | 'in'>;

/** The files, relative to the root. */
export function setupFiles(root: string, { command, in: folder }: RunCommand): Set<string> {
  const named = [...command.matchAll(folderOptions)].map(([, name]) => name as string);
  const start = path.resolve(root, folder ?? '.');
  const folders = new Set([root, start, ...named.map((name) => path.resolve(start, name))].filter((one) => inside(one, root)));
  const found = new Set<string>();
  const add = (name: string, from: string): void => {
    const file = resolved(name, { from, root });
    if (file !== null) found.add(file);
  };
  for (const name of namesInOptions(command)) add(name, start);
  for (const from of folders) {
    for (const config of [...entriesOf(from).filter((entry) => configurations.test(entry)), ...cargoConfigurations])
      for (const name of namesIn(configurationText(path.join(from, config)))) add(name, from);
  }
  return found;
}

/** The same as a scope. */
export function setupScope(root: string, of: RunCommand): TreeScope {
  const files = setupFiles(root, of);
  return { file: (name) => files.has(name), folder: () => files.size > 0, meant: (name) => files.has(name) };
}

/** Every literal that a configuration names under one of the keys, as an option, or as an attribute. */
function namesIn(text: string): string[] {
  const values = [...text.matchAll(keys)].map(({ index, 0: head }) =>
    valueAt(text.slice(index + head.length, index + head.length + maxValue)),
  );
  return [
    ...values.flatMap((value) =>
      [
        ...value.matchAll(
          /"([^"\n]+)"|'([^'\n]+)'|`([^`\n$]+)`|^\s*-\s+([^\s"'#]+)|(?<=[[,]\s*)([^\s"'`,[\]{}]+)(?=\s*[,\]])|^([^\s"'[{#,]+)/gm,
        ),
      ].flatMap(([, ...texts]) => texts.filter((one) => one !== undefined)),
    ),
    ...namesInOptions(text),
    ...[...text.matchAll(attributes)].map(([, name]) => name as string),
  ];
}

const namesInOptions = (text: string): string[] => [...text.matchAll(options)].map(([, name]) => name as string);

/** The value at the beginning of a text: a bracketed one up to its bracket, a list of YAML, or the rest of the line. */
function valueAt(text: string): string {
  const close = { '[': ']', '{': '}', '(': ')' }[text[0] ?? ''];
  if (close !== undefined) {
    let depth = 0;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === text[0]) depth++;
      else if (text[at] === close && --depth === 0) return text.slice(0, at + 1);
    }
    return text;
  }
  const list = /^\n?(?:[ \t]*-[ \t]+.*(?:\n|$))+/.exec(text)?.[0];
  return list ?? text.slice(0, Math.max(0, text.search(/\n|$/)));
}

/** The file that a name leads to: a path, a path without its ending, or a module of Python. null: none of the project. */
function resolved(name: string, { from, root }: { from: string; root: string }): string | null {
  const plain = name.replace(/^<rootDir>\/?/, './').replace(/^file:/, '');
  if (plain === '' || plain.includes('\0')) return null;
  const module = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(plain) ? plain.replaceAll('.', '/') : null;
  const candidates = [plain, ...(module === null ? [] : [module])].flatMap((base) =>
    [...endings, ...indexes].map((end) => base + end),
  );
  for (const candidate of candidates) {
    const file = path.resolve(from, candidate);
    const below = inside(file, root) ? belowOf(file, root) : '';
    if (below !== '' && !/(?:^|\/)node_modules\//.test(below) && isFile(file)) return below;
  }
  return null;
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
}

function entriesOf(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    // The folder is absent: the command then fails by itself.
    return [];
  }
}

/** Parts of package.json that are about tests. Others, such as `exports`, name the source. */
const sections = ['scripts', 'jest', 'mocha', 'ava', 'tap', 'vitest', 'nyc', 'c8'];

/** '' if the file cannot be read: the file itself is guarded, so its change is seen. */
function configurationText(file: string): string {
  try {
    const text = readRegularText(file, maxBytes);
    if (path.basename(file) !== 'package.json') return text;
    const whole = JSON.parse(text) as Record<string, unknown>;
    const about = sections.filter((name) => Object.hasOwn(whole, name)).map((name) => [name, whole[name]]);
    return JSON.stringify(Object.fromEntries(about), null, 1);
  } catch {
    return '';
  }
}
