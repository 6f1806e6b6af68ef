// The shapes of `protocols:` and `tasks:` at the top of modes.yaml.
import type { KeyShape, NamedShape, RecordShape, Shape, TextShape } from './shape.ts';

const FILLED: TextShape = { kind: 'text', filled: true };
const TEXTS: Shape = { kind: 'list', of: FILLED };

function record(keys: Record<string, KeyShape>, instead: Record<string, string> = {}): RecordShape {
  return { kind: 'record', keys: new Map(Object.entries(keys)), later: new Set(), instead: new Map(Object.entries(instead)) };
}

const ITEM = record({
  text: { shape: FILLED, required: true, about: 'what is done.' },
  files: { shape: TEXTS, about: 'globs of the only files that are written while this item is open.' },
});

const PROTOCOL = record(
  {
    triggers: {
      shape: TEXTS,
      required: true,
      about: 'phrases that begin it: the first word of a prompt, or with "mode" all of it.',
    },
    instructions: {
      shape: { kind: 'text', nullable: true },
      about: 'what the model is told, with {{task}}, {{branch}} and others.',
    },
    plan: {
      shape: { kind: 'list', of: { kind: 'choice', of: [FILLED, ITEM], about: 'a text or {text, files}' } },
      required: true,
      about: 'the items that are checked off.',
    },
    mode: { shape: FILLED, about: 'the mode that it is worked on in; a person is asked, and approves the plan with it.' },
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
    remedy: 'A name begins with a letter and goes on with letters, digits, "-" and "_".',
    code: 'E_PROTOCOL_NAME',
  },
};

export const WORK_KEYS: Record<string, KeyShape> = {
  protocols: { shape: PROTOCOLS, about: 'plans that a phrase of a person brings, with instructions.' },
  tasks: {
    shape: record(
      { protected: { shape: TEXTS, required: true, about: 'branches on which nothing is written; "*" stands for any text.' } },
      { branches: 'Use "protected".' },
    ),
    about: 'what holds for the branches that work is done on.',
  },
};
