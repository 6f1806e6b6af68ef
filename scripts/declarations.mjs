// The type declarations of the package's exports, one file per entry: tsc's output for the sources, without types that cannot be
// named from outside.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * @param {Record<string, string>} entries name → source file, relative to the repository
 * @returns {Map<string, string>} name → text of its declarations
 */
export function declarationsOf(entries) {
  const out = mkdtempSync(join(tmpdir(), 'modes-types-'));
  try {
    emit(Object.values(entries), out);
    return new Map(Object.entries(entries).map(([name, file]) => [name, declarationsFrom(file, out)]));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The declarations are not checked here: the check of types does that. */
function emit(files, out) {
  const config = join(out, 'tsconfig.json');
  const compilerOptions = {
    noEmit: false,
    noCheck: true,
    declaration: true,
    emitDeclarationOnly: true,
    outDir: out,
    rootDir: join(root, 'src'),
    typeRoots: [join(root, 'node_modules/@types')],
  };
  const absolute = (file) => join(root, file);
  const include = [absolute('src/**/*.d.ts')];
  writeFileSync(
    config,
    JSON.stringify({ extends: absolute('tsconfig.json'), compilerOptions, files: files.map(absolute), include }),
  );
  const run = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', config], { encoding: 'utf8' });
  if (run.status !== 0) throw new Error(`tsc: ${run.error?.message ?? run.stdout}`);
}

/** One file of an entry: every declaration that its exports need, the entry's own first. */
function declarationsFrom(entry, out) {
  const modules = new Map();
  const moduleOf = (file) => {
    if (!modules.has(file)) modules.set(file, readModule(readFileSync(file, 'utf8'), file));
    return modules.get(file);
  };
  const taken = new Map();
  const texts = [];
  const take = (name, file) => {
    const { imports, declared, reexported } = moduleOf(file);
    const elsewhere = reexported.get(name) ?? (declared.has(name) ? undefined : imports.get(name));
    if (elsewhere !== undefined) return take(elsewhere.name, elsewhere.file);
    const text = declared.get(name);
    if (text === undefined) throw new Error(`${relative(out, file)} declares no ${name}`);
    if (taken.get(name) === file) return;
    if (taken.has(name)) throw new Error(`two declarations are called ${name}: ${taken.get(name)} and ${file}`);
    taken.set(name, file);
    texts.push(text);
    for (const [word] of text.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/[A-Za-z_$][\w$]*/g))
      if (word !== name && (declared.has(word) || imports.has(word))) take(word, file);
  };
  const file = join(out, entry.replace(/^src\//, '').replace(/\.ts$/, '.d.ts'));
  const { exported } = moduleOf(file);
  for (const name of exported) take(name, file);
  const internal = [...taken.keys()].filter((name) => !exported.has(name));
  const shown = texts.map((text) => text.replace(/^((?:\/\*[\s\S]*?\*\/\n)?)(?:export )?(?:declare )?/, '$1export declare '));
  const closed = shown.map((text) =>
    internal.some((name) => nameOf(text) === name) ? text.replace(/^((?:\/\*[\s\S]*?\*\/\n)?)export /, '$1') : text,
  );
  return `${closed.join('\n')}\nexport {};\n`;
}

function nameOf(statement) {
  return /^(?:\/\*[\s\S]*?\*\/\n)?(?:export )?(?:declare )?(?:abstract )?(?:const|let|function|class|interface|type) ([\w$]+)/.exec(
    statement,
  )?.[1];
}

/**
 * Parses a module as tsc writes it: a statement begins at the start of a line, and its other lines
 * are indented or close a bracket.
 */
function readModule(text, file) {
  if (/\bimport\(/.test(text.replace(/\/\*[\s\S]*?\*\//g, ''))) throw new Error(`${file} names a module within a type`);
  const imports = new Map();
  const reexported = new Map();
  const declared = new Map();
  const exported = new Set();
  for (const statement of statementsOf(text)) {
    const body = statement.replace(/^\/\*[\s\S]*?\*\/\n/, '');
    const moved = /^(import|export) (?:type )?\{([^}]*)\} from '(.*)';$/.exec(body);
    if (moved !== null) {
      const [, kind, list, from] = moved;
      for (const given of list.split(',').map((one) => one.trim().replace(/^type /, ''))) {
        if (given === '') continue;
        if (/ as /.test(given)) throw new Error(`${file}: ${given}`);
        const target = from.startsWith('.') ? resolve(dirname(file), from.replace(/(\.d)?\.ts$/, '.d.ts')) : null;
        if (kind === 'export') exported.add(given);
        if (target !== null) (kind === 'export' ? reexported : imports).set(given, { name: given, file: target });
      }
      continue;
    }
    if (/^(import|export \{\})/.test(body)) continue;
    const name = nameOf(body);
    if (name === undefined) throw new Error(`${file}: ${body.slice(0, 80)}`);
    declared.set(name, declared.has(name) ? `${declared.get(name)}\n${statement}` : statement);
    if (body.startsWith('export ')) exported.add(name);
  }
  return { imports, reexported, declared, exported };
}

function statementsOf(text) {
  const statements = [];
  let comment = '';
  let open = false;
  for (const line of text.trimEnd().split('\n')) {
    if (open) comment += `${line}\n`;
    else if (line.startsWith('/*')) comment = `${line}\n`;
    else if (/^[\s})\]|&]/.test(line) || line === '') statements[statements.length - 1] += `\n${line}`;
    else {
      statements.push(`${comment}${line}`);
      comment = '';
    }
    if (open || line.startsWith('/*')) open = !line.trimEnd().endsWith('*/');
  }
  return statements;
}
