// Requests to the compiler, and its results.
import type { Problem } from '../../model/problem.ts';

/** Rego text, by file name as shown to a person. */
export type Modules = Record<string, string>;

/** The JSON of an OPA capabilities file; opaque here. */
export type Capabilities = Record<string, unknown>;

/** An error as the compiler reports it. */
export interface RawProblem {
  code: string;
  message: string;
  file?: string;
  row?: number;
  col?: number;
  text?: string;
  details?: string[];
  /** An undefined reference, with `[_]` for a part that is not a constant. `at` is its first undefined part. */
  ref?: string[];
  at?: number;
  /** The names that are possible at this place. */
  one_of?: string[];
}

/** A message that replaces OPA's own. */
export interface Explained {
  message: string;
  remedy: string;
}

/** Explains an error in words. Null keeps OPA's own. */
export type Explain = (raw: RawProblem) => Explained | null;

/** The types that Rego is checked with. */
export interface TypedSchemas {
  /** JSON Schema of the input document. Fields that it does not have are errors. */
  inputSchema?: Record<string, unknown>;
  /** JSON Schemas that METADATA names as `schema.NAME`. */
  schemas?: Record<string, Record<string, unknown>>;
  /** Warn about unused variables and imports. */
  strict?: boolean;
  /** Explains type errors in words. */
  explain?: Explain;
}

export interface BuildRequest extends TypedSchemas {
  modules: Modules;
  /** Slash paths such as `modes/verdict`. */
  entrypoints: string[];
  /** Builtins that may be used; all of OPA's if absent. */
  capabilities?: Capabilities;
  /** Functions that call the evaluator's host, as `host.…`. With them, divisions call `host.divisor`. */
  hosted?: string[];
}

export interface CheckRequest extends TypedSchemas {
  modules: Modules;
  capabilities?: Capabilities;
}

export interface EvalRequest {
  modules: Modules;
  capabilities?: Capabilities;
  data?: Record<string, unknown>;
  /** Slash path of the rule. */
  entrypoint: string;
  inputs: unknown[];
  /** Report the lines that the inputs reach. */
  cover?: boolean;
}

/** The result of topdown for one input. It is undefined if it is neither defined nor an error. */
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
  /** Report the failed expression with its values. */
  explain?: boolean;
}

/** One rule of a module. Several rules may have the same name. Row and column are from 1. */
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
  /** The module reads input.tool.input, or may read it. */
  tool_input: boolean;
  rules: RegoRule[];
  annotations: RegoAnnotation[];
  /** Texts that parts of the input are compared with, in the order of the file. */
  mentions?: RegoMention[];
  /** Literal formats and expressions in calls, in the order of the file. */
  literals?: RegoLiteral[];
  /** References to data, in the order of the file. */
  data_refs?: RegoDataRef[];
}

/** A reference to data: `data.rules.effect` is `['rules', 'effect']`. It ends before the first part that is not a constant. */
export interface RegoDataRef {
  path: string[];
  row: number;
  col: number;
}

/** A format of sprintf, or an expression of a `regex.` function. */
export interface RegoLiteral {
  call: string;
  text: string;
  /** The error in an expression. */
  error?: string;
  row: number;
  col: number;
}

/**
 * A text that a part of the input is compared with: `input.tool.name == "Bash"` is `['tool', 'name']` and `Bash`. A variable key
 * or index is `[]`.
 */
export interface RegoMention {
  path: string[];
  text: string;
  row: number;
  col: number;
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
  /** The expression that was not true, as written, with values below it. */
  failed?: { file: string; row: number; text: string };
  /** The output of print. */
  output?: string;
}

/** From the first character of a head or expression to its last, both from 1. */
export interface CoverageRange {
  start: { row: number; col?: number };
  end: { row: number; col?: number };
}

/** Coverage of one file. */
export interface FileCoverage {
  covered?: CoverageRange[];
  not_covered?: CoverageRange[];
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

export type CompilerFailure = { ok: false; problems: Problem[] };
export type CompileResult = { ok: true; wasm: Uint8Array; modules: RegoModule[] } | CompilerFailure;
export type CheckResult = { ok: true; modules: RegoModule[]; warnings: Problem[] } | CompilerFailure;
export type FormatResult = { ok: true; sources: Modules } | CompilerFailure;
export type RegoTestResult = { ok: true; tests: RegoTest[]; coverage: Coverage } | CompilerFailure;
export type EvalResult = { ok: true; values: RegoValue[]; coverage: Coverage | null } | CompilerFailure;
export type CapabilitiesResult = { ok: true; capabilities: Capabilities; version: string } | CompilerFailure;
