// One hook event of a harness: translated, decided by the one-shot process, and answered in the harness's own way. Every failure
// denies a tool call.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isStricter } from '../../engine/combine.ts';
import { maxEventBytes } from '../../facts/call.ts';
import type { DecisionEffect } from '../../model/decision.ts';
import { clientEvents, placeOf, readEvent } from './translate.ts';
import type { Harness, HarnessAnswer, HarnessEvent, HarnessOutput } from './types.ts';

/** Milliseconds for all decisions about one event. Less than the limit of the launcher (hooks/harness.sh). */
const patienceMs = 15_000;

/** A hook as the harness started it. */
export interface HookCall {
  /** The event as the harness calls it. */
  name: string;
  /** Reads the event as JSON; null: it is too large. */
  read(): string | null;
  /** The folder of this process. Throws if it was removed. */
  folder(): string;
  /** Whether a person can answer in the terminal of the harness. */
  hasTerminal(): boolean;
  run: RunOneShot;
}

/** Runs the one-shot process. Returns its output; throws if it fails or is late. */
export type RunOneShot = (event: string, start: string, input: string, patienceMs: number) => string;

const nothing: HarnessOutput = { out: '', err: '', code: 0 };

export function answerHook(harness: Harness, hook: HookCall): HarnessOutput {
  const { name } = hook;
  const event = harness.events.get(name);
  if (event === undefined)
    return denied(
      harness,
      name,
      `Modes does not know the event ${JSON.stringify(name)} of ${harness.title}, so the call is denied.`,
    );
  try {
    const text = hook.read();
    if (text === null) throw new Error(`the event is larger than ${maxEventBytes} bytes`);
    if (event.kind === 'before') return answerCall(harness, hook, event, text);
    return event.kind === 'other' ? nothing : addContext(harness, hook, event, text);
  } catch (error) {
    // Missing context is acceptable.
    if (event.kind !== 'before') return nothing;
    const why = error instanceof Error ? error.message : String(error);
    return denied(harness, name, `Modes cannot decide this call, so it is denied: ${why} (E_HOOK_CHECK).`);
  }
}

/** The answer to an event that cannot be decided. */
export function denied(harness: Harness, name: string, reason: string): HarnessOutput {
  return harness.answer({ effect: 'deny', reason }, name);
}

function answerCall(
  harness: Harness,
  { name, folder: here, hasTerminal, run }: HookCall,
  row: HarnessEvent,
  text: string,
): HarnessOutput {
  const event = readEvent(text);
  const until = performance.now() + patienceMs;
  const start = harness.start === 'process' ? here() : placeOf(harness, event).folder;
  let strictest: HarnessAnswer | null = null;
  for (const one of clientEvents(harness, row, event)) {
    const answer = readAnswer(run('PreToolUse', start, JSON.stringify(one), until - performance.now()));
    if (strictest === null || isStricter(answer.effect, strictest.effect)) strictest = answer;
    if (strictest.effect === 'deny') break;
  }
  if (strictest === null) throw new Error('the call contains nothing that Modes can decide');
  const canAsk = row.asks === 'always' || (row.asks === 'terminal' && hasTerminal());
  // A grant belongs to a session.
  const canGrant = placeOf(harness, event, row.fields).session !== null;
  return harness.answer(asAnswered(strictest, { canAsk, canGrant }, harness), name);
}

const byGrant =
  'Ask the user to type modes grant in a terminal, which allows exactly this call once. Then make the same call again.';

/**
 * An ask is a deny if the harness cannot ask, or if it has no user. The reasons name what a person can do outside of the client.
 */
function asAnswered(
  { effect, reason }: HarnessAnswer,
  { canAsk, canGrant }: { canAsk: boolean; canGrant: boolean },
  { title }: Harness,
): HarnessAnswer {
  const text = forTerminal(reason);
  if (effect !== 'ask' || canAsk) return { effect, reason: text };
  const why = `${text} ${title} cannot ask about this call, so it is denied. ${canGrant ? byGrant : 'Ask the user to run it, or to change the rule or the mode.'}`;
  return { effect: 'deny', reason: why };
}

