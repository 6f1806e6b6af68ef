// git: its own options, then one table of subcommands.
import type { Call } from '../../call.ts';
import { type Given, has, type OptionTable, option, table } from '../../options.ts';
import type { CommandEntry } from '../../entry.ts';
import { changeFolder, isAtOrAbove } from '../../targets.ts';
import type { Arg } from '../../words.ts';
import { SUBCOMMANDS } from './options.ts';
import { CHANGING } from './changing.ts';
import { LISTING } from './listing.ts';

const GLOBAL = table(
  '-Pv -C:l -c: -p! --no-pager --no-replace-objects --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version --html-path --man-path --info-path --paginate! --bare! --git-dir:x --work-tree:x --namespace:x --exec-path:x --super-prefix:x --config-env:x --attr-source:',
);

/** Settings that `-c` may carry: they only change how things are printed or recorded. */
const HARMLESS_SETTING =
  /^(?:color\.[\w.-]+|advice\.[\w.-]+|core\.(?:quotepath|abbrev|precomposeunicode|ignorecase|autocrlf|safecrlf|whitespace)|diff\.(?:renames|renamelimit|context|noprefix|mnemonicprefix|algorithm|colormoved|wordregex|statgraphwidth)|log\.(?:date|decorate|follow|abbrevcommit)|grep\.(?:linenumber|column|fullname|patterntype|extendedregexp)|status\.[\w-]+|user\.(?:name|email)|commit\.gpgsign=false|tag\.gpgsign=false|init\.defaultbranch|column\.\w+|blame\.(?:date|coloring|showemail)|safe\.directory|gc\.auto|pager\.\w+=(?:false|cat)|core\.pager=(?:cat|)|merge\.(?:conflictstyle|renames|ff)|pull\.(?:rebase|ff)|push\.default|rebase\.autostash|protocol\.version|http\.(?:postbuffer|lowspeed\w+))(?:=|$)/i;

export interface GitSubcommand {
  options: string;
  /** Short forms like `-5`. */
  digits?: boolean;
  run: (call: Call, given: Given) => void;
  /** Words that may become options do no harm. */
  loose?: boolean;
  posix?: boolean;
}

const TABLES = new Map<string, OptionTable>();

function optionsOf(name: string, text: string): OptionTable {
  let t = TABLES.get(name);
  if (!t) {
    t = table(text);
    TABLES.set(name, t);
  }
  return t;
}

/** Formats that make git run gpg, or that are names of the configuration. */
export function checkFormats(call: Call, given: Given): void {
  for (const o of given.options) {
    if (o.name !== 'format' && o.name !== 'pretty') continue;
    if (!o.value) continue;
    const text = o.value.literal;
    if (text === null) call.unknown('a format that is not known may make git run programs', o.arg);
    else if (/%G|%[-+ ]G|signature/i.test(text)) call.unknown('the format asks for signatures, for which git runs a program', o.arg);
    else if (!/^(?:format:|tformat:|(?:oneline|short|medium|full|fuller|reference|email|raw|mboxrd)$)/.test(text) && !text.includes('%') && text !== '' && !/^for-each-ref|^ls-|^branch|^tag/.test(call.name)) {
      call.unknown('a format by name is a setting that is not looked at', o.arg);
    }
  }
}

