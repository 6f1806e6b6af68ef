// Setting up without the plugin: what is written, what is left alone, why it is refused, and taking it back.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isDone, planSetup, runSetup, type SetupRequest, setupText } from '../../../src/app/setup/setup.ts';
import { planUndo, runUndo } from '../../../src/app/setup/undo.ts';
import { hashEntry, manualHooks, recordLine, serverEntry } from '../../../src/facts/protections/without-plugin.ts';
import { putFile } from '../../support/files.ts';
import { makeFolder } from '../../support/folder-project.ts';

const packageRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const local = '.claude/settings.local.json';

function fixture() {
  const top = fs.realpathSync(makeFolder());
  const home = path.join(top, 'home');
  const root = path.join(home, 'project');
  const configFolder = path.join(home, '.claude');
  const data = path.join(configFolder, 'modes-data');
  fs.mkdirSync(root, { recursive: true });
  const at = (name: string) => path.resolve(root, name);
  const asked = (changes: Partial<SetupRequest>): SetupRequest => ({
    root,
    preset: 'tdd',
    packageRoot,
    configFolder,
    home,
    registration: 'project',
    ...changes,
  });
  const plan = (changes: Partial<SetupRequest> = {}) => {
    const made = planSetup(asked(changes));
    if ('error' in made) throw new Error(made.error);
    return made;
  };
  return {
    top,
    root,
    data,
    plan,
    refused(changes: Partial<SetupRequest> = {}) {
      const made = planSetup(asked(changes));
      return 'error' in made ? made.error : null;
    },
    put(name: string, text: string) {
      putFile(at(name), text);
    },
    json: (name: string) => JSON.parse(fs.readFileSync(at(name), 'utf8')),
    setUp: (changes?: Partial<SetupRequest>) => runSetup(plan(changes), data, new Date(0)),
    undo() {
      const undone = planUndo(data, root);
      if ('error' in undone) throw new Error(undone.error);
      return runUndo(undone, data);
    },
    records: () => (fs.existsSync(`${data}/servers`) ? fs.readFileSync(`${data}/servers`, 'utf8') : ''),
    /** Every file of the project with its text. */
    tree: () =>
      Object.fromEntries(
        (fs.readdirSync(root, { recursive: true, encoding: 'utf8' }) as string[])
          .sort()
          .map((name) => [name, fs.statSync(at(name)).isFile() ? fs.readFileSync(at(name), 'utf8') : null]),
      ),
  };
}

describe('the written files', () => {
  test('the server with absolute names, hooks and rules for one person, the commands, and the record', () => {
    const on = fixture();
    on.setUp();
    const entry = serverEntry(packageRoot, on.root, process.execPath);
    expect(on.json('.mcp.json')).toEqual({ mcpServers: { modes: entry } });
    expect(entry.env.CLAUDE_MODES_CONFIG_DIR).toBe(`${on.root}/.claude`);
    const settings = on.json(local);
    expect(settings.hooks).toEqual(manualHooks(packageRoot));
    expect(settings.permissions.allow).toEqual(['mcp__modes__status', 'mcp__modes__transition']);
    expect(settings.enabledMcpjsonServers).toEqual(['modes']);
    expect(settings.statusLine.type).toBe('command');
    const commands = fs.readdirSync(path.join(packageRoot, 'commands')).map((name) => `modes/${name}`);
    const written = Object.keys(on.tree()).filter((name) => name.startsWith('.claude/commands/') && name.endsWith('.md'));
    expect(written.map((name) => name.slice('.claude/commands/'.length)).sort()).toEqual(
      ['mode.md', ...commands, 'setup.md'].sort(),
    );
    expect(on.records()).toBe(`project modes ${hashEntry(entry)} ${on.root}\n`);
    // No path of this machine is in what git would see, but for the entry itself.
    const shared = Object.entries(on.tree()).filter(([name, text]) => text?.includes(packageRoot) && name !== local);
    expect(shared.map(([name]) => name)).toEqual(['.mcp.json']);
    expect(on.tree()['.gitignore']).toContain(local);
  });

  test('is added to existing files, which stay otherwise unchanged', () => {
    const on = fixture();
    on.put('.mcp.json', '{\n  "mcpServers": { "files": { "command": "x" } }\n}\n');
    const mine = { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] }], Notification: [] };
    on.put(local, JSON.stringify({ permissions: { allow: ['Bash(ls)'], deny: ['Read(x)'] }, hooks: mine, env: { A: '1' } }));
    on.setUp();
    expect(Object.keys(on.json('.mcp.json').mcpServers)).toEqual(['files', 'modes']);
    const settings = on.json(local);
    expect(settings.hooks.PreToolUse).toEqual([...mine.PreToolUse, ...(manualHooks(packageRoot).PreToolUse ?? [])]);
    expect(settings.permissions).toEqual({
      allow: ['Bash(ls)', 'mcp__modes__status', 'mcp__modes__transition'],
      deny: ['Read(x)'],
    });
    expect(settings.env).toEqual({ A: '1' });
    expect(on.tree()['.mcp.json.before-modes']).toContain('files');
  });

  test('is planned first, one line a file', () => {
    const on = fixture();
    expect(setupText(on.plan())).toMatch(/^\+ \.mcp\.json {2}\(starts the server of Modes\)$/m);
    expect(on.tree()).toEqual({});
  });

  test('a second time is nothing, unless the record is gone', () => {
    const on = fixture();
    on.setUp();
    expect(isDone(on.plan())).toBe(true);
    fs.rmSync(`${on.data}/servers`);
    const again = on.plan();
    expect(again.steps).toEqual([]);
    expect(isDone(again)).toBe(false);
    runSetup(again, on.data, new Date(0));
    expect(on.records()).toContain(on.root);
  });

  test('a later setup keeps the manual registration, and adds no rules of the plugin', () => {
    const on = fixture();
    on.setUp();
    expect(isDone(on.plan({ registration: 'present' }))).toBe(true);
    expect(Object.keys(on.tree())).not.toContain('.claude/settings.json');
  });

  test('an entry of ours from another machine or worktree is replaced by one for this place, with a backup', () => {
    const on = fixture();
    const other = serverEntry('/home/other/modes', '/home/other/project', '/usr/bin/node');
    on.put('.mcp.json', JSON.stringify({ mcpServers: { modes: other } }));
    on.setUp();
    expect(on.json('.mcp.json').mcpServers.modes).toEqual(serverEntry(packageRoot, on.root, process.execPath));
    expect(on.json('.mcp.json.before-modes').mcpServers.modes).toEqual(other);
    expect(on.tree()['.gitignore']).not.toMatch(/^\/\.mcp\.json$/m);
  });

  test('git ignores the list of servers if the setup created it', () => {
    const on = fixture();
    on.setUp();
    expect(on.tree()['.gitignore']).toMatch(/^\/\.mcp\.json$/m);
    on.undo();
    expect(on.tree()).toEqual({});
  });

  test('another version of the package replaces the earlier one', () => {
    const on = fixture();
    const older = path.join(on.top, 'older');
    for (const name of ['hooks', 'commands', 'examples', 'dist'])
      fs.cpSync(path.join(packageRoot, name), path.join(older, name), { recursive: true });
    on.setUp({ packageRoot: older });
    on.setUp();
    expect(on.json(local).hooks).toEqual(manualHooks(packageRoot));
    expect(on.json('.mcp.json').mcpServers.modes).toEqual(serverEntry(packageRoot, on.root, process.execPath));
    expect(on.records()).toBe(`${recordLine(on.root, serverEntry(packageRoot, on.root, process.execPath))}\n`);
  });
});

