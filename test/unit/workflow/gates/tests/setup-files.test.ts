// The files that configurations of test runners name, as each runner has them.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { guardedScope } from '../../../../../src/workflow/gates/tests/guarded-files.ts';
import { setupFiles } from '../../../../../src/workflow/gates/tests/setup-files.ts';
import type { TestsCheck } from '../../../../../src/workflow/gates/tests/store.ts';
import { afterTest } from '../../../../support/cleanup.ts';
import { putFile, temporaryFolder } from '../../../../support/files.ts';

type Row = [what: string, files: Record<string, string>, command: string, found: string[]];

const rows: Row[] = [
  [
    'Vitest, a list',
    { 'vitest.config.ts': "export default { test: { setupFiles: ['./test/setup.ts', 'test/more'] } };\n" },
    'npx vitest',
    ['test/setup.ts', 'test/more.js'],
  ],
  [
    'Vitest, one text',
    { 'vite.config.mts': 'export default { test: { globalSetup: "./test/setup" } };\n' },
    'npx vitest',
    ['test/setup.ts'],
  ],
  [
    'Vitest, an environment of the project',
    { 'vitest.config.js': "test: { environment: './test/env.js' }\n" },
    'npx vitest',
    ['test/env.js'],
  ],
  [
    'Jest, a module',
    { 'jest.config.js': "module.exports = { setupFilesAfterEnv: ['<rootDir>/test/setup.ts'] };\n" },
    'npx jest',
    ['test/setup.ts'],
  ],
  [
    'Jest, mocks',
    { 'jest.config.cjs': "moduleNameMapper: {\n  '^db$': '<rootDir>/test/db.js',\n  '^@/(.*)$': '<rootDir>/src/$1',\n}\n" },
    'npx jest',
    ['test/db.js'],
  ],
  [
    'Jest, in package.json',
    { 'package.json': '{"main":"src/a.js","exports":{"require":"./src/a.js"},"jest":{"globalSetup":"./test/setup.ts"}}' },
    'npx jest',
    ['test/setup.ts'],
  ],
  [
    'Mocha, JSON',
    { '.mocharc.json': '{"require": ["./test/setup.ts"], "spec": "test/spec.js"}' },
    'npx mocha',
    ['test/setup.ts'],
  ],
  [
    'Mocha, YAML',
    { '.mocharc.yml': 'require:\n  - ./test/setup.ts\n  - ts-node/register\nspec: test/spec.js\n' },
    'npx mocha',
    ['test/setup.ts'],
  ],
  ['a script', { 'package.json': '{"scripts":{"test":"node --import ./test/env.js --test"}}' }, 'npm test', ['test/env.js']],
  ['the command', {}, 'node --require ./test/env.js --test', ['test/env.js']],
  [
    'Playwright',
    { 'playwright.config.ts': "export default defineConfig({ globalSetup: require.resolve('./test/setup') });\n" },
    'npx playwright test',
    ['test/setup.ts'],
  ],
  ['Bun', { 'bunfig.toml': '[test]\npreload = ["./test/setup.ts"]\n' }, 'bun test', ['test/setup.ts']],
  ['pytest, a plugin in addopts', { 'pytest.ini': '[pytest]\naddopts = -p tests.plugin -q\n' }, 'pytest', ['tests/plugin.py']],
  ['pytest, plugins in conftest.py', { 'conftest.py': 'pytest_plugins = ["tests.plugin"]\n' }, 'pytest', ['tests/plugin.py']],
  ['RSpec', { '.rspec': '--require ./spec/helper\n' }, 'rspec', ['spec/helper.rb']],
  ['PHPUnit', { 'phpunit.xml': '<phpunit bootstrap="tests/boot.php"></phpunit>' }, 'phpunit', ['tests/boot.php']],
  [
    'a workspace',
    { 'packages/a/vitest.config.ts': "test: { setupFiles: './setup.ts' }\n" },
    'npm test -w packages/a',
    ['packages/a/setup.ts'],
  ],
  [
    'a list of YAML in brackets',
    { '.mocharc.yml': 'require: [./hooks.js, more]\n', 'hooks.js': '', 'more.js': '' },
    'mocha',
    ['hooks.js', 'more.js'],
  ],
  [
    'a wrapper of the Rust compiler',
    { '.cargo/config.toml': '[build]\nrustc-wrapper = "./wrap.sh"\n', 'wrap.sh': '' },
    'cargo test',
    ['wrap.sh'],
  ],
  [
    'a module that a configuration imports, and the files that it names',
    {
      'vitest.config.ts': "import base from './config/base';\nexport default mergeConfig(base, {});\n",
      'config/base.ts':
        "export * from './deep.js';\nexport default { test: { setupFiles: './all.ts', globalSetup: 'config/start.ts' } };\n",
      ...{ 'config/deep.js': '', 'config/all.ts': '', 'config/start.ts': '' },
    },
    'npx vitest',
    ['config/all.ts', 'config/base.ts', 'config/deep.js', 'config/start.ts'],
  ],
  [
    'modules that import each other',
    { 'jest.config.js': "module.exports = require('./a.js');\n", 'a.js': "require('./b.js');\n", 'b.js': "require('./a.js');\n" },
    'npx jest',
    ['a.js', 'b.js'],
  ],
  [
    'a configuration that another one extends',
    {
      'tsconfig.json': '{"extends": "./config/ts.json"}',
      'config/ts.json': '{"extends": ["./more.json"]}',
      'config/more.json': '',
    },
    'npx jest',
    ['config/more.json', 'config/ts.json'],
  ],
  [
    'a preset of Jest',
    { 'package.json': '{"jest":{"preset":"./config/preset.js"}}', 'config/preset.js': '' },
    'jest',
    ['config/preset.js'],
  ],
  ['a plugin of Babel', { '.babelrc': '{"plugins": ["./plugin.js", "other"]}', 'plugin.js': '' }, 'npx jest', ['plugin.js']],
  [
    'what Vite builds is no configuration',
    {
      'vite.config.js': "export default { build: { lib: { entry: './src/a.js' } }, plugins: [dts({ entry: './src/a.js' })] };\n",
    },
    'npx vitest',
    [],
  ],
  [
    'Mocha, a file and an interface',
    { '.mocharc.json': '{"file": ["./test/env.js"], "ui": "./test/more.js"}' },
    'npx mocha',
    ['test/env.js', 'test/more.js'],
  ],
  [
    'options for Node in .npmrc',
    { '.npmrc': 'node-options=--import=./test/env.js\nscript-shell=./wrap.sh\n', 'wrap.sh': '' },
    'npm test',
    ['test/env.js', 'wrap.sh'],
  ],
  [
    'a file with the environment',
    { 'package.json': '{"scripts":{"test":"node --env-file=conf/test.env --test"}}', 'conf/test.env': '' },
    'npm test',
    ['conf/test.env'],
  ],
  [
    'programs that the script of the command starts, also through others',
    {
      'package.json':
        '{"scripts":{"pretest":"./prepare.sh","test":"npm run unit -- --ci","unit":"node run.js","start":"node src/a.js"}}',
      ...{ 'prepare.sh': '', 'run.js': '' },
    },
    'npm test',
    ['prepare.sh', 'run.js'],
  ],
  [
    'programs that a shell script starts, beside it and in the root',
    {
      'package.json': '{"scripts":{"test":"sh scripts/test.sh"}}',
      'scripts/test.sh': '#!/bin/sh\nset -e\n. "$(dirname "$0")/env.sh"\n"$DIR"/inner.sh\nnode run.js\nnode src/a.test.js\n',
      ...{ 'scripts/env.sh': '', 'scripts/inner.sh': '', 'run.js': '', 'src/a.test.js': '' },
    },
    'npm test',
    ['run.js', 'scripts/env.sh', 'scripts/inner.sh', 'scripts/test.sh'],
  ],
  [
    'programs of the targets of a Makefile that the command needs',
    {
      Makefile:
        '.PHONY: test\nall: run\nOPTIONS := -v\ntest: build | env ## runs them\n\t@./test.sh $(OPTIONS)\nbuild:\n\t-node make.js \\\n\t  --all\nrun:\n\tnode src/a.js\n',
      ...{ 'test.sh': 'exec ./inner.sh\n', 'inner.sh': '', 'make.js': '' },
    },
    'make test',
    ['inner.sh', 'make.js', 'test.sh'],
  ],
  [
    'programs of a justfile',
    {
      justfile: 'run:\n  node src/a.js\ntest *args: build\n  ./test.sh {{args}}\nbuild:\n  node make.js\n',
      'test.sh': '',
      'make.js': '',
    },
    'just test',
    ['make.js', 'test.sh'],
  ],
  [
    'the first target of a Makefile',
    { Makefile: 'unit: ; ./test.sh\nrun:\n\tnode src/a.js\n', 'test.sh': '' },
    'make',
    ['test.sh'],
  ],
  [
    'modules that a program loads from its own folder',
    {
      'package.json': '{"scripts":{"test":"node scripts/run.mjs && python scripts/more.py"}}',
      'scripts/run.mjs': "import './lib/one.mjs';\nimport '../src/a.js';\nawait import('./two.js');\n",
      'scripts/lib/one.mjs': "import '../three.js';\n",
      'scripts/more.py': 'import os, sys\nfrom helper import run\n',
      ...{ 'scripts/two.js': '', 'scripts/three.js': '', 'scripts/helper.py': '' },
    },
    'npm test',
    ['scripts/helper.py', 'scripts/lib/one.mjs', 'scripts/more.py', 'scripts/run.mjs', 'scripts/three.js', 'scripts/two.js'],
  ],
  [
    'a program in the root loads the source',
    {
      'package.json': '{"scripts":{"test":"node run.js"}}',
      'run.js': "require('./index.js');\nrequire('./src/a.js');\n",
      'index.js': '',
    },
    'npm test',
    ['run.js'],
  ],
  ['the command itself starts a shell script', { 'check.sh': './inner.sh\n', 'inner.sh': '' }, './check.sh', ['inner.sh']],
  ['files after node --test', { 'package.json': '{"scripts":{"test":"node --test src/a.js"}}' }, 'npm test', []],
  [
    'files with variables, and the module that one of them preloads',
    {
      'package.json': '{"scripts":{"test":"env-cmd -f conf/test.env dotenv -e conf/more.env -- mocha"}}',
      'conf/test.env': 'NODE_OPTIONS=--require=../hook.js\n',
      ...{ 'conf/more.env': '', 'hook.js': '' },
    },
    'npm test',
    ['conf/more.env', 'conf/test.env', 'hook.js'],
  ],
  ['nyc: a module', { '.nycrc.json': '{"require": ["./hook.js"]}', 'hook.js': '' }, 'nyc mocha', ['hook.js']],
  [
    'zx',
    { 'package.json': '{"scripts":{"test":"zx scripts/test.mjs"}}', 'scripts/test.mjs': '' },
    'npm test',
    ['scripts/test.mjs'],
  ],
  [
    'Maven: a parent of another name, and lists of tests',
    {
      'pom.xml':
        '<project><parent><relativePath>../build/parent.xml</relativePath></parent><suiteXmlFile>conf/suite.xml</suiteXmlFile></project>',
      'conf/suite.xml': '',
    },
    'mvn test',
    ['conf/suite.xml'],
  ],
  [
    'a script that starts a test file',
    { 'package.json': '{"scripts":{"test":"node test/env.js && node src/a.test.js"}}', 'src/a.test.js': '' },
    'npm test',
    [],
  ],
  [
    'programs that start scripts',
    {
      'package.json': '{"scripts":{"test":"run-s lint unit && node --run more","unit":"node unit.js","more":"node more.js"}}',
      ...{ 'unit.js': '', 'more.js': '' },
    },
    'npm test',
    ['more.js', 'unit.js'],
  ],
  [
    'the scripts of every package of a workspace',
    { 'packages/a/package.json': '{"name":"cart","scripts":{"test":"node run.js"}}', 'packages/a/run.js': '' },
    'npm test -w cart',
    ['packages/a/run.js'],
  ],
  [
    'a package of a workspace, with another program than a package manager',
    { 'packages/a/package.json': '{"name":"cart","scripts":{"test":"node run.js"}}', 'packages/a/run.js': '' },
    'go test ./...',
    [],
  ],
  [
    'the configuration of a package that the command does not name',
    { 'packages/a/jest.config.js': "setupFiles: ['./setup.ts']\n" },
    'npx jest',
    ['packages/a/setup.ts'],
  ],
  [
    'Cargo: another build script, compiler and linker',
    {
      'Cargo.toml': '[package]\nbuild = "make.rs"\n',
      '.cargo/config.toml': '[build]\nrustc = "./rustc.sh"\n[target.x]\nlinker = "./ld.sh"\nrunner = ["./run.sh", "-q"]\n',
      ...{ 'make.rs': '', 'rustc.sh': '', 'ld.sh': '', 'run.sh': '' },
    },
    'cargo test',
    ['ld.sh', 'make.rs', 'run.sh', 'rustc.sh'],
  ],
  [
    'Maven: settings and an agent',
    {
      '.mvn/maven.config': '-s\nconf/settings.xml\n',
      '.mvn/jvm.config': '-javaagent:conf/agent.jar=x\n',
      'conf/settings.xml': '',
      'conf/agent.jar': '',
    },
    'mvn test',
    ['conf/agent.jar', 'conf/settings.xml'],
  ],
  [
    'a plugin of Babel in package.json',
    { 'package.json': '{"babel":{"plugins":["./tools/plugin.js"]}}', 'tools/plugin.js': '' },
    'npx jest',
    ['tools/plugin.js'],
  ],
  [
    'a plugin of SWC',
    { '.swcrc': '{"jsc":{"experimental":{"plugins":[["./tools/plugin.wasm",{}]]}}}', 'tools/plugin.wasm': '' },
    'npx jest',
    ['tools/plugin.wasm'],
  ],
  [
    'Vitest: modules by other keys, on one line with source',
    {
      'vitest.config.js':
        "export default { test: { pool: './tools/pool.js', diff: './tools/diff.js', execArgv: ['--import=./tools/a.js'], alias: { a: './src/a.js' } } };\n",
      ...{ 'tools/pool.js': '', 'tools/diff.js': '', 'tools/a.js': '' },
    },
    'npx vitest',
    ['tools/a.js', 'tools/diff.js', 'tools/pool.js'],
  ],
  [
    'Vitest: modules by options',
    {
      'package.json': '{"scripts":{"test":"vitest run --pool=./tools/pool.js --coverage.customProviderModule ./tools/cover.js"}}',
      ...{ 'tools/pool.js': '', 'tools/cover.js': '' },
    },
    'npm test',
    ['tools/cover.js', 'tools/pool.js'],
  ],
  [
    'a path of several words, and a constant',
    {
      'jest.config.js':
        "const path = require('path');\nconst more = './tools/more.js';\nmodule.exports = { setupFiles: [path.join(__dirname, 'tools', 'setup.js'), more] };\n",
      ...{ 'tools/setup.js': '', 'tools/more.js': '' },
    },
    'npx jest',
    ['tools/more.js', 'tools/setup.js'],
  ],
  [
    'modules that a setup file loads from its own folder',
    {
      'jest.config.js': "module.exports = { setupFiles: ['./tools/setup.js'] };\n",
      'tools/setup.js': "require('./matchers');\nrequire('../src/a.js');\n",
      'tools/matchers.js': '',
    },
    'npx jest',
    ['tools/matchers.js', 'tools/setup.js'],
  ],
  [
    'Jest: source of another package is no mock',
    {
      'jest.config.js': "module.exports = { moduleNameMapper: { '^core$': '<rootDir>/packages/core/src/index.js' } };\n",
      'packages/core/src/index.js': '',
    },
    'npx jest',
    [],
  ],
  [
    'pytest: modules with hooks that conftest.py imports',
    {
      'tests/conftest.py':
        'from app.main import create\nfrom .hooks import *\nfrom tests.support.more import (\n    helper,\n    pytest_runtest_makereport,\n)\n',
      'tests/hooks.py': 'from tests.deep import pytest_sessionfinish\n',
      ...{ 'app/main.py': '', 'tests/support/more.py': '', 'tests/deep.py': '' },
    },
    'pytest -v',
    ['tests/deep.py', 'tests/hooks.py', 'tests/support/more.py'],
  ],
  [
    'pytest: modules with hooks that a plugin imports',
    {
      'conftest.py':
        'pytest_plugins = ["tests.plugin"]\ndef pytest_configure(config):\n    config.pluginmanager.import_plugin("tests.late")\n',
      'tests/plugin.py': 'from tests.inner import *\n',
      ...{ 'tests/inner.py': '', 'tests/late.py': '' },
    },
    'pytest -v',
    ['tests/inner.py', 'tests/late.py', 'tests/plugin.py'],
  ],
  [
    'Cargo: modules of the build script, and an included configuration',
    {
      'Cargo.toml': '[package]\nbuild = "build/main.rs"\n',
      'build/main.rs': 'mod gen;\ninclude!("../tools/more.rs");\n',
      'build.rs': 'mod other;\n',
      '.cargo/config.toml': 'include = ["../tools/more.toml"]\n',
      'tools/more.toml': '[build]\nrustc-wrapper = "wrap.sh"\n',
      ...{ 'build/gen.rs': '', 'other/mod.rs': '', 'tools/more.rs': '', 'tools/wrap.sh': '' },
    },
    'cargo test',
    ['build/gen.rs', 'build/main.rs', 'other/mod.rs', 'tools/more.rs', 'tools/more.toml', 'tools/wrap.sh'],
  ],
  [
    'nextest: a script before the tests',
    { '.config/nextest.toml': '[scripts.setup.a]\ncommand = "tools/setup.sh"\n', 'tools/setup.sh': '' },
    'cargo nextest run',
    ['tools/setup.sh'],
  ],
  [
    'Make: an included file, its shell, and a program in a variable',
    {
      Makefile:
        'include mk/test.mk\nSHELL := ./tools/shell.sh\nFOLDER := ./tools\nRUN = $(FOLDER)/run.sh\nSOURCES = ./tools/source.sh\n',
      'mk/test.mk': 'test:\n\t$(RUN) && ./tools/more.sh\n',
      ...{ 'tools/shell.sh': '', 'tools/run.sh': '', 'tools/more.sh': '', 'tools/source.sh': '' },
    },
    'make test',
    ['mk/test.mk', 'tools/more.sh', 'tools/run.sh', 'tools/shell.sh'],
  ],
  [
    'just: an imported file and its shell',
    {
      justfile: "import 'tools/test.just'\nset shell := ['./tools/shell.sh', '-c']\n",
      'tools/test.just': 'test:\n  ./tools/run.sh\n',
      ...{ 'tools/shell.sh': '', 'tools/run.sh': '' },
    },
    'just test',
    ['tools/run.sh', 'tools/shell.sh', 'tools/test.just'],
  ],
  [
    'a program that another one starts in its own folder',
    {
      'package.json': '{"scripts":{"test":"node scripts/run.js"}}',
      'scripts/run.js': "spawnSync('node', ['scripts/inner.js', 'src/a.js']);\n",
      'scripts/inner.js': '',
    },
    'npm test',
    ['scripts/inner.js', 'scripts/run.js'],
  ],
  [
    'pnpm and npm: a shell, and another configuration',
    {
      'pnpm-workspace.yaml': 'scriptShell: ./tools/shell.sh\n',
      '.npmrc': 'globalconfig=./tools/npmrc\n',
      ...{ 'tools/shell.sh': '', 'tools/npmrc': '' },
    },
    'pnpm test',
    ['tools/npmrc', 'tools/shell.sh'],
  ],
  ['outside of the project', { 'jest.config.js': "setupFiles: ['../other.js', '/etc/passwd']\n" }, 'npx jest', []],
  ['no file', { 'jest.config.js': "testEnvironment: 'jsdom', setupFiles: ['./missing.js', './test'],\n" }, 'npx jest', []],
  ['a configuration that is no text', { 'package.json': '{' }, 'npm test', []],
];
const script = (test: string): Record<string, string> => ({ 'package.json': JSON.stringify({ scripts: { test } }) });

