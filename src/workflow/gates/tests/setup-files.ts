// Files that the configuration of a test runner names: setup files, preloaded modules, mocks, plugins, and modules that it imports. A
// change of one of them affects the meaning of a run, as a change of the configuration does.

import fs from 'node:fs';
import path from 'node:path';
import { markFiles, TreeError, type TreeScope } from '../../../git/file-tree.ts';
import type { RequiredRun } from '../../../model/requirement.ts';
import { belowOf, inside } from '../../../platform/path-text.ts';
import { readRegularText } from '../../../platform/read-file.ts';
import { GlobError, globScope } from '../globs.ts';
import {
  hasTestName,
  isSetup,
  isTestFile,
  modulesOf,
  otherKeys,
  type ProjectFiles,
  pathsIn,
  type StartText,
  startedPrograms,
  withJoinedPaths,
} from './programs.ts';
import { scriptTexts } from './runners.ts';
import { scriptReader } from './scripts.ts';

/** Configurations in which runners name further files, in the root and in the folders of the command. */
const configurations =
  /^(?:package\.json|\.npmrc|tsconfig[\w.-]*\.json|\.babelrc(?:\.\w+)?|(?:vite|vitest|jest|playwright|karma|ava|babel|node)\.(?:config|workspace|projects|conf)\.\w+|\.mocharc(?:\.\w+)?|mocha\.opts|\.taprc|bunfig\.toml|deno\.jsonc?|\.swcrc|pnpm-workspace\.yaml|build\.rs|\.?pytest\.ini|\.?pytest\.toml|pyproject\.toml|setup\.cfg|tox\.ini|conftest\.py|Cargo\.toml|\.rspec|phpunit(?:\.dist)?\.xml(?:\.dist)?|\.(?:nyc|c8)rc(?:\.\w+)?|nyc\.config\.\w+|\.env(?:\.[\w.-]+)?|pom\.xml|[\w.-]+\.gradle(?:\.kts)?|[\w.-]+\.(?:cs|fs|vb)proj|Directory\.\w+\.(?:props|targets)|[\w.-]+\.runsettings|mix\.exs|composer\.json|setup\.py|Rakefile|[\w-]+\.rake|(?:spec|rails|test)_helper\.(?:rb|exs)|Pest\.php)$/;
/** Files with variables, options or arguments that a command loads. They may name others. */
const namesFiles =
  /(?:^|\/)[\w.-]*\.env(?:\.[\w.-]+)?$|\.(?:args?|conf|cfg|gradle|ini|json[5c]?|opt(?:ion)?s?|properties|props|rc|runsettings|settings|targets|toml|txt|xml|ya?ml)$/;

const inFolders = ['.cargo/config.toml', '.cargo/config', '.config/nextest.toml', '.mvn/maven.config', '.mvn/jvm.config'];

