// Standard input of a command, and other content that is known before it runs.
import type { Stdin } from '../model/command.ts';

export const INHERIT: Stdin = { kind: 'inherit' };
export const PIPE: Stdin = { kind: 'pipe' };
export const FILE: Extract<Stdin, { kind: 'file' }> = { kind: 'file' };

/** A file with only some known names in it. */
export function listed(stdin: Stdin): Extract<Stdin, { kind: 'file' }> {
  return 'names' in stdin && stdin.names ? { kind: 'file', names: stdin.names, isAll: stdin.isAll } : FILE;
}

/** zsh reads the input of the pipe before the redirected input. */
export function prependPipe(pipe: Stdin, given: Stdin): Stdin {
  if (pipe.kind !== 'pipe') return given;
  const texts = [pipe, given].map((part) => ('text' in part ? part.text : undefined)).filter((text) => text !== undefined);
  const from = listed(given);
  return texts.length === 0 ? from : { ...from, text: texts.join('\n') };
}

/** Input that several commands share, so that a single one may not get all of it. */
export function shared(stdin: Stdin): Stdin {
  if (stdin.kind === 'text' && stdin.text === '') return stdin;
  const isAll = stdin.kind !== 'inherit' && stdin.isAll === true;
  return 'text' in stdin && stdin.text !== undefined ? { ...listed(stdin), text: stdin.text, isAll } : listed(stdin);
}

/** Input that is one or the other. */
export function joinInputs(a: Stdin, b: Stdin): Stdin {
  const texts = [a, b].map((one) => ('text' in one ? one.text : undefined)).filter((text) => text !== undefined);
  const names = [a, b].flatMap((one) => ('names' in one && one.names) || []);
  if (a.kind === 'file' && b.kind === 'file' && JSON.stringify(a) === JSON.stringify(b)) return a;
  return {
    kind: 'file',
    ...(texts.length > 0 && { text: [...new Set(texts)].join('\n') }),
    ...(names.length > 0 && { names: [...new Map(names.map((name) => [JSON.stringify(name), name])).values()] }),
  };
}

/** Input from a descriptor: part of anything that was opened on one. */
export function openedInput(opened: readonly Stdin[]): Stdin {
  return opened.length === 0 ? FILE : shared(opened.reduce(joinInputs));
}
