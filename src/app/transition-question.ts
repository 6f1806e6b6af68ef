// The facts that a person reads in a dialog about one transition, as lines.

import { showInLine } from '../config/text.ts';
import { TreeError } from '../git/file-tree.ts';
import { list } from '../workflow/gates/unmet.ts';
import type { CallerProject } from '../workflow/project.ts';
import { conditionLines, gateTo } from './gate-list.ts';
import { transitionTo } from './mode-change.ts';

/** The constraint, and each requirement with its state. `given`: checks that an approval in this dialog satisfies. */
export async function gateText(project: CallerProject, to: string, given: readonly string[]): Promise<string[]> {
  const gate = await gateTo(project, to);
  const constraint = transitionTo(project, to)?.constraint ?? null;
  const checked = gate?.conditions.filter(({ check }) => !given.includes(check)) ?? [];
  return [
    ...(constraint === null ? [] : [`Constraint: ${showInLine(constraint.replace(/\s+/g, ' '))}`]),
    ...checked.flatMap((condition) => conditionLines(condition).map((line) => line.trim())),
  ];
}

/** The files that changed since the present mode was entered, in one line. */
export function changedText(project: CallerProject): string {
  const { mode } = project.describe();
  const since = `since ${mode} was entered`;
  try {
    const changed = project.transitions.changedFiles();
    if (changed === null)
      return `Modes did not record the files when ${mode} was entered, so the changes since then are unknown.`;
    return changed.length === 0 ? `No file has changed ${since}.` : `Changed ${since}: ${list(changed, mostNamed)}.`;
  } catch (error) {
    if (error instanceof TreeError) return `The changes ${since} are unknown: ${error.message}.`;
    throw error;
  }
}

/** Maximum number of files that a dialog names. */
const mostNamed = 12;

/** The requirements that a change without the gate skips. */
export async function skippedText(project: CallerProject, to: string): Promise<string[]> {
  const transition = transitionTo(project, to);
  if (transition === undefined) return ['No transition of the present mode leads there, so no gate is checked.'];
  const unmet = (await gateTo(project, to))?.conditions.filter(({ holds }) => !holds) ?? [];
  return [
    ...(transition.constraint === null ? [] : [`Skipped constraint: ${showInLine(transition.constraint.replace(/\s+/g, ' '))}`]),
    ...(unmet.length === 0
      ? []
      : ['Skipped requirements:', ...unmet.flatMap((condition) => conditionLines(condition).map((line) => line.trim()))]),
  ];
}
