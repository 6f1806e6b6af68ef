// Evidence as it is collected while a mode lasts: runs told on the private pipe, files at the entry, kept across processes.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Requirement } from '../../../../src/model/requirement.ts';
import { Gates, type GateVisit } from '../../../../src/workflow/gates/gates.ts';
import { type Ending, RunLedger } from '../../../../src/workflow/gates/runs.ts';
import { noWork } from '../../../../src/workflow/plan/work.ts';
import { putFile, temporaryFolder } from '../../../support/files.ts';

const source = { file: '.claude/modes.yaml', line: 1, column: 1 };
const fails: Requirement = { source, check: 'fails', command: 'npm test', in: null, watch: null, outputs: [], output: null };
const changed: Requirement = { source, check: 'changed', globs: ['test/**'] };
const unchanged: Requirement = { source, check: 'unchanged', globs: ['src/**'] };
const agent: Requirement = { source, check: 'agent', type: 'reviewer' };

let root: string;
let data: string;
let clock: number;
const write = (name: string, text: string) => {
  putFile(path.join(root, name), text);
};
const now = () => new Date(clock);
const unmetOf = async (gates: Gates, ...asked: Parameters<Gates['evaluate']>) => (await gates.evaluate(...asked)).unmet;
const entered: GateVisit = {
  ...{ mode: 'test-dev', scope: '', entry: 'abc', since: '2026-01-01T00:00:00.000Z', work: noWork },
  get root() {
    return root;
  },
};

beforeEach(() => {
  root = temporaryFolder('gates-');
  data = fs.mkdtempSync(path.join(os.tmpdir(), 'gates-data-'));
  clock = Date.parse('2026-01-01T00:01:00Z');
  write('src/a.js', 'one');
  write('test/a.test.js', 'one');
});
afterEach(() => {
  for (const folder of [root, data]) fs.rmSync(folder, { recursive: true, force: true });
});

function open(): { gates: Gates; ledger: RunLedger } {
  const gates = new Gates(root, '/home/nobody', data);
  const ledger = new RunLedger(() => clock);
  gates.ledger = ledger;
  return { gates, ledger };
}

const asItIs = { cwd: null, mayReplace: () => false, sandbox: () => null };

/** A Bash call from its announcement to its end. */
function run(
  { gates, ledger }: ReturnType<typeof open>,
  ending: Ending,
  changes: { entered?: Partial<GateVisit>; command?: string; output?: string; writes?: string[] } = {},
) {
  const id = `toolu_${clock}`;
  const command = changes.command ?? 'npm test';
  const visit = { ...entered, ...changes.entered };
  gates.announced(id, command, [fails], entered, asItIs);
  ledger.start({ id, command, replacement: null, cwd: root, session: 's', permissionMode: 'default', agentId: null, visit });
  clock += 1_000;
  for (const name of changes.writes ?? []) write(name, String(clock));
  ledger.end(id, { ending, visit, output: changes.output ?? '1 failing' });
  gates.ended(id, command);
}

