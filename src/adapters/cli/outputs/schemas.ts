// schemas/output/*.schema.json: the --json output of every verb, and of its failures.
import * as z from 'zod';
import { type JsonSchema, publishedSchema } from '../../../config/json-schema.ts';
import { POLICY_OUTPUTS } from './policy-verbs.ts';
import { count, ERROR, one } from './shapes.ts';
import { VERB_OUTPUTS } from './verbs.ts';

const FILE = z.string().describe('Absolute path.');
const TIME = z.string().nullable().describe('ISO 8601, UTC; null: the signature has none.');

const BUNDLE_OUTPUTS = {
  'bundle-build': one(
    'The bundle that was written.',
    z.strictObject({
      mode: z.string(),
      file: FILE,
      bytes: count,
      revision: z.string(),
      layer: z.array(z.string()).describe('Names of the files in the layer.'),
    }),
  ),
  'bundle-sign': one(
    'The bundle with its signature.',
    z.strictObject({ file: FILE, algorithm: z.string(), files: count, expires: TIME }),
  ),
  'bundle-verify': one(
    'The bundle, verified with the key.',
    z.strictObject({
      file: FILE,
      algorithm: z.string(),
      revision: z.string(),
      signed: TIME,
      expires: TIME,
      files: z.array(z.string()),
    }),
  ),
  'bundle-push': one(
    'The bundle that was sent.',
    z.strictObject({
      url: z.string(),
      bytes: count,
      etag: z.string().nullable().describe('ETag of the server; null: it sent none.'),
    }),
  ),
} satisfies Readonly<Record<string, z.ZodType>>;

const FAILURE = z.strictObject({ error: ERROR });

/** By verb; its words are joined by a dash. */
const OUTPUTS = { ...VERB_OUTPUTS, ...POLICY_OUTPUTS, ...BUNDLE_OUTPUTS };

/** The --json output of each verb. `error` is for every verb that fails. */
export type Outputs = { [Verb in keyof typeof OUTPUTS]: z.infer<(typeof OUTPUTS)[Verb]> } & { error: z.infer<typeof FAILURE> };

function schemaOf(verb: string, output: z.ZodType): z.ZodType {
  const forms = output instanceof z.ZodUnion ? output.options : [output];
  const { description } = output.meta() ?? {};
  return z.union([...forms, FAILURE.meta({ title: 'A failure.' })]).meta({
    title: `Output of modes ${verb.replace('-', ' ')} --json`,
    ...(description !== undefined && { description }),
  });
}

const published: readonly (readonly [string, z.ZodType])[] = [
  ['error', FAILURE.meta({ title: 'Output of every verb with --json when it fails' })],
  ...Object.entries(OUTPUTS).map(([verb, output]) => [verb, schemaOf(verb, output)] as const),
];

/** Published as schemas/NAME. */
export const OUTPUT_SCHEMAS: readonly (readonly [string, JsonSchema])[] = published.map(([name, schema]) => {
  const file = `output/${name}.schema.json`;
  return [file, publishedSchema(file, schema)];
});
