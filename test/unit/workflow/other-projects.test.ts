// A call that touches another governed project is judged by the present mode there as well, whether the session's folder has modes or not.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toolCall } from '../../../src/facts/call.ts';
import { dataFolderOf, placeOf } from '../../../src/facts/paths/place.ts';
import { markGoverned } from '../../../src/platform/data-folder.ts';
import { OtherProjects } from '../../../src/workflow/other-projects.ts';
import { UngovernedFolder } from '../../../src/workflow/outside.ts';
import { openProject, type Project } from '../../../src/workflow/project.ts';
import { putFile, temporaryFolder } from '../../support/files.ts';
import { prepare } from '../../support/prepare.ts';

const packageRoot = fileURLToPath(new URL('../../..', import.meta.url));
const asker = { session: 'a', permissionMode: null };
let base: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  base = temporaryFolder('modes-others-');
  env = { HOME: path.join(base, 'home'), PATH: process.env.PATH, TMPDIR: path.join(base, 'tmp') };
  fs.mkdirSync(path.join(base, 'home'));
});
afterEach(() => fs.rmSync(base, { recursive: true, force: true }));

const at = (name: string) => path.join(base, name);
function put(name: string, text = 'x'): void {
  putFile(at(name), text);
}

/** A project with the modes `closed`, which denies some, and `open`, which denies nothing. */
function govern(name: string, permissions: object = denies): void {
  put(`${name}/.claude/modes.yaml`, 'name: t\ndefault: closed\nmodes:\n  closed:\n    transitions: [{to: open}]\n  open: {}\n');
  put(`${name}/.claude/settings.closed.json`, JSON.stringify({ permissions }));
  for (const file of ['src/a.ts', 'secret/key', 'docs/a.md']) put(`${name}/${file}`);
}
const git = (folder: string, ...words: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: at(folder), stdio: 'pipe' });
/** A repository with every file of a folder in its first commit. */
function repositoryAt(folder: string): void {
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'a');
}
const denies = { deny: ['Write(/src/**)', 'Read(/secret/**)', 'Bash(git push:*)'], ask: ['Write(/docs/**)'] };

async function projectAt(name: string): Promise<Project> {
  const project = openProject({ start: at(name), env, packageRoot, prepare });
  if (project === null) throw new Error(`${name} is not governed`);
  await project.ready('a');
  return project;
}

type Call = [tool: string, input: Record<string, unknown>];
const bash = (command: string): Call => ['Bash', { command }];
const eventOf = ([tool, input]: Call, cwd: string) => ({
  hook_event_name: 'PreToolUse',
  cwd,
  session_id: 'a',
  tool_use_id: 'toolu_1',
  tool_name: tool,
  tool_input: input,
});

/** What a session that starts in a folder is told of a call. */
async function said(start: string, call: Call, cwd = start): Promise<string> {
  const event = eventOf(call, at(cwd));
  const project = openProject({ start: at(start), env, packageRoot, prepare });
  if (project === null)
    return (await new UngovernedFolder({ start: at(start), env, packageRoot, prepare }).decideEvent(event)).decision.decision;
  await project.ready('a');
  return (await project.fully(() => project.decideEvent(event))).decision;
}

