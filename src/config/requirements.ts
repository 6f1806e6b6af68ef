// `require:` of a transition: conditions that a machine checks before the transition is open.
import * as z from 'zod/mini';
import type { Source } from '../model/problem.ts';
import type { EngineRun, RequiredRun, Requirement, TestDemand } from '../model/requirement.ts';
import { readDuration } from '../platform/duration.ts';
import { getEntry, getText, type Node } from './node.ts';
import { DURATION, FILLED, needed, optional, record, TEXT_OR_TEXTS } from './parts.ts';
import type { Report } from './report.ts';
import { locate, quote, type SourceText } from './text.ts';

/**
 * Milliseconds: the time limit of a command without `timeout:`, and the longest allowed. The client gives up on a silent server
 * after 30 minutes.
 */
const DEFAULT_TIMEOUT = 600_000;
const MAX_TIMEOUT = 1_500_000;

const OF_A_RUN = ['in', 'watch', 'outputs', 'output'] as const;
const OF_OUR_RUN = [...OF_A_RUN, 'uses', 'timeout', 'unsandboxed'] as const;

/** Every check, with the keys that it accepts. */
const CHECKS: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ['passes', OF_A_RUN],
  ['fails', OF_A_RUN],
  ['run', OF_OUR_RUN],
  ['review', OF_OUR_RUN],
  ['tests', []],
  ['policy', []],
  ['plan', []],
  ['changed', []],
  ['unchanged', []],
  ['file', ['exists', 'contains']],
  ['git', ['branch']],
  ['branch', []],
  ['agent', []],
  ['after', []],
]);

/** Keys of a run, with their meanings. */
const RUN_KEYS = {
  in: optional(FILLED, 'the folder below the root that the command runs in.'),
  watch: optional(TEXT_OR_TEXTS, 'files that make a run outdated when they change.'),
  outputs: optional(TEXT_OR_TEXTS, 'files that the command itself may change.'),
  uses: optional(TEXT_OR_TEXTS, 'files that define the command: they are trusted with the configuration.'),
  timeout: optional(DURATION, 'how long the command may take, up to 25m: 10m.'),
  unsandboxed: optional(z.boolean(), 'true: the command may run outside the sandbox of the session.'),
};

/** What `tests:` can demand of the named results, by its key and value. */
const DEMANDS: readonly { key: string; value: string; demand: TestDemand }[] = [
  { key: 'failing', value: 'new', demand: 'new failure' },
  { key: 'passing', value: 'all', demand: 'all pass' },
  { key: 'same', value: 'true', demand: 'same' },
];

const TESTS = record(
  {
    command: needed(FILLED, 'the command that runs the tests.'),
    failing: optional(z.enum(['new']), '"new": a test fails by an assertion that did not fail when the mode was entered.'),
    passing: optional(z.enum(['all']), '"all": every test passes, also each one that was known when the mode was entered.'),
    same: optional(z.boolean(), 'true: the same tests pass as when the mode was entered.'),
    by: optional(
      z.enum(['agent', 'engine']),
      '"engine": only a run of the engine counts; "agent": a run of the agent counts too. "agent" without this key.',
    ),
    report: optional(
      TEXT_OR_TEXTS,
      'Files in JUnit XML or TRX that the command writes. Without it, those that Maven and Gradle write by default.',
    ),
    ...RUN_KEYS,
  },
  { run: 'Use "command".', expect: 'Use "failing", "passing" or "same".', reporter: 'Use "report" with the files.' },
);

const KEYS = {
  passes: optional(FILLED, 'a command whose newest run in this mode must have passed.'),
  fails: optional(FILLED, 'a command whose newest run in this mode must have failed.'),
  run: optional(FILLED, 'a command that the engine runs itself; it must end with 0.'),
  review: optional(FILLED, 'the same, with the changes and the journal as JSON on its standard input.'),
  tests: optional(TESTS, 'a command with named test results, and what they must show.'),
  policy: optional(FILLED, 'a gate of a custom policy, by its name.'),
  plan: optional(
    z.enum(['approved', 'complete']),
    '"approved": a person approved the plan; "complete": the agent says that every item is done.',
  ),
  changed: optional(TEXT_OR_TEXTS, 'files; at least one must have changed since the mode was entered.'),
  unchanged: optional(TEXT_OR_TEXTS, 'files that must not have changed since the mode was entered.'),
  file: optional(FILLED, 'a file that must exist.'),
  git: optional(z.enum(['clean']), '"clean": there are no uncommitted changes.'),
  branch: optional(FILLED, 'the branch that must be checked out; "*" stands for any text.'),
  agent: optional(FILLED, 'a type of subagent that must have ended with PASS.'),
  after: optional(DURATION, 'how long the mode must have lasted: 10m.'),
  ...RUN_KEYS,
  output: optional(FILLED, 'text that the output must contain; "*" stands for any text.'),
  exists: optional(z.boolean(), 'false: the file must not exist.'),
  contains: optional(FILLED, 'text that the file must contain.'),
};

export const REQUIREMENT = record(KEYS, {
  pass: 'Use "passes".',
  fail: 'Use "fails".',
  command: 'Use "passes", "fails", "run" or "tests".',
  approve: 'Write "approve: human" beside "to".',
});

