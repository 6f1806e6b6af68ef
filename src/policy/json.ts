// Documents as the JSON bytes that a policy's parser takes.
import { EvaluationError } from './fault.ts';

/** Deeper documents would exhaust the stack inside the evaluator, which does not notice. */
const MAX_DEPTH = 128;

/** JSON.stringify writes a lone surrogate as an escape, which the policy's parser refuses. After an odd run of backslashes it is text. */
const LONE_SURROGATE = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

/** JSON of a document, lone surrogates replaced as a file system replaces them, in a buffer of exactly its size. */
export function toJsonBytes(document: object): Uint8Array<ArrayBuffer> {
  const json = JSON.stringify(document);
  const text = json.includes('\\ud') ? json.replace(LONE_SURROGATE, '$1\ufffd') : json;
  const bytes = new TextEncoder().encode(text);
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
 * Like `toJsonBytes`, for documents that come from outside.
 * @throws {EvaluationError} `E_POLICY_INPUT` when nested too deeply
 */
export function encodeDocument(document: object): Uint8Array<ArrayBuffer> {
  if (isDeeper(document, MAX_DEPTH)) {
    throw new EvaluationError('E_POLICY_INPUT', `the document is nested more than ${MAX_DEPTH} deep`);
  }
  return toJsonBytes(document);
}

/**
 * An input document as bytes. What is falsy, a text or bytes would reach the policy as no input at all.
 * @throws {EvaluationError} `E_POLICY_INPUT` when it is no object, or nested too deeply
 */
export function encodeInput(input: object): Uint8Array<ArrayBuffer> {
  if (typeof input !== 'object' || input === null || Array.isArray(input) || ArrayBuffer.isView(input)) {
    throw new EvaluationError('E_POLICY_INPUT', 'the input is not an object');
  }
  return encodeDocument(input);
}

/**
 * The facts of a call as bytes. Their only part that is not ours, and so of any depth, is the tool's input.
 * @throws {EvaluationError} `E_POLICY_INPUT` when they are none, or nested too deeply
 */
export function encodeFacts(facts: object): Uint8Array<ArrayBuffer> {
  const { tool } = facts as { tool?: { input?: unknown } };
  if (typeof tool !== 'object' || tool === null) return encodeInput(facts);
  const { input } = tool;
  // Only the tool's own input comes from outside; lean facts are without it.
  if (input !== undefined && (typeof input !== 'object' || input === null || isDeeper(input, MAX_DEPTH)))
    return encodeInput(facts);
  return toJsonBytes(facts);
}
