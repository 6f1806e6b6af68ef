// Writes files that an option of a verb names. Inside the client it refuses: the guard sees the target of a command's
// redirection, but not the files that a program writes itself.
import fs from 'node:fs';
import path from 'node:path';
import { getErrorCode } from '../../config/survey.ts';
import { insideClient } from './inside.ts';
import { UsageError } from './terminal.ts';

/** Throws `UsageError` inside the client. Call it before any other work. */
export function refuseInside(what: string): void {
  const inside = insideClient(process.env);
  if (inside !== null)
    throw new UsageError(`only a person may run ${what}, in their own terminal, but ${inside}`, 'E_INSIDE_CLIENT');
}

/** Writes a file and creates its folders. Throws `UsageError` if that fails. */
export function writeOutput(file: string, bytes: string | Uint8Array): void {
  refuseInside('a command with an option that writes a file (print the text and redirect it instead)');
  try {
    fs.mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
    fs.writeFileSync(file, bytes);
  } catch (error) {
    throw new UsageError(`${file} cannot be written (${getErrorCode(error)})`);
  }
}
