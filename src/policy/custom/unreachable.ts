// Finds policies that can never decide anything: they name an unknown mode, tool or class, or they have no decision.

import { PERMISSION_MODES } from '../../config/mode-schema.ts';
import type { Problem } from '../../model/problem.ts';
import { nearest } from '../../platform/nearest-name.ts';
import type { Modules, RegoModule } from '../compiler/types.ts';
import { INPUT_SCHEMA, type SchemaPart } from '../published.ts';

/** Names that can occur. Null if they are unknown here; then every name is accepted. */
export interface Vocabulary {
  modes: ReadonlySet<string> | null;
  tools: ReadonlySet<string>;
  /** Tool names of older clients. A call by such a name gets today's name, which is the value. */
  oldTools?: ReadonlyMap<string, string>;
}

/** A place in a custom module that compares a part of the input with a text, or METADATA that names a mode. */
export interface NamedValue {
  file: string;
  line: number;
  column: number;
  lineText: string;
  /** The path within the input. */
  path: string[];
  text: string;
}

/** Every name that custom modules compare parts of the input with. */
export function findNamed(modules: RegoModule[], sources: Modules): NamedValue[] {
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

/** Values that the client gives. The schema accepts others, because a newer client must not make every input invalid. */
const clientValues: Readonly<Record<string, ReadonlySet<string>>> = { 'session.permission_mode': new Set(PERMISSION_MODES) };

/** The names that no input can contain. */
export function findNever(named: readonly NamedValue[], { modes, tools, oldTools }: Vocabulary): Problem[] {
  return named.flatMap(({ path, text, ...place }) => {
    const key = path.join('.').replaceAll('.[]', '[_]');
    const known =
      key === 'mode'
        ? modes
        : key === 'tool.name'
          ? text.startsWith('mcp__')
            ? null
            : tools
          : (clientValues[key] ?? valuesAt(path));
    if (known === null || known.has(text)) return [];
    const guess = (key === 'tool.name' ? oldTools?.get(text) : undefined) ?? nearest(text, known);
    const names = [...known].filter((name) => name !== '');
    const message = `input.${key} is never ${JSON.stringify(text)}, so rules that depend on it have no effect`;
    const remedy =
      guess !== null
        ? `Did you mean ${JSON.stringify(guess)}?`
        : `Write one of: ${names.slice(0, 40).join(', ')}${names.length > 40 ? ', …' : ''}.`;
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
    const isUsed = modules.some(
      (other) =>
        other.package.join('.') !== name && other.data_refs?.some(({ path }) => `${path.join('.')}.`.startsWith(`${name}.`)),
    );
    if (deciding.has(name) || isUsed) return [];
    const near = module.rules.find(({ name: rule }) => nearest(rule, DECISIONS) !== null);
    const guess = near === undefined ? null : nearest(near.name, DECISIONS);
    const [line, column] = near === undefined ? [module.row, module.col] : [near.row, near.col];
    const lineText = sources[module.file]?.split('\n')[line - 1] ?? '';
    const message = `package ${name} decides nothing: it has neither deny, ask, allow, context nor gate`;
    const remedy = guess === null ? 'Write `deny contains "…" if { … }`.' : `Did you mean ${guess} instead of ${near!.name}?`;
    return [{ code: 'E_POLICY_NEVER', severity: 'error' as const, message, remedy, file: module.file, line, column, lineText }];
  });
}

const DECISIONS = ['deny', 'ask', 'allow', 'context', 'gate'];

/** The values that the schema allows for a part of the input. Null if it allows any. */
function valuesAt(path: string[]): ReadonlySet<string> | null {
  let at: SchemaPart | undefined = INPUT_SCHEMA;
  for (const part of path) at = part === '[]' ? at?.items : at?.properties?.[part];
  const values = at?.enum?.filter((value): value is string => typeof value === 'string');
  return values === undefined ? null : new Set(values);
}

/** References to data that a policy does not have: everything except data.rules and the policies' own packages. */
export function findAbsent(modules: RegoModule[], sources: Modules): Problem[] {
  const rulesOf = new Map<string, Set<string>>();
  for (const { package: path, rules } of modules) {
    const known = rulesOf.get(path.join('.')) ?? new Set();
    for (const { name } of rules) known.add(/^[^.[]+/.exec(name)?.[0] ?? name);
    rulesOf.set(path.join('.'), known);
  }
  return modules.flatMap(({ file, data_refs: references = [] }) =>
    references.flatMap(({ path, row, col }) => {
      const [top, second, policy, rule] = path;
      const isPolicy = top === 'modes' && second === 'policy';
      const known = policy === undefined ? undefined : rulesOf.get(`modes.policy.${policy}`);
      if (top === 'rules' || (isPolicy && (policy === undefined || (rule === undefined ? known : known?.has(rule))))) return [];
      const names = known ?? [...rulesOf.keys()].map((name) => name.slice('modes.policy.'.length));
      const guess = isPolicy ? nearest((known && rule) ?? policy ?? '', names) : null;
      const reference = ['data', ...path.slice(0, isPolicy ? 4 : 2)].join('.');
      const lineText = sources[file]?.split(/\r?\n/)[row - 1] ?? '';
      const isWritten = lineText.startsWith(reference, col - 1);
      return [
        {
          code: 'E_POLICY_NEVER',
          severity: 'error' as const,
          message: `a policy cannot read ${reference}, so rules that depend on it have no effect`,
          remedy:
            guess === null
              ? 'Decide by input, data.rules and other policies (data.modes.policy.NAME).'
              : `Did you mean ${JSON.stringify(guess)}?`,
          ...{ file, line: row, column: col, lineText },
          ...(isWritten && { length: reference.length }),
        },
      ];
    }),
  );
}
