// modes check: a dry run of one tool call.
import fs from 'node:fs';
import type { Decision } from '../decide/types.ts';
import { describeEvaluated } from '../policy/opa-policy.ts';
import { parseEvent, toolCall } from '../tools/call.ts';
import { MalformedInput } from '../tools/table.ts';
import type { ToolCall } from '../tools/types.ts';
import { writtenCall } from '../tools/written.ts';
import { readNamed, requireMode, requireProject } from './open.ts';
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
  const decision = project.decide(callOf(text, options, project.root), options.mode ?? null);
  terminal.out(options.json ? JSON.stringify(decision, null, 2) : say(decision));
  return decision.decision === 'deny' ? exits.denied : decision.decision === 'ask' ? exits.asked : exits.fine;
}

function callOf(text: string | undefined, options: CheckOptions, cwd: string): ToolCall {
  if ((text === undefined) === (options.event === undefined))
    throw new UsageError("give a call such as 'Bash(git push)' or --event FILE");
  const { event } = options;
  if (event === undefined) return readCall(text as string, cwd);
  const bytes = event === '-' ? fs.readFileSync(0) : readNamed(event);
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

function say(decision: Decision): string {
  const lines = [
    `${decision.decision}  (${decision.mode ?? 'no mode'}, ${decision.took_us} µs)`,
    decision.reason,
    decision.remedy,
  ];
  for (const rule of decision.rules)
    lines.push(
      `  ${rule.effect} ${rule.text}  ${rule.source.file}:${rule.source.line}:${rule.source.column}  met ${rule.matched}`,
    );
  if (decision.evaluator !== undefined) lines.push(`  evaluated by ${describeEvaluated(decision.evaluator)}`);
  return lines.filter((line) => line !== '').join('\n');
}
