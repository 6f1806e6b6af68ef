// `run:` and `review:` checks: commands that Modes runs itself while it answers a transition.
import fs from 'node:fs';
import path from 'node:path';
import { commandEnvironment } from '../../git/environment.ts';
import { differences, markFiles, type Tree, type TreeScope } from '../../git/file-tree.ts';
import { makeFolder, projectFolder } from '../../platform/data-folder.ts';
import { inside } from '../../platform/path-text.ts';
import { holdsText } from './command.ts';
import type { GateEngine } from './engine.ts';
import { globScope } from './globs.ts';
import { type ProcessOutcome, runBounded } from './process.ts';
import { reviewInput } from './review.ts';
import { list, type Missing } from './unmet.ts';
import { changesIn, type EngineCommand, type UsedFiles, usesScope } from './uses.ts';

export interface EngineRunContext {
  /** Real path of the folder that the mode applies to. */
  root: string;
  /** Real path of the project, which contains `root`. */
  project: string;
  home: string;
  used: UsedFiles;
  /** The commit at the entry into the mode; null: there was none; absent: unknown. */
  head?: string | null | undefined;
  byDefault(): TreeScope;
  ended: EndedRuns;
}

/** Marks of the watched files at the moment when each command of a gate ended successfully. */
export type EndedRuns = Map<EngineCommand, Tree>;

/** Milliseconds between two progress messages. */
const progressEvery = 5_000;
/** Maximum number of characters of the output in a refusal. The output of a review names what is missing. */
const shownEnd = 800;
const shownReview = 4_000;
/** Limit on the stored output files. */
const outputFiles = 20;

/** The command that is running in this process. A second one is not started in parallel. */
let busy: string | null = null;

/** A command that the engine ran to its end. */
export interface EngineRunResult {
  outcome: ProcessOutcome;
  /** Names of watched files that changed during the run. */
  disturbed: string[];
  /** The file with the whole output; null: there is none. */
  outputFile: string | null;
  /** Marks of the watched files after the run. */
  after: Tree;
  /** Real path of the folder where it ran. */
  folder: string;
}

/** What is run in place of the check's command: with a report, for example. */
export interface RunForm {
  command: string;
  env: NodeJS.ProcessEnv;
  /** The whole output is needed, and not only its beginning and end. */
  whole?: boolean;
}

/** Runs a check's own command. Returns what is missing, or null if the command ran now and the check holds. */
export async function checkEngineRun(
  check: EngineCommand,
  context: EngineRunContext,
  engine: GateEngine | null,
  dataFolder: string,
): Promise<Missing | null> {
  const ran = await runByEngine(check, context, engine, dataFolder);
  if ('missing' in ran) return ran;
  const missing = checkRunResult(check, ran);
  if (missing === null) context.ended.set(check, ran.after);
  return missing;
}

/**
 * Runs a check's own command, or returns the reason why it cannot.
 * @param form what runs in place of the command, with variables to add
 */
export async function runByEngine(
  check: EngineCommand,
  context: EngineRunContext,
  engine: GateEngine | null,
  dataFolder: string,
  form: RunForm = { command: check.command, env: {} },
): Promise<Missing | EngineRunResult> {
  const { command } = check;
  if (engine === null || !engine.starts)
    return {
      missing: `${command} has not run for this transition`,
      how: 'The engine runs it when you call the transition tool.',
    };
  const folder = folderOf(check, context);
  if (typeof folder !== 'string') return folder;
  const refused = refuse(check, folder, context, engine);
  if (refused !== null) return refused;
  if (busy !== null) return { missing: `${busy} is running`, how: 'Wait until it has ended, then try again.' };
  busy = command;
  try {
    return await runNow(check, folder, context, engine, dataFolder, form);
  } finally {
    busy = null;
  }
}

/** The real path of the folder to run in, or why it is unusable. */
function folderOf({ in: named }: EngineCommand, { root }: EngineRunContext): string | Missing {
  const folder = path.resolve(root, named ?? '.');
  const how = 'A person must name a folder of the project under in:.';
  try {
    const real = fs.realpathSync.native(folder);
    return inside(real, root) ? real : { missing: `${named} leads out of the project`, how };
  } catch (error) {
    return { missing: `${named} cannot be entered (${(error as NodeJS.ErrnoException).code})`, how };
  }
}

