// Every place that shows the hash of a configuration shows the one that a person approves, also if gates use files.
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { pageState } from '../../../../src/adapters/dashboard/state.ts';
import { nobody, openProject } from '../../../../src/workflow/project.ts';
import { runDetached } from '../../../support/detached.ts';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { prepare } from '../../../support/prepare.ts';
import { type Ended, makeProject, type Project } from '../../../support/project.ts';

let program: string;
beforeAll(async () => {
  program = path.join(await builtPlugin(), 'dist/modes.mjs');
}, 120_000);

const modes = (project: Project, ...args: string[]): Promise<Ended> =>
  runDetached([process.execPath, program, ...args], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin' },
  });

/** All hashes in texts, each once. */
const hashesIn = (...texts: string[]): string[] => [...new Set(texts.join('\n').match(/sha256:[0-9a-f]{64}/g) ?? [])];
const json = async (project: Project, ...args: string[]) => JSON.parse((await modes(project, ...args, '--json')).out);

async function page(project: Project): Promise<string> {
  const env = { HOME: project.home, PATH: '/usr/bin:/bin' };
  const opened = openProject({ start: project.root, env, packageRoot: repository, prepare });
  await opened?.ready();
  return opened === null ? '' : (await pageState(opened.for(nobody))).hash;
}

const gate = (require: string): string =>
  `name: p\ndefault: a\nmodes:\n  a: {transitions: [{to: b, require: [${require}]}]}\n  b:\n`;

test.each([
  ['a command', 'run: make check'],
  ['a command with uses', '{run: sh ok.sh, uses: [ok.sh]}'],
  ['no file', 'changed: [a]'],
])(
  'a gate with %s: one hash everywhere [s:trust.one-hash]',
  async (_, require) => {
    const project = makeProject({ example: null });
    project.put('.claude/modes.yaml', gate(require.startsWith('{') ? require : `{${require}}`));
    project.put('Makefile', 'check:\n\ttrue\n');
    project.put('ok.sh', 'true\n');
    const { hash } = await json(project, 'validate');
    const before = [(await modes(project, 'validate')).out, (await modes(project, 'status')).out, await page(project)];
    const asked = await modes(project, 'trust');
    expect(hashesIn(...before, asked.out, asked.err)).toEqual([hash]);
    expect((await json(project, 'status')).configuration).toMatchObject({ hash, pinned: { hash } });

    expect(await modes(project, 'trust', '--expect', hash)).toMatchObject({ code: 0, out: `Trusted: ${hash}\n` });
    const session = await Session.start(project);
    const after = [
      (await modes(project, 'validate')).out,
      (await modes(project, 'trust', '--list')).out,
      await session.type('/modes:mode status'),
      await page(project),
    ];
    expect(hashesIn(...after.map((text) => text ?? ''))).toEqual([hash]);
    expect((await json(project, 'trust', '--list')).approved).toMatchObject([{ hash, present: true }]);
    expect((await modes(project, 'trust', '--revoke', hash.slice(0, 15))).out).toBe(`Taken back: ${hash}\n`);
    expect((await json(project, 'validate')).trusted).toBe(false);
  },
  120_000,
);

test('a changed file of a gate is named beside the new hash, and the list shows the approved one', async () => {
  const project = makeProject({ example: null });
  project.put('.claude/modes.yaml', gate('{run: make check}'));
  project.put('Makefile', 'check:\n\ttrue\n');
  const { hash } = await json(project, 'validate');
  await modes(project, 'trust', '--expect', hash);
  project.put('Makefile', 'check:\n\tfalse\n');
  const { out } = await modes(project, 'validate');
  expect(hashesIn(out)).not.toContain(hash);
  expect(out).toMatch(/^not approved yet \(modes trust\):\n {2}.*Makefile changed$/m);
  expect((await json(project, 'trust', '--list')).approved).toMatchObject([{ hash, present: false }]);
}, 120_000);

test('init names the hash that validate shows', async () => {
  const project = makeProject({ example: null });
  project.put('package.json', '{"scripts": {"test": "node --test"}}');
  project.put('a.test.js', "import test from 'node:test';\n");
  const { out } = await modes(project, 'init', '--preset', 'tdd-checked');
  expect(hashesIn(out)).toEqual(hashesIn((await modes(project, 'validate', '--verbose')).out));
}, 120_000);
