// Builds dist/: the bundles the plugin runs from, and the compiled core. The same sources give the same bytes on every machine.
//
//   node scripts/build.mjs            write dist/
//   node scripts/build.mjs --check    build beside it and name every file of dist/ that differs (exit 1)
//   node scripts/build.mjs --present  check whether dist/ is complete, without building (exit 1 if it is not)
//   node scripts/build.mjs --sizes    write dist/ and print the contents of each bundle
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { declarationsOf } from './declarations.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** ESM has no `require`, and CommonJS packages inside a bundle call it for Node's own modules. */
const ESM_BANNER =
  "import { createRequire as modesCreateRequire } from 'node:module'; const require = modesCreateRequire(import.meta.url);";

const define = { __MODES_VERSION__: JSON.stringify(version) };

/** Exports of the package: name in dist/, and the source of its types. */
const exported = { library: 'src/adapters/sdk/library.ts', sdk: 'src/adapters/sdk/sdk.ts' };

/**
 * One esbuild run for each entry. `splitting` shares code between the entries and puts lazily imported code into separate chunks.
 */
const bundles = [
  {
    // The thread that asks an OPA server shares undici with the others.
    entries: {
      modes: 'src/adapters/cli/main.ts',
      server: 'src/adapters/mcp/main.ts',
      'opa-worker': 'src/policy/remote/opa-worker.mjs',
      ...exported,
    },
    options: {
      format: 'esm',
      splitting: true,
      outExtension: { '.js': '.mjs' },
      // Flat: the import.meta.url of every module must name dist/, in any chunk.
      chunkNames: 'chunk-[hash]',
      banner: { js: ESM_BANNER },
      minifyWhitespace: true,
      minifySyntax: true,
    },
  },
  // These run in a separate process and a separate thread, and contain no code that they do not need.
  {
    entries: { compiler: 'src/policy/compiler/child.mjs', 'policy-worker': 'src/policy/custom/worker.mjs' },
    options: { format: 'esm', outExtension: { '.js': '.mjs' }, minifyWhitespace: true },
  },
  // The one-shot process starts for a single answer: CommonJS loads faster than ESM, and every byte is parsed each time.
  {
    entries: {
      'hook-main': 'src/adapters/hook/main.ts',
      bash: 'src/shell/analyse.ts',
      sandbox: 'src/workflow/gates/sandbox.ts',
      tests: 'src/workflow/gates/tests/check.ts',
      'near-run': 'src/workflow/gates/near-run.ts',
      prepare: 'src/adapters/sdk/slow.ts',
    },
    options: {
      format: 'cjs',
      outExtension: { '.js': '.cjs' },
      // `performance` is a module of Node that is loaded on its first use.
      define: { ...define, 'import.meta.url': '__filename', 'performance.now': 'modesNow' },
      banner: { js: 'const modesNow = () => Number(process.hrtime.bigint()) / 1e6;' },
      minify: true,
      // hook.cjs reads it with one byte per character, which takes a third of the time.
      charset: 'ascii',
    },
  },
  { entries: { hook: 'src/adapters/hook/start.ts' }, options: { format: 'cjs', outExtension: { '.js': '.cjs' }, minify: true } },
];

const common = {
  // If node_modules is a link, the names of modules must not depend on its target.
  preserveSymlinks: true,
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.11',
  // jsonc-parser's `main` is UMD and requires its parts by computed names, which fails in a bundle.
  mainFields: ['module', 'main'],
  charset: 'utf8',
  define,
  legalComments: 'none', // NOTICE carries the licences of everything in dist/
  treeShaking: true,
  metafile: true,
  write: false,
  logLevel: 'warning',
};

/**
 * opa-wasm loads yaml 1.x and sprintf-js for builtins that are not in src/policy/compiler/capabilities.json, so no policy calls
 * them. They would add 90 KB to every start.
 */
const withoutHostBuiltins = {
  name: 'without-host-builtins',
  setup(bundler) {
    bundler.onResolve({ filter: /^(yaml|sprintf-js)$/ }, ({ path, importer }) =>
      importer.includes(`${sep}opa-wasm${sep}`) ? { path, namespace: 'absent' } : undefined,
    );
    bundler.onLoad({ filter: /.*/, namespace: 'absent' }, ({ path }) => ({
      contents: `const absent = () => { throw new Error('${path} is not part of the evaluator'); };
module.exports = { parse: absent, stringify: absent, sprintf: absent, vsprintf: absent };`,
    }));
  },
};

