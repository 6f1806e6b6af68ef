// Operations on plans: propose, approve, check off, give up. Each one is an entry of the journal.
import type { Running } from './engine.ts';
import type { Unmet } from './gates/unmet.ts';
import type { Asker, ModeTransitions, TransitionHost } from './mode-transitions.ts';
import type { PlanText, WorkEvent } from './plan/events.ts';
import { readExplanation, readFlag, readItems, readPlan, unknownKeyError } from './plan/input.ts';
import { differenceOf, hashOfPlan } from './plan/plan-list.ts';
import { describePlan, nameOf, openItems } from './plan/show.ts';
import { isComplete, type OpenPlan, topOf } from './plan/work.ts';
import type { ModeState } from './state.ts';

type Refused = { success: false; reason: string; unmet?: Unmet[]; difference?: string[] };
export type PlanAnswer = { success: true; [more: string]: unknown } | Refused;
type ToolInput = Record<string, unknown>;

/** The agent that works on a plan, and the request during which commands of a gate may run. */
export interface Worker extends Asker {
  running?: Running;
}

/** The source of a list. */
export interface Bringer {
  asker: Worker;
  /** The list interrupts the open plan instead of changing it. */
  interrupts?: boolean;
  /** A person approved exactly this list, or the protocol that contains it. */
  approved?: boolean;
  protocol?: string;
}

/** Limit on nested interruptions. */
const maxDepth = 10;
const raced = 'Another session changed the mode or the plan at the same moment; call plan_status and try again.';
const noPlan = 'There is no plan; Propose one with plan_propose.';

export class Plans {
  constructor(
    private readonly host: TransitionHost,
    private readonly moves: ModeTransitions,
    private readonly home: string,
  ) {}

  status(input: ToolInput = {}): PlanAnswer {
    const keyError = unknownKeyError(input, []);
    return keyError === null ? this.answer({}) : refusal(keyError);
  }

  /** Proposes a list: the first one, a replacement of the one on top, or an interruption. */
  async propose(input: ToolInput, asker: Worker): Promise<PlanAnswer> {
    const keyError = unknownKeyError(input, ['title', 'items', 'interrupt']);
    if (keyError !== null) return refusal(keyError);
    const interrupts = readFlag(input.interrupt, 'interrupt', false);
    const plan = readPlan(input, this.home);
    if ('wrong' in interrupts) return refusal(interrupts.wrong);
    if ('wrong' in plan) return refusal(plan.wrong);
    return this.put(plan.value, { asker, interrupts: interrupts.value });
  }

  /** Checks items off, or opens them again. The last item that is done completes the plan. */
  async check(input: ToolInput, asker: Worker): Promise<PlanAnswer> {
    const keyError = unknownKeyError(input, ['item', 'done']);
    if (keyError !== null) return refusal(keyError);
    const done = readFlag(input.done, 'done', true);
    if ('wrong' in done) return refusal(done.wrong);
    const { top, frozen } = this.currentPlan();
    if (frozen !== null) return refusal(frozen);
    if (top === null) return refusal(noPlan);
    const items = readItems(input.item, top.items.length);
    return 'wrong' in items ? refusal(items.wrong) : this.mark(items.value, done.value, asker);
  }

  /** Ends a complete plan, or gives an incomplete one up. */
  async done(input: ToolInput, asker: Worker): Promise<PlanAnswer> {
    const keyError = unknownKeyError(input, ['explanation', 'give_up']);
    if (keyError !== null) return refusal(keyError);
    const explanation = readExplanation(input.explanation);
    const givesUp = readFlag(input.give_up, 'give_up', false);
    if ('wrong' in explanation) return refusal(explanation.wrong);
    if ('wrong' in givesUp) return refusal(givesUp.wrong);
    const { state, top, frozen } = this.currentPlan();
    if (frozen !== null) return refusal(frozen);
    if (top === null) return refusal(noPlan);
    if (givesUp.value) return this.giveUp(top, state, explanation.value, asker);
    if (isComplete(top)) return this.finish(top, explanation.value, asker);
    return refusal(
      `The plan is not complete; open: ${openItems(top)}. Check items off with plan_check, or give the plan up with give_up: true.`,
    );
  }

  /** Records a person's approval of exactly the list on top. Returns null, or why it failed. */
  approve(hash: string, asker: Worker): string | null {
    const { top, frozen } = this.currentPlan();
    if (frozen !== null) return frozen;
    if (top?.hash !== hash) return 'Nothing was approved: the plan has changed in the meantime.';
    const entry = this.moves.record({ did: 'approve', hash }, 'person', `The plan ${hash.slice(0, 12)} is approved`, asker);
    return entry === null ? raced : null;
  }

