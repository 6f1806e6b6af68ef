// The client's own plans: its plan mode, and its to-do lists in versions that still have them.
import * as z from 'zod/mini';
import { setNewest } from '../../platform/bounded-map.ts';
import { hookOn } from '../../workflow/findings/matching.ts';
import type { FindingContext } from '../../workflow/findings/types.ts';
import type { Unmet } from '../../workflow/gates/unmet.ts';
import type { Asker } from '../../workflow/mode-transitions.ts';
import { planOfMarkdown } from '../../workflow/plan/input.ts';
import { topOf } from '../../workflow/plan/work.ts';
import type { PlanAnswer } from '../../workflow/plans.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { forbidden } from '../../workflow/team.ts';
import { jsonOf, type MessageFields } from './results.ts';

export interface PlanModeContext {
  project: CallerProject;
  asker: Asker;
  headless: boolean;
  surroundings(): FindingContext;
}

/** Milliseconds. Shorter than the hook's own limit, after which the client would continue without an answer. */
const patience = 7_000;
const maxEntries = 50;

/** Inputs and responses of the client's tools, as far as they matter here. */
const withPlan = z.object({ plan: z.string() });
const todoList = z.object({
  todos: z.array(z.catch(z.nullable(z.object({ content: z.string(), status: z.optional(z.unknown()) })), null)),
});
const newTask = z.object({ subject: z.string() });
const createdTask = z.object({ task: z.object({ id: z.string() }) });
const doneTask = z.object({ taskId: z.string(), status: z.literal('completed') });

interface Announced {
  plan: string;
  /** The reason why an approval in the client's dialog would not count; null if it counts. */
  why: string | null;
}

interface PlanCheck {
  unmet: Unmet[] | null;
  done: Promise<unknown>;
}

/** Follows the calls of one session's main thread. */
export class PlanMode {
  private readonly announced = new Map<string, Announced>();
  /** By plan and state of the project. */
  private readonly checks = new Map<string, PlanCheck>();
  /** Texts of the client's tasks, by id. */
  private readonly tasks = new Map<string, string>();

  /** Called before a call runs. Returns the reason to refuse it, or null. */
  async before(fields: MessageFields, context: PlanModeContext): Promise<string | null> {
    if (fields.tool_name !== 'ExitPlanMode' || fields.agent_id || !usesPlans(context.project)) return null;
    const { plan = '' } = jsonOf(withPlan, fields.tool_input) ?? {};
    if (plan.trim() === '') return null;
    const unmet = await this.checkPlan(plan, context);
    if (unmet === null) return 'The plan is still being checked. Call ExitPlanMode again, with the same plan.';
    if (unmet.length > 0) {
      const lines = unmet.map(({ check, missing, how }) => `- ${check}: ${missing}. ${how}`);
      return ['Revise the plan; this is missing:', ...lines].join('\n');
    }
    setNewest(this.announced, fields.tool_use_id ?? '', { plan, why: doubt(fields, context) }, maxEntries);
    return null;
  }

  /** Two different events were announced for one call. */
  forget(id: string): void {
    this.announced.delete(id);
  }

  /** Called after a call has run. Returns a message for the model, or null. */
  async after(fields: MessageFields, context: PlanModeContext): Promise<string | null> {
    const follow = followed.get(fields.tool_name ?? '');
    if (follow === undefined || fields.agent_id || !usesPlans(context.project)) return null;
    return follow(this, fields, context);
  }

  async leftPlanMode({ tool_use_id: id = '', tool_response }: MessageFields, context: PlanModeContext): Promise<string | null> {
    const announced = this.announced.get(id);
    this.announced.delete(id);
    const { plan } = jsonOf(withPlan, tool_response) ?? {};
    if (announced === undefined || plan === undefined) return null;
    const { project, asker } = context;
    const barred = forbidden(project.place, 'approve')?.replace(/\.$/, '') ?? null;
    const why = barred ?? announced.why ?? (plan === announced.plan ? null : 'the plan was changed during the dialog');
    const list = planOfMarkdown(plan);
    const answer = await project.plans.put(list, { asker, approved: why === null });
    if (!answer.success) return `The plan was not accepted: ${answer.reason}`;
    if (why === null) return `The person approved this plan of ${list.items.length} items. Check them off with plan_check.`;
    const top = topOf(project.state().work);
    const how = top === null || barred !== null ? '' : ' A person must type /modes:approve plan and confirm the list.';
    return `The plan was accepted, but it is not approved for Modes, because ${why}.${how}`;
  }

