// Helpers to write JSON Schemas as data.

export interface JsonSchema {
  $schema?: string;
  $id?: string;
  title?: string;
  description?: string;
  type?: string | string[];
  const?: unknown;
  enum?: readonly (string | null)[];
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: readonly JsonSchema[];
  pattern?: string;
  minimum?: number;
}

export const text: JsonSchema = { type: 'string' };
export const flag: JsonSchema = { type: 'boolean' };
export const count: JsonSchema = { type: 'integer' };
export const nullable = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  type: [schema.type as string, 'null'],
  ...(schema.enum && { enum: [...schema.enum, null] }),
});
export const oneOf = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });
/** An integer from 0. */
export const number: JsonSchema = { type: 'integer', minimum: 0 };
export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const dictionary = (of: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: of });
export const about = (description: string, schema: JsonSchema): JsonSchema => ({ description, ...schema });

/** An object with exactly these keys. Keys that end in `?` may be missing. */
export function object(keys: Record<string, JsonSchema>): JsonSchema {
  const names = Object.keys(keys);
  return {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name.replace('?', ''), keys[name]!])),
    required: names.filter((name) => !name.endsWith('?')),
    additionalProperties: false,
  };
}
