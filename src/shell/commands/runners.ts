// Interpreters, compilers, test runners, and other programs that run code of the project.
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { isPlain } from '../languages/plain.ts';
import { MODULE } from '../loads.ts';
import { has, type OptionTable, table } from '../options.ts';
import { wordOfOptions } from './binutils.ts';
import { ASKS_AND_RUNS, installing, installs, looks, RUNS, sentFile } from './verbs.ts';

/** Version options differ between programs: `ninja -v` builds, and `swift -v` runs its standard input. */
const VERSION = '--version';

function runs(text: string) {
  return (call: CommandCall) => call.is('runs', `${call.name} ${text}`);
}

/** With -n and -p, these read the lines of the files after the program text. */
const LINES = /^(?:perl5?|j?ruby)$/;

function readLines(call: CommandCall, words: readonly Arg[]) {
  const isOption = (word: Arg | undefined) => /^-./.test(word?.lead ?? '');
  if (!words.some((word) => /^-[A-Za-z0-9]*[np]/.test(word.lead))) return;
  words.forEach((word, i) => {
    // The word after -e is the program text.
    if (!isOption(word) && !/^-[A-Za-z0-9.]*[eE]$/.test(words[i - 1]?.lead ?? '')) call.read(word, call.name);
  });
}

/** Interpreters. A file is project code. Program text in the words or on standard input is not analyzed. */
function interpreter(call: CommandCall, inline: RegExp, valued: RegExp) {
  const rest = call.rest;
  for (let i = 0; i < rest.length; i++) {
    const a = rest[i]!;
    const text = a.literal;
    if (text === null) return call.unknown(`the program that ${call.name} runs is unknown`, a);
    if (text === '-') {
      call.opaqueInput();
      if (runsPlainInput(call)) return;
      return call.unknown(`${call.name} runs its standard input`, a);
    }
    if (inline.test(text)) {
      call.opaque(...rest.slice(i));
      if (LINES.test(call.name)) readLines(call, rest);
      const isKnown = isPlain(
        call.name,
        rest.map((word) => word.literal),
        null,
      );
      if (isKnown) call.tag('checks');
      if (isKnown) return call.is('runs', `${call.name} ${text.slice(0, 24)} runs a program text`, a);
      return call.unknown(`${call.name} ${text.slice(0, 24)} runs a program text that is not analyzed`, a);
    }
    if (!text.startsWith('-')) {
      call.read(a, call.name);
      if (/^\/(?:dev|proc)\//.test(text)) return call.unknown(`${call.name} runs the text that it reads from ${text}`, a);
      return call.is('runs', `${call.name} runs ${text}`, a);
    }
    if (text === '--') continue;
    if (valued.test(text)) {
      if (i + 1 < rest.length) i++;
    }
  }
  call.opaqueInput();
  if (!runsPlainInput(call)) call.unknown(`${call.name} runs its standard input`);
}

/** A program text on standard input that is known in full and plain. */
function runsPlainInput(call: CommandCall): boolean {
  const text = 'text' in call.stdin && call.stdin.isAll === true ? call.stdin.text : undefined;
  const words = call.rest.filter(({ literal }) => literal !== '-').map(({ literal }) => literal);
  if (text === undefined || !isPlain(call.name, words, text)) return false;
  call.tag('checks');
  call.is('runs', `${call.name} runs the program text on its standard input`);
  return true;
}

/** Compiles its first word and runs nothing. A URL scheme at the beginning of the word may open an archive. */
function phpLint(call: CommandCall) {
  for (const o of call.rest.slice(1)) {
    const isFile = !/^-|^$|:/.test(o.lead) && (o.literal !== null || o.below !== null || o.lead.includes('/'));
    if (isFile) call.read(o, 'php -l');
    else call.unknown(`the file that php -l checks is unknown`, o);
  }
}

/** Its settings only determine the layout of the text. */
function clangFormat(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['single-dash']);
  call.accept(given);
  const word = wordOfOptions(call);
  if (word) call.unknown(`${word.text || 'a word'} may name a file of options`, word);
  for (const { name, value } of given.options) if (name === 'style') sentFile(call, value!, /^file:/);
  for (const o of given.operands) {
    if (has(given, 'i')) call.write(o, 'clang-format -i', { why: 'clang-format -i rewrites its files' });
    else if (o.literal !== '-') call.read(o, call.name);
  }
}

/** With -p it only parses. */
function luac(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'p')) call.unknown('luac without -p writes a compiled file');
  for (const o of given.operands) if (o.literal !== '-') call.read(o, 'luac');
}

