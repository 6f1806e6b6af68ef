// Commands that are called read-only are really run, and the folder is the same afterwards.
// FUZZ_BASH says how many, FUZZ_SEED from which seed; both are for long runs outside of CI.
import { afterAll, describe, expect, test } from 'vitest';
import { analyse } from '../../../src/bash/analyse.ts';
import { readRows, readTexts } from './corpora.ts';
import { digest, type Fixture, makeFixture, runIn } from './fixture.ts';
import { compose, random, randomCommand } from './generator.ts';

const wanted = Number(process.env.FUZZ_BASH ?? 150);
const seed = Number(process.env.FUZZ_SEED ?? 1);
const BATCH = 15;

let fixture: Fixture = makeFixture();
afterAll(() => fixture.remove());

/** Runs commands together; when something changed, again one by one, to say which. */
function changedBy(commands: string[]): string[] {
  const before = digest(fixture.root);
  for (const c of commands) runIn(fixture, c, 2);
  if (digest(fixture.root) === before) return [];
  const guilty: string[] = [];
  for (const c of commands) {
    fixture.remove();
    fixture = makeFixture();
    const clean = digest(fixture.root);
    runIn(fixture, c, 2);
    if (digest(fixture.root) !== clean) guilty.push(c);
  }
  fixture.remove();
  fixture = makeFixture();
  return guilty;
}

describe('what is called read-only changes nothing', () => {
  test('the check itself sees a change', () => {
    expect(changedBy(['ls', 'touch new'])).toEqual(['touch new']);
  });

  test(`${wanted} random commands from seed ${seed}`, { timeout: 60_000 + wanted * 2_000 }, () => {
    const pick = random(seed);
    const guilty: string[] = [];
    let batch: string[] = [];
    for (let ran = 0; ran < wanted; ) {
      const text = compose([randomCommand(pick), randomCommand(pick)], pick);
      if (analyse(text, fixture).class !== 'read-only') continue;
      ran++;
      batch.push(text);
      if (batch.length === BATCH || ran === wanted) {
        guilty.push(...changedBy(batch));
        batch = [];
      }
    }
    expect(guilty).toEqual([]);
  });

  test('hostile lists, wherever a part of them is called read-only', { timeout: 120_000 }, () => {
    // The rows themselves are not; their single words and lines may be.
    const lines = [...readTexts('adversarial.jsonl'), ...readRows('bash-mutating.jsonl').map((r) => r.command)]
      .flatMap((c) => c.split(/\n|;|&&|\|\|?/))
      .map((c) => c.trim());
    const calm = [...new Set(lines)].filter(
      (c) =>
        c !== '' &&
        !/^(?:yes|sleep|tail -f|cat$|wait|read)/.test(c) &&
        !/https?:|ping|dig|nslookup|host /.test(c) &&
        analyse(c, fixture).class === 'read-only',
    );
    const guilty: string[] = [];
    for (let i = 0; i < calm.length && i < 300; i += BATCH) guilty.push(...changedBy(calm.slice(i, i + BATCH)));
    expect(guilty).toEqual([]);
  });
});