/** What a runner reads by any option, variable or key that names a file. */
const anyName: Row[] = [
  ['Mocha: an interface', { 'tools/ui.js': '' }, 'npx mocha -u tools/ui.js', ['tools/ui.js']],
  ['Mocha: an interface in a script', { ...script('mocha --ui ./tools/ui'), 'tools/ui.js': '' }, 'npm test', ['tools/ui.js']],
  [
    'Jest: options with JSON',
    {
      ...script('jest --transform \'{"\\\\.js$": "./tools/x.js"}\' --coverageReporters=\'["./tools/y.js"]\''),
      ...{ 'tools/x.js': '', 'tools/y.js': '' },
    },
    'npm test',
    ['tools/x.js', 'tools/y.js'],
  ],
  ['Jest: globals on the command line', { 'x.js': '' }, `jest --globals='{"a":{"b":"./x.js"}}'`, ['x.js']],
  ['redirected input', { 'list.txt': '' }, 'xargs node --test < list.txt', ['list.txt']],
  ['a list of files', { 'list.txt': '' }, 'node --test $(cat list.txt)', ['list.txt']],
  [
    'Node: a folder of data',
    { 'icu/a.dat': '', 'icu/deep/b.dat': '' },
    'node --icu-data-dir=icu --test',
    ['icu/a.dat', 'icu/deep/b.dat'],
  ],
  ['Node: a certificate', { 'tools/ca.pem': '' }, 'NODE_EXTRA_CA_CERTS=tools/ca.pem node --test', ['tools/ca.pem']],
  ['programs in a folder of PATH', { 'tools/bin/node': '' }, 'PATH=./tools/bin:$PATH npm test', ['tools/bin/node']],
  ['a variable for Babel', { 'tools/babel.js': '' }, 'BABEL_CONFIG_FILE=./tools/babel.js npx jest', ['tools/babel.js']],
  [
    'variables in a script',
    {
      ...script('cross-env TS_NODE_PROJECT=conf/ts.json TSX_TSCONFIG_PATH="conf/tsx.json" SWCRC=conf/swc mocha'),
      ...{ 'conf/ts.json': '{"compilerOptions":{"plugins":[{"transform":"./x.js"}]}}', 'conf/x.js': '', 'conf/tsx.json': '' },
      'conf/swc': '',
    },
    'npm test',
    ['conf/swc', 'conf/ts.json', 'conf/tsx.json', 'conf/x.js'],
  ],
  [
    'variables in a shell script',
    { ...script('sh run.sh'), 'run.sh': 'export BABEL_ENV=x\nexport SETTINGS="tools/x.js"\nnpx jest\n', 'tools/x.js': '' },
    'npm test',
    ['run.sh', 'tools/x.js'],
  ],
  [
    'variables in a Makefile',
    { Makefile: 'test:\n\tSWC=tools/x.json npx jest --ui=tools/y.js\n', 'tools/x.json': '', 'tools/y.js': '' },
    'make test',
    ['tools/x.json', 'tools/y.js'],
  ],
  [
    'Vitest: a page for its browser',
    {
      'vitest.config.ts': "export default { test: { browser: { testerHtmlPath: './tools/tester.html' } } };\n",
      'tools/tester.html': '',
    },
    'npx vitest',
    ['tools/tester.html'],
  ],
  [
    'Vitest: a mock as an alias, and a path of several words',
    {
      'vitest.config.ts':
        "export default { resolve: { alias: { db: './mocks/db.ts', '@': './src/a.js' } }, test: { x: path.join(root, 'tools', 'x.ts') } };\n",
      ...{ 'mocks/db.ts': '', 'tools/x.ts': '' },
    },
    'npx vitest',
    ['mocks/db.ts', 'tools/x.ts'],
  ],
  [
    'Vitest: modules that a setup file loads by a glob',
    {
      'vitest.config.ts': "export default { test: { setupFiles: './setup/all.ts' } };\n",
      'setup/all.ts': "import.meta.glob('./more/*.ts', { eager: true });\n",
      'setup/more/a.ts': '',
    },
    'npx vitest',
    ['setup/all.ts', 'setup/more/a.ts'],
  ],
  [
    'modules that a setup file loads beside the tests',
    {
      'jest.config.js': "module.exports = { setupFiles: ['./test/setup.ts'] };\n",
      'test/setup.ts': "import './help';\n",
      'test/help.ts': '',
    },
    'npx jest',
    ['test/help.ts', 'test/setup.ts'],
  ],
  [
    'Cargo: a linker in the flags',
    {
      '.cargo/config.toml':
        '[build]\nrustflags = ["-Clinker=tools/ld.sh", "-C", "link-arg=-Ttools/x.ld"]\n[env]\nA = { value = "tools/a.txt", relative = true }\n',
      ...{ 'tools/ld.sh': '', 'tools/x.ld': '', 'tools/a.txt': '' },
    },
    'cargo test',
    ['tools/a.txt', 'tools/ld.sh', 'tools/x.ld'],
  ],
  ['Cargo: a linker in a variable', { 'tools/ld.sh': '' }, 'RUSTFLAGS="-C linker=tools/ld.sh" cargo test', ['tools/ld.sh']],
  ['Cargo: a configuration as an option', { 'tools/c.toml': '' }, 'cargo --config tools/c.toml test', ['tools/c.toml']],
  [
    'Make: included files by a glob',
    { Makefile: 'include mk/*.mk\n', 'mk/a.mk': 'test:\n\t./tools/run.sh\n', 'mk/b.mk': '', 'tools/run.sh': '' },
    'make test',
    ['mk/a.mk', 'mk/b.mk', 'tools/run.sh'],
  ],
  [
    'Maven: properties, and arguments of Java',
    {
      'pom.xml':
        '<project><systemPropertiesFile>conf/p.properties</systemPropertiesFile><argLine>@conf/java.args</argLine><x>${project.basedir}/conf/y.xml</x></project>',
      'conf/java.args': '-javaagent:tools/agent.jar=a',
      ...{ 'conf/p.properties': '', 'tools/agent.jar': '', 'conf/y.xml': '' },
    },
    'mvn test',
    ['conf/java.args', 'conf/p.properties', 'conf/y.xml', 'tools/agent.jar'],
  ],
  ['Maven: an agent on the command line', { 'a.jar': '' }, 'mvn test -DargLine=-javaagent:a.jar', ['a.jar']],
  ['Java: a file of arguments', { 'conf/args': '' }, 'java @conf/args', ['conf/args']],
  [
    'pytest: a file of arguments',
    { 'args.txt': '-p tools.hook\n', 'tools/hook.py': '' },
    'pytest @args.txt',
    ['args.txt', 'tools/hook.py'],
  ],
  [
    'pytest: entry points of the project, in pyproject.toml',
    {
      'pyproject.toml': '[project.entry-points.pytest11]\ncart = "cart.plugin"\n[project.scripts]\nx = "cart.cli:main"\n',
      'cart/plugin.py': '',
      'cart/cli.py': '',
    },
    'pytest -v',
    ['cart/plugin.py'],
  ],
  [
    'pytest: entry points of the project, in setup.cfg',
    {
      'setup.cfg': '[options.entry_points]\npytest11 =\n    cart = cart.plugin:hooks\nconsole_scripts =\n    x = cart.cli:main\n',
      ...{ 'cart/plugin.py': '', 'cart/cli.py': '' },
    },
    'pytest -v',
    ['cart/plugin.py'],
  ],
  [
    'tox: a script',
    { 'tox.ini': '[testenv]\ncommands = python {toxinidir}/tools/run.py\n', 'tools/run.py': '' },
    'tox',
    ['tools/run.py'],
  ],
  [
    'Gradle: an applied file with any ending, also through another',
    {
      'build.gradle': "apply from: 'conf/x.txt'\n",
      'conf/x.txt': 'apply from: "$rootDir/conf/y.txt"\n',
      'conf/y.txt': '',
    },
    'gradle cleanTest test',
    ['conf/x.txt', 'conf/y.txt'],
  ],
  [
    'Gradle: Kotlin',
    { 'build.gradle.kts': 'apply(from = "${rootDir}/conf/x.txt")\n', 'conf/x.txt': '' },
    'gradle test',
    ['conf/x.txt'],
  ],
  [
    'RSpec: files that its helper loads',
    {
      'spec/spec_helper.rb':
        "require 'cart'\nrequire_relative '../src/a'\nrequire_relative 'support/one'\nrequire 'support/two'\nDir[File.join(__dir__, 'support', 'more', '**', '*.rb')].sort.each { |f| require f }\n",
      ...{
        'spec/support/one.rb': '',
        'spec/support/two.rb': '',
        'spec/support/more/deep/a.rb': '',
        'cart.rb': '',
        'spec/cart_spec.rb': '',
      },
    },
    'rspec',
    ['spec/support/more/deep/a.rb', 'spec/support/one.rb', 'spec/support/two.rb'],
  ],
  [
    'RSpec: the globs of Rails',
    { 'spec/rails_helper.rb': "Dir[Rails.root.join('spec/support/**/*.rb')].each { |f| require f }\n", 'spec/support/a.rb': '' },
    'rspec',
    ['spec/support/a.rb'],
  ],
  [
    'RSpec: a required file',
    { '.rspec': '--require support/boot\n', 'spec/support/boot.rb': '' },
    'rspec',
    ['spec/support/boot.rb'],
  ],
  [
    'Minitest: files that its helper loads',
    { 'test/test_helper.rb': "require_relative 'help/a'\n", 'test/help/a.rb': '' },
    'rake test',
    ['test/help/a.rb'],
  ],
  [
    'PHPUnit: extensions by class and by file, and what the bootstrap loads',
    {
      'phpunit.xml':
        '<phpunit bootstrap="tests/boot.php"><extensions><bootstrap class="App\\Tests\\Clock"/><extension class="X" file="tools/x.php"/></extensions><testsuites><testsuite><file>tests/CartTest.php</file></testsuite></testsuites></phpunit>',
      'tests/boot.php': "<?php\nrequire __DIR__ . '/help.php';\n",
      ...{ 'tests/Clock.php': '', 'tools/x.php': '', 'tests/help.php': '', 'tests/CartTest.php': '' },
    },
    'phpunit',
    ['tests/Clock.php', 'tests/boot.php', 'tests/help.php', 'tools/x.php'],
  ],
  [
    'ExUnit: an alias, and what its helper loads',
    {
      'mix.exs': 'defp aliases, do: [test: ["run tools/seed.exs", "test"]]\n',
      'test/test_helper.exs': 'Code.require_file("support/a.exs", __DIR__)\n',
      ...{ 'tools/seed.exs': '', 'test/support/a.exs': '' },
    },
    'mix test',
    ['test/support/a.exs', 'tools/seed.exs'],
  ],
  [
    '.NET: imported properties and settings',
    {
      'Directory.Build.props': '<Project><Import Project="$(MSBuildThisFileDirectory)conf/x.props" /></Project>',
      'a.csproj': '<Project><Import Project="conf\\y.targets" /><Compile Include="Cart.cs" /></Project>',
      ...{ 'conf/x.props': '', 'conf/y.targets': '', 'Cart.cs': '' },
    },
    'dotnet test --settings conf/z.settings',
    ['conf/x.props', 'conf/y.targets'],
  ],
  [
    'Deno: local imports',
    { 'deno.json': '{"imports":{"db":"./mocks/db.ts","cart":"./mod.ts"},"exports":"./mod.ts"}', 'mocks/db.ts': '', 'mod.ts': '' },
    'deno test',
    ['mocks/db.ts'],
  ],
  [
    'Bun: a preloaded file',
    { 'bunfig.toml': '[test]\npreload = "./tools/x.ts"\n', 'tools/x.ts': '' },
    'bun test',
    ['tools/x.ts'],
  ],
  [
    'Playwright: modules by other keys',
    {
      'playwright.config.ts':
        "export default { webServer: { command: 'node tools/serve.js' }, use: { storageState: 'conf/state.json' } };\n",
      'tools/serve.js': '',
      'conf/state.json': '',
    },
    'npx playwright test',
    ['conf/state.json', 'tools/serve.js'],
  ],
  [
    'Node: a configuration with a path from the folder of the run on',
    {
      'conf/node.json': '{"nodeOptions":{"import":["./tools/a.mjs"]}}',
      'node.config.json': '{"nodeOptions":{"import":["./tools/b.mjs"]}}',
      ...{ 'tools/a.mjs': '', 'tools/b.mjs': '' },
    },
    'node --experimental-config-file=conf/node.json --test',
    ['conf/node.json', 'tools/a.mjs', 'tools/b.mjs'],
  ],
  [
    'Node: a mock under a condition',
    { 'package.json': '{"imports":{"#db":{"mock":"./mocks/db.js","default":"./src/a.js"}}}', 'mocks/db.js': '' },
    'node -C mock --test',
    ['mocks/db.js'],
  ],
  [
    'pytest: modules in variables',
    { 'tools/a.py': '', 'tools/b.py': '' },
    'PYTEST_PLUGINS=tools.a,tools.b pytest',
    ['tools/a.py', 'tools/b.py'],
  ],
  [
    'pytest: an entry point in setup.py, and a plugin in a folder of its own',
    {
      'setup.py': "setup(entry_points={'pytest11': ['cart = cart.plugin']})\n",
      'pytest.ini': '[pytest]\npythonpath = tools\naddopts = -p hook\n',
      ...{ 'cart/plugin.py': '', 'tools/hook.py': '' },
    },
    'pytest',
    ['cart/plugin.py', 'tools/hook.py'],
  ],
  [
    'Go: files that take the place of others',
    { 'tools/o.json': '{"Replace":{"src/a.go":"tools/b.go"}}', 'tools/b.go': '' },
    'go test -overlay tools/o.json ./...',
    ['tools/b.go', 'tools/o.json'],
  ],
  [
    'RSpec: options in a file',
    { 'conf/o': '--require ./tools/h.rb\n', 'tools/h.rb': '' },
    'rspec --options=conf/o',
    ['conf/o', 'tools/h.rb'],
  ],
  ['Rake: a program', { Rakefile: "task(:test) { ruby 'tools/h.rb' }\n", 'tools/h.rb': '' }, 'rake test', ['tools/h.rb']],
  [
    'PHP: a file that loads before the tests',
    {
      'conf/php.ini': 'auto_prepend_file=tools/p.php\n',
      'composer.json': '{"autoload-dev":{"files":["tests/x.php"]}}',
      'tools/p.php': '',
      'tests/x.php': '',
    },
    'php -c conf/php.ini vendor/bin/phpunit',
    ['conf/php.ini', 'tests/x.php', 'tools/p.php'],
  ],
  [
    'ExUnit: source for the tests',
    { 'mix.exs': 'elixirc_paths: ["lib", "test/support"]\n', 'test/support/case.ex': '', 'lib/a.ex': '' },
    'mix test',
    ['test/support/case.ex'],
  ],
  [
    'Make: included files by a variable and by a function',
    { Makefile: 'D := mk\ninclude $(D)/a.mk\ninclude $(wildcard more/*.mk)\n', 'mk/a.mk': '', 'more/b.mk': '' },
    'make test',
    ['mk/a.mk', 'more/b.mk'],
  ],
  [
    'files that differ in their endings, of which the runner takes one',
    {
      'jest.config.js': "module.exports = { resolver: './tools/x', moduleFileExtensions: ['ts', 'js'] };\n",
      'tools/x.js': '',
      'tools/x.ts': '',
    },
    'npx jest',
    ['tools/x.js', 'tools/x.ts'],
  ],
  [
    'a name in capitals, where the file system may not distinguish them',
    { 'jest.config.js': "module.exports = { resolver: './Tools/x.js' };\n", 'Tools/x.js': '' },
    'npx jest',
    ['Tools/x.js'],
  ],
];

