// The plan tools: the form that the model sees, and their implementation.
import * as z from 'zod/mini';
import { type JsonSchema, toJsonSchema } from '../../config/json-schema.ts';
import { needed, optional } from '../../config/parts.ts';
import type { Mode, Topology } from '../../model/configuration.ts';
import { limits } from '../../workflow/plan/input.ts';
import type { PlanAnswer, Plans, Worker } from '../../workflow/plans.ts';

export interface ToolShape {
  name: string;
  title: string;
  description: string;
  input: z.ZodMiniObject;
  annotations: Record<string, boolean>;
  /** The client searches for other tools when the model needs one, so they cost no tokens before. null: the modes are not known. */
  isAlwaysLoaded(modes: Topology | null): boolean;
  _meta?: Record<string, unknown>;
}

/** A tool as the client lists it. */
export function listedTool(
  { input, isAlwaysLoaded: _, _meta: meta, ...shape }: ToolShape,
  isLoaded: boolean,
): Omit<ToolShape, 'input' | 'isAlwaysLoaded'> & { inputSchema: JsonSchema & { type: 'object' } } {
  const inputSchema = { ...toJsonSchema(input), type: 'object' as const };
  return { ...shape, inputSchema, _meta: { ...meta, ...(isLoaded && { 'anthropic/alwaysLoad': true }) } };
}

interface PlanTool {
  shape: ToolShape;
  call(plans: Plans, input: Record<string, unknown>, asker: Worker): PlanAnswer | Promise<PlanAnswer>;
}

const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
const text = z.string().check(z.minLength(1), z.maxLength(limits.text));
const globs = z.array(z.string()).check(z.maxLength(limits.files));
const item = z.union([
  text,
  z.strictObject({
    text: needed(text, 'Task of this item'),
    files: optional(globs, 'The only files that may be written while this item is open, as globs such as src/parse/**'),
  }),
]);
const number = z.int().check(z.minimum(1));

/** Work in these modes goes by plans: a gate, a protocol or the end of a mode needs one. */
function usesPlans(topology: Topology | null): boolean {
  if (topology === null) return false;
  const needsPlan = ({ exitWhen, transitions }: Mode): boolean =>
    exitWhen !== null || transitions.some(({ require }) => require.some((one) => one.check === 'plan'));
  return topology.protocols.size > 0 || [...topology.modes.values()].some(needsPlan);
}

const rows: PlanTool[] = [
  {
    shape: {
      name: 'plan_propose',
      title: 'Propose a plan',
      description:
        'Propose a list of work items, or a new list in its place. A person approves exactly this list. A changed list needs a new approval, and the answer contains the difference to show.',
      input: z.strictObject({
        title: optional(z.string().check(z.maxLength(limits.title)), 'Purpose of the plan'),
        items: needed(z.array(item).check(z.minLength(1), z.maxLength(limits.items)), 'The work items, in order'),
        interrupt: optional(
          z.boolean(),
          'true: this plan comes first, and the current one continues after it. Otherwise this plan replaces the current one.',
        ),
      }),
      annotations: writes,
      isAlwaysLoaded: usesPlans,
    },
    call: (plans, input, asker) => plans.propose(input, asker),
  },
  {
    shape: {
      name: 'plan_status',
      title: 'Show the plan',
      description: 'The plan, its finished items, whether a person approved it, and the plans that it interrupts.',
      input: z.strictObject({}),
      annotations: reads,
      isAlwaysLoaded: usesPlans,
    },
    call: (plans, input) => plans.status(input),
  },
  {
    shape: {
      name: 'plan_check',
      title: 'Check off an item of the plan',
      description: 'Check off finished items. The last item completes the plan, which may end the mode.',
      input: z.strictObject({
        item: needed(z.union([number, z.array(number).check(z.minLength(1))]), 'Number of the item, from 1, or several'),
        done: optional(z.boolean(), 'false: it is open again'),
      }),
      annotations: writes,
      isAlwaysLoaded: usesPlans,
    },
    call: (plans, input, asker) => plans.check(input, asker),
  },
  {
    shape: {
      name: 'plan_done',
      title: 'End the plan',
      description: 'End a complete plan, and with it the mode if its gate holds now. Or give the plan up.',
      input: z.strictObject({
        explanation: needed(z.string().check(z.minLength(1)), 'The result, or why the plan is given up'),
        give_up: optional(z.boolean(), 'true: the plan ends with its open items; an interrupted plan continues'),
      }),
      annotations: writes,
      isAlwaysLoaded: usesPlans,
    },
    call: (plans, input, asker) => plans.done(input, asker),
  },
];

export const planTools: ReadonlyMap<string, PlanTool> = new Map(rows.map((row) => [row.shape.name, row]));
