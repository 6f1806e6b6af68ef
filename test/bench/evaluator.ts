// 200 developers and one OPA server: what a decision waits for, and what holds while the server is gone and comes back.

import fs from 'node:fs';
import path from 'node:path';
import type { Project } from '../../src/workflow/project.ts';
import { afterTest, cleanUp } from '../support/cleanup.ts';
import { OpaServer, program } from '../support/opa-server.ts';
import { certificate } from '../support/team-server.ts';
import { officeOf } from '../unit/teams/office.ts';
import { type Sample, work } from './developers.ts';
import { eventOf, type Fixture, makeFixture } from './fixture.ts';
import { type Bench, micros, millis, type Row, spread } from './row.ts';

const developers = 200;
const thinkMs = 1_000;
/** Milliseconds from the beginning: everybody is there, the server is killed, comes back, and everybody goes home. */
const there = 4_000;
const killed = 12_000;
const back = 18_000;
const home = 28_000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const measure: Bench = async (say) => {
  if (program === null) {
    const measured = 'NOT MEASURED: no stock opa is kept here; make conformance builds one';
    return [{ what: `${developers} developers and one OPA server`, budget: '', measured, holds: null }];
  }
  try {
    const { team, bundle, fixture } = await officeOf(developers, thinkMs, there - 1_000);
    const server = await OpaServer.start(bundle);
    say(`${developers} developers, ${home / 1000} s`);
    let isBack = back;
    const begun = performance.now();
    const samples = await work({ ...team, pin: { ...team.pin, url: server.url }, ca: certificate().cert }, async () => {
      await sleep(killed);
      await server.kill();
      await sleep(back - killed);
      await server.start(bundle);
      isBack = performance.now() - begun;
      await sleep(home - back);
    });
    say('one developer, by the thread of a session');
    return [...rowsOf(samples, isBack), await onePerson(fixture, server)];
  } finally {
    await cleanUp();
  }
};

/** In the process that decides, which waits for its thread; held against its own policy, as a person's own `teams.yaml` has it. */
async function onePerson(fixture: Fixture, server: OpaServer): Promise<Row> {
  const folder = path.join(fixture.env.HOME as string, '.claude');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'ca.pem'), certificate().cert);
  fs.writeFileSync(path.join(folder, 'teams.yaml'), `evaluator: opa\nopa: {url: "${server.url}", ca: ca.pem, deadline: 1s}\n`);
  const without = makeFixture();
  afterTest(() => without.remove());
  let turn = 0;
  const ask = (project: Project, by: string | undefined) => () => {
    const { evaluator } = project.decideText(eventOf(project.root, 'Read', { file_path: `${project.root}/src/${turn++}.ts` }));
    if (evaluator?.by !== by) throw new Error(`decided by ${evaluator?.by} (${evaluator?.note}), not by ${by}`);
  };
  const alone = spread(500, ask(await without.open(), undefined));
  const asking = spread(500, ask(await fixture.open(), 'both'));
  const shown = ({ p50, p99 }: typeof alone): string => `${micros(p50)} / ${micros(p99)}`;
  const what = 'decide, a Read, each another, with an OPA server over TLS beside the own policy, p50 / p99';
  return { what, budget: '', measured: `${shown(asking)}; without it ${shown(alone)}`, holds: null };
}

function rowsOf(samples: readonly Sample[], isBack: number): Row[] {
  const within = (from: number, to: number) => samples.filter(({ at }) => at >= from && at < to);
  const up = within(there, killed);
  const gone = within(killed, isBack);
  const after = within(isBack, home);
  const who = `${developers} developers, one OPA server over TLS`;
  const heard = new Map<number, number>();
  for (const { developer, by, at } of after) if (by === 'opa' && !heard.has(developer)) heard.set(developer, at - isBack);
  const times = [...heard.values()].sort((one, other) => one - other);
  const row = (what: string, measured: string): Row => ({ what: `${who}: ${what}`, budget: '', measured, holds: null });
  const waits = gone.filter(({ waited }) => waited).length;
  return [
    row('a verdict, p50 / p95 / p99', `${shown(up)}; ${Math.round((up.length / (killed - there)) * 1_000)} decisions/s`),
    row('decided on the own machine while it is up', `${percent(up.filter(({ by }) => by !== 'opa').length, up.length)}`),
    row(
      'a verdict while it is gone, p50 / p95 / p99',
      `${shown(gone)}; ${percent(waits, gone.length)} asked it, the others did not wait`,
    ),
    row('heard again after it is back, half / 95 % of the developers', `${millis(at(times, 0.5))} / ${millis(at(times, 0.95))}`),
    row('no verdict at all', `${samples.filter(({ by }) => by === 'nobody').length} of ${samples.length}`),
  ];
}

function shown(samples: readonly Sample[]): string {
  const sorted = samples.map(({ took }) => took).sort((one, other) => one - other);
  return [0.5, 0.95, 0.99].map((part) => millis(at(sorted, part))).join(' / ');
}

const at = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
