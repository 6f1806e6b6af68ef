// A configuration → a policy for each mode, ready to be asked.
import type { Problem } from '../config/problem.ts';
import type { Configuration } from '../config/types.ts';
import { buildPolicy } from '../policy/build.ts';
import { type Bundle, makeBundle, openBundle } from '../policy/bundle.ts';
import { bundleKey, obtainBundle } from '../policy/cache.ts';
import { type Core, readCore } from '../policy/core.ts';
import { GuardedEvaluator, workerFile } from '../policy/guard.ts';
import type { Verdict } from '../policy/types.ts';
import { Compiler } from '../rego/compiler.ts';
import { compilerFiles } from '../rego/files.ts';
import type { Capabilities, Failure, Modules } from '../rego/types.ts';
import { lowerRules } from '../rules/lower.ts';
import { parseRules } from '../rules/parse.ts';
import type { RulesData } from '../rules/index-data.ts';
import type { Rule } from '../rules/types.ts';
import { witness } from '../rules/witness.ts';
import type { Interest } from '../tools/access.ts';
import type { Facts } from '../tools/types.ts';
import capabilities from '../rego/capabilities.json' with { type: 'json' };
import type { ModePolicy } from './decide.ts';

export interface Policy extends ModePolicy {
  interest: Interest;
  /** True when a policy refers to input.tool.input. */
  wantsInput: boolean;
}

export interface ModePolicies {
  /** The policy of a mode; null when there is none or it is broken. */
  of(mode: string): Policy | null;
  problems: Problem[];
  close(): void;
}

export interface BuildWith {
  trusted: boolean;
  home: string;
  packageRoot: string;
  /** For bundles and the unpacked compiler. */
  cacheFolder: string;
}

export const noInterest: Interest = { hasReadNarrow: false, hasWriteNarrow: false, couldMatchRead: () => false, couldMatchWrite: () => false };

/** Rules under this name hold in every mode where the topology is broken. */
const everyMode = 'any';

/** Builds the policies of all modes. Never throws; what is wrong is in `problems`, and a mode without a policy reads only. */
export async function buildPolicies(configuration: Configuration, build: BuildWith): Promise<ModePolicies> {
  const problems: Problem[] = [];
  const core = readCore(build.packageRoot);
  if (!core.ok) return { of: () => null, problems: core.problems, close: () => undefined };
  const custom: Modules = Object.fromEntries(configuration.policies.map(({ name, text }) => [name, text]));
  const compiler = new Compiler({ files: compilerFiles(build.packageRoot), cacheFolder: build.cacheFolder });
  const policies = new Map<string, Policy>();
  for (const [mode, settings] of configuration.settings) {
    if (mode === everyMode && !configuration.topology?.modes.has(mode)) continue;
    const { rules, problems: found } = parseRules(settings.rules, { home: build.home });
    addNew(problems, withLines(found, configuration));
    const key = bundleKey([core.core.wasm, core.core.sources, mode, build.trusted, build.home, settings, custom]);
    const made = await obtainBundle(build.cacheFolder, key, () => makeMode(mode, rules, settings.defaults, build.trusted, core.core, custom, compiler), { hash: core.core.wasm, bytes: core.core.bytes });
    if (!made.ok) {
      addNew(problems, made.problems);
      continue;
    }
    addNew(problems, made.warnings);
    try {
      policies.set(mode, policyOf(made.bundle, rules, build.packageRoot));
    } catch (error) {
      addNew(problems, [{ code: 'E_POLICY_LOAD', severity: 'error', message: `the policy of ${mode} cannot be loaded: ${(error as Error).message}`, remedy: 'Install the plugin anew.' }]);
    }
  }
  compiler.close();
  return { of: (mode) => policies.get(mode) ?? null, problems, close: () => undefined };
}

async function makeMode(
  mode: string, rules: Rule[], defaults: Parameters<typeof lowerRules>[1]['defaults'], trusted: boolean, core: Core, custom: Modules, compiler: Compiler,
): Promise<{ ok: true; bundle: Bundle } | Failure> {
  const data = { rules: lowerRules(rules, { defaults, trusted }) };
  if (Object.keys(custom).length === 0) return { ok: true, bundle: makeBundle({ mode, wasm: core.bytes, entrypoints: core.entrypoints, data }) };
  const built = await buildPolicy(core.modules, custom, compiler, capabilities as Capabilities);
  if (!built.ok) return built;
  return { ok: true, bundle: makeBundle({ mode, wasm: built.wasm, entrypoints: built.entrypoints, data, policies: built.policies, needsToolInput: built.needsToolInput }) };
}

function policyOf(bundle: Bundle, rules: Rule[], packageRoot: string): Policy {
  const byId = new Map(rules.map((rule) => [rule.id, rule]));
  const guarded = bundle.manifest.metadata.policies.length > 0;
  const evaluator = guarded ? new GuardedEvaluator(bundle, { worker: workerFile(packageRoot) }) : openBundle(bundle);
  return {
    bundle: bundle.hash,
    evaluate: (facts: Facts): Verdict => evaluator.evaluateVerdict(facts),
    rule(id) {
      const rule = byId.get(id);
      return rule === undefined ? null : { id, effect: rule.effect, text: rule.text, source: rule.source };
    },
    interest: witness((JSON.parse(new TextDecoder().decode(bundle.data)) as { rules: RulesData }).rules),
    wantsInput: bundle.manifest.metadata.needs_tool_input,
  };
}

/** A rule of settings.any.json is parsed once a mode; its problem is told once. */
function addNew(problems: Problem[], found: Problem[]): void {
  for (const problem of found) {
    if (!problems.some((one) => one.code === problem.code && one.file === problem.file && one.line === problem.line && one.column === problem.column && one.message === problem.message)) problems.push(problem);
  }
}

/** Adds the text of the line, for the caret. */
function withLines(problems: Problem[], configuration: Configuration): Problem[] {
  return problems.map((problem) => {
    if (problem.lineText !== undefined || problem.file === undefined || problem.line === undefined) return problem;
    const text = configuration.files.find((file) => file.name === problem.file)?.text.split(/\r?\n/)[problem.line - 1];
    return text === undefined ? problem : { ...problem, lineText: text };
  });
}

