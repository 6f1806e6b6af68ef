// Reads JSON with comments and trailing commas into a tree with places.
import { type Node as JsonNode, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { MAX_DEPTH, type MapEntry, type Node } from './node.ts';
import type { Report } from './report.ts';
import { findUnseen, nameCharacter, quote, type SourceText, type Span } from './text.ts';

const MAX_SYNTAX_ERRORS = 20;
const UNNAMED = ['This is not JSON.', 'Compare the line with the ones around it.'] as const;

/** Messages and remedies for the error codes of jsonc-parser. */
const SYNTAX: ReadonlyMap<string, readonly [message: string, remedy: string]> = new Map([
  ['InvalidSymbol', ['This is not JSON.', 'Put strings and keys in double quotes.']],
  ['InvalidNumberFormat', ['This is not a number.', 'Write it as 1, -1 or 1.5.']],
  ['PropertyNameExpected', ['A key in double quotes is expected here.', 'Put the key in double quotes.']],
  ['ValueExpected', ['A value is expected here.', 'Write the value, or remove the key or comma before it.']],
  ['ColonExpected', ['A colon is expected here.', 'Write a colon between the key and its value.']],
  ['CommaExpected', ['A comma is expected before this.', 'Write a comma between this and what comes before.']],
  ['CloseBraceExpected', ['A closing brace is missing.', 'Close the object with }.']],
  ['CloseBracketExpected', ['A closing bracket is missing.', 'Close the list with ].']],
  ['EndOfFileExpected', ['The file should end here.', 'Keep one object in the file and remove everything after it.']],
  ['InvalidCommentToken', ['This comment is not complete.', 'Write // for a line or /* … */.']],
  ['UnexpectedEndOfComment', ['A comment is not closed.', 'Close it with */.']],
  [
    'UnexpectedEndOfString',
    ['A string is not closed on its line.', 'Close it with a double quote; write a line end in it as \\n.'],
  ],
  ['UnexpectedEndOfNumber', ['A number is not complete.', 'Write the digits that are missing.']],
  ['InvalidUnicode', ['This \\u escape is not complete.', 'Write \\u and four hexadecimal digits.']],
  ['InvalidEscapeCharacter', ['This escape does not exist in JSON.', 'Write a backslash as \\\\.']],
  ['InvalidCharacter', ['A string may not contain this character.', 'Remove it or write it as an escape.']],
]);

/** Reads a JSON text. Never throws. With a syntax error, the tree has the part that could be read. Otherwise null. */
export function parseJson(source: SourceText, report: Report): Node | null {
  const errors: ParseError[] = [];
  let root: JsonNode | undefined;
  try {
    root = parseTree(source.text, errors, { allowTrailingComma: true, disallowComments: false });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reportDepth(report, { start: 0, end: 1 });
    return null;
  }
  for (const error of errors.slice(0, MAX_SYNTAX_ERRORS)) {
    const [message, remedy] = SYNTAX.get(printParseErrorCode(error.error)) ?? UNNAMED;
    report('E_JSON_SYNTAX', message, remedy, { start: error.offset, end: error.offset + Math.max(1, error.length) });
  }
  return root === undefined ? null : convert(root, source.text, report, 0);
}

function reportDepth(report: Report, span: Span): void {
  report('E_TOO_DEEP', `Values are nested more than ${MAX_DEPTH} deep.`, 'A settings file needs three levels.', span);
}

function convert(node: JsonNode, text: string, report: Report, depth: number): Node | null {
  const span = { start: node.offset, end: node.offset + node.length };
  if (depth > MAX_DEPTH) {
    reportDepth(report, span);
    return null;
  }
  switch (node.type) {
    case 'object':
      return { kind: 'map', entries: convertEntries(node, text, report, depth), span };
    case 'array': {
      const items = (node.children ?? []).map((child) => convert(child, text, report, depth + 1));
      return { kind: 'list', items: items.filter((item) => item !== null), span };
    }
    case 'string':
      return convertText(String(node.value), span, report);
    case 'number':
    case 'boolean':
    case 'null':
      return { kind: node.type, shown: text.slice(span.start, span.end), span };
    default:
      return null;
  }
}

function convertEntries(node: JsonNode, text: string, report: Report, depth: number): MapEntry[] {
  const entries: MapEntry[] = [];
  const usedKeys = new Set<string>();
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key === undefined) continue;
    const keySpan = { start: key.offset, end: key.offset + key.length };
    const name = String(key.value);
    if (usedKeys.has(name))
      report('E_DUPLICATE_KEY', `The key ${quote(name)} appears here for the second time.`, 'Combine both into one.', keySpan);
    usedKeys.add(name);
    const converted = value === undefined ? null : convert(value, text, report, depth + 1);
    if (converted !== null) entries.push({ key: name, keySpan, value: converted });
  }
  return entries;
}

function convertText(value: string, span: Span, report: Report): Node {
  const unseen = findUnseen(value);
  if (unseen >= 0) {
    const message = `This text contains the invisible character ${nameCharacter(value, unseen)}.`;
    report('E_CONTROL_CHARACTER', message, 'Remove the character or its escape.', span);
  }
  return { kind: 'text', value, span };
}