/**
 * The MCP SDK includes a validator of any JSON schema, for answers to forms. src/adapters/mcp/dialog.ts has the only one that our
 * forms need.
 */
const withoutValidator = {
  name: 'without-validator',
  setup(bundler) {
    bundler.onLoad({ filter: /sdk[\\/]dist[\\/]esm[\\/]validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: `export class AjvJsonSchemaValidator {
  constructor() { throw new Error('the validator of the MCP SDK is not part of this bundle'); }
}`,
    }));
  },
};

/**
 * In CommonJS, esbuild copies every property of a Node module for every file that imports it: a tenth of the one-shot's time.
 * Here each property is read once. Modules that only some calls need are loaded at the first call of one of their functions.
 */
const nodeOnce = {
  name: 'node-once',
  setup(bundler) {
    const late = new Set(['child_process', 'worker_threads', 'timers/promises', 'net', 'http', 'module']);
    const imported = importedOfNode();
    bundler.onResolve({ filter: /^(node:)?[a-z_]+(\/promises)?$/ }, ({ path, namespace, kind, importer }) => {
      // CommonJS and packages import the module itself.
      if (kind !== 'import-statement' || !importer.startsWith(join(root, 'src/'))) return undefined;
      const name = path.replace(/^node:/, '');
      return isBuiltin(`node:${name}`) && namespace !== 'node-once' ? { path: name, namespace: 'node-once' } : undefined;
    });
    bundler.onLoad({ filter: /.*/, namespace: 'node-once' }, ({ path }) => {
      const exported = [...(imported.get(path) ?? [])]
        .sort()
        .map((name) =>
          late.has(path)
            ? `export function ${name}(...given) { return new.target ? new (node().${name})(...given) : node().${name}(...given); }`
            : `export const ${name} = /* @__PURE__ */ (() => node.${name})();`,
        );
      const head = late.has(path)
        ? `const node = () => require('node:${path}');`
        : `const node = require('node:${path}'); export default node;`;
      return { contents: [head, ...exported].join('\n'), loader: 'js' };
    });
  },
};

/**
 * Names that the sources import from Node's modules. The list of all names would differ between versions of Node, and so would
 * the names in dist/.
 */
function importedOfNode() {
  const names = new Map();
  for (const name of readdirSync(join(root, 'src'), { recursive: true })) {
    if (!/\.(ts|mjs)$/.test(name)) continue;
    const text = readFileSync(join(root, 'src', name), 'utf8');
    for (const [, list, module] of text.matchAll(/^import (?:\w+, )?\{([^}]*)\} from 'node:([^']+)';/gm))
      for (const one of list.split(',').map((word) => word.trim().split(' as ')[0]))
        if (one !== '' && !one.startsWith('type ')) names.set(module, (names.get(module) ?? new Set()).add(one));
  }
  return names;
}

/**
 * Code that few calls of the one-shot need is in a separate file, which is loaded when one of its functions is called: the analyser of
 * commands, the search for a sandbox with the YAML parser, the parsers of test reports, and the reasons why a run does not count. Such a file shares only these functions with
 * the rest.
 */
const ownFiles = {
  name: 'own-files',
  setup(bundler) {
    const files = new Map([
      [join(root, 'src/shell/analyse.ts'), { gives: ['analyse', 'isListed'], from: './bash.cjs' }],
      [join(root, 'src/workflow/gates/sandbox.ts'), { gives: ['findSandbox', 'clientRules'], from: './sandbox.cjs' }],
      [join(root, 'src/workflow/gates/near-run.ts'), { gives: ['nearRun'], from: './near-run.cjs' }],
      [
        join(root, 'src/workflow/gates/tests/check.ts'),
        {
          gives: [
            'checkTests',
            'noteRun',
            'reportGlobs',
            'runForEntry',
            'guardedScope',
            'guardedTree',
            'guardStamps',
            'requestFor',
          ],
          from: './tests.cjs',
        },
      ],
    ]);
    bundler.onResolve({ filter: /\/(analyse|sandbox|check|near-run)\.ts$/ }, ({ path, resolveDir, kind }) => {
      const file = join(resolveDir, path);
      return kind === 'import-statement' && files.has(file) ? { path: file, namespace: 'own-files' } : undefined;
    });
    bundler.onResolve({ filter: /\.cjs$/, namespace: 'own-files' }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /.*/, namespace: 'own-files' }, ({ path }) => {
      const { gives, from } = files.get(path);
      const calls = gives.map((name) => `export function ${name}(...given) { return require('${from}').${name}(...given); }`);
      return { contents: calls.join('\n') };
    });
  },
};

