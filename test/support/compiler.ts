// Compiles policies for tests.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import capabilities from '../../src/policy/compiler/capabilities.json' with { type: 'json' };
import { type Compiler, sharedCompiler } from '../../src/policy/compiler/compiler.ts';
import { sourceFiles } from '../../src/policy/compiler/files.ts';
import type { Modules } from '../../src/policy/compiler/types.ts';

export const root = resolve(import.meta.dirname, '../..');
export { capabilities };

/** Warm, and the same process for all tests of a worker. */
export function newCompiler(): Compiler {
  return sharedCompiler({ files: sourceFiles(root), cacheFolder: join(root, '.cache'), timeoutMs: 60_000 });
}

/** The real core's sources, without tests. */
export const coreModules: Modules = Object.fromEntries(
  readdirSync(join(root, 'policies'))
    .filter((name) => name.endsWith('.rego') && !name.endsWith('_test.rego'))
    .map((name) => [`policies/${name}`, readFileSync(join(root, 'policies', name), 'utf8')]),
);

/** Compiles or throws with every error. `restricted: false` allows all of OPA's builtins. */
export async function compileRego(
  compiler: Compiler,
  modules: Modules,
  entrypoints: string[],
  { restricted = true } = {},
): Promise<Uint8Array> {
  const built = await compiler.build({ modules, entrypoints, ...(restricted ? { capabilities } : {}) });
  if (!built.ok) throw new Error(built.problems.map(({ file, line, message }) => `${file}:${line} ${message}`).join('\n'));
  return built.wasm;
}

/** A core that denies when a custom policy denies, else passes: as much of the real one as these tests need. */
export const CORE: Modules = {
  'policies/verdict.rego': `package modes

_deciding := {"deny", "ask", "allow"}

verdict := {"verdict": _strictest, "by": "policy", "hits": [], "unnamed": [], "protections": [], "policies": _policies}

default _strictest := "pass"

_strictest := "deny" if {
	some p in _policies
	p.effect == "deny"
} else := "allow" if count(_policies) > 0

_policies contains object.union(_place(d), {"effect": d.effect, "reason": d.value}) if {
	some d in data.modes.custom.decisions
	is_string(d.value)
}

_policies contains object.union(_place(d), {"effect": d.effect, "reason": d.value.reason}) if {
	some d in data.modes.custom.decisions
	is_string(d.value.reason)
}

_policies contains object.union(_place(d), {"effect": "deny", "reason": "malformed"}) if {
	some d in data.modes.custom.decisions
	not _wellformed(d.value)
}

_wellformed(value) if is_string(value)

_wellformed(value) if is_string(value.reason)

_place(d) := {"name": d.name, "remedy": null, "file": d.file, "line": d.line}
`,
  'policies/custom.rego': 'package modes.custom\n\ndecisions := set()\n',
};
