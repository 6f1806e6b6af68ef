// A decision: verdict, the rules that made it, reason and remedy. What is answered, logged and explained.
import type { Source } from '../config/problem.ts';
import type { Effect } from '../config/types.ts';
import type { Facts } from '../tools/types.ts';

export interface DecidingRule {
  id: string;
  effect: Effect;
  text: string;
  matched: string;
  source: Source;
}

export interface Decision {
  decision_id: string;
  decision: 'deny' | 'ask' | 'allow' | 'pass';
  mode: string | null;
  tool: string;
  rules: DecidingRule[];
  policies: { name: string; file: string; line: number; reason: string }[];
  reason: string;
  remedy: string;
  facts: Facts | null;
  bundle: string | null;
  /** Microseconds. */
  took_us: number;
}