const JSON_TOOL = table('--indent: --sort-keys --no-ensure-ascii --json-lines --compact --tab --no-indent -h --help');
const PIP = table(
  '-o -u -e -l -f -q -v -h -V -a --outdated --uptodate --editable --include-editable --exclude-editable --local --user --format: --not-required --exclude: --all --pre --files --json --quiet --verbose --help --version --disable-pip-version-check --no-color --no-input',
);

/** Modules that change nothing if Python runs its own version. A file in the folder with the same name takes precedence. */
const MODULES: Record<string, (call: CommandCall, isIsolated: boolean) => void> = {
  'json.tool'(call, isIsolated) {
    const given = call.parse(JSON_TOOL);
    call.accept(given);
    const [from, to] = given.operands;
    if (from && from.literal !== '-') call.read(from, call.name);
    if (to && to.literal !== '-') call.write(to, call.name, { why: 'json.tool writes its second file' });
    if (given.operands.some((o) => o.several) || given.operands.length > 2)
      call.unknown('the number of files of json.tool is unknown', given.operands[0]);
    if (!isIsolated) call.loads([MODULE]);
  },
  pip(call, isIsolated) {
    const given = call.parse(PIP);
    call.accept(given);
    const words = given.operands.map((o) => o.literal ?? '?').join(' ');
    if (
      !/^(?:list|freeze|show|check|inspect|debug|help|config (?:list|get|debug)|cache (?:dir|info|list)|index versions|$)(?= |$)/.test(
        words,
      )
    )
      return installing(call);
    if (words === '' && !has(given, 'h', 'help', 'V', 'version')) call.unknown('pip without a command is not understood');
    if (/^index/.test(words) || has(given, 'o', 'outdated', 'u', 'uptodate')) call.queries();
    if (!isIsolated) call.loads([MODULE]);
  },
};

function python(call: CommandCall) {
  const words = call.rest.map((a) => a.literal);
  const m = words.findIndex((w) => w !== null && /^-[A-Za-z]*m$/.test(w));
  const firstFile = words.findIndex((w) => w === null || !w.startsWith('-'));
  if (m >= 0 && (firstFile < 0 || m < firstFile)) {
    const module = words[m + 1];
    if (module == null) return call.unknown('the module is unknown');
    const flags = words.slice(0, m + 1).join(' ');
    if (/^-[BEIPsSuqm]+(?: -[BEIPsSuqm]+)*$/.test(flags) && Object.hasOwn(MODULES, module)) {
      call.args = call.args.slice(m + 2);
      call.name = `${call.name} -m ${module}`;
      // In isolated mode, Python does not search the current folder for modules.
      return MODULES[module]!(call, flags.includes('I'));
    }
    return call.is('runs', `${call.name} -m runs the module ${module}, which the folder may provide`);
  }
  interpreter(call, /^-[A-Za-z]*c/, /^-[A-Za-z]*[WXQ]$/);
}

function node(call: CommandCall, t: OptionTable) {
  const words = call.rest.map((a) => a.literal);
  if (words.length === 2 && (words[0] === '--check' || words[0] === '-c') && words[1] !== null && !words[1]!.startsWith('-'))
    return call.read(call.rest[1]!, 'node');
  // A pattern such as test/*.test.js is no option.
  const areKnown = call.rest.every((a) => a.literal !== null || (a.pattern && /^[\w.]/.test(a.lead)));
  if (words.some((w) => w !== null && /^--(?:test|run|watch)(?:=|$)/.test(w)) && areKnown)
    return call.is('runs', 'node runs tests or scripts of the project');
  void t;
  interpreter(
    call,
    /^(?:-[a-z]*[ep]$|-[a-z]*[ep]=|--eval|--print|-pe)/,
    /^(?:-r|-C|--require|--import|--loader|--experimental-loader|--conditions|--env-file|--input-type|--title|--(?:snapshot-blob|experimental-sea-config|build-sea|redirect-warnings|diagnostic-dir|report-(?:dir|directory|filename)|(?:cpu|heap)-prof-(?:dir|name|interval)|trace-event-file-pattern|trace-event-categories|tls-keylog|icu-data-dir|openssl-config|test-reporter(?:-destination)?))$/,
  );
}

function tsc(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  const ok = call.accept(given);
  call.roles(given);
  if (has(given, 'v', 'version', 'h', 'help', 'all')) return;
  for (const o of given.operands) {
    if (o.lead.startsWith('@')) call.unknown('tsc reads options from a file', o);
    else call.read(o, 'tsc');
  }
  if (!ok) return;
  if (given.operands.some((o) => /^(?:false|null|true)$/i.test(o.literal ?? '')))
    return call.unknown('tsc reads the word after a switch as its value');
  // tsconfig.json may request a build record. It is only ignored if the command line contains files.
  const noEmit = given.options.some((o) => o.name.toLowerCase() === 'noemit') || has(given, 'showConfig', 'listFilesOnly');
  if (!noEmit || given.operands.length === 0 || has(given, 'p', 'project'))
    call.is('runs', 'tsc builds the project as its settings say');
}

