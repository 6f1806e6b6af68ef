// modes policy build and export: one mode as a bundle that a stock OPA loads, and its settings as Rego.
import path from 'node:path';
import { type Configured, configure } from '../../app/dry-run.ts';
import { findPackageRoot, openCompiler } from '../../app/own-package.ts';
import type { Problem } from '../../model/problem.ts';
import { sha256 } from '../../platform/hash.ts';
import { MAX_NAME_BYTES, packArchive } from '../../policy/archive.ts';
import { type Bundle, bundleFiles, makeBundle } from '../../policy/bundle.ts';
import capabilities from '../../policy/compiler/capabilities.json' with { type: 'json' };
import type { Capabilities, CompilerFailure, Modules } from '../../policy/compiler/types.ts';
import { readCore } from '../../policy/core.ts';
import { buildPolicy, joinModules } from '../../policy/custom/build.ts';
import { exportRules } from '../../policy/export.ts';
import { toJsonBytes } from '../../policy/json.ts';
import type { RulesData } from '../../rules/index-data.ts';
import { requireMode } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuseInside, writeOutput } from './policy-output.ts';
import { openSuites, type PolicyOptions } from './policy-test.ts';
import { showProgress } from './progress.ts';
import { refuseBroken } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface ModeOptions extends PolicyOptions {
  mode?: string;
  /** Builds the project as if no person had approved it: its allow rules do not count. */
  untrusted?: boolean;
}

export const targets: readonly string[] = ['opa', 'wasm'];

interface BuildOptions extends ModeOptions {
  output?: string;
  target?: string;
}

export interface BuiltMode {
  configured: Configured;
  mode: string;
  bundle: Bundle;
}

/** The bundle of the named mode, or of the default mode. Throws `UsageError` if there is no such mode. */
export async function openMode(options: ModeOptions): Promise<BuiltMode | { problems: Problem[] }> {
  const suite = openSuites([], options, 'create one with modes init')[0]!;
  const { root, content: snapshot } = suite;
  const trusted = options.untrusted !== true;
  const configured = await configure(snapshot, { root, trusted, env: process.env, packageRoot: findPackageRoot() });
  const { topology } = configured.config.known;
  const mode = options.mode ?? topology?.default ?? '';
  if (topology !== null) requireMode(mode, topology.modes);
  const bundle = configured.bundles().get(mode);
  const isBroken = configured.problems.some(({ severity }) => severity === 'error');
  return bundle === undefined || isBroken ? { problems: configured.problems } : { configured, mode, bundle };
}

/** Every source module of the bundle. */
export async function modulesOf(configured: Configured): Promise<{ ok: true; modules: Modules } | CompilerFailure> {
  const core = readCore(findPackageRoot());
  if (!core.ok) return core;
  const custom = configured.custom();
  if (Object.keys(custom).length === 0) return { ok: true, modules: core.core.modules };
  return joinModules(core.core.modules, custom, openCompiler());
}

export async function policyBuild(options: BuildOptions, terminal: Terminal): Promise<number> {
  const { target = 'opa' } = options;
  refuseInside('modes policy build');
  if (!targets.includes(target)) throw new UsageError(`--target is ${targets.join(' or ')}`);
  const opening = showProgress('building');
  const built = await openMode(options).finally(opening.end);
  if ('problems' in built) return refuseBroken(built.problems, options, terminal);
  const output = path.resolve(options.output ?? `${built.mode}.tar.gz`);
  const packing = showProgress('compiling');
  const { whole, bytes } = await pack(built, target).finally(packing.end);
  writeOutput(output, bytes);
  const { hash, manifest } = whole;
  if (options.json)
    terminal.out(
      toJson<'policy-build'>({ mode: built.mode, file: output, bytes: bytes.length, bundle: hash, revision: manifest.revision }),
    );
  else terminal.out(`${path.relative('.', output)}: ${built.mode}, ${Math.ceil(bytes.length / 1024)} KB, ${hash}`);
  return exits.fine;
}

