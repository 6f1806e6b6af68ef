// Loads the policy of each mode from a prepared configuration when it is first needed.
import { policyKeys } from '../config/policy-keys.ts';
import type { PathFilter } from '../facts/paths/request.ts';
import type { Layer, ModeSettings, Uncertain } from '../model/configuration.ts';
import type { DecidingRule } from '../model/decision.ts';
import type { Facts, PathName } from '../model/facts.ts';
import type { Problem } from '../model/problem.ts';
import type { Verdict } from '../model/verdict.ts';
import type { Bundle } from '../policy/bundle.ts';
import { readCore } from '../policy/core.ts';
import { GuardedEvaluator, workerFile } from '../policy/custom/guard.ts';
import { CONTEXT_ENTRYPOINT, DECISIONS_ENTRYPOINT, Evaluator, GATE_ENTRYPOINT } from '../policy/evaluator.ts';
import { refuseDepth } from '../policy/json.ts';
import { opaWorkerFile } from '../policy/remote/opa-line.ts';
import type { Evaluation } from '../policy/remote/opa-policy.ts';
import { leaveOpa, type OpaService, opaService } from '../policy/remote/opa-service.ts';
import { type CoreInput, coreInput } from '../rules/core-input.ts';
import type { RulesData } from '../rules/index-data.ts';
import { type RulePathFilter, rulePathFilter } from '../rules/path-filter.ts';
import type { Prepared, ShownRule } from './prepared.ts';

/** A requirement of a custom policy for a transition out of the mode. `value` is unchanged from the policy. */
export interface GateFact {
  policy: string;
  value: unknown;
  file: string;
  line: number;
}

/** Set if an OPA server gives the verdicts. */
export interface PolicyRequest {
  dataFolder: string;
  /** True if the process decides one call and ends. */
  isOnce: boolean;
}

/** The policy of one mode, ready to be evaluated. */
export interface ModePolicy {
  /** `sha256:…` of the bundle. */
  bundle: string;
  /** Throws if the policy cannot be evaluated. */
  evaluate(facts: Facts): Verdict;
  /** Set if an OPA server may give the verdict that decides. The explanation is still evaluated on this machine. */
  evaluateWithServer?(facts: Facts): Evaluation;
  /** The rule that has this id in a verdict. */
  rule(id: string): Omit<DecidingRule, 'matched'> | null;
  /**
   * The lines of the settings that explain a step without a deciding rule: the defaults with this effect, or the rules that guard
   * writes.
   */
  explainStep?(step: 'default' | 'uncertainty', effect: Verdict['verdict']): Omit<DecidingRule, 'matched'>[];
  /** The effect for a program that may write what the mode guards. If absent, a person is asked. */
  uncertain?: Uncertain;
  /** Known without an evaluation: whether a grant can override a rule, and whether calls that no rule matches are denied. */
  lifting?: { isLiftable(id: string): boolean; deniesByDefault: boolean };
}

export interface Policy extends ModePolicy {
  /** The `gate` sets of custom policies. Throws if they cannot be evaluated. */
  gates(facts: Facts): GateFact[];
  /** The context that the policies give to the model. Throws if they cannot be evaluated. */
  contexts(facts: Facts): string[];
  pathFilter: PathFilter;
  /** A default, a custom policy, a rule for every write or a list of writable files may restrict a write that no pattern names. */
  limitsAnyWrite: boolean;
  /** True if a policy refers to input.tool.input. */
  wantsInput: boolean;
}

/** The union of the path filters. If the mode is unknown, reads that any of the policies denies stay denied. */
export function joinInterests(policies: Policy[]): PathFilter {
  const some = (ask: (pathFilter: PathFilter) => boolean) => policies.some((policy) => ask(policy.pathFilter));
  return {
    hasReadRestriction: some((one) => one.hasReadRestriction),
    hasWriteRestriction: some((one) => one.hasWriteRestriction),
    readPlaces: [...new Set(policies.flatMap(({ pathFilter }) => pathFilter.readPlaces))],
    writePlaces: [...new Set(policies.flatMap(({ pathFilter }) => pathFilter.writePlaces))],
    couldMatchRead: (name) => some((one) => one.couldMatchRead(name)),
    couldMatchWrite: (name) => some((one) => one.couldMatchWrite(name)),
    readsIn: (folders) => anyOf(policies.map(({ pathFilter }) => pathFilter.readsIn(folders))),
    writesIn: (folders) => anyOf(policies.map(({ pathFilter }) => pathFilter.writesIn(folders))),
    couldMatchReadBelow: (folder, anchored) => some((one) => one.couldMatchReadBelow(folder, anchored)),
    couldMatchWriteBelow: (folder, anchored) => some((one) => one.couldMatchWriteBelow(folder, anchored)),
    couldMatchReadOutline: (outline) => some((one) => one.couldMatchReadOutline(outline)),
    couldMatchWriteOutline: (outline) => some((one) => one.couldMatchWriteOutline(outline)),
    couldDenyRead: (name) => some((one) => one.couldDenyRead(name)),
    couldDenyWrite: (name) => some((one) => one.couldDenyWrite(name)),
  };
}

