// Archives and compressors.

import type { HowRead } from '../../model/command.ts';
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable, option } from '../options.ts';
import { followsLinks } from './links.ts';
import { sentFile } from './verbs.ts';

const TAR =
  '-AcdrtuxkUOpPszjJZaSGniBhlvRom -f: -C: -T:x -X:r -g:w -b: -N: -V: -L! -M! -F! -I! --create --catenate --concatenate --diff --compare --append --list --update --extract --get --test-label --delete --file: --directory: --files-from:x --exclude-from:r --exclude: --exclude-vcs --exclude-vcs-ignores --exclude-backups --exclude-caches --exclude-ignore: --gzip --gunzip --ungzip --bzip2 --xz --zstd --lzma --lzip --lzop --compress --uncompress --auto-compress --no-auto-compress --verbose --verbatim-files-from --wildcards --no-wildcards --wildcards-match-slash --no-wildcards-match-slash --anchored --no-anchored --ignore-case --strip-components: --to-stdout --overwrite --overwrite-dir --no-overwrite-dir --keep-old-files --keep-newer-files --skip-old-files --keep-directory-symlink --unlink-first --recursive-unlink --same-permissions --preserve-permissions --no-same-permissions --same-owner --no-same-owner --numeric-owner --touch --owner: --group: --mode: --mtime: --sort: --format: --posix --old-archive --portability --label: --sparse --dereference --hard-dereference --no-recursion --recursion --null --no-null --one-file-system --absolute-names --totals? --checkpoint? --block-number --full-time --utc --force-local --ignore-zeros --ignore-failed-read --no-ignore-command-error --newer: --newer-mtime: --after-date: --occurrence? --one-top-level? --show-defaults --show-omitted-dirs --quoting-style: --index-file:w --listed-incremental:w --incremental --blocking-factor: --record-size: --transform: --xform: --delay-directory-restore --no-delay-directory-restore --xattrs --no-xattrs --acls --selinux --warning: --no-unquote --add-file:r --help --version';

/** `tar xzf a.tgz`: letters without a dash, followed by their values in order. */
function modern(args: Arg[]): Arg[] | null {
  const first = args[1];
  if (!first || first.literal === null || first.literal.startsWith('-')) return args;
  if (!/^[A-Za-z]+$/.test(first.literal)) return null;
  const out: Arg[] = [args[0]!];
  let next = 2;
  for (const c of first.literal) {
    out.push(first.as(`-${c}`).at(first));
    if ('fCTXgHbNVLFIK'.includes(c)) {
      const v = args[next++];
      if (!v || v.many) return null;
      out.push(v);
    }
  }
  return [...out, ...args.slice(next)];
}

/** The current folder. */
function here(call: CommandCall): Arg {
  return call.args[0]!.as('.').at(call.args[0]!);
}

