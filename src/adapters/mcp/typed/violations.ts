// What a person does about files that a program changed although the mode guards them: accept the present content
// (/modes:accept), or put back the content from before the run (/modes:restore).

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createTwoFilesPatch } from 'diff';
import { makeFolder, projectFolder } from '../../../platform/data-folder.ts';
import { hexHash } from '../../../platform/hash.ts';
import { inside } from '../../../platform/path-text.ts';
import { readRegular } from '../../../platform/read-file.ts';
import { attempt } from '../../../platform/stat.ts';
import type { CallerProject } from '../../../workflow/project.ts';
import type { Violation } from '../../../workflow/verification/record.ts';
import { type RecordedContent, recordedContent } from '../../../workflow/verification/recorded.ts';
import { atTerminal, longestAnswer, type TypedRequest } from './asking.ts';
import { firstDigits, refuseDigits, show } from './shown.ts';

const nothing = 'No program changed a file that the mode guards.';
/** Largest text that is compared line by line, in bytes. */
const maxText = 262_144;

/** A file that a program changed, with its content before and now. null: there is or was no such file, or its content is not known. */
interface ChangedFile extends Violation {
  root: string;
  before: RecordedContent | null;
  /** Whether the file existed before. */
  existed: boolean;
  now: Buffer | null;
}

export function accept(request: TypedRequest, args: string): Promise<string> {
  return reviewChanges(request, args, {
    kind: 'change',
    command: '/modes:accept',
    question: (files) => `Accept the present content of ${files}, as /modes:accept showed it?`,
    refused: () => null,
    async act({ project, asker }, changed) {
      project.verified.accept(changed.map(({ file }) => file));
      project.granting.note('accept', changed.map(({ file }) => file).join(', '), asker);
      return `Accepted: ${changed.map(({ file }) => file).join(', ')}. The gates of this mode no longer wait for it.`;
    },
  });
}

export function restore(request: TypedRequest, args: string): Promise<string> {
  return reviewChanges(request, args, {
    kind: 'change',
    command: '/modes:restore',
    question: (files) => `Put back the content of ${files} from before the run, as /modes:restore showed it? Copies are kept.`,
    refused: (changed) => {
      const unknown = changed.filter(({ existed, before }) => existed && before === null).map(({ file }) => file);
      return unknown.length === 0
        ? null
        : `The content of ${unknown.join(', ')} from before the run was not recorded (it is too large, or not a regular file). Put it back yourself, for example with git restore. Nothing was restored.`;
    },
    async act({ project, asker }, changed) {
      const copiesFolder = path.join(
        projectFolder(project.place.dataFolder, project.root),
        'replaced',
        new Date().toISOString().replaceAll(':', ''),
      );
      for (const one of changed) putBack(one, copiesFolder);
      project.granting.note('restore', changed.map(({ file }) => file).join(', '), asker);
      const left = project.verified.violations();
      const still = left.length === 0 ? '' : ` Still different: ${left.map(({ file }) => file).join(', ')}.`;
      return `Restored: ${changed.map(({ file }) => file).join(', ')}.${still} What was there is in ${copiesFolder}.`;
    },
  });
}

interface ReviewAction {
  kind: 'change';
  command: string;
  question(files: string): string;
  /** The reason why this cannot be done; null if it can. */
  refused(changed: readonly ChangedFile[]): string | null;
  act(request: TypedRequest, changed: readonly ChangedFile[]): Promise<string>;
}

