// Plays every fault in the real client, kills writers of state, loads the server, and writes the results to docs/reliability.md.
//
//   node scripts/faults.mjs                 all of it
//   node scripts/faults.mjs state load      only these parts: faults, state, load
//   KILLS=1000 SEED=7 DECISIONS=1000000     how many, and the seed of the random moments
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource, root } from './load-source.mjs';

const parts = { faults, state, load };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(parts, name));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}; there are ${Object.keys(parts).join(', ')}`);
  process.exit(64);
}
process.chdir(root);
const report = await loadSource('test/faults/report.ts');
for (const [name, play] of Object.entries(parts)) if (asked.length === 0 || asked.includes(name)) await play();

async function faults() {
  const out = mkdtempSync(join(tmpdir(), 'modes-faults-'));
  try {
    const files = ['server', 'files', 'state'].map((name) => `test/e2e/faults-${name}.test.ts`);
    const { status } = spawnSync('node_modules/.bin/vitest', ['run', '--config', 'vitest.e2e.config.ts', ...files], {
      stdio: 'inherit',
      env: { ...process.env, MODES_FAULTS_OUT: out },
    });
    if (status !== 0) return fail('faults: not written, since a fault had another outcome than its row says');
    const all = readFileSync(join(out, 'seen.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const seen = report.permissionModes.map((mode) => [
      mode,
      new Map(all.filter((one) => one.mode === mode).map((one) => [one.fault, one])),
    ]);
    report.writePart('faults', report.renderMatrix(new Map(seen)));
  } finally {
    rmSync(out, { recursive: true });
  }
}

async function state() {
  const { crowd, massacre } = await loadSource('test/faults/state.ts');
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 32));
  const kills = Number(process.env.KILLS ?? 1000);
  console.error(`state: eight processes, 500 changes each …`);
  const together = await crowd(8, 500);
  console.error(`state: ${kills} kills, SEED=${seed} …`);
  const killed = await massacre(kills, seed, (text) => console.error(`state: ${text}`));
  const wrong = [...together.wrong, ...killed.wrong];
  for (const line of wrong) console.error(`state: ${line}`);
  if (wrong.length > 0) return fail(`state: not written, since ${wrong.length} things are wrong; SEED=${seed}`);
  const count = (value) => value.toLocaleString('en');
  report.writePart(
    'state',
    [
      '| | changes acknowledged | entries | lost, torn, left behind |',
      '| --- | --- | --- | --- |',
      `| 8 processes, 500 changes each | ${count(together.acknowledged)} | ${count(together.entries)} | none |`,
      `| ${count(killed.kills)} processes ended by SIGKILL at random moments | ${count(killed.acknowledged)} | ${count(killed.entries)} | none |`,
    ].join('\n'),
  );
}

async function load() {
  const { crowd, endure } = await loadSource('test/faults/load.ts');
  const decisions = Number(process.env.DECISIONS ?? 1_000_000);
  const endured = await endure(decisions, (text) => console.error(`load: ${text}`));
  const crowded = await crowd(1_000, 50, 100, 9);
  const [quarter] = endured.megabytes;
  const end = endured.megabytes.at(-1);
  // Resident memory varies by some megabytes.
  if (decisions >= 100_000 && end > quarter * 1.1 + 5)
    return fail(`load: not written, since memory grows: ${endured.megabytes.join(', ')} MB after each quarter`);
  const count = (value) => Math.round(value).toLocaleString('en');
  const ms = (micros) => `${(micros / 1_000).toFixed(1)} ms`;
  const held = (holds) => (holds ? 'yes' : '**no**');
  const rows = [
    ['8 connections, decisions', '', `${count(endured.decisions)}, all answered`, ''],
    [
      "decisions/s, a session's mix of calls",
      '≥ 3,000',
      `${count(endured.perSecond)}; at the usual speed ${count(endured.usualPerSecond)}`,
      held(endured.usualPerSecond >= 3_000),
    ],
    [
      'p99 of the slowest quarter',
      '≤ 5 ms',
      `${ms(endured.p99)}; at the usual speed ${ms(endured.usualP99)}`,
      held(endured.usualP99 <= 5_000),
    ],
    ['memory after each quarter of them', '≤ 120 MB, no growth', `${endured.megabytes.join(', ')} MB`, held(end <= 120)],
    ['longest of 100 decisions', '', `${crowded.aloneMs.toFixed(1)} ms`, ''],
    [`the same beside ${count(crowded.held)} idle and slow connections`, '', `${crowded.crowdedMs.toFixed(1)} ms`, ''],
    ['so much later is the longest', '≤ 50 ms', `${crowded.laterMs.toFixed(1)} ms`, held(crowded.laterMs <= 50)],
    [
      'processor time of the server, a decision',
      '',
      `${crowded.serverAloneMs.toFixed(2)} ms alone, ${crowded.serverCrowdedMs.toFixed(2)} ms beside them`,
      '',
    ],
  ];
  const table = rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`;
  report.writePart('load', `${machine}\n\n| what | budget | measured | holds |\n| --- | --- | --- | --- |\n${table}`);
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
