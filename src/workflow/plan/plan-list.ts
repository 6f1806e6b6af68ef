// The list of a plan: the hash that an approval binds, and the difference between two lists.
import { hexHash } from '../../platform/hash.ts';
import type { PlanItem, PlanText } from './events.ts';

/** Covers everything that a person approves: title, texts, files and their order. */
export function hashOfPlan({ title, items }: PlanText): string {
  const text = JSON.stringify([title, items.map((item) => [item.text, item.files])]);
  return hexHash(text);
}

/** The changes between two lists, one line each: `+` added, `−` removed, `→` moved or with other files. */
export function differenceOf(before: PlanText, after: PlanText): string[] {
  const lines = before.title === after.title ? [] : [`→ title: ${before.title || 'none'} → ${after.title || 'none'}`];
  const [left, right] = [numbered(before.items), numbered(after.items)];
  const common = new Map(left.filter(({ key }) => right.some((one) => one.key === key)).map((one) => [one.key, one]));
  const stayed = longestRun(right.flatMap(({ key }) => common.get(key)?.number ?? []));
  for (const { number, item, key } of left) if (!common.has(key)) lines.push(`− ${number}. ${item.text}`);
  for (const { number, item, key } of right) {
    const old = common.get(key);
    if (old === undefined) lines.push(`+ ${number}. ${item.text}${filesText(item)}`);
    else if (!stayed.has(old.number)) lines.push(`→ ${old.number} → ${number}. ${item.text}`);
    if (old !== undefined && old.item.files.join('\n') !== item.files.join('\n'))
      lines.push(`→ ${number}. ${item.text}: files ${old.item.files.join(', ') || 'any'} → ${item.files.join(', ') || 'any'}`);
  }
  return lines;
}

export function filesText({ files }: PlanItem): string {
  return files.length === 0 ? '' : ` (files: ${files.join(', ')})`;
}

/** Each item with its number, from 1, and a key that distinguishes equal texts. */
function numbered(items: readonly PlanItem[]): { number: number; item: PlanItem; key: string }[] {
  const counts = new Map<string, number>();
  return items.map((item, at) => {
    const times = (counts.get(item.text) ?? 0) + 1;
    counts.set(item.text, times);
    return { number: at + 1, item, key: `${times} ${item.text}` };
  });
}

/** The longest increasing run: these numbers did not move. */
function longestRun(numbers: readonly number[]): Set<number> {
  const best: number[][] = [];
  for (const [at, number] of numbers.entries()) {
    const before = best.slice(0, at).filter((run) => (run.at(-1) as number) < number);
    const longest = before.reduce<number[]>((one, other) => (other.length > one.length ? other : one), []);
    best.push([...longest, number]);
  }
  return new Set(best.reduce<number[]>((one, other) => (other.length > one.length ? other : one), []));
}

/** Carries done marks over to a changed list, by text. */
export function carryOver(before: PlanText, done: readonly boolean[], after: PlanText): boolean[] {
  const was = new Map(numbered(before.items).map(({ key }, at) => [key, done[at] ?? false]));
  return numbered(after.items).map(({ key }) => was.get(key) ?? false);
}
