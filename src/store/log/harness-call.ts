// A call as another harness named it. The log keeps it with an ask, so that a person can grant exactly this call.

import crypto from 'node:crypto';
import { isObject } from '../../platform/json-object.ts';

/** A call as the harness named it. An adapter adds it to the event that it passes to the one-shot process. */
export interface HarnessCall {
  /** Identifies the call, so that the same call can be made again: its tool, its input and its folder. */
  call: string;
  /** Identifies this attempt. */
  attempt: string;
  /** The folder of the event. */
  folder: string;
  tool: string;
  /** null: too long for the log. */
  input: Record<string, unknown> | null;
}

/** The field of the event that has it. */
export const harnessCallField = 'harness_call';

/** The call of an event; null if it has none. */
export function harnessCallOf(event: Record<string, unknown>): HarnessCall | null {
  const found = event[harnessCallField];
  if (!isObject(found)) return null;
  const { call, attempt, folder, tool, input } = found;
  const isWhole =
    [call, attempt, folder, tool].every((text) => typeof text === 'string' && text !== '') && (input === null || isObject(input));
  return isWhole ? (found as unknown as HarnessCall) : null;
}

/** Identifies what was asked: the reason, and the subagent that made the call. A grant answers this ask only. */
export function askId(by: string, reason: string, agent: unknown): string {
  const asked = JSON.stringify([by, reason, typeof agent === 'string' ? agent : '']);
  return crypto.createHash('sha256').update(asked).digest('hex').slice(0, 16);
}
