// The command line from its words to its exit code. Exit 0 fine, 1 found something wrong, 64 usage; check: 0 allow or pass, 2 deny, 3 ask.
import { CommanderError } from 'commander';
import { makeProgram } from './program.ts';
import { refuse } from './refuse.ts';
import { exits, terminal, UsageError } from './terminal.ts';

/** Runs what the words say and leaves the exit code in `process.exitCode`; says what is wrong. The verbs: program.ts. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const json = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length).some((word) => /^--jsonl?$/.test(word));
  try {
    await makeProgram({ quiet: json }).parseAsync(words, { from: 'user' });
  } catch (error) {
    process.exitCode = fail(error as Error, json);
  }
}

function fail(error: Error, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exits.fine;
    const [message = '', remedy] = error.message.replace(/^error: /, '').split('\n');
    if (json) refuse({ code: 'E_USAGE', message, remedy: remedy?.replace(/^\((.*)\)$/, '$1') }, { json }, terminal);
    return exits.usage;
  }
  const failure = { code: error instanceof UsageError ? error.code : 'E_UNFORESEEN', message: error.message };
  if (json) refuse(failure, { json }, terminal);
  else terminal.err(`modes: ${error.message} (${failure.code})`);
  return error instanceof UsageError ? exits.usage : exits.wrong;
}
