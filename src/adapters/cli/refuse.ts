// Prints the reason why a verb failed: as text on stderr, or with --json as one shape on stdout
// (schemas/output/error.schema.json).

import { renderProblems } from '../../config/render.ts';
import type { Problem } from '../../model/problem.ts';
import { toJson } from './outputs/json.ts';
import { exits, type Terminal } from './terminal.ts';

/** Default remedies by error code: docs/errors.md. */
const remedies = {
  E_NO_MODES: 'Start a project with modes init.',
  E_USAGE: 'Run modes --help for the verbs, or modes VERB --help for their usage.',
  E_INPUT_TOO_LARGE: 'Name the right file.',
  E_INSIDE_CLIENT: 'Run it in your own terminal.',
  E_NOBODY: 'Run it in a terminal, or give the answer in advance.',
  E_DECLINED: 'Run it again, and confirm.',
  E_FORBIDDEN: "Ask the maintainer of the organization's teams.yaml.",
  E_OTHER_CONTENT: 'Run modes trust to see the changes, and give the hash that you reviewed.',
  E_NOT_FOUND: 'To see the known ones, run modes log or modes trust --list.',
  E_NOT_STOPPED: 'Run modes validate to see the errors.',
  E_IN_THE_WAY: 'Move, fix or add the file that the message names, or name another one.',
  E_SERVER_SILENT: 'Check with /mcp in the client that the server connects.',
  E_LOG_DAMAGED: 'Check the folder and the disk; decisions do not depend on the log.',
  E_DISK: 'Free some space, or check the write permissions, and run it again.',
  E_UNFORESEEN: 'Run modes doctor to check the installation. If it finds nothing, report your steps.',
} as const;

export type FailureCode = keyof typeof remedies;

export interface VerbFailure {
  message: string;
  /** One of docs/errors.md. */
  code: FailureCode | (string & {});
  /** The remedy for the user. Absent: the default remedy of the code. null: the message already contains it. */
  remedy?: string | null | undefined;
}

export const remedyOf = ({ code, remedy }: VerbFailure): string | undefined =>
  remedy ?? (Object.hasOwn(remedies, code) ? remedies[code as FailureCode] : undefined);

/** Prints the failure and returns the exit code. */
export function refuse(failure: VerbFailure, { json }: { json?: boolean | undefined }, terminal: Terminal): number {
  const { message, code } = failure;
  const remedy = remedyOf(failure);
  if (json) terminal.out(toJson<'error'>({ error: { code, message, remedy } }));
  else {
    const text = remedy === undefined || failure.remedy === null ? message : `${message} ${remedy}`;
    terminal.err(message.includes(code) ? text : `${text} (${code})`);
  }
  return exits.wrong;
}

/** The same for a configuration with errors: prints the first error, and all problems. */
export function refuseBroken(problems: readonly Problem[], { json }: { json?: boolean | undefined }, terminal: Terminal): number {
  const { code, message, remedy } = problems.find(({ severity }) => severity === 'error') ?? {
    code: 'E_NO_TOPOLOGY',
    message: 'The configuration cannot be used.',
  };
  if (json) terminal.out(toJson<'error'>({ error: { code, message, remedy, problems } }, 2));
  else terminal.err(renderProblems(problems, { colour: terminal.errColour ?? false }).trimEnd());
  return exits.wrong;
}
