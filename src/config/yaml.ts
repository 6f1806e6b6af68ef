// Reads YAML 1.2 core into a tree with places. Aliases, anchors, tags and directives are errors, since modes.yaml does not need
// them.
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  Parser,
  type Node as YamlNode,
} from 'yaml';
import { MAX_DEPTH, type MapEntry, type Node } from './node.ts';
import type { Report } from './report.ts';
import { findUnseen, nameCharacter, quote, type SourceText, type Span } from './text.ts';

const MAX_SYNTAX_ERRORS = 20;
const NO_TAGS = 'Tags are not used in this file.';
const NO_TAG = 'Remove the tag; put a string in quotes.';
const SYNTAX_REMEDY = 'Compare the indentation and punctuation of this line with those around it.';

/** Remedies for errors of the library, by code. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  ['TAB_AS_INDENT', 'Indent with spaces.'],
  ['MULTIPLE_DOCS', 'Keep one document in the file: remove the line --- and everything after it.'],
  ['BLOCK_AS_IMPLICIT_KEY', 'Put the text in quotes, or write it on separate lines after "|".'],
  ['MULTILINE_IMPLICIT_KEY', 'Put the text in quotes, or write it on separate lines after "|".'],
  ['MISSING_CHAR', 'Close the quote, bracket or brace, and put a space after a colon.'],
  ['BAD_INDENT', 'Indent this line like the lines around it, and close every quote, bracket and brace.'],
]);

/** Reads a YAML text. Never throws. With a syntax error the tree is null, because indentation decides what belongs where. */
export function parseYaml(source: SourceText, report: Report): Node | null {
  const unseen = findUnseen(source.text);
  if (unseen >= 0) {
    const message = `The file contains the invisible character ${nameCharacter(source.text, unseen)}.`;
    report('E_CONTROL_CHARACTER', message, 'Remove the character.', { start: unseen, end: unseen + 1 });
    return null;
  }
  const document = compose(source, report);
  if (document === null) return null;
  refuseDirectives(source, document, report);
  for (const error of [...document.errors, ...document.warnings].slice(0, MAX_SYNTAX_ERRORS)) {
    if (error.code === 'BAD_DIRECTIVE') continue;
    if (error.code === 'TAG_RESOLVE_FAILED') {
      // An incomplete tag has no node, so it is reported here. All others are reported with their node.
      if (error.message.includes('has no suffix'))
        report('E_YAML_FEATURE', NO_TAGS, NO_TAG, { start: error.pos[0], end: error.pos[1] });
      continue;
    }
    const remedy = REMEDIES.get(error.code) ?? SYNTAX_REMEDY;
    report('E_YAML_SYNTAX', `${error.message.replace(/\s+/g, ' ')}.`, remedy, { start: error.pos[0], end: error.pos[1] });
  }
  const contents = document.contents as YamlNode | null;
  const whole = { start: 0, end: 1 };
  const node = contents === null ? toNull(whole) : convert(contents, report, 0, whole);
  return document.errors.length === 0 ? node : null;
}

/** The library's own pipeline. It stops early if a hostile text would make it slow or overflow the stack. */
function compose(source: SourceText, report: Report): Document.Parsed | null {
  const parser = new Parser();
  const tokens: CST.Token[] = [];
  let errors = 0;
  for (const lexeme of new Lexer().lex(source.text)) {
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') errors++;
    }
    if (parser.stack.length > 2 * MAX_DEPTH) {
      report('E_TOO_DEEP', `Values are nested more than ${MAX_DEPTH} deep.`, 'modes.yaml needs five levels.', {
        start: parser.offset,
        end: parser.offset + 1,
      });
      return null;
    }
    if (errors > MAX_SYNTAX_ERRORS) break;
  }
  for (const token of parser.end()) tokens.push(token);
  const composer = new Composer({
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    strict: true,
    prettyErrors: false,
  });
  let first: Document.Parsed | null = null;
  for (const document of composer.compose(tokens, true, source.text.length)) {
    if (first === null) first = document as Document.Parsed;
    else {
      const start = document.range?.[0] ?? 0;
      report('E_YAML_SYNTAX', 'A second document starts here.', REMEDIES.get('MULTIPLE_DOCS')!, { start, end: start + 1 });
      return first;
    }
  }
  return first;
}

