// Commands that are called read-only are really run, and the folder is the same afterwards.
// FUZZ_BASH says how many, FUZZ_SEED from which seed; `make fuzz-bash` does the same for long runs.
import { afterAll, describe, expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';
import { readRows, readTexts } from './corpora.ts';
import { hunt, Trap } from './hunt.ts';

const wanted = Number(process.env.FUZZ_BASH ?? 200);
const seed = Number(process.env.FUZZ_SEED ?? 1);

const trap = new Trap();
afterAll(() => trap.close());

describe('read-only commands change nothing', () => {
  test('the check detects a change', () => {
    const changes = ['touch new', 'echo more >> a.txt', 'chmod +x a.txt', 'rm b.txt', 'ln -s a.txt l', 'git tag new'];
    expect(trap.changedBy(['ls', ...changes, 'cat a.txt'])).toEqual(changes);
  });

  test(`${wanted} random commands from seed ${seed}`, { timeout: 60_000 + wanted * 2_000 }, () => {
    expect(hunt(wanted, seed)).toEqual([]);
  });

  test('hostile lists with a read-only part', { timeout: 120_000 }, () => {
    // The rows themselves are not; their single words and lines may be.
    const lines = [...readTexts('adversarial.jsonl'), ...readRows('bash-mutating.jsonl').map((r) => r.command)]
      .flatMap((c) => c.split(/\n|;|&&|\|\|?/))
      .map((c) => c.trim());
    const calm = [...new Set(lines)].filter(
      (c) =>
        c !== '' &&
        !/^(?:yes|sleep|tail -f|cat$|wait|read)/.test(c) &&
        !/https?:|ping|dig|nslookup|host /.test(c) &&
        analyse(c, { cwd: trap.fixture.cwd, home: trap.fixture.home }).class === 'read-only',
    );
    expect(calm.length).toBeGreaterThan(100);
    expect([...trap.changedByAny(calm.slice(0, 300))].flatMap(({ guilty }) => guilty)).toEqual([]);
  });
});