/** Calls that touch the project at `there`, and what its mode makes of them. */
const touching = (there: string): [said: string, call: Call][] => [
  ['deny', ['Write', { file_path: `${there}/src/new.ts`, content: 'x' }]],
  ['deny', ['Edit', { file_path: `${there}/src/a.ts`, old_string: 'x', new_string: 'y' }]],
  ['deny', ['Read', { file_path: `${there}/secret/key` }]],
  ['deny', ['Grep', { pattern: 'x', path: there }]],
  ['deny', ['Grep', { pattern: 'x', path: path.dirname(there) }]],
  ['deny', ['Write', { file_path: `${there}/.claude/settings.closed.json`, content: '{}' }]],
  ['deny', ['Write', { file_path: `${there}/.claude/modes.yaml`, content: '' }]],
  ['deny', ['Write', { file_path: `${there}/.claude/policies/a.rego`, content: '' }]],
  ['deny', bash(`echo x > ${there}/.claude/settings.closed.json`)],
  ['deny', bash(`rm -r ${there}/.claude`)],
  ['deny', bash(`rm -rf ${there}`)],
  ['deny', bash(`rm -rf ${path.dirname(there)}`)],
  ['deny', bash(`mv ${there} ${there}-gone`)],
  ['deny', bash(`cat ${there}/secret/key`)],
  ['deny', bash(`cd ${there} && cat secret/key`)],
  ['deny', bash(`cp ${there}/secret/key /dev/null`)],
  ['deny', bash(`grep -r x ${there}`)],
  ['deny', bash(`echo x > ${there}/src/new.ts`)],
  ['deny', bash(`sed -i s/x/y/ ${there}/src/a.ts`)],
  ['deny', bash(`cd ${there} && git push`)],
  ['deny', bash(`git -C ${there} push`)],
  ['deny', bash(`(cd ${there}/docs && git push origin main)`)],
  ['deny', bash(`git -C ${path.dirname(there)} -C ${path.basename(there)} push`)],
  ['deny', bash(`rm -rf ${path.dirname(there)}/*`)],
  ['deny', bash(`cat ${path.dirname(there)}/*/secret/key`)],
  ['deny', ['mcp__other__get', { uri: `file://${there}/secret/key` }]],
  ['deny', ['mcp__other__get', { where: { folder: [`${there}/secret/key`] } }]],
  ['deny', bash(`true; cd ${there}; true && echo x | tee src/b.ts`)],
  ['deny', bash(`git --git-dir=${there}/.git show HEAD:secret/key`)],
  ['deny', bash(`GIT_DIR=${there}/.git git show HEAD:secret/key`)],
  ['deny', bash(`env GIT_DIR='${there}/.git' git show HEAD:secret/key`)],
  ['ask', bash(`python3 -c 'open("${there}/secret/key")'`)],
  ['ask', ['BrandNew', { file: `${there}/docs/a.md` }]],
  ['deny', ['BrandNew', { file: `${there}/secret/key` }]],
  ['ask', ['PowerShell', { command: `Get-Content ${there}/docs/a.md` }]],
  ['ask', bash(`make -C ${there}`)],
  ['ask', bash(`python3 x.py ${there}`)],
  ['ask', bash(`cd ${there} && npm test`)],
  ['ask', ['Write', { file_path: `${there}/docs/b.md`, content: 'x' }]],
  ['ask', bash(`touch ${there}/docs/b.md`)],
  ['deny', ['mcp__filesystem__write_file', { path: `${there}/src/new.ts`, content: 'x' }]],
  ['pass', ['Read', { file_path: `${there}/docs/a.md` }]],
  ['pass', bash(`cat ${there}/docs/a.md`)],
  ['pass', bash(`ls ${there}`)],
  ['pass', bash(`cd ${there} && git status`)],
];

/** Calls beside it, which its mode has nothing to say of. */
const beside = (there: string): Call[] => [
  ['Write', { file_path: `${there}-2/src/new.ts`, content: 'x' }],
  bash(`echo x > ${there}.txt`),
  bash('git push'),
  bash('python3 x.py'),
  bash('cd "$SOMEWHERE" && make'),
  bash(`cat ${there}-2/secret/key`),
  ['WebFetch', { url: 'https://example.com', prompt: 'x' }],
];

