// Prints why a verb gives no answer: for a person on stderr, with --json as one shape on stdout
// (schemas/output/error.schema.json).

import { renderProblems } from '../../config/render.ts';
import type { Problem } from '../../model/problem.ts';
import { exits, type Terminal } from './terminal.ts';

/** Default remedies by error code: docs/errors.md. */
const remedies = {
  E_NO_MODES: 'modes init starts a project.',
  E_USAGE: 'modes --help names the verbs, and --help behind a verb says how it is called.',
  E_INPUT_TOO_LARGE: 'Name the file that is meant.',
  E_INSIDE_CLIENT: 'Run it in a terminal of your own.',
  E_NOBODY: 'Run it in a terminal, or say beforehand what is meant.',
  E_DECLINED: 'Run it again, and say yes.',
  E_FORBIDDEN: 'Ask whoever writes teams.yaml of the organisation.',
  E_OTHER_CONTENT: 'modes trust shows what changed; name the hash that was looked at.',
  E_NOT_FOUND: 'modes log and modes trust --list show what there is.',
  E_NOT_STOPPED: 'modes validate names what is wrong.',
  E_IN_THE_WAY: 'Move away, mend or add what the message names, or name another.',
  E_LOG_DAMAGED: 'Look at the folder and at the disk; what is decided does not depend on it.',
  E_DISK: 'Make room, or see who may write there; then run it again.',
  E_UNFORESEEN: 'modes doctor says whether the installation is whole; if it is, report what you did.',
} as const;

export type FailureCode = keyof typeof remedies;

export interface Failure {
  message: string;
  /** One of docs/errors.md. */
  code: FailureCode | (string & {});
  /** What a person can do about it. Absent: the default remedy of the code. null: the message already contains it. */
  remedy?: string | null | undefined;
}

export const remedyOf = ({ code, remedy }: Failure): string | undefined =>
  remedy ?? (Object.hasOwn(remedies, code) ? remedies[code as FailureCode] : undefined);

/** Prints the failure and returns the exit code. */
export function refuse(failure: Failure, { json }: { json?: boolean | undefined }, terminal: Terminal): number {
  const { message, code } = failure;
  const remedy = remedyOf(failure);
  if (json) terminal.out(JSON.stringify({ error: { code, message, remedy } }));
  else {
    const said = remedy === undefined || failure.remedy === null ? message : `${message} ${remedy}`;
    terminal.err(message.includes(code) ? said : `${said} (${code})`);
  }
  return exits.wrong;
}

/** The same for a configuration with errors: prints the first error, and all problems. */
export function refuseBroken(problems: readonly Problem[], { json }: { json?: boolean | undefined }, terminal: Terminal): number {
  const { code, message, remedy } = problems.find(({ severity }) => severity === 'error') ?? {
    code: 'E_NO_TOPOLOGY',
    message: 'The configuration cannot be used.',
  };
  if (json) terminal.out(JSON.stringify({ error: { code, message, remedy, problems } }, null, 2));
  else terminal.err(renderProblems(problems, { colour: terminal.errColour ?? false }).trimEnd());
  return exits.wrong;
}
