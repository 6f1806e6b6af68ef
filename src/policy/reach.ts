// Policies that can never decide anything: a name in them belongs to no mode, tool or class, or they have no decision.
import type { Problem } from '../config/problem.ts';
import { nearest } from '../config/suggest.ts';
import type { Modules, RegoModule } from '../rego/types.ts';
import { INPUT_SCHEMA, type JsonSchema } from './schemas.ts';

/** Names that can occur; null: they are not known here, and none is refused. */
export interface Vocabulary {
  modes: ReadonlySet<string> | null;
  tools: ReadonlySet<string>;
  /** Names of older clients; a call by one of them has today's name, which is the value. */
  oldTools?: ReadonlyMap<string, string>;
}

/** A place in a custom module where something of the input is compared with a text, or METADATA names a mode. */
export interface Named {
  file: string;
  line: number;
  column: number;
  lineText: string;
  /** Into the input. */
  path: string[];
  text: string;
}

/** Every name that custom modules compare parts of the input with. */
export function findNamed(modules: RegoModule[], sources: Modules): Named[] {
  return modules.flatMap(({ file, mentions = [], annotations }) => {
    const lines = (sources[file] ?? '').split(/\r?\n/);
    const at = (line: number, column: number) => ({ file, line, column, lineText: lines[line - 1] ?? '' });
    const declared = annotations.flatMap(({ row, col, block }) =>
      ((block.custom?.modes as string[] | undefined) ?? []).map((text) => {
        const line = lines.findIndex((one, index) => index >= row && one.startsWith('#') && one.includes(text)) + 1;
        return { ...at(line || row, line ? lines[line - 1]!.indexOf(text) + 1 : col), path: ['mode'], text };
      }),
    );
    return [...declared, ...mentions.map(({ path, text, row, col }) => ({ ...at(row, col), path, text }))];
  });
}

/** Those that no input can hold. */
export function findNever(named: readonly Named[], { modes, tools, oldTools }: Vocabulary): Problem[] {
  return named.flatMap(({ path, text, ...place }) => {
    const key = path.join('.');
    const known = key === 'mode' ? modes : key === 'tool.name' ? (text.startsWith('mcp__') ? null : tools) : valuesAt(path);
    if (known === null || known.has(text)) return [];
    const guess = (key === 'tool.name' ? oldTools?.get(text) : undefined) ?? nearest(text, known);
    const names = [...known].filter((name) => name !== '');
    const message = `input.${key} is never ${JSON.stringify(text)}: what depends on it does not apply`;
    const remedy =
      guess !== null
        ? `Did you mean ${JSON.stringify(guess)}?`
        : `Possible: ${names.slice(0, 40).join(', ')}${names.length > 40 ? ', …' : ''}.`;
    return [{ code: 'E_POLICY_NEVER', severity: 'error' as const, message, remedy, ...place, length: text.length + 2 }];
  });
}

/** Modules whose package decides nothing and that no other module refers to. */
export function findEmpty(modules: RegoModule[], sources: Modules, isDecision: (rule: string) => boolean): Problem[] {
  const deciding = new Set(
    modules.filter(({ rules }) => rules.some(({ name }) => isDecision(name))).map((module) => module.package.join('.')),
  );
  return modules.flatMap((module) => {
    const name = module.package.join('.');
    const isUsed = modules.some((other) => other.package.join('.') !== name && sources[other.file]?.includes(name));
    if (deciding.has(name) || isUsed) return [];
    const near = module.rules.find(({ name: rule }) => nearest(rule, DECISIONS) !== null);
    const guess = near === undefined ? null : nearest(near.name, DECISIONS);
    const [line, column] = near === undefined ? [module.row, module.col] : [near.row, near.col];
    const lineText = sources[module.file]?.split('\n')[line - 1] ?? '';
    const message = `package ${name} decides nothing: it has neither deny, ask, allow, context nor gate`;
    const remedy = guess === null ? 'Write `deny contains "…" if { … }`.' : `Did you mean ${guess}, where it says ${near!.name}?`;
    return [{ code: 'E_POLICY_NEVER', severity: 'error' as const, message, remedy, file: module.file, line, column, lineText }];
  });
}

const DECISIONS = ['deny', 'ask', 'allow', 'context', 'gate'];

/** The values that the schema gives a part of the input; null where it leaves them open. */
function valuesAt(path: string[]): ReadonlySet<string> | null {
  let at: JsonSchema | undefined = INPUT_SCHEMA;
  for (const part of path) at = at?.properties?.[part];
  const values = at?.enum?.filter((value): value is string => typeof value === 'string');
  return values === undefined ? null : new Set(values);
}