describe('runs', () => {
  test.each<[Ending, string | null]>([
    [{ how: 'failed', exitCode: 1 }, null],
    [{ how: 'failed', exitCode: 123 }, null],
    [{ how: 'failed', exitCode: 124 }, 'exit code 124'],
    [{ how: 'failed', exitCode: 127 }, 'exit code 127'],
    [{ how: 'failed', exitCode: 143 }, 'exit code 143'],
    [{ how: 'passed' }, 'passed'],
    [{ how: 'interpreted', meaning: 'No matches found' }, 'No matches found'],
    [{ how: 'timeout' }, 'time limit'],
    [{ how: 'interrupted' }, 'interrupted'],
    [{ how: 'background' }, 'background'],
    [{ how: 'void', why: 'two events' }, 'two events'],
  ])('%j', async (ending, missing) => {
    const opened = open();
    run(opened, ending);
    const unmet = await unmetOf(opened.gates, [fails], entered, now());
    if (missing === null) expect(unmet).toEqual([]);
    else expect(unmet[0]?.missing).toContain(missing);
  });

  test('of exit code 1 without output is no failure: a killed shell has the same result [w:evidence.killed]', async () => {
    const opened = open();
    run(opened, { how: 'failed', exitCode: 1 }, { output: ' \n' });
    expect((await unmetOf(opened.gates, [fails], entered, now()))[0]?.missing).toContain('killed shell');
    run(opened, { how: 'failed', exitCode: 2 }, { output: '' });
    expect(await unmetOf(opened.gates, [fails], entered, now())).toEqual([]);
  });

  test('of another mode, or from before the mode was entered, do not count [w:evidence.mode]', async () => {
    const opened = open();
    run(opened, { how: 'failed', exitCode: 1 }, { entered: { mode: 'feature-dev' } });
    expect(await unmetOf(opened.gates, [fails], entered, now())).toHaveLength(1);
    run(opened, { how: 'failed', exitCode: 1 });
    expect(await unmetOf(opened.gates, [fails], entered, now())).toEqual([]);
    expect(await unmetOf(opened.gates, [fails], { ...entered, entry: 'later' }, now())).toHaveLength(1);
  });

  test('of an earlier visit do not count after the clock was set back, and those of this visit do [w:evidence.mode]', async () => {
    const opened = open();
    const later = { ...entered, entry: 'later', since: new Date(clock - 3_600_000).toISOString() };
    run(opened, { how: 'failed', exitCode: 1 });
    expect(await unmetOf(opened.gates, [fails], later, now())).toHaveLength(1);
    const ahead = { ...later, since: new Date(clock + 3_600_000).toISOString() };
    run(opened, { how: 'failed', exitCode: 1 }, { entered: ahead });
    expect(await unmetOf(opened.gates, [fails], ahead, now())).toEqual([]);
  });

  test('time is that since the machine started if the clock was set forward since the entry [w:after.time]', async () => {
    const { gates } = open();
    const after: Requirement = { source, check: 'after', time: 3_600_000 };
    const long = { ...entered, since: new Date(clock - 7_200_000).toISOString() };
    expect(await unmetOf(gates, [after], { ...long, uptime: os.uptime() - 7_200 }, now())).toEqual([]);
    expect(await unmetOf(gates, [after], { ...long, uptime: os.uptime() }, now())).toHaveLength(1);
  });

  test('that have not ended do not count', async () => {
    const { gates, ledger } = open();
    gates.announced('t', 'npm test', [fails], entered, asItIs);
    ledger.start({
      id: 't',
      command: 'npm test',
      replacement: null,
      cwd: root,
      session: 's',
      permissionMode: null,
      agentId: null,
      visit: entered,
    });
    expect((await unmetOf(gates, [fails], entered, now()))[0]?.missing).toContain('has not ended');
  });

  test('no run is reported: no check holds', async () => {
    const gates = new Gates(root, '/home/nobody', data);
    expect(await unmetOf(gates, [fails, agent], entered, now())).toHaveLength(2);
  });

  test('a session that forfeited its evidence has none [w:evidence.forfeit]', async () => {
    const opened = open();
    run(opened, { how: 'failed', exitCode: 1 });
    opened.ledger.forfeit('a foreign hook speaks for us');
    expect(await unmetOf(opened.gates, [fails], entered, now())).toHaveLength(1);
  });
});

describe('agents', () => {
  test.each([
    ['All good.\nPASS\n', true],
    ['PASS\nbut not quite', false],
    ['FAIL', false],
  ])('%j', async (message, holds) => {
    const { gates, ledger } = open();
    ledger.startAgent({ id: 'a', type: 'reviewer', session: 's', visit: entered });
    expect(await unmetOf(gates, [agent], entered, now())).toHaveLength(1);
    gates.agentEnded('a', 'reviewer', [agent], entered);
    ledger.endAgent('a', 'reviewer', entered, message);
    expect((await unmetOf(gates, [agent], entered, now())).length === 0).toBe(holds);
  });

  test('the result of an agent is outdated after a change [w:agent.change]', async () => {
    const { gates, ledger } = open();
    const look = (message: string) => {
      ledger.startAgent({ id: 'a', type: 'reviewer', session: 's', visit: entered });
      gates.agentEnded('a', 'reviewer', [agent], entered);
      ledger.endAgent('a', 'reviewer', entered, message);
    };
    look('PASS');
    write('src/a.js', 'two');
    expect((await unmetOf(gates, [agent], entered, now()))[0]?.missing).toBe(
      'src/a.js changed after the last reviewer subagent ended',
    );
    look('PASS');
    expect(await unmetOf(gates, [agent], entered, now())).toEqual([]);
  });

  test('an agent without recorded files proves nothing', async () => {
    const { gates, ledger } = open();
    ledger.startAgent({ id: 'a', type: 'reviewer', session: 's', visit: entered });
    ledger.endAgent('a', 'reviewer', entered, 'PASS');
    expect((await unmetOf(gates, [agent], entered, now()))[0]?.missing).toContain('it is unknown which files');
  });
});

