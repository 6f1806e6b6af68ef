// Finds the rules that decided something: settings rules by the decisions of the cases, Rego rules by OPA's own coverage of tests
// and cases.

import type { Effect } from '../../model/configuration.ts';
import type { Problem } from '../../model/problem.ts';
import type { Compiler } from '../../policy/compiler/compiler.ts';
import type { Coverage, CoverageRange, Modules } from '../../policy/compiler/types.ts';
import { readCore } from '../../policy/core.ts';
import { joinModules } from '../../policy/custom/build.ts';
import type { Ran } from './policy-run.ts';
import type { Suite } from './policy-suite.ts';

/** A rule that can decide, and how often it did. For Rego only whether it did is known. */
export interface CoveredRule {
  kind: 'settings' | 'rego';
  file: string;
  line: number;
  effect: Effect | null;
  /** The rule as written, or a Rego rule's name. */
  text: string;
  decided: number;
}

export interface Covered {
  rules: CoveredRule[];
  /** For Rego files: for each line with an expression that can be evaluated, whether it was. */
  lines: Map<string, Map<number, boolean>>;
  problems: Problem[];
}

/** Coverage of a suite that was run. */
export async function coverSuite(suite: Suite, ran: Ran, compiler: Compiler, packageRoot: string): Promise<Covered> {
  const rules = coverSettings(suite, ran);
  const core = readCore(packageRoot);
  if (!core.ok) return { rules, lines: new Map(), problems: core.problems };
  if (Object.keys(suite.custom).length === 0) return { rules, lines: new Map(), problems: [] };
  const joined = await joinModules(core.core.modules, suite.custom, compiler);
  if (!joined.ok) return { rules, lines: new Map(), problems: joined.problems };
  const reports = await measure(suite, ran, joined.modules, compiler);
  const inspected = await compiler.inspect(suite.custom);
  if (!inspected.ok) return { rules, lines: new Map(), problems: inspected.problems };
  const lines = new Map<string, Map<number, boolean>>();
  for (const { file, rules: written } of inspected.modules) {
    const covered = reports.coverage.flatMap(({ files }) => files[file]?.covered ?? []);
    const missed = reports.coverage.flatMap(({ files }) => files[file]?.not_covered ?? []);
    lines.set(file, linesOf(covered, missed));
    for (const { name, row, col } of written) {
      const decided = covered.some(({ start }) => start.row === row && (start.col ?? col) === col) ? 1 : 0;
      rules.push({ kind: 'rego', file, line: row, effect: null, text: name, decided });
    }
  }
  return { rules, lines, problems: reports.problems };
}

/** Rules of every mode; those of settings.any.json only once. */
function coverSettings(suite: Suite, { configured, decided }: Ran): CoveredRule[] {
  const byPlace = new Map<string, CoveredRule>();
  const keyOf = ({ file, line, column }: { file: string; line: number; column: number }) => `${file}:${line}:${column}`;
  for (const mode of configured?.bundles().keys() ?? [])
    for (const { text, effect, source } of configured!.rulesOf(mode))
      byPlace.set(keyOf(source), {
        kind: 'settings',
        file: suite.shown(source.file),
        line: source.line,
        effect,
        text,
        decided: 0,
      });
  const deniesByDefault = (mode: string | null): boolean =>
    mode !== null && configured?.config.policies.of(mode)?.lifting?.deniesByDefault === true;
  for (const { decision } of decided) {
    if (decision.decision === 'pass') continue;
    // Under a default of deny, a call can only be asked about if a line allows it, too.
    const isNeeded = decision.decision === 'ask' && deniesByDefault(decision.mode);
    const needed = isNeeded ? decision.also.filter(({ effect }) => effect === 'allow') : [];
    for (const { source } of [...decision.rules.filter(({ effect }) => effect === decision.decision), ...needed]) {
      const rule = byPlace.get(keyOf(source));
      if (rule !== undefined) rule.decided += 1;
    }
  }
  return [...byPlace.values()];
}

/** The expressions that topdown reaches in the tests, and with the facts of the cases and the data of their modes. */
async function measure(
  { tests }: Suite,
  { configured, decided }: Ran,
  modules: Modules,
  compiler: Compiler,
): Promise<{ coverage: Coverage[]; problems: Problem[] }> {
  const answers = [];
  if (Object.keys(tests).length > 0) answers.push(await compiler.test({ modules: { ...modules, ...tests } }));
  const bundles = configured?.bundles() ?? new Map();
  for (const [mode, { data }] of bundles) {
    const inputs = decided.flatMap(({ decision }) => (decision.mode === mode && decision.facts !== null ? [decision.facts] : []));
    if (inputs.length === 0) continue;
    const base = JSON.parse(Buffer.from(data).toString()) as Record<string, unknown>;
    answers.push(await compiler.evaluate({ modules, data: base, entrypoint: 'modes/verdict', inputs, cover: true }));
  }
  return {
    coverage: answers.flatMap((answer) => (answer.ok && answer.coverage !== null ? [answer.coverage] : [])),
    problems: answers.flatMap((answer) => (answer.ok ? [] : answer.problems)),
  };
}

/** A line is covered if every expression on it was evaluated in some run. */
function linesOf(covered: CoverageRange[], missed: CoverageRange[]): Map<number, boolean> {
  const keyOf = ({ start, end }: CoverageRange) => `${start.row}:${start.col}-${end.row}:${end.col}`;
  const reached = new Set(covered.map(keyOf));
  const lines = new Map<number, boolean>();
  for (const range of covered) for (let row = range.start.row; row <= range.end.row; row++) lines.set(row, true);
  for (const range of missed) {
    if (reached.has(keyOf(range))) continue;
    for (let row = range.start.row; row <= range.end.row; row++) lines.set(row, false);
  }
  return lines;
}

/** Percentage of the rules that decided something; 100 if there are no rules. */
export function percentOf(rules: readonly CoveredRule[]): number {
  const decided = rules.filter((rule) => rule.decided > 0).length;
  return rules.length === 0 ? 100 : Math.round((decided / rules.length) * 1000) / 10;
}
