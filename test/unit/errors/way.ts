// How a code is met: what is done through the real thing, and what comes back then.
import fs from 'node:fs';
import path from 'node:path';
import type { Problem } from '../../../src/model/problem.ts';
import { modesHere } from '../../support/command-line.ts';
import { packageRoot } from '../../support/layered-project.ts';

/** What a person reads of a problem. */
export type Met = Pick<Problem, 'code' | 'message' | 'remedy' | 'file' | 'line' | 'column'>;

export interface Way {
  /** What is wrong, in words. */
  what: string;
  meets(): Met[] | Promise<Met[]>;
  /** `file:line:column` as far as the problem has them; null: it stands nowhere. */
  at: string | null;
  /** What both the remedy that is met and the one of docs/errors.md say. */
  advice: RegExp;
}

/** Ways by the code that each provokes. */
export type Ways = Readonly<Record<string, Way>>;

export const placeOf = ({ file, line, column }: Met): string | null =>
  file === undefined ? null : [file, line, column].filter((one) => one !== undefined).join(':');

/** One compiler for all projects: what it compiled once is kept. */
export function shareCompiled(data: string): void {
  const cache = path.join(packageRoot, '.cache/policies');
  fs.mkdirSync(cache, { recursive: true });
  fs.mkdirSync(data, { recursive: true });
  fs.symlinkSync(cache, path.join(data, 'cache'));
}

/** What `modes validate` shows of a project. */
export async function validated(root: string, env: NodeJS.ProcessEnv): Promise<Met[]> {
  const { out, err } = await modesHere(['validate', '--json', '--project', root], { cwd: root, env });
  if (out === '') throw new Error(err);
  const said = JSON.parse(out) as { problems: Met[] } | { error: Met };
  return 'error' in said ? [said.error] : said.problems;
}
