// The plan tools: the form that the model sees, and their implementation.
import { limits } from '../../workflow/plan/input.ts';
import type { PlanAnswer, Plans, Worker } from '../../workflow/plan/plans.ts';

interface Property {
  type?: string;
  description?: string;
  [more: string]: unknown;
}

export interface ToolShape {
  name: string;
  title: string;
  description: string;
  inputSchema: {
    type: 'object';
    properties: Record<string, Property>;
    required?: string[];
    additionalProperties: false;
  };
  annotations: Record<string, boolean>;
  _meta: Record<string, unknown>;
}

interface PlanTool {
  shape: ToolShape;
  call(plans: Plans, input: Record<string, unknown>, asker: Worker): PlanAnswer | Promise<PlanAnswer>;
}

const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };
const loaded = { 'anthropic/alwaysLoad': true };
const text = { type: 'string', minLength: 1, maxLength: limits.text };

const item: Property = {
  anyOf: [
    text,
    {
      type: 'object',
      additionalProperties: false,
      required: ['text'],
      properties: {
        text: { ...text, description: 'What is done' },
        files: {
          type: 'array',
          items: { type: 'string' },
          maxItems: limits.files,
          description: 'Globs of the only files that are written while this item is open, such as src/parse/**',
        },
      },
    },
  ],
};

const number = { type: 'integer', minimum: 1 };

const rows: PlanTool[] = [
  {
    shape: {
      name: 'plan_propose',
      title: 'Propose a plan',
      description:
        'Propose the list of what is to be done, or another list in its place. A person approves exactly this list; a changed list needs a new approval, and the answer holds the difference to show.',
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['items'],
        properties: {
          title: { type: 'string', maxLength: limits.title, description: 'What the plan is for' },
          items: { type: 'array', items: item, minItems: 1, maxItems: limits.items, description: 'What is done, in order' },
          interrupt: {
            type: 'boolean',
            description: 'true: this plan comes first and the present one goes on after it; otherwise it takes its place',
          },
        },
      },
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
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
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
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['item'],
        properties: {
          item: {
            anyOf: [number, { type: 'array', items: number, minItems: 1 }],
            description: 'Number of the item, from 1, or several',
          },
          done: { type: 'boolean', description: 'false: it is open again' },
        },
      },
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
      inputSchema: {
        type: 'object',
        additionalProperties: false,
        required: ['explanation'],
        properties: {
          explanation: { type: 'string', minLength: 1, description: 'What was reached, or why the plan is given up' },
          give_up: { type: 'boolean', description: 'true: the plan ends as it is; one that was interrupted goes on' },
        },
      },
      annotations: writes,
      _meta: loaded,
    },
    call: (plans, input, asker) => plans.done(input, asker),
  },
];

export const planTools: ReadonlyMap<string, PlanTool> = new Map(rows.map((row) => [row.shape.name, row]));
