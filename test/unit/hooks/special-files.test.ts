// A clone can put a pipe, a device or an endless file wherever a decision reads a file. Every decision still ends.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { builtPlugin } from '../../support/plugin.ts';
import { makeProject, type Project, run } from '../../support/project.ts';

let plugin: string;
beforeAll(async () => {
  plugin = await builtPlugin();
}, 120_000);

const KINDS: readonly (readonly [kind: string, make: (file: string) => void])[] = [
  ['a pipe', (file) => void execFileSync('mkfifo', [file])],
  ['a link to a device without end', (file) => fs.symlinkSync('/dev/zero', file)],
  ['a link to standard input', (file) => fs.symlinkSync('/dev/stdin', file)],
  ['a sparse file of 10 GB', (file) => fs.truncateSync(file, 10 * 1024 ** 3)],
];

/** Files of a project that calls below are decided by. */
const READ_BY_CALLS = [
  '.gitignore',
  '.ignore',
  '.rgignore',
  '.mcp.json',
  '.npmrc',
  'package.json',
  'test/package.json',
  'test/.gitignore',
  'test/pnpm-workspace.yaml',
  'Makefile',
  'CLAUDE.md',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/skills/x/SKILL.md',
  '.claude/commands/x.md',
  '.claude/agents/x.md',
  '.claude/tasks/x.md',
  '.claude/policies/x.cases.yaml',
];
const OF_CONFIGURATION = [
  '.claude/modes.yaml',
  '.claude/settings.idle.json',
  '.claude/CLAUDE.idle.md',
  '.claude/policies/x.rego',
];
const OF_GIT = [
  'HEAD',
  'config',
  'index',
  'info/exclude',
  'info/sparse-checkout',
  'packed-refs',
  'commondir',
  'worktrees/x/gitdir',
];

const CALLS: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['Read', { file_path: 'test/a.js' }],
  ['Write', { file_path: 'src/a.js', content: 'x' }],
  ['Grep', { pattern: 'x' }],
  ['Skill', { skill: 'x' }],
  ['Bash', { command: 'cd test && pnpm list; npm ls; rg x; git grep x' }],
  ['Bash', { command: 'git commit -am x; git status; git add -A; git diff' }],
  ['Bash', { command: 'cp -r test other; grep -r x .; ls -R; xargs cat < test/package.json; make -n' }],
];

async function expectAnswers(project: Project): Promise<void> {
  for (const [tool, input] of CALLS) {
    const named = 'file_path' in input ? { ...input, file_path: path.join(project.root, String(input.file_path)) } : input;
    const event = { hook_event_name: 'PreToolUse', cwd: project.root, tool_name: tool, tool_input: named, tool_use_id: 't' };
    const { code, out } = await run(process.execPath, [path.join(plugin, 'dist/hook.cjs'), 'PreToolUse', project.root], {
      cwd: '/',
      env: project.env(),
      stdin: JSON.stringify(event),
      timeout: 20_000,
    });
    expect([code, out.startsWith('{')], `${tool} ${JSON.stringify(input)}`).toEqual([0, true]);
  }
}

function put(project: Project, names: readonly string[], make: (file: string) => void): void {
  for (const name of names) {
    const file = path.join(project.root, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.rmSync(file, { recursive: true, force: true });
    if (make === KINDS[3]?.[1]) fs.writeFileSync(file, '');
    make(file);
  }
}

describe.each(KINDS)('%s', (_, make) => {
  test('in place of a file that decisions use', async () => {
    const project = makeProject();
    execFileSync('git', ['init', '-q'], { cwd: project.root });
    put(project, READ_BY_CALLS, make);
    await expectAnswers(project);
  });

  test('in place of the configuration', async () => {
    const project = makeProject();
    put(project, OF_CONFIGURATION, make);
    await expectAnswers(project);
  });

  test('in place of a file of git', async () => {
    const project = makeProject();
    execFileSync('git', ['init', '-q'], { cwd: project.root });
    put(
      project,
      OF_GIT.map((name) => `.git/${name}`),
      make,
    );
    await expectAnswers(project);
  });

  test('in place of .git itself', async () => {
    const project = makeProject();
    put(project, ['.git', 'test/.git'], make);
    await expectAnswers(project);
  });
});