/** Without a hash, shows the difference and asks nothing: a dialog shows too few rows. With the first digits of it, asks. */
async function reviewChanges(request: TypedRequest, args: string, how: ReviewAction): Promise<string> {
  const { project, ask } = request;
  const changed = await changedFiles(project);
  if (changed.length === 0) return nothing;
  const refused = how.refused(changed);
  if (refused !== null) return refused;
  const hash = hashOf(changed);
  const short = firstDigits(hash);
  const given = args.trim();
  if (given === '') {
    show(project, how.kind, hash);
    const summaries = changed.map(
      ({ file, change, rule, command, at }) => `${file} was ${change}: ${rule} guards it. Seen ${at} after: ${command}`,
    );
    const difference = cut(changed.map(differenceOf).join('\n'), longestAnswer - summaries.join('\n').length);
    return [...summaries, difference, `To do this for exactly these files: ${how.command} ${short}`].join('\n');
  }
  const wrong = refuseDigits(project, how.kind, hash, given, how.command);
  if (wrong !== null) return wrong;
  const files = changed.length === 1 ? (changed[0] as ChangedFile).file : `${changed.length} files`;
  const answer = await ask(how.question(files), 'Yes, I have read it', atTerminal);
  if (!answer.confirmed) return `Nothing was done: ${answer.why}`;
  await project.ready(project.caller.session);
  // Programs may have gone on during the dialog.
  const now = await changedFiles(project);
  if (hashOf(now) !== hash) return `Nothing was done: the files changed during the dialog. To see them: ${how.command}.`;
  return how.act(request, now);
}

async function changedFiles(project: CallerProject): Promise<ChangedFile[]> {
  return Promise.all(
    project.verified.violations().map(async (violation) => {
      const { file } = violation;
      const { root, hash } = project.verified.before(file) ?? { root: project.root, hash: null };
      const before = hash === null ? null : await recordedContent(project.place.dataFolder, root, file, hash);
      const now = attempt(() => readRegular(path.join(root, file), 67_108_864, { noFollow: true }));
      return { ...violation, root, before, existed: hash !== null, now };
    }),
  );
}

function hashOf(changed: readonly ChangedFile[]): string {
  const hash = createHash('sha256');
  for (const { file, change, now } of changed) {
    const content = now === null ? '' : hexHash(now);
    hash.update(JSON.stringify([file, change, content]));
  }
  return hash.digest('hex');
}

function differenceOf({ file, before, existed, now }: ChangedFile): string {
  if (existed && before === null)
    return `${file}: its content from before the run was not recorded, so the difference is not known.`;
  const texts = [before?.bytes ?? null, now].map((bytes) => (bytes === null ? '' : textOf(bytes)));
  const [one, other] = texts;
  if (typeof one !== 'string' || typeof other !== 'string') return `${file}: the difference is not a text that can be shown.`;
  return createTwoFilesPatch(existed ? file : '/dev/null', now === null ? '/dev/null' : file, one, other).trimEnd();
}

function textOf(bytes: Buffer): string | null {
  return bytes.length > maxText || bytes.includes(0) ? null : bytes.toString('utf8');
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, Math.max(0, most))}\n… (cut here; git diff shows the rest)` : text;

/** Puts one file back, after a copy of what is there. A file that did not exist before is moved to the copies. */
function putBack({ root, file, before, existed, now }: ChangedFile, copiesFolder: string): void {
  const name = path.join(root, file);
  const folder = path.dirname(name);
  fs.mkdirSync(folder, { recursive: true });
  // A link in the path would lead out of the project.
  if (
    !inside(fs.realpathSync.native(folder), fs.realpathSync.native(root)) &&
    fs.realpathSync.native(folder) !== fs.realpathSync.native(root)
  )
    throw new Error(`${file} is below a link that leads out of the project`);
  if (now !== null) {
    const copy = path.join(copiesFolder, file);
    makeFolder(path.dirname(copy));
    fs.writeFileSync(copy, now, { mode: 0o600 });
  }
  if (!existed) fs.rmSync(name, { force: true });
  if (!existed || before === null) return;
  // Not through a link that is there now.
  if (fs.lstatSync(name, { throwIfNoEntry: false })?.isSymbolicLink()) fs.rmSync(name);
  fs.writeFileSync(name, before.bytes);
  const mode = fs.statSync(name).mode & 0o777;
  fs.chmodSync(name, before.isProgram ? mode | 0o111 : mode & ~0o111);
}
