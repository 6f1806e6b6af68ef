// Programs that change files.

import type { LinksBelow } from '../../model/command.ts';
import { type Arg, unknownArg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { type Given, has, mayBeOption, type OptionTable, option, type ParseStyle, table } from '../options.ts';
import { basename, dirname, trimSlashes } from '../targets.ts';
import { followsLinks } from './links.ts';

const GNU: ParseStyle = ['abbreviations'];
const NO_OPTIONS = table('');

function copy(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, GNU);
  call.accept(given);
  const isMove = call.name === 'mv';
  const via = call.name;
  const backup = option(given, 'b', 'backup', 'S', 'suffix');
  if (backup) call.unknown(`the name of the backup of ${via} is unknown`, backup.arg);
  const target = option(given, 't', 'target-directory');
  const all = given.operands;
  const dest = target ? target.value : all[all.length - 1];
  const sources = target ? all : all.slice(0, -1);
  if (!dest || sources.length === 0) {
    if (call.name === 'ln' && all.length === 1) linkHere(call, all[0]!, has(given, 's', 'symbolic'));
    else call.unknown(`${via} needs a source and a destination`);
    return;
  }
  // There is no file without a name.
  if (dest.literal === '') {
    for (const s of sources) call.read(s, via);
    return;
  }
  const isDeep = isMove || call.name === 'ln' || has(given, 'r', 'R', 'a', 'recursive', 'archive');
  const extent = isDeep ? 'deep' : 'one';
  const hard = (call.name === 'ln' && !has(given, 's', 'symbolic')) || (call.name === 'cp' && has(given, 'l', 'link'));
  const links = (call.name === 'ln' && !hard) || (call.name === 'cp' && has(given, 's', 'symbolic-link'));
  for (const s of sources) {
    if (isMove) call.write(s, via, { extent: 'deep', what: 'entry', old: 'kept', why: 'mv removes its source' });
    else if (hard)
      call.write(s, via, {
        extent,
        old: 'kept',
        why: `${via} gives a file a second name, and a write to that name changes the file`,
      });
    else if (!links) call.read(s, via, isDeep ? { extent: 'deep', follows: followsLinks('cp', given) } : {});
  }
  const isCertain =
    target || sources.length > 1 || dest.value?.endsWith('/') ? true : has(given, 'T', 'no-target-directory') ? false : null;
  const folder = isCertain && has(given, 'T', 'no-target-directory') ? false : isCertain;
  const brought = isMove || hard || copiesLinks(given) ? 'sources' : undefined;
  if (has(given, 'parents')) for (const s of sources) copyWithParents(call, s, dest, extent, links ? 'any' : brought);
  else if (links)
    for (const s of sources)
      call.link(s, dest, call.name === 'cp' ? 'cp -s' : 'ln', folder, call.name === 'ln' && has(given, 'r', 'relative'));
  else call.place(sources, dest, via, folder, extent, brought);
  if (!links) for (const source of sources) call.copiesContent(source, dest);
  if (has(given, 'exchange')) call.write(dest, via, { extent: 'deep' });
  if (!links && brought === undefined) return;
  if (has(given, 'parents')) return call.linksBelow(dest);
  // Later writes below the new name go to the original place.
  const how = isMove || (links && has(given, 'r', 'relative')) ? 'same' : links ? 'link' : 'copy';
  for (const source of sources) {
    call.aliasAt(dest, source, how);
    // Each name that a pattern matches comes from the folder of the pattern.
    const folder = how === 'copy' && source.pattern && source.value !== null ? dirname(source.value) : null;
    if (folder !== null) call.alias(dest, /[*?[]/.test(folder) ? unknownArg(source.pos, source.end) : source.as(folder), how);
  }
}

/** True if symbolic links are copied as links, at least below a folder. */
function copiesLinks(given: Given): boolean {
  if (has(given, 'P', 'd', 'a', 'archive', 'no-dereference')) return true;
  return has(given, 'r', 'R', 'recursive') && !has(given, 'L', 'dereference');
}

/** `cp --parents a/b c` creates `c/a/b`. The result is outside of `c` if the path of the source contains `..`. */
function copyWithParents(call: CommandCall, source: Arg, dest: Arg, extent: 'one' | 'deep', links?: LinksBelow) {
  const paths = source.below ?? [source.value ?? '..'];
  if (dest.literal === null || (source.value === null && paths.some((path) => /(?:^|\/)\.\.(?:\/|$)/.test(path))))
    return call.unknown(`the place of ${source.text} after ${call.name} --parents is unknown`, source);
  if (source.value === null) return call.write(dest, `${call.name} --parents`, { extent: 'deep', old: 'untouched', links });
  const made = dest.as(`${trimSlashes(dest.literal)}/${source.value}`);
  call.writeIntermediateFolders(made, `${call.name} --parents`);
  call.write(source.pattern ? made.globbing() : made, call.name, { extent, old: 'untouched', links });
}

function linkHere(call: CommandCall, source: Arg, isSymbolic: boolean) {
  const here = source.as('.');
  if (isSymbolic) call.link(source, here, 'ln', true);
  else {
    call.place([source], here, 'ln', true, 'one', 'sources');
    call.write(source, 'ln', { extent: 'deep', old: 'kept' });
  }
  if (source.literal !== null) call.alias(source.as(basename(source.literal)), source, 'link');
}

function installFiles(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, GNU);
  call.accept(given);
  call.roles(given);
  if (has(given, 'd', 'directory')) {
    for (const o of given.operands) {
      call.write(o, 'install -d');
      call.writeIntermediateFolders(o, 'install -d');
    }
    return;
  }
  const target = option(given, 't', 'target-directory');
  const dest = target ? target.value : given.operands[given.operands.length - 1];
  const sources = target ? given.operands : given.operands.slice(0, -1);
  if (!dest || sources.length === 0) return call.unknown('install needs a source and a destination');
  for (const s of sources) call.read(s, 'install');
  for (const s of sources) call.copiesContent(s, dest);
  const backup = option(given, 'b', 'backup', 'S', 'suffix');
  if (backup) call.unknown('the name of the backup of install is unknown', backup.arg);
  if (has(given, 'D')) call.writeIntermediateFolders(dest, 'install -D');
  call.place(
    sources,
    dest,
    'install',
    target || sources.length > 1 ? true : has(given, 'T', 'no-target-directory') ? false : null,
  );
}