/** Files that change in an honest cycle. */
const honest: Row[] = [
  ['tests after options', { 'unit.js': '', 'test/unit.js': '' }, 'npx mocha --exit --recursive unit.js test/unit.js', []],
  [
    'source for coverage',
    { ...script('c8 --include=cart.js --exclude=other.js mocha'), 'cart.js': '', 'other.js': '' },
    'npm test',
    [],
  ],
  [
    'source that a linter reads',
    { ...script('eslint --fix cart.js && tsc cart.ts && prettier --check cart.js && mocha'), 'cart.js': '', 'cart.ts': '' },
    'npm test',
    [],
  ],
  [
    'source that a compiler or a generator gets',
    {
      Makefile:
        'test: unit\n\t./unit\nunit: unit.c\n\tgcc -Wall -c cart.c -o cart.o && buf generate --path api/cart.proto\n\tgcc -o unit cart.o unit.c\n',
      ...{ 'cart.c': '', 'cart.o': '', 'unit.c': '', 'api/cart.proto': '', unit: '' },
    },
    'make test',
    [],
  ],
  ['tests of Deno after options', { 'unit.ts': '' }, 'deno test -A --allow-read unit.ts', []],
  ['a linter by npx', { 'cart.js': '' }, 'npx -y eslint --fix cart.js && npx mocha --enable-source-maps cart.js', []],
  [
    'data that tests write',
    {
      ...script('dotenv -e .env.test -- jest'),
      '.env.test': 'DATABASE_URL=file:./a.db\nLOG_FILE=a.txt\n',
      'a.db': '',
      'a.txt': '',
    },
    'npm test',
    ['.env.test'],
  ],
  [
    'results that a reporter writes',
    {
      'playwright.config.ts':
        "export default { reporter: [['html', { outputFolder: 'r' }], ['json', { outputFile: 'r/out.json' }]] };\n",
      'r/out.json': '',
    },
    'npx playwright test',
    [],
  ],
  [
    'PHPUnit: source, tests and results',
    {
      'phpunit.xml.dist':
        '<phpunit cacheResultFile=".cache.json"><testsuites><testsuite><file>tests/Other.php</file></testsuite></testsuites><source><include><file>functions.php</file></include></source><logging><junit outputFile="r.xml"/></logging></phpunit>',
      ...{ 'functions.php': '', '.cache.json': '', 'tests/Other.php': '', 'r.xml': '' },
    },
    'phpunit',
    [],
  ],
  ['tox: source that a linter reads', { 'tox.ini': '[testenv:lint]\ncommands = flake8 cart.py\n', 'cart.py': '' }, 'tox', []],
  ['the program under test', { 'cart.py': '' }, 'FLASK_APP=cart.py pytest -v', []],
  ['Go: coverage', { 'cover.out': '' }, 'go test -coverprofile=cover.out ./...', []],
  [
    'Gradle and Maven: descriptions of interfaces, and results',
    {
      'build.gradle': "junitXml.outputLocation = file('r/r.xml')\ninputs.file('api/openapi.yaml')\n",
      'pom.xml': '<inputSpec>${project.basedir}/api/cart.yaml</inputSpec>',
      ...{ 'r/r.xml': '', 'api/openapi.yaml': '', 'api/cart.yaml': '' },
    },
    'gradle cleanTest test',
    [],
  ],
  ['a source file in src', { ...script('APP=src/a.js mocha --entry src/a.js') }, 'npm test', []],
  [
    'test files by a filter',
    { 'cart_test.py': '', 'test_cart.py': '', 'cart.py': '' },
    'pytest -v -k cart --cov=cart test_cart.py cart_test.py',
    [],
  ],
  [
    'results',
    { 'out.json': '', 'junit.xml': '', 'a.log': '' },
    'jest --json --outputFile=out.json --reporters=default 2> a.log',
    [],
  ],
  ['results by variables', { 'junit.xml': '', 'r.xml': '' }, 'JEST_JUNIT_OUTPUT_FILE=junit.xml MOCHA_FILE=r.xml npx jest', []],
  [
    'results of pytest',
    {
      'r.xml': '',
      'pytest.ini': '[pytest]\naddopts = --junitxml=r.xml --cov-report=xml:r.xml --junit-xml r.xml\nlog_file = r.xml\n',
    },
    'pytest -v',
    [],
  ],
  [
    'tests and source in the configuration of a runner',
    {
      'jest.config.js':
        "module.exports = { testMatch: ['<rootDir>/unit.js'], collectCoverageFrom: ['cart.js', '!other.js'], verbose: true, coverageReporters: ['json'] };\n",
      '.mocharc.json': '{"spec": ["unit.js"], "recursive": true}',
      '.nycrc': '{"include": ["cart.js"], "all": true}',
      ...{ 'unit.js': '', 'cart.js': '', 'other.js': '' },
    },
    'npx jest',
    [],
  ],
  [
    'what describes a package of Python',
    {
      'pyproject.toml':
        '[project]\nreadme = "README.md"\nlicense = {file = "LICENSE.txt"}\n[tool.hatch.version]\npath = "cart/__init__.py"\n[project.scripts]\ncart = "cart.cli:main"\n[tool.coverage.run]\ninclude = ["cart/cli.py"]\n[tool.pytest.ini_options]\ntestpaths = ["checks/unit.py"]\naddopts = "--cov=cart.cli -q"\n',
      ...{ 'README.md': '', 'LICENSE.txt': '', 'cart/__init__.py': '', 'cart/cli.py': '', 'checks/unit.py': '' },
    },
    'pytest -v',
    [],
  ],
  [
    'scripts that the command does not run',
    {
      'package.json': '{"main":"cart.js","scripts":{"test":"mocha","start":"node cart.js","lint":"eslint -c conf.js cart.js"}}',
      'cart.js': '',
    },
    'npm test',
    [],
  ],
  [
    'Cargo: the library',
    { 'Cargo.toml': '[package]\nreadme = "README.md"\n[lib]\npath = "cart.rs"\n', 'cart.rs': '', 'README.md': '' },
    'cargo test',
    [],
  ],
  [
    'what Vite builds',
    {
      'vite.config.ts': "export default { build: { lib: { entry: './cart.ts' }, rollupOptions: { input: 'index.html' } } };\n",
      'cart.ts': '',
      'index.html': '',
    },
    'npx vitest',
    [],
  ],
  [
    '.NET: source',
    { 'a.csproj': '<Project><Compile Include="Cart.cs" /><None Remove="x.json" /></Project>', 'Cart.cs': '', 'x.json': '' },
    'dotnet test',
    [],
  ],
  [
    'tsconfig: source',
    {
      'tsconfig.json': '{"files": ["cart.ts"], "include": ["./more.ts"], "compilerOptions": {"outDir": "out"}}',
      'cart.ts': '',
      'more.ts': '',
    },
    'npx jest',
    [],
  ],
  ['a package of a workspace', { 'packages/a/index.js': '', 'packages/a.js': '' }, 'npm test -w packages/a --if-present', []],
];
const present = [
  'test/setup.ts',
  'test/more.js',
  'test/env.js',
  'test/db.js',
  'test/spec.js',
  'src/a.js',
  'tests/plugin.py',
  'spec/helper.rb',
  'tests/boot.php',
  'packages/a/setup.ts',
];