function anyOf(tests: ((name: string) => boolean)[]): (name: string) => boolean {
  return (name) => tests.some((test) => test(name));
}

/** The input of a policy, and its evaluation on this machine. */
interface CompiledPolicy {
  input(facts: Facts): object;
  local: ModePolicy['evaluate'];
}

type InputOf = (facts: Facts) => CoreInput;
type EvaluatedPolicy = Pick<Policy, 'evaluate' | 'gates' | 'contexts'>;

/** What is known from the index of a mode without its policy. */
interface RuleLookup {
  rules: RulesData;
  pathFilter: RulePathFilter;
}

/** The most restrictive value of all layers. A project that is not trusted cannot permit a call. */
function effectOfUncertain(values: NonNullable<ModeSettings['uncertain']>, isTrusted: boolean): Uncertain {
  const isOfPerson = (layer: Layer) => layer === 'managed' || layer === 'user';
  const counted = values.filter(({ layer, value }) => value !== 'verify' || isTrusted || isOfPerson(layer));
  return (['deny', 'ask', 'verify'] as const).find((effect) => counted.some(({ value }) => value === effect)) ?? 'ask';
}

/** A default, a rule for every write or a list of writable files restricts writes that no pattern names. */
export function limitsAnyWrite({ writes, outside = [], effect, lifts }: RulesData): boolean {
  const isEvery = (writes.every ?? []).some((id) => effect[id] !== 'allow');
  return isEvery || outside.length > 0 || lifts.ask !== undefined || lifts.deny !== undefined;
}

/** Some of the deny and ask rules about writes: those that match every path, and a few others. */
function guardsOfWrites({ writes, outside = [], effect }: RulesData): string[] {
  return [...new Set([...(writes.every ?? []), ...outside.map(({ id }) => id), ...(writes.sample ?? [])])]
    .filter((id) => effect[id] !== 'allow')
    .slice(0, maxGuards);
}

const maxGuards = 5;

