// The schemas of schemas.ts as they are published. `modes policy check` checks types in Rego with them. They are read from the
// files, since a process that prepares a configuration must not load zod for them.
import facts from '../../schemas/facts.schema.json' with { type: 'json' };
import rules from '../../schemas/rules.schema.json' with { type: 'json' };

/** A part of a schema, as far as explanations of type errors need it. */
export interface SchemaPart {
  type?: string | string[];
  enum?: readonly (string | null)[];
  properties?: Readonly<Record<string, SchemaPart>>;
  items?: SchemaPart;
}

/** Of the input document. */
export const INPUT_SCHEMA: SchemaPart = facts;
/** Of data.rules. */
export const RULES_SCHEMA: SchemaPart = rules;
