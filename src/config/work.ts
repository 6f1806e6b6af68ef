// `protocols:` and `tasks:` of modes.yaml.
import * as z from 'zod/mini';
import type { Protocol } from '../model/configuration.ts';
import { getEntry, getItems, getText, type Node } from './node.ts';
import { choice, FILLED, named, needed, optional, PROSE, record, TEXTS } from './parts.ts';
import type { Report } from './report.ts';
import { locate, quote, type SourceText } from './text.ts';

const ITEM = record({
  text: needed(FILLED, 'the task of this item.'),
  files: optional(TEXTS, 'the only files that may be written while this item is open, as globs.'),
});

const PROTOCOL = record(
  {
    triggers: needed(TEXTS, 'phrases that start it: the first word of a prompt, or with "mode" the whole prompt.'),
    instructions: optional(PROSE, 'instructions for the model, with {{task}}, {{branch}} and others.'),
    plan: needed(z.array(choice([FILLED, ITEM], 'a string or {text, files}')), 'the items of the plan.'),
    mode: optional(FILLED, 'the mode to work in. A person is asked, and approves the plan with the same answer.'),
  },
  {
    trigger: 'Use "triggers", a list.',
    items: 'Use "plan".',
    todos: 'Use "plan".',
    text: 'Use "instructions".',
    to: 'Use "mode".',
  },
);

const PROTOCOLS = named(/^[A-Za-z][A-Za-z0-9_-]*$/, PROTOCOL, {
  what: 'a name for a protocol',
  remedy: 'A name starts with a letter and continues with letters, digits, "-" and "_".',
  code: 'E_PROTOCOL_NAME',
});

export const WORK_KEYS = {
  protocols: optional(PROTOCOLS, 'plans with instructions that a phrase of a person starts.'),
  tasks: optional(
    record(
      { protected: needed(TEXTS, 'branches that may not be written to; "*" stands for any text.') },
      { branches: 'Use "protected".' },
    ),
    'rules for the branches of the repository.',
  ),
};

/** Variables that instructions may contain. They are filled in when the instructions are given. */
export const VARIABLES = ['task', 'branch', 'default_branch', 'plan'] as const;

export function readProtocols(node: Node, source: SourceText, report: Report): Map<string, Protocol> {
  const body = getEntry(node, 'protocols')?.value;
  const protocols = new Map<string, Protocol>();
  const taken = new Map<string, string>();
  for (const { key, keySpan, value } of body?.kind === 'map' ? body.entries : []) {
    const instructions = getText(value, 'instructions');
    checkVariables(getEntry(value, 'instructions')?.value, report);
    for (const item of getItems(value, 'triggers')) {
      const phrase = item.kind === 'text' ? item.value.trim() : '';
      const other = taken.get(phrase.toLowerCase());
      if (other !== undefined)
        report(
          'E_DUPLICATE_KEY',
          `${quote(phrase)} already starts ${quote(other)}.`,
          'Give each protocol its own phrases.',
          item.span,
        );
      else if (phrase !== '') taken.set(phrase.toLowerCase(), key);
    }
    protocols.set(key, {
      name: key,
      triggers: textsOf(value, 'triggers'),
      instructions,
      items: getItems(value, 'plan').map(readItem),
      mode: getText(value, 'mode'),
      source: locate(source, keySpan.start),
    });
  }
  return protocols;
}

/** Branches that may not be written. */
export function readProtected(node: Node): string[] {
  return textsOf(getEntry(node, 'tasks')?.value ?? null, 'protected');
}

function readItem(item: Node): Protocol['items'][number] {
  if (item.kind === 'text') return { text: item.value.replace(/\s+/g, ' ').trim(), files: [] };
  return { text: (getText(item, 'text') ?? '').replace(/\s+/g, ' '), files: textsOf(item, 'files') };
}

function textsOf(node: Node | null, key: string): string[] {
  return getItems(node, key).flatMap((item) => (item.kind === 'text' ? [item.value.trim()] : []));
}

function checkVariables(node: Node | undefined, report: Report): void {
  if (node?.kind !== 'text') return;
  for (const [whole, written = ''] of node.value.matchAll(/\{\{([^{}]*)\}\}/g)) {
    const name = written.trim();
    if ((VARIABLES as readonly string[]).includes(name)) continue;
    const possible = VARIABLES.map((one) => `{{${one}}}`).join(', ');
    report('E_UNKNOWN_VALUE', `${quote(whole)} is not a known placeholder.`, `Write one of: ${possible}.`, node.span);
  }
}