/** A disk that ignores case shows a folder under both names. Here, a link does. */
describe('a project whose path has capitals, on a disk that ignores case', () => {
  const bothNames = (name: string) => {
    fs.mkdirSync(path.dirname(at(name).toLowerCase()), { recursive: true });
    fs.symlinkSync(at(name), at(name).toLowerCase());
  };
  afterEach(() => fs.rmSync(base.toLowerCase(), { recursive: true, force: true }));

  test("is the session's own under each of its names [s:others.names]", async () => {
    govern('Shop');
    put('Shop/.claude/settings.open.json', JSON.stringify({ permissions: { deny: ['Write(/secret/**)'] } }));
    const project = await projectAt('Shop');
    project.for({ session: 'a', cwd: null }).transitions.force('open', 'test', asker);
    bothNames('Shop');
    const call: Call = ['Write', { file_path: at('Shop/src/a.ts'), content: 'x' }];
    const { decision, reason } = await project.fully(() => project.decideEvent(eventOf(call, at('Shop'))));
    expect({ decision, reason }).toEqual({ decision: 'pass', reason: '' });
  });

  test('is not judged by a name that only the data folder knows [s:others.names]', async () => {
    govern('Shop');
    put('Shop/.claude/settings.open.json', JSON.stringify({ permissions: { deny: ['Write(/secret/**)'] } }));
    markGoverned(dataFolderOf(env), at('Shop').toLowerCase());
    const project = await projectAt('Shop');
    project.for({ session: 'a', cwd: null }).transitions.force('open', 'test', asker);
    expect(await said('Shop', ['Write', { file_path: at('Shop/src/a.ts'), content: 'x' }])).toBe('pass');
  });

  test('is one other project under each of its names [s:others.names]', async () => {
    govern('Shop');
    govern('Own', { deny: ['Write(/build/**)'] });
    const shop = await projectAt('Shop');
    bothNames('Shop');
    const write: Call = ['Write', { file_path: at('Shop/src/a.ts'), content: 'x' }];
    expect(await said('Own', write)).toBe('deny');
    shop.for({ session: 'a', cwd: null }).transitions.force('open', 'test', asker);
    // The path is outside of the session's own project.
    expect(await said('Own', write)).toBe('ask');
  });

  test('is not the home folder [s:others.names]', () => {
    put('home/.claude/modes.yaml');
    govern('Shop');
    bothNames('Shop');
    fs.symlinkSync(at('home'), at('other-home'));
    const opened: string[] = [];
    const others = new OtherProjects(placeOf(at('Own'), env, packageRoot), at('Own'), ({ root }) => {
      opened.push(root);
      return { root, released: false, ready: () => Promise.resolve(), decideFromOutside: () => expect.fail() };
    });
    const workedIn = [[at('other-home'), at('Shop'), at('Shop').toLowerCase()]];
    others.touchedBy({ facts: null, workedIn, call: toolCall(eventOf(bash('true'), at('Own'))) });
    expect(opened).toEqual([at('Shop')]);
  });
});