/** Texts about features that only the client has, each with the text for other harnesses. */
const ofClient: readonly [RegExp, string][] = [
  // One sentence only: the reason may go on after it.
  [/ ?A person can allow it (?:once: \/modes:grant .*? 1x|with \/modes:grant \w+\([^\n]*?\))\.(?=\s|$)/gs, ''],
  [/ ?A person can switch these rules off for a while: \/modes:off \w+\./g, ''],
  [/ ?A person can grant others once with \/modes:grant\./g, ''],
  [/\/modes:(?:approve plan|task start)/g, '$& in Claude Code'],
  [/\/modes:approve (?!plan)(\S+)/g, 'modes mode $1 in a terminal'],
  [/\/modes:trust, or (?=modes trust in a terminal)/g, ''],
  [
    /\S+transition takes the target mode [^\n]*/,
    'You cannot change the mode. If its constraint holds, ask the user to run modes mode NAME in a terminal.',
  ],
  [/with \/modes:mode (\S+?)(?=[.,]?(?:\s|$))/g, 'with modes mode $1 in a terminal'],
  [/\/modes:(mode|trust|init|accept|restore)\b/g, 'modes $1'],
  [/the status tool shows all/g, 'modes status shows all'],
];

/** The same text with the commands of the terminal instead of those that a person types in the client. */
export function forTerminal(text: string): string {
  return ofClient.reduce((result, [found, instead]) => result.replace(found, instead), text);
}

const effects: readonly unknown[] = ['allow', 'deny', 'ask'] satisfies DecisionEffect[];

/** The answer of the one-shot process. Throws if it is incomplete. */
function readAnswer(text: string): HarnessAnswer {
  const { hookSpecificOutput: output } = JSON.parse(text) as { hookSpecificOutput?: Record<string, unknown> };
  if (output === undefined) {
    if (text.trim() !== '{}') throw new Error('the answer of the check is incomplete');
    return { effect: 'pass', reason: '' };
  }
  const { permissionDecision: effect, permissionDecisionReason: reason } = output;
  if (!effects.includes(effect) || typeof reason !== 'string') throw new Error('the answer of the check is incomplete');
  return { effect: effect as DecisionEffect, reason: reason === '' ? 'The modes of this project do not allow it.' : reason };
}

const contextEvents = { start: 'SessionStart', prompt: 'UserPromptSubmit' } as const;

function addContext(
  harness: Harness,
  { name, folder: here, run }: HookCall,
  { kind, fields }: HarnessEvent,
  text: string,
): HarnessOutput {
  const event = readEvent(text);
  const { folder, session } = placeOf(harness, event, fields);
  const input = JSON.stringify({ session_id: session, cwd: folder, harness: harness.name });
  const start = harness.start === 'process' ? here() : folder;
  const answer = run(contextEvents[kind as keyof typeof contextEvents], start, input, patienceMs);
  const { hookSpecificOutput: output } = JSON.parse(answer) as { hookSpecificOutput?: { additionalContext?: unknown } };
  const context = output?.additionalContext;
  const out = typeof context === 'string' && context !== '' ? harness.context(forTerminal(context), name) : null;
  return out === null ? nothing : { ...nothing, out };
}

/**
 * Runs dist/hook.cjs without what the environment of another session, or of the harness, would change in the decision.
 * @param project the start folder, if it is not the folder of the event
 */
export function oneShotOf(packageRoot: string, env: NodeJS.ProcessEnv, project?: string): RunOneShot {
  return (event, folder, input, timeout) => {
    const start = project ?? folder;
    if (timeout < 1) throw new Error('the check took too long');
    const { status, signal, stdout, error } = spawnSync(
      process.execPath,
      [path.join(packageRoot, 'dist/hook.cjs'), event, start],
      {
        input,
        timeout: Math.floor(timeout),
        killSignal: 'SIGKILL',
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'inherit'],
        env: { ...withoutClient(env), CLAUDE_PROJECT_DIR: start },
      },
    );
    if (error !== undefined) throw error;
    if (status !== 0) throw new Error(`the check did not finish (${signal ?? `exit ${status}`})`);
    return stdout;
  };
}

/** Without the client's session. Its folder of settings stays: it contains the data folder. */
function withoutClient(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(?:NODE_|CLAUDE_|CLAUDECODE$)/.test(name) || name === 'CLAUDE_CONFIG_DIR'),
  );
}
