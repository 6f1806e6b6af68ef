// Converts the compiler's errors to problems that a person can act on.
import type { Problem } from '../../model/problem.ts';
import type { Explain, Modules, RawProblem } from './types.ts';

const KINDS: Record<string, { code: string; remedy: string }> = {
  rego_parse_error: {
    code: 'E_REGO_PARSE',
    remedy: 'Correct the syntax at this place; `modes policy fmt` formats Rego.',
  },
  rego_compile_error: { code: 'E_REGO_COMPILE', remedy: 'Correct the rule at this place.' },
  rego_type_error: { code: 'E_REGO_TYPE', remedy: 'Compare the arguments and fields used here with their types.' },
  rego_unsafe_var_error: {
    code: 'E_REGO_UNSAFE_VAR',
    remedy: 'Give the variable a value outside of `not`, for instance with `some … in`.',
  },
  rego_recursion_error: {
    code: 'E_REGO_RECURSION',
    remedy: 'Break the cycle: a rule may not depend on itself, or on data.modes.verdict.',
  },
  rego_format_error: { code: 'E_REGO_FORMAT', remedy: 'Correct the syntax first.' },
};
const ENTRYPOINT = { code: 'E_REGO_ENTRYPOINT', remedy: 'Add the rule, or give the entry point the name of the rule.' };
const INTERNAL = { code: 'E_COMPILER_INTERNAL', remedy: 'Report this with the policy that causes it.' };

/** Problems for the compiler's errors, with the text of the line from the modules. */
export function toProblems(raw: RawProblem[], modules: Modules, explain: Explain = () => null): Problem[] {
  return raw.map((one) => toProblem(one, modules, explain));
}

/** Warnings, which change no decision. */
export function toWarnings(raw: RawProblem[], modules: Modules): Problem[] {
  return toProblems(raw, modules).map((one) => ({
    ...one,
    code: 'W_REGO_UNUSED',
    severity: 'warning' as const,
    remedy: 'Remove it, or use it.',
  }));
}

function toProblem(raw: RawProblem, modules: Modules, explain: Explain): Problem {
  const missing = raw.code === 'rego_type_error' ? /^undefined function (\S+)/.exec(raw.message)?.[1] : undefined;
  const kind =
    missing !== undefined
      ? { code: 'E_REGO_BUILTIN', remedy: insteadOf(missing) }
      : (KINDS[raw.code] ?? (raw.message.startsWith('entrypoint ') ? ENTRYPOINT : INTERNAL));
  // Of the details, only the found and the expected types do not repeat the line and the caret.
  const detailLines = (raw.details ?? []).map((line) => line.trim().replace(/^(left|right)\s+:/, '$1:'));
  const details = missing !== undefined ? [] : detailLines.filter((line) => /^(have|want|left|right)\b/.test(line));
  const problem: Problem = {
    code: kind.code,
    severity: 'error',
    message: [raw.message, ...details].join('; '),
    remedy: kind.remedy,
    ...(missing === undefined && explain(raw)),
  };
  if (!raw.file) return problem;
  problem.file = raw.file;
  if (!raw.row) return problem;
  problem.line = raw.row;
  problem.column = raw.col || 1;
  const line = Object.hasOwn(modules, raw.file) ? modules[raw.file]?.split('\n')[raw.row - 1]?.replace(/\r$/, '') : undefined;
  if (line === undefined) return problem;
  problem.lineText = line;
  const first = raw.text?.split('\n')[0] ?? '';
  problem.column = unitColumn(line, problem.column);
  if (first.length > 1 && line.startsWith(first, problem.column - 1)) problem.length = first.length;
  return problem;
}

/** Converts a column of the compiler, which counts characters, to UTF-16 units, as all other columns. */
export function unitColumn(line: string, column: number): number {
  return /[\ud800-\udfff]/.test(line) ? [...line].slice(0, column - 1).join('').length + 1 : column;
}

/** True for the code of a fault of the compiler itself. Another try may succeed. */
export function isOfCompiler(code: string): boolean {
  return code.split('_')[1] === 'COMPILER';
}

/** A problem of the compiler process itself. */
export function hostProblem(
  code:
    | 'E_COMPILER_TIMEOUT'
    | 'E_COMPILER_CRASH'
    | 'E_COMPILER_ANSWER'
    | 'E_COMPILER_START'
    | 'E_REGO_TOO_BIG'
    | 'E_COMPILER_CLOSED',
  message: string,
): Problem {
  return { code, severity: 'error', message, remedy: HOST_REMEDIES[code] };
}

