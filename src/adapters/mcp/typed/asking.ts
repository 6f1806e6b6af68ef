// What a typed command that widens is given, and how it asks.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Problem } from '../../../model/problem.ts';
import type { Asker } from '../../../workflow/moves.ts';
import type { CallerProject } from '../../../workflow/project.ts';
import { type Confirmation, confirm } from '../dialog.ts';
import type { Standing } from '../standing.ts';

/** What to do where nobody can be asked. */
export const atTerminal = 'Type it in a session on a terminal.';

export interface Asking {
  project: CallerProject;
  asker: Asker;
  /** Asks the person; `instead` says what to do where nobody can be asked. */
  ask(message: string, label: string, instead: string): Promise<Confirmation>;
}

export interface Dialogs {
  server: Server;
  standing: Standing;
  signal: AbortSignal;
  headless: boolean;
}

/** Asks in a dialog; where nobody sits, says what to do instead and asks nobody. */
export async function askPerson(
  { server, standing, signal, headless }: Dialogs,
  message: string,
  label: string,
  instead: string,
  limit?: number,
): Promise<Confirmation> {
  if (headless) return { confirmed: false, why: `nobody can be asked in this session. ${instead}` };
  return confirm(server, standing, signal, message, label, limit);
}

export const unknownMode = 'The mode is not known: name it with /modes:mode NAME first.';

/** Characters of an answer; the client cuts at 10,000. */
export const longestAnswer = 9_000;

/** The faults of a configuration, a line each. */
export const problemsText = (project: CallerProject): string => problemLines(project.problems());

export function problemLines(problems: readonly Problem[]): string {
  return problems
    .map(
      ({ code, message, file, line, column, remedy }) => `${file ?? ''}:${line ?? 1}:${column ?? 1} ${code} ${message} ${remedy}`,
    )
    .join('\n');
}
