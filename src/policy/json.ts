// Documents as JSON bytes for the parser of a policy.
import { EvaluationError } from './fault.ts';

/** A deeper document would exhaust the stack inside the evaluator, which does not check for that. */
const MAX_DEPTH = 128;

/**
 * JSON.stringify writes a lone surrogate as an escape, which the policy's parser refuses. After an odd number of backslashes, it
 * is plain text.
 */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** JSON of a document. Lone surrogates are replaced in the same way as in names of files. */
function toJsonText(document: object): string {
  const json = JSON.stringify(document);
  return json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\ufffd') : json;
}

/** The same as bytes. */
export function toJsonBytes(document: object): Uint8Array<ArrayBuffer> {
  return encodeText(toJsonText(document));
}

/** UTF-8 in a buffer of exactly its size. */
export function encodeText(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new TextEncoder().encode(text);
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : bytes.slice();
}

/** True if a value is nested deeper than `levels`. */
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

/**
 * Refuses values that the policy would treat as a missing input: falsy values, texts and bytes. In the facts, only the tool's
 * input comes from outside.
 */
function refuseInput(input: object): void {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || ArrayBuffer.isView(input)) {
    throw new EvaluationError('E_POLICY_INPUT', 'the input is not an object');
  }
  const { tool } = input as { tool?: { input?: object } };
  refuseDepth(typeof tool === 'object' && tool !== null ? (tool.input ?? {}) : input);
}

/**
 * Like `toJsonBytes`, for documents from outside.
 * @throws {EvaluationError} `E_POLICY_INPUT` if it is nested too deeply
 */
export function encodeDocument(document: object): Uint8Array<ArrayBuffer> {
  refuseDepth(document);
  return toJsonBytes(document);
}

/**
 * An input document, such as the facts of a call, as text. `cut` selects the part that is needed.
 * @throws {EvaluationError} `E_POLICY_INPUT` if it is not an object, or nested too deeply
 */
export function inputText(input: object, cut: (input: object) => object = (whole) => whole): string {
  refuseInput(input);
  return toJsonText(cut(input));
}