const HOST_REMEDIES = {
  E_COMPILER_TIMEOUT: 'Make the policies simpler or smaller, the largest first; until then none of them applies.',
  E_COMPILER_CRASH: 'Try again; if it happens again, remove the policy that you changed last, and report it.',
  E_COMPILER_ANSWER: 'Try again; if it happens again, install the plugin again.',
  E_COMPILER_START: 'Run `modes doctor` to see the missing or damaged file, or install the plugin again.',
  E_REGO_TOO_BIG: 'Move data out of the policies: tables belong in settings.',
  E_COMPILER_CLOSED: 'Try again: the compiler was closed while it worked.',
} as const;

/** OPA functions that the evaluator does not have, and their replacements. The compiler refuses all of them. */
const ALTERNATIVES: readonly (readonly [name: RegExp, instead: string])[] = [
  [/^strings\.render_template$/, 'Write the text with its values in it: $"{x} of {y}", or use sprintf.'],
  [/^regex\.find_n$/, 'regex.find_all_string_submatch_n(pattern, text, n) gives the same, each match in an array of its own.'],
  [/^regex\.split$/, 'split(text, delimiter) for a literal delimiter; regex.find_all_string_submatch_n for the parts between.'],
  [/^(regex\.(globs_match|template_match)|re_match)$/, 'Use regex.match(pattern, text).'],
  [/^strings\.count$/, 'Write count(split(text, part)) - 1.'],
  [/^strings\.split_n$/, 'Use split(text, delimiter) and array.slice.'],
  [/^indexof_n$/, 'indexof(text, part) gives the first; split(text, part) gives the text between all of them.'],
  [/^glob\./, 'Write the path in a settings rule, such as Write(src/**), or use startswith, endswith and regex.match.'],
  [
    /^time\./,
    'Use time.now_ns and time.parse_rfc3339_ns, in nanoseconds: an hour is 3600000000000, and floor(ns / 86400000000000) % 7 is 0 on a Thursday (UTC).',
  ],
  [/^(rand\.|uuid\.rfc4122$)/, 'The same call must get the same decision: decide by the content of the call.'],
  [
    /^(http\.send|net\.lookup_ip_addr|opa\.runtime|providers\.)/,
    'A decision reads only its input and data.rules: put other data into the policy.',
  ],
  [/^json\.(marshal|marshal_with_options)$/, 'sprintf("%v", [x]) writes any value, sprintf("%q", [x]) quotes a text.'],
  [/^json\.(filter|remove)$/, 'object.filter(x, keys) and object.remove(x, keys), or a comprehension for nested values.'],
  [
    /^(json\.(unmarshal|is_valid)|base64(url)?\.(decode|is_valid))$/,
    'The evaluator accepts texts that OPA rejects: search with contains, split and regex.match instead.',
  ],
  [
    /^(crypto|io\.jwt|hex|urlquery|graphql|uri|uuid|units|yaml|json\.(patch|match_schema|verify_schema)|rego)\b/,
    'The evaluator has no replacement: decide by the texts and paths in the input.',
  ],
  [
    /^net\.cidr_(contains_matches|expand|merge|is_valid|overlap)$/,
    'Use net.cidr_contains(cidr, address) or net.cidr_intersects(a, b).',
  ],
  [/^numbers\.range_step$/, 'Write [n | some n in numbers.range(a, b); n % step == 0].'],
  [/^graph\.reachable_paths$/, 'graph.reachable(graph, initial) gives the nodes without their paths.'],
  [/^(all|any)$/, 'Write `every x in list { x }`, or `true in list`.'],
  [/^cast_|^set_diff$/, 'It is deprecated in OPA: use is_array and similar, or `a - b` for sets.'],
  [/^base64url\.encode_no_pad$/, 'Use trim_right(base64url.encode(x), "=").'],
  [/^trace$/, 'Use print(…): `modes policy test` shows what a failing test prints.'],
];

const OTHERWISE = 'The evaluator has no such function: check the spelling, or use another function.';

/** The remedy for a function that is missing. */
export function insteadOf(name: string): string {
  return ALTERNATIVES.find(([pattern]) => pattern.test(name))?.[1] ?? OTHERWISE;
}
