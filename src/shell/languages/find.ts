// find expressions: tests only examine files, and actions may write, delete, or run programs.

import type { Skips } from '../../model/command.ts';
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import { listsBelow } from '../commands/verbs.ts';
import { substitute } from '../commands/wrappers.ts';
import { mayBeOption } from '../options.ts';
import type { FoundName } from '../possible-names.ts';

const BARE = new Set(
  '-daystart -depth -d -follow -mount -noleaf -xdev -empty -executable -false -nogroup -nouser -readable -true -writable -ignore_readdir_race -noignore_readdir_race -warn -nowarn -print -print0 -ls -prune -quit -a -and -o -or -not ! ( ) ,'.split(
    ' ',
  ),
);
const VALUED = new Set(
  '-maxdepth -mindepth -regextype -amin -anewer -atime -cmin -cnewer -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -mmin -mtime -name -newer -path -perm -regex -samefile -size -type -uid -used -user -wholename -xtype -context -printf'.split(
    ' ',
  ),
);

/** True if a word may have this text. */
function mayBe(word: Arg, text: string): boolean {
  return word.literal === null ? text.startsWith(word.lead) : word.literal === text;
}

/** True if a word may be the end of the command of -exec, even if that is not certain. */
function mayEnd(word: Arg, before: Arg): boolean {
  return mayBe(word, ';') || (mayBe(word, '+') && mayBe(before, '{}'));
}

/** Tests that only reduce the result, without and with a value. */
const NARROWS = /^-(?:empty|readable|writable|executable|print|print0|a|and)$/;
const NARROWS_BY =
  /^-(?:type|maxdepth|mindepth|size|mtime|mmin|ctime|cmin|newer|perm|user|group|i?name|i?path|i?wholename|i?regex|regextype)$/;

/** `( -name A -o -name B )` from its first word: the patterns, and where the words go on. Null if it is something else. */
function namesFrom(words: readonly string[], at: number): { globs: string[]; end: number } | null {
  if (words[at] === '-name' && words[at + 1]) return { globs: [words[at + 1]!], end: at + 2 };
  if (words[at] !== '(') return null;
  const globs: string[] = [];
  for (let i = at + 1; words[i] === '-name' && words[i + 1]; i += 3) {
    globs.push(words[i + 1]!);
    if (words[i + 2] === ')') return { globs, end: i + 3 };
    if (words[i + 2] !== '-o' && words[i + 2] !== '-or') return null;
  }
  return null;
}

/** The files that an expression leaves out, if its tests reduce the result to files with certain names. Otherwise null. */
function skipsOf(expression: readonly Arg[]): Skips | null {
  const words = expression.map((a) => a.literal ?? '');
  let included: readonly string[] | null = null;
  for (let i = 0; i < words.length; ) {
    const names = namesFrom(words, i);
    const isNot = words[i] === '!' || words[i] === '-not';
    const test = words[isNot ? i + 1 : i] ?? '';
    const end = /^-(?:exec|ok)(?:dir)?$/.test(test)
      ? words.findIndex((word, at) => at > i && (word === ';' || word === '+'))
      : -1;
    if (names !== null) included ??= names.globs;
    else if (!NARROWS.test(test) && !NARROWS_BY.test(test) && end < 0) return null;
    i = names?.end ?? (end < 0 ? i + (isNot ? 1 : 0) + (NARROWS_BY.test(test) ? 2 : 1) : end + 1);
  }
  if (included === null) return null;
  const globs = included.map((text) => ({ text, skip: false, of: 'file' as const }));
  return { style: 'grep', hidden: false, ignored: false, globs, types: [], base: null };
}