function tar(call: CommandCall, t: OptionTable) {
  const args = modern(call.args);
  if (!args) return call.unknown('the arguments of tar are not understood');
  call.args = args;
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (has(given, 'help', 'version', 'show-defaults')) return;
  for (const { name, value } of given.options)
    if (value && (name === 'T' || name === 'files-from')) {
      if (value.value !== '-') call.read(value, 'tar -T');
      call.readNamesIn(value, 'tar -T', { extent: 'deep' });
    }
  const modes: [string, string[]][] = [
    ['extract', ['x', 'extract', 'get']],
    ['create', ['c', 'create']],
    ['list', ['t', 'list']],
    ['compare', ['d', 'diff', 'compare']],
    ['change', ['r', 'u', 'A', 'append', 'update', 'catenate', 'concatenate', 'delete']],
  ];
  const chosen = modes.filter(([, names]) => has(given, ...names)).map(([m]) => m);
  if (chosen.length !== 1) return call.unknown('the operation of tar is not understood');
  const mode = chosen[0]!;
  const files = given.options.filter((o) => o.name === 'f' || o.name === 'file').map((o) => o.value!);
  for (const f of files) {
    if (f.literal === null) call.unknown('the archive is unknown', f);
    else if (f.literal.includes(':') && !has(given, 'force-local'))
      call.unknown('tar connects to another host through a program', f);
  }
  const folders = given.options.filter((o) => o.name === 'C' || o.name === 'directory').map((o) => o.value!);
  const archive = files[files.length - 1];
  // Names before -C are relative to the folder where tar was started.
  const turn = given.options.find((o) => o.name === 'C' || o.name === 'directory');
  const inFront = turn ? given.operands.filter((o) => call.args.indexOf(o) < call.args.indexOf(turn.arg)) : given.operands;
  if (mode === 'create' || mode === 'change') {
    if (!archive) call.unknown('the archive that tar writes is unknown');
    else if (archive.literal !== '-')
      call.write(archive, `tar -${mode === 'create' ? 'c' : 'r'}`, { why: 'tar writes an archive' });
    const follows = followsLinks('tar', given);
    for (const o of inFront) call.read(o, 'tar', { extent: 'deep', follows });
    // bsdtar reads such a word as another archive and adds its entries.
    for (const o of given.operands) sentFile(call, o, /^@/);
    for (const f of folders) call.read(f, 'tar', { extent: 'deep', follows });
    return;
  }
  if (archive && archive.literal !== '-') call.read(archive, 'tar');
  if (mode === 'compare') {
    const compared = [...inFront, ...folders];
    for (const o of compared.length > 0 ? compared : [here(call)])
      call.read(o, 'tar -d', { extent: 'deep', follows: followsLinks('tar', given) });
  }
  if (mode !== 'extract' || has(given, 'O', 'to-stdout')) return;
  const why = 'tar -x writes the files of the archive';
  const start = here(call);
  if (turn && inFront.length > 0) {
    call.write(start, 'tar -x', { extent: 'deep', old: 'untouched', links: 'any', why });
    call.linksBelow(start);
  }
  if (has(given, 'P', 'absolute-names')) call.unknown('tar -P writes outside the folder');
  if (folders.length > 1) call.unknown('tar changes folders several times');
  const top = option(given, 'one-top-level');
  if (folders[0] && top?.value && !/^[.-]*\w[\w.-]*$/.test(top.value.literal ?? ''))
    call.unknown('tar may leave the folder', top.arg);
  const dest = folders[0] ?? top?.value ?? start;
  call.write(dest, 'tar -x', { extent: 'deep', old: 'untouched', links: 'any', why });
  call.linksBelow(dest);
}

