// modes check: a dry run of one tool call.

import { parseEvent, toolCall } from '../../facts/call.ts';
import { MalformedInput } from '../../facts/table.ts';
import { writtenCall } from '../../facts/written.ts';
import type { Decision } from '../../model/decision.ts';
import type { ToolCall } from '../../model/facts.ts';
import { describeEvaluated } from '../../policy/remote/opa-policy.ts';
import { readNamed, requireMode, requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface CheckOptions {
  project?: string;
  json?: boolean;
  mode?: string;
  event?: string;
}

export async function check(text: string | undefined, options: CheckOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  if (options.mode !== undefined) requireMode(options.mode, project.describe().configuration.topology?.modes ?? null);
  const call = callOf(text, options, project.root);
  const decision = await project.fully(() => project.decide(call, options.mode ?? null));
  terminal.out(options.json ? toJson<'check'>(decision, 2) : say(decision, terminal.colour));
  return decision.decision === 'deny' ? exits.denied : decision.decision === 'ask' ? exits.asked : exits.fine;
}

function callOf(text: string | undefined, options: CheckOptions, cwd: string): ToolCall {
  if ((text === undefined) === (options.event === undefined))
    throw new UsageError("give a call such as 'Bash(git push)' or --event FILE");
  const { event } = options;
  if (event === undefined) return readCall(text as string, cwd);
  const bytes = readNamed(event, 'event');
  return orUsage(() => toolCall(parseEvent(bytes.toString('utf8'))));
}

/** A call written as `Tool(its main argument)` or `Tool({json})`. Throws `UsageError`. */
export const readCall = (text: string, cwd: string): ToolCall => orUsage(() => writtenCall(text, cwd));

function orUsage(read: () => ToolCall): ToolCall {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedInput) throw new UsageError(error.message, 'E_CALL');
    throw error;
  }
}

const colours = { deny: '1;31', ask: '1;33', allow: '1;32', pass: '2' } as const;
const passed = "Left to Claude Code's own rules.";

function say(decision: Decision, colour: boolean): string {
  const word = colour ? `\x1b[${colours[decision.decision]}m${decision.decision}\x1b[0m` : decision.decision;
  const lines = [
    `${word}  (${decision.mode ?? 'no mode'}, ${decision.took_us} µs)`,
    decision.reason || (decision.decision === 'pass' ? passed : ''),
    decision.remedy,
    decision.advice ?? '',
  ];
  for (const rule of decision.rules)
    lines.push(
      `  ${rule.effect} ${rule.text}  ${rule.source.file}:${rule.source.line}:${rule.source.column}  matched ${rule.matched}`,
    );
  if (decision.evaluator !== undefined) lines.push(`  evaluated by ${describeEvaluated(decision.evaluator)}`);
  return lines.filter((line) => line !== '').join('\n');
}
