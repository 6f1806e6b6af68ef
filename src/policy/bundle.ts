// The bundle of one mode: policy, data and manifest, in the form that OPA itself loads.

import { sha256 } from '../platform/hash.ts';
import { Evaluator } from './evaluator.ts';
import { toJsonBytes } from './json.ts';

/** One custom policy: a package and the files that it consists of. */
export interface CustomPolicy {
  name: string;
  title: string | null;
  description: string | null;
  /** The modes that `custom.modes` limits it to; null if it applies in all modes. */
  modes: string[] | null;
  /** `custom.remedy`: the remedy of decisions without their own; null if it is missing. */
  remedy: string | null;
  /** The place of the first rule of each kind. */
  rules: Partial<Record<'deny' | 'ask' | 'allow' | 'context' | 'gate', { file: string; line: number }>>;
  files: string[];
}

/** `.manifest` of an OPA bundle. Modes' own fields are below `metadata`. */
export interface Manifest {
  revision: string;
  roots: string[];
  rego_version: 1;
  wasm: { entrypoint: string; module: string }[];
  metadata: {
    mode: string;
    /** The facts must contain the tool's whole input. */
    needs_tool_input: boolean;
    policies: CustomPolicy[];
    /** The parts of the facts that the policies name, see `partsNamed`. Absent if they need all facts. */
    parts?: string[];
    /** `sha256:…` of the core that evaluates the decisions of this policy. Absent if the policy contains the core. */
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
  /** `sha256:…` of the manifest, which covers the other files. It identifies the bundle in the decision log. */
  hash: string;
}

export interface BundleParts {
  mode: string;
  wasm: Uint8Array;
  entrypoints: string[];
  /** The base document, for example `{rules: …}`. */
  data: Record<string, unknown>;
  policies?: CustomPolicy[];
  needsToolInput?: boolean;
  /** Null for all parts. */
  parts?: string[] | null;
  /** The hash of the core, if the policy consists of custom modules only. */
  core?: string;
  /** The name that a person gives this state of the policy. Made from the content if absent. */
  revision?: string;
}

/** Packages and data of a bundle must be below these names; OPA refuses all others. */
const ROOTS = ['modes', 'rules'];

/** Makes a bundle. The same parts give the same bytes and the same hash. */
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

/**
 * Made from the content, so that the same content of a mode has the same revision, whether the policy contains the core or not.
 */
function revisionOf({ mode, core }: BundleParts, files: Manifest['metadata']['files']): string {
  return sha256(JSON.stringify([mode, files, ...(core === undefined ? [] : [core])])).slice(
    'sha256:'.length,
    'sha256:'.length + 16,
  );
}

/** The bytes of the manifest, from which the hash of the bundle is made. */
export function manifestBytes(manifest: Manifest): Uint8Array<ArrayBuffer> {
  return toJsonBytes(manifest);
}

/** Files of the bundle by their names in OPA's tar.gz. */
export function bundleFiles(bundle: Bundle): Map<string, Uint8Array> {
  return new Map<string, Uint8Array>([
    ['/policy.wasm', bundle.wasm],
    ['/data.json', bundle.data],
    ['/.manifest', manifestBytes(bundle.manifest)],
  ]);
}

/**
 * The evaluator of the bundle, with its data loaded.
 * @throws {EvaluationError} if the policy or its data cannot be loaded
 */
export function openBundle(bundle: Bundle): Evaluator {
  const evaluator = new Evaluator(bundle.wasm);
  evaluator.setDataBytes(bundle.data);
  return evaluator;
}
