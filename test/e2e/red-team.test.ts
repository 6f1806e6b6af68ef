// A red team: each way that an agent may think of to get past its mode, played in the real client. Each is refused, asked, or
// said in SECURITY.md to be out of reach, with what closes it; and what is guarded is looked at on the disk.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { REPOSITORY } from './client.ts';
import { guard } from './red-team/guard.ts';
import { links } from './red-team/links.ts';
import { paths } from './red-team/paths.ts';
import { playAll } from './red-team/play.ts';
import { programs } from './red-team/programs.ts';
import { shell } from './red-team/shell.ts';
import { tools } from './red-team/tools.ts';

/** What the suite may not lose: a trick, and how a row of it is told. */
const tricks: [what: string, trick: RegExp][] = [
  ['renaming', /^(git )?mv /],
  ['hard links', /^(ln|cp -l) src/],
  ['linked parents', /linked folder|link to the parent/],
  ['other letters', /\.CLAUDE/],
  ['steps upwards', /test\/\.\.\/src/],
  ['the folder of a process', /\/proc\/self\/cwd/],
  ['worktrees', /worktree/],
  ['servers that write', /mcp__\w+__(write|edit|move)|server that (writes|moves)/],
  ['NotebookEdit', /NotebookEdit/],
  ['Monitor', /"Monitor"/],
  ['background tasks', /run_in_background/],
  ['subagents', /subagent’s/],
  ['skills', /"Skill"/],
  ['workflows', /"Workflow"/],
  ['schedules', /"CronCreate"/],
  ['wake-ups', /"ScheduleWakeup"/],
  ['git -c', /^git -c /],
  ['hooks of git', /\.git\/hooks/],
  ['scripts of package.json', /"scripts/],
  ['a Makefile', /Makefile/],
  ['here-documents', /<<'END'/],
  ['.envrc', /\.envrc/],
  ['BASH_ENV', /^BASH_ENV=/],
  ['snapshots of the shell', /shell-snapshots/],
  ['another plugin in the place of ours', /PLUGIN\/(dist|hooks)/],
  ['disableAllHooks', /disableAllHooks/],
  ['an environment in settings', /env.{1,6}BASH_ENV/],
  ['a second client', /^claude -p/],
  ['another socket in the place of ours', /UNIX-LISTEN|AF_UNIX/],
  ['our own server with another home', /^HOME=BESIDE/],
];

test.each([
  ['other names of a file, and other ways to write it', paths],
  ['links that are swapped, moved, copied and unpacked', links],
  ['other tools, and programs that may run', [...tools, ...programs]],
])('%s: each attempt has the result of its row', { timeout: 420_000 }, async (_, rows) => {
  expect(await playAll(rows)).toEqual({ surprises: [], mode: 'test-dev' });
});

describe('the table', () => {
  const rows = [paths, links, shell, guard, tools, programs].flat();
  const [, second = ''] = readFileSync(path.join(REPOSITORY, 'SECURITY.md'), 'utf8').split('## What is out of reach');
  const named = second
    .split('\n## ')[0]!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split(' | '));

  test('contains at least eighty distinct attempts', () => {
    expect(rows.length).toBeGreaterThanOrEqual(80);
    expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  });

  test.each(tricks)('tries %s', (_, trick) => {
    const tried = rows.filter(({ name, call, before = [] }) => trick.test(`${name} ${JSON.stringify([before, call])}`));
    expect(tried.length).toBeGreaterThan(0);
  });

  test.each(rows.filter(({ expect: said }) => said.startsWith('out of reach')).map((row) => [row.name, row.expect]))(
    'has the result for “%s” that SECURITY.md gives',
    (_, said) => {
      const row = named.find(([what]) => what?.includes(said.replace('out of reach: ', '')));
      expect(row?.[2]?.length).toBeGreaterThan(10);
    },
  );
});
