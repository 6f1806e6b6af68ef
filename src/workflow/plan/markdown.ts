// The list in a Markdown plan: its outermost list items, and its first heading as the title.
import type { PlanText } from './events.ts';
import { limits } from './input.ts';

const bullet = /^(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(\S.*)$/;
/** A horizontal rule, which uses the same marks as list items. */
const rule = /^\s*([-*_])(?:\s*\1){2,}\s*$/;
const fence = /^\s*(```|~~~)/;

/** Never empty: a text without a list becomes one item. */
export function planOfMarkdown(markdown: string): PlanText {
  const lines = withoutCode(markdown.split(/\r?\n/));
  const heading = lines.map((line) => /^#{1,6}\s+(\S.*)$/.exec(line)?.[1]).find((text) => text !== undefined);
  const found = lines.flatMap((line) => {
    const [, indent = '', text] = rule.test(line) ? [] : (bullet.exec(line) ?? []);
    return text === undefined ? [] : [{ depth: indent.length, text }];
  });
  const outermost = Math.min(...found.map(({ depth }) => depth));
  // Numbers may be right-aligned, so one more blank is not a nested list.
  const texts = found.filter(({ depth }) => depth - outermost <= 1).map(({ text }) => clean(text, limits.text));
  const title = clean(heading ?? '', limits.title);
  const isList = texts.length > 0 && texts.length <= limits.items;
  return { title, items: (isList ? texts : [title || 'The plan']).map((text) => ({ text, files: [] })) };
}

function withoutCode(lines: string[]): string[] {
  let isCode = false;
  return lines.filter((line) => {
    const isFence = fence.test(line);
    if (isFence) isCode = !isCode;
    return !isFence && !isCode;
  });
}

function clean(text: string, length: number): string {
  const plain = text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').replace(/\s+/g, ' ');
  return plain.trim().slice(0, length).trim();
}
