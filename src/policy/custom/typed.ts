// The schemas for custom policies, wherever they are compiled: those of the input and of data.rules.
import type { BuildRequest, Modules } from '../compiler/types.ts';
import { INPUT_SCHEMA, RULES_SCHEMA } from '../published.ts';
import { explainTypes } from './meant.ts';

/** Assigns the type of data.rules to the packages of the core and of custom policies. */
const TYPES_FILE = 'generated:types.rego';
const TYPES = '# METADATA\n# scope: subpackages\n# schemas:\n#   - data.rules: schema.rules\npackage modes\n';

/** The modules with their types, for a request to the compiler. `strict` adds warnings, which take a second compilation. */
export function typed(modules: Modules, strict = false): Omit<BuildRequest, 'entrypoints'> {
  return {
    modules: { ...modules, [TYPES_FILE]: TYPES },
    strict,
    inputSchema: INPUT_SCHEMA as Record<string, unknown>,
    schemas: { rules: RULES_SCHEMA as Record<string, unknown> },
    explain: explainTypes,
  };
}
