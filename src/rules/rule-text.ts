// Parses and writes the text of a permission rule exactly as Claude Code does (2.1.332). Only this file knows the escapes.
//
// Claude Code splits a rule at the first ( and the last ) that are not escaped by a backslash. Inside, \( and \) are parentheses
// and \\ is a backslash. It writes a backslash before every backslash and parenthesis of a command or path.

/** The content of the parentheses, without the escapes. */
export interface RuleContent {
  text: string;
  /** For each offset in `text`, including its end, the offset in the rule. */
  places: readonly number[];
}

export type RuleParts =
  | { form: 'bare'; name: string }
  | { form: 'call'; name: string; nameEnd: number; content: RuleContent }
  /** Claude Code ignores such a rule. */
  | { form: 'malformed'; message: string; remedy: string; at: number };

/** Splits a rule at its parentheses and removes the escapes. The rule must have no surrounding blanks. */
export function readRuleText(rule: string): RuleParts {
  const open = firstUnescaped(rule, '(');
  const close = lastUnescaped(rule, ')');
  if (open === -1 && close === -1) return { form: 'bare', name: rule };
  if (open === -1) return malformed('a ) without its (', 'Write Tool or Tool(what).', close);
  const name = rule.slice(0, open);
  if (close !== rule.length - 1 || close < open)
    return malformed(
      'the rule does not end with )',
      rule.endsWith('\\)')
        ? 'The last ) has a backslash before it, so it is text. Add a ) to close the rule.'
        : 'Write Tool(what), with nothing after the last parenthesis.',
      open,
    );
  if (name.includes(')')) return malformed('a ) without its (', 'Write Tool or Tool(what).', name.indexOf(')'));
  const raw = rule.slice(open + 1, close);
  if (isAmbiguous(raw))
    return malformed(
      'some parentheses have a backslash before them and others do not, so Claude Code refuses the rule',
      'Write a backslash before every parenthesis inside the rule, or before none.',
      open + 1,
    );
  return { form: 'call', name, nameEnd: open, content: unescapeContent(raw, open + 1) };
}

/**
 * The rule for a tool and an exact content, such as a command or a path. Adds a backslash only where the parsed content would
 * otherwise differ. Claude Code itself adds one before every backslash and parenthesis.
 */
export function writeRuleText(name: string, content: string): string {
  const escaped = content.replace(isBalanced(content) ? /\\(?=[\\()]|$)/g : /\\(?=[\\()]|$)|[()]/g, '\\$&');
  return `${name}(${escaped})`;
}

function isBalanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if (char === '(') depth++;
    else if (char === ')' && --depth < 0) return false;
  }
  return depth === 0;
}

function malformed(message: string, remedy: string, at: number): RuleParts {
  return { form: 'malformed', message, remedy, at };
}

function unescapeContent(raw: string, start: number): RuleContent {
  let text = '';
  const places: number[] = [];
  for (let at = 0; at < raw.length; at++) {
    places.push(start + at);
    if (raw[at] === '\\' && /[\\()]/.test(raw[at + 1] ?? '')) at++;
    text += raw[at];
  }
  places.push(start + raw.length);
  return { text, places };
}

function isAmbiguous(raw: string): boolean {
  const count = (char: string): number => [...raw].filter((one, at) => one === char && !isEscaped(raw, at)).length;
  return /(?:^|[^\\])\\[()]/.test(raw) && count('(') !== count(')');
}

function firstUnescaped(text: string, char: string): number {
  let at = text.indexOf(char);
  while (at !== -1 && isEscaped(text, at)) at = text.indexOf(char, at + 1);
  return at;
}

function lastUnescaped(text: string, char: string): number {
  let at = text.lastIndexOf(char);
  while (at !== -1 && isEscaped(text, at)) at = text.lastIndexOf(char, at - 1);
  return at;
}

/** True if an odd number of backslashes precedes the character. */
export function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === '\\') backslashes++;
  return backslashes % 2 === 1;
}