export function classifyFind(call: CommandCall) {
  const args = call.rest;
  let i = 0;
  const starts: Arg[] = [];
  let follows = args.some((a) => a.literal === '-follow');
  /** With -H, or a slash at its end, a starting point may be a link to a folder. */
  let entersLinks = false;
  for (; i < args.length; i++) {
    const t = args[i]!.literal;
    // Most of these exist in only one implementation of find. The others stop with an error.
    if (t !== null && /^-[HLPEXsxd]+$/.test(t)) {
      follows ||= t.includes('L');
      entersLinks ||= t.includes('H');
      continue;
    }
    if (t !== null && /^-O\d$/.test(t)) continue;
    break;
  }
  for (; i < args.length; i++) {
    const a = args[i]!;
    const t = a.value ?? a.lead;
    if (/^(?:-|\(|\)|!|,)/.test(t)) break;
    // An unknown word, or a glob that may match a name such as -delete, may be an action.
    if ((a.many && a.value === null) || (a.lead === '' && a.value !== ''))
      call.unknown(`${a.text} may become an action of find`, a);
    starts.push(a);
    entersLinks ||= a.pattern && /\/\.?$/.test(t);
  }
  const first = i;
  const links = follows ? 'followed' : findsFiles(args.slice(first)) && !entersLinks ? 'none' : 'named';
  let deletes: Arg | null = null;
  const writes: [Arg, string][] = [];
  for (; i < args.length; i++) {
    const a = args[i]!;
    const t = a.literal;
    if (t === null) call.unknown(`${a.text} may become an action of find`, a);
    if (t === null || BARE.has(t)) continue;
    if (VALUED.has(t) || /^-newer[aBcm][aBcmt]$/.test(t)) {
      const v = args[++i];
      if (!v) return call.unknown(`find ${t} has no value`, a);
      if (v.many && v.value === null) call.unknown(`${v.text} may become an action of find`, v);
      if (v.pattern) call.unknown(`${v.text} is expanded by the shell and may become an action of find`, v);
      if (t === '-newer' || t === '-anewer' || t === '-cnewer' || t === '-samefile') call.read(v, 'find', { what: 'names' });
      continue;
    }
    switch (t) {
      case '-delete':
        deletes = a;
        continue;
      case '-fprint':
      case '-fprint0':
      case '-fls':
      case '-fprintf': {
        const v = args[++i];
        if (!v) return call.unknown(`find ${t} has no value`, a);
        writes.push([v, t]);
        if (t === '-fprintf') i++;
        continue;
      }
      case '-exec':
      case '-execdir':
      case '-ok':
      case '-okdir': {
        const words: Arg[] = [];
        let open = false;
        let k = i + 1;
        for (; k < args.length; k++) {
          const w = args[k]!;
          if (w.literal === ';') break;
          if (w.literal === '+' && args[k - 1]!.literal === '{}') break;
          // A word that may end the command makes the following words part of the find expression.
          if (w.many || (open && (mayBeOption(w) || w.lead.startsWith('-'))))
            return call.unknown('the end of the command after -exec is unknown', w);
          open ||= mayEnd(w, args[k - 1]!);
          words.push(w);
        }
        if (k >= args.length || words.length === 0) return call.unknown(`find ${t} has no ; or + at its end`, a);
        const many = args[k]!.literal === '+';
        const state = call.freshState(t.endsWith('dir') ? null : call.cwds);
        const from = starts.length > 0 ? starts : null;
        // Only the tests before it describe the results.
        const skips = skipsOf(args.slice(first, i));
        const places = starts.length > 0 ? starts.map(({ literal }) => literal) : ['.'];
        const names = places.flatMap((text): FoundName[] => (text === null ? [] : [{ text, how: 'deep' }]));
        const found = { names, isAll: false, isListed: names.length === places.length };
        const inner = words.map((w) =>
          many && w.literal === '{}'
            ? call.found(w, from, true, links, skips)
            : w.literal?.includes('{}')
              ? w.literal === '{}'
                ? call.found(w, from, false, links, skips)
                : substitute(w, '{}', t.endsWith('dir') || names.length === 0 ? null : found)
              : w,
        );
        call.host.runWords(inner, state, a, { kind: 'file' });
        i = k;
        continue;
      }
      case '-files0-from': {
        const v = args[++i];
        call.unknown(`find ${t} takes the places from a file`, a);
        if (v) call.readNamesIn(v, 'find');
        continue;
      }
      default:
        // Its actions still count.
        call.unknown(`find ${t} is unknown`, a);
    }
  }
  for (const s of starts) call.read(s, 'find', { what: 'names' });
  if (starts.length === 0) call.readHere('find', { what: 'names' });
  const expression = args.slice(first);
  const skips = skipsOf(expression);
  listsBelow(call, starts, skips, { files: findsFiles(expression), isWithoutLinks: links === 'none' });
  for (const [v, t] of writes) call.write(v, `find ${t}`, { why: `find ${t} writes to a file` });
  if (deletes && follows) call.unknown('find -L deletes behind links', deletes);
  else if (deletes) {
    if (starts.length === 0)
      call.write(deletes.as('.'), 'find -delete', { extent: 'deep', what: 'entry', why: 'find -delete removes files' });
    for (const s of starts) call.write(s, 'find -delete', { extent: 'deep', what: 'entry', why: 'find -delete removes files' });
  }
}

/** An action on the results. Only the tests before it describe the results. */
const ACTION = /^-(?:exec|execdir|ok|okdir|delete|fprint.*|fls)$/;

/** True if the results are regular files only. */
function findsFiles(expression: readonly Arg[]): boolean {
  const words = expression.map(({ literal }) => literal ?? '');
  const end = words.findIndex((word) => ACTION.test(word));
  const type = words.indexOf('-type');
  // After -o and in parentheses, the test may not apply to the results.
  return (
    type >= 0 &&
    (end < 0 || type < end) &&
    words[type + 1] === 'f' &&
    !words.some((word) => /^(?:[(!,]|-(?:o|or|not)$)/.test(word))
  );
}
