// Task files: `.claude/tasks/NAME.md`, or a folder with a README.md. The front matter contains the branch, the status and the
// scope of the task.

import fs from 'node:fs';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { defaultBranch, fits } from '../git/run.ts';
import { writeWhole } from '../platform/data-folder.ts';
import { insteadOf } from '../platform/nearest-name.ts';
import { inside } from '../platform/path-text.ts';
import { readRegularText } from '../platform/read-file.ts';
import type { Task } from './plan/events.ts';
import { globProblem, limits } from './plan/input.ts';

export interface TaskFile extends Task {
  status: string;
  /** Absolute. */
  file: string;
}

export type TaskRead = { task: TaskFile } | { wrong: string };

const maxBytes = 262_144;
const maxListed = 50;
const segment = /^[A-Za-z0-9?][A-Za-z0-9_.-]*$/;
const tasksFolder = (root: string): string => path.join(root, '.claude/tasks');

/** Reads the task of this name from its file. The name of a task in a folder is `PARENT/NAME`. */
export function readTask(root: string, home: string, name: string): TaskRead {
  const parts = name.split('/');
  if (parts.length > 2 || !parts.every((part) => segment.test(part)))
    return {
      wrong: `${JSON.stringify(name)} is not a task name: use NAME or PARENT/NAME with letters, digits, "-", "_" and "."`,
    };
  const file = [`${name}.md`, `${name}/README.md`]
    .map((one) => path.join(tasksFolder(root), one))
    .find((one) => fs.existsSync(one));
  if (file === undefined)
    return {
      wrong: `There is no .claude/tasks/${name}.md. ${insteadOf(name, taskNames(root), 'Tasks') || 'There are no tasks.'}`,
    };
  const read = readFile(file, root, home, name);
  const [parent = ''] = parts;
  if ('wrong' in read || parts.length === 1) return read;
  const above = readTask(root, home, parent);
  if ('wrong' in above) return { wrong: `${name} is a subtask, and its parent cannot be read: ${above.wrong}` };
  const { branch } = above.task;
  if (branch !== null && read.task.branch !== null && read.task.branch !== branch)
    return { wrong: `${name} names the branch ${read.task.branch}; a subtask uses the branch of ${parent}, ${branch}.` };
  return { task: { ...read.task, branch: branch ?? read.task.branch } };
}

/** Why work on the task cannot start; null if it can. */
export function refuseTask({ name, branch }: Task, root: string, protectedBranches: readonly string[]): string | null {
  if (branch === null) return null;
  if (!isBranch(branch)) return `${JSON.stringify(branch)} is not a branch name.`;
  const isProtected = protectedBranches.some((glob) => fits(glob, branch)) || branch === defaultBranch(root);
  return isProtected ? `${branch} is protected: give ${name} its own branch.` : null;
}

/** Names of the tasks, sorted; at most `maxListed`. */
export function taskNames(root: string): string[] {
  const folder = tasksFolder(root);
  const tops = namesIn(folder).flatMap((name) => {
    if (name.endsWith('.md')) return [name.slice(0, -3)];
    const subs = namesIn(path.join(folder, name)).filter((one) => one.endsWith('.md'));
    return subs.includes('README.md')
      ? [name, ...subs.filter((one) => one !== 'README.md').map((one) => `${name}/${one.slice(0, -3)}`)]
      : [];
  });
  return tops.sort().slice(0, maxListed);
}

/** Subtasks that their files do not mark as completed. */
export function openSubtasks(root: string, home: string, name: string): string[] {
  return taskNames(root).filter((one) => {
    if (!one.startsWith(`${name}/`)) return false;
    const read = readTask(root, home, one);
    return 'wrong' in read || read.task.status !== 'completed';
  });
}

/** Writes the status into the front matter and keeps every other byte unchanged. */
export function writeStatus({ file }: TaskFile, status: 'in-progress' | 'completed'): void {
  const text = readRegularText(file, maxBytes, { noFollow: true });
  const match = frontMatter.exec(text);
  if (match === null) return;
  const [whole, , head = ''] = match;
  const line = /^status:[^\r\n]*/m;
  const changed = line.test(head) ? head.replace(line, `status: ${status}`) : `${head}\nstatus: ${status}`;
  const written = text.replace(whole, () => whole.replace(head, () => changed));
  if (written !== text) writeWhole(file, written);
}

const frontMatter = /^(\ufeff?---\r?\n)([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

function readFile(file: string, root: string, home: string, name: string): TaskRead {
  const shown = path.relative(root, file);
  const stat = fs.lstatSync(file);
  // With a link, somebody outside the project could change what the session is bound to.
  if (!stat.isFile() || stat.size > maxBytes || !inside(fs.realpathSync.native(file), root))
    return { wrong: `${shown} is not a regular file of this project, or it is too large` };
  const [, , head] = frontMatter.exec(readRegularText(file, maxBytes, { noFollow: true })) ?? [];
  if (head === undefined) return { wrong: `${shown} has no front matter (--- name, branch, status, scope ---)` };
  const document = parseDocument(head, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error !== undefined) return { wrong: `${shown}: ${error.message.split('\n')[0]}` };
  const fields: unknown = document.toJS({ maxAliasCount: 0 });
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    return { wrong: `${shown}: the front matter has no keys` };
  const { branch = null, status = 'pending', scope = [] } = fields as Record<string, unknown>;
  if (branch !== null && typeof branch !== 'string') return { wrong: `${shown}: branch must be a string` };
  if (typeof status !== 'string') return { wrong: `${shown}: status must be a string` };
  const globs = typeof scope === 'string' ? [scope] : scope;
  if (!Array.isArray(globs) || globs.length > limits.files) return { wrong: `${shown}: scope must be a glob or a list of globs` };
  const bad = globs.map((glob) => globProblem(glob, home)).find((problem) => problem !== null);
  if (bad) return { wrong: `${shown}: scope: ${bad}` };
  const own = branch === null || branch.trim() === '' || branch.trim() === 'none' ? null : branch.trim();
  return { task: { name, branch: own, status: status.trim(), scope: globs.map((glob: string) => glob.trim()), file } };
}

/** The rules of git for branch names, as far as they matter here. */
function isBranch(name: string): boolean {
  return /^(?![-/.])(?!.*(\.\.|\/\/|\/\.|@\{|\.lock(\/|$)))[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u.test(name);
}

function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code === 'string') return [];
    throw error;
  }
}