/** Why a command is not started; null if it may start. */
function refuse(check: EngineCommand, folder: string, { used }: EngineRunContext, engine: GateEngine): Missing | null {
  if (!engine.trusts(check))
    return {
      missing: 'commands of an untrusted configuration are not run',
      how: 'A person can review and approve it: /modes:trust, or modes trust in a terminal.',
    };
  const changed = used.changed(check);
  if (changed === null || changed.length > 0)
    return {
      missing:
        changed === null
          ? `the files that define ${check.command} are not approved`
          : `${list(changed)} changed since a person approved ${check.command}`,
      how: 'A person can review and approve them: /modes:trust, or modes trust in a terminal.',
    };
  const sandbox = check.unsandboxed ? null : engine.sandbox();
  if (sandbox !== null)
    return {
      missing: `Bash calls run in a sandbox here (${sandbox}), and this command would run outside of it`,
      how: 'If that is intended, a person can write "unsandboxed: true" beside it.',
    };
  const denied = engine.refuses(check.command, folder);
  return denied === null
    ? null
    : { missing: `as a Bash call it would be denied in ${engine.request.mode}: ${denied.reason}`, how: denied.remedy };
}

async function runNow(
  check: EngineCommand,
  folder: string,
  context: EngineRunContext,
  engine: GateEngine,
  dataFolder: string,
  form: RunForm,
): Promise<EngineRunResult> {
  const { root } = context;
  const look = () => markFiles(root, runScope(check, context));
  const before = look();
  const input = check.check === 'review' ? JSON.stringify(await reviewInput(root, context.head, engine)) : undefined;
  const stop = tell(check, engine);
  let outcome: ProcessOutcome;
  try {
    const env = { ...commandEnvironment(engine.env, root), ...form.env };
    const { signal } = engine;
    outcome = await runBounded({
      command: form.command,
      folder,
      env,
      input,
      timeoutMs: check.timeout,
      signal,
      whole: form.whole,
    });
  } finally {
    stop();
  }
  // The order matters. `changed` compares contents, so it finds a file that was replaced before the first marks. The second marks
  // find a file that is put back now.
  const swapped = context.used.changed(check) ?? [];
  const after = look();
  const disturbed = [...new Set([...swapped, ...changesIn(before, after)])];
  return { outcome, disturbed, outputFile: keepOutput(check, outcome, context.project, dataFolder), after, folder };
}

/** Commands that ended successfully, but a watched file changed afterwards, so their result is outdated. Throws TreeError. */
export function outdated(context: Pick<EngineRunContext, 'root' | 'home' | 'byDefault' | 'ended'>): Map<EngineCommand, Missing> {
  const found = new Map<EngineCommand, Missing>();
  // Outputs of one command of the gate do not make another command outdated.
  const outputs = [...context.ended.keys()].flatMap((check) => check.outputs);
  for (const [check, tree] of context.ended) {
    const scope = runScope({ ...check, outputs }, context);
    const then = new Map([...tree].filter(([name]) => scope.file(name)));
    const names = differences(then, markFiles(context.root, scope));
    if (names.length > 0)
      found.set(check, {
        missing: `${list(names)} changed after ${check.command} ended`,
        how: 'Try again while nothing else works on the project.',
      });
  }
  return found;
}

/**
 * Files that must not change during the run: the watched ones except the command's outputs, and the files that define the
 * command.
 */
function runScope(check: EngineCommand, { home, byDefault }: Pick<EngineRunContext, 'home' | 'byDefault'>): TreeScope {
  const watched = check.watch === null ? byDefault() : globScope(check.watch, true, home);
  const used = usesScope(check, home);
  const produced = check.outputs.length === 0 ? null : globScope(check.outputs, false, home);
  return {
    folder: (name) => watched.folder(name) || used.folder(name),
    meant: (name) => watched.meant(name) || used.meant(name),
    file: (name) => used.file(name) || (watched.file(name) && produced?.file(name) !== true),
  };
}

