// Many developers who ask one OPA server, each with a connection, a circuit and a fallback of their own, in one process. What is measured is
// what a decision waits for its verdict, and who gave it.

import { combineVerdicts } from '../../src/engine/combine.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import { Breaker } from '../../src/policy/remote/breaker.ts';
import { OpaClient } from '../../src/policy/remote/opa-client.mjs';
import { OpaPolicy, type OpaPolicyOptions } from '../../src/policy/remote/opa-policy.ts';

export interface Team {
  developers: number;
  /** Milliseconds between two calls of a developer, on average. */
  thinkMs: number;
  /** Milliseconds in which they come to work, one after the other. */
  comingMs: number;
  pin: OpaPolicyOptions['pin'];
  ca: string;
  mode: string;
  revision: string;
  /** Facts of calls; each developer goes through them from another one on. */
  calls: readonly Facts[];
  input: OpaPolicyOptions['input'];
  local(facts: Facts): Verdict;
}

/** One decision; times in ms, `at` since all began. */
export interface Sample {
  at: number;
  took: number;
  developer: number;
  by: 'opa' | 'local' | 'both' | 'nobody';
  verdict: Verdict['verdict'];
  /** The server was asked for it, and waited for. */
  waited: boolean;
}

/** Lets everybody work until `during` is over, which says what happens to the server meanwhile. Numbers are the same in each run. */
export async function work(team: Team, during: (samples: readonly Sample[]) => Promise<void>): Promise<Sample[]> {
  const samples: Sample[] = [];
  const start = performance.now();
  let isOver = false;
  const everybody = Array.from({ length: team.developers }, (_, developer) =>
    develop(team, developer, {
      isOver: () => isOver,
      sample: (one) => samples.push({ ...one, developer, at: performance.now() - start }),
    }),
  );
  await during(samples);
  isOver = true;
  await Promise.all(everybody);
  return samples;
}

interface Told {
  isOver(): boolean;
  sample(one: Omit<Sample, 'at' | 'developer'>): void;
}

async function develop(team: Team, developer: number, { isOver, sample }: Told): Promise<void> {
  const { pin, ca, mode, revision, calls, input, local, thinkMs, comingMs, developers } = team;
  const random = numbers(developer + 1);
  const client = new OpaClient({ ca, deadlineMs: pin.deadline, maxBytes: 1024 * 1024 });
  const nothing = () => undefined;
  const told = { failed: nothing, back: nothing, differs: nothing };
  const breaker = new Breaker(random);
  const policy = new OpaPolicy({ pin, mode, revision, isSteady: false, input, local, breaker, observer: told });
  const pause = () => new Promise((resolve) => setTimeout(resolve, -Math.log(1 - random()) * thinkMs));
  try {
    await new Promise((resolve) => setTimeout(resolve, (comingMs * developer) / developers));
    for (let turn = developer; !isOver(); turn++) {
      const begun = performance.now();
      const { by, verdict, waited } = await decide(policy, client, calls[turn % calls.length] as Facts);
      sample({ took: performance.now() - begun, by, verdict, waited });
      await pause();
    }
  } finally {
    await client.close();
  }
}

type Decided = Pick<Sample, 'by' | 'verdict' | 'waited'>;

/** As a thread and the one that waits for it do, without a thread. */
async function decide(policy: OpaPolicy, client: OpaClient, facts: Facts): Promise<Decided> {
  const steps = policy.evaluate(facts);
  let waiting: ReturnType<OpaClient['ask']> | null = null;
  try {
    for (let step = steps.next(null); ; ) {
      if (step.done)
        return { by: step.value.evaluator.by, verdict: combineVerdicts(step.value.verdicts).verdict, waited: waiting !== null };
      if (step.value.kind === 'receive') {
        step = steps.next(await waiting);
        continue;
      }
      const { question, onReply: heard } = step.value;
      const asked = client.ask({ ...question, token: null });
      if (heard === undefined) waiting = asked;
      else void asked.then(heard);
      step = steps.next(null);
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'E_POLICY_SERVICE') throw error;
    return { by: 'nobody', verdict: 'deny', waited: waiting !== null };
  }
}

/** From 0 to 1, the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
