// Compiles Rego to WebAssembly: the operations of the embedded OPA, each with a time limit and a result as data.

import type { Problem } from '../../model/problem.ts';
import type { CompilerFiles } from './files.ts';
import { hostProblem, toProblems, toWarnings, unitColumn } from './problems.ts';
import { Child, type Exchange } from './process.ts';
import type {
  BuildRequest,
  Capabilities,
  CapabilitiesResult,
  CheckRequest,
  CheckResult,
  CompileResult,
  CompilerFailure,
  Coverage,
  EvalRequest,
  EvalResult,
  Explain,
  FormatResult,
  Modules,
  RawProblem,
  RegoModule,
  RegoTest,
  RegoTestResult,
  RegoValue,
  TestRequest,
} from './types.ts';

/** Less than the time that a call waits, so that the call can report the problem. */
export const DEFAULT_TIMEOUT_MS = 8_000;
/** For a person who waits at a terminal. */
export const PATIENT_MS = 60_000;
const DEFAULT_IDLE_MS = 60_000;
const MAX_MODULE_BYTES = 8 * 1024 * 1024;

export interface CompilerOptions {
  files: CompilerFiles;
  /** Folder for the raw compiler, created if needed. Null decompresses it at every start. */
  cacheFolder: string | null;
  /** For one request, including the start of the process. */
  timeoutMs?: number;
  /** Milliseconds that an unused process is kept. */
  idleMs?: number;
  /** The node binary; the running one if absent. */
  node?: string;
}

/** A process and its waiting requests. */
interface RunningChild {
  child: Child | null;
  idle: NodeJS.Timeout | null;
  queue: Promise<unknown>;
}

const notRunning = (): RunningChild => ({ child: null, idle: null, queue: Promise.resolve() });

type CompilerRequest = { op: string; modules: Modules } & Record<string, unknown>;

/** A compiler with a process that starts at the first request and is kept warm. It does not keep the program alive. */
export class Compiler {
  readonly #options: CompilerOptions;
  readonly #running: RunningChild;

  /** `running` is a process shared with others. If absent, the compiler has its own. */
  constructor(options: CompilerOptions, running: RunningChild = notRunning()) {
    this.#options = options;
    this.#running = running;
  }

  /** Compiles all modules to one WASM with the entrypoints. */
  async build(request: BuildRequest): Promise<CompileResult> {
    const { explain, inputSchema, ...rest } = request;
    const answer = await this.#ask({ op: 'build', ...rest, input_schema: inputSchema }, explain);
    if (!answer.ok) return answer;
    const wasm = typeof answer.wasm === 'string' ? new Uint8Array(Buffer.from(answer.wasm, 'base64')) : null;
    if (wasm === null || wasm.length === 0) return failure('E_COMPILER_ANSWER', 'the compiler returned no policy');
    return { ok: true, wasm, modules: modulesOf(answer, request.modules) };
  }

  /** Parses and compiles. Returns all errors of all modules. */
  async check(request: CheckRequest): Promise<CheckResult> {
    const { explain, inputSchema, ...rest } = request;
    const answer = await this.#ask({ op: 'check', ...rest, input_schema: inputSchema }, explain);
    if (!answer.ok) return answer;
    return { ok: true, modules: modulesOf(answer, request.modules), warnings: warningsOf(answer, request.modules) };
  }

  /** Only parses. Returns packages, rules and annotations with their places. */
  async inspect(modules: Modules): Promise<CheckResult> {
    const answer = await this.#ask({ op: 'inspect', modules });
    return answer.ok ? { ok: true, modules: modulesOf(answer, modules), warnings: [] } : answer;
  }

  /** Formats the modules as `opa fmt` does. */
  async format(modules: Modules): Promise<FormatResult> {
    const answer = await this.#ask({ op: 'fmt', modules });
    return answer.ok ? { ok: true, sources: (answer.sources ?? {}) as Modules } : answer;
  }

  /** Runs tests in the topdown evaluator, for coverage. The shipped WASM decides whether a test passes. */
  async test(request: TestRequest): Promise<RegoTestResult> {
    const answer = await this.#ask({ op: 'test', ...request });
    if (!answer.ok) return answer;
    return { ok: true, tests: (answer.tests ?? []) as RegoTest[], coverage: answer.coverage as Coverage };
  }

  /** Evaluates a rule in topdown, OPA's reference, which the shipped WASM is compared with. */
  async evaluate(request: EvalRequest): Promise<EvalResult> {
    const { entrypoint, ...rest } = request;
    const answer = await this.#ask({ op: 'eval', ...rest, entrypoints: [entrypoint] });
    if (!answer.ok) return answer;
    return { ok: true, values: (answer.values ?? []) as RegoValue[], coverage: (answer.coverage ?? null) as Coverage | null };
  }