/** It has its own pattern syntax, and the usual file extension can be omitted. */
function readZip(call: CommandCall, archive: Arg | undefined) {
  if (!archive || archive.literal === '-') return;
  const name = archive.literal;
  call.read(name !== null && /[*?[]/.test(name) ? archive.globbing() : archive, call.name);
  if (name !== null && !/\.zip$/i.test(name)) for (const end of ['.zip', '.ZIP']) call.read(archive.as(name + end), call.name);
}

function unzip(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  const archive = given.operands[0];
  readZip(call, archive);
  // After the archive, any other option is the name of a member.
  const late = given.options.find(
    (o) => archive && call.args.indexOf(o.arg) > call.args.indexOf(archive) && !/^[dx]$/.test(o.name),
  );
  if (late) call.unknown(`unzip reads ${late.flag} as a name after the archive`, late.arg);
  if (has(given, 'l', 'v', 't', 'p', 'c', 'z', 'Z') || !archive) return;
  const folder = option(given, 'd')?.value ?? call.args[0]!.as('.').at(archive);
  call.write(folder, 'unzip', { extent: 'deep', old: 'untouched', links: 'any', why: 'unzip writes the files of the archive' });
  call.linksBelow(folder);
}

/** `zip -T` and `zip -sf` with only an archive read it. The first one passes its name to a shell in double quotes. */
function looksAtZip(call: CommandCall): boolean {
  const [how, archive] = call.rest;
  const name = archive?.literal ?? '-';
  if (call.rest.length !== 2 || !/^-(?:q?T|Tq|sf)$/.test(how?.literal ?? '') || /^-|["$`\\]/.test(name)) return false;
  readZip(call, archive);
  return true;
}

function zip(call: CommandCall, t: OptionTable) {
  if (looksAtZip(call)) return;
  const given = call.parse(t);
  call.accept(given);
  if (has(given, 'sf', 'h', 'v') && given.operands.length === 0) return;
  const archive = given.operands[0];
  if (!archive) return;
  const list = option(given, 'x', 'i');
  if (list && call.args.indexOf(list.arg) < call.args.indexOf(archive))
    return call.unknown('the archive that zip writes is unknown', list.arg);
  for (const o of given.operands.slice(1)) call.read(o, 'zip', { extent: 'deep', follows: followsLinks('zip', given) });
  if (archive.literal === '-') return;
  call.write(archive, 'zip', { why: 'zip writes an archive' });
  if (archive.literal !== null && !/\.[^./]*$/.test(archive.literal))
    call.write(archive.as(`${archive.literal}.zip`), 'zip', { why: 'zip writes an archive' });
}

interface Endings {
  /** The extension that it adds. */
  own: string;
  /** The extensions that it removes, and those that it replaces with `.tar`. */
  taken: RegExp;
  archives: RegExp;
  /** Extensions that it tries if a file does not exist. */
  tried?: string[];
}

const GZIP: Endings = { own: '.gz', taken: /(?:[._-]z|[.-]gz|\.zz)$/i, archives: /\.t[ag]z$/i, tried: ['.gz', '.z', '-z', '.Z'] };
const PIGZ_ZLIB: Endings = { ...GZIP, own: '.zz' };
const BZIP2: Endings = { own: '.bz2', taken: /\.bz2?$/, archives: /\.tbz2?$/ };
const XZ: Endings = { own: '.xz', taken: /\.(?:xz|lzma|lz)$/, archives: /\.t(?:xz|lz)$/ };
const LZMA: Endings = { ...XZ, own: '.lzma' };
const ZSTD: Endings = { own: '.zst', taken: /\.(?:zst|gz|xz|lzma|lz4)$/, archives: /\.t(?:zst|gz|xz|lz4)$/ };
const COMPRESS_ITSELF: Endings = { ...GZIP, own: '.Z' };
const ENDINGS: Record<string, Endings> = {
  gzip: GZIP,
  gunzip: GZIP,
  pigz: GZIP,
  'pigz -z': PIGZ_ZLIB,
  compress: COMPRESS_ITSELF,
  uncompress: COMPRESS_ITSELF,
  bzip2: BZIP2,
  bunzip2: BZIP2,
  xz: XZ,
  unxz: XZ,
  lzma: LZMA,
  unlzma: LZMA,
  zstd: ZSTD,
  unzstd: ZSTD,
  lz4: { own: '.lz4', taken: /\.lz4$/, archives: /$^/ },
};

/** Reads a file, or the file whose extension was omitted. */
export function readPacked(call: CommandCall, file: Arg, program: string, how: HowRead = {}) {
  call.read(file, call.name, how);
  const { taken, tried = [] } = ENDINGS[program] ?? {};
  if (file.literal !== null && !taken?.test(file.literal))
    for (const ending of tried) call.read(file.as(file.literal + ending), call.name);
}

/** Names that a compressor creates next to a file. */
function namesBeside(program: string, file: string, unpacks: boolean): string[] {
  const { own, taken, archives, tried = [] } = ENDINGS[program]!;
  const out = [file + own];
  if (!unpacks) return out;
  for (const ending of tried) out.push(file + ending);
  if (taken.test(file)) out.push(file.replace(taken, ''));
  else if (archives.test(file)) out.push(file.replace(archives, '.tar'));
  else if (own === '.bz2') out.push(`${file}.out`);
  return out;
}

function compress(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['digits']);
  call.accept(given);
  call.roles(given);
  const files = given.operands.filter((o) => o.literal !== '-');
  // With several modes, some programs use the last one. `lz4 -l` compresses, and bzip2 continues after it prints its version.
  const listing = call.name === 'lz4' || call.name.startsWith('b') ? ['list'] : ['l', 'list'];
  const telling = call.name.startsWith('b') ? ['h', 'help'] : ['V', 'version', 'h', 'help', 'L', 'license'];
  const looks = has(given, 't', 'test', ...listing) && !has(given, 'd', 'z', 'decompress', 'uncompress', 'compress');
  if (looks || has(given, 'c', 'stdout', 'to-stdout', ...telling) || files.length === 0) {
    for (const f of files) readPacked(call, f, call.name);
    if (call.name === 'lz4' && (files.length > 1 || files[0]?.several))
      call.unknown('lz4 writes its second operand', files.at(-1));
    return;
  }
  // zstd writes to the named file and keeps its input files.
  if (call.name.endsWith('zstd') && has(given, 'o')) {
    for (const f of files) call.read(f, call.name);
    return;
  }
  const extent = has(given, 'r', 'recursive') ? 'deep' : 'one';
  if (has(given, 'S', 'suffix', 'F', 'format', 'N', 'name'))
    call.unknown(`the name of the output file of ${call.name} is unknown`);
  // lz4 decides by the file extension.
  const unpacks = /^un|^bun|^gun|^lz4$/.test(call.name) || has(given, 'd', 'decompress', 'uncompress');
  for (const f of files) {
    call.write(f, call.name, { extent, what: 'entry', old: 'kept', why: `${call.name} replaces its files` });
    if (f.literal === null) continue;
    // pigz -z selects the zlib format. In other programs the letter only selects compression.
    const program = call.name === 'pigz' && has(given, 'z') ? 'pigz -z' : call.name;
    for (const name of new Set(namesBeside(program, f.literal, unpacks)))
      call.write(f.as(name), call.name, { why: `${call.name} writes the file under another name` });
  }
}

function cpio(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  if (!has(given, 't', 'list')) call.unknown('cpio without -t writes files or an archive');
  if (given.options.some((o) => /^[FI]$|^file$/.test(o.name) && /:/.test(o.value?.literal ?? ':')))
    call.unknown('cpio connects to another host through a program');
  const isAsked = (form: RegExp) => call.rest.some((word) => form.test(word.lead));
  if (!isAsked(/^(?:-[A-Za-z]*[op]|--create|--pass)/)) return;
  call.readInputs('cpio', { extent: 'deep', follows: false });
  // Hard links are second names of the files.
  if (isAsked(/^(?:-[A-Za-z]*l|--link)/))
    for (const name of call.inputNames()?.names ?? [])
      call.write(call.appended().name(name), 'cpio -l', {
        extent: 'deep',
        what: 'entry',
        why: 'cpio -l makes links to its files',
      });
}

/** `7z l` and `7z t`. A word that begins with @ is a file with names. */
/** The files that go into an archive. `@list` names a file with names. */
function packs(call: CommandCall, files: readonly Arg[]) {
  for (const file of files)
    if (file.lead.startsWith('@')) call.readNamesIn(file.after(1), call.name, { extent: 'deep' });
    else call.read(file, call.name, { extent: 'deep' });
}

function sevenZip(call: CommandCall) {
  const [verb, ...words] = call.rest;
  if (verb && !/^[lt]$/.test(verb.literal ?? '')) {
    call.unknown(`${call.name} writes files or an archive`, verb);
    const folder = words.find((word) => /^-o./.test(word.literal ?? ''));
    if (folder) call.write(folder.after(2), `${call.name} -o`, { extent: 'deep', old: 'untouched', links: 'any' });
    if (/^[au]$/.test(verb.literal ?? '')) packs(call, words.filter(({ lead }) => !lead.startsWith('-')).slice(1));
    return;
  }
  for (const word of words) {
    if (word.literal === null || /^@/.test(word.literal)) call.unknown(`${word.text || 'a word'} may be a file of names`, word);
    else if (!word.literal.startsWith('-')) call.read(word, call.name);
    else if (!/^-(?:slt|ba|bd|r|ssc|p.*)$/.test(word.literal)) call.unknown(`${call.name} ${word.literal} is unknown`, word);
  }
}

const COMPRESS =
  '-0123456789cdfhklLnNqrtvVz --stdout --to-stdout --decompress --uncompress --force --help --keep --list --license --no-name --name --quiet --recursive --test --verbose --version --fast? --best --compress';

export const archive: CommandEntry[] = [
  {
    names: 'tar gtar bsdtar',
    options: TAR,
    handle: tar,
    examples: {
      'tar tf a.tar': 'read-only',
      'tar -xOf a.tar b': 'read-only',
      'tar xzf a.tgz -C out': 'writes',
      'tar xf a.tar b -C out': 'writes',
      'tar -tf a.tar --to-command=x': 'unknown',
      'tar -tf host:a.tar': 'unknown',
      // For one implementation of tar this is a switch, and for the other it takes the next word as its value.
      'tar -c -f a.tar -H -fb.tar c': 'unknown',
      'tar cHf ustar a.tar b': 'unknown',
      'tar --format=ustar -cf a.tar b': 'writes',
    },
  },
  {
    names: 'unzip',
    options: '-lvtpczZ1nofqjaCLUX -d: -x -P:',
    handle: unzip,
    examples: {
      'unzip -l a.zip': 'read-only',
      'unzip -p a.zip b': 'read-only',
      'unzip a.zip -d out': 'writes',
      'unzip a.zip b -l': 'unknown',
    },
  },
  {
    names: 'zipinfo',
    options: '-12smlvhtTzCM',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      readZip(call, given.operands[0]);
    },
    examples: { 'zipinfo -1 a.zip': 'read-only', 'zipinfo a.zip b': 'read-only' },
  },
  {
    names: 'zip',
    options: '-rq0123456789jDuvXyg -x -i -h',
    handle: zip,
    examples: {
      'zip -q a.zip b': 'writes',
      'zip -T a.zip': 'read-only',
      'zip -sf a.zip': 'read-only',
      'zip -T -TT x a.zip': 'unknown',
      "zip -T 'a$(x).zip'": 'unknown',
      'zip -T $x': 'unknown',
      'zip -T -m': 'unknown',
    },
  },
  {
    names: 'gzip gunzip uncompress pigz bzip2 bunzip2 compress',
    // -M takes no value here.
    options: `${COMPRESS} -mMs -S: --suffix: --rsyncable --synchronous --small`,
    handle: compress,
    examples: {
      'gzip -k a': 'writes',
      'gzip -9c a': 'read-only',
      'gzip -M a': 'writes',
      'gzip -dc a.gz': 'read-only',
      'gunzip -t a.gz': 'read-only',
    },
  },
  {
    names: 'xz unxz lzma unlzma',
    options: `${COMPRESS} -es -S: -T: -M: -F: -C: --suffix: --threads: --memlimit: --memory: --format: --check: --extreme --no-warn --single-stream --no-sparse`,
    handle: compress,
    examples: { 'xz -k a': 'writes', 'xz -F lzma a': 'unknown' },
  },
  { names: 'lz4', options: `${COMPRESS} -D:r -T? --rm! --sparse --no-sparse --content-size`, handle: compress },
  {
    names: 'zstd unzstd',
    options: `${COMPRESS} -o:w -b! -B? -D:r -T? -M? --ultra --long? --rm! --no-progress --sparse --no-sparse --check --no-check --adapt --content-size --exclude-compressed --rsyncable --threads: --memory: --format?`,
    handle: compress,
    examples: {
      'zstd -dc a.zst': 'read-only',
      'zstd -d a.zst -o a': 'writes',
      'zstd --rm a -o b': 'unknown',
      'zstd --check a': 'writes',
      'zstd -S a': 'unknown',
    },
  },
  {
    names: 'zcat gzcat bzcat xzcat lzcat zstdcat lz4cat',
    options: '-cdfhklLnNqrtvV --stdout --force --help --quiet --verbose --version --decompress',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      for (const o of given.operands) if (o.literal !== '-') readPacked(call, o, /^g?zcat$/.test(call.name) ? 'gzip' : call.name);
    },
    examples: { 'zcat a.gz': 'read-only', 'zstdcat -o x a.zst': 'unknown' },
  },
  {
    names: 'ar',
    handle: (call) => {
      if (!/^-?[tp][vo]*$/.test(call.rest[0]?.literal ?? '')) call.unknown('ar changes an archive');
      for (const a of call.rest.slice(1))
        if (a.literal === null || /^[-@]/.test(a.literal)) call.unknown(`${a.text || 'a word'} may be an option of ar`, a);
        else call.read(a, 'ar');
    },
    examples: { 'ar t a.a': 'read-only', 'ar t --plugin x a.a': 'unknown' },
  },
  {
    names: 'cpio',
    // cpio rejects two modes in one command.
    options: '-itvnBcd -I:r -H: -F:r --list --extract --verbose --numeric-uid-gid --quiet --file:r --format:',
    handle: cpio,
    examples: {
      'cpio -t < a.cpio': 'read-only',
      'cpio -itv < a.cpio': 'read-only',
      'cpio -i < a.cpio': 'unknown',
      'cpio -o < list': 'unknown',
    },
  },
  {
    names: '7z 7za 7zz 7zr',
    handle: sevenZip,
    examples: {
      '7z l a.7z': 'read-only',
      '7z t -ba a.7z': 'read-only',
      '7z x a.7z': 'unknown',
      '7z l a.7z @list': 'unknown',
      '7z l -o$x a.7z': 'unknown',
    },
  },
  {
    names: 'unrar',
    verbs: { 'l|lt|lta|lb|v|vt|vta|vb|t': { options: '-p:', operands: 'read' } },
    examples: { 'unrar l a.rar': 'read-only', 'unrar x a.rar': 'unknown' },
  },
  {
    names: 'pax',
    handle: (call) => {
      call.unknown('pax is not understood');
      const modes = call.rest.filter(({ literal }) => /^-[rw]+$/.test(literal ?? '')).map(({ literal }) => literal);
      if (!modes.some((mode) => mode?.includes('w'))) return;
      const files = call.rest.filter(({ lead }) => !lead.startsWith('-'));
      const isCopy = modes.some((mode) => mode?.includes('r'));
      for (const file of isCopy ? files.slice(0, -1) : files) call.read(file, 'pax', { extent: 'deep' });
    },
    examples: { 'pax -rw . out': 'unknown', 'pax -r < a': 'unknown' },
  },
  {
    names: 'rar zipsplit zipnote',
    handle: (call) => call.unknown(`${call.name} is not understood`),
    examples: { 'rar a x b': 'unknown' },
  },
];
