// The shape of a line of the log that its readers rely on. A disk error or another writer may have left something else.
import * as z from 'zod/mini';
import { fields } from '../record.ts';

const rule = fields({
  effect: z.string(),
  text: z.string(),
  matched: z.optional(z.string()),
  source: fields({ file: z.string(), line: z.number() }),
  note: z.optional(z.string()),
});
const policy = fields({
  name: z.string(),
  effect: z.optional(z.string()),
  file: z.string(),
  line: z.number(),
  reason: z.string(),
});

/** Fields that older versions did not write may be absent. */
const logged = fields({
  decision_id: z.string().check(z.regex(/^[\w-]+$/)),
  timestamp: z.string().check(
    z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/),
    z.refine((at) => !Number.isNaN(Date.parse(at))),
  ),
  labels: z.record(z.string(), z.string()),
  bundles: z.record(z.string(), fields({ revision: z.string() })),
  input: z.record(z.string(), z.unknown()),
  requested_by: z.optional(z.string()),
  result: fields({
    decision: z.enum(['deny', 'ask', 'allow', 'pass']),
    mode: z.nullish(z.string()),
    tool: z.string(),
    by: z.string(),
    rules: z.array(rule),
    also: z.optional(z.array(rule)),
    policies: z.optional(z.array(policy)),
    protections: z.optional(z.array(fields({ name: z.string(), on: z.string() }))),
    reason: z.string(),
    remedy: z.string(),
    advice: z.optional(z.string()),
    grants: z.optional(z.array(fields({ id: z.string() }))),
    took_us: z.optional(z.number()),
  }),
});

/** Only checked, because a copy of each line of a long log takes time. */
export const isLogged = (value: unknown): boolean => z.safeParse(logged, value).success;
