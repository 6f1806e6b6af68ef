// Looks for commands that are called read-only and change something when they are really run.

import { loadFinder } from '../../../src/facts/loads.ts';
import { analyse } from '../../../src/shell/analyse.ts';
import { resolveLoads } from '../../../src/shell/loads.ts';
import { digest, type Fixture, makeFixture, runIn } from './fixture.ts';
import { compose, random, randomCommand } from './generator.ts';

const BATCH = 15;
const SECONDS = 2;

/** A throw-away folder in which commands are run; `close` removes it. */
export class Trap {
  fixture: Fixture = makeFixture();

  /** Runs commands together; when something changed, again one by one, to say which. */
  changedBy(commands: string[]): string[] {
    const before = digest(this.fixture.root);
    for (const c of commands) runIn(this.fixture, c, SECONDS);
    if (digest(this.fixture.root) === before) return [];
    const guilty = commands.filter((c) => {
      this.renew();
      const clean = digest(this.fixture.root);
      runIn(this.fixture, c, SECONDS);
      return digest(this.fixture.root) !== clean;
    });
    this.renew();
    return guilty;
  }

  /** The same for a long list, some at a time. */
  *changedByAny(commands: Iterable<string>): Generator<{ ran: number; guilty: string[] }> {
    let batch: string[] = [];
    let ran = 0;
    for (const c of commands) {
      batch.push(c);
      if (batch.length < BATCH) continue;
      ran += batch.length;
      yield { ran, guilty: this.changedBy(batch) };
      batch = [];
    }
    if (batch.length > 0) yield { ran: ran + batch.length, guilty: this.changedBy(batch) };
  }

  close(): void {
    this.fixture.remove();
  }

  private renew(): void {
    this.fixture.remove();
    this.fixture = makeFixture();
  }
}

/** So many random command lines that the analyser calls read-only; the same seed gives the same ones. */
export function* readOnlyCommands(count: number, seed: number, fixture: Fixture): Generator<string> {
  const pick = random(seed);
  // The look on the disk that the hook takes, too.
  const find = loadFinder(fixture.home, process.env.PATH ?? '');
  for (let given = 0; given < count; ) {
    const text = compose([randomCommand(pick), randomCommand(pick)], pick);
    const facts = analyse(text, { cwd: fixture.cwd, home: fixture.home, looks: true });
    if (resolveLoads(facts, find).class !== 'read-only') continue;
    given++;
    yield text;
  }
}

/** Runs that many from a seed and answers with those that changed something. `say` hears how many have run. */
export function hunt(count: number, seed: number, say: (ran: number) => void = () => undefined): string[] {
  const trap = new Trap();
  try {
    const found: string[] = [];
    for (const { ran, guilty } of trap.changedByAny(readOnlyCommands(count, seed, trap.fixture))) {
      found.push(...guilty);
      say(ran);
    }
    return found;
  } finally {
    trap.close();
  }
}
