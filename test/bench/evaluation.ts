// One verdict of the compiled policy, with few rules and with many: on a call that is refused, and on a session's mix of calls.

import type { Facts } from '../../src/model/facts.ts';
import { nobody } from '../../src/workflow/project.ts';
import { eventOf, type Fixture, inTurn, makeFixture, manyCalls, refusedBashAt } from './fixture.ts';
import { mixedEvents } from './mix.ts';
import { type Bench, pacedText, type Row, ratio, Samples, spread } from './row.ts';
import { openYardstick } from './yardstick.ts';

const sizes = [10, 100, 1_000, 10_000];

/** Rules of every kind, of which the call meets the same few whatever their number. */
function rulesOf(count: number): { allow: string[]; ask: string[]; deny: string[] } {
  const forms = [
    (n: number) => `Write(packages/p${n}/**)`,
    (n: number) => `Write(packages/p${n}/index.ts)`,
    (n: number) => `Write(**/*.gen${n}.ts)`,
    (n: number) => `Bash(tool${n} run:*)`,
    (n: number) => `Read(secrets/s${n}/**)`,
  ];
  const made = Array.from({ length: count - 5 }, (_, n) => forms[n % forms.length]!(n));
  return {
    allow: ['Read(**)', 'Bash(grep:*)', 'Bash(head:*)', ...made.filter((_, n) => n % 3 === 0)],
    ask: ['Write(package.json)', ...made.filter((_, n) => n % 3 === 1)],
    deny: ['Write(src/**)', ...made.filter((_, n) => n % 3 === 2)],
  };
}

/** Of one kind of run so many in a row: as the yardstick is asked, and as a call's modes are. */
const inARow = 60;
const warmUp = 40;
const rounds = 300;

/** From the facts to the verdict, read and checked. */
const kinds = {
  refused: 'a verdict on a Bash call of four commands that is refused',
  mix: "a verdict on a session's mix of calls",
} as const;
type Kind = keyof typeof kinds;

interface Side {
  count: number;
  /** Microseconds that JSON.parse takes for its input. */
  parse: number;
  runs: Record<Kind, { run(): void; took: Samples }>;
}

async function open(count: number, fixture: Fixture): Promise<Side> {
  const project = await fixture.open();
  const events = Array.from({ length: manyCalls }, (_, n) => eventOf(fixture.root, 'Bash', refusedBashAt(n)));
  const all = factsOf(project, events);
  const policy = project.for(nobody).policyOf('test-dev');
  const facts = all[0];
  if (policy === null || facts === undefined) throw new Error(`no policy with ${count} rules`);
  if (policy.evaluate(facts).verdict !== 'deny') throw new Error(`the verdict with ${count} rules is not deny`);
  const input = JSON.stringify(facts);
  const next = inTurn(all);
  const nextOfMix = inTurn(factsOf(project, mixedEvents(fixture.root, manyCalls)));
  const measured = (run: () => unknown) => ({ run: () => void run(), took: new Samples() });
  return {
    count,
    parse: spread(20_000, () => JSON.parse(input)).p50,
    runs: {
      refused: measured(() => policy.evaluate(next())),
      mix: measured(() => policy.evaluate(nextOfMix())),
    },
  };
}

type Open = Awaited<ReturnType<Fixture['open']>>;

function factsOf(project: Open, events: readonly string[]): Facts[] {
  return events.map((event) => project.decideText(event).facts).filter((facts) => facts !== undefined && facts !== null);
}

/** They take turns, so that what else the machine does hits all alike. */
export const measure: Bench = async (say) => {
  const fixtures = sizes.map((count) => makeFixture({ permissions: rulesOf(count) }));
  const sides: Side[] = [];
  try {
    for (const [at, count] of sizes.entries()) sides.push(await open(count, fixtures[at] as Fixture));
    say(`${sizes.join(', ')} rules`);
    const look = await openYardstick();
    for (let round = -warmUp; round < rounds; round += 1) {
      const slowness = look();
      for (const { runs } of sides)
        for (const { run, took } of Object.values(runs))
          for (let n = 0; n < inARow; n += 1) {
            const start = performance.now();
            run();
            if (round >= 0) took.add((performance.now() - start) * 1000, slowness);
          }
    }
  } finally {
    for (const fixture of fixtures) fixture.remove();
  }
  return (Object.keys(kinds) as Kind[]).flatMap((kind) => rowsOf(kind, sides));
};

function rowsOf(kind: Kind, sides: Side[]): Row[] {
  const what = kinds[kind];
  const all = sides.map(({ runs }) => runs[kind].took.paced);
  const growth = all.at(-1)!.usual.p50 / all[0]!.usual.p50;
  return [
    ...sides.map(
      ({ count, parse }, at): Row => ({
        what: `${what}, ${count.toLocaleString('en')} rules, p50 / p99`,
        budget: '',
        measured: `${pacedText(all[at]!)}; ${ratio(all[at]!.here.p50 / parse)} JSON.parse of its input`,
        holds: null,
      }),
    ),
    { what: `${what}, 10,000 rules to 10`, budget: '≤ 1.20 ×', measured: ratio(growth), holds: growth <= 1.2 },
  ];
}