/** Keys whose values are files, in the syntax of JSON, JavaScript, TOML or YAML, by the name of the configuration. */
const keys: readonly [of: RegExp, keys: RegExp][] = [
  [
    /./,
    keyed(
      'setupFiles(?:AfterEnv)?|globalSetup|globalTeardown|testEnvironment|environment|snapshotSerializers|snapshotResolver|resolver|runner|testRunner|reporters?|testResultsProcessor|transform|sequencer|testSequencer|dependencyExtractor|preset|require|import|importMap|loader|preload|pytest_plugins|env_files|script-shell|scriptShell|userconfig|globalconfig|pool|diff|snapshotEnvironment|customProviderModule|checker|execArgv',
    ),
  ],
  [/^(?!pyproject|bunfig|nextest)(?:.*\.toml|config)$/, keyed('build|include')],
  [/^composer\.json$/, keyed('autoload-dev')],
  [/^setup\.py$/, keyed('pytest11')],
];
/** Maps names of modules to files. Such a file may be a mock, or source that another package imports. */
const mapping = keyed('moduleNameMapper|alias|imports|paths');
const sourceFile = /(?:^|\/)(?:src|lib|app|source)\/|(?:^|\/)(?:index|lib|main|mod)\.\w+$/;
/** Folders with source of ExUnit. Those beside `lib` are for tests. */
const compiled = keyed('elixirc_paths(?:\\(:test\\), *do)?');
/** The section of an entry point that pytest loads, in TOML or in the syntax of setup.cfg. */
const plugins = /^\[[^\]\n]*\bpytest11["']?\]|^pytest11[ \t]*=[ \t]*$/gm;
const plugin = /^[ \t]*["']?[\w.-]+["']?[ \t]*=[ \t]*["']?([\w.]+)/gm;
/** Sections about tests in the configurations of Python that also describe the package. */
const pythonSection = /pytest|tox|nox|hatch\.envs|\b(?:poe|pdm\.scripts|taskipy|coverage:run|coverage\.run)\b/;
/** Their positional words are test files. */
const argumentFile = /^(?:mocha\.opts|Rakefile|.*\.rake|\.rspec.*|tox\.ini|\.?pytest\.\w+|pyproject\.toml|setup\.cfg)$/;
/** Configurations of languages, in which words are also names of source. Only keys count. */
const language = /^(?:Cargo\.toml|composer\.json)$|\.(?:py|rs|rb|php)$|_helper\.exs$/;
const followed = /\.(?:[cm]?[jt]sx?|rb|php|exs)$/;
/** Keys whose values are further configurations. */
const configurationKeys = keyed('extends|projects|workspace');
/** Options of a command line, also in a script or in addopts. */
const options =
  /(?:^|[\s"'=])(?:-r|-p|-c|-s|-gs|--(?:require|import|loader|experimental-loader|preload|config|setup-files|setupFiles(?:AfterEnv)?|globalSetup|setup|file|rootdir|settings|global-settings|env-file(?:-if-exists)?|projects|test-global-setup|test-reporter|experimental-config-file|(?:[\w.]+\.)?(?:pool|diff|snapshotEnvironment|customProviderModule|checker|tsconfig|workspace|env))|(?:require|import|loader)(?=[ =]\.))[ =\n]+["']?([^\s"',\]]+)/gm;
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
const attributes = /\bbootstrap\s*=\s*"([^"]+)"|<(?:relativePath|suiteXmlFile|includesFile|excludesFile)>\s*([^<>\s]+)\s*</g;
/** A class that PHPUnit loads as an extension, or a listener of tests of Java. */
const classes =
  /<(?:extension|bootstrap|listener)\s[^>]{0,300}?\bclass(?:-name)?="([^"]+)"|<name>listener<\/name>\s*<value>([^<]+)</g;