test.each([...rows, ...anyName, ...honest])('%s [w:tests.guarded]', (_, files, command, found) => {
  const top = temporaryFolder('modes-setup-files-');
  afterTest(() => fs.rmSync(top, { recursive: true, force: true }));
  const root = path.join(top, 'project');
  putFile(path.join(top, 'other.js'), '');
  for (const name of present) putFile(path.join(root, name), '');
  for (const [name, text] of Object.entries(files)) putFile(path.join(root, name), text);
  expect([...setupFiles(root, { command, in: null })].sort()).toEqual([...found].sort());
});

test('in the folder of the command [w:tests.guarded]', () => {
  const root = temporaryFolder('modes-setup-files-');
  afterTest(() => fs.rmSync(root, { recursive: true, force: true }));
  putFile(path.join(root, 'web/jest.config.js'), "setupFiles: ['./setup.js']\n");
  putFile(path.join(root, 'web/setup.js'), '');
  expect([...setupFiles(root, { command: 'npm test', in: 'web' })]).toEqual(['web/setup.js']);
});

const checkOf = (command: string, folder: string | null = null): TestsCheck => ({
  ...{
    source: { file: '.claude/modes.yaml', line: 1, column: 1 },
    check: 'tests',
    demand: 'all pass',
    by: 'agent',
    report: null,
  },
  ...{ command, in: folder, watch: null, outputs: [], output: null, uses: null, timeout: 60_000, unsandboxed: false },
});