  /** The call contains the complete list. A different list is a changed plan. */
  async wroteTodos({ tool_input }: MessageFields, { project, asker }: PlanModeContext): Promise<string | null> {
    const { todos = [] } = jsonOf(todoList, tool_input) ?? {};
    const given = todos.flatMap((todo) => (todo === null ? [] : [{ text: todo.content, done: todo.status === 'completed' }]));
    if (given.length === 0) return null;
    const before = topOf(project.state().work);
    const isSame = before?.items.map(({ text }) => text).join('\n') === given.map(({ text }) => text.trim()).join('\n');
    const proposalText = isSame ? null : tell(await project.plans.propose({ items: given.map(({ text }) => text) }, asker));
    const top = topOf(project.state().work);
    const fresh = given.flatMap(({ done }, at) => (done && top?.done[at] === false ? [at + 1] : []));
    if (top === null || top.items.length !== given.length || fresh.length === 0) return proposalText;
    return (
      [proposalText, tell(await project.plans.check({ item: fresh }, asker))].filter((line) => line !== null).join('\n') || null
    );
  }

  async createdTask({ tool_input, tool_response }: MessageFields): Promise<string | null> {
    const taskInput = jsonOf(newTask, tool_input);
    const made = jsonOf(createdTask, tool_response);
    if (taskInput !== null && made !== null)
      setNewest(this.tasks, made.task.id, taskInput.subject.replace(/\s+/g, ' ').trim(), maxEntries);
    return null;
  }

  /** A task with the text of an item is that item. */
  async updatedTask({ tool_input }: MessageFields, { project, asker }: PlanModeContext): Promise<string | null> {
    const done = jsonOf(doneTask, tool_input);
    const text = done === null ? undefined : this.tasks.get(done.taskId);
    const top = topOf(project.state().work);
    const at = top?.items.findIndex((item, index) => item.text === text && !top.done[index]) ?? -1;
    if (done === null || at === -1) return null;
    return tell(await project.plans.check({ item: at + 1 }, asker));
  }

  /** The objections of `policy:` and `review:` to the plan. null: the check takes longer than a hook may, and continues. */
  private async checkPlan(plan: string, { project, asker }: PlanModeContext): Promise<Unmet[] | null> {
    const { state } = project.describe();
    const key = JSON.stringify([plan, state.mode, state.entries.at(-1)?.hash]);
    let check = this.checks.get(key);
    if (check === undefined) {
      const started: PlanCheck = { unmet: null, done: Promise.resolve() };
      started.done = project.transitions.unmetByPlan(plan, asker, {}).then((unmet) => {
        started.unmet = unmet;
      });
      // A caller that waits gets the error. A caller that does not wait asks again later.
      started.done.catch(() => this.checks.delete(key));
      setNewest(this.checks, key, started, maxEntries);
      check = started;
    }
    let timer: NodeJS.Timeout | undefined;
    const tired = new Promise((resolve) => {
      timer = setTimeout(resolve, patience);
    });
    await Promise.race([check.done, tired]).finally(() => clearTimeout(timer));
    // A result is valid for one call: files may change before the next.
    if (check.unmet !== null) this.checks.delete(key);
    return check.unmet;
  }
}

type Follow = (mode: PlanMode, fields: MessageFields, context: PlanModeContext) => Promise<string | null>;

const followed: ReadonlyMap<string, Follow> = new Map<string, Follow>([
  ['ExitPlanMode', (mode, fields, context) => mode.leftPlanMode(fields, context)],
  ['TodoWrite', (mode, fields, context) => mode.wroteTodos(fields, context)],
  ['TaskCreate', (mode, fields) => mode.createdTask(fields)],
  ['TaskUpdate', (mode, fields, context) => mode.updatedTask(fields, context)],
]);

/** The reason why an approval may not come from a person who sees the plan in plan mode; null if it does. */
function doubt(fields: MessageFields, { headless, surroundings: context }: PlanModeContext): string | null {
  if (fields.permission_mode !== 'plan') return 'the client was not in its plan mode';
  if (headless) return 'this session is not interactive';
  const file = hookOn('ExitPlanMode', context());
  return file === null ? null : `a hook in ${file} could answer for the person`;
}

/** If no mode or protocol requires plans, Modes does not interfere with the client's own. */
function usesPlans(project: CallerProject): boolean {
  const { configuration, state } = project.describe();
  const modes = [...(configuration.topology?.modes.values() ?? [])];
  return (
    state.work.plans.length > 0 ||
    (configuration.topology?.protocols.size ?? 0) > 0 ||
    modes.some(
      ({ exitWhen, transitions }) =>
        exitWhen !== null || transitions.some(({ require }) => require.some(({ check }) => check === 'plan')),
    )
  );
}

function tell(answer: PlanAnswer): string | null {
  if (!answer.success) return `The plan is unchanged: ${answer.reason}`;
  const { returned, stays, goes_on: goesOn, difference } = answer as Record<string, unknown>;
  const lines = [returned, stays, goesOn, ...(Array.isArray(difference) ? difference : [])];
  return lines.filter((line) => typeof line === 'string').join('\n') || null;
}