/** Names of files, and options that neither load a plugin nor name another file to write. The linker has more of them. */
const COMPILES =
  /^(?:[^-@].*|-(?:c|S|E|g\w*|O\w*|W(?![alp],)[\w=+-]*|std=[\w+]+|[IDUL].*|l\w+|pthread|pedantic|ansi|shared|static|fPIC|fsanitize=[\w,]+|x|m[\w=+-]+|o))$/;

/** Alone, options such as `-print-file-name` only print a path that the compiler would use. */
function compiler(call: CommandCall) {
  const [word, more] = call.rest;
  const says = !more && /^--?print-(?:file|prog)-name=[\w.+-]+$/.test(word?.literal ?? '');
  const isCompiler = !/^(?:cpp|ld|as|ghci)$/.test(call.name);
  if (isCompiler && word && call.rest.every(({ literal }) => COMPILES.test(literal ?? '@')))
    call.is('runs', `${call.name} writes compiled files`);
  else if (!says || !isCompiler) call.unknown(`${call.name} writes files or runs plugins`);
  const out = call.rest.findIndex((one) => one.literal === '-o');
  if (out !== -1 && call.rest[out + 1]?.literal) call.write(call.rest[out + 1]!, `${call.name} -o`);
}

function perl(call: CommandCall) {
  interpreter(call, /^-[a-zA-Z0-9]*[eEnpiMmdIDSsxu]/, /^$/);
}

/** Lists recipes, or shows one. A word after the option is a recipe that runs. Recipe files can also be in parent folders. */
function just(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['posix']);
  call.accept(given);
  call.roles(given);
  const isShown = has(given, 'l', 'list', 's', 'show', 'summary', 'groups', 'dump');
  if (!isShown || given.operands.length > 0) return make(call);
  if (!has(given, 'f', 'justfile'))
    for (const file of ['justfile', 'Justfile', '.justfile']) call.read(call.args[0]!.as(file), 'just');
}

/** Only checks if one of these options is given. Otherwise it rewrites files as the settings of the project specify. */
const checks =
  (...names: string[]) =>
  (call: CommandCall, t: OptionTable) => {
    const given = call.parse(t);
    call.accept(given);
    if (!has(given, ...names)) call.is('runs', `${call.name} rewrites files of the project`);
    for (const o of given.operands) if (o.literal !== '-') call.read(o, call.name, { extent: 'within' });
  };

function ruff(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const isCheckOnly = call.name.endsWith('format') ? has(given, 'check', 'diff') : has(given, 'no-fix', 'isolated');
  if (!isCheckOnly || !has(given, 'n', 'no-cache'))
    call.is('runs', `${call.name} may rewrite files and keeps a cache in the project`);
  for (const o of given.operands) if (o.literal !== '-') call.read(o, call.name, { extent: 'within' });
}

/** Options that print the cache of a build folder. With -N, cmake neither configures nor generates anything. */
const SHOWS_CACHE = /^-(?:N|LA?H?)$/;

function showsCache({ name, rest }: CommandCall): boolean {
  if (name !== 'cmake' || !rest.some((word) => word.literal === '-N')) return false;
  const others = rest.filter((word) => !SHOWS_CACHE.test(word.literal ?? ''));
  return others.length < rest.length - 1 && others.length <= 1 && others.every((word) => /^[^-]/.test(word.literal ?? ''));
}

function make(call: CommandCall) {
  if (showsCache(call)) {
    const folder = call.rest.find((word) => !SHOWS_CACHE.test(word.literal ?? ''));
    if (folder) return call.read(folder, call.name, { extent: 'within' });
    return call.readHere(call.name, { extent: 'deep' });
  }
  call.opaqueInput();
  call.is('runs', `${call.name} runs recipes of the project${/make$/.test(call.name) ? ', some even with -n' : ''}`);
  const [first, tool, ...words] = call.rest;
  if (call.name !== 'cmake' || first?.literal !== '-E') return;
  const from = tool?.literal === 'chdir' ? words.slice(1) : /^(?:env|time)$/.test(tool?.literal ?? '') ? words : [];
  const at = from.findIndex(({ lead }) => !/^(?:--?[\w-]+|[A-Za-z_]\w*=.*)/s.test(lead));
  if (at !== -1) call.host.runWords(from.slice(at), call.freshState(), call.at, call.stdin);
}

