// The configuration of a stock OPA server that evaluates the policies.
import type { Source } from './problem.ts';

/** A stock OPA server that evaluates the policies. File paths are absolute. */
export interface OpaPin {
  /** `{mode}` is replaced by the name of the mode. */
  url: string;
  tokenFile: string | null;
  caFile: string | null;
  /** Milliseconds that a decision waits for the server. */
  deadline: number;
  fallback: 'local' | 'deny';
  /** Compare its verdict with the local one and use the stricter. */
  check: boolean;
  source: Source;
}
