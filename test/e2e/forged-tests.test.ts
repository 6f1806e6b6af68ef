// Test runs that are made up, in the real client and with real runners: each is refused by name, or docs/gates.md says what is beyond
// `tests:` and what closes it.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { approve } from './approve.ts';
import { SYSTEM_PATH, session } from './client.ts';
import { denoSuite } from './forgeries/deno.ts';
import type { Forgery } from './forgeries/forgery.ts';
import { goSuite } from './forgeries/go.ts';
import { gradleSuite } from './forgeries/gradle.ts';
import { jestSuite } from './forgeries/jest.ts';
import { mavenSuite } from './forgeries/maven.ts';
import { mochaSuite } from './forgeries/mocha.ts';
import { nodeSuite } from './forgeries/node-test.ts';
import { pytestSuite, unittestSuite } from './forgeries/python.ts';
import { cargoSuite } from './forgeries/rust.ts';
import { vitestSuite } from './forgeries/vitest.ts';
import { go } from './mode.ts';
import { bash, type Turn } from './model.ts';
import { makePlace } from './place.ts';
import { answers, apply, changed, type Files, gatesFor, hasGradle, root } from './test-suites.ts';

const suites = [
  nodeSuite,
  pytestSuite,
  unittestSuite,
  goSuite,
  cargoSuite,
  vitestSuite,
  jestSuite,
  mochaSuite,
  denoSuite,
  mavenSuite,
  ...(hasGradle ? [gradleSuite] : []),
];

test('the catalog has at least 60 rows', () =>
  expect(suites.flatMap(({ forgeries }) => forgeries).length).toBeGreaterThanOrEqual(60));

describe.each(suites)(
  '$runner',
  ({ command, path: programs = [], env = {}, files, failing, fix, title, forgeries, failures = [] }) => {
    test('the honest cycle needs one more run, and a made-up run opens the gate only if docs/gates.md says so [w:tests.cycle] [w:tests.forged]', async () => {
      const place = makePlace();
      try {
        // A way back into the mode, for the next run that opens the gate.
        place.write(
          '.claude/modes.yaml',
          gatesFor(command).replace('[{to: red}]', '[{to: red}, {to: green}]').replace('[{to: done,', '[{to: red}, {to: done,'),
        );
        const allow = JSON.stringify({ permissions: { allow: ['Bash(**)'] } });
        for (const mode of ['red', 'green', 'done']) place.write(`.claude/settings.${mode}.json`, allow);
        place.write('.gitignore', '__pycache__/\ntarget/\nnode_modules/\n.gradle/\nbuild/\n');
        apply(place, files);
        const whole: Files = { ...files, ...failing };
        const act = (change: Files, turn: Turn): Turn => changed(place, change, turn);
        const run = bash(command, { timeout: 110_000 });
        const ask = (mode: string): Turn => go(mode)[0] as Turn;
        const closed = forgeries.filter(({ missing }) => missing !== null);
        const beyond = forgeries.filter(({ missing }) => missing === null);
        const backFrom = (forged: Files, present: Files): Files =>
          Object.fromEntries(Object.keys(forged).map((name) => [name, present[name] ?? null]));
        const runOf = (one: Forgery) => (one.run === undefined ? run : bash(one.run, { timeout: 110_000 }));
        const playOf = (one: Forgery): Turn[] => {
          const calls = [one.before, one.run ?? command, one.after].flatMap((text) =>
            text === undefined ? [] : [bash(text, { timeout: 110_000 })],
          );
          return calls.map((call, at) => (at === 0 ? act({ ...fix, ...one.files }, call) : call));
        };
        const rows = closed.flatMap((one): Turn[] => [
          ...playOf(one),
          ask('done'),
          act({ ...backFrom(one.files, { ...whole, ...fix }), ...fix }, bash('true')),
        ]);
        const opening = beyond.flatMap((one): Turn[] => [
          act({ ...backFrom({ ...fix, ...one.files }, whole), ...failing }, ask('green')),
          run,
          ...playOf(one),
          ask('done'),
          act(backFrom(one.files, whole), bash('true')),
        ]);
        const red = failures.flatMap((one): Turn[] => [
          act(one.files, runOf(one)),
          ask('green'),
          act(backFrom(one.files, files), one.missing === null ? ask('red') : bash('true')),
          ...(one.missing === null ? [run] : []),
        ]);
        const { calls } = await session({
          ...place,
          env: { PATH: [...programs, SYSTEM_PATH].join(':'), ...env },
          turns: [
            run,
            ...red,
            act(failing, run),
            ask('green'),
            run,
            ask('done'),
            ...rows,
            act(fix, run),
            ask('done'),
            ...opening,
          ],
          args: ['--allowedTools', 'Bash'],
          limit: 600_000,
        });
        const all = answers(calls);
        const expected = (list: readonly Forgery[]) =>
          list.map(({ what, missing }) =>
            missing === null ? `${what}: ` : expect.stringMatching(new RegExp(`^${what}: .*(?:${missing.source})`, 's')),
          );
        // A failure that opens the gate has a second answer: to the way back.
        const made = failures.map(({ what, missing }) => `${what}: ${all.splice(0, missing === null ? 2 : 1).join('')}`);
        expect(made).toEqual(expected(failures));
        const [opened, unfixed, ...rest] = all;
        expect(opened).toBe('');
        expect(unfixed).toContain(title);
        expect(rest.splice(0, closed.length).map((missing, at) => `${closed[at]?.what}: ${missing}`)).toEqual(expected(closed));
        expect(rest.shift()).toBe('');
        // Every other answer is that to the way back.
        expect(beyond.map(({ what }, at) => `${what}: ${rest[2 * at]}${rest[2 * at + 1]}`)).toEqual(
          beyond.map(({ what }) => `${what}: `),
        );
      } finally {
        place.remove();
      }
    }, 620_000);
  },
);

