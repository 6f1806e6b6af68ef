// Real processes: a program that another agent starts cannot change the mode, even if it leaves the agent's process tree and makes a
// terminal of its own.
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtPlugin } from '../../../support/plugin.ts';
import { makeProject, type Project, run } from '../../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const clean = 'env -i HOME="$HOME" PATH=/usr/bin:/bin';
/** What the agent's command runs. `$MODES`: a script that changes the mode. */
const ways: readonly [string, string][] = [
  ['directly', '$MODES'],
  ['with another environment', `${clean} $MODES`],
  ['in a terminal of script', `${clean} script -qec $MODES /dev/null`],
  ['in a new session', `${clean} setsid -w script -qec $MODES /dev/null`],
  ['after nohup', `${clean} nohup script -qec $MODES /dev/null`],
  ['as an orphan', `${clean} setsid -f script -qec $MODES /dev/null`],
  ['as an orphan that drops the environment later', `setsid -f sh -c '${clean} script -qec '$MODES' /dev/null'`],
];

/** A program that runs `command` as Codex does. */
function agentIn({ put }: Project, command: string): string {
  return put(
    '../node_modules/@openai/codex/bin/codex.mjs',
    `import { spawnSync } from 'node:child_process';
const env = { ...process.env, CODEX_CI: '1' };
spawnSync('/bin/sh', ['-c', ${JSON.stringify(command)}], { env, stdio: ['pipe', 'inherit', 'inherit'], input: 'y\\n'.repeat(20) });
`,
  );
}

describe.runIf(process.platform === 'linux')('a program of an agent cannot change the mode', () => {
  test.each(ways)('%s [w:authority.inside]', async (_, command) => {
    const project = makeProject({ example: null });
    const modes = '{one: {transitions: [{to: two, constraint: it is time}]}, two: {}}';
    project.put('.claude/modes.yaml', `name: ruled\ndefault: one\nmodes: ${modes}\n`);
    project.trust();
    const verb = (word: string) => `'${process.execPath}' '${path.join(plugin, 'dist/modes.mjs')}' ${word}`;
    const script = project.put('../change.sh', `#!/bin/sh\ncd '${project.root}' && ${verb('mode two')}\n: >"$HOME/done"\n`);
    fs.chmodSync(script, 0o755);
    const env = { HOME: project.home, PATH: '/usr/bin:/bin', MODES: script };
    await run(process.execPath, [agentIn(project, command)], { cwd: project.root, env });
    for (let at = 0; at < 200 && !fs.existsSync(path.join(project.home, 'done')); at++) await setTimeout(50);
    expect(fs.existsSync(path.join(project.home, 'done'))).toBe(true);
    const { out } = await run('/bin/sh', ['-c', verb('status')], { cwd: project.root, env });
    expect(out).toMatch(/MODE: one/);
  });
});
