// One verdict of the compiled policy, with few rules and with many; on a kind of call that was asked about before, and on one that was not.

import type { Facts } from '../../src/tools/types.ts';
import { eventOf, type Ground, inTurn, makeGround, manyCalls, typicalBashAt } from './ground.ts';
import { type Bench, pacedText, perLook, type Row, ratio, Samples, spread } from './row.ts';
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

interface Side {
  count: number;
  /** About another file each time. */
  evaluate(): void;
  /** As a question that is not remembered: each with another parameter that no table knows. */
  evaluateAnew(): void;
  /** Microseconds that JSON.parse takes for its input. */
  parse: number;
  took: Samples;
  tookAnew: Samples;
}

async function open(count: number, ground: Ground): Promise<Side> {
  const project = await ground.open();
  const events = Array.from({ length: manyCalls }, (_, n) => eventOf(ground.root, 'Bash', typicalBashAt(n)));
  const all = events.map((event) => project.decideText(event).facts);
  const policy = project.policyOf('test-dev');
  const facts = all[0];
  if (policy === null || !facts) throw new Error(`no policy with ${count} rules`);
  if (policy.evaluate(facts).verdict !== 'deny') throw new Error(`the verdict with ${count} rules is not deny`);
  const input = JSON.stringify(facts);
  const next = inTurn(all as Facts[]);
  const nextAnew = inTurn((all as Facts[]).map((one, n) => ({ ...one, tool: { ...one.tool, extra: [`x${n}`] } })));
  return {
    count,
    evaluate: () => void policy.evaluate(next()),
    evaluateAnew: () => void policy.evaluate(nextAnew()),
    parse: spread(20_000, () => JSON.parse(input)).p50,
    took: new Samples(),
    tookAnew: new Samples(),
  };
}

/** They take turns, so that what else the machine does hits all alike. */
export const measure: Bench = async (say) => {
  const grounds = sizes.map((count) => makeGround({ permissions: rulesOf(count) }));
  const sides: Side[] = [];
  try {
    for (const [at, count] of sizes.entries()) sides.push(await open(count, grounds[at] as Ground));
    say(`${sizes.join(', ')} rules`);
    const look = await openYardstick();
    let slowness = 1;
    for (let round = -2_000; round < 20_000; round += 1) {
      if (round % perLook === 0) slowness = look();
      for (const { evaluate, evaluateAnew, took, tookAnew } of sides) {
        const start = performance.now();
        evaluate();
        const between = performance.now();
        evaluateAnew();
        if (round < 0) continue;
        took.add((between - start) * 1000, slowness);
        tookAnew.add((performance.now() - between) * 1000, slowness);
      }
    }
  } finally {
    for (const ground of grounds) ground.remove();
  }
  const rowsOf = (what: string, key: 'took' | 'tookAnew'): Row[] => {
    const rows = sides.map((side) => ({ ...side, all: side[key].paced }));
    const growth = rows.at(-1)!.all.usual.p50 / rows[0]!.all.usual.p50;
    return [
      ...rows.map(
        ({ count, all, parse }): Row => ({
          what: `${what}, ${count.toLocaleString('en')} rules, p50 / p99`,
          budget: '≤ 12 µs p50',
          measured: `${pacedText(all)}; ${ratio(all.here.p50 / parse)} JSON.parse of its input`,
          holds: all.usual.p50 <= 12,
        }),
      ),
      { what: `${what}, 10,000 rules to 10`, budget: '≤ 1.20 ×', measured: ratio(growth), holds: growth <= 1.2 },
    ];
  };
  return [
    ...rowsOf('a verdict, each call about another file', 'took'),
    ...rowsOf('WASM evaluation, nothing remembered', 'tookAnew'),
  ];
};
