// Documents as the JSON bytes that a policy's parser takes.
import { EvaluationError } from './fault.ts';

/** Deeper documents would exhaust the stack inside the evaluator, which does not notice. */
const MAX_DEPTH = 128;

/** JSON.stringify writes a lone surrogate as an escape, which the policy's parser refuses. After an odd run of backslashes it is text. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** JSON of a document, lone surrogates replaced as a file system replaces them. */
function toJsonText(document: object): string {
  return wellFormed(JSON.stringify(document));
}

/** JSON without lone surrogates. */
export function wellFormed(json: string): string {
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\ufffd') : json;
}

/** The same in a buffer of exactly its size. */
export function toJsonBytes(document: object): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(toJsonText(document));
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** Whether a value is nested deeper than `levels`. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((item) => isDeeper(item, levels - 1));
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/**
 * Refuses a document that is nested too deeply.
 * @throws {EvaluationError} `E_POLICY_INPUT`
 */
export function refuseDepth(document: object): void {
  if (isDeeper(document, MAX_DEPTH)) {
    throw new EvaluationError('E_POLICY_INPUT', `the document is nested more than ${MAX_DEPTH} deep`);
  }
}

/** Refuses what would reach the policy as no input at all: what is falsy, a text or bytes. Of facts, only the tool's input is not ours. */
function refuseInput(input: object): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || ArrayBuffer.isView(input)) {
    throw new EvaluationError('E_POLICY_INPUT', 'the input is not an object');
  }
  const { tool } = input as { tool?: { input?: object } };
  refuseDepth(typeof tool === 'object' && tool !== null ? (tool.input ?? {}) : input);
}

/**
 * Like `toJsonBytes`, for documents that come from outside.
 * @throws {EvaluationError} `E_POLICY_INPUT` when nested too deeply
 */
export function encodeDocument(document: object): Uint8Array<ArrayBuffer> {
  refuseDepth(document);
  return toJsonBytes(document);
}

/**
 * An input document, such as the facts of a call, as text; or what is cut out of it.
 * @throws {EvaluationError} `E_POLICY_INPUT` when it is no object, or nested too deeply
 */
export function inputText(input: object, cut: (input: object) => object = (whole) => whole): string {
  refuseInput(input);
  return toJsonText(cut(input));
}
