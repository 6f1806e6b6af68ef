// Interpreters, compilers, test runners and other programs that run code of the project.
import type { Arg } from '../arg.ts';
import type { Call } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable } from '../options.ts';
import { wordOfOptions } from './binutils.ts';
import { sentFile } from './verbs.ts';

/** What tells the version of one starts another: `ninja -v` builds, `swift -v` runs what comes on standard input. */
const VERSION = '--version';

function runs(text: string) {
  return (call: Call) => call.is('runs', `${call.name} ${text}`);
}

/** With -n and -p these go through the lines of the files behind the program. */
const LINES = /^(?:perl5?|j?ruby)$/;

function readLines(call: Call, words: readonly Arg[]) {
  const isOption = (word: Arg | undefined) => /^-./.test(word?.lead ?? '');
  if (!words.some((word) => /^-[A-Za-z0-9]*[np]/.test(word.lead))) return;
  words.forEach((word, i) => {
    // Behind -e stands the program.
    if (!isOption(word) && !/^-[A-Za-z0-9.]*[eE]$/.test(words[i - 1]?.lead ?? '')) call.read(word, call.name);
  });
}

/** Interpreters: a file is project code; program text in the words or on standard input is not looked at. */
function interpreter(call: Call, inline: RegExp, valued: RegExp) {
  const rest = call.rest;
  for (let i = 0; i < rest.length; i++) {
    const a = rest[i]!;
    const text = a.literal;
    if (text === null) return call.unknown(`what ${call.name} runs is not known`, a);
    if (text === '-') {
      call.opaqueInput();
      return call.unknown(`${call.name} runs what comes on its standard input`, a);
    }
    if (inline.test(text)) {
      call.opaque(...rest.slice(i));
      if (LINES.test(call.name)) readLines(call, rest);
      return call.unknown(`${call.name} ${text.slice(0, 24)} runs a program text that is not analysed`, a);
    }
    if (!text.startsWith('-')) {
      call.read(a, call.name);
      if (/^\/(?:dev|proc)\//.test(text)) return call.unknown(`${call.name} runs what it reads from ${text}`, a);
      return call.is('runs', `${call.name} runs ${text}`, a);
    }
    if (text === '--') continue;
    if (valued.test(text)) {
      if (i + 1 < rest.length) i++;
    }
  }
  call.opaqueInput();
  call.unknown(`${call.name} runs what comes on its standard input`);
}

/** Compiles its first word and runs nothing; a scheme in front of it may open an archive. */
function phpLint(call: Call) {
  for (const o of call.rest.slice(1)) {
    const isFile = !/^-|^$|:/.test(o.lead) && (o.literal !== null || o.below !== null || o.lead.includes('/'));
    if (isFile) call.read(o, 'php -l');
    else call.unknown(`what php -l looks at is not known`, o);
  }
}

/** Its settings say how a text is laid out, and no more. */
function clangFormat(call: Call, t: OptionTable) {
  const given = call.parse(t, { single: true });
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
function luac(call: Call, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  if (!has(given, 'p')) call.unknown('luac without -p writes what it compiled');
  for (const o of given.operands) if (o.literal !== '-') call.read(o, 'luac');
}

function python(call: Call) {
  const words = call.rest.map((a) => a.literal);
  const m = words.findIndex((w) => w !== null && /^-[A-Za-z]*m$/.test(w));
  const firstFile = words.findIndex((w) => w === null || !w.startsWith('-'));
  if (m >= 0 && (firstFile < 0 || m < firstFile)) {
    const module = words[m + 1];
    if (module == null) return call.unknown('which module runs is not known');
    const flags = words.slice(0, m + 1).join(' ');
    // Isolated: the folder in force is not searched for modules.
    if (
      /^-I(?: -m|m)?$/.test(flags.trim()) &&
      module === 'json.tool' &&
      words.slice(m + 2).every((w) => w !== null && /^--(?:indent=\d+|sort-keys|no-ensure-ascii|json-lines|compact|tab)$/.test(w))
    )
      return;
    // What it comes to show.
    if (module === 'json.tool') for (const o of call.rest.slice(m + 2)) if (!o.lead.startsWith('-')) call.read(o, call.name);
    return call.is('runs', `${call.name} -m runs the module ${module}, which the folder may provide`);
  }
  interpreter(call, /^-[A-Za-z]*c/, /^-[A-Za-z]*[WXQ]$/);
}

function node(call: Call, t: OptionTable) {
  const words = call.rest.map((a) => a.literal);
  if (words.length === 2 && (words[0] === '--check' || words[0] === '-c') && words[1] !== null && !words[1]!.startsWith('-'))
    return call.read(call.rest[1]!, 'node');
  if (words.some((w) => w !== null && /^--(?:test|run|watch)(?:=|$)/.test(w)) && !words.some((w) => w === null))
    return call.is('runs', 'node runs tests or scripts of the project');
  void t;
  interpreter(
    call,
    /^(?:-[a-z]*[ep]$|-[a-z]*[ep]=|--eval|--print|-pe)/,
    /^(?:-r|-C|--require|--import|--loader|--experimental-loader|--conditions|--env-file|--input-type|--title)$/,
  );
}

function tsc(call: Call, t: OptionTable) {
  const given = call.parse(t);
  const ok = call.accept(given);
  call.roles(given);
  if (has(given, 'v', 'version', 'h', 'help', 'all')) return;
  for (const o of given.operands) {
    if (o.lead.startsWith('@')) call.unknown('tsc takes options from a file', o);
    else call.read(o, 'tsc');
  }
  if (!ok) return;
  if (given.operands.some((o) => /^(?:false|null|true)$/i.test(o.literal ?? '')))
    return call.unknown('tsc takes the word behind a switch as its value');
  // Only with files on the command line is tsconfig.json, which may ask for a build record, left alone.
  const noEmit = given.options.some((o) => o.name.toLowerCase() === 'noemit') || has(given, 'showConfig', 'listFilesOnly');
  if (!noEmit || given.operands.length === 0 || has(given, 'p', 'project'))
    call.is('runs', 'tsc builds the project as its settings say');
}

/** Alone these say where it would look. */
function compiler(call: Call) {
  const [word, more] = call.rest;
  const says = !more && /^--?print-(?:file|prog)-name=[\w.+-]+$/.test(word?.literal ?? '');
  if (!says || /^(?:cpp|ld|as|ghci)$/.test(call.name)) call.unknown(`${call.name} writes files or runs plugins`);
  const out = call.rest.findIndex((one) => one.literal === '-o');
  if (out !== -1 && call.rest[out + 1]?.literal) call.write(call.rest[out + 1]!, `${call.name} -o`);
}

function perl(call: Call) {
  interpreter(call, /^-[a-zA-Z0-9]*[eEnpiMmdIDSsxu]/, /^$/);
}

function make(call: Call) {
  call.opaqueInput();
  call.is('runs', `${call.name} runs recipes of the project, some even with -n`);
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
      "python3 -c 'x'": 'unknown',
      'python3 < a.py': 'unknown',
      'python3 -m pytest': 'runs',
    },
  },
  { names: 'ipython jupyter', version: '--version', handle: runs('runs code') },
  {
    names: 'node nodejs',
    version: '--version -v --help -h --v8-options',
    handle: node,
    examples: {
      'node --check a.js': 'read-only',
      'node --v8-options': 'read-only',
      'node --help a.js': 'runs',
      'node a.js': 'runs',
      "node -e '1'": 'unknown',
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
      "perl -pi -e 's/a/b/' f": 'unknown',
      'perl -c a.pl': 'runs',
    },
  },
  // jruby goes by options of the JVM that a file of the folder holds, whatever it is asked.
  { names: 'ruby jruby', version: '--version=ruby -v=ruby', handle: (call) => interpreter(call, /^-[a-zA-Z]*[enpirISx]/, /^$/) },
  {
    names: 'php',
    version: '--version -v -m -i --ini --help -h',
    handle: (call) => (call.args[1]?.literal === '-l' ? phpLint(call) : interpreter(call, /^-[a-zA-Z]*[rBREdzSc]/, /^-[tF]$/)),
    examples: {
      'php -l a.php': 'read-only',
      'find . -name \\*.php -exec php -l {} \\;': 'read-only',
      'php -l phar://a.phar/a.php': 'unknown',
      'php -l -d x=y a.php': 'unknown',
      'php -l $x': 'unknown',
      'php -m': 'read-only',
      'php -i': 'read-only',
      "php -r '1'": 'unknown',
    },
  },
  {
    names:
      'lua luajit Rscript R julia ghc runghc elixir iex erl clojure clj scala kotlin groovy swift tclsh wish guile racket sbcl ocaml octave gnuplot osascript raku dart crystal nim',
    version:
      '--version=lua,luajit,Rscript,R,julia,ghc,runghc,elixir,iex,clojure,clj,scala,kotlin,groovy,swift,guile,racket,sbcl,ocaml,octave,gnuplot,raku,dart,crystal,nim -version=erl,scala,kotlin,ocaml -v=lua,luajit,julia,elixir,iex,groovy,guile,racket,octave,raku,crystal,nim -V=ghc,gnuplot',
    handle: (call) => interpreter(call, /^-+(?:e|eval|E|c|r|i|l|version=)/, /^$/),
    examples: { 'swift --version': 'read-only', 'swift -v': 'unknown', 'tclsh --version': 'unknown', 'octave -V': 'unknown' },
  },
  { names: 'java javac', version: '-version --version', handle: runs('runs or compiles code of the project') },
  {
    names: 'dotnet',
    version: '--version --info --list-sdks --list-runtimes',
    // It says which toolchain is started.
    loads: 'global.json#sdk.paths',
    handle: runs('builds or runs the project'),
  },
  {
    names: 'make gmake bmake ninja cmake ctest meson just task rake',
    // bmake reads its Makefile first, for a variable called `ersion`.
    version: '--version=make,gmake,ninja,cmake,ctest,meson,just,task,rake -v=make,gmake,meson -V=just,rake',
    handle: make,
    examples: {
      'bmake --version': 'runs',
      'make -n plus': 'runs',
      'make --version': 'read-only',
      'make -v': 'read-only',
      'ninja -v': 'runs',
      'ctest -V': 'runs',
    },
  },
  {
    // These read settings of the folder, or hand over to a program in it, before they tell their version.
    names:
      'bazel bazelisk buck mage scons ant mvn mvnw gradle gradlew sbt lein mix rebar3 stack cabal dune xcodebuild nx turbo lerna rush moon earthly tox nox invoke fab pre-commit lefthook husky lint-staged',
    handle: make,
    examples: { 'mvn --version': 'runs' },
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
    handle: runs('runs tests of the project'),
    examples: { 'pytest -q': 'runs', 'mocha --version': 'runs' },
  },
  {
    names: 'eslint prettier biome ruff black mypy esbuild terraform-docs',
    version: `${VERSION} -v=eslint,prettier,terraform-docs -V=biome,ruff,mypy`,
    handle: runs('runs with code or settings of the project and may write'),
    examples: { 'eslint --fix src': 'runs', 'prettier --version': 'read-only', 'mypy -v': 'runs' },
  },
  {
    names:
      'stylelint tslint xo standard oxlint rome knip depcruise dependency-cruiser webpack vite rollup parcel tsup swc babel next nuxt astro remix gatsby ng svelte-kit storybook nodemon pm2 concurrently isort autopep8 yapf flake8 pylint pyright pyre bandit rustfmt clippy-driver golangci-lint staticcheck rubocop php-cs-fixer phpstan psalm ktlint detekt swiftlint scalafmt clang-tidy sqlc prisma drizzle-kit alembic django-admin flask uvicorn gunicorn rails hugo jekyll mkdocs sphinx-build',
    handle: runs('runs with code or settings of the project and may write'),
    examples: { 'webpack --version': 'runs' },
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
    // `as -v` goes on to assemble its standard input.
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
      'as -v': 'unknown',
      'ghci -v': 'unknown',
      'gcc -MM -MF x -x c -': 'unknown',
    },
  },
  { names: 'claude', version: '--version -v', handle: (call) => call.unknown('claude may do anything') },
];
