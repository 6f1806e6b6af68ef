// Projects with custom policies, and the command line as it is built.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { type Ended, makeProject, type Project, run } from '../../../support/project.ts';

export const PUSH = `# METADATA
# title: No force push
# scope: package
package modes.policy.no_force_push

deny contains {"reason": "published history is not rewritten", "remedy": "Push a new commit."} if {
	some command in input.bash.commands
	command.name == "git"
	"push" in command.argv
	"--force" in command.argv
}
`;

/** The TDD example with these files below .claude/policies, and its own cases where they are wanted. */
export function makePolicies(files: Record<string, string>, { whole = false } = {}): Project {
  const project = makeProject();
  if (!whole) fs.rmSync(path.join(project.root, '.claude/policies'), { recursive: true, force: true });
  // Everything in the cache is named after its content: unpacking the compiler once is enough.
  const cache = path.join(repository, '.cache/policies');
  fs.mkdirSync(cache, { recursive: true });
  fs.symlinkSync(cache, path.join(project.data, 'cache'));
  for (const [name, text] of Object.entries(files)) project.put(`.claude/policies/${name}`, text);
  return project;
}

export type Policy = (project: Project, ...args: string[]) => Promise<Ended>;

/** `modes policy …` in a project, in this process: one warm compiler serves all. INVARIANT: one at a time. */
export const policy: Policy = (project, ...args) =>
  modesHere(['policy', ...args], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' } });

/** The same as it is built, a process and a child of nobody. */
export async function policyProgram(): Promise<Policy> {
  const program = path.join(await builtPlugin(), 'dist/modes.mjs');
  const script = '( "$@" >"$OUT.out" 2>"$OUT.err" </dev/null; echo $? >"$OUT.rc.new"; mv "$OUT.rc.new" "$OUT.rc" ) &';
  return async (project, ...args) => {
    const out = path.join(project.home, `out-${Math.random()}`);
    await run('/bin/sh', ['-c', script, 'sh', process.execPath, program, 'policy', ...args], {
      cwd: project.root,
      env: { HOME: project.home, PATH: '/usr/bin:/bin', OUT: out },
    });
    await expect.poll(() => fs.existsSync(`${out}.rc`), { timeout: 60_000 }).toBe(true);
    const read = (end: string) => fs.readFileSync(`${out}.${end}`, 'utf8');
    return { code: Number(read('rc')), out: read('out'), err: read('err') };
  };
}

/** The same with the client around it. */
export const policyInside: Policy = (project, ...args) =>
  modesHere(['policy', ...args], { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin', CLAUDECODE: '1' } });
