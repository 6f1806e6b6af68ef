// One decision in the format of OPA's decision log. Our decision is the result, and the facts are the input.
import * as z from 'zod/mini';
import type { Decision, HookAnswer } from '../../model/decision.ts';
import type { Facts, PathAccess, PathName } from '../../model/facts.ts';
import { fields } from '../record.ts';
import { objectOf } from './files.ts';
import { askId, type HarnessCall, harnessCallOf } from './harness-call.ts';
import { Mask } from './mask.ts';
import { REDACTED } from './secrets.ts';

/** The channel of the request. */
export type Channel = 'socket' | 'pipe' | 'one-shot' | 'prompt' | 'host';

/** A decision that was answered, with its request. */
export interface Noted {
  /** The hook event. Its `tool_input` is an object unless the decision rejected the event. */
  event: Record<string, unknown>;
  decision: Decision;
  channel: Channel;
  /** The answer to the client: an ask becomes a deny if no person can be asked. */
  answered: Decision['decision'];
  at: Date;
  /** True for a path that some rule hides from reading. Contents of calls that touch it are not stored. */
  hides(name: PathName): boolean;
}

/** The log's input for an answer that is being given now. */
export function notedOf(
  event: Record<string, unknown>,
  decision: Decision,
  channel: Channel,
  answer: HookAnswer,
  hides: Noted['hides'],
): Noted {
  const answered = 'hookSpecificOutput' in answer ? answer.hookSpecificOutput.permissionDecision : 'pass';
  return { event, decision, channel, answered, at: new Date(), hides };
}

/** A line of the log. The names are OPA's; `labels` are texts. */
export interface LogEvent {
  type: typeof eventType;
  decision_id: string;
  labels: Record<string, string>;
  /** By mode. */
  bundles: Record<string, { revision: string }>;
  path: 'modes/verdict';
  input: Record<string, unknown>;
  result: Omit<Decision, 'facts'>;
  requested_by: string;
  /** ISO 8601, UTC. */
  timestamp: string;
  metrics: Record<string, number>;
  /** JSON pointers to values that were left out (`erased`), and to values that were replaced or cut (`masked`). */
  erased?: string[];
  masked?: string[];
}

export const eventType = 'openpolicyagent.org/decision_logs';

/** A line with more characters than this loses its facts. */
const maxLine = 96 * 1024;

const contentNames: ReadonlySet<string> = new Set(
  'content contents old_string new_string new_source edits prompt script message body text data patch diff old_str new_str file_text insert_text'.split(
    ' ',
  ),
);
/** A text with more characters than this counts as contents. */
const longText = 200;

/** The event of a decision, without secrets and with a bounded size. `build` is the build of the process that decided. */
export function makeEvent(noted: Noted, build: string): LogEvent {
  const { event, decision, channel, at } = noted;
  const { facts, ...rest } = decision;
  const mask = new Mask();
  const given = event.tool_input;
  const asked = isAnswerable(decision) ? harnessCallOf(event) : null;
  const hidden = facts === null ? [] : hiddenBy(facts, noted.hides);
  // A command contains the text that it writes, but not the text that it reads.
  const hidesCommand = facts?.bash != null && hidden.some(({ isWrite }) => isWrite);
  mask.learn([given, asked?.input, facts?.bash?.commands.map(({ text }) => text)]);
  for (const command of hidesCommand ? (facts?.bash?.commands ?? []) : []) for (const text of command.spellings) mask.hide(text);
  const hide = { contents: hidden.length > 0, command: hidesCommand };
  const input = { ...inputOf(facts, given, hide, mask), ...(asked !== null && { asked: askedInput(asked, hide, mask) }) };
  const result = resultOf(rest, mask);
  const made: LogEvent = {
    type: eventType,
    decision_id: decision.decision_id,
    labels: maskedLabels(labelsOf(noted, build), mask),
    bundles: decision.mode === null || decision.bundle === null ? {} : { [decision.mode]: { revision: decision.bundle } },
    path: 'modes/verdict',
    input,
    result,
    requested_by: channel,
    timestamp: at.toISOString(),
    metrics: { timer_server_handler_ns: decision.took_us * 1_000 },
    ...(mask.erased.length > 0 ? { erased: mask.erased } : {}),
    ...(mask.masked.length > 0 ? { masked: mask.masked } : {}),
  };
  return made;
}

function maskedLabels(labels: Record<string, string>, mask: Mask): Record<string, string> {
  for (const name of Object.keys(labels)) labels[name] = mask.text(labels[name] as string, `/labels/${name}`);
  return labels;
}