describe('an undo', () => {
  test('restores every file, and removes the record', () => {
    const on = fixture();
    on.put('.mcp.json', '{"mcpServers":{"files":{"command":"x"}}}\n');
    on.put(local, '{"env":{"A":"1"}}\n');
    fs.mkdirSync(on.data, { recursive: true });
    fs.writeFileSync(`${on.data}/servers`, 'user other\n');
    const before = on.tree();
    on.setUp();
    on.undo();
    expect(on.tree()).toEqual(before);
    expect(on.records()).toBe('user other\n');
  });
});

describe('nothing is written if', () => {
  const other = JSON.stringify({ mcpServers: { modes: { command: 'x' } } });
  test.each<[string, string, string, RegExp]>([
    ['another server has the name', '.mcp.json', other, /another server called modes/],
    ['the list of servers is no JSON', '.mcp.json', '{', /fix it/],
    ['the list of servers is none', '.mcp.json', '{"mcpServers":[]}', /fix it/],
    ['settings hold comments', local, '{ // mine\n}', /plain JSON/],
    ['hooks are of another form', local, '{"hooks":[]}', /an unexpected form/],
    ['the server was switched off by the person', local, '{"disabledMcpjsonServers":["modes"]}', /disabledMcpjsonServers/],
    ['a command of that name is theirs', '.claude/commands/mode.md', 'mine', /not overwritten: \.claude\/commands\/mode\.md/],
  ])('%s', (_, name, text, why) => {
    const on = fixture();
    on.put(name, text);
    expect(on.refused()).toMatch(why);
  });

  test('a link leads elsewhere', () => {
    const on = fixture();
    fs.symlinkSync(path.join(on.top, 'elsewhere'), path.join(on.root, '.mcp.json'));
    expect(on.refused()).toMatch(/\.mcp\.json is not a file but a link/);
  });

  test('the package is inside the project, others can change it, or npm replaces it', () => {
    const on = fixture();
    const copy = path.join(on.root, 'node_modules/claude-modes-mcp');
    for (const name of ['hooks', 'commands', 'examples', 'dist'])
      fs.cpSync(path.join(packageRoot, name), path.join(copy, name), { recursive: true });
    expect(on.refused({ packageRoot: copy })).toMatch(/is inside the project/);
    const open = path.join(on.top, 'open');
    fs.renameSync(copy, open);
    fs.chmodSync(path.join(open, 'hooks/client.sh'), 0o777);
    const cached = path.join(on.top, '_npx/1f');
    fs.mkdirSync(path.dirname(cached));
    fs.symlinkSync(open, path.join(on.top, 'linked'));
    expect(on.refused({ packageRoot: path.join(on.top, 'linked') })).toMatch(/another user can change/);
    expect(on.refused({ packageRoot: open })).toMatch(/another user can change: .*client\.sh/);
    fs.renameSync(open, cached);
    expect(on.refused({ packageRoot: cached })).toMatch(/npx cache/);
  });
});
