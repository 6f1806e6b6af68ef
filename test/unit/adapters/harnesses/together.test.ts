// Two harnesses in one project at the same time, as real processes: they share the mode, the grants and the log.
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { modesHere } from '../../../support/command-line.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const modes = (project: Project, args: string[], types?: string) =>
  modesHere(args, { cwd: project.root, env: { HOME: project.home, PATH: '/usr/bin:/bin' }, types });

type Answer = Promise<'open' | 'closed'>;
async function hook(
  project: Project,
  harness: string,
  event: string,
  fields: object,
): Promise<{ code: number | null; out: string }> {
  return run(process.execPath, [path.join(plugin, 'dist/modes.mjs'), 'hook', event, '--harness', harness], {
    cwd: project.root,
    env: { HOME: project.home, PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin` },
    stdin: JSON.stringify({ session_id: 's', cwd: project.root, hook_event_name: event, ...fields }),
  });
}
const harnesses: Record<string, (project: Project, command: string, id: string) => Answer> = {
  async codex(project, command, id) {
    const fields = { turn_id: 't', tool_name: 'Bash', tool_input: { command }, tool_use_id: id };
    const { code, out } = await hook(project, 'codex', 'PreToolUse', fields);
    return code === 0 && out === '' ? 'open' : 'closed';
  },
  async gemini(project, command) {
    const fields = { timestamp: 'x', tool_name: 'run_shell_command', tool_input: { command } };
    const { code, out } = await hook(project, 'gemini', 'BeforeTool', fields);
    return code === 0 && JSON.parse(out).decision !== 'deny' ? 'open' : 'closed';
  },
};
const names = Object.keys(harnesses);
/** The same command in both, several times at once. */
const both = (project: Project, command: string, times: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: times }, (_, at) =>
      names.map((name) => harnesses[name]?.(project, command, `${command} ${at}`) as Answer),
    ).flat(),
  );

interface Line {
  labels: Record<string, string>;
  result: { decision: string; mode: string; by: string };
}
const log = async (project: Project): Promise<Line[]> =>
  (await modes(project, ['log', '--json', '--limit', '500'])).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

test('share the mode, the grants and the log [w:harness.together]', async () => {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', 'name: shared\ndefault: one\nmodes: {one: {transitions: [{to: two}]}, two: {}}\n');
  project.put('.claude/settings.one.json', '{"permissions": {"deny": ["Bash(npm:*)"], "ask": ["Bash(git push:*)"]}}');
  project.put('.claude/settings.two.json', '{"permissions": {"deny": ["Bash(git push:*)"]}}');
  project.trust();
  const times = 2;
  const decided: string[][] = [];
  for (const command of ['npm test', 'ls', 'git push']) decided.push(await both(project, command, times));
  expect(decided.map((one) => [...new Set(one)])).toEqual([['closed'], ['open'], ['closed']]);
  const lines = await log(project);
  // Each call once, whichever process wrote it.
  expect(lines).toHaveLength(3 * times * names.length);
  for (const name of names) expect(lines.filter(({ labels }) => labels.harness === name)).toHaveLength(3 * times);

  // One grant for a call of Codex: one of many attempts at once gets it, and none of the other harness does.
  const asked = lines.findLast(({ labels, result }) => labels.harness === 'codex' && result.decision === 'ask') as Line & {
    decision_id: string;
  };
  expect((await modes(project, ['grant', asked.decision_id], 'y')).code).toBe(0);
  const attempts = await both(project, 'git push', 3);
  expect(attempts.filter((one) => one === 'open')).toHaveLength(1);
  expect((await log(project)).filter(({ result }) => result.by === 'granted').map(({ labels }) => labels.harness)).toEqual([
    'codex',
  ]);

  // A change of mode while both work: each call is decided by one of the two modes, and every later one by the new mode.
  const [changed, meanwhile] = await Promise.all([modes(project, ['mode', 'two'], 'y'), both(project, 'npm test', 2)]);
  expect(changed.code).toBe(0);
  expect(meanwhile).toHaveLength(2 * names.length);
  expect([...new Set(await both(project, 'npm test', 1))]).toEqual(['open']);
  expect([...new Set(await both(project, 'git push', 1))]).toEqual(['closed']);
  const after = (await log(project)).slice(-2 * names.length);
  expect([...new Set(after.map(({ result }) => result.mode))]).toEqual(['two']);
}, 120_000);