describe('a folder without modes', () => {
  test.each(['ws/my-repo', 'ws/a/b/my-repo'])(
    'that contains the project %s [s:others.outside] [s:others.protected]',
    async (name) => {
      govern(name);
      const wrong: unknown[] = [];
      for (const [wanted, call] of touching(at(name))) {
        const found = await said('ws', call);
        if (found !== wanted) wrong.push([found, wanted, call]);
      }
      for (const call of beside(at(name))) {
        const found = await said('ws', call);
        if (found !== 'pass') wrong.push([found, 'pass', call]);
      }
      expect(wrong).toEqual([]);
    },
  );

  test('uses the present mode and the present content of the project', async () => {
    govern('ws/my-repo');
    const call: Call = ['Write', { file_path: at('ws/my-repo/src/a.ts'), content: 'x' }];
    const outside = new UngovernedFolder({ start: at('ws'), env, packageRoot, prepare });
    const decided = async () => (await outside.decideEvent(eventOf(call, at('ws')))).decision.decision;
    expect(await decided()).toBe('deny');
    const project = await projectAt('ws/my-repo');
    expect(await project.for({ session: 'a', cwd: null }).transitions.transition('open', 'because', asker)).toMatchObject({
      success: true,
    });
    expect(await decided()).toBe('pass');
    put('ws/my-repo/.claude/settings.open.json', '{"permissions":{"deny":["Write"]}}');
    await new Promise((next) => setTimeout(next, 300));
    expect(await decided()).toBe('deny');
  });

  test('names the project, its mode and the transition in the reason', async () => {
    govern('ws/my-repo');
    const outside = new UngovernedFolder({ start: at('ws'), env, packageRoot, prepare });
    const { decision, project } = await outside.decideEvent(
      eventOf(['Write', { file_path: at('ws/my-repo/src/a.ts'), content: 'x' }], at('ws')),
    );
    expect(decision.reason).toContain(`the project ${at('ws/my-repo')} (mode closed)`);
    expect(decision.remedy).toContain(`starts in ${at('ws/my-repo')}`);
    expect(project?.root).toBe(at('ws/my-repo'));
  });

  test('lists the projects that it contains, with a bounded search [s:others.told]', () => {
    govern('ws/my-repo');
    govern('ws/b/c');
    govern('ws/node_modules/d');
    govern('ws/1/2/3/4/5/6/7/8/e');
    const told = () => new UngovernedFolder({ start: at('ws'), env, packageRoot, prepare }).describeNested();
    expect(told()).toContain('governed projects: my-repo, b/c.');
    // At any depth where somebody worked in it.
    markGoverned(path.join(base, 'home/.claude/modes-data'), at('ws/1/2/3/4/5/6/7/8/e'));
    expect(told()).toContain('1/2/3/4/5/6/7/8/e');
    expect(new UngovernedFolder({ start: at('home'), env, packageRoot, prepare }).describeNested()).toBe('');
  });

  test('is restricted by a broken project below, or one without its modes.yaml: only reading is allowed there', async () => {
    govern('ws/my-repo');
    put('ws/my-repo/.claude/settings.closed.json', '{ torn');
    expect(await said('ws', ['Write', { file_path: at('ws/my-repo/docs/a.md'), content: 'x' }])).toBe('deny');
    expect(await said('ws', ['Read', { file_path: at('ws/my-repo/docs/a.md') }])).toBe('pass');
    put('ws/other/docs/a.md');
    markGoverned(path.join(base, 'home/.claude/modes-data'), at('ws/other'));
    expect(await said('ws', bash(`rm ${at('ws/other/docs/a.md')}`))).toBe('deny');
  });

  test('counts a default of the project, and no allow [s:others.narrow]', async () => {
    govern('ws/my-repo', { default: 'deny', allow: ['Read(/docs/**)', 'Write(/docs/**)', 'Bash(@read-only)'] });
    const decided = (call: Call) => said('ws', call);
    expect(await decided(['Write', { file_path: at('ws/my-repo/docs/b.md'), content: 'x' }])).toBe('pass');
    expect(await decided(['Write', { file_path: at('ws/my-repo/lib/b.md'), content: 'x' }])).toBe('deny');
    expect(await decided(['Write', { file_path: at('ws/b.md'), content: 'x' }])).toBe('pass');
    // What happens elsewhere in the same call needs no allow there.
    expect(await decided(bash(`make all; cat ${at('ws/my-repo/docs/a.md')}`))).toBe('pass');
    expect(await decided(bash(`cd ${at('ws/my-repo')} && make all`))).toBe('deny');
  });

  test('looks at everything that git prints of another repository', async () => {
    govern('ws/my-repo');
    const there = at('ws/my-repo');
    repositoryAt('ws/my-repo');
    for (const command of [`git clone file://${there} x`, `git fetch file://${there}`, `git -C ${there} log -p`])
      expect([command, await said('ws', bash(command))]).toEqual([command, 'deny']);
  });

  test('asks a tool that may do anything in the folder of a project', async () => {
    govern('ws/my-repo');
    expect(await said('ws', ['PowerShell', { command: 'make' }], 'ws/my-repo')).toBe('ask');
    expect(await said('ws', ['BrandNew', {}], 'ws/my-repo')).toBe('ask');
    expect(await said('ws', ['PowerShell', { command: 'make' }])).toBe('pass');
  });

  test('is denied a call that touches more projects than can decide it', async () => {
    for (let at = 0; at < 33; at++) govern(`ws/${at}`, {});
    govern('ws/last');
    const files = Array.from({ length: 33 }, (_, at) => `ws/${at}/docs/a.md`).map(at);
    expect(await said('ws', bash(`cat ${files.slice(0, 32).join(' ')}`))).toBe('pass');
    expect(await said('ws', bash(`cat ${files.join(' ')} ${at('ws/last/secret/key')}`))).toBe('deny');
  });

  test('uses the worktrees for a repository that has no modes in its own tree', async () => {
    govern('ws/my-repo');
    repositoryAt('ws/my-repo');
    git('ws', 'clone', '-q', '--bare', at('ws/my-repo'), at('ws/bare.git'));
    git('ws/bare.git', 'worktree', 'add', '-q', at('ws/tree'));
    put('ws/plain/secret/key');
    repositoryAt('ws/plain');
    git('ws/plain', 'worktree', 'add', '-q', at('ws/governed'));
    govern('ws/governed');
    const rows: [string, Call][] = [
      ['deny', bash(`git -C ${at('ws/bare.git')} show HEAD:secret/key`)],
      ['deny', bash(`git --git-dir ${at('ws/bare.git')} archive HEAD`)],
      ['deny', bash(`git clone ${at('ws/bare.git')} x`)],
      ['deny', bash(`echo x > ${at('ws/bare.git')}/hooks/pre-commit`)],
      ['deny', bash(`git -C ${at('ws/bare.git')} config core.hooksPath x`)],
      ['ask', bash(`git -C ${at('ws/bare.git')} show HEAD:docs/a.md`)],
      ['deny', ['Write', { file_path: at('ws/plain/.git/hooks/pre-commit'), content: 'x' }]],
      ['pass', bash(`cd ${at('ws/plain')} && git add -A && git commit -m x`)],
    ];
    for (const [wanted, call] of rows) expect([call, await said('ws', call)]).toEqual([call, wanted]);
  });

  test('uses the main checkout if a worktree of a project has no modes itself', async () => {
    govern('ws/my-repo');
    put('ws/my-repo/.gitignore', '.claude\n');
    const git = (...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: at('ws/my-repo'), stdio: 'pipe' });
    git('init', '-q');
    git('add', '-A');
    git('commit', '-q', '-m', 'a');
    git('worktree', 'add', '-q', at('ws/tree'));
    expect(await said('ws', bash(`cat ${at('ws/tree/secret/key')}`))).toBe('deny');
    expect(await said('ws', bash(`echo x > ${at('ws/tree/src/b.ts')}`))).toBe('deny');
    expect(await said('ws', bash(`cat ${at('ws/tree/docs/a.md')}`))).toBe('pass');
  });
});