describe('a file that git ignores', () => {
  const enter = (gates: Gates) => gates.entered(entered, gates.observe(entered, [fails, agent]));
  const failing = (opened: ReturnType<typeof open>) => run(opened, { how: 'failed', exitCode: 1 });

  test('is not watched; a rule that was written since the mode was entered hides nothing [w:evidence.watch]', async () => {
    write('.gitignore', 'build/\n');
    const opened = open();
    enter(opened.gates);
    write('.gitignore', 'build/\ntest/\n');
    write('lib/.gitignore', '*\n');
    write('lib/b.test.js', 'one');
    failing(opened);
    write('build/x.js', 'x');
    expect(await unmetOf(opened.gates, [fails], entered, now())).toEqual([]);
    write('test/a.test.js', 'two');
    expect((await unmetOf(opened.gates, [fails], entered, now()))[0]?.missing).toContain('test/a.test.js changed after');
    failing(opened);
    write('lib/b.test.js', 'two');
    expect((await unmetOf(opened.gates, [fails], entered, now()))[0]?.missing).toContain('lib/b.test.js changed after');
  });

  test('by itself is not watched if it is a runner cache that was created since the mode was entered [w:evidence.watch]', async () => {
    const opened = open();
    enter(opened.gates);
    const writing = (...writes: string[]) => run(opened, { how: 'failed', exitCode: 1 }, { writes });
    writing('.pytest_cache/v/cache/nodeids');
    expect((await unmetOf(opened.gates, [fails], entered, now()))[0]?.missing).toContain('nodeids changed while');
    write('.pytest_cache/.gitignore', '*\n');
    writing('.pytest_cache/v/cache/nodeids', 'lib/.pytest_cache/v/cache/nodeids');
    expect((await unmetOf(opened.gates, [fails], entered, now()))[0]?.missing).toMatch(/^lib\/\S+ changed while/);
    write('lib/.pytest_cache/.gitignore', '*\n');
    writing('.pytest_cache/v/cache/nodeids', 'lib/.pytest_cache/v/cache/nodeids');
    expect(await unmetOf(opened.gates, [fails], entered, now())).toEqual([]);
  });

  test('by a rule that was removed since is watched', async () => {
    write('.gitignore', 'build/\n');
    const opened = open();
    enter(opened.gates);
    write('.gitignore', '');
    write('build/x.js', 'one');
    failing(opened);
    write('build/x.js', 'two');
    expect((await unmetOf(opened.gates, [fails], entered, now()))[0]?.missing).toContain('build/x.js changed after');
  });

  test.each<[string, (git: (...args: string[]) => void) => void]>([
    ['was told to track it no more', (git) => git('rm', '-r', '-q', '--cached', 'build')],
    ['lost its index', () => fs.rmSync(path.join(root, '.git/index'))],
  ])('but tracked at the entry is watched, though git %s since [w:evidence.watch]', async (_, forget) => {
    const git = (...args: string[]) => void execFileSync('git', args, { cwd: root });
    write('.gitignore', 'build/\n');
    write('build/deep/x.js', 'one');
    write('build/y.js', 'one');
    git('init', '-q');
    git('add', '-f', 'build/deep/x.js');
    const opened = open();
    enter(opened.gates);
    // Known to another process too.
    const other = open();
    forget(git);
    for (const one of [opened, other]) {
      write('build/deep/x.js', 'one');
      failing(one);
      write('build/y.js', 'two');
      expect(await unmetOf(one.gates, [fails], entered, now())).toEqual([]);
      write('build/deep/x.js', 'two');
      expect((await unmetOf(one.gates, [fails], entered, now()))[0]?.missing).toContain('build/deep/x.js changed after');
    }
  });

  test('counts as watched if the rules at the entry are unknown', async () => {
    write('.gitignore', 'build/\n');
    const opened = open();
    failing(opened);
    write('build/x.js', 'x');
    expect((await unmetOf(opened.gates, [fails], entered, now()))[0]?.missing).toContain('build/x.js changed after');
  });
});

describe('files at the entry', () => {
  const all = [changed, unchanged];
  const enter = () => {
    const { gates } = open();
    gates.entered(entered, gates.observe(entered, all));
    return gates;
  };

  test('are stored for another process', async () => {
    enter();
    const { gates } = open();
    expect(await unmetOf(gates, all, entered, now())).toHaveLength(1);
    write('test/b.test.js', 'x');
    expect(await unmetOf(gates, all, entered, now())).toEqual([]);
    write('src/a.js', 'two');
    expect((await unmetOf(gates, all, entered, now()))[0]).toMatchObject({ check: 'unchanged: src/**' });
  });

  test('are those of this entry alone', async () => {
    const gates = enter();
    expect(await unmetOf(gates, [unchanged], entered, now())).toEqual([]);
    expect(await unmetOf(gates, [unchanged], { ...entered, entry: 'def' }, now())).toHaveLength(1);
  });

  test.each(['', '{"version":1', '{"version":2}', 'null'])('a record of %j satisfies nothing [w:files.record]', async (text) => {
    enter();
    const folder = path.join(data, 'projects');
    const file = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('abc.json'));
    fs.writeFileSync(path.join(folder, file as string), text);
    const { gates } = open();
    expect(await unmetOf(gates, [unchanged], entered, now())).toHaveLength(1);
  });

  test('of the first mode are those at the first observation [w:files.record]', async () => {
    const first: GateVisit = { ...entered, entry: '', since: null };
    const one = open().gates;
    one.begin(first, all);
    write('src/a.js', 'two');
    const other = open().gates;
    other.begin(first, all);
    expect(await unmetOf(other, [unchanged], first, now())).toHaveLength(1);
  });

  test('of a later mode are never taken late', async () => {
    const { gates } = open();
    gates.begin(entered, all);
    expect(await unmetOf(gates, [unchanged], entered, now())).toHaveLength(1);
  });

  test('old records are dropped', () => {
    const { gates } = open();
    for (let at = 0; at < 20; at++) gates.entered({ scope: '', entry: `entry${at}` }, gates.observe(entered, all));
    const names = fs.readdirSync(path.join(data, 'projects'), { recursive: true, encoding: 'utf8' });
    expect(names.filter((name) => name.endsWith('.json')).length).toBe(8);
  });
});
