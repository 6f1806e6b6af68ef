// The least that a process can do that decides by the core: reads the event and the core, verifies it, asks it once, prints the answer. No
// configuration, no trust, no rules, no log. usage: node least.cjs PACKAGE_ROOT, an event on stdin
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const dist = path.join(process.argv[2], 'dist');
const event = fs.readFileSync(0);
const core = fs.readFileSync(path.join(dist, 'core.wasm'));
const { wasm } = JSON.parse(fs.readFileSync(path.join(dist, 'core.json'), 'utf8'));
if (`sha256:${createHash('sha256').update(core).digest('hex')}` !== wasm) throw new Error('core.wasm is not what core.json says');

const memory = new WebAssembly.Memory({ initial: 5, maximum: 4096 });
const builtins = Object.fromEntries([0, 1, 2, 3, 4].map((count) => [`opa_builtin${count}`, stop]));
const host = { memory, ...builtins, opa_abort: stop, opa_println: stop };
const policy = new WebAssembly.Instance(new WebAssembly.Module(core), { env: host }).exports;
const [data] = put(Buffer.from('{"rules":{}}'));
const [input, length] = put(Buffer.concat([Buffer.from('{"tool":{},"event":'), event, Buffer.from('}')]));
const base = policy.opa_json_parse(data, 12);
const answer = policy.opa_eval(0, 0, base, input, length, policy.opa_heap_ptr_get(), 0);
const bytes = Buffer.from(memory.buffer);
fs.writeSync(1, bytes.subarray(answer, bytes.indexOf(0, answer)));
process.exit();

function put(bytes) {
  const at = policy.opa_malloc(bytes.length);
  new Uint8Array(memory.buffer).set(bytes, at);
  return [at, bytes.length];
}

function stop() {
  throw new Error('the core stopped');
}