const seenByEngine = suites
  .map((suite) => ({ ...suite, forgeries: suite.forgeries.filter(({ byEngine }) => byEngine !== undefined) }))
  .filter(({ forgeries }) => forgeries.length > 0);

test.each(seenByEngine)(
  '$runner: with `by: engine`, the gate refuses the runs whose printed output is made up [w:tests.source] [w:tests.forged]',
  async ({ command, path: programs = [], env = {}, files, failing, fix, forgeries }) => {
    const place = makePlace();
    try {
      place.write('.claude/modes.yaml', gatesFor(command, ', by: engine'));
      const allow = JSON.stringify({ permissions: { allow: ['Bash(**)'] } });
      for (const mode of ['red', 'green', 'done']) place.write(`.claude/settings.${mode}.json`, allow);
      place.write('.gitignore', '__pycache__/\nnode_modules/\n');
      apply(place, files);
      await approve(place);
      const whole: Files = { ...files, ...failing, ...fix };
      const ask = (mode: string): Turn => go(mode)[0] as Turn;
      const rows = forgeries.flatMap((one): Turn[] => [
        changed(place, { ...fix, ...one.files }, bash(one.before ?? 'true', { timeout: 110_000 })),
        ask('done'),
        changed(place, Object.fromEntries(Object.keys(one.files).map((name) => [name, whole[name] ?? null])), bash('true')),
      ]);
      const { calls } = await session({
        ...place,
        env: { PATH: [...programs, SYSTEM_PATH].join(':'), ...env },
        turns: [changed(place, failing, ask('green')), ...rows, changed(place, fix, ask('done'))],
        args: ['--allowedTools', 'Bash'],
        limit: 300_000,
      });
      const [opened, ...rest] = answers(calls);
      expect(opened).toBe('');
      expect(rest.pop()).toBe('');
      expect(rest.map((missing, at) => `${forgeries[at]?.what}: ${missing}`)).toEqual(
        forgeries.map(({ what, byEngine }) => expect.stringMatching(new RegExp(`^${what}: .*(?:${byEngine?.source})`, 's'))),
      );
    } finally {
      place.remove();
    }
  },
  320_000,
);

test('docs/gates.md says what closes each run that opens the gate, and lists no other', () => {
  const text = fs.readFileSync(path.join(root, 'docs/gates.md'), 'utf8');
  const rowsOf = (heading: string): string[] => {
    const [table = ''] = (text.split(`### ${heading}\n`)[1] ?? '').split(/^#/m);
    return [...table.matchAll(/^\| (.*?) \| .*\|$/gm)].map(([, what]) => what as string).slice(1);
  };
  const open = suites.flatMap(({ forgeries, failures = [] }) =>
    [...forgeries, ...failures].filter(({ missing }) => missing === null),
  );
  const listed = rowsOf('What it does not see');
  const beyond = [...new Set(open.map(({ what }) => what))];
  expect(beyond.filter((what) => !listed.some((row) => row.includes(what)))).toEqual([]);
  expect(listed.filter((row) => !beyond.some((what) => row.includes(what)))).toEqual([]);
});