export const runners: CommandEntry[] = [
  {
    names: 'python python3 python2 pypy pypy3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14',
    version: '--version -V -VV --help -h',
    handle: python,
    examples: {
      'python3 --version': 'read-only',
      'python3 --help': 'read-only',
      'python3 a.py': 'runs',
      "python3 -c 'x'": 'runs',
      'python3 -c \'import os; os.remove("x")\'': 'unknown',
      'python3 < a.py': 'unknown',
      'python3 -m pytest': 'runs',
      'python3 -I -m json.tool a.json': 'read-only',
      'python3 -Im json.tool a.json b.json': 'writes',
      'python3 -I -m pip show x': 'read-only',
      'python3 -m json.tool a.json': 'runs',
      'cat a.json | python3 -m json.tool --sort-keys': 'runs',
      'python3 -m json.tool a.json b.json': 'runs',
      'python3 -m json.tool *.json': 'unknown',
      'python3 -m json.tool $x': 'unknown',
      'python3 -X dev -m json.tool a': 'runs',
      'python3 -m pip list': 'runs',
      'python3 -m pip install x': 'runs',
      'python3 -m pip list --log f': 'unknown',
      'python3 -m http.server': 'runs',
    },
  },
  { names: 'ipython', version: '--version', traits: ['loads-project-code'], handle: runs('runs code') },
  {
    // Templates of nbconvert in the current folder are code.
    names: 'jupyter',
    version: '--version',
    traits: ['loads-project-code'],
    verbs: { 'nbconvert|notebook|lab|execute|run|troubleshoot|trust|server|console|kernelspec': RUNS },
    handle: runs('runs code'),
    examples: {
      'jupyter nbconvert --to script a.ipynb --stdout': 'runs',
      'jupyter lab': 'runs',
      'jupyter kernelspec list': 'runs',
    },
  },
  {
    names: 'dvc',
    version: '--version version',
    verbs: {
      'status|diff|dag|list|ls|root|doctor|data status|metrics show|metrics diff|params diff|plots show|plots diff|remote list|stage list|exp show|exp list|exp diff':
        RUNS,
    },
    examples: { 'dvc status': 'runs', 'dvc metrics show': 'runs', 'dvc push': 'unknown', 'dvc checkout': 'unknown' },
  },
  {
    // It loads the packages of the project, and asks a service for known faults.
    names: 'govulncheck',
    class: 'runs',
    network: 'read',
    traits: ['any-option'],
    handle: runs('runs with code or settings of the project and may write'),
    examples: { 'govulncheck ./...': 'runs' },
  },
  {
    names: 'coverage',
    version: '--version',
    verbs: {
      'report|html|xml|json|lcov|combine': RUNS,
      run: {
        class: 'runs',
        handle(call) {
          const words = call.rest.map(({ literal }) => literal);
          // Another module may be pip, or anything else.
          const program = words.find((word) => word !== null && !/^-/.test(word)) ?? '';
          if (words.includes('-m') && !/^(?:pytest|unittest|nose2|django)$/.test(program))
            return call.unknown('coverage run -m runs a module that is not known');
          call.starts(call.rest);
          call.is('runs', 'coverage run runs code of the project');
        },
      },
    },
    examples: {
      'coverage run -m pytest': 'runs',
      'coverage run --branch manage.py test': 'runs',
      'coverage run -m pip install x': 'unknown',
      'coverage run --rcfile=$X -m pytest': 'runs',
      'coverage erase': 'unknown',
    },
  },
  {
    names: 'node nodejs',
    // A shim of Volta runs the hooks of the project.
    loads: '.volta/hooks.json',
    version: '--version -v --help -h --v8-options',
    handle: node,
    examples: {
      'node --check a.js': 'read-only',
      'node --v8-options': 'read-only',
      'node --help a.js': 'runs',
      'node a.js': 'runs',
      "node -e '1'": 'runs',
      'node -e \'fs.writeFileSync("x", 1)\'': 'unknown',
      'node -r ./a.js --check b.js': 'runs',
      'node --test': 'runs',
    },
  },
  {
    names: 'tsx ts-node babel-node swc-node esno',
    version: `${VERSION} -v=tsx,ts-node,esno -V=babel-node`,
    handle: (call) => interpreter(call, /^(?:-e|-p|-pe|--eval|--print)/, /^(?:-r|--require|--import|-P|--project|--tsconfig)$/),
  },
  {
    names: 'tsc vue-tsc',
    options:
      '-v -h -p: --version --help --all --noEmit --noemit --project: --strict? --skipLibCheck? --pretty? --target: --module: --moduleResolution: --lib: --jsx: --esModuleInterop? --allowJs? --checkJs? --allowSyntheticDefaultImports? --resolveJsonModule? --isolatedModules? --noUnusedLocals? --noUnusedParameters? --noImplicitAny? --strictNullChecks? --types: --typeRoots: --baseUrl: --listFiles --listFilesOnly --showConfig --traceResolution --extendedDiagnostics --diagnostics --explainFiles --noErrorTruncation --allowImportingTsExtensions --experimentalDecorators --downlevelIteration',
    handle: tsc,
    examples: {
      'tsc --noEmit src/util.ts': 'read-only',
      'tsc --noEmit --generateTrace d a.ts': 'unknown',
      'tsc --init': 'unknown',
      'tsc --noEmit': 'runs',
      tsc: 'runs',
    },
  },
  {
    names: 'perl perl5',
    version: '--version -v -V',
    handle: perl,
    examples: {
      'perl -v': 'read-only',
      'perl a.pl --version': 'runs',
      "perl -pi -e 's/a/b/' f": 'runs',
      'perl -e \'unlink "f"\'': 'unknown',
      'perl -c a.pl': 'runs',
    },
  },
  // jruby always applies JVM options from a file in the folder.
  {
    names: 'ruby jruby',
    version: '--version=ruby -v=ruby',
    handle: (call) => interpreter(call, /^-(?!I)[a-zA-Z]*[enpirSx]/, /^-I$/),
  },
  {
    names: 'php',
    version: '--version -v -m -i --ini --help -h',
    handle(call) {
      if (call.args[1]?.literal === '-l') phpLint(call);
      else if (call.args[1]?.literal === '-S') call.is('runs', 'php serves files of the project');
      else interpreter(call, /^-[a-zA-Z]*[rBREdzSc]/, /^-[tF]$/);
    },
    examples: {
      'php -l a.php': 'read-only',
      'find . -name \\*.php -exec php -l {} \\;': 'read-only',
      'php -l phar://a.phar/a.php': 'unknown',
      'php -l -d x=y a.php': 'unknown',
      'php -l $x': 'unknown',
      'php -m': 'read-only',
      'php -i': 'read-only',
      "php -r '1'": 'runs',
      'php -r \'file_put_contents("x", 1);\'': 'unknown',
    },
  },
  {
    names:
      'lua luajit Rscript R julia ghc runghc elixir iex erl clojure clj scala kotlin groovy swift tclsh wish guile racket sbcl ocaml octave gnuplot osascript raku crystal nim',
    version:
      '--version=lua,luajit,Rscript,R,julia,ghc,runghc,elixir,iex,clojure,clj,scala,kotlin,groovy,swift,guile,racket,sbcl,ocaml,octave,gnuplot,raku,crystal,nim -version=erl,scala,kotlin,ocaml -v=lua,luajit,julia,elixir,iex,groovy,guile,racket,octave,raku,crystal,nim -V=ghc,gnuplot',
    handle(call) {
      if (
        call.name === 'swift' &&
        call.rest[0]?.literal === 'package' &&
        /^(?:update|resolve|reset)$/.test(call.rest[1]?.literal ?? '')
      )
        call.network();
      if (/^clj/.test(call.name) || call.name === 'clojure') {
        // Aliases of deps.edn.
        if (/^-[AMSTX]/.test(call.rest[0]?.literal ?? '')) return make(call);
      }
      interpreter(call, /^-+(?:e|eval|E|c|r|i|l|version=)/, /^$/);
    },
    examples: {
      'swift --version': 'read-only',
      'swift -v': 'unknown',
      'tclsh --version': 'unknown',
      'octave -V': 'unknown',
      'Rscript -e \'testthat::test_dir("tests", reporter = c("summary", "fail"))\'': 'runs',
      "R -q -e 'library(testthat); test_local()'": 'runs',
      'Rscript -e \'styler::style_pkg(dry = "on")\'': 'runs',
      "Rscript -e 'styler::style_pkg()'": 'unknown',
      'Rscript -e \'testthat::test_dir("/etc")\'': 'unknown',
      'Rscript -e \'testthat::test_dir(system("id"))\'': 'unknown',
      'Rscript -e \'devtools::test(); unlink("src", recursive = TRUE)\'': 'unknown',
      'Rscript -e \'install.packages("dplyr")\'': 'unknown',
      "Rscript --default-packages=x -e 'devtools::test()'": 'unknown',
    },
  },
  { names: 'java javac', version: '-version --version', handle: runs('runs or compiles code of the project') },
  {
    names: 'dotnet',
    version: '--version --info --list-sdks --list-runtimes',
    // This file selects the toolchain that starts.
    loads: 'global.json#sdk.paths',
    verbs: {
      'nuget list source|tool list|sdk check|workload list|new list': looks('-g --global --format: --type: --language:'),
      'restore|add|remove|new|tool install|tool update|tool restore|workload install|workload update|package add|nuget push|nuget delete':
        installs,
      '*': { handle: runs('builds or runs the project') },
    },
    class: 'runs',
    examples: {
      'dotnet tool list -g': 'read-only',
      'dotnet build': 'runs',
      'dotnet x.dll': 'runs',
      'dotnet tool install x': 'runs',
    },
  },
  {
    names: 'make gmake bmake ninja cmake ctest meson rake',
    // bmake reads its Makefile first, for a variable called `ersion`.
    version: '--version=make,gmake,ninja,cmake,ctest,meson,rake -v=make,gmake,meson -V=rake',
    handle: make,
    examples: {
      'bmake --version': 'runs',
      'make -n plus': 'runs',
      'make --version': 'read-only',
      'make -v': 'read-only',
      'cmake -L -N build': 'read-only',
      'cmake -N -LAH': 'read-only',
      'cmake -N build': 'runs',
      'cmake -L build': 'runs',
      'cmake -L -N -P a.cmake': 'runs',
      'cmake -L -N -C a.cmake': 'runs',
      'cmake -L -N -DA=b build': 'runs',
      'cmake -L -N a b': 'runs',
      'cmake -L -N $x': 'runs',
      'make -L -N build': 'runs',
      'ctest -N': 'runs',
      'ninja -v': 'runs',
      'ctest -V': 'runs',
    },
  },
  {
    names: 'just',
    version: '--version -V',
    options:
      '-l --list -s: --show: --summary --groups --dump --evaluate --variables -u --unsorted --no-aliases --color: --list-heading: --list-prefix: --list-submodules --justfile:r -f:r -q --quiet -n --dry-run -v --verbose --yes --no-dotenv',
    handle: just,
    examples: {
      'just --list': 'read-only',
      'just -l --unsorted': 'read-only',
      'just --show build': 'read-only',
      just: 'runs',
      'just build': 'runs',
      'just build --list': 'runs',
      'just --list build': 'runs',
      // Evaluates text between backquotes.
      'just --evaluate': 'runs',
      'just -n build': 'runs',
      'just --choose --list': 'unknown',
    },
  },
  {
    names: 'task',
    version: '--version --list -l --list-all -a',
    handle: make,
    // To find the tasks that are up to date, it runs commands from the task file.
    examples: { 'task --list': 'read-only', 'task --list --json': 'runs', task: 'runs', 'task build': 'runs' },
  },
  {
    // The folder may contain settings for the start of the virtual machine and for the code that it loads.
    names: 'mvn gradle',
    traits: ['loads-project-code'],
    version: '--version -v --help -h',
    loads: 'look: .mvn gradle.properties gradle/gradle-daemon-jvm.properties',
    handle: make,
    examples: { 'mvn --version': 'runs', 'gradle -v': 'runs', 'gradle build': 'runs', 'mvn -v clean': 'runs' },
  },
  {
    names: 'cabal stack dune xcodebuild earthly moon nox invoke pre-commit lefthook lint-staged mage',
    traits: ['loads-project-code'],
    version:
      '--version=cabal,stack,dune,earthly,moon,nox,invoke,pre-commit,lint-staged --help=cabal,stack,dune,earthly,moon,nox,pre-commit,lefthook,lint-staged -version=xcodebuild,mage -showsdks=xcodebuild version=lefthook',
    handle: make,
    examples: {
      'pre-commit --version': 'read-only',
      'xcodebuild -version': 'read-only',
      'pre-commit run': 'runs',
    },
  },
  {
    names: 'mix',
    traits: ['loads-project-code'],
    version: '--version',
    class: 'runs',
    why: 'runs recipes of the project',
    verbs: {
      'deps.get|deps.update|deps.unlock|hex.publish|archive.install|local.hex': installs,
      'hex.outdated|hex.info': ASKS_AND_RUNS,
      '*': RUNS,
    },
    examples: { 'mix test': 'runs', 'mix deps.get': 'runs' },
  },
  {
    names: 'flutter dart',
    version: '--version',
    class: 'runs',
    why: 'runs code of the project',
    verbs: {
      'pub get|pub add|pub remove|pub upgrade|pub downgrade|pub publish|pub global|upgrade|downgrade|create|install': installs,
      'pub outdated': ASKS_AND_RUNS,
      '*': RUNS,
    },
    examples: { 'flutter --version': 'read-only', 'flutter test': 'runs', 'dart a.dart': 'runs', dart: 'runs' },
  },
  {
    // These read settings of the folder, or pass control to a program in it, before they print their version.
    names: 'bazel bazelisk buck scons ant mvnw gradlew sbt lein rebar3 nx turbo lerna rush tox fab husky',
    traits: ['loads-project-code'],
    handle: make,
    examples: { 'nx --version': 'runs' },
  },
  {
    names: 'vitest playwright',
    version: `${VERSION} -v=vitest -V=playwright`,
    handle: runs('runs tests of the project'),
    examples: { 'vitest --version': 'read-only' },
  },
  {
    names:
      'jest mocha ava tap tape cypress karma jasmine nyc c8 wdio pytest py.test unittest nose2 behave robot rspec minitest cucumber phpunit pest busted prove bats ginkgo gotestsum',
    traits: ['loads-project-code'],
    version: '--version=cypress,bats,gotestsum version=cypress,ginkgo',
    handle: runs('runs tests of the project'),
    examples: { 'cypress --version': 'read-only', 'pytest -q': 'runs', 'mocha --version': 'runs' },
  },
  {
    names:
      'eslint prettier biome mypy esbuild terraform-docs xcbeautify xcpretty tflint tfsec checkov vale cppcheck swiftformat swift-format djlint cspell basedpyright ty ast-grep markdownlint-cli2 typos taplo hlint ormolu fourmolu errcheck revive luacheck stylua zig clj-kondo cljfmt mockgen swag wire wasm-pack',
    version: `${VERSION} -v=eslint,prettier,terraform-docs -V=biome,mypy`,
    handle: runs('runs with code or settings of the project and may write'),
    examples: { 'eslint --fix src': 'runs', 'prettier --version': 'read-only', 'mypy -v': 'runs' },
  },
  {
    names:
      'stylelint tslint xo standard oxlint rome knip depcruise dependency-cruiser webpack vite rollup parcel tsup swc babel next nuxt astro remix gatsby ng svelte-kit storybook nodemon pm2 concurrently autopep8 yapf flake8 pylint pyright pyre bandit rustfmt clippy-driver golangci-lint staticcheck rubocop php-cs-fixer phpstan psalm ktlint detekt swiftlint scalafmt clang-tidy sqlc prisma drizzle-kit alembic django-admin flask uvicorn gunicorn rails hugo jekyll mkdocs sphinx-build',
    traits: ['loads-project-code'],
    version:
      '--version=autopep8,yapf,bandit,pyright,golangci-lint,swiftlint,ktlint,detekt,clang-tidy,uvicorn,mkdocs,sphinx-build,oxlint,vite,rollup --help=autopep8,yapf,pyright,golangci-lint,clang-tidy,hugo,oxlint,vite,rollup version=golangci-lint,swiftlint,hugo,sqlc -version=staticcheck',
    handle: runs('runs with code or settings of the project and may write'),
    examples: { 'webpack --version': 'runs', 'golangci-lint --version': 'read-only', 'flake8 --version': 'runs' },
  },
  {
    // Settings of the project may make it fix its findings. It keeps a cache in the project.
    names: 'ruff',
    version: `${VERSION} -V`,
    verbs: {
      'rule|linter|config|version|help': looks('--output-format: --all'),
      'check|format': {
        options:
          '-q --quiet -v --verbose --no-cache --isolated --no-fix --check --diff --output-format: --select: --ignore: --extend-select: --extend-ignore: --statistics --show-files --show-settings --preview --line-length: --target-version: -e --exit-zero --exclude: --force-exclude -n',
        handle: ruff,
      },
      '*': RUNS,
    },
    examples: {
      'ruff rule E501': 'read-only',
      'ruff check --no-cache --no-fix .': 'read-only',
      'ruff check --isolated -n src': 'read-only',
      'ruff format --check --no-cache .': 'read-only',
      'ruff check .': 'runs',
      'ruff check --no-cache .': 'runs',
      'ruff check --no-fix .': 'runs',
      'ruff format --no-cache --no-fix .': 'runs',
      'ruff check --no-fix --no-cache --fix .': 'unknown',
      'ruff check --no-fix --no-cache -o f .': 'unknown',
    },
  },
  {
    // With these options it rewrites nothing, regardless of the settings. Its cache is in the home folder.
    names: 'black',
    version: VERSION,
    options:
      '--check --diff -q --quiet -v --verbose --color --no-color -l: --line-length: -S -t: --target-version: --exclude: --include: --fast --safe --skip-string-normalization',
    handle: checks('check', 'diff'),
    examples: {
      'black --check .': 'read-only',
      'black --diff a.py': 'read-only',
      'black .': 'runs',
      'black -c x --check': 'unknown',
    },
  },
  {
    names: 'isort',
    version: '--version -V --vn',
    options:
      '-c --check-only --check --diff --df -d --stdout -q --quiet -v --verbose --profile: -l: --line-length: -p: --skip: -s: --color',
    handle: checks('c', 'check-only', 'check', 'diff', 'df', 'd', 'stdout'),
    examples: {
      'isort --check-only .': 'read-only',
      'isort --check --diff .': 'read-only',
      'isort -d a.py': 'read-only',
      'isort .': 'runs',
      'isort --check --sp d .': 'unknown',
    },
  },
  {
    names: 'clang-format',
    version: VERSION,
    options:
      '--i --n --dry-run --Werror --verbose --style: --fallback-style: --assume-filename: --lines: --offset: --length: --cursor: --sort-includes --ferror-limit: --output-replacements-xml --dump-config',
    handle: clangFormat,
    examples: {
      'clang-format --dry-run -Werror --style=Google a.c': 'read-only',
      'clang-format a.c': 'read-only',
      'clang-format -i a.c': 'writes',
      'clang-format @options': 'unknown',
      'clang-format $x': 'unknown',
    },
  },
  {
    names: 'luac',
    version: '-v',
    options: '-plv',
    handle: luac,
    examples: { 'luac -p a.lua': 'read-only', 'luac a.lua': 'unknown', 'luac -p -o b a.lua': 'unknown' },
  },
  {
    names: 'buf protoc',
    version: '--version',
    handle: runs('runs with code or settings of the project and may write'),
    examples: { 'protoc --version': 'read-only', 'protoc --go_out=d a.proto': 'runs' },
  },
  {
    names: 'gcc g++ cc c++ clang clang++ cpp ld as ghci',
    // `as -v` also assembles its standard input.
    version:
      '--version -v=gcc,g++,cc,c++,clang,clang++,ld -V=ld,ghci -dumpversion=gcc,g++,cc,c++,clang,clang++ -dumpmachine=gcc,g++,cc,c++,clang,clang++ -print-search-dirs=gcc,g++,cc,c++,clang,clang++ -print-multiarch=gcc,g++,cc,c++ -print-libgcc-file-name=gcc,g++,cc,c++,clang,clang++ -print-sysroot=gcc,g++,cc,c++ -print-target-triple=clang,clang++ -dumpfullversion=gcc,g++,cc,c++ -print-multi-lib=gcc,g++,cc,c++ -dumpspecs=gcc,g++,cc,c++ --help=gcc,g++,cc,c++,clang,clang++,ld,as',
    handle: compiler,
    examples: {
      'gcc -print-file-name=libc.so': 'read-only',
      'gcc -print-prog-name=x a.c': 'unknown',
      'as -print-file-name=x': 'unknown',
      'cpp --version': 'read-only',
      'cpp a.c': 'unknown',
      'gcc -v': 'read-only',
      'gcc -Wall -O2 -c src/a.c -o /tmp/a.o': 'runs',
      'cc -o app src/a.c -lm': 'runs',
      'gcc -fplugin=./x.so a.c': 'unknown',
      'gcc @args': 'unknown',
      'gcc -Wl,-plugin,x a.c': 'unknown',
      'gcc -B. a.c': 'unknown',
      'gcc -wrapper x a.c': 'unknown',
      gcc: 'unknown',
      'as -v': 'unknown',
      'ghci -v': 'unknown',
      'gcc -MM -MF x -x c -': 'unknown',
    },
  },
  {
    names: 'adb',
    version: 'version --version',
    verbs: {
      'devices|get-state|get-serialno|help': looks('-l'),
      logcat: looks('-d -s -t: -T: -v: -b: -e: --pid: --regex:'),
      // A shell of the device runs the joined words.
      'shell getprop': {
        handle: (call) => {
          if (!call.rest.every(({ literal }) => /^[\w.]+$/.test(literal ?? ''))) call.unknown('adb shell runs a text');
        },
      },
    },
    examples: {
      'adb devices -l': 'read-only',
      'adb logcat -d -t 100': 'read-only',
      'adb devices $x': 'unknown',
      'adb logcat $x': 'unknown',
      'adb shell getprop $x': 'unknown',
      'adb shell getprop ro.a': 'read-only',
      "adb shell getprop ';' rm a": 'unknown',
      "adb shell 'getprop; rm a'": 'unknown',
      'adb logcat -c': 'unknown',
      'adb logcat -f x': 'unknown',
      'adb shell rm x': 'unknown',
      'adb install a.apk': 'unknown',
    },
  },
  { names: 'claude', version: '--version -v', handle: (call) => call.unknown('claude may do anything') },
];
