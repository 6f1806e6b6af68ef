// The core policy. Its sources are in policies/, and the build compiles them into dist/.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import { sha256 } from '../platform/hash.ts';
import type { Modules } from './compiler/types.ts';
import { VERDICT_ENTRYPOINT } from './evaluator.ts';

/** The module that the generated collecting module replaces. */
export const CUSTOM_STAND_IN = 'policies/custom.rego';
export const CORE_ENTRYPOINTS = [VERDICT_ENTRYPOINT];

/** dist/core.json. */
export interface CoreRecord {
  /** `sha256:…` of core.wasm. */
  wasm: string;
  /** `sha256:…` of the sources and of the capabilities that they were compiled with. */
  sources: string;
  entrypoints: string[];
  /** The Rego sources without tests. Custom policies are compiled together with them. */
  modules: Modules;
}

export interface Core extends CoreRecord {
  bytes: Uint8Array;
}

export type CoreResult = { ok: true; core: Core } | { ok: false; problems: Problem[] };

/** A hash of everything that core.wasm is made from. */
export function hashSources(modules: Modules, capabilities: unknown, compiler: string): string {
  const sorted = Object.entries(modules).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([sorted, capabilities, compiler]));
}

/** Reads the compiled core in the package's root folder and verifies it. */
export function readCore(packageRoot: string): CoreResult {
  const file = join(packageRoot, 'dist/core.json');
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as CoreRecord;
    const bytes = readFileSync(join(packageRoot, 'dist/core.wasm'));
    if (sha256(bytes) !== record.wasm) return damaged(`dist/core.wasm does not match dist/core.json`);
    return { ok: true, core: { ...record, bytes } };
  } catch (error) {
    return damaged(`the compiled core cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function damaged(message: string): CoreResult {
  return {
    ok: false,
    problems: [
      {
        code: 'E_CORE_DAMAGED',
        severity: 'error',
        message,
        remedy: 'Install the plugin again; in the sources run `node scripts/build-core.mjs`.',
      },
    ],
  };
}