/** Reads one check. Null if it is invalid, after reporting every problem. */
export function readRequirement(node: Node, source: SourceText, report: Report): Requirement | null {
  if (node.kind !== 'map') return null;
  const keys = node.entries.map((entry) => entry.key);
  const named = keys.filter((key) => CHECKS.has(key) && !keys.some((other) => CHECKS.get(other)?.includes(key)));
  const check = named[0];
  if (check === undefined || named.length > 1) {
    const message =
      check === undefined ? 'This is not a known check.' : `${named.map(quote).join(' and ')} are two checks in one.`;
    report(
      'E_REQUIRE_FORM',
      message,
      `Write one of: ${[...CHECKS.keys()].join(', ')}; each check is a separate item.`,
      node.span,
    );
    return null;
  }
  const beside = CHECKS.get(check) ?? [];
  const invalidEntries = node.entries.filter(({ key }) => key !== check && Object.hasOwn(KEYS, key) && !beside.includes(key));
  for (const { key, keySpan } of invalidEntries) {
    const possible = beside.length === 0 ? 'It takes no other keys.' : `It also takes: ${beside.join(', ')}.`;
    report('E_REQUIRE_FORM', `${quote(key)} is not a valid key beside ${quote(check)}.`, possible, keySpan);
  }
  return invalidEntries.length > 0 ? null : build(check, node, source, report);
}

function build(check: string, node: Node, source: SourceText, report: Report): Requirement | null {
  const text = getText(node, check) ?? '';
  const at = { source: locate(source, node.span.start) };
  switch (check) {
    case 'passes':
    case 'fails':
      return { ...at, check, ...ranOf(text, node) };
    case 'run':
    case 'review':
      return { ...at, check, ...engineRunOf(text, node, report) };
    case 'tests':
      return readTests(at.source, getEntry(node, check)?.value ?? node, report);
    case 'policy':
      return { ...at, check, name: text };
    case 'plan':
      return { ...at, check, state: text === 'complete' ? text : 'approved' };
    case 'changed':
    case 'unchanged':
      return { ...at, check, globs: textsOf(node, check) ?? [] };
    case 'file':
      return { ...at, check, path: text, exists: flagOf(node, 'exists', true), contains: getText(node, 'contains') };
    case 'git':
    case 'branch':
      return { ...at, check: 'git', clean: check === 'git', branch: getText(node, 'branch') };
    case 'agent':
      return { ...at, check, type: text };
    case 'after':
      return { ...at, check, time: durationOf(node, check, report) };
    default:
      throw new Error(`no reader for the check ${check}`);
  }
}

function readTests(source: Source, node: Node, report: Report): Requirement | null {
  if (node.kind !== 'map') return null;
  const demanded = DEMANDS.filter(({ key }) => getEntry(node, key) !== null);
  const [only] = demanded;
  const value = only && getEntry(node, only.key)?.value;
  const written = value?.kind === 'text' ? value.value : value?.kind === 'boolean' ? value.shown : null;
  if (only === undefined || demanded.length > 1 || (only.key === 'same' && written !== only.value)) {
    const message =
      only === undefined
        ? '"tests" does not say what the results must show.'
        : demanded.length > 1
          ? `${demanded.map(({ key }) => quote(key)).join(' and ')} are two conditions in one.`
          : `${quote(only.key)} can only be true.`;
    const forms = DEMANDS.map(({ key, value }) => `${key}: ${value}`).join(', ');
    report('E_REQUIRE_FORM', message, `Write one of: ${forms}.`, node.span);
    return null;
  }
  const by = getText(node, 'by') === 'engine' ? 'engine' : 'agent';
  const run = engineRunOf(getText(node, 'command') ?? '', node, report);
  return { source, check: 'tests', demand: only.demand, by, report: textsOf(node, 'report'), ...run };
}

function engineRunOf(command: string, node: Node, report: Report): EngineRun {
  return {
    ...ranOf(command, node),
    uses: textsOf(node, 'uses'),
    timeout: timeoutOf(node, report),
    unsandboxed: flagOf(node, 'unsandboxed', false),
  };
}

function ranOf(command: string, node: Node): RequiredRun {
  return {
    command,
    in: getText(node, 'in'),
    watch: textsOf(node, 'watch'),
    outputs: textsOf(node, 'outputs') ?? [],
    output: getText(node, 'output'),
  };
}

function textsOf(node: Node, key: string): string[] | null {
  const value = getEntry(node, key)?.value;
  if (value?.kind === 'text') return [value.value.trim()];
  if (value?.kind !== 'list') return null;
  return value.items.flatMap((item) => (item.kind === 'text' ? [item.value.trim()] : []));
}

function flagOf(node: Node, key: string, absent: boolean): boolean {
  const value = getEntry(node, key)?.value;
  return value?.kind === 'boolean' ? value.shown === 'true' : absent;
}

/** Milliseconds. An invalid duration is reported and becomes infinite. */
function durationOf(node: Node, key: string, report: Report): number {
  const entry = getEntry(node, key);
  const time = readDuration(getText(node, key) ?? '');
  if (time !== null) return time;
  if (entry?.value.kind === 'text')
    report('E_REQUIRE_FORM', `${quote(key)} is not a time.`, 'Write a number with its unit: 90s, 10m, 2h.', entry.value.span);
  return Number.POSITIVE_INFINITY;
}

function timeoutOf(node: Node, report: Report): number {
  const entry = getEntry(node, 'timeout');
  if (entry === null) return DEFAULT_TIMEOUT;
  const time = durationOf(node, 'timeout', report);
  if (time > MAX_TIMEOUT && Number.isFinite(time))
    report('E_REQUIRE_FORM', '"timeout" is longer than a command may take.', 'Write at most 25m.', entry.value.span);
  return Math.min(time, MAX_TIMEOUT);
}
