// A named pipe with a writer, so that a reader does not wait forever.
import { execFileSync, spawn } from 'node:child_process';
import { afterTest } from './cleanup.ts';

/** Makes the pipe; the text is written as soon as it is opened for reading. */
export function pipe(file: string, text: string): void {
  execFileSync('mkfifo', [file]);
  const writer = spawn('/bin/sh', ['-c', 'printf %s "$1" >"$2"', 'sh', text, file], { stdio: 'ignore' });
  afterTest(() => writer.kill('SIGKILL'));
}
