// A prepared configuration → a policy for each mode, loaded when it is first asked for.
import type { Problem } from '../config/problem.ts';
import type { Bundle } from '../policy/bundle.ts';
import { Evaluator } from '../policy/evaluator.ts';
import { GuardedEvaluator, workerFile } from '../policy/guard.ts';
import { type CoreInput, coreInput } from '../rules/core-input.ts';
import type { RulesData } from '../rules/index-data.ts';
import { witness } from '../rules/witness.ts';
import type { Interest } from '../tools/access.ts';
import type { Facts } from '../tools/types.ts';
import type { ModePolicy } from './decide.ts';
import type { Prepared, ShownRule } from './prepared.ts';

export interface Policy extends ModePolicy {
  interest: Interest;
  /** True when a policy refers to input.tool.input. */
  wantsInput: boolean;
}

/** What any of these policies cares about: where the mode is not known, what each of them denies to read stays denied. */
export function joinInterests(policies: Policy[]): Interest {
  const some = (ask: (interest: Interest) => boolean) => policies.some((policy) => ask(policy.interest));
  return {
    hasReadNarrow: some((one) => one.hasReadNarrow),
    hasWriteNarrow: some((one) => one.hasWriteNarrow),
    couldMatchRead: (name) => some((one) => one.couldMatchRead(name)),
    couldMatchWrite: (name) => some((one) => one.couldMatchWrite(name)),
    couldMatchWriteBelow: (folder, anchored) => some((one) => one.couldMatchWriteBelow(folder, anchored)),
    couldDenyRead: (name) => some((one) => one.couldDenyRead(name)),
    couldDenyWrite: (name) => some((one) => one.couldDenyWrite(name)),
  };
}

/** The policies of all modes. A policy that cannot be loaded is null, and a problem. */
export class Policies {
  readonly problems: Problem[] = [];
  private readonly loaded = new Map<string, Policy | null>();
  /** Modes without custom policies share one compiled module. */
  private readonly modules = new Map<string, WebAssembly.Module>();

  constructor(
    private readonly prepared: Prepared,
    private readonly packageRoot: string,
  ) {}

  of(mode: string): Policy | null {
    const known = this.loaded.get(mode);
    if (known !== undefined) return known;
    const policy = this.load(mode);
    this.loaded.set(mode, policy);
    return policy;
  }

  /** Every policy that can be loaded. */
  all(): Policy[] {
    return [...this.prepared.modes.keys()].map((mode) => this.of(mode)).filter((policy) => policy !== null);
  }

  private load(mode: string): Policy | null {
    const made = this.prepared.modes.get(mode);
    if (made === undefined) return null;
    try {
      return this.open(made.bundle, made.rules);
    } catch (error) {
      this.problems.push({
        code: 'E_POLICY_LOAD',
        severity: 'error',
        message: `The policy of ${mode} cannot be loaded: ${(error as Error).message}.`,
        remedy: 'Install the plugin anew.',
      });
      return null;
    }
  }

  private open(bundle: Bundle, rules: ShownRule[]): Policy {
    const byId = new Map(rules.map((rule) => [rule.id, rule]));
    const { policies, needs_tool_input: wantsInput } = bundle.manifest.metadata;
    const data = JSON.parse(new TextDecoder().decode(bundle.data)) as { rules: RulesData };
    return {
      bundle: bundle.hash,
      evaluate: policies.length > 0 ? this.openGuarded(bundle) : this.openShared(bundle, coreInput(data.rules)),
      rule: (id) => byId.get(id) ?? null,
      interest: witness(data.rules),
      wantsInput,
    };
  }

  /** With custom policies: the whole facts, in a thread with a time limit. */
  private openGuarded(bundle: Bundle): ModePolicy['evaluate'] {
    const evaluator = new GuardedEvaluator(bundle, { worker: workerFile(this.packageRoot) });
    return (facts) => evaluator.evaluateVerdict(facts);
  }

  /** Without: what the core looks at, for the same verdict with less to parse. */
  private openShared(bundle: Bundle, lean: (facts: Facts) => CoreInput): ModePolicy['evaluate'] {
    const hash = bundle.manifest.metadata.files['policy.wasm'];
    const module = this.modules.get(hash) ?? new WebAssembly.Module(bundle.wasm as BufferSource);
    this.modules.set(hash, module);
    const evaluator = new Evaluator(module);
    evaluator.setDataBytes(bundle.data);
    return (facts) => evaluator.evaluateVerdict(lean(facts));
  }
}