/** CommonJS entry points. They load the one-shot's main file, which contains nearly all exports. */
function commonDoors() {
  return Object.keys(exported).map((name) => [
    `${name}.cjs`,
    Buffer.from(`'use strict';\nmodule.exports = require('./hook-main.cjs').${name};\n`),
  ]);
}

/** Files of dist/ without which nothing starts. */
function mainFiles() {
  const bundled = bundles.flatMap(({ entries, options }) =>
    Object.keys(entries).map((name) => `${name}${options.outExtension['.js']}`),
  );
  return [...bundled, 'dashboard.html', 'core.wasm', 'build'];
}

/** Entry points without a source file. */
function missingEntries() {
  return bundles.flatMap(({ entries }) => Object.values(entries)).filter((file) => !existsSync(join(root, file)));
}

/**
 * Runs esbuild over all bundles without writing.
 * @returns {Promise<{files: Map<string, Buffer>, metafiles: import('esbuild').Metafile[]}>} file names are relative to dist/
 */
export async function bundleSources() {
  const files = new Map();
  const metafiles = [];
  for (const { entries, options } of bundles) {
    const result = await build({
      ...common,
      ...options,
      entryPoints: entries,
      outdir: join(root, 'dist'),
      plugins: options.format === 'cjs' ? [withoutHostBuiltins, ownFiles, nodeOnce] : [withoutHostBuiltins, withoutValidator],
    });
    for (const file of result.outputFiles) {
      files.set(relative(join(root, 'dist'), file.path).split(sep).join('/'), Buffer.from(file.contents));
    }
    metafiles.push(result.metafile);
  }
  const named = withStableNames(files, metafiles).set('dashboard.html', await bundlePage());
  for (const [name, text] of commonDoors()) named.set(name, text);
  return { files: named, metafiles };
}

/** The dashboard is one file: its script and style are inside the page, which loads nothing else. */
async function bundlePage() {
  const folder = join(root, 'src/adapters/dashboard/page');
  const { outputFiles } = await build({
    ...common,
    platform: 'browser',
    target: 'es2022',
    format: 'iife',
    minify: true,
    entryPoints: [join(folder, 'main.ts')],
    outdir: join(root, 'dist'),
  });
  const part = (name) => readFileSync(join(folder, name), 'utf8');
  // A `</script` inside the script would end it.
  const script = outputFiles[0].text.trim().replaceAll('</script', '<\\/script');
  const page = part('index.html').replace('<!-- style -->', () => `<style>${part('style.css').replace(/\s*\n\s*/g, '')}</style>`);
  return Buffer.from(page.replace('<!-- script -->', () => `<script>${script}</script>`));
}

/**
 * esbuild names chunks by their content, so every change would rename half of dist/. Here a lazily imported chunk has the name of
 * its source. A shared chunk has a number, by the order in which the entries import it.
 */
function withStableNames(files, metafiles) {
  const outputs = new Map(metafiles.flatMap(({ outputs }) => Object.entries(outputs)));
  const names = new Map();
  const visit = (output) => {
    for (const { path } of outputs.get(output)?.imports ?? []) {
      const old = /^dist\/(.*chunk-.*)$/.exec(path)?.[1];
      if (old === undefined || names.has(old)) continue;
      const source = outputs.get(path)?.entryPoint;
      names.set(old, `chunk-${source ? source.replace(/^src\/|\.ts$/g, '').replaceAll('/', '-') : names.size + 1}.mjs`);
      visit(path);
    }
  };
  for (const name of mainFiles()) visit(`dist/${name}`);
  const rename = (text) => text.replace(/chunk-[A-Z0-9]{8}\.mjs/g, (old) => names.get(old) ?? old);
  return new Map([...files].map(([name, bytes]) => [names.get(name) ?? name, Buffer.from(rename(bytes.toString('utf8')))]));
}

