// How a stock OPA server is asked for verdicts.
import type { Source } from './problem.ts';

/** A stock OPA server that is asked for verdicts. Files are absolute. */
export interface OpaPin {
  /** `{mode}` stands for the name of the mode. */
  url: string;
  tokenFile: string | null;
  caFile: string | null;
  /** Milliseconds that a decision waits for it. */
  deadline: number;
  fallback: 'local' | 'deny';
  /** Its verdict is held against this machine's own, and the stricter counts. */
  check: boolean;
  source: Source;
}
