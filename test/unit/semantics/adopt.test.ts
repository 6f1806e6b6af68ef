// A running session takes over the present content only when a person says so, having been shown what differs.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { hashConfiguration } from '../../../src/config/hash.ts';
import { readSources } from '../../../src/config/sources.ts';
import { Session, tick } from '../../support/mcp-session.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject, type Project, run } from '../../support/project.ts';

let program: string;
beforeAll(async () => {
  program = path.join(await builtPlugin(), 'dist/modes.mjs');
}, 120_000);

const write = (session: Session, name = 'src/a.js') =>
  session.decide('Write', { file_path: path.join(session.project.root, name), content: 'x' });

/** A session that began with a mode that denies src, in a project whose files now allow it. */
async function narrowed(): Promise<Session> {
  const project = makeProject();
  project.put('.claude/settings.idle.json', '{"permissions":{"deny":["Write(src/**)"]}}');
  project.trust();
  const session = await Session.start(project, { dialog: tick });
  expect(await write(session)).toBe('deny');
  project.put('.claude/settings.idle.json', '{"permissions":{"allow":["Write(src/**)"]}}');
  return session;
}

/** As a child of nobody, as from a terminal: whoever runs these tests may be a client. */
async function inTerminal(project: Project, ...args: string[]): Promise<void> {
  const done = path.join(project.home, `done-${args[0]}`);
  const env = { HOME: project.home, PATH: '/usr/bin:/bin', DONE: done };
  await run(
    '/bin/sh',
    ['-c', '( "$@" </dev/null >"$DONE.out" 2>&1; mv "$DONE.out" "$DONE" ) &', 'sh', process.execPath, program, ...args],
    {
      cwd: project.root,
      env,
    },
  );
  await expect.poll(() => fs.existsSync(done), { timeout: 20_000 }).toBe(true);
}

describe('a session that began with another content', () => {
  test('sees the difference and adopts the present one with /modes:trust [s:pin.setup] [s:trust.dialog]', async () => {
    const session = await narrowed();
    await expect.poll(() => write(session)).toBe('deny');
    const shown = (await session.type('/modes:trust')) as string;
    expect(shown).toMatch(/^- \.claude\/settings\.idle\.json: deny Write\(src\/\*\*\)$/m);
    expect(shown).toMatch(/^\+ \.claude\/settings\.idle\.json: allow Write\(src\/\*\*\)$/m);
    expect(await write(session)).toBe('deny');
    const hash = /\/modes:trust ([0-9a-f]{12})$/.exec(shown)?.[1];
    expect(await session.type(`/modes:trust ${hash}`)).toMatch(/^Trusted: sha256:/);
    expect(await write(session)).toBe('allow');
  }, 60_000);

  test('adopts the present one with modes trust in a terminal [s:pin.cli] [s:trust.expect]', async () => {
    const session = await narrowed();
    const { files, faults } = readSources(session.project.root);
    await inTerminal(session.project, 'trust', '--expect', hashConfiguration(files, faults));
    await expect.poll(() => write(session)).toBe('allow');
  }, 60_000);
});
