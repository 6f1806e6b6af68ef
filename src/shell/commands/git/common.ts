// Shared parts of the git subcommands: pathspecs, remotes, formats.

import type { HowRead, LinksBelow } from '../../../model/command.ts';
import type { Arg } from '../../arg.ts';
import type { CommandCall } from '../../call.ts';
import type { Given, ParseStyle } from '../../options.ts';

export interface GitSubcommand {
  options: string;
  style?: ParseStyle;
  run: (call: CommandCall, given: Given) => void;
}

/** Formats that make git run gpg, or that are names in the configuration. */
export function checkFormats(call: CommandCall, given: Given) {
  for (const o of given.options) {
    if (o.name === 'sort' && /signature/i.test(o.value?.literal ?? 'signature'))
      call.unknown('sorting by signatures makes git run a program', o.arg);
    if (o.name !== 'format' && o.name !== 'pretty' && o.name !== 'group') continue;
    if (!o.value) continue;
    const text = o.value.literal;
    if (text === null) call.unknown('an unknown format may make git run programs', o.arg);
    else if (/%[-+ ]?G|[sS][iI][gG][nN][aA][tT][uU][rR][eE]/.test(text))
      call.unknown('the format asks for signatures, for which git runs a program', o.arg);
    else if (
      o.name !== 'group' &&
      !/^(?:format:|tformat:|(?:oneline|short|medium|full|fuller|reference|email|raw|mboxrd)$)/.test(text) &&
      !text.includes('%') &&
      text !== '' &&
      call.name !== 'git archive'
    ) {
      call.unknown('a format by name is a setting that is not read', o.arg);
    }
  }
}

/**
 * A path as git reads it. Its magic and wildcards match more than those of the shell. The view of a reading command contains the
 * tracked files that it prints. This function only reads the path itself or, with `isWide`, everything on the disk below it.
 */
export function pathspec(
  call: CommandCall,
  arg: Arg,
  via: string,
  what: 'read' | 'write',
  { why, isWide, links }: PathspecUse = {},
) {
  let target = arg;
  const text = arg.literal;
  if (text?.startsWith(':')) {
    if (what === 'write') call.unknown(`${via} with ${text} writes to unknown paths`, arg);
    else if (isWide) call.readHere(via, { extent: 'deep', follows: false });
    return;
  }
  if (text !== null && /[*?[\\]/.test(text)) {
    const cut = text.slice(0, text.search(/[*?[\\]/));
    const folder = cut.includes('/') ? cut.slice(0, cut.lastIndexOf('/') + 1) : '.';
    target = arg.as(folder);
  }
  if (what === 'read') call.read(target, via, isWide ? { extent: 'deep', follows: false } : {});
  else {
    call.write(target, via, { extent: 'deep', what: 'entry', why, links });
    // The restored files may be links.
    if (links !== undefined) call.linksBelow(target);
  }
}

interface PathspecUse {
  why?: string | undefined;
  links?: LinksBelow;
  isWide?: boolean;
}

const NAMED_REMOTE = /^(?:origin|upstream)$/;

/** A remote that the repository names, or the default one. */
export const isNamedRemote = (arg: Arg | undefined): boolean => arg === undefined || NAMED_REMOTE.test(arg.literal ?? '');

/** A remote, as a name or an address. Remote helpers that run programs (`ext::`) are not understood. */
export function remote(call: CommandCall, arg: Arg | undefined) {
  const text = arg?.literal;
  if (arg && text == null) {
    call.network();
    if (arg.lead === '' || arg.many) call.unknown('the remote is unknown', arg);
    else call.unknown('the remote is unknown', arg);
    return;
  }
  if (text != null) {
    if (text.includes('::') || /^[-+]/.test(text)) call.unknown(`${text} may make git run a program`, arg);
    // Any other bare word may also be a folder.
    if (NAMED_REMOTE.test(text)) call.network();
    else if (/^[\w.-]+$/.test(text)) call.unknown(`${text} may be a folder whose settings and hooks run programs`, arg);
    else if (/:\/\/|^[^/]+:/.test(text)) call.url(arg!);
    if (/^file:/.test(text) || /^[./~]/.test(text))
      call.unknown('git connects to a repository in another folder, whose settings may run programs', arg);
    return;
  }
  call.network();
}

/**
 * `HEAD:a`, `:a`, `:2:./a`: a path in a revision or in the index. It is relative to the current folder or, usually with the same
 * effect, to the top of the tree.
 */
const REVISION_PATH = /^[^:]*:(?:[0-3]:)?(?!\/)(.+)$/s;

const REVISION = /^(?:[A-Z_]*HEAD|@)(?:[~^@{.][^:]*)?$/;

/** Files with printed contents, from the working tree or from a revision. A word that may be a revision also counts as a path. */
export function shown(call: CommandCall, words: readonly Arg[], via: string, how: HowRead = {}) {
  for (const word of words) {
    if (REVISION.test(word.literal ?? '') || /^:[!^(]/.test(word.literal ?? '')) continue;
    const path = REVISION_PATH.exec(word.literal ?? word.tail)?.[1];
    call.read(path === undefined ? word : word.as(path), via, how);
  }
}
