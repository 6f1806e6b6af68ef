// Calls that two configurations are compared on: those of the cases, and those that were decided in earnest.
import fs from 'node:fs';
import type { LogEvent } from '../log/event.ts';
import { LogFiles, logFolder } from '../log/files.ts';
import { findDecisions } from '../log/query.ts';
import { callAgain } from '../log/replay.ts';
import { dataFolderOf } from '../tools/place.ts';
import type { ToolCall } from '../tools/types.ts';
import { type Case, callOfCase } from './policy-cases.ts';

export interface Question {
  /** As a person reads it. */
  shown: string;
  call: ToolCall;
  /** Null: the default mode. */
  mode: string | null;
  trusted: boolean;
  /** Where it stands: file and line of a case, or the decision of the log. */
  source: string;
}

/** Newest decisions that are looked at. */
const MAX_LOGGED = 10_000;
const SHOWN = 160;

/** The calls of cases, each once. */
export function casesAsked(cases: readonly Case[], root: string): Question[] {
  const questions = cases.map((one) => ({
    shown: one.call,
    call: callOfCase(one, root),
    mode: one.mode,
    trusted: one.trusted,
    source: `${one.source.file}:${one.source.line}`,
  }));
  return once(questions);
}

/** The calls of a project's decision log, each once, and how many of them the log does not hold whole. */
export function callsLogged(root: string, env: NodeJS.ProcessEnv): { questions: Question[]; cut: number } {
  if (!fs.existsSync(root)) return { questions: [], cut: 0 };
  const files = new LogFiles(logFolder(dataFolderOf(env), fs.realpathSync(root)));
  const { events } = findDecisions(files, ({ result }) => result.mode !== null, MAX_LOGGED);
  const questions = events.map(asked);
  const whole = questions.filter((one) => one !== null);
  return { questions: once(whole), cut: questions.length - whole.length };
}

function asked(event: LogEvent): Question | null {
  const again = callAgain(event);
  if (typeof again === 'string') return null;
  const { call, mode } = again;
  return { shown: shownOf(call), call, mode, trusted: true, source: `log ${event.decision_id.slice(0, 8)}` };
}

export function shownOf({ tool, input }: ToolCall): string {
  const { command, file_path: file, url } = input as Record<string, unknown>;
  const main = [command, file, url].find((value) => typeof value === 'string') ?? JSON.stringify(input);
  const text = `${tool}(${String(main).replace(/\s+/g, ' ')})`;
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function once(questions: readonly Question[]): Question[] {
  const keyOf = ({ call, mode, trusted }: Question) =>
    JSON.stringify([call.tool, call.input, call.cwd, call.agentType, call.permissionMode, mode, trusted]);
  return [...new Map(questions.map((one) => [keyOf(one), one])).values()];
}
