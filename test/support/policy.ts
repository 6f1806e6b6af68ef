// The core policy, compiled from policies/ and run in the shipped evaluator.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Default, Effect, Layer, RuleText } from '../../src/model/configuration.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Rule } from '../../src/model/rule.ts';
import type { Verdict } from '../../src/model/verdict.ts';
import capabilities from '../../src/policy/compiler/capabilities.json' with { type: 'json' };
import { sharedCompiler } from '../../src/policy/compiler/compiler.ts';
import { compilerFiles } from '../../src/policy/compiler/files.ts';
import { Evaluator, VERDICT_ENTRYPOINT } from '../../src/policy/evaluator.ts';
import type { RulesData } from '../../src/rules/index-data.ts';
import { lowerRules } from '../../src/rules/lower.ts';
import { type ParseContext, parseRules } from '../../src/rules/parse.ts';

const root = resolve(import.meta.dirname, '../..');
export const home = '/home/ann';

const compiler = sharedCompiler({ files: compilerFiles(root), cacheFolder: join(root, '.cache'), timeoutMs: 60_000 });
/** By what stands in the place of policies/custom.rego. */
const compiled = new Map<string | undefined, Promise<Uint8Array>>();

/** The core with a module in the place of policies/custom.rego, if one is given. */
export async function loadCore(custom?: string): Promise<Evaluator> {
  const wasm = compiled.get(custom) ?? compileCore(custom);
  compiled.set(custom, wasm);
  return new Evaluator(await wasm);
}

async function compileCore(custom: string | undefined): Promise<Uint8Array> {
  const names = readdirSync(join(root, 'policies')).filter((name) => name.endsWith('.rego') && !name.endsWith('_test.rego'));
  const modules = Object.fromEntries(
    names.map((name) => [`policies/${name}`, readFileSync(join(root, 'policies', name), 'utf8')]),
  );
  if (custom !== undefined) modules['policies/custom.rego'] = custom;
  const built = await compiler.build({ modules, entrypoints: [VERDICT_ENTRYPOINT], capabilities });
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join('\n'));
  return built.wasm;
}

/** Rules in short: by effect, or by layer and effect. */
export type Lists = Partial<Record<Effect, string[]>>;
export interface Settings extends Lists {
  layers?: Partial<Record<Layer, Lists>>;
  defaults?: Partial<Record<Layer, Default>>;
  trusted?: boolean;
  /** The key of the settings, of the project. */
  unknownReads?: 'ask' | 'deny';
  arguments?: ParseContext['arguments'];
  /** Rules about every write but these; files as patterns, or as expressions. */
  outside?: { effect: 'deny' | 'ask'; globs: string[]; expressions: string[]; layer?: Layer }[];
}

/** Rules of a settings object, in the order deny, ask, allow; throws when one is not understood. */
export function rulesOf(settings: Settings): Rule[] {
  const texts: RuleText[] = Object.entries({ project: settings, ...settings.layers }).flatMap(([layer, lists]) =>
    (['deny', 'ask', 'allow'] as const).flatMap((effect) =>
      (lists[effect] ?? []).map((text, at) => ({
        text,
        effect,
        layer: layer as Layer,
        source: { file: 'settings.json', line: at + 1, column: 1 },
      })),
    ),
  );
  const { unknownReads } = settings;
  if (unknownReads !== undefined)
    texts.push({
      text: `unknownReads: ${unknownReads}`,
      effect: unknownReads,
      layer: 'project',
      source: { file: 'settings.json', line: 1, column: 1 },
      unknownReads: true,
    });
  const located = (list: string[]) => list.map((text) => ({ text, source: { file: 'modes.yaml', line: 1, column: 1 } }));
  for (const { effect, globs, expressions, layer = 'project' } of settings.outside ?? []) {
    const outside = { globs: located(globs), expressions: located(expressions) };
    texts.push({ text: `Write outside ${globs}`, effect, layer, source: { file: 'modes.yaml', line: 1, column: 1 }, outside });
  }
  const { rules, problems } = parseRules(texts, { home, arguments: settings.arguments });
  const wrong = problems.filter(({ severity }) => severity === 'error');
  if (wrong.length > 0) throw new Error(wrong.map(({ message }) => message).join('\n'));
  return rules;
}

export function dataOf(settings: Settings): RulesData {
  const defaults = Object.entries(settings.defaults ?? {}).map(([layer, value]) => ({ layer: layer as Layer, value }));
  return lowerRules(rulesOf(settings), { defaults, trusted: settings.trusted ?? true });
}

/** The verdict of the compiled core. */
export function ask(core: Evaluator, settings: Settings, facts: Facts): Verdict {
  core.setData({ rules: dataOf(settings) });
  return core.evaluateVerdict(facts);
}
