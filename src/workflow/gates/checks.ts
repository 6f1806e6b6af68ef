// The checks of `require:`. Each one returns its evidence, or what is missing and how to get it.

import fs from 'node:fs';
import path from 'node:path';
import { describeRequirement } from '../../engine/requirement-text.ts';
import { contents, differences, hashFiles, markFiles, TreeError, type TreeScope } from '../../git/file-tree.ts';
import { currentBranch, fits, GitError } from '../../git/run.ts';
import { uncommitted } from '../../git/uncommitted.ts';
import type { Requirement } from '../../model/requirement.ts';
import { readRegularText } from '../../platform/read-file.ts';
import { describeGlobs } from '../../rules/glob-words.ts';
import { openItems } from '../plan/show.ts';
import { isComplete, topOf, type Work } from '../plan/work.ts';
import { checkRun } from './agent-run.ts';
import { holdsText } from './command.ts';
import type { GateEngine, PolicyGate } from './engine.ts';
import { checkEngineRun } from './engine-run.ts';
import type { Evidence, EvidenceResult } from './evidence.ts';
import { GlobError, globScope, wideScope } from './globs.ts';
import { type By, fewOf, type GateProof } from './proof.ts';
import { checkTests } from './tests/check.ts';
import { list, type Missing, type Unmet } from './unmet.ts';

type Of<C extends Requirement['check']> = Requirement & { check: C };
type Check<C extends Requirement['check']> = (requirement: Of<C>, evidence: Evidence) => EvidenceResult | Promise<EvidenceResult>;

/** Returns the unmet requirement, or the evidence for it. Never rejects: a requirement that cannot be checked is unmet. */
export async function checkRequirement(requirement: Requirement, evidence: Evidence): Promise<Unmet | GateProof> {
  const check = describeRequirement(requirement);
  try {
    return { check, ...(await (checks[requirement.check] as Check<Requirement['check']>)(requirement, evidence)) };
  } catch (error) {
    const known = error instanceof TreeError || error instanceof GlobError || error instanceof GitError;
    if (!known && !(error instanceof Error)) throw error;
    return {
      check,
      missing: `this could not be checked: ${(error as Error).message}`,
      how: 'Ask a person to check the project.',
    };
  }
}

/**
 * The files that a gate names, whether git ignores them or not. The outputs of a command are left out: running it again is no
 * reason to ask a person for another approval.
 */
export function filesOfGate(requirements: readonly Requirement[], home: string): TreeScope {
  const globs = requirements.flatMap((one): readonly string[] => {
    switch (one.check) {
      case 'changed':
      case 'unchanged':
        return one.globs;
      case 'passes':
      case 'fails':
        return one.watch ?? [];
      case 'run':
      case 'review':
      case 'tests':
        return [...(one.watch ?? []), ...(one.uses ?? [])];
      default:
        return [];
    }
  });
  const named = new Set(requirements.flatMap((one) => (one.check === 'file' ? [path.normalize(one.path)] : [])));
  const scope = wideScope([...new Set(globs)], home);
  const isOnPath = (name: string): boolean => [...named].some((file) => file === name || file.startsWith(`${name}/`));
  return {
    file: (name) => scope.file(name) || named.has(name),
    folder: () => true,
    meant: (name) => scope.meant(name) || isOnPath(name),
  };
}