describe('a project that is reached in another way', () => {
  const other = () => touching(at('ws/in')).filter(([wanted]) => wanted === 'deny');
  const opened = async (start: string, calls: Call[]): Promise<Call[]> => {
    const passed: Call[] = [];
    for (const call of calls) if ((await said(start, call)) !== 'deny') passed.push(call);
    return passed;
  };

  test.each(['vendor', 'node_modules', 'target', '1/2/3/4/5/6/7'])(
    'is found in %s if a call names a folder around it [s:others.judged]',
    async (folder) => {
      govern('own', {});
      govern(`own/${folder}/in`);
      const around = at(`own/${folder}`);
      expect(
        await opened('own', [
          ['Grep', { pattern: 'x', path: around }],
          bash(`grep -r x ${around}`),
          bash(`tar cf x.tar ${around}`),
          bash(`cp -r ${around} x`),
          bash(`cat ${around}/*/secret/key`),
          bash(`rm -rf ${around}`),
        ]),
      ).toEqual([]);
    },
  );

  test('through a link is the same project', async () => {
    govern('real');
    put('ws/x');
    fs.symlinkSync('../real', at('ws/in'));
    const followsNoLink = /^(?:cp|mv|rm -rf?|grep -r) \S*\/ws(?:\/\*)?(?: |$)|^(?:mv|rm) .*\/ws\/in\b/;
    const calls = other()
      .map(([, call]) => call)
      .filter(([tool, input]) => (tool === 'Bash' ? !followsNoLink.test(String(input.command)) : input.path !== at('ws')));
    expect(calls.length).toBeGreaterThan(20);
    expect(await opened('ws', calls)).toEqual([]);
  });

  test('through a link in place of its .claude is found below a folder', async () => {
    govern('ws/in');
    fs.renameSync(at('ws/in/.claude'), at('ws/conf'));
    fs.symlinkSync('../conf', at('ws/in/.claude'));
    expect(await opened('ws', [bash(`chmod -R 777 ${at('ws')}`), bash(`rm -rf ${at('ws')}/*`)])).toEqual([]);
  });

  test.each(['beside it', 'in an ignored folder of it'])(
    'through a worktree without modes %s is judged in both [s:others.judged]',
    async (where) => {
      govern('main');
      put('main/.gitignore', '.claude\n.trees\n');
      const git = (...words: string[]) =>
        execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: at('main'), stdio: 'pipe' });
      git('init', '-q');
      git('add', '-A');
      git('commit', '-q', '-m', 'a');
      const tree = where === 'beside it' ? 'ws' : 'main/.trees/one';
      git('worktree', 'add', '-q', at(tree));
      const there = at(tree);
      const calls: Call[] = [
        bash(`cd ${there} && git push`),
        bash(`(cd ${there} && exec git push)`),
        bash(`env -C ${there} git push`),
        bash(`sh -c 'cd ${there} && git push'`),
        bash(`pushd ${there} && git push`),
        bash(`cat ${path.dirname(there)}/*/secret/key`),
        ['Grep', { pattern: 'x', path: there }],
        ['Grep', { pattern: 'x', path: path.dirname(there) }],
        ['Write', { file_path: `${there}/src/new.ts`, content: 'x' }],
        ['Read', { file_path: `${there}/secret/key` }],
      ];
      put('elsewhere/x');
      for (const start of [tree, 'main', 'elsewhere']) expect([start, await opened(start, calls)]).toEqual([start, []]);
      expect(await said('elsewhere', bash(`cd ${there} && git status`))).toBe('pass');
    },
  );
});

