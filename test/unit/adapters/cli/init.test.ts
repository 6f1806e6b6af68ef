// Choosing a preset: the comparison, the dialogue, and what flags alone do.
import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { choosePreset, init } from '../../../../src/adapters/cli/init.ts';
import { PRESET_COLUMNS, planSummary, presetRow, presetTable, readPresets } from '../../../../src/app/setup/presets.ts';
import { planSetup, type SetupPlan } from '../../../../src/app/setup/setup.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { type EngineCommand, engineCommandsOf, UsedFiles } from '../../../../src/workflow/gates/uses.ts';
import { Session } from '../../../support/mcp-session.ts';
import { builtPlugin, repository } from '../../../support/plugin.ts';
import { type Ended, makeProject, type Project, run } from '../../../support/project.ts';

const presets = readPresets(repository);
const names = presets.map(({ name }) => name);
const named = (name: string) => presets.find((one) => one.name === name);

describe('the comparison', () => {
  test('contains every folder of examples that can be copied', () => {
    const folders = fs.readdirSync(path.join(repository, 'examples'));
    expect(names).toEqual(folders.filter((name) => fs.existsSync(path.join(repository, 'examples', name, '.claude'))).sort());
    expect(names).toEqual(expect.arrayContaining(['agents', 'daic', 'delegates', 'roo', 'tdd']));
  });

  test('names the audience of each', () => {
    for (const { name, for: audience } of presets) expect([name, audience]).toEqual([name, expect.stringMatching(/^\w.*[^.]$/)]);
  });

  test('distinguishes words, checks and approvals by a person', () => {
    expect(named('tdd')).toMatchObject({
      modes: ['idle', 'test-dev', 'feature-dev'],
      ways: 3,
      checked: 0,
      approved: 0,
      checks: [],
    });
    expect(named('tdd-checked')).toMatchObject({ ways: 3, checked: 2, checks: ['changed', 'tests', 'unchanged'] });
    expect(named('code-review')).toMatchObject({ ways: 4, checked: 2, approved: 1, checks: ['agent', 'git', 'passes'] });
  });

  test.each([77, 60, 40])('fits a screen of %d columns, with one block for each preset', (columns) => {
    const shown = presetTable(presets, columns);
    expect(shown.split('\n').filter((line) => line.length > columns)).toEqual([]);
    const blocks = shown.split('\n\n').map((block) => block.replace(/\n +/g, ' '));
    expect(blocks).toHaveLength(presets.length);
    expect(blocks[0]).toMatch(
      /^agents modes: plan, .* transitions checked by machine: 4 of 6: .* by a person: 1 for: tasks that /,
    );
    expect(blocks[names.indexOf('tdd')]).not.toContain('by a person');
  });

  test.each([120, 100, 80, 78])('fits a screen of %d columns, and keeps each column in its place', (columns) => {
    const lines = presetTable(presets, columns).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    const start = (lines[0] as string).indexOf('modes');
    for (const name of names) {
      const line = lines.find((one) => one.startsWith(`${name} `)) as string;
      expect([name, line.slice(start).split(',')[0]?.split(' ')[0]]).toEqual([name, named(name)?.modes[0]]);
    }
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('none of 3');
  });

  test('matches the guide', () => {
    const page = fs.readFileSync(path.join(repository, 'docs/presets.md'), 'utf8');
    expect(page).toContain(`| ${PRESET_COLUMNS.join(' | ')} |`);
    const rows = page.split('\n').filter((line) => line.startsWith('| [`'));
    expect(rows).toEqual(
      presets.map((one) => {
        const [name, ...others] = presetRow(one);
        return `| [\`${name}\`](../examples/${name}) | ${others.join(' | ')} |`;
      }),
    );
  });
});

