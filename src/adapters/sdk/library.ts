// `claude-modes-mcp`
import { prepare } from '../../engine/prepare.ts';
import { type LoadedProject, loadProjectBy } from './loaded.ts';
import type { OpenOptions } from './open.ts';

export type { BashFacts } from '../../model/command.ts';
export type { DecidingRule, Decision } from '../../model/decision.ts';
export type { Facts } from '../../model/facts.ts';
export type { Problem } from '../../model/problem.ts';
export type { Rule } from '../../model/rule.ts';
export { analyseBash, type BashPlace, type Call, decide, type LoadedProject } from './loaded.ts';
export type { OpenOptions } from './open.ts';
export { parseRule, type ReadRule } from './rule.ts';

/** The modes of a folder or of its nearest governed parent; null if no modes govern it. Throws if there is no such folder. */
export function loadProject(folder: string, options: OpenOptions = {}): Promise<LoadedProject | null> {
  return loadProjectBy(prepare, folder, options);
}
