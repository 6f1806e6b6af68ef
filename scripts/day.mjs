// Replays the calls of an ordinary working day over the presets: how many does a person have to answer, and is anything open that
// should be closed? Without FILE, the calls of test/corpora/working-days.txt follow, each in a project of its kind after `modes init`.
//
//   node scripts/day.mjs [--json] [FILE]
//
// Exit 1 if more than LIMIT of the calls that should run are stopped in a mode, or if a call that should be stopped runs.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { projects } from '../test/corpora/working-days.mjs';
import { cacheFolder, loadSource, root } from './load-source.mjs';

const { configure, layeredSources } = await loadSource('src/app/dry-run.ts');
const { openSuite } = await loadSource('src/adapters/cli/policy-suite.ts');
const { planSetup, runSetup } = await loadSource('src/app/setup/setup.ts');
const { writtenCall } = await loadSource('src/facts/written.ts');

const LIMIT = 0.06;

/** The columns of the corpus. */
const columns = {
  td: ['tdd-checked', 'test-dev'],
  fd: ['tdd-checked', 'feature-dev'],
  di: ['daic', 'discussion'],
  im: ['daic', 'implementation'],
  wk: ['security-sensitive', 'work'],
};

const go = (...names) => Object.fromEntries(names.map((name) => [name, 'go']));
const stop = (...names) => Object.fromEntries(names.map((name) => [name, 'stop']));
const everywhere = go('td', 'fd', 'di', 'im', 'wk');
const atWork = go('td', 'fd', 'im', 'wk');

/** What is wanted for the kinds of calls in working-days.txt. */
const wanted = {
  read: everywhere,
  query: everywhere,
  test: everywhere,
  scratch: everywhere,
  check: atWork,
  build: atWork,
  serve: atWork,
  program: atWork,
  commit: atWork,
  web: go('td', 'fd', 'im'),
  document: go('fd', 'im', 'wk'),
  source: { ...stop('td', 'di'), ...go('fd', 'im', 'wk') },
  disguised: stop('td', 'di'),
  migration: { ...stop('td', 'di'), ...go('fd', 'im') },
  sensitive: { ...stop('td', 'di', 'wk'), ...go('fd', 'im') },
  tests: { ...stop('fd', 'di'), ...go('td', 'im', 'wk') },
  'removed-tests': stop('fd', 'di'),
  'test-setup': stop('fd', 'di'),
  snapshots: stop('fd', 'di'),
  configuration: stop('td', 'fd', 'di', 'wk'),
  ask: stop('td', 'fd', 'di'),
  never: stop('td', 'fd', 'di', 'im', 'wk'),
  tell: stop('di'),
  secret: stop('wk'),
  environment: { ...go('td', 'fd', 'di', 'im'), ...stop('wk') },
};

/** The project in which the calls are made: a workspace of npm, with its programs installed. */
const project = {
  'package.json': JSON.stringify({
    name: 'shop',
    version: '1.0.0',
    private: true,
    workspaces: ['packages/*'],
    scripts: { test: 'vitest run', lint: 'eslint .', build: 'tsc -p .', typecheck: 'tsc --noEmit' },
    devDependencies: { vitest: '^3.0.0', eslint: '^9.0.0', prettier: '^3.0.0', typescript: '^5.9.0' },
  }),
  'src/price.ts': 'export const price = 1;\n',
  'src/auth.ts': 'export const login = () => true;\n',
  'test/cart.test.ts': '',
  'packages/api/package.json': JSON.stringify({ name: 'api', version: '1.0.0', scripts: { test: 'vitest run' } }),
  'packages/api/src/index.ts': '',
  'packages/api/test/a.test.ts': '',
  'README.md': '# Shop\n',
  ...Object.fromEntries(['vitest', 'eslint', 'prettier', 'tsc'].map((name) => [`node_modules/.bin/${name}`, ''])),
};

function putFiles(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, '.git'));
}

function projectWith(preset) {
  const folder = join(places, preset);
  putFiles(folder, project);
  cpSync(join(root, 'examples', preset, '.claude'), join(folder, '.claude'), { recursive: true });
  return folder;
}

const places = mkdtempSync(join(realpathSync(tmpdir()), 'modes-day-'));
process.on('exit', () => rmSync(places, { recursive: true, force: true }));

