// All harnesses except the client itself.
import { codex } from './codex.ts';
import { copilot } from './copilot.ts';
import { cursor } from './cursor.ts';
import { gemini } from './gemini.ts';
import { generic } from './generic.ts';
import { opencode } from './opencode.ts';
import type { Harness } from './types.ts';

export const harnesses: ReadonlyMap<string, Harness> = new Map(
  [codex, gemini, cursor, opencode, copilot, generic].map((harness) => [harness.name, harness]),
);
