// schemas/output/*.schema.json: the --json output of every verb, and of its failures.
import * as z from 'zod';
import { type JsonSchema, publishedSchema } from '../../../config/json-schema.ts';
import { BUNDLE_OUTPUTS } from './bundle-verbs.ts';
import { POLICY_OUTPUTS } from './policy-verbs.ts';
import { ERROR } from './shapes.ts';
import { VERB_OUTPUTS } from './verbs.ts';

const FAILURE = z.strictObject({ error: ERROR });

/** By verb; its words are joined by a dash. */
const OUTPUTS = { ...VERB_OUTPUTS, ...POLICY_OUTPUTS, ...BUNDLE_OUTPUTS };

/** What each verb prints with --json. `error` is for every verb that fails. */
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
