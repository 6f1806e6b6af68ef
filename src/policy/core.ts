// The core policy: its sources in policies/, compiled into dist/ when the plugin is built.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Modules } from './compiler/types.ts';
import { VERDICT_ENTRYPOINT } from './evaluator.ts';
import { sha256 } from './hash.ts';

/** The module that generated aggregation takes the place of. */
export const CUSTOM_STAND_IN = 'policies/custom.rego';
export const CORE_ENTRYPOINTS = [VERDICT_ENTRYPOINT];

/** dist/core.json. */
export interface CoreRecord {
  /** Of core.wasm: `sha256:…`. */
  wasm: string;
  /** Of the sources and the capabilities they were compiled with: `sha256:…`. */
  sources: string;
  entrypoints: string[];
  /** The Rego sources without tests: custom policies are compiled together with them. */
  modules: Modules;
}

export interface Core extends CoreRecord {
  bytes: Uint8Array;
}

export type CoreResult = { ok: true; core: Core } | { ok: false; problems: Problem[] };

/** Identity of everything that decides what core.wasm looks like. */
export function hashSources(modules: Modules, capabilities: unknown, compiler: string): string {
  const sorted = Object.entries(modules).sort(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([sorted, capabilities, compiler]));
}

/** Reads the compiled core below the package's root folder and verifies it. */
export function readCore(packageRoot: string): CoreResult {
  const file = join(packageRoot, 'dist/core.json');
  try {
    const record = JSON.parse(readFileSync(file, 'utf8')) as CoreRecord;
    const bytes = readFileSync(join(packageRoot, 'dist/core.wasm'));
    if (sha256(bytes) !== record.wasm) return damaged(`dist/core.wasm is not what dist/core.json says`);
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
