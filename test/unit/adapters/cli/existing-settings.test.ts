// Allow lines of the client's settings that stop counting when a project gets modes: named, imported on a yes, undone.
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runDetached } from '../../../support/detached.ts';
import { Session, tick } from '../../../support/mcp-session.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { type Ended, makeProject, type Project } from '../../../support/project.ts';
import { filesIn } from '../importers/project.ts';

let program: string;
beforeAll(async () => {
  program = path.join(await builtPlugin(), 'dist/modes.mjs');
}, 120_000);

const modes = (project: Project, ...args: string[]): Promise<Ended> =>
  runDetached([process.execPath, program, ...args], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin', CLAUDE_CONFIG_DIR: path.join(project.home, '.claude') },
  });

const permissions = (lists: object): string => JSON.stringify({ permissions: lists });
const SETTINGS = permissions({
  allow: ['Bash(make lint)', 'mcp__db__query', 'Bash(node:*)', 'Bash(ls:*)', 'Bash(./a.sh && ./b.sh)', 'Edit(docs/**)'],
});
const LOCAL = permissions({ allow: ['Bash(./local.sh *)'] });
const OWN = permissions({ allow: ['Bash(./mine.sh:*)', 'Read(/keys)'] });

/** One mode guards files, one denies what it does not list, one stops nothing. */
const MODES = 'name: p\ndefault: guarded\nmodes:\n  guarded: {transitions: [{to: "*"}]}\n  closed:\n  open:\n';
const put = (project: Project): void => {
  project.put('.claude/modes.yaml', MODES);
  project.put('.claude/settings.guarded.json', '{\n  // kept\n  "permissions": {"deny": ["Write(src/**)"]}\n}\n');
  project.put('.claude/settings.closed.json', permissions({ default: 'deny', allow: ['Read'] }));
};
const putClients = (project: Project): void => {
  project.put('.claude/settings.json', SETTINGS);
  project.put('.claude/settings.local.json', LOCAL);
  project.put('../.claude/settings.json', OWN);
};
const allowIn = (project: Project, name: string): string[] =>
  JSON.parse(project.get(name).replace(/^ *\/\/.*$/gm, '')).permissions.allow;

interface Stopped {
  text: string;
  asked: string[];
  denied: string[];
  opens: string[];
  wide: string | null;
  why: string | null;
}
const stopped = async (project: Project): Promise<Stopped[]> =>
  JSON.parse((await modes(project, 'validate', '--json')).out).stopped;

test('validate names the lines and the one command that imports them, never a wider one [s:client.allow-import]', async () => {
  const project = makeProject({ example: null });
  put(project);
  putClients(project);
  const before = filesIn(project.root);
  const found = await stopped(project);
  expect(found.map(({ text, asked, denied, opens }) => [text, asked.join(), denied.join(), opens.join()])).toEqual([
    ['Bash(make lint)', 'guarded', 'closed', 'guarded'],
    ['mcp__db__query', 'guarded', 'closed', 'guarded'],
    ['Bash(node:*)', 'guarded', 'closed', 'guarded'],
    ['Bash(ls:*)', '', 'closed', ''],
    ['Bash(./a.sh && ./b.sh)', 'guarded', 'closed', ''],
    ['Edit(docs/**)', '', 'closed', ''],
    ['Bash(./local.sh *)', 'guarded', 'closed', 'guarded'],
    ['Bash(./mine.sh:*)', 'guarded', 'closed', 'guarded'],
  ]);
  expect(found.find(({ wide }) => wide !== null)?.text).toBe('Bash(node:*)');
  const { out } = await modes(project, 'validate');
  expect(out).toContain('  Bash(make lint)  (.claude/settings.json): asked about in guarded, denied in closed\n');
  expect(out).toContain('Bash(node:*)  (.claude/settings.json): asked about in guarded, denied in closed. It allows far more');
  expect(out).toContain('  Bash(./mine.sh:*)  (~/.claude/settings.json): ');
  expect(out).toContain('To import them into the modes that ask: modes import claude-settings --write\n');

  const written = await modes(project, 'import', 'claude-settings', '--write');
  expect([written.code, written.err]).toEqual([0, 'Review and approve it with modes trust. To undo it: modes init --undo.\n']);
  expect(written.out).toContain('allow Bash(node:*): asked about in guarded, denied in closed. It allows far more');
  expect(project.get('.claude/settings.guarded.json')).toContain('// kept');
  expect(allowIn(project, '.claude/settings.guarded.json')).toEqual(['Bash(make lint)', 'mcp__db__query']);
  // A person's own lines do not get into files that others share.
  expect(allowIn(project, '.claude/settings.guarded.local.json')).toEqual(['Bash(./local.sh *)', 'Bash(./mine.sh:*)']);
  expect(project.get('.claude/settings.closed.json')).toBe(permissions({ default: 'deny', allow: ['Read'] }));
  expect((await stopped(project)).flatMap(({ text, asked }) => (asked.length > 0 ? [text] : []))).toEqual([
    'Bash(node:*)',
    'Bash(./a.sh && ./b.sh)',
  ]);

  expect((await modes(project, 'init', '--undo', '--yes')).code).toBe(0);
  expect(filesIn(project.root)).toEqual(before);
  expect((await modes(project, 'import', 'claude-settings', '--wide', '--write')).code).toBe(0);
  expect(allowIn(project, '.claude/settings.guarded.json')).toContain('Bash(node:*)');
}, 120_000);

test('init --yes imports them with the preset, trusts the result, and can undo everything', async () => {
  const project = makeProject({ example: null });
  putClients(project);
  const before = filesIn(project.root);
  const named = await modes(project, 'init', '--preset', 'daic');
  expect(named.err).toContain('To import them into the modes that ask: modes import claude-settings --write');
  expect((await modes(project, 'init', '--undo', '--yes')).code).toBe(0);
  expect(filesIn(project.root)).toEqual(before);

  const done = await modes(project, 'init', '--preset', 'daic', '--yes');
  expect(done.err).toContain("Allow lines of the client's settings that have no effect in some modes:");
  expect(done.out).toMatch(/\ntrusted sha256:/);
  const after = await stopped(project);
  expect(after.filter(({ opens, wide }) => opens.length > 0 && wide === null)).toEqual([]);
  expect((await modes(project, 'init', '--undo', '--yes')).code).toBe(0);
  expect(filesIn(project.root)).toEqual(before);
  expect(project.get('.claude/settings.json')).toBe(SETTINGS);
}, 120_000);

test.each(['accept', 'decline'] as const)(
  '/modes:setup asks about them: %s [s:client.allow-named]',
  async (action) => {
    const project = makeProject({ example: null });
    put(project);
    putClients(project);
    const isLines = ({ message }: { message?: string }): boolean => message?.includes('Import the lines') === true;
    const session = await Session.start(project, {
      dialog: (question) => (isLines(question) && action === 'decline' ? { action } : tick(question)),
    });
    await session.type('/modes:setup');
    expect(session.questions[0]?.message).toContain('Bash(make lint)');
    expect(project.get('.claude/settings.guarded.json').includes('Bash(make lint)')).toBe(action === 'accept');
  },
  120_000,
);
