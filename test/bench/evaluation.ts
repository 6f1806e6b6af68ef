// One verdict of the compiled policy, with few rules and with many.

import { eventOf, makeGround, typicalBash } from './ground.ts';
import { type Bench, micros, ratio, spread } from './row.ts';

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

export const measure: Bench = async (say) => {
  const rows: { count: number; p50: number; p99: number; parse: number }[] = [];
  for (const count of sizes) {
    say(`${count} rules`);
    const ground = makeGround({ permissions: rulesOf(count) });
    try {
      const project = await ground.open();
      const { facts } = project.decideText(eventOf(ground.root, 'Bash', typicalBash));
      const policy = project.policyOf('test-dev');
      if (policy === null || facts === null) throw new Error(`no policy with ${count} rules`);
      if (policy.evaluate(facts).verdict !== 'deny') throw new Error(`the verdict with ${count} rules is not deny`);
      const input = JSON.stringify(facts);
      const parse = spread(20_000, () => JSON.parse(input)).p50;
      rows.push({ count, parse, ...spread(20_000, () => policy.evaluate(facts)) });
    } finally {
      ground.remove();
    }
  }
  const growth = rows.at(-1)!.p50 / rows[0]!.p50;
  return [
    ...rows.map(({ count, p50, p99, parse }) => ({
      what: `WASM evaluation, ${count.toLocaleString('en')} rules, p50 / p99`,
      budget: '≤ 12 µs p50',
      measured: `${micros(p50)} / ${micros(p99)}; ${ratio(p50 / parse)} JSON.parse of its input`,
      holds: p50 <= 12,
      absolute: true as const,
    })),
    { what: 'WASM evaluation, 10,000 rules to 10', budget: '≤ 1.20 ×', measured: ratio(growth), holds: growth <= 1.2 },
  ];
};
