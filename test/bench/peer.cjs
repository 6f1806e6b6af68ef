// A hook that compiles its policy anew for each call and keeps nothing, as the closest peer's does: `opa build -t wasm`, then the whole
// module into machine code, then one evaluation. It is the least that this way costs: no configuration is read, nothing is logged,
// and the WASM is called without an SDK. Run it with --no-liftoff --no-wasm-lazy-compilation: wasmtime too compiles the whole module
// with its optimising compiler before it runs any of it.
//
//   node peer.cjs OPA POLICIES ENTRYPOINT     hook event on stdin, the decision on stdout
const { spawnSync } = require('node:child_process');
const { mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { gunzipSync } = require('node:zlib');

const [opa, policies, entrypoint] = process.argv.slice(2);
const event = readFileSync(0);
const made = mkdtempSync(join(tmpdir(), 'modes-peer-'));
try {
  const bundle = join(made, 'bundle.tar.gz');
  const { status, stderr } = spawnSync(opa, ['build', '-t', 'wasm', '-e', entrypoint, '-o', bundle, policies]);
  if (status !== 0) throw new Error(`opa build: ${stderr}`);
  const [{ deny }] = evaluate(fileOf(gunzipSync(readFileSync(bundle)), '/policy.wasm'), event).map(({ result }) => result);
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: deny[0]?.reason,
  };
  console.log(deny.length === 0 ? '{}' : JSON.stringify({ hookSpecificOutput }));
} finally {
  rmSync(made, { recursive: true });
}

/** A file of a tar archive: blocks of 512 bytes, the name in front of the first one, its size in octal at 124. */
function fileOf(archive, wanted) {
  for (let at = 0; at < archive.length; ) {
    const name = archive.toString('utf8', at, at + 100).replace(/\0.*$/s, '');
    const size = Number.parseInt(archive.toString('utf8', at + 124, at + 136), 8) || 0;
    if (name === wanted) return archive.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
  }
  throw new Error(`the bundle has no ${wanted}`);
}

/** The result set of the first entrypoint, by `opa_eval` of OPA's WASM interface. */
function evaluate(wasm, input) {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const missing = () => {
    throw new Error('the policy gave up, or needs a function that only an SDK has');
  };
  const builtins = Object.fromEntries([0, 1, 2, 3, 4].map((count) => [`opa_builtin${count}`, missing]));
  const env = { memory, opa_abort: missing, opa_println: missing, ...builtins };
  const policy = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env }).exports;
  const put = (bytes) => {
    const address = policy.opa_malloc(bytes.length);
    new Uint8Array(memory.buffer).set(bytes, address);
    return address;
  };
  const empty = put(Buffer.from('{}'));
  const data = policy.opa_json_parse(empty, 2);
  const given = put(input);
  const found = policy.opa_eval(0, 0, data, given, input.length, policy.opa_heap_ptr_get(), 0);
  const bytes = Buffer.from(memory.buffer, found);
  return JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(0)));
}
