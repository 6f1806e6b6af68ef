// Protocols: a person's phrase opens a plan with instructions. The previous plan returns when that plan is complete.

import { currentBranch, defaultBranch, GitError } from '../git/run.ts';
import type { Protocol } from '../model/configuration.ts';
import { inOneSpelling, isSame, isTyped } from './phrases.ts';
import type { PlanText } from './plan/events.ts';
import { filesText } from './plan/plan-list.ts';
import type { Work } from './plan/work.ts';

/** Limit on the characters of the instructions. The notice after them names the file with the rest. */
const maxInstructions = 4_000;

/**
 * The protocol that a prompt starts; null if there is none, or if no person typed the prompt. `rest`: the text after the phrase.
 */
export function startedProtocol(
  prompt: string,
  source: string,
  protocols: Iterable<Protocol>,
): { protocol: Protocol; phrase: string; rest: string } | null {
  if (!isTyped(prompt, source)) return null;
  const promptText = inOneSpelling(prompt).trim();
  for (const protocol of protocols) {
    for (const phrase of protocol.triggers) {
      const rest = restAfter(promptText, inOneSpelling(phrase));
      // A protocol that changes the mode must be the whole prompt.
      if (rest !== null && (rest === '' || protocol.mode === null)) return { protocol, phrase, rest };
    }
  }
  return null;
}

/** The text after the phrase, if the prompt starts with the phrase as a token of its own. Otherwise null. */
function restAfter(promptText: string, phrase: string): string | null {
  const isMatch = isSame(promptText.slice(0, phrase.length), phrase);
  const rest = promptText.slice(phrase.length);
  return phrase !== '' && isMatch && (rest === '' || /^\s/.test(rest)) ? rest.trim() : null;
}

export function planOf({ name, items }: Protocol): PlanText {
  return { title: name, items };
}

/** The instructions with all placeholders filled; '' if the protocol has none. */
export function instructionsOf(protocol: Protocol, { task }: Work, root: string): string {
  const fill: Record<string, () => string> = {
    task: () => task?.name ?? 'no task',
    branch: () => branchOf(root) ?? 'no branch',
    default_branch: () => defaultBranch(root) ?? 'no branch',
    plan: () => protocol.items.map((item, at) => `${at + 1}. ${item.text}${filesText(item)}`).join('\n'),
  };
  const text = (protocol.instructions ?? '').replace(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(fill, name) ? (fill[name] as () => string)() : whole,
  );
  if (text.length <= maxInstructions) return text;
  const cut = text.slice(0, maxInstructions);
  const at = Math.max(cut.lastIndexOf('\n\n'), cut.lastIndexOf('\n'));
  const { file, line } = protocol.source;
  return `${(at > 0 ? cut.slice(0, at) : cut).trimEnd()}\n\n(The rest of these instructions is in ${file}, line ${line}; Read shows it.)`;
}

function branchOf(root: string): string | null {
  try {
    return currentBranch(root);
  } catch (error) {
    if (error instanceof GitError) return null;
    throw error;
  }
}
