// The plan tools: the form that the model sees, and their implementation.
import * as z from 'zod/mini';
import { type JsonSchema, toJsonSchema } from '../../config/json-schema.ts';
import { needed, optional } from '../../config/parts.ts';
import { limits } from '../../workflow/plan/input.ts';
import type { PlanAnswer, Plans, Worker } from '../../workflow/plans.ts';

export interface ToolShape {
  name: string;
  title: string;
  description: string;
  input: z.ZodMiniObject;
  annotations: Record<string, boolean>;
  _meta: Record<string, unknown>;
}

/** A tool as the client lists it. */
export function listedTool({ input, ...shape }: ToolShape): Omit<ToolShape, 'input'> & {
  inputSchema: JsonSchema & { type: 'object' };
} {
  return { ...shape, inputSchema: { ...toJsonSchema(input), type: 'object' } };
}

interface PlanTool {
  shape: ToolShape;
  call(plans: Plans, input: Record<string, unknown>, asker: Worker): PlanAnswer | Promise<PlanAnswer>;
}

const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
const loaded = { 'anthropic/alwaysLoad': true };
const text = z.string().check(z.minLength(1), z.maxLength(limits.text));
const globs = z.array(z.string()).check(z.maxLength(limits.files));
const item = z.union([
  text,
  z.strictObject({
    text: needed(text, 'What is done'),
    files: optional(globs, 'Globs of the only files that are written while this item is open, such as src/parse/**'),
  }),
]);
const number = z.int().check(z.minimum(1));

const rows: PlanTool[] = [
  {
    shape: {
      name: 'plan_propose',
      title: 'Propose a plan',
      description:
        'Propose the list of what is to be done, or another list in its place. A person approves exactly this list; a changed list needs a new approval, and the answer holds the difference to show.',
      input: z.strictObject({
        title: optional(z.string().check(z.maxLength(limits.title)), 'What the plan is for'),
        items: needed(z.array(item).check(z.minLength(1), z.maxLength(limits.items)), 'What is done, in order'),
        interrupt: optional(
          z.boolean(),
          'true: this plan comes first and the present one goes on after it; otherwise it takes its place',
        ),
      }),
      annotations: writes,
      _meta: loaded,
    },
    call: (plans, input, asker) => plans.propose(input, asker),
  },
  {
    shape: {
      name: 'plan_status',
      title: 'Show the plan',
      description: 'The plan with what is done and whether a person approved it, and the plans that it interrupts.',
      input: z.strictObject({}),
      annotations: reads,
      _meta: loaded,
    },
    call: (plans, input) => plans.status(input),
  },
  {
    shape: {
      name: 'plan_check',
      title: 'Check off an item of the plan',
      description: 'Check off what is done. The last item completes the plan, which may end the mode.',
      input: z.strictObject({
        item: needed(z.union([number, z.array(number).check(z.minLength(1))]), 'Number of the item, from 1, or several'),
        done: optional(z.boolean(), 'false: it is open again'),
      }),
      annotations: writes,
      _meta: loaded,
    },
    call: (plans, input, asker) => plans.check(input, asker),
  },
  {
    shape: {
      name: 'plan_done',
      title: 'End the plan',
      description: 'End a plan whose items are all done, and the mode with it where its gate holds now; or give the plan up.',
      input: z.strictObject({
        explanation: needed(z.string().check(z.minLength(1)), 'What was reached, or why the plan is given up'),
        give_up: optional(z.boolean(), 'true: the plan ends as it is; one that was interrupted goes on'),
      }),
      annotations: writes,
      _meta: loaded,
    },
    call: (plans, input, asker) => plans.done(input, asker),
  },
];

export const planTools: ReadonlyMap<string, PlanTool> = new Map(rows.map((row) => [row.shape.name, row]));