  /** Everything that this OPA supports, including functions that the evaluator lacks. */
  async capabilities(): Promise<CapabilitiesResult> {
    const answer = await this.#ask({ op: 'capabilities', modules: {} });
    if (!answer.ok) return answer;
    return { ok: true, capabilities: answer.capabilities as Capabilities, version: String(answer.version) };
  }

  /** Starts the process before an expected request, so that it is ready by then. It ends as after a request. */
  warm(): void {
    if (this.#running.child?.alive) return;
    this.#stopIdling();
    this.#living();
    this.#idle();
  }

  /** Ends the process. The next request starts a new one. */
  close(): void {
    this.#stopIdling();
    this.#running.child?.kill();
    this.#running.child = null;
  }

  async #ask(request: CompilerRequest, explain?: Explain): Promise<CompilerFailure | ({ ok: true } & Record<string, unknown>)> {
    const size = Object.values(request.modules).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (size > MAX_MODULE_BYTES)
      return failure('E_REGO_TOO_BIG', `the policies have ${size} bytes; the maximum is ${MAX_MODULE_BYTES}`);
    const turn = this.#running.queue.then(() => this.#exchange(request));
    this.#running.queue = turn;
    const exchange = await turn;
    if (!exchange.ok) return { ok: false, problems: [withLargest(exchange.problem, request.modules)] };
    const errors = (exchange.answer.errors ?? []) as RawProblem[];
    if (errors.length > 0) return { ok: false, problems: toProblems(errors, request.modules, explain) };
    return { ...exchange.answer, ok: true };
  }

  async #exchange(request: unknown): Promise<Exchange> {
    this.#stopIdling();
    const child = this.#living();
    const exchange = await child.ask(request, this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    if (child.alive) this.#idle();
    return exchange;
  }

  #idle(): void {
    this.#running.idle = setTimeout(() => this.close(), this.#options.idleMs ?? DEFAULT_IDLE_MS);
    this.#running.idle.unref();
  }

  #living(): Child {
    const { child } = this.#running;
    if (child?.alive) return child;
    const { files, cacheFolder, node } = this.#options;
    this.#running.child = new Child({ files, cacheFolder, node: node ?? process.execPath });
    return this.#running.child;
  }

  #stopIdling(): void {
    if (this.#running.idle !== null) clearTimeout(this.#running.idle);
    this.#running.idle = null;
  }
}

/** By their options. */
const shared = new Map<string, RunningChild>();

/** A compiler that shares one process with all callers here, so that the process is warm for the next request. */
export function sharedCompiler(options: CompilerOptions): Compiler {
  const key = JSON.stringify(options.files);
  const running = shared.get(key) ?? notRunning();
  shared.set(key, running);
  return new Compiler(options, running);
}

/** Compiles once in a separate process. */
export async function compile(request: BuildRequest, options: CompilerOptions): Promise<CompileResult> {
  const compiler = new Compiler(options);
  try {
    return await compiler.build(request);
  } finally {
    compiler.close();
  }
}

/** If the process was stopped or died, it names no file. The largest file is the most likely cause. */
function withLargest(problem: Problem, modules: Modules): Problem {
  const sizes = Object.entries(modules).map(([file, text]) => ({ file, size: text.length }));
  const largest = sizes.sort((one, other) => other.size - one.size)[0];
  const isOfWork = problem.code === 'E_COMPILER_TIMEOUT' || problem.code === 'E_COMPILER_CRASH';
  return isOfWork && largest !== undefined ? { ...problem, file: largest.file } : problem;
}

function modulesOf(answer: Record<string, unknown>, sources: Modules): RegoModule[] {
  return ((answer.modules ?? []) as RegoModule[]).map((module) => {
    const text = sources[module.file] ?? '';
    return /[\ud800-\udfff]/.test(text) ? inUnits(module, text.split('\n')) : module;
  });
}

function warningsOf(answer: Record<string, unknown>, sources: Modules): Problem[] {
  return toWarnings((answer.warnings ?? []) as RawProblem[], sources);
}

/** The same with columns in UTF-16 units, as everywhere else. */
function inUnits(module: RegoModule, lines: string[]): RegoModule {
  const move = <Placed extends { row: number; col: number }>(one: Placed): Placed => ({
    ...one,
    col: unitColumn(lines[one.row - 1] ?? '', one.col),
  });
  const { rules, annotations, mentions = [], literals = [], data_refs: references = [] } = module;
  return {
    ...move(module),
    rules: rules.map(move),
    annotations: annotations.map(move),
    mentions: mentions.map(move),
    literals: literals.map(move),
    data_refs: references.map(move),
  };
}

function failure(code: Parameters<typeof hostProblem>[0], message: string): CompilerFailure {
  return { ok: false, problems: [hostProblem(code, message)] };
}
