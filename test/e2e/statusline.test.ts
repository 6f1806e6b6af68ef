// The status line in the real client's pane: set up by a typed command, and red when the session's server is gone.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { go, serversOf, viewedMode } from './mode.ts';
import { bash, mcp, say, use } from './model.ts';
import type { Place } from './place.ts';
import { signal, until } from './processes.ts';
import { plainProject, tddProject } from './project.ts';
import { accept, drawn, startTerminal, submit, type Terminal } from './terminal.ts';
import { differences, readTree } from './tree.ts';

let place: Place;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

const DOWN = 'server down, /mcp reconnects it';

/** Types a command that raises a dialog, and accepts it. */
async function confirmed(t: Terminal, command: string): Promise<void> {
  await submit(t, command);
  await drawn(t);
  await accept(t);
  await t.waitFor(`Original prompt: ${command}`);
}

/** Sets up what a project that has modes lacks, the status line among it. */
async function withLine(t: Terminal): Promise<void> {
  await confirmed(t, '/modes:setup');
  await t.waitFor('⟪idle⟫');
}

describe('/modes:setup', () => {
  test('shows the mode in the status line, next to the branch, and undo removes it', async () => {
    place = plainProject();
    place.write('.git/HEAD', 'ref: refs/heads/feature/line\n');
    const before = readTree(place.project);
    terminal = await startTerminal({ ...place, turns: [...go('test-dev'), say('there')], permissionMode: 'bypassPermissions' });
    expect(terminal.screen()).not.toContain('⟪');
    await withLine(terminal);
    await terminal.waitFor('⟪idle⟫ feature/line');
    await submit(terminal, 'go');
    await terminal.waitFor('● there');
    await terminal.waitFor('⟪test-dev⟫ feature/line');
    await confirmed(terminal, '/modes:setup undo');
    await terminal.waitGone('⟪');
    expect(differences(before, readTree(place.project)).filter((name) => !/mode-state\.json|^.\.claude$/.test(name))).toEqual([]);
  });

  test('the user’s own status line stays, below; a broken configuration is red, with its file and line', async () => {
    place = tddProject();
    const own = { statusLine: { type: 'command', command: 'echo "my own line"' } };
    fs.writeFileSync(path.join(place.home, '.claude/settings.json'), JSON.stringify(own));
    terminal = await startTerminal({ ...place, turns: [] });
    await terminal.waitFor('my own line');
    await withLine(terminal);
    expect(await terminal.waitFor(/⟪idle⟫.*\n *my own line/)).toContain('my own line');
    // The client itself may add to this file.
    expect(JSON.parse(fs.readFileSync(path.join(place.home, '.claude/settings.json'), 'utf8'))).toMatchObject(own);
    place.write('.claude/settings.idle.json', '{\n  "permissions": 1,\n}\n');
    await terminal.waitFor('⟪idle⟫ config broken: .claude/settings.idle.json:2');
  });
});

test('after the server is killed, the line turns red, decisions continue, the mode is frozen, and commands say how to reconnect', async () => {
  place = tddProject();
  const write = (file: string) => use('Write', { file_path: path.join(place.project, file), content: 'probe' });
  const turns = [
    ...go('test-dev'),
    say('there'),
    write('src/new.ts'),
    write('test/new.test.ts'),
    mcp('transition', { target: 'feature-dev', explanation: 'A test exists that targets the bug; npm test fails.' }),
    bash('cat README.md'),
    say('tried'),
    say('told'),
  ];
  terminal = await startTerminal({ ...place, turns, permissionMode: 'bypassPermissions' });
  await withLine(terminal);
  await submit(terminal, 'go');
  await terminal.waitFor('● there');
  await terminal.waitFor('⟪test-dev⟫');
  for (const pid of serversOf(terminal.mark)) signal(pid, 'SIGKILL');
  // Nothing happens in the session: the line is drawn again by itself.
  await terminal.waitFor(`⟪test-dev⟫ ${DOWN}`);
  await submit(terminal, 'go on');
  await terminal.waitFor('● tried');
  expect(place.exists('src/new.ts')).toBe(false);
  expect(place.exists('test/new.test.ts')).toBe(true);
  expect(viewedMode(place)).toBe('test-dev');
  await submit(terminal, '/modes:mode feature-dev');
  await terminal.waitFor('● told');
  expect(JSON.stringify(terminal.requests.at(-1))).toContain('`/mcp` reconnects it');
  expect(viewedMode(place)).toBe('test-dev');
  expect(await terminal.waitFor(DOWN)).toContain('⟪test-dev⟫');
  await until('a server that is down to stay down', () => serversOf(terminal!.mark).length === 0);
});
