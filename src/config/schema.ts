// The published JSON Schemas, made from the shapes that validation uses.
import { type ListShape, MAX_COUNT, type NamedShape, type RecordShape, type Shape, type TextShape } from './shape.ts';
import { MODES_SHAPE, SETTINGS_SHAPE } from './shapes.ts';
import { TEAM_SHAPE } from './team-shapes.ts';

type JsonSchema = { [key: string]: unknown };

const BASE = 'https://unpkg.com/claude-modes-mcp/schemas';

/**
 * The schemas by file name, as draft 7, which editors support best. They accept everything that the loader accepts. The loader
 * also refuses: modes that do not exist, duplicates, invisible characters, contradictions between keys, keys for another layer
 * only, and addresses that may not be used.
 */
export const SCHEMAS: ReadonlyMap<string, JsonSchema> = new Map([
  [
    'modes.schema.json',
    buildSchema('modes.schema.json', 'Modes and the transitions between them (.claude/modes.yaml)', MODES_SHAPE),
  ],
  [
    'settings.schema.json',
    buildSchema('settings.schema.json', 'Permissions of a mode (.claude/settings.<mode>.json)', SETTINGS_SHAPE),
  ],
  [
    'teams.schema.json',
    buildSchema('teams.schema.json', 'Settings of an organization for many projects (modes/teams.yaml)', TEAM_SHAPE),
  ],
]);

function buildSchema(file: string, title: string, shape: RecordShape): JsonSchema {
  return { $schema: 'http://json-schema.org/draft-07/schema#', $id: `${BASE}/${file}`, title, ...toSchema(shape) };
}

/** A shape as a schema, without the head of a file. */
function toSchema(shape: Shape): JsonSchema {
  switch (shape.kind) {
    case 'text':
      return describeText(shape);
    case 'number':
      return { type: 'integer', minimum: 1, maximum: shape.max ?? MAX_COUNT };
    case 'flag':
      return { type: 'boolean' };
    case 'choice':
      return { anyOf: shape.of.map(toSchema) };
    case 'list':
      return describeList(shape);
    case 'record':
      return describeRecord(shape);
    case 'named':
      return describeNamed(shape);
  }
}

function describeText(shape: TextShape): JsonSchema {
  const type = shape.nullable ? ['string', 'null'] : 'string';
  if (shape.oneOf) return { type, enum: [...shape.oneOf] };
  const pattern = shape.pattern ?? (shape.filled ? '\\S' : undefined);
  return pattern === undefined ? { type } : { type, pattern };
}

function describeList(shape: ListShape): JsonSchema {
  return { type: shape.nullable ? ['array', 'null'] : 'array', items: toSchema(shape.of) };
}

function describeRecord(shape: RecordShape): JsonSchema {
  const properties = [...shape.keys].map(
    ([name, key]) => [name, { description: beginSentence(key.about), ...toSchema(key.shape) }] as const,
  );
  const required = [...shape.keys].filter(([, key]) => key.required).map(([name]) => name);
  return {
    type: shape.nullable ? ['object', 'null'] : 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

function beginSentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function describeNamed(shape: NamedShape): JsonSchema {
  // JSON Schema has no flag for case: [Aa][Nn][Yy].
  const words = [...shape.reserved].map((word) => [...word].map((letter) => `[${letter.toUpperCase()}${letter}]`).join(''));
  const not = words.length === 0 ? {} : { not: { pattern: `^(${words.join('|')})$` } };
  return {
    type: 'object',
    propertyNames: { pattern: shape.pattern.source, ...not },
    additionalProperties: toSchema(shape.of),
  };
}