async function replay(rows) {
  // The configuration of this machine must not have any effect.
  const where = { env: { PATH: process.env.PATH, HOME: join(cacheFolder, 'home') }, packageRoot: root };
  const results = [];
  for (const [column, [preset, mode]] of Object.entries(columns)) {
    const folder = results.find((result) => result.preset === preset)?.folder ?? projectWith(preset);
    const configured = await configure(openSuite(folder, where).content, { root: folder, trusted: true, ...where });
    const result = { column, preset, mode, folder, wanted: 0, stopped: [], closed: 0, open: [] };
    count(result, configured, rows);
    results.push(result);
  }
  return results.map(({ folder: _, ...result }) => result);
}

function count(result, configured, rows) {
  const { column, preset, mode, folder } = result;
  const errors = configured.problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(`${preset}: ${errors[0].message}`);
  for (const { call, want } of rows) {
    if (want[column] === undefined) continue;
    const decision = configured.decide(writtenCall(call, folder), mode);
    // A verifiable call runs without a question.
    const verdict = decision.verifiable ?? decision.decision;
    const runs = verdict === 'allow' || verdict === 'pass';
    const described = { call, verdict, reason: decision.reason };
    if (want[column] === 'go') {
      result.wanted++;
      if (!runs) result.stopped.push(described);
    } else {
      result.closed++;
      if (runs) result.open.push(described);
    }
  }
}

/** The calls of working-days.txt by project. */
function readDays() {
  const days = {};
  let section = '';
  for (const line of readFileSync(join(root, 'test/corpora/working-days.txt'), 'utf8').split('\n')) {
    const [, project, kind, text = ''] = /^(?:# (.+)|([a-z-]+) (.+))$/.exec(line) ?? [];
    section = project ?? section;
    if (kind === undefined) continue;
    const written = text.replaceAll('\u23ce', '\n');
    const call = written.startsWith('$ ') ? `Bash(${JSON.stringify({ command: written.slice(2) })})` : written;
    if (wanted[kind] === undefined) throw new Error(`working-days.txt: ${line}`);
    days[section] = [...(days[section] ?? []), { call, want: wanted[kind] }];
  }
  return days;
}

/** In each project, after `modes init` with each preset. The results are added up. */
async function replayDays() {
  const results = new Map();
  for (const [name, rows] of Object.entries(readDays())) {
    for (const [column, [preset, mode]] of Object.entries(columns)) {
      const home = join(places, 'days', name, column);
      const folder = join(home, 'project');
      putFiles(folder, projects[name]);
      const plan = planSetup({ root: folder, preset, packageRoot: root, configFolder: join(home, '.claude'), home });
      if ('error' in plan) throw new Error(`${name}, ${preset}: ${plan.error}`);
      runSetup(plan, join(home, '.claude/modes-data'), new Date(0));
      const where = { env: { PATH: process.env.PATH, HOME: home }, packageRoot: root };
      const configured = await configure(layeredSources(folder, null), { root: folder, trusted: true, ...where });
      const result = results.get(column) ?? { column, preset, mode, wanted: 0, stopped: [], closed: 0, open: [] };
      results.set(column, { ...result, folder });
      count(results.get(column), configured, rows);
      const { wanted, closed } = results.get(column);
      results.set(column, { ...result, wanted, closed });
    }
  }
  return [...results.values()];
}

function describe({ preset, mode, wanted, stopped, closed, open }) {
  const share = ((100 * stopped.length) / wanted).toFixed(0);
  const lines = [
    `${preset}/${mode}: ${stopped.length} of ${wanted} ordinary calls stopped (${share} %), ${open.length} of ${closed} others open`,
  ];
  for (const { call, verdict, reason } of stopped) lines.push(`  ${verdict}  ${call}`, `        ${reason}`);
  for (const { call, verdict } of open) lines.push(`  OPEN (${verdict})  ${call}`);
  return lines.join('\n');
}

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const file = positionals[0] ?? join(root, 'test/corpora/working-day.jsonl');
const rows = readFileSync(file, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line));
const results = [...(await replay(rows)), ...(positionals.length > 0 ? [] : await replayDays())];
const good = results.filter(({ wanted, stopped, open }) => stopped.length <= LIMIT * wanted && open.length === 0);
if (values.json) console.log(JSON.stringify(results, null, 2));
else {
  for (const result of results) console.log(describe(result));
  console.log(`${good.length} passed, ${results.length - good.length} failed`);
}
if (rows.length === 0 || good.length < results.length) process.exitCode = 1;
