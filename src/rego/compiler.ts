// Rego to WebAssembly: the verbs of the embedded OPA, each with a time limit, each answering with data.

import type { CompilerFiles } from './files.ts';
import { hostProblem, type RawProblem, toProblems } from './problems.ts';
import { Child, type Exchange } from './process.ts';
import type {
  BuildRequest,
  Capabilities,
  CapabilitiesResult,
  CheckRequest,
  CheckResult,
  CompileResult,
  Coverage,
  EvalRequest,
  EvalResult,
  Failure,
  FormatResult,
  Modules,
  RegoModule,
  RegoTest,
  RegoValue,
  TestRequest,
  TestResult,
} from './types.ts';

export const DEFAULT_TIMEOUT_MS = 20_000;
const DEFAULT_IDLE_MS = 60_000;
const MAX_MODULE_BYTES = 8 * 1024 * 1024;

export interface CompilerOptions {
  files: CompilerFiles;
  /** Folder for the raw compiler, made when needed; null decompresses it at every start. */
  cacheFolder: string | null;
  /** For one request, start of the process included. */
  timeoutMs?: number;
  /** How long an unused process is kept. */
  idleMs?: number;
  /** The node binary; the running one when absent. */
  node?: string;
}

type Question = { op: string; modules: Modules } & Record<string, unknown>;

/** A compiler whose process is started when first asked and kept warm. It never keeps the program alive by itself. */
export class Compiler {
  readonly #options: CompilerOptions;
  #child: Child | null = null;
  #idle: NodeJS.Timeout | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(options: CompilerOptions) {
    this.#options = options;
  }

  /** Compiles all modules to one WASM with the entrypoints. */
  async build(request: BuildRequest): Promise<CompileResult> {
    const answer = await this.#ask({ op: 'build', ...request });
    if (!answer.ok) return answer;
    const wasm = typeof answer.wasm === 'string' ? new Uint8Array(Buffer.from(answer.wasm, 'base64')) : null;
    if (wasm === null || wasm.length === 0) return failure('E_COMPILER_ANSWER', 'the compiler answered without a policy');
    return { ok: true, wasm, modules: modulesOf(answer) };
  }

  /** Parses and compiles; all errors of all modules. */
  async check(request: CheckRequest): Promise<CheckResult> {
    const { inputSchema, ...rest } = request;
    const answer = await this.#ask({ op: 'check', ...rest, input_schema: inputSchema });
    return answer.ok ? { ok: true, modules: modulesOf(answer) } : answer;
  }

  /** Parses only: packages, rules and annotations with their places. */
  async inspect(modules: Modules): Promise<CheckResult> {
    const answer = await this.#ask({ op: 'inspect', modules });
    return answer.ok ? { ok: true, modules: modulesOf(answer) } : answer;
  }

  /** The modules as `opa fmt` writes them. */
  async format(modules: Modules): Promise<FormatResult> {
    const answer = await this.#ask({ op: 'fmt', modules });
    return answer.ok ? { ok: true, sources: (answer.sources ?? {}) as Modules } : answer;
  }

  /** Runs tests by the topdown evaluator, for coverage. Whether a test passes is decided by the WASM that is shipped. */
  async test(request: TestRequest): Promise<TestResult> {
    const answer = await this.#ask({ op: 'test', ...request });
    if (!answer.ok) return answer;
    return { ok: true, tests: (answer.tests ?? []) as RegoTest[], coverage: answer.coverage as Coverage };
  }

  /** Evaluates a rule by topdown, OPA's reference: what the shipped WASM is compared with. */
  async evaluate(request: EvalRequest): Promise<EvalResult> {
    const { entrypoint, ...rest } = request;
    const answer = await this.#ask({ op: 'eval', ...rest, entrypoints: [entrypoint] });
    if (!answer.ok) return answer;
    return { ok: true, values: (answer.values ?? []) as RegoValue[], coverage: (answer.coverage ?? null) as Coverage | null };
  }

  /** Everything this OPA could do, before we take away what the evaluator cannot. */
  async capabilities(): Promise<CapabilitiesResult> {
    const answer = await this.#ask({ op: 'capabilities', modules: {} });
    if (!answer.ok) return answer;
    return { ok: true, capabilities: answer.capabilities as Capabilities, version: String(answer.version) };
  }

  /** Ends the process. The compiler can be asked again and then starts a new one. */
  close(): void {
    this.#stopIdling();
    this.#child?.kill();
    this.#child = null;
  }

  async #ask(request: Question): Promise<Failure | ({ ok: true } & Record<string, unknown>)> {
    const size = Object.values(request.modules).reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    if (size > MAX_MODULE_BYTES)
      return failure('E_REGO_TOO_BIG', `the policies have ${size} bytes; at most ${MAX_MODULE_BYTES} are compiled`);
    const turn = this.#queue.then(() => this.#exchange(request));
    this.#queue = turn;
    const exchange = await turn;
    if (!exchange.ok) return { ok: false, problems: [exchange.problem] };
    const errors = (exchange.answer.errors ?? []) as RawProblem[];
    if (errors.length > 0) return { ok: false, problems: toProblems(errors, request.modules) };
    return { ...exchange.answer, ok: true };
  }

  async #exchange(request: unknown): Promise<Exchange> {
    this.#stopIdling();
    if (this.#child === null || !this.#child.alive) {
      const { files, cacheFolder, node } = this.#options;
      this.#child = new Child({ files, cacheFolder, node: node ?? process.execPath });
    }
    const exchange = await this.#child.ask(request, this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
    if (this.#child?.alive) {
      this.#idle = setTimeout(() => this.close(), this.#options.idleMs ?? DEFAULT_IDLE_MS);
      this.#idle.unref();
    }
    return exchange;
  }

  #stopIdling(): void {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
  }
}

/** Compiles once in a process of its own. */
export async function compile(request: BuildRequest, options: CompilerOptions): Promise<CompileResult> {
  const compiler = new Compiler(options);
  try {
    return await compiler.build(request);
  } finally {
    compiler.close();
  }
}

function modulesOf(answer: Record<string, unknown>): RegoModule[] {
  return (answer.modules ?? []) as RegoModule[];
}

function failure(code: Parameters<typeof hostProblem>[0], message: string): Failure {
  return { ok: false, problems: [hostProblem(code, message)] };
}
