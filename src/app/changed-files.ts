// Files that a program changed although the mode guards them, and the two things that a person can do about them: accept the present
// content, or put back the content from before the run.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { showInLine } from '../config/text.ts';
import { hashFile } from '../git/file-tree.ts';
import { makeFolder, projectFolder } from '../platform/data-folder.ts';
import { inside } from '../platform/path-text.ts';
import { readRegular } from '../platform/read-file.ts';
import { attempt, statOf } from '../platform/stat.ts';
import { list } from '../workflow/gates/unmet.ts';
import type { Asker } from '../workflow/mode-transitions.ts';
import type { CallerProject } from '../workflow/project.ts';
import type { Violation } from '../workflow/verification/record.ts';
import { type RecordedContent, recordedContent } from '../workflow/verification/recorded.ts';

/** Largest text that is compared line by line, in bytes. */
const maxText = 262_144;

/** A file that a program changed, with its content before and now. null: there is or was no such file, or its content is not known. */
interface ChangedFile extends Violation {
  root: string;
  before: RecordedContent | null;
  /** Whether the file existed before. */
  existed: boolean;
  now: Buffer | null;
  /** Hash of the present state: kind, content, target of a link, and whether it can be executed. null: there is no such file. */
  state: string | null;
}

/** What a person can do about changed files. */
export interface ReviewAction {
  question(files: string): string;
  /** The reason why this cannot be done; null if it can. */
  refused(changed: readonly ChangedFile[]): string | null;
  /** Returns what was done. Throws if the disk refuses. */
  act(project: CallerProject, changed: readonly ChangedFile[], asker: Asker): string;
}

export const reviewActions = {
  accept: {
    question: (files) => `Accept the present content of ${files}`,
    refused: () => null,
    act(project, changed, asker) {
      project.verified.accept(new Map(changed.map(({ file, state }) => [file, state])));
      project.granting.note('accept', namesOf(changed), asker);
      return `Accepted: ${namesOf(changed)}. The gates of this mode no longer wait for it.`;
    },
  },
  restore: {
    question: (files) => `Put back the content of ${files} from before the run, and keep copies of the present content`,
    refused: (changed) => {
      const unknown = changed.filter(({ existed, before }) => existed && before === null);
      return unknown.length === 0
        ? null
        : `The content of ${namesOf(unknown)} from before the run was not recorded (it is too large, or not a regular file). Put it back yourself, for example with git restore. Nothing was restored.`;
    },
    act(project, changed, asker) {
      const copiesFolder = path.join(
        projectFolder(project.place.dataFolder, project.root),
        'replaced',
        new Date().toISOString().replaceAll(':', ''),
      );
      for (const one of changed) putBack(one, copiesFolder);
      project.granting.note('restore', namesOf(changed), asker);
      const left = project.verified.violations();
      const still = left.length === 0 ? '' : ` Still different: ${namesOf(left)}.`;
      return `Restored: ${namesOf(changed)}.${still} What was there is in ${copiesFolder}.`;
    },
  },
} satisfies Readonly<Record<string, ReviewAction>>;

/** All names. A name cannot begin a line of its own. */
const namesOf = (changed: readonly { file: string }[]): string =>
  list(
    changed.map(({ file }) => file),
    changed.length,
  );

/** The one file, or the number of files. */
export const filesText = (changed: readonly ChangedFile[]): string =>
  changed.length === 1 ? namesOf(changed) : `${changed.length} files`;

/** For each file, how it was seen to change, and after which program. */
export const summariesOf = (changed: readonly ChangedFile[]): string[] =>
  changed.map(
    ({ file, change, rule, command, at }) =>
      `${namesOf([{ file }])} was ${change}: ${rule} guards it. Seen ${at} after: ${showInLine(command)}`,
  );

/** The difference of every file from its content before the run. */
export const differencesOf = (changed: readonly ChangedFile[]): string => changed.map(differenceOf).join('\n');

/** Throws if the files cannot be compared. */
export async function changedFiles(project: CallerProject): Promise<ChangedFile[]> {
  return Promise.all(
    project.verified.violations().map(async (violation) => {
      const { file } = violation;
      const { root, hash } = project.verified.before(file) ?? { root: project.root, hash: null };
      const before = hash === null ? null : await recordedContent(project.place.dataFolder, root, file, hash);
      const now = attempt(() => readRegular(path.join(root, file), 67_108_864, { noFollow: true }));
      return { ...violation, root, before, existed: hash !== null, now, state: hashFile(path.join(root, file)) };
    }),
  );
}

/** Identifies these changes. */
export function hashOf(changed: readonly ChangedFile[]): string {
  const hash = createHash('sha256');
  for (const { file, change, state } of changed) hash.update(JSON.stringify([file, change, state]));
  return hash.digest('hex');
}

function differenceOf(changed: ChangedFile): string {
  const { root, before, existed, now, state } = changed;
  const place = path.join(root, changed.file);
  const file = namesOf([changed]);
  if (now === null && state !== null) return `${file} is now ${kindOf(place)}.`;
  if (existed && before === null)
    return `${file}: its content from before the run was not recorded, so the difference is not known.`;
  const texts = [before?.bytes ?? null, now].map((bytes) => (bytes === null ? '' : textOf(bytes)));
  const [one, other] = texts;
  if (typeof one !== 'string' || typeof other !== 'string') return `${file}: the difference is not a text that can be shown.`;
  const isProgram = now !== null && (statOf(place)?.mode ?? 0) & 0o111;
  const mode = before !== null && now !== null && before.isProgram !== Boolean(isProgram);
  const note = mode ? `${file} ${isProgram ? 'can be executed now' : 'can no longer be executed'}.\n` : '';
  return note + createTwoFilesPatch(existed ? file : '/dev/null', now === null ? '/dev/null' : file, one, other).trimEnd();
}

function kindOf(name: string): string {
  const stat = statOf(name);
  if (stat?.isSymbolicLink()) return `a link to ${list([fs.readlinkSync(name)])}`;
  return stat?.isFile() ? 'a file that is too large to show' : 'no regular file';
}

function textOf(bytes: Buffer): string | null {
  return bytes.length > maxText || bytes.includes(0) ? null : bytes.toString('utf8');
}

/** Restores one file, after a copy of the present one. Throws, and changes nothing, if it cannot be copied. */
function putBack({ root, file, before, existed }: ChangedFile, copiesFolder: string): void {
  const name = path.join(root, file);
  const folder = path.dirname(name);
  fs.mkdirSync(folder, { recursive: true });
  // A link in the path would lead out of the project.
  if (
    !inside(fs.realpathSync.native(folder), fs.realpathSync.native(root)) &&
    fs.realpathSync.native(folder) !== fs.realpathSync.native(root)
  )
    throw new Error(`${file} is below a link that leads out of the project`);
  // Its content may be unknown here, because it is large or a link.
  if (statOf(name) !== null) {
    const copy = path.join(copiesFolder, file);
    makeFolder(path.dirname(copy));
    fs.cpSync(name, copy, { verbatimSymlinks: true });
  }
  if (!existed) fs.rmSync(name, { force: true });
  if (!existed || before === null) return;
  // Does not write through a link that exists now.
  if (fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()) fs.rmSync(name);
  fs.writeFileSync(name, before.bytes);
  const mode = fs.statSync(name).mode & 0o777;
  fs.chmodSync(name, before.isProgram ? mode | 0o111 : mode & ~0o111);
}