const endings = ['', '.js', '.ts', '.mjs', '.cjs', '.mts', '.cts', '.jsx', '.tsx', '.json', '.py', '.rb', '.php', '.rs'];
const indexes = ['/index.js', '/index.ts', '/__init__.py', '/mod.rs'];
/** Folders of a command line: npm's workspaces and prefixes, make's and pnpm's folders. */
const folderOptions = /(?:^|\s)(?:-w|-C|--workspace|--prefix|--dir|--cwd|--directory)[ =]+["']?([^\s"']+)/g;

const maxBytes = 1_048_576;
/** Longest value of a key that is read, in characters. */
const maxValue = 20_000;
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
/** Most names that are looked up, from all configurations. Each takes some 20 looks into the file system. */
const maxNames = 20_000;
/** Most globs that are compared with every file of the project. */
const maxGlobs = 200;
/** Most characters that are read, of all configurations and programs. */
const maxTotal = 8 * 1_048_576;

/** A name beyond a limit could be that of a setup file, so the result of the run cannot be relied on. */
function tooMuch(what: string): TreeError {
  return new TreeError(
    `${what}, so Modes cannot find every file that affects the tests. Let a person shorten it, or use another check in this gate`,
  );
}

/**
 * The files, relative to the root.
 * @throws {TreeError} if a folder cannot be read, or if there is more to look up than a limit allows
 */
export function setupFiles(root: string, { command, in: folder }: RunCommand): Set<string> {
  const named = [...command.matchAll(folderOptions)].map(([, name]) => name as string);
  const start = path.resolve(root, folder ?? '.');
  const folders = new Set([root, start, ...named.map((name) => path.resolve(start, name))].filter((one) => inside(one, root)));
  const found = new Set<string>();
  const waiting: { file: string; from: string }[] = [];
  const names = projectNames(root);
  const looked = new Map<string, readonly string[]>();
  const others = new Map<string, readonly string[]>();
  const find = (name: string, from: string, isPath = false): string | null => {
    if (!mayName(names, name)) return null;
    const key = JSON.stringify([from, name, isPath]);
    const [first = null, ...more] = looked.get(key) ?? resolved(name, { names, from, root, isPath });
    looked.set(key, first === null ? [] : [first, ...more]);
    if (first !== null && more.length > 0) others.set(first, more);
    if (looked.size > maxNames) throw tooMuch(`the project's configurations name more than ${maxNames} files`);
    return first;
  };
  const read = new Map<string, string>();
  let bytes = 0;
  let globs = 0;
  const textOf = (file: string): string => {
    const known = read.get(file);
    if (known !== undefined) return known;
    const text = configurationText(file);
    read.set(file, text);
    bytes += text.length;
    if (bytes > maxTotal)
      throw tooMuch(`the project's configurations and test programs are larger than ${maxTotal / 1_048_576} MB`);
    return text;
  };
  const files: ProjectFiles = {
    find: (name, base, isPath) => find(name, path.join(root, base), isPath),
    match: (glob, base) => {
      if (++globs > maxGlobs) throw tooMuch(`the project's configurations name more than ${maxGlobs} globs`);
      return matching(names, path.posix.join(base, glob));
    },
    read: (file) => textOf(path.join(root, file)),
    visited: new Set(),
  };
  const add = (file: string | null): string | null => {
    if (file !== null) found.add(file);
    return file;
  };
  /** Build scripts, plugins of pytest and included configurations import others, and a setup file loads modules beside it. */
  const follow = (name: string | null, from: string): void => {
    if (name === null) return;
    if (!followed.test(name)) waiting.push({ file: path.join(root, name), from });
    else for (const module of modulesOf(name, files)) found.add(module);
  };
  const addNamed = (file: string, from: string): void => {
    const config = path.basename(file);
    if (configurations.test(config) && sizeOf(file) > maxBytes)
      throw tooMuch(`${path.relative(root, file)} has more than ${maxBytes} bytes`);
    const whole = textOf(file);
    const text = withJoinedPaths(whole);
    const paths = pathsIn(generalText(config, text));
    const isTest = argumentFile.test(config) ? isTestFile : hasTestName;
    // A module that a configuration imports names files as the configuration does, or relative to itself. Python searches the root too.
    const searched = valuesOf(text, keyed('pythonpath')).flatMap((value) => value.split(/[\s"',[\]]+/));
    const also = [
      ...(file.endsWith('.py') ? [root] : []),
      ...[...(config.startsWith('.rspec') ? ['spec'] : []), ...searched].map((one) => path.join(from, one)),
    ];
    for (const base of new Set([from, path.dirname(file), ...also])) {
      for (const name of namesIn(text, config)) follow(add(find(name, base)), from);
      for (const name of paths) {
        const one = find(name, base, true);
        if (one !== null && isSetup(one) && !isTest(one)) follow(add(one), from);
      }
      for (const name of configurationsIn(text, file)) {
        const module = add(find(name, base));
        if (module !== null) waiting.push({ file: path.join(root, module), from });
      }
    }
    for (const name of classesIn(text))
      for (const one of names.byTail.get(name) ?? []) if (/\.(?:php|java|kt|groovy|scala)$/.test(one)) found.add(one);
    for (const folder of valuesOf(text, compiled).flatMap(literalsIn))
      for (const one of matching(names, `${path.relative(root, path.resolve(from, folder))}/**`))
        if (isSetup(one) && !hasTestName(one)) found.add(one);
    if (/\.(?:rb|php|exs)$/.test(config)) follow(path.relative(root, file), from);
  };
  for (const name of namesInOptions(command)) follow(add(find(name, start)), start);
  const relative = (bases: Iterable<string>) => [...bases].map((base) => path.relative(root, base) || '.');
  const bases = relative(folders);
  const texts: StartText[] = scriptTexts(command, scriptReader(root, folder)).map((text) => ({ text, bases }));
  texts.push({ text: command, bases, isCommand: true });
  const everywhere = new Set([...folders, ...names.configured]);
  // The command can run the tests of any package of a workspace.
  if (packageManager.test(command))
    for (const from of everywhere)
      for (const text of scriptTexts('npm test', scriptReader(from, null))) texts.push({ text, bases: relative([from]) });
  for (const file of startedPrograms(texts, files)) {
    found.add(file);
    const isList = namesFiles.test(file) || (!path.basename(file).includes('.') && !files.read(file).startsWith('#!'));
    if (isList || followed.test(file)) follow(file, start);
  }
  for (const from of everywhere)
    for (const config of [...entriesOf(from).filter((entry) => configurations.test(entry)), ...inFolders])
      waiting.push({ file: path.join(from, config), from });
  const done = new Set<string>();
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (!done.has(at.file)) addNamed(at.file, at.from);
    done.add(at.file);
  }
  for (const file of found) for (const other of others.get(file) ?? []) found.add(other);
  return found;
}

/** The files of a project by the name under which a configuration can have them: without an ending, or as their folder. */
interface ProjectNames {
  byTail: ReadonlyMap<string, readonly string[]>;
  all: ReadonlySet<string>;
  /** By the form of the name that `folded` returns. */
  folded: ReadonlyMap<string, string>;
  /** Folders that have a configuration, for example those of the packages of a workspace. */
  configured: ReadonlySet<string>;
}

function projectNames(root: string): ProjectNames {
  const all = new Set<string>();
  const byFolded = new Map<string, string>();
  const byTail = new Map<string, string[]>();
  const configured = new Set<string>();
  const add = (tail: string, name: string): void => {
    const key = folded(tail);
    const same = byTail.get(key);
    if (same === undefined) byTail.set(key, [name]);
    else same.push(name);
  };
  const file = (name: string): boolean => {
    all.add(name);
    byFolded.set(folded(name), name);
    const base = path.posix.basename(name);
    add(base, name);
    if (base.includes('.')) add(base.replace(/\.\w+$/, ''), name);
    if (/^(?:index|__init__|mod)\./.test(base)) add(path.posix.basename(path.posix.dirname(name)), name);
    if (configurations.test(base)) configured.add(path.dirname(path.join(root, name)));
    return false;
  };
  markFiles(root, { folder: () => true, meant: () => false, file });
  return { byTail, all, folded: byFolded, configured };
}

/** Some file systems do not distinguish upper and lower case, or forms of the same letter. */
const folded = (name: string): string => name.normalize('NFC').toLowerCase();

function mayName({ byTail }: ProjectNames, name: string): boolean {
  const tail = folded(/[^/\\]*\/?$/.exec(name)?.[0].replace(/\/$/, '') ?? '');
  if (/^\.*$/.test(tail)) return true;
  return byTail.has(tail) || byTail.has(tail.slice(tail.lastIndexOf('.') + 1));
}

function matching({ all }: ProjectNames, glob: string): string[] {
  if (glob.startsWith('../')) return [];
  try {
    const { file } = globScope([`/${glob}`], true, '/');
    return [...all].filter((name) => file(name));
  } catch (error) {
    // Not a glob that Modes can read.
    if (error instanceof GlobError) return [];
    throw error;
  }
}

/** The same as a scope. */
export function setupScope(root: string, of: RunCommand): TreeScope {
  const files = setupFiles(root, of);
  return { file: (name) => files.has(name), folder: () => files.size > 0, meant: (name) => files.has(name) };
}

/** The part of a configuration in which every path counts. */
function generalText(config: string, text: string): string {
  if (config === 'package.json') return withoutOthers(text.replace(/^ "scripts": \{[\s\S]*?^ \},?$/m, ''));
  if (language.test(config)) return '';
  if (config.startsWith('phpunit')) {
    const parts = text.split(phpunitOthers);
    return withoutOthers(parts.filter((_, at) => at % 2 === 0 && parts[at - 1]?.startsWith('</') !== false).join('\n'));
  }
  if (argumentFile.test(config) && config !== 'pyproject.toml' && config !== 'setup.cfg')
    return withoutOthers(linesWithoutLinters(text));
  if (!/^(?:pyproject\.toml|setup\.cfg)$/.test(config)) return withoutOthers(text);
  const sections = text.split(/^(?=\[)/m).filter((one) => pythonSection.test(one.split('\n', 1)[0] as string));
  return withoutOthers(linesWithoutLinters(sections.join('\n')));
}

const linesWithoutLinters = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !linter.test(line))
    .join('\n');

/** Without the values of keys that are about the source, the tests, or results. */
function withoutOthers(text: string): string {
  return [otherKeys, mapping].reduce(without, text);
}

/** Without the values of these keys. */
function without(text: string, expression: RegExp): string {
  let plain = '';
  let end = 0;
  for (const { index, 0: head } of text.matchAll(expression)) {
    if (index < end) continue;
    const after = text.slice(index + head.length, index + head.length + maxValue);
    plain += text.slice(end, index);
    // The value of an option ends at a space, that of an element at its end. Another key may follow a number or word.
    const short = text[index - 1] === '-' ? /^\S+/ : head.endsWith('>') ? /^[^<]*/ : /^[\w.]+(?=\s*[,}\n])/;
    end = index + head.length + (short.exec(after)?.[0] ?? valueAt(after)).length;
  }
  return plain + text.slice(end);
}

/** Elements of PHPUnit that name source, tests and results. */
const phpunitOthers = /(<\/?(?:coverage|filter|logging|source|testsuites)\b)/;
/** Programs that read the source, in a line of tox or of another tool. */
const linter = /\b(?:black|flake8|isort|mypy|pylint|pyright|ruff)\b/;

/** The names of the classes that a runner loads by their names, as names of files. */
function classesIn(text: string): string[] {
  const named = [...text.matchAll(classes)].flatMap(([, one, other]) => ((one ?? other) as string).split(/[\s,]+/));
  return named.map((name) => folded(name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf('\\')) + 1)));
}

