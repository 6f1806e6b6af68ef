// Writes src/policy/compiler/capabilities.json: the builtins of the shipped evaluator, which are found by compiling a call of each,
// and the builtins that src/policy/custom/builtins.mjs provides.
//
//   node scripts/build-capabilities.mjs            write it
//   node scripts/build-capabilities.mjs --check    exit 1 if it does not match the compiler
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { BUILTINS } from '../src/policy/custom/builtins.mjs';
import { cacheFolder, loadSource, root } from './load-source.mjs';

const target = join(root, 'src/policy/compiler/capabilities.json');

/** The worker provides these. */
const provided = Object.keys(BUILTINS);

/** Builtins that the evaluator has but that policies must not use, with the reason. */
const withheld = {
  'glob.match': 'never matches patterns with ( ) $ and differs from OPA across newlines',
  'json.unmarshal': 'stops the policy on some texts that are no JSON and takes others for JSON',
  'json.is_valid': 'takes texts for JSON that are none',
  'json.filter': 'reads beyond its memory where a path is empty',
  'json.remove': 'reads beyond its memory where a path is empty',
  'json.marshal': 'does not sort keys, and writes < > & as they are',
  'base64.decode': 'decodes texts that are no base64',
  'base64.is_valid': 'takes texts for base64 that are none',
  'base64url.decode': 'decodes texts that are no base64',
};

/** Not called in the evaluator: the compiler rewrites or removes them. */
const rewritten = new Set(['assign', 'eq', 'print']);

/** A policy that calls all builtins with arguments of unknown type. Operators have names too. */
function probe(builtins) {
  const rules = builtins.map(({ name, decl }, index) => {
    const arguments_ = (decl.args ?? []).map((_, i) => `input.a${i}`).join(', ');
    return `p${index} := x if x := ${name}(${arguments_})`;
  });
  return `package probe\n\n${rules.join('\n')}\n\nall := [${builtins.map((_, index) => `p${index}`).join(', ')}]\n`;
}

/** Builtins that a compiled policy expects from its host: the evaluator would have to implement them in JavaScript. */
function expectedOfHost(wasm) {
  const memory = new WebAssembly.Memory({ initial: 5 });
  const refuse = () => {
    throw new Error('a builtin was called');
  };
  const env = { memory, opa_abort: refuse, opa_println: refuse };
  for (let i = 0; i <= 4; i++) env[`opa_builtin${i}`] = refuse;
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env });
  const at = exports.opa_json_dump(exports.builtins());
  const bytes = new Uint8Array(memory.buffer);
  return Object.keys(JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at)))));
}

async function nativeBuiltins(compiler, all) {
  const build = async (builtins) => compiler.build({ modules: { 'probe.rego': probe(builtins) }, entrypoints: ['probe/all'] });
  // Some internal functions are only created by rewriting and do not compile as a call; they are left out.
  const callable = [];
  for (const builtin of all) {
    if ((await build([builtin])).ok) callable.push(builtin);
  }
  const together = await build(callable);
  if (!together.ok) throw new Error(together.problems.map(({ message }) => message).join('\n'));
  const foreign = new Set(expectedOfHost(together.wasm));
  return callable.filter(({ name }) => !foreign.has(name));
}

function write(capabilities) {
  writeFileSync(target, JSON.stringify(capabilities));
  execFileSync(join(root, 'node_modules/.bin/biome'), ['format', '--write', target], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function main() {
  const { Compiler } = await loadSource('src/policy/compiler/compiler.ts');
  const { sourceFiles } = await loadSource('src/policy/compiler/files.ts');
  const compiler = new Compiler({ files: sourceFiles(root), cacheFolder, timeoutMs: 60_000 });
  try {
    const answer = await compiler.capabilities();
    if (!answer.ok) throw new Error(answer.problems.map(({ message }) => message).join('\n'));
    const all = answer.capabilities.builtins.filter(({ deprecated }) => !deprecated);
    const native = await nativeBuiltins(
      compiler,
      all.filter(({ name }) => !rewritten.has(name)),
    );
    const names = new Set([...native.map(({ name }) => name), ...provided].filter((name) => !(name in withheld)));
    const builtins = all.filter(({ name }) => names.has(name) || rewritten.has(name));
    const made = { ...answer.capabilities, builtins, allow_net: [] };
    if (!process.argv.includes('--check')) write(made);
    else if (!isDeepStrictEqual(JSON.parse(readFileSync(target, 'utf8')), made)) {
      throw new Error('src/policy/compiler/capabilities.json is out of date: run scripts/build-capabilities.mjs');
    }
    console.log(builtins.map(({ name }) => name).join(' '));
  } finally {
    compiler.close();
  }
}

await main().catch((error) => {
  console.error(`capabilities: ${error.message}`);
  process.exitCode = 1;
});
