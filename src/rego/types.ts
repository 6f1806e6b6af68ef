// What the compiler is asked and what it answers.
import type { Problem } from '../config/problem.ts';

/** Rego text by file name as shown to a person. */
export type Modules = Record<string, string>;

/** The JSON of an OPA capabilities file; opaque here. */
export type Capabilities = Record<string, unknown>;

export interface BuildRequest {
  modules: Modules;
  /** Slash paths such as `modes/verdict`. */
  entrypoints: string[];
  /** Builtins that may be used; everything OPA has when absent. */
  capabilities?: Capabilities;
}

export interface CheckRequest {
  modules: Modules;
  capabilities?: Capabilities;
  /** Unused variables and imports, shadowing and the like are errors. */
  strict?: boolean;
  /** JSON Schema of the input document: fields that it has not are errors. */
  inputSchema?: Record<string, unknown>;
}

export interface EvalRequest {
  modules: Modules;
  capabilities?: Capabilities;
  data?: Record<string, unknown>;
  /** Slash path of the rule. */
  entrypoint: string;
  inputs: unknown[];
}

/** What topdown gave for one input; neither defined nor an error is undefined. */
export interface RegoValue {
  defined: boolean;
  value?: unknown;
  error?: string;
}

export interface TestRequest {
  modules: Modules;
  capabilities?: Capabilities;
  data?: Record<string, unknown>;
  /** Regular expression (RE2) on `data.package.test_name`. */
  filter?: string;
}

/** One rule of a module; a name may occur many times. Row and column from 1. */
export interface RegoRule {
  name: string;
  kind: 'complete' | 'set' | 'object' | 'function';
  default?: boolean;
  row: number;
  col: number;
}

/** A METADATA block. `block` has OPA's own form: scope, title, description, custom, entrypoint, … */
export interface RegoAnnotation {
  row: number;
  col: number;
  block: { scope: string; title?: string; description?: string; custom?: Record<string, unknown>; entrypoint?: boolean };
}

export interface RegoModule {
  file: string;
  /** `package modes.policy.x` is `['modes', 'policy', 'x']`. */
  package: string[];
  row: number;
  col: number;
  /** The module reads input.tool.input, or might. */
  tool_input: boolean;
  rules: RegoRule[];
  annotations: RegoAnnotation[];
}

/** Outcome of a topdown test. */
export interface RegoTest {
  package: string;
  name: string;
  file: string;
  row: number;
  col: number;
  fail: boolean;
  skip: boolean;
  error?: string;
  us: number;
}

/** Coverage of one file: ranges of rows, inclusive. */
export interface FileCoverage {
  covered?: { start: { row: number }; end: { row: number } }[];
  not_covered?: { start: { row: number }; end: { row: number } }[];
  covered_lines?: number;
  not_covered_lines?: number;
  coverage?: number;
}

export interface Coverage {
  files: Record<string, FileCoverage>;
  covered_lines: number;
  not_covered_lines: number;
  /** Per cent. */
  coverage: number;
}

export type Failure = { ok: false; problems: Problem[] };
export type CompileResult = { ok: true; wasm: Uint8Array; modules: RegoModule[] } | Failure;
export type CheckResult = { ok: true; modules: RegoModule[] } | Failure;
export type FormatResult = { ok: true; sources: Modules } | Failure;
export type TestResult = { ok: true; tests: RegoTest[]; coverage: Coverage } | Failure;
export type EvalResult = { ok: true; values: RegoValue[] } | Failure;
export type CapabilitiesResult = { ok: true; capabilities: Capabilities; version: string } | Failure;
