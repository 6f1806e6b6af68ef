// Code that modes import and modes export share: the diff, the list of lost parts, and the writing.
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { runSetup } from '../../app/setup/setup.ts';
import { refuseText, type SetupStep, textOf } from '../../app/setup/step.ts';
import { showUnseen } from '../../config/text.ts';
import { configFolderOf, dataFolderOf, homeOf } from '../../facts/paths/place.ts';
import type { Transfer } from '../importers/types.ts';
import { insideClient } from './inside.ts';
import { toJson } from './outputs/json.ts';
import { unifiedDiff } from './policy-fmt.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal } from './terminal.ts';

export interface TransferOptions {
  project?: string;
  json?: boolean;
  write?: boolean;
}

export interface Transferring {
  root: string;
  transfer: Transfer;
  /** As typed, such as `import roo`. */
  verb: string;
  /** The next step for the person, after it is written. */
  next: string;
}

/** The reason why files of a project cannot be written here, or null. */
export function refuseRoot(root: string): string | null {
  const folder = configFolderOf(process.env);
  const isNoProject = root === '/' || root === homeOf(process.env) || path.join(root, '.claude') === folder;
  return isNoProject ? `${root} is not a project folder. Run this in the folder of a project.` : null;
}

/** Shows the changes, or writes them with --write. Exit 1 if a part could not be read. */
export function carryOver({ root, transfer, verb, next }: Transferring, options: TransferOptions, terminal: Terminal): number {
  const blocked = transfer.files.map(({ name }) => refuseText(root, name)).find((error) => error !== null);
  if (blocked !== undefined) return refuse({ code: 'E_IN_THE_WAY', message: blocked, remedy: null }, options, terminal);
  const steps = transfer.files.flatMap(({ name, text }) => stepOf(root, name, text, verb));
  const inside = options.write ? insideClient(process.env) : null;
  if (inside !== null) {
    const message = `Only a person may run modes ${verb} --write, in their own terminal, but ${inside}.`;
    return refuse({ code: 'E_INSIDE_CLIENT', message, remedy: 'Without --write, it only shows the changes.' }, options, terminal);
  }
  const done = options.write && steps.length > 0 ? write(root, steps) : [];
  const code = transfer.faults.length > 0 ? exits.wrong : exits.fine;
  if (options.json) terminal.out(toJson<'import-roo'>(plain(root, transfer, steps, done), 2));
  else show({ root, transfer, verb, next }, steps, done, options.write === true, terminal);
  return code;
}

function stepOf(root: string, name: string, text: string, verb: string): SetupStep[] {
  const file = path.join(root, name);
  const before = textOf(file);
  if (before === text) return [];
  return [{ kind: before === null ? 'create' : 'change', file, what: verb, before, text }];
}

/** A changed file is backed up beside the original, and all changes are recorded, so that they can be undone. */
function write(root: string, steps: SetupStep[]): string[] {
  const packageRoot = findPackageRoot();
  const plan = { root, preset: '', steps, whole: false, statusLine: false, packageRoot, registers: null, fit: null };
  return runSetup(plan, dataFolderOf(process.env), new Date());
}

function diffOf(root: string, { file, before, text }: SetupStep): string {
  const name = path.relative(root, file);
  if (before !== null) return unifiedDiff(name, before, text);
  const lines = text.replace(/\n$/, '').split('\n');
  return ['--- /dev/null', `+++ ${name}`, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`)].join('\n');
}

function plain(root: string, { sources, left, faults }: Transfer, steps: readonly SetupStep[], done: readonly string[]) {
  const files = steps.map((step) => ({ file: path.relative(root, step.file), kind: step.kind, diff: diffOf(root, step) }));
  return { root, sources, files, left, faults, done };
}

function show(
  { root, transfer, verb, next }: Transferring,
  steps: readonly SetupStep[],
  done: readonly string[],
  isWritten: boolean,
  terminal: Terminal,
): void {
  const say = (text: string): void => terminal.out(showUnseen(text));
  if (isWritten) for (const line of done) say(line);
  else for (const step of steps) say(`${diffOf(root, step)}\n`);
  if (transfer.faults.length > 0)
    say(`Left out, because it could not be read:\n${transfer.faults.map(({ at, what }) => `  ${at}: ${what}`).join('\n')}`);
  if (transfer.left.length > 0)
    say(`Not imported or exported:\n${transfer.left.map(({ at, what, instead }) => `  ${at}: ${what}. ${instead}`).join('\n')}`);
  if (steps.length === 0) say('Everything already exists.');
  else if (isWritten) terminal.err(`${next} To undo it: modes init --undo.`);
  else terminal.err(`Nothing was written: add --write, as in modes ${verb} --write.`);
}
