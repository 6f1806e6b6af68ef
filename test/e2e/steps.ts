// Scenarios of presets: what an agent tries, step by step, and what becomes of it.
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { type Call, pluginFolder } from './client.ts';
import { go } from './mode.ts';
import { type Block, bash, use } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';

/** A call goes through or is refused; a transition succeeds or names what is missing. */
export type Outcome = true | 'refused' | string[];
/** One thing that the agent tries. */
export type Step = [turn: (place: Place) => Block[], outcome: Outcome];

export const write =
  (name: string, text = 'x\n') =>
  (at: Place) =>
    use('Write', { file_path: path.join(at.project, name), content: text });
export const run = (command: string) => () => bash(command);
export const to = (mode: string) => () => go(mode)[0] as Block[];
/** A subagent; its script is found by what it is asked. */
export const start =
  (type: string, asked = 'HELPER: review') =>
  () =>
    use('Agent', { description: 'review', prompt: asked, subagent_type: type, run_in_background: false });

/** A project with the preset and a repository; `mode`: where it begins, if not in the default mode. */
export function presetProject(preset: string, { mode, files = {} }: { mode?: string; files?: Record<string, string> }): Place {
  const made = plainProject({ copy: path.join(pluginFolder(), 'examples', preset) });
  if (mode)
    made.write('.claude/modes.yaml', (made.read('.claude/modes.yaml') as string).replace(/^default: .*$/m, `default: ${mode}`));
  const scripts = {
    test: 'node --test test',
    'db:backup': 'mkdir -p backups && date > backups/shop.dump',
    'db:migrate': 'true',
    'db:verify': 'true',
  };
  made.write('package.json', `${JSON.stringify({ name: 'sum', scripts })}\n`);
  made.write('.gitignore', '.claude/mode.sock\n.claude/mode-state.json\nbackups/\n');
  for (const [name, text] of Object.entries(files)) made.write(name, text);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: made.project, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.org');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  return made;
}

/** A call's outcome in the words of a step. */
export function outcomeOf({ name, result = '', refused }: Call): Outcome {
  if (!name.endsWith('__transition')) return refused && !/Exit code/.test(result) ? 'refused' : true;
  const text = result.startsWith('[') ? (JSON.parse(result) as { text: string }[])[0]!.text : result;
  const { success, unmet } = JSON.parse(text) as { success: boolean; unmet?: { check: string }[] };
  return success ? true : (unmet ?? []).map(({ check }) => check.split(':')[0] as string);
}

/** Each call beside what was expected of it: where, name, outcome, and, where it differs, what the model was told. */
export const seen = (calls: readonly Call[], steps: readonly Step[]): unknown[] =>
  calls.map((call, at) => {
    const outcome = outcomeOf(call);
    return [at, call.name, outcome, String(outcome) === String(steps[at]?.[1]) ? '' : call.result];
  });
export const expected = (calls: readonly Call[], steps: readonly Step[]): unknown[] =>
  steps.map(([, outcome], at) => [at, calls[at]?.name, outcome, '']);
