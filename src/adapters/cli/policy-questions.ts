// The calls for a comparison of two configurations: those of the cases, and real ones from the decision log.
import fs from 'node:fs';
import { callAgain } from '../../app/log/replay.ts';
import { dataFolderOf } from '../../facts/paths/place.ts';
import type { ToolCall } from '../../model/facts.ts';
import type { LogEvent } from '../../store/log/event.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { findDecisions } from '../../store/log/query.ts';
import { type Case, callOfCase } from './policy-cases.ts';

export interface ComparedCall {
  /** Text for a person. */
  shown: string;
  call: ToolCall;
  /** Null: the default mode. */
  mode: string | null;
  trusted: boolean;
  /** Its source: file and line of a case, or the id of a logged decision. */
  source: string;
}

/** Maximum number of recent decisions that are compared. */
const MAX_LOGGED = 10_000;
const SHOWN = 160;

/** The calls of cases, without duplicates. */
export function selectedCases(cases: readonly Case[], root: string): ComparedCall[] {
  const questions = cases.map((one) => ({
    shown: one.call,
    call: callOfCase(one, root),
    mode: one.mode,
    trusted: one.trusted,
    source: `${one.source.file}:${one.source.line}`,
  }));
  return once(questions);
}

/**
 * The calls in the decision logs of projects, without duplicates, as if they had been made in `target`. `cut` is the number of
 * calls that the logs contain only in part.
 */
export function callsLogged(
  roots: readonly string[],
  target: string,
  env: NodeJS.ProcessEnv,
): { questions: ComparedCall[]; cut: number } {
  const real = [...new Set(roots.filter((root) => fs.existsSync(root)).map((root) => fs.realpathSync(root)))];
  const questions = real.flatMap((root) => {
    const files = new LogFiles(logFolder(dataFolderOf(env), root));
    const { events } = findDecisions(files, ({ result }) => result.mode !== null, MAX_LOGGED);
    const to = fs.existsSync(target) ? fs.realpathSync(target) : target;
    return events.map((event) => toComparedCall(event, (text) => (root === to ? text : moved(text, root, to))));
  });
  const whole = questions.filter((one) => one !== null);
  return { questions: once(whole), cut: questions.length - whole.length };
}

/** Replaces the names of files in one folder by names in another. */
function moved(text: string, from: string, to: string): string {
  let out = '';
  let at = 0;
  for (let found = text.indexOf(from); found >= 0; found = text.indexOf(from, at)) {
    const end = found + from.length;
    const isName = end === text.length || !/[\w.-]/.test(text[end]!);
    out += text.slice(at, found) + (isName ? to : from);
    at = end;
  }
  return out + text.slice(at);
}

/** Applies `change` to each text in a value. */
function eachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => eachText(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, eachText(one, change)]));
}

function toComparedCall(event: LogEvent, move: (text: string) => string): ComparedCall | null {
  const again = callAgain(event);
  if (typeof again === 'string') return null;
  const { mode } = again;
  const call = eachText(again.call, move) as ToolCall;
  return { shown: shownOf(call), call, mode, trusted: true, source: `log ${event.decision_id.slice(0, 8)}` };
}

export function shownOf({ tool, input }: ToolCall): string {
  const { command, file_path: file, url } = input as Record<string, unknown>;
  const main = [command, file, url].find((value) => typeof value === 'string') ?? JSON.stringify(input);
  const text = `${tool}(${String(main).replace(/\s+/g, ' ')})`;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function once(questions: readonly ComparedCall[]): ComparedCall[] {
  const keyOf = ({ call, mode, trusted }: ComparedCall) =>
    JSON.stringify([call.tool, call.input, call.cwd, call.agentType, call.permissionMode, mode, trusted]);
  return [...new Map(questions.map((one) => [keyOf(one), one])).values()];
}
