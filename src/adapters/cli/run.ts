// Runs the command line and sets its exit code. Exit 0 fine, 1 found a problem, 64 usage; check: 0 allow or pass, 2 deny, 3 ask.
import { CommanderError } from 'commander';
import { UnreadableLog } from '../../store/log/files.ts';
import { LaterVersion } from '../../store/record.ts';
import { makeProgram } from './program.ts';
import { refuse } from './refuse.ts';
import { exits, terminal, UsageError } from './terminal.ts';

/** Runs the verb, prints errors, and sets the exit code in `process.exitCode`. The verbs: program.ts. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const json = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length).some((word) => /^--jsonl?$/.test(word));
  try {
    await makeProgram({ quiet: json }).parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = fail(error as Error, json);
  }
}

/** Errors of a disk that is full, read-only, failing, or that we may not write to. */
const disk = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EPERM', 'ELOOP', 'EMFILE', 'ENFILE']);

const isOfDisk = (error: NodeJS.ErrnoException): boolean => error.syscall !== undefined && disk.has(error.code ?? '');

function fail(error: Error, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exits.fine;
    // For a group without a verb commander prints the help and no message.
    const usageText = error.code === 'commander.help' ? 'no verb was given' : error.message;
    const [message = '', remedy] = usageText.replace(/^error: /, '').split('\n');
    if (json) refuse({ code: 'E_USAGE', message, remedy: remedy?.replace(/^\((.*)\)$/, '$1') }, { json }, terminal);
    return exits.usage;
  }
  if (error instanceof UsageError) {
    if (json) refuse({ code: error.code, message: error.message }, { json }, terminal);
    else terminal.err(`modes: ${error.message} (${error.code})`);
    return exits.usage;
  }
  if (error instanceof LaterVersion) {
    const { code, short: message, remedy } = error;
    return refuse({ code, message: json ? message : `modes: ${message}`, remedy }, { json }, terminal);
  }
  const code = error instanceof UnreadableLog ? 'E_LOG_DAMAGED' : isOfDisk(error) ? 'E_DISK' : 'E_UNFORESEEN';
  const text = json ? error.message : `modes: ${error.message.replace(/\.$/, '')}.`;
  return refuse({ code, message: text }, { json }, terminal);
}
