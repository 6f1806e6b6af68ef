// The input of a typed command that adds permissions, and how it asks the person.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Problem } from '../../../model/problem.ts';
import type { Asker } from '../../../workflow/mode-transitions.ts';
import type { CallerProject } from '../../../workflow/project.ts';
import type { ChannelIntegrity } from '../channel-integrity.ts';
import { type Confirmation, confirm, type Detail, type Question } from '../dialog.ts';

/** The instruction for a headless session. */
export const atTerminal = 'Type it in a session on a terminal.';

export interface TypedRequest {
  project: CallerProject;
  asker: Asker;
  /** Asks the person. `instead` is the instruction for a headless session. */
  ask(message: string, label: string, instead: string, details?: readonly Detail[]): Promise<Confirmation>;
}

export interface Dialogs {
  server: Server;
  integrity: ChannelIntegrity;
  signal: AbortSignal;
  headless: boolean;
}

/** Asks in a dialog. In a headless session it only returns the instruction. */
export async function askPerson(
  { server, integrity: channelIntegrity, signal, headless }: Dialogs,
  question: Question,
  instead: string,
  limit?: number,
): Promise<Confirmation> {
  if (headless) return { confirmed: false, why: `this session is not interactive. ${instead}` };
  return confirm(server, channelIntegrity, signal, question, limit);
}

export const unknownMode = 'The mode is unknown: set it with /modes:mode NAME first.';

/** Maximum characters of an answer; the client truncates at 10,000. */
export const longestAnswer = 9_000;

/** The problems of a configuration, one per line. */
export const problemsText = (project: CallerProject): string => problemLines(project.problems());

export function problemLines(problems: readonly Problem[]): string {
  return problems
    .map(
      ({ code, message, file, line, column, remedy }) => `${file ?? ''}:${line ?? 1}:${column ?? 1} ${code} ${message} ${remedy}`,
    )
    .join('\n');
}
