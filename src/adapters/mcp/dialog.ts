// A question to the person at the keyboard, raised while a typed command is being answered.
import type { Server, ServerOptions } from '@modelcontextprotocol/sdk/server/index.js';
import { showInLine, showUnseen } from '../../config/text.ts';
import type { ChannelIntegrity } from './channel-integrity.ts';

/** Milliseconds. Shorter than the hook's own limit, after which the client would send the command to the model. */
const patience = 540_000;

/** A question to the user. */
export interface Question {
  /** The client shows at most four rows of it. */
  message: string;
  /** The text of the checkbox that approves. The client shows at most 48 characters of it. */
  label: string;
  /** The complete text that the user reads before approving. */
  details?: readonly Detail[] | undefined;
}

export interface Detail {
  /** One word. */
  title: string;
  lines: readonly string[];
}

export type Confirmation = { confirmed: true } | { confirmed: false; why: string };

/**
 * Asks for an explicit approval with a required checkbox that has no default. Only a submitted form with the checkbox ticked
 * approves. The request is refused if the client has no dialogs, if a hook in a settings file could answer, or if the user
 * cancels.
 */
export async function confirm(
  server: Server,
  channelIntegrity: ChannelIntegrity,
  signal: AbortSignal,
  { message, label, details = [] }: Question,
  limit = patience,
): Promise<Confirmation> {
  const before = refuseForeign(channelIntegrity);
  if (before !== null) return before;
  if (server.getClientCapabilities()?.elicitation === undefined)
    return no('this client shows no dialogs. Run the command of the same name in a terminal: modes.');
  try {
    const answer = await server.elicitInput(
      {
        message: showUnseen(message),
        requestedSchema: {
          type: 'object',
          properties: {
            ...detailFields(details),
            confirm: { type: 'boolean', title: showUnseen(label), description: 'Space selects, Enter continues.' },
          },
          required: ['confirm'],
        },
      },
      { timeout: limit, signal },
    );
    if (signal.aborted) return no('the question was withdrawn.');
    // A hook that was written while the question was open may have answered it.
    if (answer.action === 'accept' && answer.content?.confirm === true)
      return refuseForeign(channelIntegrity) ?? { confirmed: true };
    return no(answer.action === 'cancel' ? 'nobody answered.' : 'it was declined.');
  } catch (error) {
    return no(`the question was not answered: ${(error as Error).message}.`);
  }
}

/** Characters of a row that fit into a terminal of 80 columns, beside the title. */
const maxRow = 60;

/**
 * Fields before the checkbox, which a person reads and passes with Enter. The client cuts long messages and descriptions, but it
 * scrolls through fields. Each field has two rows: its only choice, and its description.
 */
function detailFields(details: readonly Detail[]) {
  const fields = details.flatMap(({ title, lines }) => {
    const rows = lines.flatMap((line) => wrapped(showInLine(line)));
    const pairs = rows.filter((_, at) => at % 2 === 0).map((row, at) => [row, rows[2 * at + 1] ?? ''] as const);
    return pairs.map(([row, next]) => ({ type: 'string' as const, title, enum: [row], default: row, description: next }));
  });
  return Object.fromEntries(fields.map((field, at) => [`row${at + 1}`, field]));
}

/** Breaks a line at blanks. A longer word is broken anywhere. */
function wrapped(line: string): string[] {
  const rows: string[] = [];
  let rest = line;
  while (rest.length > maxRow) {
    const blank = rest.lastIndexOf(' ', maxRow);
    const end = blank > maxRow / 2 ? blank : maxRow;
    rows.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return rest === '' ? rows : [...rows, rest];
}

/**
 * The form of an answer to `confirm`. The SDK's own validator accepts any schema, but loading it takes a tenth of the server's
 * start time.
 */
export const formValidator: NonNullable<ServerOptions['jsonSchemaValidator']> = {
  getValidator: <T>({ required = [] }: { required?: readonly string[] }) => {
    const isTick = (content: unknown, name: string): boolean =>
      typeof content === 'object' && content !== null && typeof (content as Record<string, unknown>)[name] === 'boolean';
    return (content: unknown) => {
      const missing = required.find((name) => !isTick(content, name));
      return missing === undefined
        ? { valid: true, data: content as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: `${missing} must be true or false` };
    };
  },
};

function refuseForeign(channelIntegrity: ChannelIntegrity): Confirmation | null {
  const finding = channelIntegrity.ended();
  return finding === null ? null : no(`${finding.file}:${finding.line} has ${finding.what}. ${finding.means} ${finding.remedy}`);
}

function no(why: string): Confirmation {
  return { confirmed: false, why };
}
