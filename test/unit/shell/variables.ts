// Variables that must not be set, and what the expressions that judge them forbid, one alternative after the other.
import { readFileSync } from 'node:fs';

/** Variables that must not be set, in one list. */
export const forbiddenVariables = (): string[] =>
  readFileSync(new URL('variables.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter((name) => name !== '');

const ASSIGNMENTS = new URL('../../../src/shell/assignments.ts', import.meta.url);

/** The expressions by which assignments are judged, by name. */
function variableExpressions(): Map<string, string> {
  const text = readFileSync(ASSIGNMENTS, 'utf8');
  return new Map([...text.matchAll(/const (\w+) =\s*\/(.+)\/;/g)].map((m) => [m[1]!, m[2]!]));
}

/** Cuts an expression at the bars of one depth of brackets. */
function cut(text: string, at: number): { from: number; to: number }[] {
  const out: { from: number; to: number }[] = [];
  let depth = 0;
  let from = at === 0 ? 0 : -1;
  for (let i = 0; i <= text.length; i++) {
    const c = text[i];
    if (c === '\\') i++;
    else if (c === '[') i = text.indexOf(']', i);
    else if (c === '(') {
      depth++;
      if (depth === at) from = i + 3;
    } else if (c === undefined || (depth === at && (c === '|' || c === ')'))) {
      if (from >= 0 && i > from && (at > 0 ? c !== undefined : true)) out.push({ from, to: i });
      from = c === '|' ? i + 1 : -1;
      if (c === ')') depth--;
    } else if (c === ')') depth--;
  }
  return out;
}

/** A name that an alternative matches. */
function sample(alternative: string): string {
  return alternative
    .replace(/\\w[+*]/g, 'Z')
    .replace(/\\d/g, '1')
    .replace(/\[A-Z\]\+/g, 'Z')
    .replace(/[$^]/g, '');
}

/** Each alternative of what must not be set: which names only it catches. */
export function variableRestrictions(): { what: string; caught(name: string): boolean; example: string }[] {
  const all = variableExpressions();
  const names = ['SHELL_VARIABLES', 'PROGRAM_VARIABLES', 'PAGERS'];
  const caughtBy = (expressions: string[]) => (name: string) => expressions.some((e) => new RegExp(e).test(name));
  const before = caughtBy(names.map((n) => all.get(n)!));
  return names.flatMap((which) => {
    const text = all.get(which)!;
    return cut(text, 1).flatMap(({ from, to }) => {
      const others = names.filter((n) => n !== which).map((n) => all.get(n)!);
      const after = caughtBy([...others, `${text.slice(0, from)}(?!)${text.slice(to)}`]);
      const caught = (name: string) => before(name) && !after(name);
      const base = sample(text.slice(from, to));
      const example = [base, `${base}_ZZ`, `ZZ${base}`].find(caught);
      // What others catch as well is said twice, and nobody can notice.
      return example === undefined ? [] : [{ what: `${which}: ${text.slice(from, to)}`, caught, example }];
    });
  });
}
