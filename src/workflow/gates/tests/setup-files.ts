// Files that the configuration of a test runner names: setup files, preloaded modules, mocks, plugins, and modules that it imports. A
// change of one of them affects the meaning of a run, as a change of the configuration does.

import fs from 'node:fs';
import path from 'node:path';
import { markFiles, TreeError, type TreeScope } from '../../../git/file-tree.ts';
import type { RequiredRun } from '../../../model/requirement.ts';
import { belowOf, inside } from '../../../platform/path-text.ts';
import { readRegularText } from '../../../platform/read-file.ts';
import { modulesOf, type StartText, startedPrograms } from './programs.ts';
import { scriptTexts } from './runners.ts';
import { scriptReader } from './scripts.ts';

/** Configurations in which runners name further files, in the root and in the folders of the command. */
const configurations =
  /^(?:package\.json|\.npmrc|tsconfig[\w.-]*\.json|\.babelrc(?:\.\w+)?|(?:vite|vitest|jest|playwright|karma|ava|babel)\.(?:config|workspace|projects|conf)\.\w+|\.mocharc(?:\.\w+)?|mocha\.opts|\.taprc|bunfig\.toml|deno\.jsonc?|\.swcrc|pnpm-workspace\.yaml|build\.rs|\.?pytest\.ini|\.?pytest\.toml|pyproject\.toml|setup\.cfg|tox\.ini|conftest\.py|Cargo\.toml|\.rspec|phpunit(?:\.dist)?\.xml(?:\.dist)?|\.(?:nyc|c8)rc(?:\.\w+)?|nyc\.config\.\w+|\.env(?:\.[\w.-]+)?|pom\.xml)$/;
/** Files with variables that a command loads. They may hold options for Node. */
const environmentFile = /(?:^|\/)[\w.-]*\.env(?:\.[\w.-]+)?$/;

const inFolders = ['.cargo/config.toml', '.cargo/config', '.config/nextest.toml', '.mvn/maven.config', '.mvn/jvm.config'];

/** Keys whose values are files, in the syntax of JSON, JavaScript, TOML or YAML, by the name of the configuration. */
const keys: readonly [of: RegExp, keys: RegExp][] = [
  [
    /./,
    keyed(
      'setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|testEnvironment|environment|snapshotSerializers|snapshotResolver|resolver|runner|testRunner|reporters?|testResultsProcessor|transform|sequencer|testSequencer|dependencyExtractor|preset|require|import|importMap|loader|preload|pytest_plugins|env_files|script-shell|scriptShell|userconfig|globalconfig|pool|diff|snapshotEnvironment|customProviderModule|checker|execArgv',
    ),
  ],
  [/^(?:\.mocharc|package\.json)/, keyed('file|ui')],
  [/^(?:\.babelrc|babel\.|tsconfig|package\.json|\.swcrc)/, keyed('presets|plugins')],
  [/^(?!pyproject|bunfig|nextest)(?:.*\.toml|config)$/, keyed('rustc(?:(?:-workspace)?-wrapper)?|rustdoc|linker|build|include')],
  [/^nextest\.toml$/, keyed('command')],
];
/** Maps names of modules to files. Such a file may be a mock, or source that another package imports. */
const mapping = keyed('moduleNameMapper');
const sourceFile = /(?:^|\/)(?:src|lib|app|source)\//;
/** Keys whose values are further configurations. */
const configurationKeys = keyed('extends|projects|workspace');
/** Options of a command line, also in a script or in addopts. */
const options =
  /(?:^|[\s"'=])(?:-r|-p|-c|-s|-gs|--(?:require|import|loader|experimental-loader|preload|config|setup-files|setupFiles(?:AfterEnv)?|globalSetup|setup|file|rootdir|settings|global-settings|env-file(?:-if-exists)?|projects|test-global-setup|test-reporter|experimental-config-file|(?:[\w.]+\.)?(?:pool|diff|snapshotEnvironment|customProviderModule|checker|tsconfig|workspace|env))|(?:require|import|loader)(?=[ =]\.))[ =\n]+["']?([^\s"',\]]+)/gm;