describe('a project with modes of its own', () => {
  const starts: [name: string, own: string, other: string][] = [
    ['a project below it', 'outer', 'outer/packages/a'],
    ['a project above it', 'outer/packages/a', 'outer'],
    ['a project beside it', 'one', 'two'],
  ];
  test.each(starts)('is decided by %s [s:others.judged]', async (_, own, other) => {
    govern(own, {});
    govern(other);
    const wrong: unknown[] = [];
    for (const [wanted, call] of touching(at(other))) {
      // Its own protections may ask of what is outside of it.
      const found = await said(own, call);
      if (found !== wanted && !(wanted === 'pass' && found === 'ask')) wrong.push([found, wanted, call]);
    }
    expect(wrong).toEqual([]);
    expect(await said(own, ['Write', { file_path: at(`${own}/src/a.ts`), content: 'x' }])).toBe('pass');
    expect(await said(own, bash('git push'))).toBe('pass');
  });

  test('keeps its own denies if the other one allows [s:others.narrow]', async () => {
    govern('outer');
    govern('outer/src/a', { allow: ['Write', 'Read', 'Bash'] });
    expect(await said('outer', ['Write', { file_path: at('outer/src/a/x'), content: 'x' }])).toBe('deny');
    expect(await said('outer/src/a', ['Write', { file_path: at('outer/src/a/x'), content: 'x' }])).toBe('pass');
  });

  test('is not decided by another checkout of its own repository without work in it', async () => {
    govern('main');
    const git = (cwd: string, ...words: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: at(cwd), stdio: 'pipe' });
    git('main', 'init', '-q');
    git('main', 'add', '-A');
    git('main', 'commit', '-q', '-m', 'a');
    git('main', 'worktree', 'add', '-q', at('tree'));
    const project = await projectAt('main');
    await project.for({ session: 'a', cwd: null }).transitions.transition('open', 'because', asker);
    // The worktree's own first mode would deny it.
    const write: Call = ['Write', { file_path: at('tree/src/b.ts'), content: 'x' }];
    expect(await said('main', write)).toBe('pass');
    const tree = await projectAt('tree');
    await tree.for({ session: 'b', cwd: null }).transitions.transition('open', 'because', asker);
    expect(await said('main', write)).toBe('pass');
    expect(await tree.for({ session: 'b', cwd: null }).transitions.stop('enough', asker)).toBeTruthy();
    expect(await said('main', write)).toBe('deny');
  });
});
