// The index in WASM, the index in TypeScript and the direct form say the same of every call.
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { foldedNames, pathName } from '../../../src/facts/paths/keys.ts';
import type { Facts, PathName } from '../../../src/model/facts.ts';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { coreInput } from '../../../src/rules/core-input.ts';
import { matches, matchingIds } from '../../../src/rules/direct.ts';
import { rulePathFilter } from '../../../src/rules/path-filter.ts';
import { access, call, write } from '../../support/facts.ts';
import { facts, settings } from '../../support/generate-rules.ts';
import { ask, dataOf, loadCore, rulesOf, type Settings } from '../../support/policy.ts';
import { decideDirectly } from '../../support/rule-model.ts';

let core: Evaluator;
beforeAll(async () => {
  core = await loadCore();
}, 60_000);

const runs = Number(process.env.MODES_TEST_RUNS ?? 250);

function understood(given: Settings): boolean {
  try {
    rulesOf(given);
    return true;
  } catch {
    return false;
  }
}
const cases = fc.tuple(settings.filter(understood), facts);

/** Rules that met the call by their own text; not those that only count because something was not seen or not known. */
function hitIds(given: Settings, call: Facts): string[] {
  const { hits } = ask(core, given, call);
  const unseen = new Set(
    [...call.reads, ...call.writes].flatMap((access) => (access.unseen || access.unnamed ? [access.path] : [])),
  );
  const met = new Set(matchingIds(rulesOf(given), call));
  return [
    ...new Set(
      hits.filter(({ id, on, via }) => via !== 'an unknown word' && (met.has(id) || !unseen.has(on))).map(({ id }) => id),
    ),
  ].sort();
}