describe('the dialogue', () => {
  /** What is said when these lines are typed, one a question. */
  async function typed(...lines: (string | null)[]): Promise<{ answer: string | null; said: string; left: number }> {
    const said: string[] = [];
    const rest = [...lines];
    const answer = await choosePreset(presets, {
      out: (text) => void said.push(text),
      err: (text) => void said.push(text),
      colour: false,
      ask: () => Promise.resolve(null),
      line(question) {
        said.push(question);
        return Promise.resolve(rest.shift() ?? null);
      },
    });
    return { answer, said: said.join('\n'), left: rest.length };
  }

  test.each<[string, (string | null)[], string | null]>([
    ['a name', ['daic'], 'daic'],
    ['a name that others begin with', ['tdd'], 'tdd'],
    ['a beginning that one has alone', ['ref'], 'refactoring'],
    ['a beginning that several have, then a name', ['d', 'delegates'], 'delegates'],
    ['nothing', [''], ''],
    ['nobody', [null], null],
    ['a name of every object', ['constructor', 'roo'], 'roo'],
  ])('%s', async (_, lines, expected) => {
    expect(await typed(...lines)).toMatchObject({ answer: expected, left: 0 });
  });

  test('shows the comparison once, and suggests the intended name', async () => {
    const { said } = await typed('refactorign', 'refactoring');
    expect(said).toContain('Did you mean refactoring?');
    expect(said.split(presetTable(presets))).toHaveLength(2);
  });
});

describe('the dialogue about a project', () => {
  /** What is said and asked when a person chooses this preset, and answers these questions. */
  async function chosen(files: { readonly [name: string]: string }, preset: string, ...answers: boolean[]) {
    const project = makeProject({ example: null });
    for (const [name, text] of Object.entries(files)) project.put(name, text);
    const before = process.env;
    const parent = vi.spyOn(process, 'ppid', 'get').mockReturnValue(1);
    const said: string[] = [];
    const asked: string[] = [];
    try {
      process.env = { HOME: project.home, PATH: '/usr/bin:/bin' };
      const code = await init(
        { project: project.root },
        {
          out: (text) => void said.push(text),
          err: (text) => void said.push(text),
          colour: false,
          ask(question) {
            asked.push(question);
            return Promise.resolve(answers.shift() ?? null);
          },
          line: () => Promise.resolve(preset),
        },
      );
      return { code, said: said.join('\n'), asked, files: fs.readdirSync(project.root).sort() };
    } finally {
      process.env = before;
      parent.mockRestore();
    }
  }

  test('shows the survey and the files before it asks, and writes nothing after a refusal', async () => {
    const { code, said, asked, files } = await chosen({ 'go.mod': 'module a\n' }, 'tdd-checked', false);
    expect(said).toMatch(/^Found in this project:\n {2}package manager {2}go [\s\S]*\nFiles:\n\+ \.claude\/CLAUDE/);
    expect(asked).toEqual([expect.stringMatching(/^Write this to /)]);
    expect([code, files]).toEqual([1, ['go.mod']]);
  });

  test.each<[boolean, RegExp]>([
    [true, /modes\.yaml {2}\(from the preset tdd-words\)/],
    [false, /modes\.yaml {2}\(from the preset tdd-checked\)/],
  ])('offers gates in words if no runner was found; answered with %s', async (answer, written) => {
    const { said, asked } = await chosen({ 'README.md': '' }, 'tdd-checked', answer, false);
    expect(said).toContain('No test command was found, so gates of tdd-checked ');
    expect(asked).toEqual([
      'Use the preset tdd-words, with the same modes and gates in words?',
      expect.stringMatching(/^Write this to /),
    ]);
    expect(said).toMatch(written);
  });
});

describe('the files to write', () => {
  const planned = (project: Project, preset: string) =>
    planSetup({
      root: project.root,
      preset,
      packageRoot: repository,
      configFolder: `${project.home}/.claude`,
      home: project.home,
    }) as SetupPlan;

  test.each(names)('%s is copied completely, with only the additions of every setup', (name) => {
    const project = makeProject({ example: null });
    const source = path.join(repository, 'examples', name);
    const files = (fs.readdirSync(path.join(source, '.claude'), { recursive: true, encoding: 'utf8' }) as string[])
      .map((file) => `.claude/${file}`)
      .filter((file) => fs.statSync(path.join(source, file)).isFile());
    const added = ['.claude/settings.json', '.claude/settings.local.json', '.gitignore'];
    const { steps } = planned(project, name);
    expect(steps.map(({ file }) => path.relative(project.root, file)).sort()).toEqual([...files, ...added].sort());
    for (const file of files)
      expect(steps.find((step) => step.file === path.join(project.root, file))?.text).toBe(
        fs.readFileSync(path.join(source, file), 'utf8'),
      );
  });

  test('are summarized by kind, and single files by name', () => {
    const project = makeProject({ example: null });
    project.put('.gitignore', 'a\n');
    expect(planSummary(planned(project, 'roo'))).toBe(
      '8 instructions of modes, 5 in .claude/agents, 3 in .claude/modes, 3 in .claude/policies, 9 settings of modes, .claude/modes.yaml, .claude/settings.json, .claude/settings.local.json, .gitignore (changed, a copy is kept)',
    );
  });
});

