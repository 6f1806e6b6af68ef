// A path pattern → the cheapest exact look-up: a key, a key below a folder, or an expression with literal guards.

import { pathKey } from '../facts/paths/keys.ts';
import type { OutsideRule, PathPattern, Segment } from '../model/rule.ts';
import type { OutsideTable, PathTables } from './index-data.ts';
import { literalOf, pathExpression, toRegExp } from './regex.ts';
import { add, dictionary, push } from './tables.ts';

/** The components before the first wildcard, or all components if there is none. */
function literalLead(pattern: PathPattern): string[] {
  if (pattern.floating) return [];
  const wild = pattern.segments.findIndex((segment) => segment.kind !== 'literal');
  const lead = wild === -1 ? pattern.segments : pattern.segments.slice(0, wild);
  return lead.map((segment) => (segment as { text: string }).text);
}

/** The folder before the first wildcard, or the whole pattern if it has none. */
export function literalFolder(pattern: PathPattern): string {
  return joinName(pattern, literalLead(pattern));
}

function joinName({ base }: PathPattern, parts: string[]): string {
  return base === 'absolute' ? `/${parts.join('/')}` : parts.join('/');
}

/** Adds one pattern of a rule. */
export function addPath(tables: PathTables, pattern: PathPattern, id: string): void {
  const lead = literalLead(pattern);
  if (!pattern.floating && lead.length === pattern.segments.length) {
    const path = joinName(pattern, lead);
    push(tables, 'keys', pathKey.under(path), id);
    if (!pattern.strict) push(tables, 'keys', pathKey.whole(path), id);
    return;
  }
  if (pattern.base === 'root') {
    const rest = pattern.segments.slice(lead.length);
    const [first, last] = rest;
    if (pattern.floating && rest.length === 1 && first !== undefined) {
      const key = componentKey(first, pattern.strict);
      if (key !== null) {
        push(tables, 'keys', key, id);
        return;
      }
    }
    if (lead.length > 0 && rest.length === 2 && first?.kind === 'any-depth' && last !== undefined) {
      const key = componentKey(last, pattern.strict);
      // If the folder's own path had the key, the key would not prove that a match is below the folder.
      if (key !== null && !lead.some((part) => keysOfPart(part).includes(key))) {
        tables.within ??= dictionary();
        const folder = pathKey.under(joinName(pattern, lead));
        tables.within[folder] ??= dictionary();
        add(tables.within[folder], key, id);
        return;
      }
    }
  }
  const expression = pathExpression(pattern);
  toRegExp(expression);
  tables.guarded ??= dictionary();
  const folder = pathKey.under(joinName(pattern, lead));
  tables.guarded[folder] ??= [];
  tables.guarded[folder].push({ id, has: literalOf(pattern.segments.slice(lead.length)), expression });
}

/** The tables of a rule that lists the only files that may be written. */
export function lowerOutside({ id, paths, expressions }: OutsideRule): OutsideTable {
  const tables: PathTables = {};
  for (const pattern of paths) addPath(tables, pattern, id);
  const all = [...expressions, ...foldersOf(paths)];
  return { id, ...tables, ...(all.length > 0 && { expressions: all }) };
}

/** One expression for the folders of patterns such as `folder/**`: a call creates the folder before the first file in it. */
function foldersOf(paths: readonly PathPattern[]): string[] {
  const folders = paths.filter(({ strict, base, segments }) => strict && base === 'root' && segments.length > 0);
  const found = [...new Set(folders.map((pattern) => pathExpression({ ...pattern, strict: false })))];
  return found.length === 0 ? [] : [found.join('|')];
}

/** The look-up key for a component like this, or null if there is none. */
function componentKey(segment: Segment, strict: boolean): string | null {
  if (segment.kind === 'literal') return strict ? pathKey.folder(segment.text) : pathKey.part(segment.text);
  if (segment.kind !== 'glob' || strict) return null;
  const [star, text] = segment.pieces;
  return segment.pieces.length === 2 && star?.kind === 'star' && text?.kind === 'text' && text.text.startsWith('.')
    ? pathKey.suffix(text.text)
    : null;
}

function keysOfPart(part: string): string[] {
  const suffixes = [...part].flatMap((char, at) => (char === '.' ? [pathKey.suffix([...part].slice(at).join(''))] : []));
  return [pathKey.part(part), pathKey.folder(part), ...suffixes];
}
