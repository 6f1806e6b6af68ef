// schemas/output/*.schema.json: the --json output of every verb, and of its failures.
import { type JsonSchema, object } from '../../../config/json-schema.ts';
import { BUNDLE_OUTPUTS } from './bundle-verbs.ts';
import { POLICY_OUTPUTS } from './policy-verbs.ts';
import { ERROR } from './shapes.ts';
import { type Output, VERB_OUTPUTS } from './verbs.ts';

const FAILURE = object({ error: ERROR });
const NO_ANSWER: JsonSchema = { ...FAILURE, title: 'No answer.' };

function schemaOf(name: string, { line, forms }: Output): JsonSchema {
  return {
    ...headOf(name, `What modes ${name.replace('-', ' ')} --json prints`),
    ...(line === undefined ? {} : { description: `${line} Each line is one of these.` }),
    anyOf: [...forms.map(([title, shape]) => ({ ...shape, title })), NO_ANSWER],
  };
}

function headOf(name: string, title: string): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `https://unpkg.com/claude-modes-mcp/schemas/output/${name}.schema.json`,
    title,
  };
}

const named: Record<string, Output> = {
  ...VERB_OUTPUTS,
  ...Object.fromEntries(Object.entries(POLICY_OUTPUTS).map(([name, output]) => [`policy-${name}`, output])),
  ...Object.fromEntries(Object.entries(BUNDLE_OUTPUTS).map(([name, output]) => [`bundle-${name}`, output])),
};

/** Published as schemas/NAME; a verb's words are joined by a dash. */
export const OUTPUT_SCHEMAS: readonly (readonly [string, JsonSchema])[] = [
  ['output/error.schema.json', { ...headOf('error', 'What every verb prints with --json when it has no answer'), ...FAILURE }],
  ...Object.entries(named).map(([name, output]) => [`output/${name}.schema.json`, schemaOf(name, output)] as const),
];
