// Reads XML reports into plain objects.

import { XMLParser } from 'fast-xml-parser';
import type { Reading } from './reading.ts';

/** An element with its attributes as `@name` and its text as `#text`. */
export interface Element {
  [key: string]: unknown;
}

/** Elements that may occur several times. */
const lists = new Set([
  ...['testsuite', 'testcase', 'failure', 'error', 'skipped', 'warning'],
  ...['Results', 'UnitTestResult', 'InnerResults', 'TestDefinitions', 'UnitTest', 'TestMethod', 'ResultSummary', 'Counters'],
  ...['Output', 'ErrorInfo', 'Message'],
]);

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  parseTagValue: false,
  parseAttributeValue: false,
  // Decodes `&#10;`.
  htmlEntities: true,
  alwaysCreateTextNode: true,
  isArray: (name) => lists.has(name),
});

/** The document, or why it is no evidence. */
export function parseXml(text: string): { root: Element } | Extract<Reading, { refused: unknown }> {
  if (text.trim() === '') return { refused: 'empty' };
  // A document type can define entities, and no runner writes one.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) return { refused: 'damaged', detail: 'it has a document type' };
  try {
    return { root: parser.parse(text, true) as Element };
  } catch (error) {
    return { refused: 'damaged', detail: error instanceof Error ? error.message : String(error) };
  }
}

export function elements(parent: unknown, name: string): Element[] {
  const found = typeof parent === 'object' && parent !== null ? (parent as Element)[name] : undefined;
  return Array.isArray(found)
    ? found.map((one) => (typeof one === 'object' && one !== null ? one : { '#text': one }) as Element)
    : [];
}

/** The elements at the end of a path of names. */
export function elementsAt(parent: unknown, ...names: readonly string[]): Element[] {
  return names.reduce((found, name) => found.flatMap((one) => elements(one, name)), [parent as Element]);
}

export function attribute(element: Element | undefined, name: string): string {
  const value = element?.[`@${name}`];
  return typeof value === 'string' ? value : '';
}
