// schemas/output/*.schema.json: the --json output of every verb, and of its failures.
import { z } from 'zod';
import { type JsonSchema, publishedSchema } from '../../../config/json-schema.ts';
import { BUNDLE_OUTPUTS } from './bundle-verbs.ts';
import { POLICY_OUTPUTS } from './policy-verbs.ts';
import { ERROR } from './shapes.ts';
import { type Output, VERB_OUTPUTS } from './verbs.ts';

const FAILURE = z.strictObject({ error: ERROR });

function schemaOf(name: string, { line, forms }: Output): z.ZodType {
  const all = [...forms.map(([title, shape]) => shape.meta({ title })), FAILURE.meta({ title: 'No answer.' })];
  return z.union(all).meta({
    title: `What modes ${name.replace('-', ' ')} --json prints`,
    ...(line !== undefined && { description: `${line} Each line is one of these.` }),
  });
}

const named: Record<string, Output> = {
  ...VERB_OUTPUTS,
  ...Object.fromEntries(Object.entries(POLICY_OUTPUTS).map(([name, output]) => [`policy-${name}`, output])),
  ...Object.fromEntries(Object.entries(BUNDLE_OUTPUTS).map(([name, output]) => [`bundle-${name}`, output])),
};

const all: readonly (readonly [string, z.ZodType])[] = [
  ['error', FAILURE.meta({ title: 'What every verb prints with --json when it has no answer' })],
  ...Object.entries(named).map(([name, output]) => [name, schemaOf(name, output)] as const),
];

/** Published as schemas/NAME; a verb's words are joined by a dash. */
export const OUTPUT_SCHEMAS: readonly (readonly [string, JsonSchema])[] = all.map(([name, schema]) => {
  const file = `output/${name}.schema.json`;
  return [file, publishedSchema(file, schema)];
});
