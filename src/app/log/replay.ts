// Turns a logged decision into the same call, so that another policy can decide it. If the two decisions could not be compared,
// returns the reason.

import { isStricter } from '../../engine/combine.ts';
import { toolCall } from '../../facts/call.ts';
import { isDeep, withBelow } from '../../facts/paths/access.ts';
import { modesServerOf } from '../../facts/protections/without-plugin.ts';
import { MalformedInput } from '../../facts/table.ts';
import type { Decision } from '../../model/decision.ts';
import type { Facts, PathAccess, ToolCall } from '../../model/facts.ts';
import { callKey, type LogEvent } from '../../store/log/event.ts';

/** Why a logged call cannot be compared with a new decision, in words that follow "calls:". */
export const incomparable = {
  masked: 'the log has only part of their text: it leaves out secrets and long texts',
  unknown: 'the mode or the configuration was not known then, or the call was malformed',
  held: 'a plan, a task or a grant affected the decision',
  mode: 'the policy has no such mode',
  facts: 'the disk, or how Modes reads the call, has changed since',
  below: 'the decision depended on the contents of a folder at that time',
} as const;

export type Incomparable = keyof typeof incomparable;

/** A call as it was made, with the stored parts of its situation. */
export interface Again {
  call: ToolCall;
  mode: string;
  state: Facts['state'] | null;
  /** Contents of files are incomplete. Only a policy that reads the input itself can be affected. */
  lacksContents: boolean;
}

/** One decision for each call. If two channels decided differently, the more restrictive one. */
export function eachCall(events: readonly LogEvent[]): LogEvent[] {
  const calls = new Map<string, LogEvent>();
  for (const event of events) {
    const key = callKey(event) ?? event.decision_id;
    const known = calls.get(key);
    if (known === undefined || isStricter(event.result.decision, known.result.decision)) calls.set(key, event);
  }
  return [...calls.values()];
}

/** Restores the call of an event, or returns the reason why that is impossible. */
export function callAgain(event: LogEvent): Again | Incomparable {
  const { labels, result, input } = event;
  const { name, server, group, input: given } = (input.tool ?? {}) as Partial<Facts['tool']>;
  const { id = null, type = null } = (input.agent ?? {}) as Partial<Facts['agent']>;
  if (result.mode === null || result.by === 'trouble' || result.by === 'call') return 'unknown';
  const lacking = [...(event.erased ?? []), ...(event.masked ?? [])].filter((at) => isPartOf(at, '/input/tool/input'));
  if (lacking.some((at) => !isContents(at, group))) return 'masked';
  try {
    const call = toolCall({
      tool_name: name ?? result.tool,
      tool_input: given,
      cwd: labels.cwd,
      session_id: labels.session,
      permission_mode: labels.permission_mode,
      agent_id: id,
      agent_type: type,
      mcp_server: group === 'own' ? modesServerOf(name ?? result.tool) : { name: server, source: '' },
    });
    const state = (input.state ?? null) as Facts['state'] | null;
    return { call, mode: result.mode, state, lacksContents: lacking.length > 0 };
  } catch (error) {
    if (error instanceof MalformedInput) return 'masked';
    throw error;
  }
}