const checks: { [C in Requirement['check']]: Check<C> } = {
  passes: (requirement, evidence) => checkRun(requirement, evidence, 'passed'),
  fails: (requirement, evidence) => checkRun(requirement, evidence, 'failed'),
  tests: checkTests,
  run: engineRun,
  review: engineRun,
  policy: ({ name }, { engine }) => checkPolicy(name, engine),
  plan: ({ state }, { work }) => checkPlan(state, work) ?? { plan: topOf(work)?.hash ?? '' },
  changed: (requirement, evidence) => {
    const changed = changedSince(requirement, evidence, false);
    if (typeof changed === 'string') return unknownBaseline(changed);
    if (changed.length > 0) return fewOf(changed);
    return {
      missing: `nothing has changed in ${describeGlobs(requirement.globs)} since you entered this mode`,
      how: 'Change such a file, then try again.',
    };
  },
  unchanged: (requirement, evidence) => {
    const changed = changedSince(requirement, evidence, true);
    if (typeof changed === 'string') return unknownBaseline(changed);
    if (changed.length === 0) return {};
    return {
      missing: `${list(changed)} changed since you entered this mode`,
      how: 'Restore the earlier content of these files. If a run writes them again, a person can change the mode with /modes:mode NAME.',
    };
  },
  file: ({ path: name, exists, contains }, { root }): EvidenceResult => {
    const file = path.resolve(root, name);
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (!exists) return stat === undefined ? {} : { missing: `${name} still exists`, how: `Remove ${name}.` };
    if (stat === undefined) return { missing: `${name} does not exist`, how: `Write ${name}.` };
    if (contains === null) return {};
    if (!stat.isFile() || stat.size > maxFileBytes) return { missing: `${name} cannot be read as text`, how: `Write ${name}.` };
    if (holdsText(readRegularText(file, maxFileBytes), contains)) return {};
    return { missing: `${name} does not contain ${JSON.stringify(contains)}`, how: `Add this text to ${name}.` };
  },
  git: async ({ clean, branch }, { root }) => {
    const present = currentBranch(root);
    const by = present === null ? {} : { branch: present };
    if (branch !== null) {
      if (present === null || !fits(branch, present)) {
        const missing = present === null ? 'no branch is checked out' : `the branch is ${present}`;
        return { missing, how: `Check out ${branch}.` };
      }
    }
    if (!clean) return by;
    const left = await uncommitted(root);
    if (left.length === 0) return by;
    return { missing: `${list(left)} is not committed`, how: 'Commit or stash it.' };
  },
  agent: ({ type }, { agents, root, byDefault }) => {
    const last = agents.find((agent) => agent.type === type);
    if (last?.lastLine.trim() === 'PASS') {
      if (last.after === null) return { missing: `it is unknown which files the ${type} subagent saw`, how: `Start one again.` };
      const changed = differences(last.after, markFiles(root, byDefault()));
      if (changed.length === 0) return last.by;
      return { missing: `${list(changed)} changed after the last ${type} subagent ended`, how: 'Start one again.' };
    }
    const missing =
      last === undefined ? `no ${type} subagent ended in this mode` : `the last ${type} subagent did not end with PASS`;
    return { missing, how: `Start a subagent of type ${type}. The last line of its answer must be PASS.` };
  },
  after: ({ time }, { since, now, uptime }) => {
    if (since === null)
      return { missing: 'it is unknown when the mode was entered', how: 'A person can set the mode with /modes:mode NAME.' };
    const left = time - lasted(since, now, uptime);
    return left <= 0
      ? { at: since.toISOString() }
      : { missing: `this mode must last ${Math.ceil(left / 1000)} s longer`, how: 'Wait until then and try again.' };
  },
};

async function engineRun(
  check: Of<'run' | 'review'>,
  { baseline, engine, dataFolder, ...context }: Evidence,
): Promise<EvidenceResult> {
  // A diff against the present commit would miss the changes that were committed in this mode.
  if (check.check === 'review' && baseline === null && context.since !== null)
    return unknownBaseline('the commit was not recorded when you entered this mode');
  const missing = await checkEngineRun(check, { ...context, head: baseline?.head }, engine, dataFolder);
  return missing ?? { at: new Date().toISOString(), exitCode: 0 };
}

/**
 * Milliseconds by the shorter of two clocks, because the time of day can be set. After a restart of the machine, only the time of
 * day is available.
 */