/** `path.join(__dirname, 'test', 'setup.js')` */
const joined =
  /\b(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname|process\.cwd\(\))((?:\s*,\s*(?:"[^"\n]*"|'[^'\n]*'))+)\s*\)/g;
/** An agent of Java. */
const agents = /-(?:javaagent|agentpath):([^\s"'=<]+)/g;
/** Configurations that another one imports: modules of JavaScript, modules with hooks of pytest, and modules of a build script in Rust. */
const imports: readonly [of: RegExp, imports: RegExp][] = [
  [/\.[cm]?[jt]s$/, /(?:\bfrom|\bimport|\brequire(?:\.resolve)?\(|\bimport\()\s*["'`](\.[^"'`\n]*)["'`]/g],
  [
    /\.py$/,
    /^[ \t]*from[ \t]+([\w.]+)[ \t]+import[ \t]+(?:\*|\([^)]{0,4000}\bpytest_\w|[^(\n]*\bpytest_\w)|\bimport_plugin\(\s*["']([\w.]+)["']/gm,
  ],
  [/\.rs$/, /^[ \t]*(?:pub(?:\([^)]*\))? )?mod (\w+);|\binclude!\("([^"\n]+)"\)/gm],
];
/** An attribute or element of XML. */
const attributes =
  /\bbootstrap\s*=\s*"([^"]+)"|<(?:relativePath|suiteXmlFile|includesFile|excludesFile|filter|file|module|argument)>\s*([^<>\s]+)\s*</g;

const endings = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.jsx', '.tsx', '.json', '.py', '.rb', '.php', '.rs'];
const indexes = ['/index.js', '/index.ts', '/__init__.py', '/mod.rs'];
/** Folders of a command line: npm's workspaces and prefixes, make's and pnpm's folders. */
const folderOptions = /(?:^|\s)(?:-w|-C|--workspace|--prefix|--dir|--cwd|--directory)[ =]+["']?([^\s"']+)/g;

const maxBytes = 1_048_576;
/** Longest value of a key that is read, in characters. */
const maxValue = 4_000;
/** Most values of a key, and constants, that are read from one configuration. */
const maxValues = 1_000;
const maxConstants = 100;
const constant = /\b(?:const|let|var) (\w+)(?:: [^=\n]{0,200})? = /g;
const identifier = /(?<=^|[[,(\s])[A-Za-z_]\w*(?=$|[\]),\s])/g;

function keyed(names: string): RegExp {
  return new RegExp(`["']?\\b(?:${names})["']?\\s*[:=]\\s*`, 'g');
}

type RunCommand = Pick<RequiredRun, 'command' | 'in'>;

const packageManager = /\b(?:npm|pnpm|yarn|bun|turbo|nx|lerna)\b/;
/** Most modules that are read after each other. A configuration with more is unusual. */
const maxModules = 10_000;
/** Most names that are looked up, from all configurations. Each takes some 20 looks into the file system. */
const maxNames = 20_000;

/** The files, relative to the root. */
export function setupFiles(root: string, { command, in: folder }: RunCommand): Set<string> {
  const named = [...command.matchAll(folderOptions)].map(([, name]) => name as string);
  const start = path.resolve(root, folder ?? '.');
  const folders = new Set([root, start, ...named.map((name) => path.resolve(start, name))].filter((one) => inside(one, root)));
  const found = new Set<string>();
  const modules = new Set<string>();
  const files = {
    find: (name: string, base: string) => resolved(name, { from: path.join(root, base), root }),
    read: (file: string) => configurationText(path.join(root, file)),
  };
  const looked = new Map<string, string | null>();
  const add = (name: string, from: string): string | null => {
    const key = JSON.stringify([from, name]);
    if (!looked.has(key) && looked.size < maxNames) looked.set(key, resolved(name, { from, root }));
    const file = looked.get(key) ?? null;
    if (file !== null) found.add(file);
    return file;
  };
  /** Build scripts, plugins of pytest and included configurations import others, and a setup file loads modules beside it. */
  const follow = (name: string | null, from: string): void => {
    if (name === null) return;
    if (/\.(?:rs|py|toml)$/.test(name)) read(path.join(root, name), from);
    else for (const module of modulesOf(name, files.read(name), files)) found.add(module);
  };
  const read = (file: string, from: string): void => {
    if (modules.has(file) || modules.size === maxModules) return;
    modules.add(file);
    const text = configurationText(file).replace(joined, (_, words: string) => `'./${literalsIn(words).join('/')}'`);
    // A module that a configuration imports names files as the configuration does, or relative to itself. Python searches the root too.
    for (const base of new Set([from, path.dirname(file), ...(file.endsWith('.py') ? [root] : [])])) {
      for (const name of namesIn(text, path.basename(file))) follow(add(name, base), from);
      for (const name of configurationsIn(text, file)) {
        const module = add(name, base);
        if (module !== null) read(path.join(root, module), from);
      }
    }
  };
  for (const name of namesInOptions(command)) follow(add(name, start), start);
  const relative = (bases: Iterable<string>) => [...bases].map((base) => path.relative(root, base) || '.');
  const bases = relative(folders);
  const texts: StartText[] = scriptTexts(command, scriptReader(root, folder)).map((text) => ({ text, bases }));
  texts.push({ text: command, bases, isCommand: true });
  const everywhere = new Set([...folders, ...foldersOfConfigurations(root)]);
  // The command can run the tests of any package of a workspace.
  if (packageManager.test(command))
    for (const from of everywhere)
      for (const text of scriptTexts('npm test', scriptReader(from, null))) texts.push({ text, bases: relative([from]) });
  for (const file of startedPrograms(texts, files)) {
    found.add(file);
    if (environmentFile.test(file)) read(path.join(root, file), path.dirname(path.join(root, file)));
  }
  for (const from of everywhere)
    for (const config of [...entriesOf(from).filter((entry) => configurations.test(entry)), ...inFolders])
      read(path.join(from, config), from);
  return found;
}

/** Folders anywhere in the project that have a configuration, for example those of the packages of a workspace. */
function foldersOfConfigurations(root: string): Set<string> {
  const scope = {
    folder: () => true,
    meant: () => false,
    file: (name: string) => configurations.test(path.posix.basename(name)),
  };
  try {
    return new Set([...markFiles(root, scope).keys()].map((name) => path.dirname(path.join(root, name))));
  } catch (error) {
    // The guarded files cannot be compared either then, and the gate reports that.
    if (error instanceof TreeError) return new Set();
    throw error;
  }
}

/** The same as a scope. */
export function setupScope(root: string, of: RunCommand): TreeScope {
  const files = setupFiles(root, of);
  return { file: (name) => files.has(name), folder: () => files.size > 0, meant: (name) => files.has(name) };
}

/** Every literal that a configuration names under one of the keys, as an option, or as an attribute. */
function namesIn(text: string, config: string): string[] {
  return [
    ...keys.flatMap(([of, expression]) => (of.test(config) ? valuesOf(text, expression).flatMap(literalsIn) : [])),
    ...valuesOf(text, mapping)
      .flatMap(literalsIn)
      .filter((name) => !sourceFile.test(name)),
    ...namesInOptions(text),
    ...[attributes, agents].flatMap((expression) =>
      [...text.matchAll(expression)].map(([, name, element]) => (name ?? element) as string),
    ),
  ];
}

/** Configurations that this one imports or extends. */
function configurationsIn(text: string, file: string): string[] {
  const [, expression] = imports.find(([of]) => of.test(file)) ?? [];
  const imported =
    expression === undefined ? [] : [...text.matchAll(expression)].map(([, name, other]) => (name ?? other) as string);
  // An object is a configuration itself.
  return [...imported, ...valuesOf(text, configurationKeys).flatMap((value) => literalsIn(value.replace(/\{.*\}/s, '')))];
}

/** The values of a key, and those of the constants that such a value names. */
function valuesOf(text: string, expression: RegExp): string[] {
  const valueAfter = ({ index, 0: head }: RegExpExecArray): string =>
    valueAt(text.slice(index + head.length, index + head.length + maxValue));
  const values = [...text.matchAll(expression)].slice(0, maxValues).map(valueAfter);
  const names = new Set(values.flatMap((value) => [...value.matchAll(identifier)].map(([name]) => name)));
  if (names.size === 0) return values;
  const constants = [...text.matchAll(constant)].filter(([, name]) => names.has(name as string));
  return [...values, ...constants.slice(0, maxConstants).map(valueAfter)];
}

function literalsIn(value: string): string[] {
  const literals =
    /"([^"\n]+)"|'([^'\n]+)'|`([^`\n$]+)`|^[ \t]*-[ \t]+([^\s"'#]+)|(?![\s"'`,[\]{}])(?<=[[,]\s*)([^\s"'`,[\]{}]+)(?=\s*[,\]])|^([^\s"'[{#,]+)/gm;
  return [...value.matchAll(literals)].flatMap(([, ...texts]) => texts.filter((one) => one !== undefined));
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
  // Other keys may follow on the line, but a tuple of Python has no brackets.
  const literal = /^(["'`])[^"'`\n]*\1(?=[ \t]*(?:[}\]);\n]|$|,\s*(?!["'`])))/.exec(text)?.[0];
  if (literal !== undefined) return literal;
  const list = /^\n?(?:[ \t]*-[ \t].*(?:\n|$))+/.exec(text)?.[0];
  return list ?? text.slice(0, Math.max(0, text.search(/\n|$/)));
}

/** The file that a name leads to: a path, a path without its ending, or a module of Python. null: none of the project. */
function resolved(name: string, { from, root }: { from: string; root: string }): string | null {
  const plain = name.replace(/^<rootDir>\/?/, './').replace(/^file:/, '');
  if (plain === '' || plain.includes('\0')) return null;
  const [, dots, dotted] = /^(\.*)([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/.exec(plain) ?? [];
  // `..name` of Python is a module of the folder above.
  const module =
    dotted === undefined ? null : '../'.repeat(Math.max(0, (dots as string).length - 1)) + dotted.replaceAll('.', '/');
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
const sections = ['scripts', 'jest', 'mocha', 'ava', 'tap', 'vitest', 'nyc', 'c8', 'babel', 'nx', 'wireit'];

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