/** Compiles policies/ to core.wasm and returns its files for dist/. */
async function compileCore() {
  const { buildCore } = await import('./build-core.mjs');
  return buildCore();
}

/**
 * 16 hex digits: a hash of the names and bytes of everything in dist/. The hook client sends it, and a server of another build
 * refuses the request.
 */
function buildId(files) {
  const hash = createHash('sha256');
  for (const name of [...files.keys()].sort()) hash.update(`${name}\0${files.get(name).length}\0`).update(files.get(name));
  return hash.digest('hex').slice(0, 16);
}

/** Everything that belongs in dist/, by name. */
async function buildAll() {
  const { files, metafiles } = await bundleSources();
  for (const [name, bytes] of await compileCore()) files.set(name, bytes);
  for (const [name, text] of declarationsOf(exported))
    for (const kind of ['mts', 'cts']) files.set(`${name}.d.${kind}`, Buffer.from(text));
  const id = buildId(files);
  files.set('build', Buffer.from(`${id}\n`));
  return { files, metafiles, id };
}

function listFiles(folder, prefix = '') {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? listFiles(join(folder, entry.name), `${prefix}${entry.name}/`) : [`${prefix}${entry.name}`],
  );
}

/** Makes `folder` contain exactly `files`. */
function writeAll(folder, files) {
  for (const name of listFiles(folder)) if (!files.has(name)) rmSync(join(folder, name));
  for (const [name, bytes] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), bytes);
  }
}

/** Names of files that are not the same in both, each with the difference. */
function compareAll(folder, files) {
  const present = new Set(listFiles(folder));
  const differences = [...present].filter((name) => !files.has(name)).map((name) => `${name}: the sources no longer build it`);
  for (const [name, bytes] of files) {
    if (!present.has(name)) differences.push(`${name}: missing`);
    else if (!readFileSync(join(folder, name)).equals(bytes)) differences.push(`${name}: differs`);
  }
  return differences.sort();
}

/** The contents of a bundle by package, largest first. */
function describeSizes(metafiles) {
  const lines = [];
  for (const { outputs } of metafiles) {
    for (const [file, { bytes, inputs }] of Object.entries(outputs)) {
      const byPackage = new Map();
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? input.split('/').slice(0, 2).join('/');
        byPackage.set(name, (byPackage.get(name) ?? 0) + bytesInOutput);
      }
      const parts = [...byPackage].sort((a, b) => b[1] - a[1]).slice(0, 8);
      lines.push(`${file} ${kilobytes(bytes)}: ${parts.map(([name, size]) => `${name} ${kilobytes(size)}`).join(', ')}`);
    }
  }
  return lines.join('\n');
}

const kilobytes = (bytes) => `${Math.ceil(bytes / 1024)} KB`;

async function main(args) {
  if (args.includes('--present')) {
    if (!mainFiles().every((name) => existsSync(join(root, 'dist', name)))) process.exitCode = 1;
    return;
  }
  const missing = missingEntries();
  if (missing.length > 0) throw new Error(`no such entry point: ${missing.join(', ')}`);
  const { files, metafiles, id } = await buildAll();
  const dist = join(root, 'dist');
  if (args.includes('--check')) {
    const differences = compareAll(dist, files);
    for (const difference of differences) console.error(`dist/${difference}`);
    if (differences.length > 0) throw new Error('dist/ is not what the sources build: run `make build` and commit dist/');
    console.log(`dist/ is what the sources build (${files.size} files, build ${id})`);
    return;
  }
  writeAll(dist, files);
  if (args.includes('--sizes')) console.log(describeSizes(metafiles));
  const total = [...files.values()].reduce((sum, bytes) => sum + bytes.length, 0);
  console.log(`dist/: ${files.size} files, ${kilobytes(total)}, build ${id}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main(process.argv.slice(2)).catch((error) => {
    console.error(error.errors ? 'build: esbuild failed' : `build: ${error.message}`);
    process.exitCode = 1;
  });
}