/** One of the two pointers contains the other. */
function isPartOf(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

const contents = /^\/input\/tool\/input\/(content|old_string|new_string|new_source|edits)(\/|$)/;

/** No rule reads the text that is written into a file. */
function isContents(pointer: string, group: unknown): boolean {
  return group === 'edit' && contents.test(pointer);
}

/**
 * Why the present facts are not the facts of that call; null if they are. `declares`: the policy declares what commands or MCP
 * tools touch.
 */
export function differsFrom(event: LogEvent, facts: Facts, declares: boolean): 'masked' | 'held' | 'facts' | null {
  const recorded = event.input as Partial<Facts>;
  const { result, erased = [], masked = [] } = event;
  if (result.by === 'bound' || (result.grants ?? []).length > 0 || recorded.granted !== undefined) return 'held';
  if (recorded.reads === undefined || recorded.writes === undefined || recorded.tool?.keys === undefined) return 'masked';
  if ([...erased, ...masked].some((at) => accessPointer.test(at))) return 'masked';
  const isSame =
    recorded.tool.group === facts.tool.group &&
    recorded.tool.keys.join('\n') === facts.tool.keys.join('\n') &&
    (['reads', 'writes'] as const).every((kind) => isAlike(recorded[kind] as PathAccess[], facts[kind], declares));
  return isSame ? null : 'facts';
}

const accessPointer = /^\/input\/(reads|writes)(\/\d+(\/(path|real))?)?$/;

/** Compares the accesses. If the policy declares accesses, only those that are in both lists. */
function isAlike(before: readonly PathAccess[], now: readonly PathAccess[], declares: boolean): boolean {
  const accessKey = ({ path, real, root, deep, own, via, protection, dependency }: PathAccess): string =>
    JSON.stringify([path, via, real, root, deep, own, protection?.name ?? null, dependency]);
  if (!declares) return before.map(accessKey).join('\n') === now.map(accessKey).join('\n');
  const byName = new Map(now.map((access) => [`${access.path}\n${access.via}`, accessKey(access)]));
  return before.every((access) => {
    const other = byName.get(`${access.path}\n${access.via}`);
    return other === undefined || other === accessKey(access);
  });
}

/** Changes facts to those of another disk. */
export type Lens = (facts: Facts) => Facts;

/** The call's folders are empty. */
export const emptyBelow: Lens = (facts) =>
  withBelow(facts, () => ({ below: [], unseen: undefined, unnamed: undefined, projects: undefined }));

/** The call's folders contain everything that a deny or ask rule could match. */
export const fullBelow: Lens = (facts) =>
  withBelow(facts, () => ({ below: [], unseen: true, unnamed: undefined, projects: true }));

/** The call's folders contain the logged entries. The log has only entries that mattered to the policy of that time. */
export function recordedBelow(event: LogEvent): Lens {
  const recorded = event.input as Partial<Facts>;
  return (facts) =>
    withBelow(facts, (kind, at) => {
      const { below = [], unseen, unnamed, projects } = recorded[kind]?.[at] ?? {};
      return { below, unseen, unnamed, projects };
    });
}

/** A policy that decides logged calls. */
export interface Replayer {
  has(mode: string): boolean;
  /** The mode's policy reads the input itself. */
  wantsInput(mode: string): boolean;
  /** It declares what commands or MCP tools touch. */
  declares: boolean;
  /** For this event, it selects entries below folders in the same way as the policy of that time. */
  narrowsAlike(event: LogEvent): boolean;
  decide(again: Again, lens?: Lens): Decision;
}

export type Replayed =
  | { kind: 'same' }
  | { kind: 'incomparable'; why: Incomparable }
  /** `disk`: the result depends on the present entries below the call's folders. */
  | { kind: 'changed'; after: Decision; disk: boolean };

/** Decides a logged call by another policy. If equality cannot be established, the result is `incomparable`. */
export function replay(event: LogEvent, policy: Replayer): Replayed {
  const again = callAgain(event);
  if (typeof again === 'string') return { kind: 'incomparable', why: again };
  if (!policy.has(again.mode)) return { kind: 'incomparable', why: 'mode' };
  if (again.lacksContents && policy.wantsInput(again.mode)) return { kind: 'incomparable', why: 'masked' };
  const now = policy.decide(again);
  if (now.facts === null) return { kind: 'incomparable', why: 'unknown' };
  const why = differsFrom(event, now.facts, policy.declares);
  if (why !== null) return { kind: 'incomparable', why };
  if (!isDeep(now.facts)) return compared(event, now, false);
  if (!policy.declares && policy.narrowsAlike(event)) return compared(event, policy.decide(again, recordedBelow(event)), false);
  const isFree = policy.decide(again, emptyBelow).decision === policy.decide(again, fullBelow).decision;
  const replayed = compared(event, now, !isFree);
  return replayed.kind === 'same' && !isFree ? { kind: 'incomparable', why: 'below' } : replayed;
}

function compared({ result }: LogEvent, after: Decision, disk: boolean): Replayed {
  return result.decision === after.decision ? { kind: 'same' } : { kind: 'changed', after, disk };
}