function lasted(since: Date, now: Date, uptime: Evidence['uptime']): number {
  const byDay = now.getTime() - since.getTime();
  const isSameStart = uptime.entered !== null && uptime.entered <= uptime.now;
  return isSameStart ? Math.min(byDay, (uptime.now - (uptime.entered as number)) * 1_000) : byDay;
}

/** Largest file that is searched, in bytes. */
const maxFileBytes = 16 * 1_048_576;

/** Names of files with other contents than at the entry, or why they are unknown. */
function changedSince({ globs }: Of<'changed' | 'unchanged'>, evidence: Evidence, restricts: boolean): string[] | string {
  const { baseline, root, home } = evidence;
  if (baseline === null) return 'the files were not recorded when you entered this mode';
  const uncovered = globs.find((glob) => !baseline.globs.includes(glob));
  if (uncovered !== undefined) return `${uncovered} was not recorded when you entered this mode`;
  const scope = globScope(globs, restricts, home);
  const then = new Map([...contents(baseline.files)].filter(([name]) => scope.file(name)));
  return differences(then, contents(hashFiles(root, scope, baseline.files)));
}

function unknownBaseline(why: string): Missing {
  return { missing: why, how: 'A person can switch to another mode and back with /modes:mode NAME.' };
}

/** The missing part of the plan; null if the check holds. A complete plan has nothing left to approve. */
function checkPlan(wanted: 'approved' | 'complete', work: Work): Missing | null {
  const top = topOf(work);
  if (top === null) return { missing: 'there is no plan', how: 'Propose one with plan_propose.' };
  if (wanted === 'complete')
    return isComplete(top)
      ? null
      : { missing: `open: ${openItems(top)}`, how: 'Finish the open items and check them off with plan_check.' };
  if (isComplete(top)) return { missing: 'every item of the plan is done', how: 'Propose the next work with plan_propose.' };
  if (top.approved) return null;
  return {
    missing: 'the current plan is not approved',
    how: 'A person must type /modes:approve plan and confirm the list.',
  };
}

/** Limit on the places in the evidence. */
const maxPlaces = 5;

interface PolicyCondition {
  name: string;
  met: boolean;
  missing: string;
}

/**
 * Returns the places of the conditions with this name, if there is at least one and all of them are satisfied. Otherwise returns
 * what is missing.
 */
function checkPolicy(name: string, engine: GateEngine | null): Missing | By {
  if (engine === null) return { missing: 'no policy is loaded', how: 'Run modes validate.' };
  const gates = engine.gates();
  const broken = gates.find(({ value }) => readCondition(value) === null);
  if (broken !== undefined)
    return {
      missing: `a gate of the policy ${broken.policy} is not an object with name, met and missing (${placeOf(broken)})`,
      how: 'A person must fix the policy.',
    };
  const named = gates.flatMap((gate) => {
    const condition = readCondition(gate.value);
    return condition?.name === name ? [{ gate, condition }] : [];
  });
  if (named.length === 0) {
    const where = gates.map(placeOf)[0];
    return {
      missing: `no policy has a gate ${JSON.stringify(name)} in ${engine.request.mode}${where === undefined ? '' : ` (gates are in ${where})`}`,
      how: 'Ask a person to check the name, and when the policy defines such a gate.',
    };
  }
  const unmet = named.find(({ condition }) => !condition.met);
  return unmet === undefined
    ? { policies: named.slice(0, maxPlaces).map(({ gate }) => placeOf(gate)) }
    : { missing: `${unmet.condition.missing} (${placeOf(unmet.gate)})`, how: 'Do what is missing, then try again.' };
}

function placeOf({ file, line }: PolicyGate): string {
  return `${file}:${line}`;
}

function readCondition(value: unknown): PolicyCondition | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, met, missing, ...more } = value as Partial<PolicyCondition>;
  if (typeof name !== 'string' || typeof met !== 'boolean' || Object.keys(more).length > 0) return null;
  if (missing === undefined ? !met : typeof missing !== 'string') return null;
  return { name, met, missing: missing ?? '' };
}