function dd(call: CommandCall) {
  for (const a of call.rest) {
    const m = /^([a-z]+)=/.exec(a.value ?? a.lead);
    if (!m || !/^(?:if|of|bs|ibs|obs|cbs|count|skip|seek|conv|status|iflag|oflag)$/.test(m[1]!)) {
      call.unknown(`${a.text} may become the output of dd`, a);
      continue;
    }
    if (m[1] === 'of') call.write(a.after(3), 'dd of=', { why: 'dd of= writes to a file' });
    else if (m[1] === 'if') {
      call.read(a.after(3), 'dd');
      // If it is split into several words, the end of the last one is known.
      if (a.many) call.read(a, 'dd');
    } else if (a.many) call.unknown(`${a.text} may become the output of dd`, a);
  }
}

/** `chmod MODE FILE…`, `chown OWNER FILE…`. */
function mode(call: CommandCall, t: OptionTable) {
  // A mode such as -x or -rwx looks like an option.
  const first = call.rest.findIndex((a) => /^-[rwxXst]+$/.test(a.literal ?? ''));
  if (call.name === 'chmod' && first >= 0) call.args = call.args.filter((_, i) => i !== first + 1);
  const given = call.parse(t, GNU);
  call.accept(given);
  const extent = has(given, 'R', 'recursive') ? 'deep' : 'one';
  // If the mode may be several words, all but the first are files.
  const areAllFiles = (call.name === 'chmod' && first >= 0) || has(given, 'reference') || given.operands[0]?.several;
  const files = areAllFiles ? given.operands : given.operands.slice(1);
  for (const f of files) call.write(f, call.name, { extent, what: 'entry', why: `${call.name} changes rights or owners` });
}

function truncate(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, GNU);
  call.accept(given);
  call.roles(given);
  for (const f of given.operands) call.write(f, 'truncate');
}

