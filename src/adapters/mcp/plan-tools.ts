// The plan tools: the form that the model sees, and their implementation.
import * as z from 'zod';
import { type JsonSchema, toJsonSchema } from '../../config/json-schema.ts';
import { limits } from '../../workflow/plan/input.ts';
import type { PlanAnswer, Plans, Worker } from '../../workflow/plans.ts';

export interface ToolShape {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: 'object' };
  annotations: Record<string, boolean>;
  _meta: Record<string, unknown>;
}

/** The published form of a tool's input: exactly these keys. */
export function inputOf(keys: z.ZodRawShape): ToolShape['inputSchema'] {
  return { ...toJsonSchema(z.strictObject(keys)), type: 'object' };
}

interface PlanTool {
  shape: ToolShape;
  call(plans: Plans, input: Record<string, unknown>, asker: Worker): PlanAnswer | Promise<PlanAnswer>;
}

const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
const loaded = { 'anthropic/alwaysLoad': true };
const text = z.string().min(1).max(limits.text);
const item = z.union([
  text,
  z.strictObject({
    text: text.describe('What is done'),
    files: z
      .array(z.string())
      .max(limits.files)
      .describe('Globs of the only files that are written while this item is open, such as src/parse/**')
      .optional(),
  }),
]);
const number = z.int().min(1);

const rows: PlanTool[] = [
  {
    shape: {
      name: 'plan_propose',
      title: 'Propose a plan',
      description:
        'Propose the list of what is to be done, or another list in its place. A person approves exactly this list; a changed list needs a new approval, and the answer holds the difference to show.',
      inputSchema: inputOf({
        title: z.string().max(limits.title).describe('What the plan is for').optional(),
        items: z.array(item).min(1).max(limits.items).describe('What is done, in order'),
        interrupt: z
          .boolean()
          .describe('true: this plan comes first and the present one goes on after it; otherwise it takes its place')
          .optional(),
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
      inputSchema: inputOf({}),
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
      inputSchema: inputOf({
        item: z.union([number, z.array(number).min(1)]).describe('Number of the item, from 1, or several'),
        done: z.boolean().describe('false: it is open again').optional(),
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
      inputSchema: inputOf({
        explanation: z.string().min(1).describe('What was reached, or why the plan is given up'),
        give_up: z.boolean().describe('true: the plan ends as it is; one that was interrupted goes on').optional(),
      }),
      annotations: writes,
      _meta: loaded,
    },
    call: (plans, input, asker) => plans.done(input, asker),
  },
];

export const planTools: ReadonlyMap<string, PlanTool> = new Map(rows.map((row) => [row.shape.name, row]));
