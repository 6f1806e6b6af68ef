// Custom policies: the required form of their packages, and the module that collects their decisions for the core.
import type { Problem } from '../../model/problem.ts';
import type { CustomPolicy } from '../bundle.ts';
import type { Modules, RegoLiteral, RegoModule, RegoRule } from '../compiler/types.ts';
import { NOT_REPLACED } from './builtins.mjs';
import { clientFieldsIn } from './meant.ts';
import { metadataProblems } from './metadata.ts';
import { SUPPORTED, unsupportedVerb } from './sprintf.mjs';
import { findAbsent, findEmpty } from './unreachable.ts';

/** File name of the generated module, which replaces the core's placeholder. */
export const GENERATED_FILE = 'generated:custom.rego';

/** The set of the generated module that collects a rule with this name. */
const COLLECTED = { deny: 'decisions', ask: 'decisions', allow: 'decisions', context: 'contexts', gate: 'gates' } as const;
type Collected = keyof typeof COLLECTED;

export type CustomResult = { ok: true; policies: CustomPolicy[]; generated: string } | { ok: false; problems: Problem[] };

/**
 * Checks the custom modules and writes the collecting module.
 * @param inspected modules as the compiler describes them, without tests
 * @param sources their text, for the caret
 */
export function collectCustom(inspected: RegoModule[], sources: Modules): CustomResult {
  const problems = inspected.flatMap((module) => [
    ...packageProblems(module, sources),
    ...shapeProblems(module, sources),
    ...metadataProblems(module, sources),
    ...literalProblems(module, sources),
    ...clientFieldProblems(module, sources),
  ]);
  if (problems.length === 0) problems.push(...findEmpty(inspected, sources, isCollected), ...findAbsent(inspected, sources));
  if (problems.length > 0) return { ok: false, problems };
  const byName = new Map<string, CustomPolicy>();
  for (const module of inspected) {
    const name = module.package[2]!;
    const policy = byName.get(name) ?? { name, title: null, description: null, modes: null, remedy: null, rules: {}, files: [] };
    byName.set(name, mergeModule(policy, module));
  }
  const policies = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { ok: true, policies, generated: writeAggregation(policies) };
}

/** True for packages with a last part that ends in `_test`. Only `modes policy test` uses them. */
export function isTestPackage(module: RegoModule): boolean {
  return module.package.at(-1)?.endsWith('_test') ?? false;
}

/** Problems for decisions in modules that are only for tests, by package or by file. They would never apply. */
export function idleProblems(modules: RegoModule[], sources: Modules): Problem[] {
  return modules.flatMap((module) =>
    module.rules
      .filter(({ name, kind }) => Object.hasOwn(sources, module.file) && kind === 'set' && isCollected(name))
      .map(({ name, row, col }) =>
        problemAt('E_POLICY_NEVER', module.file, row, col, sources, {
          message: `this ${name} has no effect: packages and files that end in _test are only for modes policy test`,
          remedy: 'Rename the package and the file.',
        }),
      ),
  );
}

/**
 * The module `modes.custom`, with one explicit reference for each package and effect. With a look-up over the whole tree, a test
 * that mocks a verdict would depend on itself.
 */
export function writeAggregation(policies: CustomPolicy[]): string {
  const rules = policies.flatMap((policy) =>
    (Object.keys(COLLECTED) as Collected[]).flatMap((kind) => {
      const at = policy.rules[kind];
      if (at === undefined) return [];
      const effect = COLLECTED[kind] === 'decisions' ? `"effect": ${JSON.stringify(kind)}, ` : '';
      const guard = policy.modes === null ? '' : `\tinput.mode in ${JSON.stringify(policy.modes)}\n`;
      const set = `data.modes.policy[${JSON.stringify(policy.name)}].${kind}`;
      const isDecision = COLLECTED[kind] === 'decisions' && policy.remedy !== null;
      const some = isDecision
        ? `\tsome given in ${set}\n\tvalue := _with_remedy(given, ${JSON.stringify(policy.remedy)})\n`
        : `\tsome value in ${set}\n`;
      return [
        `${COLLECTED[kind]} contains {"name": ${JSON.stringify(policy.name)}, ${effect}"value": value, ` +
          `"file": ${JSON.stringify(at.file)}, "line": ${at.line}} if {\n${guard}${some}}`,
      ];
    }),
  );
  const empty = ['decisions', 'contexts', 'gates'].map((set) => `${set} contains value if {\n\tsome value in []\n}`);
  const remedy = policies.some((policy) => policy.remedy !== null) ? [WITH_REMEDY] : [];
  return ['package modes.custom', ...empty, ...remedy, ...rules].join('\n\n').concat('\n');
}

/** Adds the remedy from METADATA to decisions without one. A malformed decision is unchanged. */
const WITH_REMEDY = `_with_remedy(given, remedy) := {"reason": given, "remedy": remedy} if {
	is_string(given)
} else := object.union({"remedy": remedy}, given) if {
	is_object(given)
} else := given`;