function checkRunResult(check: EngineCommand, ran: EngineRunResult): Missing | null {
  const { command } = check;
  const { outcome, outputFile } = ran;
  const exitCode = exitCodeOf(check, ran);
  if (typeof exitCode !== 'number') return exitCode;
  if (exitCode !== 0) {
    if (check.check !== 'review')
      return unmetRun(ran, `${command} failed with exit code ${exitCode} after ${Math.round(outcome.tookMs / 1000)} s`);
    const output = outcome.output.trim();
    return {
      missing: output === '' ? `${command} ended with exit code ${exitCode}` : endOf(output, shownReview),
      how: `Fix what it reports.${fullOutput(outputFile)}`,
    };
  }
  const disturbed = disturbance(check, ran);
  if (disturbed !== null) return disturbed;
  if (check.check !== 'tests' && check.output !== null && !holdsText(outcome.output, check.output))
    return unmetRun(ran, `the output of ${command} does not contain ${JSON.stringify(check.output)}`);
  return null;
}

/** The exit code of a run, or why it ended in another way. */
export function exitCodeOf(check: EngineCommand, ran: EngineRunResult): number | Missing {
  const { command } = check;
  const { ended } = ran.outcome;
  switch (ended.how) {
    case 'unstarted':
      return { missing: `${command} could not be started: ${ended.why}`, how: 'Ask a person to check the command.' };
    case 'timeout':
      return unmetRun(ran, `${command} was ended after its limit of ${check.timeout / 1000} s`);
    case 'flood':
      return unmetRun(ran, `${command} was ended because it printed too much`);
    case 'withdrawn':
      return unmetRun(ran, `${command} was ended because the request for it was withdrawn`);
    case 'signal':
      return unmetRun(ran, `${command} was ended by ${ended.signal}`);
    case 'exited':
      return ended.code;
  }
}

/** Files that changed while the command ran; null: none. */
export function disturbance({ command }: EngineCommand, { disturbed }: EngineRunResult): Missing | null {
  if (disturbed.length === 0) return null;
  return {
    missing: `${list(disturbed)} changed while ${command} ran, so the run does not count`,
    how: 'Try again while nothing else works on the project. If the command itself writes it, a person can list it under outputs:.',
  };
}

/** An unmet check, with what to do and the end of the output. */
export function unmetRun({ outcome: { output }, outputFile }: EngineRunResult, missing: string, how = ''): Missing {
  const end = output.trim() === '' ? 'It printed nothing.' : `Its output ends: ${endOf(output, shownEnd)}`;
  return { missing, how: `${how} ${end}${fullOutput(outputFile)}`.trimStart() };
}

function fullOutput(file: string | null): string {
  return file === null ? '' : ` Full output: ${file}`;
}

/** The end of a text, without control sequences for terminals. */
function endOf(text: string, limits: number): string {
  const plain = text
    .replace(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, '')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
    .trim();
  return plain.length > limits ? `… ${plain.slice(-limits)}` : plain;
}

/** Reports progress at intervals. Returns a function that stops it. */
function tell({ command, timeout }: EngineCommand, { progress }: GateEngine): () => void {
  if (progress === undefined) return () => undefined;
  const started = performance.now();
  const say = (): void => {
    const seconds = Math.round((performance.now() - started) / 1000);
    progress(seconds, `${command}: ${seconds} s of at most ${timeout / 1000} s`);
  };
  say();
  const timer = setInterval(say, progressEvery);
  return () => clearInterval(timer);
}

/** Stores the output for the person and the agent. null if it is empty or the disk refuses. */
function keepOutput(
  { command }: EngineCommand,
  { ended, output }: ProcessOutcome,
  root: string,
  dataFolder: string,
): string | null {
  if (output === '') return null;
  const folder = path.join(projectFolder(dataFolder, root), 'gates');
  const name = `${new Date().toISOString().replace(/[:.]/g, '-')}-${process.pid}.txt`;
  try {
    makeFolder(folder);
    fs.writeFileSync(path.join(folder, name), `${command}\n${JSON.stringify(ended)}\n\n${output}`, { mode: 0o600 });
    // The folders of reports are beside them.
    const outputs = fs.readdirSync(folder).filter((one) => one.endsWith('.txt'));
    const old = outputs.sort().slice(0, -outputFiles);
    for (const one of old) fs.rmSync(path.join(folder, one), { force: true });
    return path.join(folder, name);
  } catch (error) {
    process.stderr.write(`modes: could not keep the output of ${command}: ${(error as Error).message}\n`);
    return null;
  }
}