  /**
   * Puts a list on the stack. If it replaces an approved list without an approval of its own, the mode ends: its exit transition
   * is taken, with its gate.
   */
  async put(plan: PlanText, { asker, interrupts = false, approved = false, protocol }: Bringer): Promise<PlanAnswer> {
    const { state, top, frozen } = this.currentPlan();
    if (frozen !== null) return refusal(frozen);
    // A protocol's list is never replaced. A proposal interrupts it instead.
    const isOwn = top !== null && top.protocol === null && !isComplete(top);
    const changed = isOwn && !interrupts ? top : null;
    if (changed?.hash === hashOfPlan(plan) && (changed.approved || !approved))
      return this.answer({ note: 'This is already the plan.' });
    if (changed === null && state.work.plans.length >= maxDepth)
      return refusal(`${maxDepth} plans are already waiting; end one with plan_done.`);
    const sure = approved ? { approved } : {};
    const event: WorkEvent = changed
      ? { did: 'change', plan, ...sure }
      : { did: 'begin', plan, ...sure, ...(protocol !== undefined && { protocol }) };
    const difference = changed === null ? [] : differenceOf(changed, plan);
    const to = top?.approved && !approved ? this.exitOf(state) : null;
    const why = changed === null ? 'A plan was proposed' : 'The plan was changed';
    const differenceFields =
      difference.length === 0 ? {} : { difference, show: 'Show the person this difference, line by line.' };
    if (to === null) {
      if (this.moves.record(event, approved ? 'person' : 'model', why, asker) === null) return refusal(raced);
      return this.answer(differenceFields);
    }
    const reason = `${why}, and the new one is not approved`;
    const left = await this.leave(to, reason, asker, event);
    if (left.success) return this.answer({ ...differenceFields, mode: to, returned: `${reason}: the mode is ${to} now.` });
    return {
      ...left,
      reason: `The approved plan is unchanged, because a different one would end this mode. ${left.reason}. A person can change the mode with /modes:mode ${to}.`,
      ...differenceFields,
    };
  }

  private async mark(items: number[], isDone: boolean, asker: Worker): Promise<PlanAnswer> {
    const why = `Item ${items.map((at) => at + 1).join(', ')} is ${isDone ? 'done' : 'open again'}`;
    if (this.moves.record({ did: 'check', items, done: isDone }, 'model', why, asker) === null) return refusal(raced);
    const top = topOf(this.host.state().work);
    return top !== null && isComplete(top) ? this.finish(top, 'The plan is complete', asker) : this.answer({});
  }

  /** Leaves a complete plan: for the plan that it interrupted, or by the exit transition of the mode. */
  private async finish(top: OpenPlan, explanation: string, asker: Worker): Promise<PlanAnswer> {
    const state = this.host.state();
    const isLast = state.work.plans.length === 1;
    const to = isLast || endsApproval(top, state) ? this.exitOf(state) : null;
    if (to !== null) {
      const left = await this.leave(to, explanation, asker, { did: 'close' });
      if (left.success)
        return this.answer({ complete: true, mode: to, returned: `The plan is complete: the mode is ${to} now.` });
      const stays = `The plan is complete, but the mode stays: ${left.reason}. Call plan_done to try again.`;
      return this.answer({ complete: true, stays, unmet: left.unmet ?? [] });
    }
    if (isLast && top.protocol === null) return this.answer({ complete: true });
    if (this.moves.record({ did: 'close' }, 'engine', explanation, asker) === null) return refusal(raced);
    const next = topOf(this.host.state().work);
    return this.answer({ complete: true, ...(next && { goes_on: `${JSON.stringify(nameOf(next))}, which was interrupted` }) });
  }

  private async giveUp(top: OpenPlan, state: ModeState, why: string, asker: Worker): Promise<PlanAnswer> {
    const explanation = `Given up: ${why}`;
    const to = endsApproval(top, state) ? this.exitOf(state) : null;
    if (to === null) {
      if (this.moves.record({ did: 'close' }, 'model', explanation, asker) === null) return refusal(raced);
      return this.answer({ given_up: true });
    }
    const left = await this.leave(to, explanation, asker, { did: 'close' });
    return left.success
      ? this.answer({ given_up: true, mode: to, returned: `The approved plan was given up: the mode is ${to} now.` })
      : left;
  }

  /** Takes the exit transition and changes the plan in the same entry, unless the plan has changed by then. */
  private async leave(to: string, why: string, asker: Worker, work: WorkEvent): Promise<{ success: true } | Refused> {
    const hashes = () => this.host.state().work.plans.map(({ hash, done }) => [hash, done]);
    const before = JSON.stringify(hashes());
    const actor = { actor: 'engine' as const, work, holds: () => JSON.stringify(hashes()) === before };
    return this.moves.transition(to, why, asker, actor, asker.running);
  }

  /** The target of the mode's exit; null if it has none. */
  private exitOf(state: ModeState): string | null {
    const to = state.mode === null ? null : (this.host.topology()?.modes.get(state.mode)?.exitWhen?.to ?? null);
    return to === state.mode ? null : to;
  }

  private currentPlan(): { state: ModeState; top: OpenPlan | null; frozen: string | null } {
    const state = this.host.state();
    const broken = this.host.broken() ?? (state.mode === null ? (state.degraded?.message ?? 'the mode is unknown') : null);
    return { state, top: topOf(state.work), frozen: broken === null ? null : `Plans are frozen: ${broken}` };
  }

  private answer(more: Record<string, unknown>): PlanAnswer {
    return { success: true, ...more, ...describePlan(this.host.state().work) };
  }
}

/** Whether closing this plan leaves no approved plan to work on. */
function endsApproval(top: OpenPlan, { work }: ModeState): boolean {
  return top.approved && !work.plans.at(-2)?.approved;
}

function refusal(reason: string): Refused {
  return { success: false, reason };
}