/** Reads the result of the collecting module. Sets have no order, so it is sorted. */
function readGates(value: unknown): GateFact[] {
  const found = (value as { name: string; value: unknown; file: string; line: number }[]).map(({ name, ...rest }) => ({
    policy: name,
    ...rest,
  }));
  return found.sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

/** The policies of all modes. A policy that cannot be loaded is null, and reported in `problems`. */
export class Policies {
  readonly problems: Problem[] = [];
  private readonly loaded = new Map<string, Policy | null>();
  private readonly looks = new Map<string, RuleLookup>();
  /** For each mode that denies reads: whether it denies reading a name. Null until it is first needed. */
  private hiding: ((name: PathName) => boolean)[] | null = null;
  /** All modes share the compiled module of the core. */
  private readonly modules = new Map<string, WebAssembly.Module>();

  private readonly opa: OpaService | null;

  /** With `asking` null, this machine gives every verdict. */
  constructor(
    private readonly prepared: Prepared,
    private readonly packageRoot: string,
    private readonly request: PolicyRequest | null = null,
  ) {
    const pin = prepared.known.opa;
    const usesOpa = pin !== null && request !== null && !(request.isOnce && pin.fallback === 'local');
    this.opa = usesOpa ? opaService({ pin, script: opaWorkerFile(packageRoot), dataFolder: request.dataFolder }) : null;
    if (request?.isOnce !== false) return;
    if (pin === null) leaveOpa(request.dataFolder);
    this.opa?.warm();
  }

  of(mode: string): Policy | null {
    const known = this.loaded.get(mode);
    if (known !== undefined) return known;
    const policy = this.load(mode);
    this.loaded.set(mode, policy);
    return policy;
  }

  /** True if a rule of any mode denies reading this name. */
  hides(name: PathName): boolean {
    this.hiding ??= [...this.prepared.modes].flatMap(([mode, { bundle }]) => {
      const { rules, pathFilter } = this.look(mode, bundle);
      if (rules.reads.every?.some((id) => rules.effect[id] === 'deny')) return () => true;
      return pathFilter.deniesReads ? (name: PathName) => pathFilter.couldDenyRead(name) : [];
    });
    return this.hiding.some((hides) => hides(name));
  }

  /** The policy as it is before `enforcement: advise` weakens it, by the key of the weakened one. Null if nothing is weakened. */
  strictOf(key: string): Policy | null {
    return this.of(policyKeys.strict(key));
  }

  /** The policies of all modes that can be loaded. */
  all(): Policy[] {
    return [...this.prepared.modes.keys()]
      .filter(policyKeys.isMode)
      .map((mode) => this.of(mode))
      .filter((policy) => policy !== null);
  }

  private load(mode: string): Policy | null {
    const made = this.prepared.modes.get(mode);
    if (made === undefined) return null;
    try {
      return this.open(mode, made.bundle, made.rules);
    } catch (error) {
      this.problems.push({
        code: 'E_POLICY_LOAD',
        severity: 'error',
        message: `The policy of ${mode} cannot be loaded: ${(error as Error).message}.`,
        remedy: 'Install the plugin again.',
      });
      return null;
    }
  }

  private look(mode: string, bundle: Bundle): RuleLookup {
    const known = this.looks.get(mode);
    if (known !== undefined) return known;
    const { rules } = JSON.parse(new TextDecoder().decode(bundle.data)) as { rules: RulesData };
    const look = { rules, pathFilter: rulePathFilter(rules) };
    this.looks.set(mode, look);
    return look;
  }

  private open(mode: string, bundle: Bundle, rules: ShownRule[]): Policy {
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    const { policies, needs_tool_input: wantsInput } = bundle.manifest.metadata;
    const { rules: data, pathFilter } = this.look(mode, bundle);
    const { defaults = [], uncertain = [] } = this.prepared.known.settings.get(policyKeys.modeOf(mode)) ?? {};
    const inputOf = coreInput(data);
    const opened = policies.length > 0 ? this.openGuarded(bundle, inputOf) : this.openShared(bundle, inputOf);
    return {
      bundle: bundle.hash,
      ...opened,
      ...this.withServer(mode, bundle, {
        input: policies.length > 0 ? (facts) => facts : inputOf,
        local: opened.evaluate,
      }),
      rule: (id) => byId.get(id) ?? null,
      explainStep(step, effect) {
        const lines = defaults.flatMap(({ value, source }) =>
          value === effect && value !== 'pass' ? [{ id: 'default', effect: value, text: `default: ${value}`, source }] : [],
        );
        if (step === 'default') return lines;
        // If the default is deny, an uncertain call is denied by it.
        return [...(effect === 'deny' ? lines : []), ...guardsOfWrites(data).flatMap((id) => byId.get(id) ?? [])];
      },
      uncertain: effectOfUncertain(uncertain, data.trusted),
      lifting: {
        isLiftable: (id) => ['user', 'project', 'local'].includes(data.layer[id] ?? ''),
        deniesByDefault: data.lifts.deny !== undefined,
      },
      pathFilter,
      limitsAnyWrite: policies.length > 0 || limitsAnyWrite(data),
      wantsInput,
    };
  }

  /**
   * Evaluates with an OPA server if one is configured. The server does not know the limits of `agents:`, so they are evaluated
   * here.
   */
  private withServer(
    key: string,
    { manifest }: Bundle,
    { input, local }: CompiledPolicy,
  ): Pick<ModePolicy, 'evaluateWithServer'> {
    const pin = this.prepared.known.opa;
    const mode = policyKeys.modeOf(key);
    if (pin === null || this.request === null || key === policyKeys.strict(mode)) return {};
    if (this.opa === null) {
      const note = 'a process that decides a single call does not wait for a server';
      const evaluator = { by: 'local' as const, server: pin.url.replaceAll('{mode}', mode), note };
      return { evaluateWithServer: (facts) => ({ verdicts: [{ from: 'this machine', verdict: local(facts) }], evaluator }) };
    }
    if (!policyKeys.isMode(key)) {
      return {
        evaluateWithServer: (facts) => {
          const [whole, verdict] = [this.of(mode)?.evaluateWithServer?.(facts), local(facts)];
          if (whole === undefined) throw new Error(`the policy of ${mode} is missing`);
          return { ...whole, verdicts: [{ from: 'this machine', verdict }, ...whole.verdicts] };
        },
      };
    }
    const isSteady = manifest.metadata.policies.length === 0;
    return { evaluateWithServer: this.opa.policy({ mode, revision: manifest.revision, isSteady, input, local }) };
  }

  /**
   * Opens a policy with custom policies. They see all facts, in a thread with a time limit. The core then gets their decisions.
   */
  private openGuarded(bundle: Bundle, inputOf: InputOf): EvaluatedPolicy {
    const evaluator = new GuardedEvaluator(bundle, { worker: workerFile(this.packageRoot) });
    const core = this.openCore(this.coreOf(bundle), bundle.data);
    const deciding = bundle.manifest.metadata.policies.filter(({ rules }) => rules.deny ?? rules.ask ?? rules.allow);
    const evaluate: Policy['evaluate'] = (facts) => {
      const input = inputOf(facts);
      if (!deciding.some(({ modes }) => modes?.includes(facts.mode) ?? true)) return core.evaluateVerdict(input);
      // Most calls get no decision from a custom policy. So the core evaluates at the same time, without one.
      const { value, beside } = evaluator.evaluateBeside(facts, DECISIONS_ENTRYPOINT, () => core.evaluateVerdict(input));
      const custom = value as unknown[];
      if (custom.length === 0) return beside;
      refuseDepth(custom);
      return core.evaluateVerdict(Object.assign({}, input, { custom }));
    };
    return {
      evaluate,
      gates: (facts) => readGates(evaluator.evaluate(facts, GATE_ENTRYPOINT)),
      contexts: (facts) => readContexts(evaluator.evaluate(facts, CONTEXT_ENTRYPOINT)),
    };
  }

  /**
   * Opens a policy without custom policies. Its input has only the facts that the core reads: the verdict is the same, with less
   * to parse.
   */
  private openShared(bundle: Bundle, inputOf: InputOf): EvaluatedPolicy {
    const evaluator = this.openCore({ wasm: bundle.manifest.metadata.files['policy.wasm'], bytes: bundle.wasm }, bundle.data);
    return {
      evaluate: (facts) => evaluator.evaluateVerdict(inputOf(facts)),
      gates: () => [],
      contexts: () => [],
    };
  }

  private openCore({ wasm, bytes }: { wasm: string; bytes: Uint8Array }, data: Bundle['data']): Evaluator {
    const module = this.modules.get(wasm) ?? new WebAssembly.Module(bytes as BufferSource);
    this.modules.set(wasm, module);
    const evaluator = new Evaluator(module);
    evaluator.setDataBytes(data);
    return evaluator;
  }

  /** The core that the custom policies of a bundle were compiled for. */
  private coreOf({ manifest }: Bundle): { wasm: string; bytes: Uint8Array } {
    const read = readCore(this.packageRoot);
    if (!read.ok) throw new Error(read.problems[0]?.message ?? 'the compiled core cannot be read');
    if (read.core.wasm !== manifest.metadata.core) throw new Error('its custom policies were built for another core');
    return read.core;
  }
}

/** Longest text of one policy, and of all together, in characters. */
const maxText = 1_000;
const maxAll = 2_000;

interface Collected {
  name: string;
  value: unknown;
  file: string;
  line: number;
}

/**
 * The texts, each once, in a fixed order and within the limits. A value that is not a text is replaced by a note that names its
 * place.
 */
export function readContexts(value: unknown): string[] {
  if (!Array.isArray(value)) throw new Error('the contexts of the policies are not a list');
  const texts = (value as Collected[]).map(({ name, value: text, file, line }) =>
    typeof text === 'string' ? text : `A context of the policy ${name} (${file}:${line}) is not a string.`,
  );
  const shown: string[] = [];
  let limits = maxAll;
  for (const text of [...new Set(texts)].sort()) {
    const cut = text.length > maxText ? `${text.slice(0, maxText)}…` : text;
    if (cut.trim() === '') continue;
    if (cut.length > limits) return [...shown, '(More contexts of policies do not fit here.)'];
    limits -= cut.length;
    shown.push(cut);
  }
  return shown;
}
