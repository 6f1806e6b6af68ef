// A question to the person at the keyboard, raised while a typed command is being answered.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Place } from '../tools/place.ts';
import { findForeign } from './foreign.ts';

/** Milliseconds; shorter than the hook's own limit, after which the client would send the command to the model. */
const patience = 540_000;

export type Confirmation = { confirmed: true } | { confirmed: false; why: string };

/**
 * Asks for a deliberate yes: a required tick without a default. Everything but an accept with the tick is a no, and so is a
 * client without dialogs, a settings file with a hook that could answer, and a cancelled request.
 */
export async function confirm(
  server: Server,
  place: Place,
  signal: AbortSignal,
  message: string,
  label: string,
): Promise<Confirmation> {
  const before = refuseForeign(place);
  if (before !== null) return before;
  if (server.getClientCapabilities()?.elicitation === undefined)
    return no('this client shows no dialogs. Run the command of the same name in a terminal: modes.');
  try {
    const answer = await server.elicitInput(
      {
        message,
        requestedSchema: {
          type: 'object',
          properties: { confirm: { type: 'boolean', title: label, description: 'Space ticks, Enter goes on.' } },
          required: ['confirm'],
        },
      },
      { timeout: patience, signal },
    );
    if (signal.aborted) return no('the question was withdrawn.');
    // What was written while the question stood may have answered it.
    if (answer.action === 'accept' && answer.content?.confirm === true) return refuseForeign(place) ?? { confirmed: true };
    return no(answer.action === 'cancel' ? 'nobody answered.' : 'it was declined.');
  } catch (error) {
    return no(`the question was not answered: ${(error as Error).message}.`);
  }
}

function refuseForeign(place: Place): Confirmation | null {
  const [found] = findForeign(place);
  return found === undefined ? null : no(`${found.file} has ${found.what}. Remove it and start again.`);
}

function no(why: string): Confirmation {
  return { confirmed: false, why };
}
