// The --json output of the verbs of `modes policy`.
import * as z from 'zod';
import { ANSWER, COUNTS, count, EFFECT, one, PROBLEM_LIST, PROBLEMS } from './shapes.ts';

const SAID = z.strictObject({ decision: ANSWER, reason: z.string() });
const NUMBERS = z.array(count).describe('Lines.');

export const POLICY_OUTPUTS = {
  'policy-test': one(
    'How the tests and cases ended.',
    z.strictObject({
      ...COUNTS,
      tests: z.array(
        z.strictObject({
          kind: z.enum(['test', 'case']).describe('Rego, or a line of NAME.cases.yaml.'),
          name: z.string(),
          file: z.string(),
          line: count,
          outcome: z.enum(['pass', 'fail', 'error', 'skip']),
          message: z.string().describe("Why it did not pass; '' when it did."),
          ms: z.number().min(0).describe('Milliseconds.'),
        }),
      ),
      problems: PROBLEMS,
    }),
  ),
  'policy-check': one('What is wrong.', z.strictObject(PROBLEM_LIST)),
  'policy-coverage': one(
    'Which rules decided something.',
    z.strictObject({
      percent: z.number().min(0),
      rules: z.array(
        z.strictObject({
          kind: z.enum(['settings', 'rego']),
          file: z.string(),
          line: count,
          effect: EFFECT.nullable().describe("null: a Rego rule's is not known."),
          text: z.string().describe("As written, or a Rego rule's name."),
          decided: count.describe('How often; of Rego 1 or 0.'),
        }),
      ),
      files: z.record(z.string(), z.strictObject({ covered: NUMBERS, missed: NUMBERS })).describe('Of Rego.'),
    }),
  ),
  'policy-fmt': one(
    'Files that were, or would be, rewritten.',
    z.strictObject({
      changed: z.array(z.string()),
      diffs: z.array(z.string()).describe('With --diff: a unified diff of each.').optional(),
    }),
  ),
  'policy-build': one(
    'The bundle that was written.',
    z.strictObject({
      mode: z.string(),
      file: z.string().describe('Absolute.'),
      bytes: count,
      bundle: z.string().describe('Hash.'),
      revision: z.string(),
    }),
  ),
  'policy-export': z.union([
    one('The rules.', z.strictObject({ mode: z.string(), rego: z.string() })),
    one('With --output: the files that were written.', z.strictObject({ mode: z.string(), files: z.array(z.string()) })),
  ]),
  'policy-diff': one(
    'What is decided differently.',
    z.strictObject({
      compared: count.describe('Calls.'),
      cut: count.describe('Calls that the log does not hold whole.'),
      changed: z.array(
        z.strictObject({ call: z.string(), mode: z.string().nullable(), source: z.string(), before: SAID, after: SAID }),
      ),
      problems: PROBLEMS,
    }),
  ),
} satisfies Readonly<Record<string, z.ZodType>>;
