// Converts the client's report on the end of a Bash call to an `Ending`.
import * as z from 'zod/mini';
import { maybeText } from '../../facts/call.ts';
import type { Ending } from '../../workflow/gates/runs.ts';

/** Fields of a hook event are strings: an object as JSON text, a missing one as ''. */
export type MessageFields = Record<string, string>;

/** The ending that a PostToolUse or PostToolUseFailure of Bash reports, and the output. */
export function readResult(fields: MessageFields): { ending: Ending; output: string } {
  return fields.hook_event_name === 'PostToolUse' ? readSuccess(fields) : readFailure(fields);
}

const bashCommand = z.object({ command: z.string() });
const bashInput = z.object({ run_in_background: z.optional(z.unknown()) });
const bashResponse = z.object({
  stdout: maybeText,
  stderr: maybeText,
  interrupted: z.optional(z.unknown()),
  backgroundTaskId: z.optional(z.unknown()),
  returnCodeInterpretation: z.optional(z.unknown()),
});

/** The command in a Bash event; null if it has none. */
export function commandOf(fields: MessageFields): string | null {
  return jsonOf(bashCommand, fields.tool_input)?.command ?? null;
}

/** Whether a Bash event is about a call that the agent starts in the background. */
export function isInBackground(fields: MessageFields): boolean {
  const asked = jsonOf(bashInput, fields.tool_input)?.run_in_background;
  return asked !== undefined && asked !== false;
}

function readSuccess(fields: MessageFields): { ending: Ending; output: string } {
  const response = jsonOf(bashResponse, fields.tool_response);
  if (response === null) return { ending: { how: 'void', why: 'the result of the client cannot be read' }, output: '' };
  const { stdout, stderr, interrupted, backgroundTaskId, returnCodeInterpretation: meaning } = response;
  const output = [stdout, stderr].filter((part) => part !== null && part !== '').join('\n');
  if (interrupted !== false) return { ending: { how: 'interrupted' }, output };
  if (backgroundTaskId !== undefined || isInBackground(fields)) return { ending: { how: 'background' }, output };
  if (meaning !== undefined) return { ending: { how: 'interpreted', meaning: String(meaning) }, output };
  return { ending: { how: 'passed' }, output };
}

/** `Exit code N`, then the output. A run over its time limit has a separate line about it. */
function readFailure({ error = '', is_interrupt: interrupted = '' }: MessageFields): { ending: Ending; output: string } {
  const [head = '', ...rest] = error.split('\n');
  const output = rest.join('\n');
  if (interrupted === 'true') return { ending: { how: 'interrupted' }, output };
  const [, code] = /^Exit code (\d{1,3})$/.exec(head) ?? [];
  if (code === undefined) return { ending: { how: 'void', why: 'the call failed without running' }, output: error };
  if (/^Command timed out after /m.test(output)) return { ending: { how: 'timeout' }, output };
  const exitCode = Number(code);
  return { ending: exitCode === 0 ? { how: 'void', why: 'it failed with exit code 0' } : { how: 'failed', exitCode }, output };
}

/** The value in a JSON text; null if it has another shape. */
export function jsonOf<Schema extends z.ZodMiniType>(schema: Schema, text: string | undefined): z.output<Schema> | null {
  let value: unknown;
  try {
    value = JSON.parse(text ?? '');
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  const { success, data } = z.safeParse(schema, value);
  return success ? data : null;
}