/** The caller, its folder, and the answer if it differs from the decision. */
function labelsOf({ event, decision, answered }: Noted, build: string): Record<string, string> {
  const labels: Record<string, string> = { id: String(process.pid), version: build };
  for (const [label, field] of labelled) {
    const value = event[field];
    if (typeof value === 'string' && value !== '') labels[label] = value;
  }
  if (answered !== decision.decision) labels.answered = answered;
  const asked = isAnswerable(decision) ? harnessCallOf(event) : null;
  if (asked !== null) {
    labels.call = asked.call;
    labels.ask = askId(decision.by, decision.reason, event.agent_id);
  }
  return labels;
}

/** Labels, and the fields of the hook event that they come from. */
const labelled = [
  ['session', 'session_id'],
  ['tool_use_id', 'tool_use_id'],
  ['agent', 'agent_id'],
  ['cwd', 'cwd'],
  ['permission_mode', 'permission_mode'],
  ['harness', 'harness'],
] as const;

/** The event as a line without its newline. If it is too long, it loses its facts, and then the call's input. */
export function lineOf(event: LogEvent): string {
  const whole = JSON.stringify(event);
  if (whole.length <= maxLine) return whole;
  const { tool, version, mode, event: name, session, agent, ...facts } = event.input;
  const left = { tool, version, mode, event: name, session, agent };
  const erased = [...(event.erased ?? []), ...Object.keys(facts).map((field) => `/input/${field}`)];
  const masked = event.masked?.filter((at) => !erased.some((one) => at.startsWith(`${one}/`)));
  const less = JSON.stringify({ ...event, input: left, erased, masked });
  if (less.length <= maxLine) return less;
  const { name: toolName } = (tool ?? {}) as { name?: unknown };
  const least = { ...event, input: { ...left, tool: { name: toolName } }, erased: [...erased, '/input/tool'], masked: [] };
  return JSON.stringify({ ...least, result: { ...event.result, also: [], rules: event.result.rules.slice(0, 20) } });
}

const ruleShape = fields({
  effect: z.string(),
  text: z.string(),
  matched: z.optional(z.string()),
  source: fields({ file: z.string(), line: z.number() }),
  note: z.optional(z.string()),
});
const policyShape = fields({
  name: z.string(),
  effect: z.optional(z.string()),
  file: z.string(),
  line: z.number(),
  reason: z.string(),
});

/**
 * The shape of a line that readers rely on. A disk error or another writer may have left something else. Fields that older
 * versions did not write may be absent.
 */
const lineShape = fields({
  decision_id: z.string().check(z.regex(/^[\w-]+$/)),
  timestamp: z.string().check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    z.refine((at) => !Number.isNaN(Date.parse(at))),
  ),
  labels: z.record(z.string(), z.string()),
  bundles: z.record(z.string(), fields({ revision: z.string() })),
  input: z.record(z.string(), z.unknown()),
  requested_by: z.optional(z.string()),
  result: fields({
    decision: z.enum(['deny', 'ask', 'allow', 'pass']),
    mode: z.nullish(z.string()),
    tool: z.string(),
    by: z.string(),
    rules: z.array(ruleShape),
    also: z.optional(z.array(ruleShape)),
    policies: z.optional(z.array(policyShape)),
    protections: z.optional(z.array(fields({ name: z.string(), on: z.string() }))),
    reason: z.string(),
    remedy: z.string(),
    advice: z.optional(z.string()),
    grants: z.optional(z.array(fields({ id: z.string() }))),
    took_us: z.optional(z.number()),
  }),
});

/** Only checked, because a copy of each line of a long log takes time. */
const isLogged = (value: unknown): boolean => z.safeParse(lineShape, value).success;

/** The event of a line; null if the line is not one of ours. */
export function readEvent(line: string): LogEvent | null {
  const value = objectOf(line);
  if (value === null) return null;
  const { type } = value as Partial<LogEvent>;
  return type === eventType && isLogged(value) ? (value as LogEvent) : null;
}

/** Equal for two decisions that have the same result, by the same rule or policy and for the same reason. */
export function sameness({ result }: Pick<LogEvent, 'result'>): string {
  const { decision, mode, by, rules, policies, reason } = result;
  return JSON.stringify([decision, mode, by, rules, policies, reason]);
}

/** Identifies the call of a decision; null: the call has no id, so each decision is separate. */
export function callKey({ labels: { session = '', tool_use_id: id } }: Pick<LogEvent, 'labels'>): string | null {
  return id === undefined ? null : JSON.stringify([session, id]);
}

/** The text of the id in a log line of this call. */
export function idText(key: string): string {
  const [, id] = JSON.parse(key) as [string, string];
  return `"tool_use_id":${JSON.stringify(id)}`;
}

interface Hide {
  contents: boolean;
  command: boolean;
}

