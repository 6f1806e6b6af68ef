// modes policy coverage: lists the rules that never decided anything in the tests and cases, as a table, JSON, LCOV or a page.

import { findPackageRoot, openCompiler } from '../../app/own-package.ts';
import { showUnseen } from '../../config/text.ts';
import type { Problem } from '../../model/problem.ts';
import { toJson } from './outputs/json.ts';
import { type CoveredRule, coverSuite, percentOf } from './policy-covered.ts';
import { writeOutput } from './policy-output.ts';
import { countOutcomes, describeCounts, describeProblems } from './policy-report.ts';
import { runPolicies, type TestOutcome } from './policy-run.ts';
import { openSuites, type PolicyOptions } from './policy-test.ts';
import { showProgress } from './progress.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

interface CoverageOptions extends PolicyOptions {
  format?: string;
  output?: string;
  threshold?: string;
}

interface CoverageReport {
  rules: CoveredRule[];
  lines: Map<string, Map<number, boolean>>;
  texts: ReadonlyMap<string, string>;
  percent: number;
}

const FORMATS: Record<string, (report: CoverageReport) => string> = {
  table: toTable,
  json: coverageOf,
  lcov: toLcov,
  html: toHtml,
};
export const formats: readonly string[] = Object.keys(FORMATS);

export async function policyCoverage(named: string[], options: CoverageOptions, terminal: Terminal): Promise<number> {
  const { format = options.json ? 'json' : 'table', threshold = '0' } = options;
  const write = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (write === undefined) throw new UsageError(`--format must be one of ${Object.keys(FORMATS).join(', ')}`);
  const least = Number(threshold);
  if (!(least >= 0 && least <= 100)) throw new UsageError('--threshold must be a number from 0 to 100');
  const suites = openSuites(named, options);
  const compiler = openCompiler();
  const progress = showProgress('measuring');
  const outcomes: TestOutcome[] = [];
  const problems: Problem[] = [];
  const rules: CoveredRule[] = [];
  const lines: CoverageReport['lines'] = new Map();
  const texts = new Map<string, string>();
  try {
    for (const [at, suite] of suites.entries()) {
      const ran = await runPolicies(suite, { compiler, env: process.env, packageRoot: findPackageRoot() });
      const covered = await coverSuite(suite, ran, compiler, findPackageRoot());
      outcomes.push(...ran.outcomes);
      problems.push(...ran.problems, ...covered.problems);
      rules.push(...covered.rules);
      for (const [file, of] of covered.lines) lines.set(file, of);
      for (const { files } of suite.content) for (const { name, text } of files) texts.set(suite.shown(name), text);
      progress.at(at + 1, suites.length);
    }
  } finally {
    progress.end();
  }
  rules.sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
  const percent = percentOf(rules);
  const text = write({ rules, lines, texts, percent });
  if (options.output === undefined) terminal.out(text.trimEnd());
  else writeOutput(options.output, text);
  const counts = countOutcomes(outcomes);
  const isBroken = problems.some(({ severity }) => severity === 'error');
  if (problems.length > 0) terminal.err(describeProblems(problems, terminal.errColour));
  if (counts.failed > 0) terminal.err(`${describeCounts(counts)}: see modes policy test`);
  if (percent < least) terminal.err(`${percent} % of the rules decided something; at least ${least} % is required`);
  return counts.failed > 0 || isBroken || percent < least ? exits.wrong : exits.fine;
}

const clean = showUnseen;

function toTable({ rules, percent }: CoverageReport): string {
  const files = [...new Set(rules.map(({ file }) => file))];
  const width = Math.max(0, ...files.map((file) => file.length));
  const out = files.flatMap((file) => {
    const of = rules.filter((rule) => rule.file === file);
    const never = of.filter(({ decided }) => decided === 0);
    const head = `${clean(file).padEnd(width)}  ${String(of.length - never.length).padStart(3)} of ${String(of.length).padStart(3)} rules decided something`;
    return [
      head,
      ...never.map(({ line, effect, text }) => `  never: ${file}:${line} ${effect === null ? '' : `${effect} `}${clean(text)}`),
    ];
  });
  return `${[...out, `${percent} % of ${rules.length} rules`].join('\n')}\n`;
}

function coverageOf({ rules, lines, percent }: CoverageReport): string {
  const files = Object.fromEntries(
    [...lines].map(([file, of]) => [
      file,
      {
        covered: [...of].flatMap(([line, is]) => (is ? [line] : [])),
        missed: [...of].flatMap(([line, is]) => (is ? [] : [line])),
      },
    ]),
  );
  return `${toJson<'policy-coverage'>({ percent, rules, files }, 2)}\n`;
}

/** Hits by file and line. For settings: how often a rule decided. For Rego: whether a line was reached. */
function hitsByLine({ rules, lines }: CoverageReport): Map<string, Map<number, number>> {
  const hits = new Map<string, Map<number, number>>();
  const at = (file: string) => hits.get(file) ?? hits.set(file, new Map()).get(file)!;
  for (const [file, of] of lines) for (const [line, is] of of) at(file).set(line, is ? 1 : 0);
  for (const { kind, file, line, decided } of rules)
    if (kind === 'settings') at(file).set(line, (at(file).get(line) ?? 0) + decided);
  return hits;
}

function toLcov(report: CoverageReport): string {
  const records = [...hitsByLine(report)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, hits]) => {
      const sorted = [...hits].sort(([a], [b]) => a - b);
      const hit = sorted.filter(([, count]) => count > 0).length;
      return [
        'TN:',
        `SF:${file}`,
        ...sorted.map(([line, count]) => `DA:${line},${count}`),
        `LF:${sorted.length}`,
        `LH:${hit}`,
        'end_of_record',
      ].join('\n');
    });
  return `${records.join('\n')}\n`;
}

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem;color:#1b1f24;background:#fff}
pre{font:12px/1.5 ui-monospace,monospace;overflow-x:auto;border:1px solid #d0d7de;border-radius:6px;padding:.5rem 0}
pre span{display:block;padding:0 .75rem}pre i{font-style:normal;color:#6e7781;display:inline-block;width:3rem;user-select:none}
.hit{background:#dafbe1}.never{background:#ffebe9}h2{font-size:1rem;margin-top:2rem}
@media (prefers-color-scheme:dark){body{color:#e6edf3;background:#0d1117}pre{border-color:#30363d}.hit{background:#12261e}.never{background:#3c1618}}`;

/** One self-contained page: every file with its lines, marked as decided or never decided. */
function toHtml(report: CoverageReport): string {
  const { rules, texts, percent } = report;
  const files = [...hitsByLine(report)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, hits]) => {
      const body = (texts.get(file) ?? '')
        .replace(/\n$/, '')
        .split(/\r?\n/)
        .map((text, index) => {
          const count = hits.get(index + 1);
          const kind = count === undefined ? '' : count > 0 ? ' class="hit"' : ' class="never"';
          return `<span${kind}><i>${index + 1}</i>${markup(text)}</span>`;
        });
      const all = [...hits.values()];
      const hit = all.filter((count) => count > 0).length;
      return `<h2>${markup(file)}: ${hit} of ${all.length} lines</h2>\n<pre>${body.join('')}</pre>`;
    });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Policy coverage</title><style>${STYLE}</style></head>
<body><h1>${percent} % of ${rules.length} rules decided something</h1>
<p>Green decided something in a test or case, red never did.</p>
${files.join('\n')}
</body></html>
`;
}

function markup(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return clean(text).replace(/[&<>"]/g, (character) => entities[character] as string);
}
