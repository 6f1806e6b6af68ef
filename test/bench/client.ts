// What a call costs a person: the time of each call in the real client, over a client without hooks. All sets of hooks take turns in
// one run. The cheapest hook that the client can have, /bin/true, is the unit.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Bench, millis, notMeasured, type Options, type Row, ratio, spreadOf } from './row.ts';
import { type CallKind, type Client, callKinds, findClient, type Played, timesOf } from './session.ts';
import {
  all,
  bare,
  cheapest,
  guards,
  installGuards,
  makePlugin,
  makeProject,
  type Setup,
  setups,
  trust,
  ungoverned,
} from './setups.ts';

/** Turns of every set, and calls of each kind in a turn. */
const defaults = { turns: 7, calls: 50 };
const sizes = [10, 20_000];

/** The most that a call may cost, in units of the `/bin/true` hook. */
const budgets = new Map<Setup, Partial<Record<CallKind, number>>>([
  [all, { Read: 2, Write: 2.8, Bash: 2.8 }],
  [ungoverned, { Read: 1.5, Write: 1.5, Bash: 1.5, MCP: 1.5 }],
]);

/** A set in one project, with the median of each turn. */
interface Entrant {
  setup: Setup;
  files: number;
  played: Omit<Played, 'calls' | 'cancel'>;
  medians: Record<CallKind, number[]>;
}

export const measure: Bench = async (say, options) => {
  const found = await findClient();
  if ('missing' in found) return [notMeasured('calls in the real client', found.missing)];
  const { turns, calls } = { ...defaults, ...options };
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-bench-client-'));
  try {
    say('makes the projects and installs other guards');
    const installed = await installGuards(path.join(folder, 'guards'), options.cancel);
    const { entrants, missing } = enter(found.client, folder, installed);
    for (let turn = 0; turn < turns; turn += 1)
      // There and back, so that no set always follows the same one.
      for (const entrant of turn % 2 === 0 ? entrants : entrants.toReversed()) {
        say(`turn ${turn + 1} of ${turns}: ${nameOf(entrant)}`);
        await playTurn(found.client, entrant, calls, options);
      }
    return [...entrants.flatMap((entrant) => rowsOf(entrant, entrants)), ...missing];
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

const nameOf = ({ setup, files }: Pick<Entrant, 'setup' | 'files'>): string =>
  `${setup.name}, ${files.toLocaleString('en')} files`;

async function playTurn(client: Client, { played, medians }: Entrant, calls: number, { cancel }: Options): Promise<void> {
  const times = await timesOf(client, { ...played, calls, cancel });
  for (const kind of callKinds) medians[kind].push(spreadOf(times[kind]).p50);
}

/** Makes every project, plugin and home below the folder. */
function enter(client: Client, folder: string, installed: string | null): { entrants: Entrant[]; missing: Row[] } {
  const guarded = guards.map((guard): Setup => ({ name: `${guard.package} ${guard.version}`, hooks: null, guard }));
  const entrants = [
    ...sizes.flatMap((files) => setups.map((setup) => ({ setup, files }))),
    ...guarded.map((setup) => ({ setup, files: 10 })),
  ];
  const plugins = new Map<Setup, string | null>();
  const projects = new Map<string, string>();
  return {
    entrants: entrants
      .filter(({ setup }) => setup.guard === undefined || installed !== null)
      .map(({ setup, files }, n) => {
        const { guard, isGoverned = false } = setup;
        const kind = `project-${files}-${isGoverned ? 'governed' : (guard?.package ?? 'plain')}`;
        const project = projects.get(kind) ?? makeProject(path.join(folder, kind), files, isGoverned);
        projects.set(kind, project);
        if (!plugins.has(setup)) plugins.set(setup, makePlugin(setup, path.join(folder, `plugin-${n}`)));
        // The client puts its temporary folder beside the home.
        const home = path.join(folder, `user-${n}/home`);
        client.seedHome(home, [project]);
        if (isGoverned) trust(home, project);
        const bin = path.join(installed ?? '', 'node_modules/.bin');
        if (guard !== undefined) {
          guard.prepare?.(project, installed as string);
          fs.writeFileSync(path.join(project, '.claude/settings.json'), JSON.stringify({ hooks: guard.hooks }));
        }
        const env = guard && { ...guard.env, PATH: `${bin}${path.delimiter}${client.SYSTEM_PATH}` };
        const medians = Object.fromEntries(callKinds.map((call) => [call, []])) as unknown as Entrant['medians'];
        return {
          setup,
          files,
          played: { project, home, plugin: plugins.get(setup) as string | null, env, aside: guard?.aside },
          medians,
        };
      }),
    missing: installed === null ? [notMeasured('other guards', 'npm does not install them here')] : [],
  };
}

/** Least and median of the turns. */
const summaryOf = (values: number[]) => ({ least: Math.min(...values), median: spreadOf(values).p50 });

function rowsOf(entrant: Entrant, entrants: Entrant[]): Row[] {
  const { setup, files } = entrant;
  const beside = (other: Setup) => entrants.find((one) => one.setup === other && one.files === files) as Entrant;
  return callKinds.map((kind): Row => {
    const [mine, without, unit] = [entrant, beside(bare), beside(cheapest)].map(({ medians }) => summaryOf(medians[kind]));
    if (!mine || !without || !unit) throw new Error('a set has no times');
    const labels = { hooks: setup.name, call: kind, files: String(files), ...(setup.guard && { checks: setup.guard.checks }) };
    const what = `${kind}: ${nameOf(entrant)}`;
    if (setup === bare) {
      const measured = `${millis(mine.least)} least, ${millis(mine.median)} median`;
      return { what, budget: '', measured, holds: null, labels, figures: mine };
    }
    const cost = { least: mine.least - without.least, median: mine.median - without.median };
    const most = budgets.get(setup)?.[kind];
    const row = { what, budget: most === undefined ? '' : `≤ ${ratio(most)}`, labels };
    const measured = `${millis(cost.least)} least, ${millis(cost.median)} median`;
    const least = unit.least - without.least;
    // Other load can make a call with hooks faster than one without. Such a run proves nothing.
    if (cost.least <= 0 || least <= 0)
      return {
        ...row,
        measured: `${measured}; no ratio: other load hides the cost`,
        holds: most === undefined ? null : false,
        figures: cost,
      };
    const times = cost.least / least;
    return {
      ...row,
      measured: `${measured}; ${ratio(times)}`,
      holds: most === undefined ? null : times <= most,
      figures: { ...cost, times },
    };
  });
}