function inputOf(facts: Facts | null, given: unknown, hide: Hide, mask: Mask): Record<string, unknown> {
  const input = callInput(given, hide, mask);
  if (facts === null) return { event: 'PreToolUse', tool: { input } };
  const { version, mode, event, tool, session, agent, bash, ...accesses } = facts;
  const { name, group, server, known, input: _, ...more } = tool;
  return {
    version,
    mode,
    event,
    tool: { name, group, server, known, ...(mask.shrink(toolMore(more, given, hide, mask), '/input/tool') as object), input },
    session,
    agent,
    bash: hide.command && bash !== null ? hiddenCommands(bash, mask) : mask.shrink(bash, '/input/bash'),
    ...(mask.shrink(accesses, '/input') as object),
  };
}

/** Parameters of a tool that is not in the table may be contents too. Lists and objects are logged only as part of the input. */
function toolMore<T extends Pick<Facts['tool'], 'params'>>(more: T, given: unknown, hide: Hide, mask: Mask): T {
  const written = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  const params = Object.entries(more.params)
    .filter(([name]) => typeof written[name] !== 'object')
    .map(([name, value]) => [
      name,
      hide.contents && isContent(name, value, hide) ? mask.replace(`/input/tool/params/${name}`) : value,
    ]);
  return { ...more, params: Object.fromEntries(params) };
}

/** An ask of another harness, and the use of the grant that answered one. */
function isAnswerable({ decision, by }: Pick<Decision, 'decision' | 'by'>): boolean {
  return decision === 'ask' || by === 'granted';
}

/** The call as the harness named it. Its fields are not known here, so each of them may have the contents of a hidden file. */
function askedInput({ tool, folder, input }: HarnessCall, hide: Hide, mask: Mask): Record<string, unknown> {
  const at = '/input/asked';
  return {
    tool: mask.text(tool, `${at}/tool`),
    folder: mask.text(folder, `${at}/folder`),
    input: hide.contents ? mask.replace(`${at}/input`) : mask.shrink(input, `${at}/input`),
  };
}

function callInput(given: unknown, hide: Hide, mask: Mask): unknown {
  const at = '/input/tool/input';
  if (!hide.contents || typeof given !== 'object' || given === null) return mask.shrink(given ?? null, at);
  const visible = Object.entries(given).filter(([name, value]) => !isContent(name, value, hide));
  const hidden = Object.entries(given).filter(([name, value]) => isContent(name, value, hide));
  const shown = mask.shrink(Object.fromEntries(visible), at) as Record<string, unknown>;
  for (const [name] of hidden.slice(0, 20)) shown[name] = mask.replace(`${at}/${name}`);
  return shown;
}

function isContent(name: string, value: unknown, { command }: Hide): boolean {
  if (name === 'command') return command;
  return contentNames.has(name) || (typeof value === 'string' ? value.length > longText : typeof value === 'object');
}

/** Names and classes of commands, without their text. */
function hiddenCommands(bash: NonNullable<Facts['bash']>, mask: Mask): unknown {
  const commands = bash.commands.map(({ name, top, class: is, network }) => ({ name, top, class: is, network, text: REDACTED }));
  mask.masked.push('/input/bash/commands');
  return mask.shrink({ ...bash, commands }, '/input/bash');
}

function resultOf(decision: Omit<Decision, 'facts'>, mask: Mask): LogEvent['result'] {
  const maskText = (text: string, at: string): string => mask.text(text, `/result/${at}`);
  const maskRules = (name: 'rules' | 'also'): Decision['rules'] =>
    decision[name].slice(0, 50).map((rule, index) => ({ ...rule, matched: maskText(rule.matched, `${name}/${index}/matched`) }));
  return {
    ...decision,
    tool: maskText(decision.tool, 'tool'),
    rules: maskRules('rules'),
    also: maskRules('also'),
    policies: decision.policies.map((one, index) => ({ ...one, reason: maskText(one.reason, `policies/${index}/reason`) })),
    protections: decision.protections
      .slice(0, 50)
      .map((one, index) => ({ ...one, on: maskText(one.on, `protections/${index}/on`) })),
    reason: maskText(decision.reason, 'reason'),
    remedy: maskText(decision.remedy, 'remedy'),
    ...(decision.advice === undefined ? {} : { advice: maskText(decision.advice, 'advice') }),
  };
}

/** Accesses to paths that some rule hides. */
function hiddenBy({ reads, writes }: Facts, hides: Noted['hides']): { isWrite: boolean }[] {
  const isHidden = ({ names, below }: PathAccess): boolean => names.some(hides) || below.slice(0, 200).some(hides);
  const found: { isWrite: boolean }[] = [];
  for (const access of reads.slice(0, 200)) if (isHidden(access)) found.push({ isWrite: false });
  for (const access of writes.slice(0, 200)) if (isHidden(access)) found.push({ isWrite: true });
  return found;
}