describe('modes init', () => {
  let program: string;
  beforeAll(async () => {
    program = path.join(await builtPlugin(), 'dist/modes.mjs');
  }, 120_000);

  /** In a process that is a child of nobody, with nobody at a terminal: whoever runs these tests may be a client. */
  async function start(project: Project, ...args: string[]): Promise<Ended> {
    const out = path.join(project.home, `out-${Math.random()}`);
    const script = '( "$@" >"$OUT.out" 2>"$OUT.err" </dev/null; echo $? >"$OUT.rc.new"; mv "$OUT.rc.new" "$OUT.rc" ) &';
    await run('/bin/sh', ['-c', script, 'sh', process.execPath, program, 'init', ...args], {
      cwd: project.root,
      env: { HOME: project.home, PATH: '/usr/bin:/bin', OUT: out },
    });
    await expect.poll(() => fs.existsSync(`${out}.rc`), { timeout: 20_000 }).toBe(true);
    const read = (end: string) => fs.readFileSync(`${out}.${end}`, 'utf8');
    return { code: Number(read('rc')), out: read('out'), err: read('err') };
  }

  test('--list compares the presets, inside the client too', async () => {
    const project = makeProject({ example: null });
    expect((await start(project, '--list')).out).toBe(`${presetTable(presets)}\n`);
    const env = { HOME: project.home, PATH: '/usr/bin:/bin', CLAUDECODE: '1' };
    const listed = await run(process.execPath, [program, 'init', '--list', '--json'], { cwd: project.root, env });
    expect(JSON.parse(listed.out)).toEqual(presets);
  });

  test('names the flags and writes nothing, without flags and without a terminal', async () => {
    const project = makeProject({ example: null });
    const ended = await start(project);
    expect(ended).toMatchObject({ code: 64, out: '' });
    for (const flag of ['--preset NAME', '--list', '--undo --yes']) expect(ended.err).toContain(`modes init ${flag}`);
    expect(fs.readdirSync(project.root)).toEqual([]);
  });

  test('--preset copies without a question, trusts the result, and names the undo command', async () => {
    const project = makeProject({ example: null });
    const ended = await start(project, '--preset', 'agents');
    expect(ended).toMatchObject({ code: 0, err: expect.stringMatching(/^To undo it: modes init --undo\.\n/m) });
    expect(ended.err).toMatch(/^Nothing was found here [^\n]*\nNo test command was found, so gates of agents /);
    expect(ended.out).toMatch(/^wrote \.claude\/policies\/delegation\.rego$[\s\S]*^trusted sha256:/m);
    expect(project.get('.claude/agents/planner.md')).toContain('name: planner');
  });

  test('approves the files that the commands of its gates use, so that the engine may run them [w:run.trust]', async () => {
    const project = makeProject({ example: null });
    project.put('package.json', '{"name":"a","scripts":{"test":"node --test"}}\n');
    project.put('test/a.test.js', "require('node:test').test('a', () => undefined);\n");
    const ended = await start(project, '--preset', 'tdd-checked', '--yes');
    expect(ended).toMatchObject({ code: 0 });
    // As `modes trust` lists them.
    expect(ended.out).toMatch(
      /^tests: npm test, failing: new: the engine runs it; it uses package\.json$[\s\S]*^trusted sha256:/m,
    );
    const used = new UsedFiles(project.root, project.home, project.data);
    const checks = engineCommandsOf(loadConfiguration(project.root).topology);
    expect(checks.map((check) => used.changed(check))).toEqual(checks.map(() => []));
    project.put('package.json', '{"name":"a","scripts":{"test":"true"}}\n');
    expect(used.changed(checks[0] as EngineCommand)).toEqual(['package.json']);
  });

  test('adopts no changes in running sessions that it did not show [s:pin.cli]', async () => {
    const session = await Session.start(makeProject());
    const { project } = session;
    const write = () => session.decide('Write', { file_path: path.join(project.root, 'src/a.js'), content: 'x' });
    expect(await write()).toBe('deny');
    project.put('.claude/settings.idle.json', '{}');
    expect(await write()).toBe('deny');
    expect((await start(project, '--yes')).out).toMatch(/^not adopted in running sessions, .* modes trust$/m);
    expect(await write()).toBe('deny');
  });

  test('names the remaining steps: the plugin, and trust', async () => {
    const project = makeProject({ example: null });
    const noPlugin = /^The plugin is not installed\..*\/plugin install modes .*modes init --no-plugin.*\(F_PLUGIN_ABSENT\)$/m;
    const noTrust = /^The configuration is not trusted yet, .*modes trust/m;
    const saysOf = async (...args: string[]) => {
      const { code, err } = await start(project, '--yes', ...args);
      return [code, noPlugin.test(err), noTrust.test(err)];
    };
    expect(await saysOf()).toEqual([0, true, false]);
    expect((await start(project, '--yes', '--json')).err).toBe('');
    // As it comes to somebody who cloned it.
    fs.rmSync(project.data, { recursive: true });
    fs.rmSync(path.join(project.root, '.claude/settings.local.json'));
    expect(await saysOf()).toEqual([0, true, true]);
    expect(await saysOf()).toEqual([0, true, true]);
    expect(await saysOf('--no-plugin')).toEqual([0, false, true]);
  });

  test('reports restrictions that remain from an earlier stop or a missing mode', async () => {
    const project = makeProject({ example: null });
    const modes = (...args: string[]) =>
      run(process.execPath, [program, ...args], { cwd: project.root, env: { HOME: project.home } });
    await start(project, '--preset', 'code-review');
    expect(await modes('stop')).toMatchObject({ code: 0 });
    expect(await start(project, '--undo', '--yes')).toMatchObject({ code: 0 });
    expect((await start(project, '--preset', 'code-review')).err).toMatch(
      /^Only reading .* stopped .*\/modes:mode NAME.*\(E_STOPPED\)$/m,
    );
    expect((await start(project, '--preset', 'code-review')).err).toContain('(E_STOPPED)');
    expect(await start(project, '--undo', '--yes')).toMatchObject({ code: 0 });
    expect((await start(project, '--preset', 'tdd')).err).toMatch(/^Only reading .* the mode "work", .*\(E_UNKNOWN_MODE\)$/m);
  });

  test('reports that a parent folder has modes too', async () => {
    const project = makeProject({ example: null });
    fs.mkdirSync(path.join(project.root, 'packages/a'), { recursive: true });
    const inner = ['--preset', 'tdd', '--project', 'packages/a'];
    expect((await start(project, ...inner)).err).not.toContain('has modes too');
    await start(project, '--preset', 'daic');
    expect((await start(project, ...inner)).err).toMatch(/^\/.* has modes too. .* instead of the ones in \/.*\/packages\/a\.$/m);
  });

  test('names a broken link in place of modes.yaml', async () => {
    const project = makeProject({ example: null });
    fs.mkdirSync(path.join(project.root, '.claude'));
    fs.symlinkSync('nowhere', path.join(project.root, '.claude/modes.yaml'));
    expect(await start(project, '--preset', 'daic')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/modes\.yaml is a broken link.*\(E_IN_THE_WAY\)/),
    });
  });

  test('does not overwrite existing modes; repeating the same preset does nothing', async () => {
    const project = makeProject({ example: null });
    await start(project, '--preset', 'daic');
    expect(await start(project, '--preset', 'daic')).toMatchObject({ code: 0, out: 'Everything is already set up.\n' });
    const before = project.get('.claude/modes.yaml');
    const other = await start(project, '--preset', 'roo');
    expect(other).toMatchObject({ code: 1, err: expect.stringMatching(/modes of its own.*roo is not written/) });
    expect(project.get('.claude/modes.yaml')).toBe(before);
    expect(await start(project, '--undo')).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
    expect(await start(project, '--undo', '--yes')).toMatchObject({ code: 0 });
    expect(fs.existsSync(path.join(project.root, '.claude/modes.yaml'))).toBe(false);
  });
});
