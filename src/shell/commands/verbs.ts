// Subcommands as they come again in many programs.

import type { Skips } from '../../model/command.ts';
import type { Arg } from '../arg.ts';
import type { Call } from '../call.ts';
import type { Verb } from '../entry.ts';
import { has, type OptionTable, type ParseStyle } from '../options.ts';

/** Runs code of the project, whatever the words behind it. */
export const RUNS: Verb = 'runs';
/** Asks a server and changes nothing. */
export const asks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({
  options,
  operands: 'text',
  network: true,
  ...more,
});
/** Changes nothing. */
export const looks = (options: string, more: Partial<Exclude<Verb, string>> = {}): Verb => ({
  options,
  operands: 'text',
  ...more,
});
/** Installs packages, whose scripts run. */
export const installs: Verb = {
  class: 'runs',
  network: true,
  loose: true,
  operands: 'text',
  why: 'installs packages and runs their scripts',
  handle: (call) => installing(call),
};
/** Runs a program of a package. */
export const executes: Verb = { class: 'runs', network: true, handle: (call) => executing(call) };

/** Runs a program that the project's environment finds. */
export const startsOwn = (options: string): Verb => ({
  options,
  class: 'runs',
  why: 'runs code of the project',
  handle(call, t) {
    const given = call.parse(t, { posix: true });
    call.accept({ ...given, flaggy: null });
    call.starts(given.operands);
    // An option that is not known may have taken the word behind it.
    if (given.problem) call.starts(given.operands.slice(1));
    call.is('runs', `${call.name} runs code of the project`);
  },
});

/** Reads its files, and with one of these options rewrites them, those below its folders too. */
export const rewrites =
  (...names: string[]) =>
  (call: Call, t: OptionTable, style?: ParseStyle) => {
    const given = call.parse(t, style);
    call.accept(given);
    call.roles(given);
    const isWritten = has(given, ...names);
    for (const o of given.operands) {
      if (o.literal === '-') continue;
      if (isWritten)
        call.write(o, `${call.name} -${names[0]}`, { deep: true, keeps: true, why: `${call.name} rewrites its files` });
      else call.read(o, call.name, { within: true });
    }
  };

/** Prints names at or below these words, or below the folder in force; `files`: none of a folder. */
export function listsBelow(call: Call, words: readonly Arg[], skips: Skips | null, files = false, isWithoutLinks = false) {
  if (words.length === 0) call.lists({ text: '.', how: 'deep', skips, files, isWithoutLinks });
  for (const { literal } of words) {
    // Git reads wildcards and magic itself.
    const isPath = literal !== null && !/[*?[\\:]/.test(literal);
    call.lists({ text: isPath ? literal : '.', how: 'deep', skips, files, isWithoutLinks });
  }
}

function installing(call: Call) {
  call.network();
  call.is('runs', `${call.name} installs packages and runs their scripts`);
}

export function executing(call: Call) {
  call.network();
  const at = call.rest.findIndex((arg) => !arg.lead.startsWith('-'));
  if (at !== -1) call.starts(call.rest.slice(at));
  call.is('runs', `${call.name} runs a program of a package, which may be fetched first`);
}

/** A word may name the file behind its beginning, of which the contents are sent. */
export function sentFile(call: Call, word: Arg, beginning: RegExp) {
  const found = beginning.exec(word.value ?? word.lead);
  if (found) call.read(word.after(found[0].length), call.name);
}

/** Of words that say what is copied to where, all but the last, unless they lie elsewhere. */
export function sentFiles(call: Call, words: readonly Arg[]) {
  for (const word of words.slice(0, -1)) if (!/^[^/]*:/.test(word.value ?? word.lead)) call.read(word, call.name, { deep: true });
  // What is fetched comes to lie here.
  const dest = words.at(-1);
  if (words.length > 1 && dest?.literal && dest.literal !== '-' && !/^[^/]*:/.test(dest.literal))
    call.write(dest, call.name, { deep: true, arrives: true });
}

/** Copies between here and elsewhere. */
export function sends(call: Call, t: OptionTable) {
  call.unknown(`${call.name} does more than read`);
  sentFiles(call, call.parse(t).operands);
}
