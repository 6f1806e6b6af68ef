// Why a verb gives no answer: to a person on stderr, with --json as one shape on stdout (schemas/output/error.schema.json).
import type { Problem } from '../config/problem.ts';
import { renderProblems } from '../config/render.ts';
import { exits, type Terminal } from './terminal.ts';

export interface Failure {
  message: string;
  /** One of docs/errors.md. */
  code?: string | undefined;
  /** What a person can do about it. */
  remedy?: string | undefined;
}

/** Says it, and gives the exit code. */
export function refuse({ message, code, remedy }: Failure, { json }: { json?: boolean | undefined }, terminal: Terminal): number {
  if (json) terminal.out(JSON.stringify({ error: { code, message, remedy } }));
  else terminal.err(remedy === undefined ? message : `${message} ${remedy}`);
  return exits.wrong;
}

/** The same of what is wrong with a configuration: the first error, and all that there are. */
export function refuseBroken(problems: readonly Problem[], { json }: { json?: boolean | undefined }, terminal: Terminal): number {
  const { code, message, remedy } = problems.find(({ severity }) => severity === 'error') ?? {
    message: 'The configuration cannot be used.',
  };
  if (json) terminal.out(JSON.stringify({ error: { code, message, remedy, problems } }, null, 2));
  else terminal.err(renderProblems(problems, { colour: terminal.colour }).trimEnd());
  return exits.wrong;
}
