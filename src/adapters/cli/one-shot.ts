// modes hook: decides one hook event as the one-shot process does, which replaces the server when none answers.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { maxEventBytes } from '../../facts/call.ts';
import { hasTerminal, readStdin } from '../../platform/stdin.ts';
import { answerHook, oneShotOf } from '../harnesses/hook.ts';
import { harnesses } from '../harnesses/table.ts';
import { exits, type Terminal } from './terminal.ts';

export const events: readonly string[] = ['PreToolUse', 'SessionStart', 'SubagentStart'];

/** The client itself, whose events need no translation. */
const client = 'claude';

export interface HookOptions {
  project?: string;
  harness?: string;
  /** hooks/harness.sh started it. */
  launcher?: boolean;
}

/**
 * Added to the exit code for the launcher. A program that is empty, or that something else replaced, ends with 0 or 2 too, and its
 * output is no answer.
 */
const answered = 40;

/**
 * Reads the event from stdin and prints the answer. Returns 0, or, if there is no answer, the exit
 * code that makes the client refuse.
 */
export function oneShot(event: string, { project, harness = client, launcher }: HookOptions, terminal: Terminal): number {
  const root = project === undefined ? undefined : path.resolve(project);
  if (harness !== client) return ofHarness(event, harness, root, terminal) + (launcher ? answered : 0);
  if (!events.includes(event)) {
    terminal.err(`${JSON.stringify(event)} is not a supported event; use one of ${events.join(', ')} (E_USAGE).`);
    return exits.denied;
  }
  const program = path.join(findPackageRoot(), 'dist/hook.cjs');
  const start = root === undefined ? [] : [root];
  const { status } = spawnSync(process.execPath, [program, event, ...start], { stdio: 'inherit' });
  return status === 0 ? exits.fine : exits.denied;
}

/** An unknown harness denies in the way that most harnesses understand: exit code 2, with the reason on stderr. */
function ofHarness(event: string, name: string, project: string | undefined, terminal: Terminal): number {
  const harness = harnesses.get(name);
  if (harness === undefined) {
    const known = [client, ...harnesses.keys()].join(', ');
    terminal.err(`${JSON.stringify(name)} is not a harness that Modes knows; use one of ${known} (E_USAGE).`);
    return exits.denied;
  }
  const run = oneShotOf(findPackageRoot(), process.env, project);
  const hook = { name: event, read: () => readStdin(maxEventBytes), folder: () => process.cwd(), hasTerminal, run };
  const { out, err, code } = answerHook(harness, hook);
  if (out !== '') terminal.out(out);
  if (err !== '') terminal.err(err);
  return code;
}
