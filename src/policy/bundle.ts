// The bundle of one mode: policy, data and manifest, in the form that OPA itself loads.

import { Evaluator } from './evaluator.ts';
import { sha256 } from './hash.ts';
import { toJsonBytes } from './json.ts';

/** One custom policy: a package, with all files it is spread over. */
export interface CustomPolicy {
  name: string;
  title: string | null;
  description: string | null;
  /** Modes it is limited to by `custom.modes`; null when it holds in all. */
  modes: string[] | null;
  /** `custom.remedy`: the remedy of decisions that bring none; null when there is none. */
  remedy: string | null;
  /** Where the first rule of each kind stands. */
  rules: Partial<Record<'deny' | 'ask' | 'allow' | 'context' | 'gate', { file: string; line: number }>>;
  files: string[];
}

/** `.manifest` of an OPA bundle; what is ours stands below `metadata`. */
export interface Manifest {
  revision: string;
  roots: string[];
  rego_version: 1;
  wasm: { entrypoint: string; module: string }[];
  metadata: {
    mode: string;
    /** The facts must carry the tool's whole input. */
    needs_tool_input: boolean;
    policies: CustomPolicy[];
    /** What of the facts the policies name, see `partsNamed`; all of it where absent. */
    parts?: string[];
    /** `sha256:…` of the core that takes the decisions of this policy; absent where the policy says it all. */
    core?: string;
    /** `sha256:…` of the other two files. */
    files: { 'policy.wasm': string; 'data.json': string };
  };
}

export interface Bundle {
  manifest: Manifest;
  wasm: Uint8Array;
  /** data.json as bytes. */
  data: Uint8Array<ArrayBuffer>;
  /** `sha256:…` of the manifest, which covers the other files: the bundle's identity in the decision log. */
  hash: string;
}

export interface BundleParts {
  mode: string;
  wasm: Uint8Array;
  entrypoints: string[];
  /** The base document, for instance `{rules: …}`. */
  data: Record<string, unknown>;
  policies?: CustomPolicy[];
  needsToolInput?: boolean;
  /** Null: all of them. */
  parts?: string[] | null;
  /** The core's hash, where the policy is custom modules alone. */
  core?: string;
  /** What a person calls this state of the policy; made from the content when absent. */
  revision?: string;
}

/** Packages and data of a bundle lie below these; OPA refuses anything else. */
const ROOTS = ['modes', 'rules'];

/** Puts a bundle together. The same parts give the same bytes and the same hash. */
export function makeBundle(parts: BundleParts): Bundle {
  const data = toJsonBytes(parts.data);
  const files = { 'policy.wasm': sha256(parts.wasm), 'data.json': sha256(data) };
  const manifest: Manifest = {
    revision: parts.revision ?? revisionOf(parts, files),
    roots: [...new Set([...ROOTS, ...Object.keys(parts.data)])],
    rego_version: 1,
    wasm: parts.entrypoints.map((entrypoint) => ({ entrypoint, module: '/policy.wasm' })),
    metadata: {
      mode: parts.mode,
      needs_tool_input: parts.needsToolInput ?? false,
      policies: parts.policies ?? [],
      ...(parts.parts && { parts: parts.parts }),
      ...(parts.core !== undefined && { core: parts.core }),
      files,
    },
  };
  return { manifest, wasm: parts.wasm, data, hash: sha256(manifestBytes(manifest)) };
}

/** By the content: who has the same of a mode calls it the same, whether the core is in the policy or beside it. */
function revisionOf({ mode, core }: BundleParts, files: Manifest['metadata']['files']): string {
  return sha256(JSON.stringify([mode, files, ...(core === undefined ? [] : [core])])).slice(
    'sha256:'.length,
    'sha256:'.length + 16,
  );
}

/** The manifest's bytes: what the bundle's hash is taken of. */
export function manifestBytes(manifest: Manifest): Uint8Array<ArrayBuffer> {
  return toJsonBytes(manifest);
}

/** Files of the bundle by the name they have in OPA's tar.gz. */
export function bundleFiles(bundle: Bundle): Map<string, Uint8Array> {
  return new Map<string, Uint8Array>([
    ['/policy.wasm', bundle.wasm],
    ['/data.json', bundle.data],
    ['/.manifest', manifestBytes(bundle.manifest)],
  ]);
}

/**
 * The bundle's policy with its data in place.
 * @throws {EvaluationError} when the policy or its data cannot be loaded
 */
export function openBundle(bundle: Bundle): Evaluator {
  const evaluator = new Evaluator(bundle.wasm);
  evaluator.setDataBytes(bundle.data);
  return evaluator;
}