function mergeModule(policy: CustomPolicy, module: RegoModule): CustomPolicy {
  const about = module.annotations.find(({ block }) => block.scope === 'package')?.block;
  const rules = { ...policy.rules };
  for (const rule of module.rules) {
    if (isCollected(rule.name)) rules[rule.name] ??= { file: module.file, line: rule.row };
  }
  return {
    name: policy.name,
    title: policy.title ?? about?.title ?? null,
    description: policy.description ?? about?.description ?? null,
    modes: policy.modes ?? (about?.custom?.modes as string[] | undefined) ?? null,
    remedy: policy.remedy ?? (about?.custom?.remedy as string | undefined) ?? null,
    rules,
    files: [...policy.files, module.file],
  };
}

function packageProblems(module: RegoModule, sources: Modules): Problem[] {
  const [first, second, name] = module.package;
  if (module.package.length === 3 && first === 'modes' && second === 'policy' && name !== '') return [];
  return [
    problemAt('E_POLICY_PACKAGE', module.file, module.row, module.col, sources, {
      message: `package ${module.package.join('.')} is not allowed for a custom policy`,
      remedy: 'Write `package modes.policy.NAME`, or a package ending in `_test` for tests.',
    }),
  ];
}

function shapeProblems(module: RegoModule, sources: Modules): Problem[] {
  return module.rules.filter(isMisshapen).map((rule) =>
    problemAt('E_POLICY_SHAPE', module.file, rule.row, rule.col, sources, {
      message: `${baseName(rule.name)} has to be a set of decisions, and is a ${rule.kind} rule here`,
      remedy: `Write \`${baseName(rule.name)} contains {"reason": "…"} if { … }\`.`,
    }),
  );
}

function isMisshapen(rule: RegoRule): boolean {
  return isCollected(baseName(rule.name)) && !(rule.kind === 'set' && isCollected(rule.name) && rule.default !== true);
}

const isCollected = (name: string): name is Collected => Object.hasOwn(COLLECTED, name);
const baseName = (name: string) => /^[A-Za-z_]\w*/.exec(name)?.[0] ?? name;

function problemAt(
  code: string,
  file: string,
  line: number,
  column: number,
  sources: Modules,
  text: { message: string; remedy: string },
): Problem {
  const lineText = Object.hasOwn(sources, file) ? sources[file]!.split('\n')[line - 1] : undefined;
  return { code, severity: 'error', ...text, file, line, column, ...(lineText === undefined ? {} : { lineText }) };
}

function clientFieldProblems({ file }: RegoModule, sources: Modules): Problem[] {
  const source = Object.hasOwn(sources, file) ? sources[file]! : '';
  return clientFieldsIn(source).map(({ row, col, length, ...text }) => ({
    ...problemAt('E_REGO_TYPE', file, row, col, sources, text),
    length,
  }));
}

type ModuleProblem = Pick<Problem, 'code' | 'message' | 'remedy'>;

/** Problems of the formats and expressions in a module. */
function literalProblems({ file, literals = [] }: RegoModule, sources: Modules): Problem[] {
  const lines = (Object.hasOwn(sources, file) ? sources[file]! : '').split(/\r?\n/);
  return literals.flatMap((literal) => {
    const moduleProblem = literal.call === 'sprintf' ? formatFinding(literal) : patternFinding(literal);
    if (moduleProblem === null) return [];
    const lineText = lines[literal.row - 1];
    const place = { file, line: literal.row, column: literal.col, ...(lineText === undefined ? {} : { lineText }) };
    return [{ ...moduleProblem, severity: 'error' as const, ...place }];
  });
}

function formatFinding({ text }: RegoLiteral): ModuleProblem | null {
  const verb = unsupportedVerb(text);
  if (verb === null) return null;
  const supported = `${SUPPORTED[0]?.toUpperCase()}${SUPPORTED.slice(1)}.`;
  return { code: 'E_REGO_BUILTIN', message: `sprintf does not support ${JSON.stringify(verb)} here`, remedy: supported };
}

function patternFinding({ call, text, error }: RegoLiteral): ModuleProblem | null {
  if (error !== undefined)
    return {
      code: 'E_POLICY_NEVER',
      message: `${call} never matches: ${error}`,
      remedy: 'Correct the expression; it has the syntax of RE2.',
    };
  if (call !== 'regex.replace' && /(?<!\\)(?:\\\\)*\(\?</.test(text))
    return {
      code: 'E_REGO_BUILTIN',
      message: `${call} never matches here: the evaluator has no (?<name>…)`,
      remedy: 'Write (?P<name>…).',
    };
  if (call === 'regex.replace' && NOT_REPLACED.test(text))
    return { code: 'E_REGO_BUILTIN', message: 'regex.replace has no \\B', remedy: 'Name the allowed characters instead.' };
  return null;
}
