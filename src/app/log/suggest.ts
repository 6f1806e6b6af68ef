// Finds, for asks that a person approved, the one allow rule that matches exactly such a call, or the reason why there is none.
import fs from 'node:fs';
import path from 'node:path';
import { allowLines } from '../../engine/settle.ts';
import type { Decision } from '../../model/decision.ts';
import type { Facts, PathAccess } from '../../model/facts.ts';
import { writeRuleText } from '../../rules/rule-text.ts';
import type { LogEvent } from '../../store/log/event.ts';
import { type Again, callAgain, differsFrom } from './replay.ts';

/** Why some asks get no rule, in words that follow "asks:". */
export const withheld = {
  few: 'they were approved fewer times than --min says',
  refused: 'such a call was not approved every time',
  rule: 'a rule or a policy asks, and an allow rule does not override it',
  protection: 'a built-in protection asks',
  gone: 'the file no longer exists, and a rule for it would cover everything below a folder of that name',
  wide: 'no rule matches exactly this call, and a broader one would allow more',
  folder: "the command did not run in the project's root, and a rule for it would apply there",
  lost: 'the log has only part of the call, or the call has changed since',
  settled: 'the current modes no longer ask',
  useless: "the project's settings cannot override it: another layer asks",
  others: 'the rule would also allow a call that was not approved',
} as const;

export type Withheld = keyof typeof withheld;

/** A line for the allow list of a mode, and the asks that it matches exactly. */
export interface Candidate {
  mode: string;
  line: string;
  asks: { event: LogEvent; again: Again; approved: boolean }[];
}

/** Decides a call by the present modes. */
type Decide = (again: Again) => Decision;

export interface Sorted {
  candidates: Candidate[];
  /** Asks without a rule. */
  without: { why: Withheld; event: LogEvent }[];
}

/** Groups asks by the line that would allow them. `min`: how many approvals a line needs. */
export function sortAsks(
  asks: readonly LogEvent[],
  { isApproved, decide, root, min }: { isApproved: (event: LogEvent) => boolean; decide: Decide; root: string; min: number },
): Sorted {
  const found = new Map<string, Candidate>();
  const without: Sorted['without'] = [];
  for (const event of asks) {
    const again = callAgain(event);
    const line = typeof again === 'string' ? null : lineFor(event, again, decide(again), root);
    if (typeof again === 'string' || line === null) without.push({ why: 'lost', event });
    else if ('why' in line) without.push({ why: line.why, event });
    else {
      const key = JSON.stringify([again.mode, line.text]);
      const candidate = found.get(key) ?? { mode: again.mode, line: line.text, asks: [] };
      candidate.asks.push({ event, again, approved: isApproved(event) });
      found.set(key, candidate);
    }
  }
  const candidates = [...found.values()].filter(({ asks: each }) => {
    const why = each.some(({ approved }) => !approved) ? 'refused' : each.length < min ? 'few' : null;
    if (why !== null) without.push(...each.map(({ event }) => ({ why, event }) as const));
    return why === null;
  });
  return { candidates, without };
}

/** null: the approved call cannot be determined. */
function lineFor(event: LogEvent, again: Again, now: Decision, root: string): { text: string } | { why: Withheld } | null {
  if (now.facts === null || differsFrom(event, now.facts, false) !== null) return null;
  if (now.decision !== 'ask') return { why: 'settled' };
  if (now.by === 'protection' || isProtected(now.facts)) return { why: 'protection' };
  if (now.by !== 'default' && now.by !== 'uncertainty') return { why: 'rule' };
  const text = exactLine(now.facts, again);
  if (text === null) return { why: 'wide' };
  // A pattern of a file would match a folder of that name with everything below it. Only an existing file prevents that.
  if (ofOneFile.has(now.facts.tool.name) && !isFile(path.join(root, touchedBy(now.facts)?.real ?? ''))) return { why: 'gone' };
  return now.facts.tool.group === 'command' && again.call.cwd !== root ? { why: 'folder' } : { text };
}

function isProtected({ writes, protections }: Facts): boolean {
  return protections.length > 0 || writes.some(({ protection }) => protection !== null);
}

/** The tools with one effect on one file of the project. */
const ofOneFile: ReadonlyMap<string, 'Read' | 'Write'> = new Map([
  ['Read', 'Read'],
  ['Write', 'Write'],
  ['Edit', 'Write'],
  ['NotebookEdit', 'Write'],
]);

/** The only rule that matches this call and no other; null if there is no such rule. */
export function exactLine(facts: Facts, { call }: Pick<Again, 'call'>): string | null {
  const [line, ...more] = allowLines(facts);
  if (line === undefined || more.length > 0 || facts.tool.extra.length > 0) return null;
  const kind = ofOneFile.get(facts.tool.name);
  if (kind !== undefined) {
    const meant = touchedBy(facts);
    return meant !== null && isOneFile(meant) && line === `${kind}(/${meant.path})` ? line : null;
  }
  const [command, ...others] = facts.bash?.commands ?? [];
  if (facts.tool.name !== 'Bash' || command === undefined || others.length > 0 || command.argv.includes(null)) return null;
  const { command: text } = call.input;
  return text === command.text && line === writeRuleText('Bash', text) ? line : null;
}

/** The only target of a call; null if it has several or none. */
function touchedBy({ reads, writes }: Facts): PathAccess | null {
  const [meant, ...more] = [...reads, ...writes].filter(({ implied }) => !implied);
  return meant === undefined || more.length > 0 ? null : meant;
}

function isFile(name: string): boolean {
  try {
    return fs.statSync(name).isFile();
  } catch {
    // The file is gone or unreadable, so no rule is suggested for it.
    return false;
  }
}

function isOneFile({ deep, root, own, real, path: named }: PathAccess): boolean {
  return !deep && root === 'project' && own === null && real === named;
}
