// What an agent asks in a session, by its share of the calls: most goes through, much is asked again and again, a little is refused.
import path from 'node:path';
import { eventOf, refusedBashAt } from './fixture.ts';

interface Kind {
  /** Of a hundred calls. */
  share: number;
  tool: string;
  /** The input of the nth call. */
  input(root: string, n: number): object;
  /** What it is refused for. */
  denied?: true;
}

const file = (root: string, folder: string, n: number, end: string): string => path.join(root, folder, `a${n % 60}${end}`);
const bash = (command: string, description: string) => ({ command, description });
const edit = { old_string: 'expect(a).toBe(1);', new_string: 'expect(a).toBe(2);\nexpect(b).toBe(3);' };

/** The shares add up to a hundred. */
export const mix: readonly Kind[] = [
  { share: 24, tool: 'Read', input: (root, n) => ({ file_path: file(root, n % 3 === 0 ? 'test' : 'src', n, '.ts') }) },
  {
    share: 11,
    tool: 'Grep',
    input: (root, n) => ({ pattern: `value${n}`, path: path.join(root, 'src'), output_mode: 'content' }),
  },
  { share: 5, tool: 'Glob', input: (_, n) => ({ pattern: n % 2 === 0 ? 'src/**/*.ts' : `test/**/a${n % 60}*` }) },
  { share: 13, tool: 'Edit', input: (root, n) => ({ file_path: file(root, 'test', n, '.test.ts'), ...edit }) },
  { share: 4, tool: 'Write', input: (root, n) => ({ file_path: file(root, 'test', n, '.test.ts'), content: 'x'.repeat(2000) }) },
  { share: 14, tool: 'Bash', input: () => bash('npm test', 'Run the tests') },
  { share: 10, tool: 'Bash', input: () => bash('git status --short', 'What has changed') },
  { share: 8, tool: 'Bash', input: (_, n) => bash(`grep -rn 'value${n}' src | head -20`, 'Find a value') },
  { share: 6, tool: 'Bash', input: (_, n) => bash(`git log --oneline -${(n % 40) + 1} -- src/a${n % 60}.ts`, 'How it came') },
  { share: 2, tool: 'Edit', denied: true, input: (root, n) => ({ file_path: file(root, 'src', n, '.ts'), ...edit }) },
  { share: 3, tool: 'Bash', denied: true, input: (_, n) => refusedBashAt(n) },
];

/** So many events of the mix, the kinds of it spread evenly. Of a hundred in a row each kind has its share. */
export function mixedEvents(root: string, count: number): string[] {
  const kinds = mix.flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  // A step without a common divisor goes through all of them.
  return Array.from({ length: count }, (_, n) => {
    const { tool, input } = kinds[(n * 37) % kinds.length] as Kind;
    return eventOf(root, tool, input(root, n));
  });
}

/** Of a hundred calls, those that are refused. */
export const deniedShare = mix.reduce((sum, { share, denied }) => sum + (denied ? share : 0), 0);
