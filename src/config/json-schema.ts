// JSON Schemas of zod schemas, as draft 7, which editors support best.
import * as z from 'zod/mini';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const BASE = 'https://unpkg.com/claude-modes-mcp/schemas';

/** The JSON Schema of the values that a zod schema accepts. */
export function toJsonSchema(schema: z.core.$ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    override: ({ jsonSchema }) => simplify(jsonSchema),
  });
  return rest;
}

/** The published schema of a file in schemas/, with its address. */
export function publishedSchema(file: string, schema: z.core.$ZodType, title?: string): JsonSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: `${BASE}/${file}`,
    ...(title && { title }),
    ...toJsonSchema(schema),
  };
}

/** Shorter forms of the same: `type: [x, null]` for a nullable, no bounds of safe integers, no type for the names of keys. */
function simplify(schema: JsonSchema): void {
  const [value, none] = schema.anyOf ?? [];
  if (schema.anyOf?.length === 2 && none?.type === 'null' && typeof value?.type === 'string') {
    delete schema.anyOf;
    const { enum: values } = value;
    Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'], ...(values && { enum: [...values, null] }) });
  }
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (typeof schema.propertyNames === 'object') {
    delete schema.propertyNames.type;
    if (Object.keys(schema.propertyNames).length === 0) delete schema.propertyNames;
  }
  if (Object.keys(schema.additionalProperties || { some: 0 }).length === 0) delete schema.additionalProperties;
}
