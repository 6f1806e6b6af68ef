// The published JSON Schemas, made from the schemas that validation uses.
import { type JsonSchema, publishedSchema } from './json-schema.ts';
import { SETTINGS } from './settings.ts';
import { TEAM } from './team-schema.ts';
import { TOPOLOGY } from './topology-schema.ts';

const FILES = [
  ['modes.schema.json', 'Modes and the transitions between them (.claude/modes.yaml)', TOPOLOGY],
  ['settings.schema.json', 'Permissions of a mode (.claude/settings.<mode>.json)', SETTINGS],
  ['teams.schema.json', 'Settings of an organization for many projects (modes/teams.yaml)', TEAM],
] as const;

/**
 * The schemas by file name. They accept everything that the loader accepts. The loader also refuses: modes that do not exist,
 * duplicates, invisible characters, contradictions between keys, keys for another layer only, and addresses that may not be used.
 */
export const SCHEMAS: ReadonlyMap<string, JsonSchema> = new Map(
  FILES.map(([file, title, schema]) => [file, beginSentences(publishedSchema(file, schema, title))]),
);

/** Descriptions of keys complete a remedy, so they begin in lower case there. */
function beginSentences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === 'description' && typeof value === 'string' ? value.charAt(0).toUpperCase() + value.slice(1) : value,
  );
}
