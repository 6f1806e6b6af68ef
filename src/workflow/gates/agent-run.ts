// Checks of commands that the agent ran: which run counts, and whether it is still valid.

import fs from 'node:fs';
import path from 'node:path';
import { real } from '../../facts/paths/place.ts';
import { differences, markFiles, type Tree, type TreeScope } from '../../git/file-tree.ts';
import type { Requirement } from '../../model/requirement.ts';
import { isExactly, isNothingBut } from '../../rules/nothing-but.ts';
import { holdsText } from './command.ts';
import type { Evidence, EvidenceResult, RecordedRun } from './evidence.ts';
import { globScope } from './globs.ts';
import { nearRun } from './near-run.ts';
import { list, type Missing } from './unmet.ts';
import { changesIn } from './uses.ts';

/** A check that a run of the agent can satisfy. */
export type RunCheck = Requirement & { check: 'passes' | 'fails' | 'tests' };

/** The key for the marks of a run's files. */
export function watchKey(check: RunCheck): string {
  return JSON.stringify([check.watch, check.outputs, check.check === 'tests' ? check.report : null]);
}

/** The key for the stamps of the files that affect what a run means. */
export function guardKey({ command, in: folder, uses }: RunCheck & { check: 'tests' }): string {
  return JSON.stringify(['guarded', command, folder, uses]);
}

/** Files whose change makes a run outdated: the watched ones, except the outputs of the command. */
export function watchScope({ watch, outputs }: RunCheck, evidence: { home: string }, byDefault: () => TreeScope): TreeScope {
  const watched = watch === null ? byDefault() : globScope(watch, true, evidence.home);
  if (outputs.length === 0) return watched;
  const produced = globScope(outputs, false, evidence.home);
  return { ...watched, file: (name) => watched.file(name) && !produced.file(name) };
}

/** A run of the agent on files that are known, with their marks at its end. */
export interface MatchedRun {
  run: RecordedRun;
  before: Tree;
  after: Tree;
}

/** Whether a call is a run of the check's command. The engine may run that of `tests`, so its `*` is that of the shell. */
export function isRunOf({ check, command }: RunCheck, text: string, home: string): boolean {
  return check === 'tests' && command.includes('*') ? isExactly(text, command) : isNothingBut(text, command, home);
}

/** The real path of the folder where the command has to run; '' if it does not exist. */
export function folderOf({ in: named }: Pick<RunCheck, 'in'>, root: string): string {
  return realOf(path.resolve(root, named ?? '.'));
}

/** The newest run of the command that counts, or why there is none. */
export function findRun(requirement: RunCheck, evidence: Evidence): MatchedRun | Missing {
  const { command } = requirement;
  const folder = folderOf(requirement, evidence.root);
  const how = howToRun(requirement, evidence);
  const runs = evidence.runs.filter((run) => isRunOf(requirement, run.text, evidence.home));
  const newest = runs.find((run) => run.folder === folder && run.folder !== '' && run.outcome !== 'none');
  if (newest === undefined) {
    const [other] = runs;
    const missing =
      other === undefined
        ? (nearRun(evidence.runs, command, evidence.root, requirement.in) ?? `${command} has not been run in this mode`)
        : other.folder === folder
          ? `the run of ${command} does not count: ${other.why}`
          : `${command} ran in another folder`;
    return { missing, how };
  }
  const key = watchKey(requirement);
  const before = newest.before.get(key);
  const after = newest.after.get(key);
  if (before === undefined || after === undefined) return { missing: `it is unknown which files ${command} ran on`, how };
  const disturbed = changesIn(before, after);
  if (disturbed.length === 0) return { run: newest, before, after };
  return {
    missing: `${list(disturbed)} changed while ${command} ran, so the run does not count`,
    how: `${how} If the command itself writes it, a person can list it under outputs:.`,
  };
}

/** Watched files that changed after the run; null: none. */
export function changedAfter({ after }: MatchedRun, requirement: RunCheck, evidence: Evidence): Missing | null {
  const changed = differences(after, markFiles(evidence.root, watchScope(requirement, evidence, evidence.byDefault)));
  if (changed.length === 0) return null;
  const missing = `${list(changed)} changed after the newest run of ${requirement.command}`;
  return { missing, how: howToRun(requirement, evidence) };
}

/** The remedy for a missing run. */
export function howToRun(requirement: RunCheck, { root, project }: Pick<Evidence, 'root' | 'project'>): string {
  const top = root === project ? "the project's root" : `the root of the worktree, ${root}`;
  const where = requirement.in === null ? `at ${top}` : `in ${requirement.in}`;
  return `Run ${requirement.command} alone, in the foreground, ${where}.`;
}

/** Checks a command by the exit code of its newest run. */
export function checkRun(
  requirement: RunCheck & { check: 'passes' | 'fails' },
  evidence: Evidence,
  wanted: 'passed' | 'failed',
): EvidenceResult {
  const { command } = requirement;
  const found = findRun(requirement, evidence);
  if ('missing' in found) return found;
  const { run } = found;
  const how = howToRun(requirement, evidence);
  if (run.outcome !== wanted) {
    const did = run.outcome === 'passed' ? 'passed' : `failed with exit code ${run.code}`;
    return { missing: `the newest run of ${command} ${did}`, how };
  }
  if (requirement.output !== null && !holdsText(run.output, requirement.output))
    return { missing: `the output of ${command} does not contain ${JSON.stringify(requirement.output)}`, how };
  return changedAfter(found, requirement, evidence) ?? run.by;
}

/** The real path of a folder; '' if it does not exist. */
function realOf(folder: string): string {
  try {
    return real(fs.realpathSync.native(folder));
  } catch {
    // The folder is gone, so the command did not run in a folder of the project.
    return '';
  }
}

/**
 * The real path of the folder that was reported for a run; '' if it does not exist or contains a link. The client reports real
 * paths. A link in one was created later, in place of the folder where the command ran.
 */
export function ranIn(folder: string | null): string {
  if (folder === null) return '';
  try {
    // Unlike `realpathSync.native`, this keeps upper and lower case as written.
    return fs.realpathSync(folder) === path.resolve(folder) ? realOf(folder) : '';
  } catch {
    // The folder is gone, as in `realOf`.
    return '';
  }
}