function refuseDirectives(source: SourceText, document: Document.Parsed, report: Report): void {
  const directive = /^%.*$/m.exec(source.text);
  const explicit =
    document.directives.yaml.explicit ||
    Object.keys(document.directives.tags).length > 1 ||
    document.warnings.some((warning) => warning.code === 'BAD_DIRECTIVE');
  if (!explicit) return;
  const start = directive?.index ?? 0;
  report('E_YAML_FEATURE', 'Directives are not used in this file.', 'Remove the line; the file is read as YAML 1.2.', {
    start,
    end: start + (directive?.[0].length ?? 1),
  });
}

function toNull(span: Span): Node {
  return { kind: 'null', shown: 'null', span };
}

function convert(node: YamlNode | null, report: Report, depth: number, fallback: Span): Node | null {
  if (node === null) return toNull(fallback);
  const span = node.range ? { start: node.range[0], end: node.range[1] } : fallback;
  if (depth > MAX_DEPTH) {
    report('E_TOO_DEEP', `Values are nested more than ${MAX_DEPTH} deep.`, 'modes.yaml needs five levels.', span);
    return null;
  }
  if (isAlias(node)) {
    report('E_YAML_FEATURE', 'Aliases are not used in this file.', 'Remove it, and write the value out.', span);
    return null;
  }
  if ('anchor' in node && node.anchor)
    report('E_YAML_FEATURE', 'Anchors are not used in this file.', `Remove &${node.anchor}.`, span);
  if (node.tag) report('E_YAML_FEATURE', NO_TAGS, NO_TAG, span);
  if (isMap(node)) return { kind: 'map', entries: convertEntries(node.items as PairLike[], report, depth, span), span };
  if (isSeq(node)) {
    const items = node.items.map((item) => convert(item as YamlNode | null, report, depth + 1, span));
    return { kind: 'list', items: items.filter((item) => item !== null), span };
  }
  if (!isScalar(node)) return null;
  return convertScalar(node.value, String(node.source ?? node.value), span, report);
}

interface PairLike {
  key: YamlNode | null;
  value: YamlNode | null;
}

function convertScalar(value: unknown, shown: string, span: Span, report: Report): Node {
  if (value === null) return toNull(span);
  if (typeof value !== 'string') return { kind: typeof value === 'boolean' ? 'boolean' : 'number', shown, span };
  const unseen = findUnseen(value);
  if (unseen >= 0) {
    const message = `This text contains the invisible character ${nameCharacter(value, unseen)}.`;
    report('E_CONTROL_CHARACTER', message, 'Remove the character or its escape.', span);
  }
  return { kind: 'text', value, span };
}

function convertEntries(pairs: readonly PairLike[], report: Report, depth: number, fallback: Span): MapEntry[] {
  const entries: MapEntry[] = [];
  const usedKeys = new Set<string>();
  for (const pair of pairs) {
    const keyNode = convert(pair.key, report, depth + 1, fallback);
    if (keyNode === null) continue;
    const keySpan = keyNode.span;
    const key = readKey(keyNode, isCollection(pair.key), report);
    if (usedKeys.has(key))
      report('E_DUPLICATE_KEY', `The key ${quote(key)} appears here for the second time.`, 'Combine both into one.', keySpan);
    usedKeys.add(key);
    const value = convert(pair.value, report, depth + 1, keySpan);
    if (value === null) continue;
    // A missing value has no width of its own, so the place of the key is used.
    const absent = value.kind === 'null' && value.span.start === value.span.end;
    entries.push({ key, keySpan, value: absent ? toNull(keySpan) : value });
  }
  return entries;
}

function readKey(node: Node, collection: boolean, report: Report): string {
  if (node.kind === 'text') return node.value;
  const shown = node.kind === 'map' || node.kind === 'list' ? '' : node.shown;
  const remedy = collection ? 'Write one word as the key.' : `Put it in quotes if it is a name: "${shown}".`;
  report('E_KEY_NOT_TEXT', `A key must be a string, not ${collection ? 'a collection' : shown}.`, remedy, node.span);
  return shown;
}
