// What a benchmark answers with, and the few ways of measuring that they share.
import { spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';

export interface Row {
  what: string;
  /** What the design allows; '' where it says nothing. */
  budget: string;
  measured: string;
  /** null where there is no budget. */
  holds: boolean | null;
  /** An absolute figure: whether it holds depends on the machine. */
  absolute?: true;
  /** What was measured, by name: the page groups rows by it. */
  labels?: Record<string, string>;
  /** The measured numbers, for the page and its picture. */
  figures?: Record<string, number>;
}

/** How a benchmark is run. */
export interface Options {
  /** Fewer turns or calls than are published, for development. */
  turns?: number;
  calls?: number;
  /** Ends what runs and removes what was made. */
  cancel?: AbortSignal;
}

/** Some rows that are measured together. `say` shows progress. */
export type Bench = (say: (text: string) => void, options: Options) => Promise<Row[]>;

/** Says why nothing was measured. */
export const notMeasured = (what: string, why: string): Row => ({
  what,
  budget: '',
  measured: `NOT MEASURED: ${why}`,
  holds: null,
});

export interface Spread {
  p50: number;
  p99: number;
}

/** Microseconds a call takes, after a warm-up of a tenth. */
export function spread(calls: number, call: () => void): Spread {
  for (let i = 0; i < calls / 10; i += 1) call();
  const took = new Float64Array(calls);
  for (let i = 0; i < calls; i += 1) {
    const start = performance.now();
    call();
    took[i] = (performance.now() - start) * 1000;
  }
  return spreadOf(took);
}

export function spreadOf(samples: ArrayLike<number>): Spread {
  const sorted = Float64Array.from(samples).sort();
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

/** Milliseconds that it takes, the median of a few times: for what takes long. */
export function median(act: () => void): number {
  const took = Array.from({ length: 7 }, () => {
    const start = performance.now();
    act();
    return performance.now() - start;
  });
  return spreadOf(took).p50;
}

/** What becomes of a budget in absolute time: held at the usual speed, or only as measured here. */
export function heldBy(usual: boolean, here: boolean): Pick<Row, 'holds' | 'absolute'> {
  return usual || !here ? { holds: usual } : { holds: true, absolute: true };
}

/** As measured here, and as it would be at the usual speed. */
export interface Paced {
  here: Spread;
  usual: Spread;
}

/** Samples with what the yardstick said beside them. */
export class Samples {
  private readonly here: number[] = [];
  private readonly usual: number[] = [];

  add(sample: number, slowness: number): void {
    this.here.push(sample);
    this.usual.push(sample / slowness);
  }

  get paced(): Paced {
    return { here: spreadOf(this.here), usual: spreadOf(this.usual) };
  }
}

/** Calls between two looks at the yardstick. */
export const perLook = 100;

/** Microseconds a call takes, after a warm-up of a tenth. */
export function paced(calls: number, call: () => void, look: () => number): Paced {
  for (let i = 0; i < calls / 10; i += 1) call();
  const samples = new Samples();
  let slowness = 1;
  for (let i = 0; i < calls; i += 1) {
    if (i % perLook === 0) slowness = look();
    const start = performance.now();
    call();
    samples.add((performance.now() - start) * 1000, slowness);
  }
  return samples.paced;
}

/** Both spreads in words. */
export const pacedText = ({ here, usual }: Paced): string =>
  `${micros(here.p50)} / ${micros(here.p99)}; at the usual speed ${micros(usual.p50)} / ${micros(usual.p99)}`;

export interface Program {
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  input: string;
  /** What it must have printed: a program that fails fast is not fast. */
  prints: RegExp;
}

/**
 * Milliseconds from start to end of each program, median. They take turns, so that what else the machine does hits all alike, there and
 * back, so that none always follows the one that leaves the least of the processor's caches.
 * @throws {Error} when one of them fails or prints something else
 */
export function inTurns(rounds: number, programs: Program[]): number[] {
  const took = programs.map(() => new Float64Array(rounds));
  for (let round = -2; round < rounds; round += 1) {
    const turn = [...programs.entries()];
    for (const [index, { command, args, cwd, env, input, prints }] of round % 2 === 0 ? turn : turn.reverse()) {
      const start = performance.now();
      const { status, stdout, stderr, error } = spawnSync(command, args, {
        cwd,
        env,
        input,
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      });
      const milliseconds = performance.now() - start;
      if (error) throw error;
      if (status !== 0 || !prints.test(stdout))
        throw new Error(`${command} ${args.join(' ')}: exit ${status}, ${stdout}${stderr}`);
      // The first rounds fill the machine's caches.
      if (round >= 0) took[index]![round] = milliseconds;
    }
  }
  return took.map((samples) => spreadOf(samples).p50);
}

export const micros = (value: number): string => `${value < 100 ? value.toFixed(1) : Math.round(value)} µs`;
export const millis = (value: number): string => `${value < 100 ? value.toFixed(1) : Math.round(value)} ms`;
export const ratio = (value: number): string => `${value.toFixed(2)} ×`;