async function pack({ configured, bundle }: BuiltMode, target: string): Promise<{ whole: Bundle; bytes: Uint8Array }> {
  const whole = await wholeBundle(configured, bundle);
  return { whole, bytes: target === 'wasm' ? packArchive(bundleFiles(whole)) : await stockBundle(configured, whole) };
}

/**
 * A mode's bundle with core and custom policies in one WASM, for callers that evaluate it in one step. Throws if the policies do
 * not compile; the caller that made the bundle has already checked that.
 */
export async function wholeBundle(configured: Configured, bundle: Bundle): Promise<Bundle> {
  const core = readCore(findPackageRoot());
  const custom = configured.custom();
  if (!core.ok || Object.keys(custom).length === 0) return bundle;
  const built = await buildPolicy(core.core.modules, custom, openCompiler(), capabilities as Capabilities);
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join('\n'));
  const data = JSON.parse(Buffer.from(bundle.data).toString()) as Record<string, unknown>;
  const { revision, metadata } = bundle.manifest;
  return makeBundle({ ...built, mode: metadata.mode, data, revision });
}

/**
 * The bytes of a mode's bundle with its sources. Throws if the policies do not compile; the caller that made the bundle has
 * already checked that.
 */
export async function stockBundle(configured: Configured, bundle: Bundle): Promise<Uint8Array> {
  const joined = await modulesOf(configured);
  if (!joined.ok) throw new Error(joined.problems.map(({ message }) => message).join('\n'));
  return packArchive(withSources(bundle, joined.modules));
}

/**
 * Adds the Rego to the WASM and omits the WASM from the manifest: an OPA without a WASM engine
 * refuses a manifest that mentions it.
 */
export function withSources(bundle: Bundle, modules: Modules): Map<string, Uint8Array> {
  const { wasm: _, ...manifest } = bundle.manifest;
  return new Map<string, Uint8Array>([
    ['/.manifest', toJsonBytes(manifest)],
    ['/data.json', bundle.data],
    ['/policy.wasm', bundle.wasm],
    ...inFiles(modules).map(([file, text]): [string, Uint8Array] => [file, Buffer.from(text)]),
  ]);
}

/** Modules by unique file names in the bundle: policies of two layers may have the same name. */
function inFiles(modules: Modules): [file: string, text: string][] {
  const taken = new Set<string>();
  return Object.entries(modules).map(([name, text]) => {
    const plain = fileOf(name);
    const isFree = !taken.has(plain) && Buffer.byteLength(plain) <= MAX_NAME_BYTES;
    taken.add(plain);
    return [isFree ? plain : `/other/${sha256(name).slice('sha256:'.length, 'sha256:'.length + 16)}.rego`, text];
  });
}

/** A file name without hidden folders and without parent folders. */
function fileOf(name: string): string {
  const parts = name.replace(/^[~/]+/, '').split(/[/:]/);
  return `/${parts
    .map((part) => part.replace(/^\.+/, ''))
    .filter((part) => part !== '')
    .join('/')}`;
}

export async function policyExport(options: ModeOptions & { output?: string }, terminal: Terminal): Promise<number> {
  const built = await openMode(options);
  if ('problems' in built) return refuseBroken(built.problems, options, terminal);
  const { rules } = JSON.parse(Buffer.from(built.bundle.data).toString()) as { rules: RulesData };
  const shown = built.configured.rulesOf(built.mode);
  const text = exportRules(rules, shown, built.mode);
  if (options.output === undefined) {
    terminal.out(options.json ? toJson<'policy-export'>({ mode: built.mode, rego: text }) : text.trimEnd());
    return exits.fine;
  }
  const modules = await modulesOf(built.configured);
  if (!modules.ok) return refuseBroken(modules.problems, options, terminal);
  const written: string[] = [];
  for (const [name, rego] of inFiles({ ...modules.modules, 'rules.rego': text })) {
    const file = path.join(options.output, name);
    writeOutput(file, rego);
    written.push(file);
  }
  terminal.out(
    options.json
      ? toJson<'policy-export'>({ mode: built.mode, files: written })
      : `${written.length} files in ${options.output}; opa eval -d ${options.output} -i facts.json data.modes.verdict`,
  );
  return exits.fine;
}