test.each<[command: string, folder: string | null, guarded: string[]]>([
  ['python -m pytest -v', null, ['json.py']],
  ['python -m pytest -v', 'api', ['api/json.py']],
  ['cd api && python -m unittest -v', null, ['json.py', 'api/json.py']],
])('%s in %s: a module there takes the place of one of Python [w:tests.guarded]', (command, folder, guarded) => {
  const { file } = guardedScope(checkOf(command, folder), temporaryFolder('python-'), '/home/nobody');
  expect(['json.py', 'api/json.py', 'web/json.py'].filter(file)).toEqual(guarded);
});

test('the state that Gradle writes in every run defines no command', () => {
  const { file } = guardedScope(checkOf('gradle cleanTest test'), temporaryFolder('gradle-'), '/home/nobody');
  const names = [
    'build.gradle',
    'settings.gradle.kts',
    'cart.gradle',
    'gradle.lockfile',
    '.gradle/4.4.1/fileHashes/fileHashes.bin',
  ];
  expect(names.map(file)).toEqual([true, true, true, true, false]);
});

test.each<[what: string, files: () => Record<string, string>, command: string, reason: RegExp]>([
  [
    'names in a configuration',
    () => ({ 'jest.config.js': Array.from({ length: 21_000 }, (_, at) => `'./x${at}/a.js'`).join(), 'a.js': '' }),
    'jest',
    /configurations name more than 20000 files/,
  ],
  [
    'text',
    () => Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`p${at}/jest.config.js`, 'a'.repeat(1_000_000)])),
    'jest',
    /larger than 8 MB/,
  ],
  [
    'globs',
    () => ({ 'spec/spec_helper.rb': Array.from({ length: 201 }, (_, at) => `load 'a${at}/*.rb'`).join('\n') }),
    'rspec',
    /more than 200 globs/,
  ],
  ['script', () => script('mocha '.repeat(50_000)), 'npm test', /longer than 262144 characters/],
])('too many or too much %s is an error [w:tests.guarded]', (_, files, command, reason) => {
  const root = temporaryFolder('modes-setup-files-');
  afterTest(() => fs.rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files())) putFile(path.join(root, name), text);
  expect(() => setupFiles(root, { command, in: null })).toThrow(reason);
});

