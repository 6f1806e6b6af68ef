// modes check: a dry run of one tool call.

import { parseEvent, toolCall } from '../../facts/call.ts';
import { MalformedInput } from '../../facts/table.ts';
import { writtenCall } from '../../facts/written.ts';
import type { Decision } from '../../model/decision.ts';
import type { ToolCall } from '../../model/facts.ts';
import { describeEvaluated } from '../../policy/remote/opa-policy.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { readNamed, requireMode, requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface CheckOptions {
  project?: string;
  json?: boolean;
  mode?: string;
  event?: string;
  /** Also how long the decision took, and the text that each rule matched. */
  verbose?: boolean;
}

export async function check(text: string | undefined, options: CheckOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  if (options.mode !== undefined) requireMode(options.mode, project.describe().configuration.topology?.modes ?? null);
  const call = callOf(text, options, project.root);
  const decision = await project.fully(() => project.decide(call, options.mode ?? null));
  const note = await untrustedNote(project, decision);
  terminal.out(options.json ? toJson<'check'>(decision, 2) : say(decision, note, terminal.colour, options.verbose === true));
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

/** The allow lines that would decide the call in a trusted project; '' if there are none. */
async function untrustedNote(project: CallerProject, { facts, mode, decision }: Decision): Promise<string> {
  const { present } = project.describe();
  if (present.trusted || facts === null || mode === null || decision === 'allow') return '';
  const policy = (await project.approvals.open(present.config.content)).policies.of(mode);
  const verdict = policy?.evaluate(facts);
  if (verdict?.verdict !== 'allow' || verdict.by !== 'rule') return '';
  const [rule] = verdict.hits.flatMap(({ id }) => policy?.rule(id) ?? []);
  const where = rule === undefined ? '' : `${rule.text} (${rule.source.file}:${rule.source.line}) would allow it. `;
  return `${where}This project is not trusted: its allow rules have no effect until you run modes trust.`;
}

/** A dry run records nothing, so its decision is the one without a comparison. */
const verified =
  'In a session, this call runs without a question, and Modes compares the guarded files afterwards (uncertain: verify). Without the server, it asks.';

function say(decision: Decision, note: string, colour: boolean, verbose: boolean): string {
  const word = colour ? `\x1b[${colours[decision.decision]}m${decision.decision}\x1b[0m` : decision.decision;
  const lines = [
    `${word}  (${decision.mode ?? 'no mode'}${verbose ? `, ${decision.took_us} µs` : ''})`,
    ...(decision.verifiable === undefined
      ? [decision.reason || (decision.decision === 'pass' ? passed : ''), decision.remedy]
      : [verified]),
    decision.advice ?? '',
    note,
  ];
  for (const { effect, text, source, matched } of decision.rules)
    lines.push(`  ${effect} ${text}  ${source.file}:${source.line}${verbose ? `:${source.column}  matched ${matched}` : ''}`);
  if (verbose && decision.evaluator !== undefined) lines.push(`  evaluated by ${describeEvaluated(decision.evaluator)}`);
  return lines.filter((line) => line !== '').join('\n');
}