/** Every literal that a configuration names under one of the keys, as an option, or as an attribute. */
function namesIn(text: string, config: string): string[] {
  return [
    ...keys.flatMap(([of, expression]) =>
      of.test(config)
        ? valuesOf(text, expression).flatMap((value) =>
            literalsIn(config === 'composer.json' ? value : without(value, otherKeys)),
          )
        : [],
    ),
    ...valuesOf(text, mapping)
      .flatMap(literalsIn)
      .filter((name) => /[./]/.test(name) && !sourceFile.test(name)),
    ...namesInOptions(text),
    ...[...text.matchAll(attributes)].map(([, name, element]) => (name ?? element) as string),
    ...limited(text.matchAll(plugins), maxValues).flatMap(({ index, 0: head }) => {
      const after = text.slice(index + head.length, index + head.length + maxValue);
      const [section = ''] = after.split(head.startsWith('[') ? /^\[/m : /^\S/m);
      return [...section.matchAll(plugin)].map(([, module]) => module as string);
    }),
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
    valueAt(text.slice(index + head.length, index + head.length + maxValue), text.length > index + head.length + maxValue);
  const values = limited(text.matchAll(expression), maxValues).map(valueAfter);
  const names = new Set(values.flatMap((value) => [...value.matchAll(identifier)].map(([name]) => name)));
  if (names.size === 0) return values;
  const constants = [...text.matchAll(constant)].filter(([, name]) => names.has(name as string));
  return [...values, ...limited(constants, maxConstants).map(valueAfter)];
}

function limited<T>(values: Iterable<T>, most: number): T[] {
  const list = [...values];
  if (list.length > most) throw tooMuch(`a configuration has more than ${most} values of a key`);
  return list;
}

function literalsIn(value: string): string[] {
  const literals =
    /"([^"\n]+)"|'([^'\n]+)'|`([^`\n$]+)`|^[ \t]*-[ \t]+([^\s"'#]+)|(?![\s"'`,[\]{}])(?<=[[,]\s*)([^\s"'`,[\]{}]+)(?=\s*[,\]])|^([^\s"'[{#,]+)/gm;
  return [...value.matchAll(literals)].flatMap(([, ...texts]) => texts.filter((one) => one !== undefined));
}

const namesInOptions = (text: string): string[] => [...text.matchAll(options)].map(([, name]) => name as string);

/** The value at the beginning of a text: a bracketed one up to its bracket, a list of YAML, or the rest of the line. */
function valueAt(text: string, isCut = false): string {
  const close = { '[': ']', '{': '}', '(': ')' }[text[0] ?? ''];
  if (close !== undefined) {
    let depth = 0;
    for (let at = 0; at < text.length; at++) {
      if (text[at] === text[0]) depth++;
      else if (text[at] === close && --depth === 0) return text.slice(0, at + 1);
    }
    if (isCut) throw tooMuch(`a value in a configuration has more than ${maxValue} characters`);
    return text;
  }
  // Other keys may follow on the line, but a tuple of Python has no brackets.
  const literal = /^(["'`])[^"'`\n]*\1(?=[ \t]*(?:[}\]);\n]|$|,\s*(?!["'`])))/.exec(text)?.[0];
  if (literal !== undefined) return literal;
  const list = /^\n?(?:[ \t]*-[ \t].*(?:\n|$))+/.exec(text)?.[0];
  return list ?? text.slice(0, Math.max(0, text.search(/\n|$/)));
}

/**
 * The files that a name can lead to: a path, a path without its ending, or a module of Python. Runners try endings in different orders.
 * @param isPath no module of Python, and no folder
 */
function resolved(
  name: string,
  { names, from, root, isPath }: { names: ProjectNames; from: string; root: string; isPath: boolean },
): string[] {
  const plain = name.replace(/^<rootDir>\/?/, './').replace(/^file:|^[\w.-]+\s*=\s*(?=[\w.]+$)/, '');
  if (plain === '' || plain.includes('\0')) return [];
  const [, dots, dotted] = /^(\.*)([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)$/.exec(plain) ?? [];
  // `..name` of Python is a module of the folder above.
  const module =
    dotted === undefined || isPath ? null : '../'.repeat(Math.max(0, (dots as string).length - 1)) + dotted.replaceAll('.', '/');
  const candidates = [plain, ...(module === null ? [] : [module])].flatMap((base) =>
    (isPath ? (name.includes('/') ? endings : ['']) : [...endings, ...indexes]).map((end) => base + end),
  );
  const found = candidates.flatMap((candidate) => {
    const file = path.resolve(from, candidate);
    const below = inside(file, root) ? belowOf(file, root) : '';
    const known = names.all.has(below) ? below : names.folded.get(folded(below));
    return known !== undefined && isFile(file) ? known : [];
  });
  return [...new Set(found)];
}

function isFile(file: string): boolean {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  } catch {
    // A link to itself, for example. A runner cannot read it either.
    return false;
  }
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
const sections = ['scripts', 'jest', 'mocha', 'ava', 'tap', 'vitest', 'nyc', 'c8', 'babel', 'nx', 'wireit', 'imports'];

/** '' if the file cannot be read: the file itself is guarded, so its change is seen. */
/** 0 if it cannot be read. */
function sizeOf(file: string): number {
  try {
    return fs.statSync(file).size;
  } catch {
    return 0;
  }
}

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
