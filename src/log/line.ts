// A decision as its line. Most hold nothing to hide or to cut: such a line is written from what was noted, without a copy of it.
import type { Facts } from '../tools/types.ts';
import { callKey, eventType, hiddenBy, labelsOf, lineOf, makeEvent, maxLine, type Noted, sameness } from './event.ts';
import type { JsonBytes } from './json-bytes.ts';

/** Of what is more, an event keeps a part. */
const maxRules = 50;

/** A line among others, from one length to another, its end included. */
export interface Made {
  /** What names the call; null: the decision stands for itself. */
  key: string | null;
  /** Equal for decisions that were made by the same for the same reason. */
  same: string;
  from: number;
  to: number;
}

/** Writes the line of a decision, the same as `lineOf` of its event, behind what is there. */
export function writeLine(noted: Noted, build: string, to: JsonBytes): Made {
  const from = to.length;
  const labels = labelsOf(noted, build);
  to.begin();
  if (isWhole(noted)) writePlain(noted, labels, to);
  else to.isPlain = false;
  if (to.isPlain && to.length - from <= maxLine) {
    to.mark('\n');
    return { key: callKey({ labels }), same: sameness({ result: noted.decision }), from, to: to.length };
  }
  to.rewind(from);
  const event = makeEvent(noted, build);
  to.put(lineOf(event));
  to.mark('\n');
  return { key: callKey(event), same: sameness(event), from, to: to.length };
}

/** Nothing of it is hidden, and no list of rules is cut. */
function isWhole({ decision: { facts, rules, also, protections }, hides }: Noted): boolean {
  if (rules.length > maxRules || also.length > maxRules || protections.length > maxRules) return false;
  return facts === null || hiddenBy(facts, hides).length === 0;
}

/** A secret, or something too long, may be among it; then `to` is not plain. */
function writePlain({ event, decision, channel, at }: Noted, labels: Record<string, string>, to: JsonBytes): void {
  const { facts, mode, bundle } = decision;
  to.mark('{');
  to.field('type', eventType, 'known');
  to.field('decision_id', decision.decision_id, 'known');
  to.field('labels', labels, 'given');
  to.field('bundles', mode === null || bundle === null ? {} : { [mode]: { revision: bundle } }, 'known');
  to.mark('"path":"modes/verdict","input":{');
  if (facts === null) {
    to.mark('"event":"PreToolUse","tool":{');
    to.field('input', event.tool_input ?? null, 'given', -1);
    to.end('}');
  } else writeFacts(facts, event.tool_input, to);
  to.end('}');
  to.mark(',"result":{');
  writeResult(decision, to);
  to.end('}');
  to.mark(',');
  to.field('requested_by', channel, 'known');
  to.field('timestamp', at.toISOString(), 'known');
  to.mark('"metrics":{');
  to.field('timer_server_handler_ns', decision.took_us * 1_000, 'known');
  to.end('}');
  to.end('}');
}

/** What of the facts is not looked at, and stands before the rest. */
const first: ReadonlySet<string> = new Set(['version', 'mode', 'event', 'tool', 'session', 'agent', 'bash']);
const firstOfTool: ReadonlySet<string> = new Set(['name', 'group', 'server', 'known', 'params', 'input']);

function writeFacts(facts: Facts, given: unknown, to: JsonBytes): void {
  const { tool } = facts;
  to.field('version', facts.version, 'known');
  to.field('mode', facts.mode, 'known');
  to.field('event', facts.event, 'known');
  to.mark('"tool":{');
  to.field('name', tool.name, 'known');
  to.field('group', tool.group, 'known');
  to.field('server', tool.server, 'known');
  to.field('known', tool.known, 'known');
  to.field('params', unnested(tool.params, given), 'facts');
  writeBut(firstOfTool, tool as unknown as Record<string, unknown>, to);
  to.field('input', given ?? null, 'given', -1);
  to.end('}');
  to.mark(',');
  to.field('session', facts.session, 'known');
  to.field('agent', facts.agent, 'known');
  to.field('bash', facts.bash, 'facts', -1);
  writeBut(first, facts as unknown as Record<string, unknown>, to);
}

function writeBut(names: ReadonlySet<string>, fields: Record<string, unknown>, to: JsonBytes): void {
  for (const name in fields) if (!names.has(name)) to.field(name, fields[name], 'facts');
}

/** Without parameters that were a list or an object: those are kept as that, in the input. */
function unnested(params: Facts['tool']['params'], given: unknown): Facts['tool']['params'] {
  const written = (typeof given === 'object' ? given : null) as Record<string, unknown> | null;
  const names = Object.keys(params);
  if (names.every((name) => typeof written?.[name] !== 'object')) return params;
  return Object.fromEntries(
    names.flatMap((name) => (typeof written?.[name] === 'object' ? [] : [[name, params[name] as string]])),
  );
}

/** What of a decision may say what the call was given; of its lists, in which field. */
const texts: ReadonlySet<string> = new Set(['tool', 'reason', 'remedy', 'advice']);
const textIn: ReadonlyMap<string, string> = new Map([
  ['rules', 'matched'],
  ['also', 'matched'],
  ['policies', 'reason'],
  ['protections', 'on'],
]);

function writeResult(decision: Noted['decision'], to: JsonBytes): void {
  for (const name in decision) {
    const value = decision[name as keyof typeof decision];
    const text = textIn.get(name);
    if (text !== undefined) writeList(name, value as Record<string, unknown>[], text, to);
    else if (name !== 'facts') to.field(name, value, texts.has(name) ? 'given' : 'known');
  }
}

function writeList(name: string, list: readonly Record<string, unknown>[], text: string, to: JsonBytes): void {
  to.mark(`"${name}":[`);
  for (const item of list) {
    to.mark('{');
    for (const field in item) to.field(field, item[field], field === text ? 'given' : 'known');
    to.end('}');
    to.mark(',');
  }
  to.end(']');
  to.mark(',');
}
