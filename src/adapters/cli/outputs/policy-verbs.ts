// The --json output of the verbs of `modes policy`.
import * as z from 'zod';
import { ANSWER, COUNTS, count, EFFECT, one, PROBLEM_LIST, PROBLEMS } from './shapes.ts';

const OUTCOME = z.strictObject({ decision: ANSWER, reason: z.string() });
const NUMBERS = z.array(count).describe('Line numbers.');

export const POLICY_OUTPUTS = {
  'policy-test': one(
    'Results of the tests and cases.',
    z.strictObject({
      ...COUNTS,
      tests: z.array(
        z.strictObject({
          kind: z.enum(['test', 'case']).describe('test: in Rego; case: in NAME.cases.yaml.'),
          name: z.string(),
          file: z.string(),
          line: count,
          outcome: z.enum(['pass', 'fail', 'error', 'skip']),
          message: z.string().describe("Why it did not pass; '' if it passed."),
          ms: z.number().min(0).describe('Milliseconds.'),
        }),
      ),
      problems: PROBLEMS,
    }),
  ),
  'policy-check': one('All problems of the policies.', z.strictObject(PROBLEM_LIST)),
  'policy-coverage': one(
    'The rules, and how often each decided.',
    z.strictObject({
      percent: z.number().min(0),
      rules: z.array(
        z.strictObject({
          kind: z.enum(['settings', 'rego']),
          file: z.string(),
          line: count,
          effect: EFFECT.nullable().describe('null for a Rego rule.'),
          text: z.string().describe('The text of a settings rule, or the name of a Rego rule.'),
          decided: count.describe('Number of decisions; for a Rego rule 0 or 1.'),
        }),
      ),
      files: z.record(z.string(), z.strictObject({ covered: NUMBERS, missed: NUMBERS })).describe('Rego files.'),
    }),
  ),
  'policy-fmt': one(
    'Files that were, or would be, rewritten.',
    z.strictObject({
      changed: z.array(z.string()),
      diffs: z.array(z.string()).describe('With --diff: a unified diff of each file.').optional(),
    }),
  ),
  'policy-build': one(
    'The bundle that was written.',
    z.strictObject({
      mode: z.string(),
      file: z.string().describe('Absolute path.'),
      bytes: count,
      bundle: z.string().describe('Hash of the bundle.'),
      revision: z.string(),
    }),
  ),
  'policy-export': z.union([
    one('The rules as Rego.', z.strictObject({ mode: z.string(), rego: z.string() })),
    one('With --output: the files that were written.', z.strictObject({ mode: z.string(), files: z.array(z.string()) })),
  ]),
  'policy-diff': one(
    'Calls that are decided differently.',
    z.strictObject({
      compared: count.describe('Number of calls.'),
      cut: count.describe('Calls that are incomplete in the log and were left out.'),
      changed: z.array(
        z.strictObject({ call: z.string(), mode: z.string().nullable(), source: z.string(), before: OUTCOME, after: OUTCOME }),
      ),
      problems: PROBLEMS,
    }),
  ),
} satisfies Readonly<Record<string, z.ZodType>>;