describe('for any rules and any call', () => {
  test('the compiled policy matches exactly the rules that match the call [s:rules.one-parser]', () => {
    fc.assert(
      fc.property(cases, ([given, call]) => {
        expect(hitIds(given, call)).toEqual(matchingIds(rulesOf(given), call).sort());
      }),
      { numRuns: runs },
    );
  });

  test('the compiled policy follows the order [s:order.deny-first] [s:order.ask-over-allow] [s:order.allow-over-builtin-ask] [s:order.builtin-ask-over-default] [s:order.deny-default] [s:order.every-access]', () => {
    fc.assert(
      fc.property(cases, ([given, call]) => {
        const { verdict, by } = ask(core, given, call);
        expect({ verdict, by }).toEqual(decideDirectly(given, call));
      }),
      { numRuns: runs },
    );
  });

  test('omitting parts without a rule changes nothing', () => {
    fc.assert(
      fc.property(cases, ([given, call]) => {
        const whole = ask(core, given, call);
        expect(core.evaluateVerdict(coreInput(dataOf(given))(call))).toEqual(whole);
      }),
      { numRuns: runs },
    );
  });

  test('omitting them changes nothing for a call with many accesses', () => {
    const twins = fc
      .tuple(fc.array(facts, { minLength: 2, maxLength: 4 }), fc.subarray([0, 1, 2, 3, 4, 5]), fc.nat(3))
      .map(([calls, marks, dice]): Facts => {
        const twin = JSON.parse(JSON.stringify(calls).replaceAll('docs', 'dots').replaceAll('a.ts', 'b.ts')) as Facts[];
        const [first, ...more] = [...calls, ...twin] as [Facts, ...Facts[]];
        const reads = [...first.reads, ...more.flatMap((one) => one.reads)];
        const writes = [...first.writes, ...more.flatMap((one) => one.writes)];
        for (const one of [...reads, ...writes])
          one.below = [...one.below, ...twin.flatMap(({ reads }) => reads[0]?.below ?? [])];
        const granted = {
          off: false,
          tool: false,
          reads: marks,
          writes: marks,
          commands: [],
          domains: [],
          parts: [],
          paths: marks,
        };
        return { ...first, reads, writes, ...(dice === 0 && { granted }) };
      });
    fc.assert(
      fc.property(settings.filter(understood), twins, (given, call) => {
        const whole = ask(core, given, call);
        expect(core.evaluateVerdict(coreInput(dataOf(given))(call))).toEqual(whole);
      }),
      { numRuns: runs },
    );
  });

  test('a name is a candidate exactly if a deny or ask rule with a path matches it', () => {
    const name = fc.tuple(facts, fc.nat()).map(([{ reads, writes }, at]): PathName => {
      const names = [...reads, ...writes].flatMap((one) => [...one.names, ...one.below]);
      return names[at % Math.max(1, names.length)] ?? pathName('src/a.ts', false);
    });
    fc.assert(
      fc.property(settings.filter(understood), name, (given, found) => {
        const { couldMatchRead, couldMatchWrite, hasReadRestriction, hasWriteRestriction } = rulePathFilter(dataOf(given));
        const rules = rulesOf(given).filter(({ effect }) => effect !== 'allow');
        const meets = (kind: 'read' | 'write'): boolean =>
          rules.some(
            (rule) =>
              rule.kind === kind &&
              matches(
                // The filter knows nothing of exceptions.
                { ...rule, except: [] },
                { kind, access: access('x'), name: found },
                { ...call('Read', 'read'), tool: { ...call('Read', 'read').tool, keys: ['mcp__fs__write_file'] } },
              ),
          );
        expect([couldMatchRead(found), couldMatchWrite(found)]).toEqual([meets('read'), meets('write')]);
        expect([hasReadRestriction, hasWriteRestriction]).toEqual(
          (['read', 'write'] as const).map((kind) => rules.some((rule) => rule.kind === kind)),
        );
      }),
      { numRuns: runs },
    );
  });

  test('the folder filter selects every name that a rule matches', () => {
    const spellings = fc.oneof(
      facts.chain(({ reads, writes }) =>
        fc.constantFrom(pathName('src/a.ts', false), ...[...reads, ...writes].flatMap((one) => [...one.names, ...one.below])),
      ),
      fc
        .constantFrom('a.ts', 'src/a.test.ts', 'SRC/A.TS', 'x/node_modules/y.d.ts', '/etc/a.ts')
        .map((path) => pathName(path, path.startsWith('/'))),
    );
    let told = 0;
    fc.assert(
      fc.property(settings.filter(understood), spellings, (given, { path }) => {
        const cut = path.lastIndexOf('/');
        const isAbsolute = path.startsWith('/');
        const folder = pathName(cut === -1 ? '' : path.slice(0, cut) || '/', isAbsolute);
        const name = path.slice(cut + 1);
        if (name === '' || name.startsWith('~')) return;
        const rules = rulePathFilter(dataOf(given));
        const found = pathName(path, isAbsolute);
        const spelled = [found, ...foldedNames([found])];
        const isMet = spelled.some(rules.couldMatchWrite);
        const isAsked = rules.writesIn([folder])(name);
        if (isMet) expect(isAsked).toBe(true);
        if (spelled.some(rules.couldMatchRead)) expect(rules.readsIn([folder])(name)).toBe(true);
        if (rules.hasWriteRestriction && !isAsked) told++;
      }),
      { numRuns: runs * 3 },
    );
    expect(told).toBeGreaterThan(runs / 8);
  });
});

test.each([
  ['/etc/passwd', 'pass'],
  ['/\ufeff', 'ask'],
  ['/\ufeff/x', 'ask'],
])('a rule for a missing name does not match the folder: a write of %s: %s', (path, expected) => {
  expect(ask(core, { ask: ['Write(//\ufeff)'] }, write(path)).verdict).toBe(expected);
});

test('an invalid call has no answer', () => {
  core.setData({ rules: dataOf({ allow: ['Bash', 'Read', 'Write'] }) });
  for (const input of [null, 0, '', '{"tool":{"name":"Read"}}', []])
    expect(() => core.evaluateVerdict(input as never), `${input}`).toThrow('not an object');
  for (const input of [{}, { tool: 'Read' }, { tool: null }])
    expect(() => core.evaluateVerdict(input as never), JSON.stringify(input)).toThrow('no answer');
});
