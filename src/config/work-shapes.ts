// The shapes of `protocols:` and `tasks:` at the top of modes.yaml.
import type { KeyShape, NamedShape, RecordShape, Shape, TextShape } from './shape.ts';

const FILLED: TextShape = { kind: 'text', filled: true };
const TEXTS: Shape = { kind: 'list', of: FILLED };

function record(keys: Record<string, KeyShape>, instead: Record<string, string> = {}): RecordShape {
  return { kind: 'record', keys: new Map(Object.entries(keys)), later: new Set(), instead: new Map(Object.entries(instead)) };
}

const ITEM = record({
  text: { shape: FILLED, required: true, about: 'the task of this item.' },
  files: { shape: TEXTS, about: 'the only files that may be written while this item is open, as globs.' },
});

const PROTOCOL = record(
  {
    triggers: {
      shape: TEXTS,
      required: true,
      about: 'phrases that start it: the first word of a prompt, or with "mode" the whole prompt.',
    },
    instructions: {
      shape: { kind: 'text', nullable: true },
      about: 'instructions for the model, with {{task}}, {{branch}} and others.',
    },
    plan: {
      shape: { kind: 'list', of: { kind: 'choice', of: [FILLED, ITEM], about: 'a string or {text, files}' } },
      required: true,
      about: 'the items of the plan.',
    },
    mode: { shape: FILLED, about: 'the mode to work in. A person is asked, and approves the plan with the same answer.' },
  },
  {
    trigger: 'Use "triggers", a list.',
    items: 'Use "plan".',
    todos: 'Use "plan".',
    text: 'Use "instructions".',
    to: 'Use "mode".',
  },
);

const PROTOCOLS: NamedShape = {
  kind: 'named',
  of: PROTOCOL,
  pattern: /^[A-Za-z][A-Za-z0-9_-]*$/,
  reserved: new Set(),
  naming: {
    what: 'a name for a protocol',
    remedy: 'A name starts with a letter and continues with letters, digits, "-" and "_".',
    code: 'E_PROTOCOL_NAME',
  },
};

export const WORK_KEYS: Record<string, KeyShape> = {
  protocols: { shape: PROTOCOLS, about: 'plans with instructions that a phrase of a person starts.' },
  tasks: {
    shape: record(
      { protected: { shape: TEXTS, required: true, about: 'branches that may not be written to; "*" stands for any text.' } },
      { branches: 'Use "protected".' },
    ),
    about: 'rules for the branches of the repository.',
  },
};
