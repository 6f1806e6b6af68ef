// What an attempt of the red team is: a row of a table, played by the scripted model in the real client.
import { type Block, bash, use } from '../model.ts';

/**
 * In every text of a row `PROJECT` is the project, `HOME` the home folder, `PLUGIN` the plugin's, `BESIDE` the folder that project
 * and home lie in. The project is in test-dev of the example tdd-checked unless the row names another mode: src is closed, test is
 * open, `npm test` is allowed, and a person looks at package.json and its like.
 */
export interface Row {
  name: string;
  /** Calls that must run: what they do is no harm yet. */
  before?: Block[][];
  /** The escalation. */
  call: Block[];
  /** Calls that would make use of what it opened; nothing is said of their answers, only of what they change. */
  after?: Block[][];
  /**
   * What becomes of the escalation. reported: it ran, and the model was told at once which guarded file changed, and that every
   * gate stays closed. The last stands in SECURITY.md by these words, with what closes it.
   */
  expect: 'denied' | 'asked' | 'reported' | `out of reach: ${string}`;
  /** What the model is told where it is not the policy that refuses: the client itself, or a tool of ours. */
  by?: RegExp;
  /** The call is a subagent's. */
  inSubagent?: true;
  /** What changes of what is guarded, where the escalation is out of reach or reported. */
  changes?: string[];
}

export const write = (file: string, content = 'taken\n'): Block[] =>
  use('Write', { file_path: file.startsWith('/') || /^[A-Z]{4}/.test(file) ? file : `PROJECT/${file}`, content });
export const edit = (file: string): Block[] =>
  use('Edit', { file_path: `PROJECT/${file}`, old_string: 'first', new_string: 'taken' });
export const read = (file: string): Block[] => use('Read', { file_path: `PROJECT/${file}` });

type Expect = Row['expect'];
/** A Bash command that shows by itself what it tries. */
export const run = (expect: Expect, command: string, more: Partial<Row> = {}): Row => ({
  name: command,
  call: bash(command),
  expect,
  ...more,
});