test('links in a circle, and files that apply each other without end [w:tests.guarded]', () => {
  const root = temporaryFolder('modes-setup-files-');
  afterTest(() => fs.rmSync(root, { recursive: true, force: true }));
  for (let at = 0; at < 3_000; at++) putFile(path.join(root, `c/m${at}.txt`), `apply from: 'c/m${(at + 1) % 3_000}.txt'\n`);
  putFile(path.join(root, 'build.gradle'), "apply from: 'c/m0.txt'\napply from: 'x.gradle'\n");
  fs.symlinkSync('x.gradle', path.join(root, 'x.gradle'));
  fs.symlinkSync('..', path.join(root, 'c/up'));
  expect(setupFiles(root, { command: 'gradle test', in: null }).size).toBe(3_000);
});

const many = (count: number, text: (at: number) => string): string => Array.from({ length: count }, (_, at) => text(at)).join('');
const beyondLimits: [what: string, files: Record<string, string>][] = [
  [
    'modules',
    {
      ...Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`m${at}.js`, ''])),
      'jest.config.js': many(10_001, (at) => `import './m${at}.js';\n`),
    },
  ],
  ['values of a key', { 'jest.config.js': `${many(1_000, (at) => `preset: 'p${at}'\n`)}setupFiles: ['./test/setup.ts']\n` }],
  ['characters in a value', { 'jest.config.js': `setupFiles: [${' '.repeat(20_000)}'./test/setup.ts']\n` }],
  ['bytes', { 'jest.config.js': `setupFiles: ['./test/setup.ts']\n${'//\n'.repeat(400_000)}` }],
];

test.each(beyondLimits)('more %s than the limit stop the check [w:tests.guarded-limits]', (_, files) => {
  const root = temporaryFolder('modes-setup-files-');
  afterTest(() => fs.rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ 'test/setup.ts': '', ...files })) putFile(path.join(root, name), text);
  const unread =
    /Modes cannot find every file that affects the tests\. Let a person shorten it, or use another check in this gate/;
  expect(() => setupFiles(root, { command: 'npx jest', in: null })).toThrow(unread);
});
