// Runs `modes …` in this process, without a start of Node and with one warm compiler. A client may run the tests, so it runs as
// from a terminal of a person.
import { vi } from 'vitest';
// What most verbs load when they are called: before a test's time begins to count.
import '../../src/adapters/cli/policy-test.ts';
import '../../src/adapters/cli/replay.ts';
import { runProgram } from '../../src/adapters/cli/program.ts';
import { terminal } from '../../src/adapters/cli/terminal.ts';
import type { Ended } from './project.ts';

/** Runs the program with these words to its end; `types`: what a person types there. It reads no stdin. INVARIANT: one at a time. */
export async function modesHere(
  words: readonly string[],
  { cwd, env, types }: { cwd: string; env: NodeJS.ProcessEnv; types?: string | undefined },
): Promise<Ended> {
  const before = { env: process.env, folder: process.cwd(), code: process.exitCode, terminal: { ...terminal } };
  const ended: Ended = { code: 0, out: '', err: '' };
  const into = (kind: 'out' | 'err') => (text: unknown) => {
    ended[kind] += String(text);
    return true;
  };
  // Help and versions are written past the terminal.
  const spies = [
    vi.spyOn(process, 'ppid', 'get').mockReturnValue(1),
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
  ];
  try {
    process.chdir(cwd);
    process.env = env;
    process.exitCode = undefined;
    Object.assign(terminal, {
      out: (text: string) => into('out')(`${text}\n`),
      err: (text: string) => into('err')(`${text}\n`),
      line: async () => types ?? null,
      colour: false,
      errColour: false,
    });
    await runProgram(words);
    ended.code = Number(process.exitCode ?? 0);
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.env = before.env;
    process.chdir(before.folder);
    process.exitCode = before.code;
    Object.assign(terminal, before.terminal);
  }
  return ended;
}
