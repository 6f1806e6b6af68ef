// Decisions as lines of a table for a person.
import { cutWidth, measureWidth, showUnseen } from '../../config/text.ts';
import { mainArgument } from '../../facts/table.ts';
import type { LogEvent } from '../../store/log/event.ts';

const colours = { deny: 31, ask: 33, allow: 32, pass: 2 } as const;
const maxAbout = 60;

/** In terminal columns. */
export interface Widths {
  mode: number;
  tool: number;
  about: number;
}
/** Minimum and maximum widths. A longer value overflows its own line and does not widen the column. */
const least: Widths = { mode: 11, tool: 6, about: 24 };
const most: Widths = { mode: 24, tool: 14, about: 36 };

/** The widths of the columns for a table of these decisions. */
export function widthsOf(events: readonly LogEvent[]): Widths {
  const widest = (of: keyof Widths): number => {
    const widths = events.map((event) => measureWidth(cells(event)[of])).filter((width) => width <= most[of]);
    return Math.max(least[of], ...widths);
  };
  return { mode: widest('mode'), tool: widest('tool'), about: widest('about') };
}

function cells(event: LogEvent): Record<keyof Widths, string> {
  const { mode, tool } = event.result;
  const { harness } = event.labels;
  const name = harness === undefined ? tool || '-' : `${harness}:${tool || '-'}`;
  return { mode: oneLine(mode ?? '-'), tool: oneLine(name), about: about(event) };
}

/** One line: UTC time, start of the id, decision, mode, call, and what decided. */
export function tableLine(event: LogEvent, colour: boolean, widths: Widths = least): string {
  const { result, timestamp, decision_id: id } = event;
  const cell = cells(event);
  const padded = (of: keyof Widths): string => cell[of] + ' '.repeat(Math.max(0, widths[of] - measureWidth(cell[of])));
  const code = colours[result.decision];
  const decision = result.decision.padEnd(5);
  return [
    timestamp.slice(0, 19).replace('T', ' '),
    id.slice(0, 8),
    colour && code !== undefined ? `\x1b[${code}m${decision}\x1b[0m` : decision,
    padded('mode'),
    padded('tool'),
    padded('about'),
    madeBy(result),
  ]
    .join('  ')
    .trimEnd();
}

/** A few words that identify the call. */
export function about({ input, result }: LogEvent): string {
  const { reads, writes, tool } = input as {
    reads?: { path?: unknown }[];
    writes?: { path?: unknown }[];
    tool?: { input?: unknown; group?: unknown };
  };
  const given = typeof tool?.input === 'object' && tool.input !== null ? (tool.input as Record<string, unknown>) : {};
  const main = mainArgument(result.tool);
  const isFile = tool?.group === 'read' || tool?.group === 'edit';
  const path = isFile ? (writes?.[0]?.path ?? reads?.[0]?.path) : undefined;
  const value = path ?? (main === null ? undefined : given[main]) ?? Object.values(given).find((one) => typeof one === 'string');
  return cutWidth(oneLine(typeof value === 'string' ? value : ''), maxAbout);
}

/** The rule, policy or protection that decided, with its place. Otherwise the step of the decision order. */
export function deciderOf({
  decision,
  by,
  rules,
  policies,
  protections,
}: Pick<LogEvent['result'], 'decision' | 'by' | 'rules' | 'policies' | 'protections'>): { name: string; place: string | null } {
  const [rule] = rules;
  if (rule !== undefined) return { name: rule.text, place: `${rule.source.file}:${rule.source.line}` };
  const [policy] = policies ?? [];
  if (by === 'policy' && policy !== undefined) return { name: policy.name, place: `${policy.file}:${policy.line}` };
  const [protection] = protections ?? [];
  if (protection !== undefined) return { name: protection.name, place: 'built in' };
  return { name: decision === 'pass' ? '' : stepOf(by), place: null };
}

function madeBy(result: LogEvent['result']): string {
  const { name, place } = deciderOf(result);
  return oneLine(place === null ? name : `${name}  ${place}`);
}

/** Names of the steps, for a decision without a rule, policy or protection. */
const steps: Readonly<Record<LogEvent['result']['by'], string>> = {
  rule: 'a rule',
  open: 'a rule that could match',
  policy: 'a policy',
  protection: 'built in',
  uncertainty: 'it may write',
  default: 'the default',
  bound: 'the plan or task',
  trouble: 'the mode or the configuration is not known',
  call: 'the call is malformed',
  verified: 'the guarded files are compared after the run',
  granted: 'a person granted exactly this call',
  fault: 'a policy failed',
};

/** A step that this version does not know keeps its name. */
export const stepOf = (by: LogEvent['result']['by']): string => (Object.hasOwn(steps, by) ? steps[by] : by);

/** Escapes everything that could end the line or control a terminal. */
export function oneLine(text: string): string {
  return showUnseen(text.replace(/(?<!\s)\s*[\r\n\t]+\s*/g, ' '));
}