function remove(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, GNU);
  // If each match of a glob contains a dot or a digit, it cannot be an option: `rm *.log`.
  const flaggy = given.operands.find((o) => o === given.flaggy || mayBeOption(o));
  const harmless =
    flaggy === given.flaggy &&
    given.operands.every((o) => !mayBeOption(o) || (o.pattern && /[.0-9_]/.test(o.value!.replace(/\[[^\]]*(?:\]|$)/g, ''))));
  call.accept(given, harmless);
  const extent = has(given, 'r', 'R', 'recursive') ? 'deep' : 'one';
  for (const f of given.operands)
    call.write(f, extent === 'deep' ? `${call.name} -r` : call.name, {
      extent,
      what: 'entry',
      why: `${call.name} removes files`,
    });
  if (call.name === 'rmdir' && has(given, 'p', 'parents')) call.unknown('rmdir -p removes parents too');
}

export const files: CommandEntry[] = [
  {
    names: 'cp gcp',
    options:
      '-abdfilLHPnprRsTuvxZ -S: -t: --archive --attributes-only --backup? --copy-contents --force --interactive --link --dereference --no-clobber --no-dereference --preserve? --no-preserve: --parents --recursive --reflink? --remove-destination --sparse: --strip-trailing-slashes --symbolic-link --suffix: --target-directory: --no-target-directory --update? --verbose --one-file-system --debug',
    handle: copy,
  },
  {
    names: 'mv gmv',
    options:
      '-bfinTuvZ -S: -t: --backup? --force --interactive --no-clobber --strip-trailing-slashes --suffix: --target-directory: --no-target-directory --update? --verbose --debug --no-copy --exchange',
    handle: copy,
  },
  {
    names: 'ln',
    options:
      '-bdFfiLnPrsTv -S: -t: --backup? --directory --force --interactive --logical --no-dereference --physical --relative --symbolic --suffix: --target-directory: --no-target-directory --verbose',
    handle: copy,
    examples: { 'ln -s ../a': 'writes', 'ln -sb ../a': 'unknown' },
  },
  {
    names: 'link',
    handle: (call) => {
      const given = call.parse(NO_OPTIONS);
      call.accept(given);
      const [source, name] = given.operands;
      if (!source || !name || given.operands.length > 2) return call.unknown('link takes two operands');
      call.write(source, 'link', {
        old: 'kept',
        why: 'link gives a file a second name, and a write to that name changes the file',
      });
      call.place([source], name, 'link', false, 'one', 'sources');
    },
    examples: { 'link a b': 'writes', 'link a': 'unknown' },
  },
  {
    names: 'install',
    options:
      '-bcCdDpsTvZ -g: -m: -o: -S: -t: --backup? --compare --directory --group: --mode: --owner: --preserve-timestamps --strip --suffix: --target-directory: --no-target-directory --verbose',
    handle: installFiles,
  },
  {
    names: 'rm grm',
    options: '-fiIrRdv --force --interactive? --one-file-system --no-preserve-root --preserve-root? --recursive --dir --verbose',
    handle: remove,
  },
  { names: 'rmdir', options: '-pv --ignore-fail-on-non-empty --parents --verbose', handle: remove },
  {
    names: 'shred',
    options: '-fuvxz -n: -s: --force --iterations: --random-source:r --size: --remove? --verbose --exact --zero',
    handle: remove,
  },
  { names: 'unlink', operands: 'write' },
  { names: 'trash trash-put rimraf del', options: '-rf', operands: 'write-deep' },
  {
    names: 'touch',
    options: '-acfhm -d: -r:l -t: --no-create --date: --no-dereference --reference:l --time:',
    operands: 'write',
    traits: ['any-option'],
    style: GNU,
  },
  {
    names: 'mkdir',
    options: '-pvZ -m: --parents --verbose --mode:',
    handle: (call, t) => {
      const given = call.parse(t, GNU);
      call.accept(given);
      for (const o of given.operands) {
        call.write(o, 'mkdir', { what: 'entry' });
        if (has(given, 'p', 'parents')) call.writeIntermediateFolders(o, 'mkdir -p');
      }
    },
    examples: { 'mkdir -p a/b': 'writes', 'mkdir "$x"': 'unknown' },
  },
  { names: 'mkfifo mknod', options: '-Z -m: --mode:', operands: 'write' },
  { names: 'truncate', options: '-co -r:l -s: --no-create --io-blocks --reference:l --size:', handle: truncate },
  { names: 'dd', handle: dd },
  {
    names: 'chmod chown chgrp',
    options:
      '-cfvhRHLP --changes --silent --quiet --verbose --no-preserve-root --preserve-root --reference:l --recursive --dereference --no-dereference --from:',
    handle: mode,
  },
];