/** A path as git takes it: magic and wildcards reach further than the shell's. */
export function pathspec(call: Call, arg: Arg, via: string, what: 'read' | 'write', why?: string): void {
  let target = arg;
  const text = arg.literal;
  if (text?.startsWith(':')) {
    if (what === 'write') call.unknown(`${via} with ${text} writes to paths that are not known`, arg);
    return;
  }
  if (text !== null && /[*?[\\]/.test(text)) {
    const cut = text.slice(0, text.search(/[*?[\\]/));
    const folder = cut.includes('/') ? cut.slice(0, cut.lastIndexOf('/') + 1) : '.';
    target = arg.as(folder);
  }
  if (what === 'read') call.read(target, via, { deep: true });
  else call.write(target, via, { deep: true, node: true, why });
}

export function judgeGit(call: Call): void {
  const given = call.parse(GLOBAL, { posix: true });
  call.accept({ ...given, flaggy: given.operands[0] === given.flaggy ? null : given.flaggy });
  call.roles(given);
  for (const o of given.options) {
    if (o.name === 'C') call.cwds = o.value?.literal == null ? null : changeFolder(o.value.literal, call.cwds);
    if (o.name === 'c') {
      const setting = o.value?.literal ?? null;
      if (setting === null || !HARMLESS_SETTING.test(setting)) call.unknown(`git -c ${setting ?? ''} may make git run programs`.replace('  ', ' '), o.arg);
    }
  }
  const sub = given.operands[0];
  if (!sub) return;
  const name = sub.literal;
  if (name === null) return call.unknown('which git command runs is not known', sub);
  call.args = given.operands;
  call.name = `git ${name}`;
  const reading = SUBCOMMANDS[name];
  const entry: GitSubcommand | undefined = Object.hasOwn(SUBCOMMANDS, name)
    ? { options: reading!, digits: true, run: runReading }
    : Object.hasOwn(LISTING, name)
      ? LISTING[name]
      : Object.hasOwn(CHANGING, name)
        ? CHANGING[name]
        : undefined;
  if (!entry) return call.unknown(`git ${name} is an alias or a command that is not known`, sub);
  // A folder of the checkout may be laid out as a repository whose settings run programs.
  if (name !== 'clone' && name !== 'init' && name !== 'version') {
    if (call.cwds === null) call.unknown('git runs in a folder that is not known', sub);
    else if (!call.cwds.every((c) => isAtOrAbove(c, call.host.origin))) call.unknown('git runs in another folder, which may be a repository whose settings run programs', sub);
  }
  const own = call.parse(optionsOf(name, entry.options), { digits: entry.digits, posix: entry.posix });
  const ok = call.accept(own, entry.loose);
  call.roles(own);
  checkFormats(call, own);
  if (ok || own.problem === null) entry.run(call, own);
}

function runReading(call: Call, given: Given): void {
  const name = call.name.slice(4);
  const dashed = given.operands.slice(given.dashed);
  switch (name) {
    case 'grep': {
      const pattern = has(given, 'e', 'f');
      const paths = Number.isFinite(given.dashed) ? dashed : given.operands.slice(pattern ? 0 : 1);
      if (Number.isFinite(given.dashed) && dashed.length > 0) for (const p of dashed) pathspec(call, p, 'git grep', 'read');
      else if (paths.length > 0 && paths.every((p) => p.literal !== null)) for (const p of paths) pathspec(call, p, 'git grep', 'read');
      if (paths.length === 0) call.readHere('git grep', { deep: true });
      return;
    }
    case 'blame':
      if (given.operands.length > 0) call.read(given.operands[given.operands.length - 1]!, 'git blame');
      return;
    case 'diff':
      if (has(given, 'no-index')) for (const p of given.operands) call.read(p, 'git diff', { deep: true });
      else for (const p of dashed) pathspec(call, p, 'git diff', 'read');
      return;
    case 'ls-remote': {
      if (has(given, 'get-url')) return;
      remote(call, given.operands[0]);
      return;
    }
    case 'check-attr':
    case 'check-mailmap':
      return;
    case 'rev-list':
      if (has(given, 'disk-usage') && option(given, 'disk-usage')?.value) return;
  }
}

/** A remote by name or address: helpers that run programs (`ext::`) are not understood. */
export function remote(call: Call, arg: Arg | undefined): void {
  const text = arg?.literal;
  if (arg && text == null) {
    call.network();
    if (arg.lead === '' || arg.many) call.unknown('which remote is asked is not known', arg);
    else call.unknown('which remote is asked is not known', arg);
    return;
  }
  if (text != null) {
    if (text.includes('::') || /^[-+]/.test(text)) call.unknown(`${text} may make git run a program`, arg);
    if (/^[\w.-]+$/.test(text) && text !== '.') call.network();
    else if (/:\/\/|^[^/]+:/.test(text)) call.url(arg!);
    if (/^file:/.test(text) || /^[./~]/.test(text)) call.unknown('git talks to a repository in another folder, whose settings may run programs', arg);
    return;
  }
  call.network();
}

export const git: CommandEntry[] = [{ names: 'git', handle: judgeGit }];
