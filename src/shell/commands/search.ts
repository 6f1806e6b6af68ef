// Programs that find and list files.

import type { HowRead, Skips } from '../../model/command.ts';
import { type Arg, argOf, type LinkFollowing } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { classifyFind } from '../languages/find.ts';
import { type Given, has, type OptionTable } from '../options.ts';
import { ANYTHING } from '../state.ts';
import { followsLinks } from './links.ts';
import { listsBelow, printsNames } from './verbs.ts';

function rg(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  const isUnderstood = call.accept(given);
  call.roles(given);
  if (has(given, 'V', 'version', 'type-list', 'h', 'help')) return;
  const pattern = has(given, 'e', 'regexp', 'f', 'file', 'files');
  const files = pattern ? given.operands : given.operands.slice(1);
  const follows = followsLinks('rg', given);
  const how: HowRead = has(given, 'files')
    ? { what: 'names' }
    : { extent: 'deep', follows, skips: isUnderstood ? skipsOfRg(given, call.cwds) : null };
  for (const f of files) if (f.literal !== '-') call.read(f, 'rg', how);
  // The value of an unknown option may look like the folder.
  if (given.problem !== null || files.every((f) => f.many || f.vanishes)) call.readHere('rg', how);
  if (
    isUnderstood &&
    has(given, 'l', 'files-with-matches', 'files-without-match') &&
    !has(given, 'files', 'path-separator', 'json')
  )
    printsNames(call, files, skipsOfRg(given, call.cwds), !follows);
  // Matches inside files add no reads, because the files are already read.
  if (!has(given, 'files')) return;
  const skips = isUnderstood ? skipsOfRg(given, call.cwds) : null;
  listsBelow(call, files, skips, { files: true, isWithoutLinks: !follows });
}

/** Names of the entries of a folder, without the folder. */
function ls(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['abbreviations']);
  call.accept(given, true);
  for (const o of given.operands) {
    call.read(o, call.name, { what: 'names' });
    if (o.value !== null) call.lists({ text: o.value, how: o.pattern ? 'glob' : 'one' });
  }
  if (given.operands.length === 0) call.readHere(call.name, { what: 'names' });
  if (has(given, 'R', 'recursive')) return listsBelow(call, given.operands, null);
  if (has(given, 'd', 'directory') || (given.operands.length > 0 && given.operands.every((o) => o.pattern))) return;
  call.lists({ text: '*', how: 'glob' });
  if (has(given, 'a', 'A', 'f', 'all', 'almost-all')) call.lists({ text: '.*', how: 'glob' });
}

/** Files that ripgrep leaves out, by its options and its defaults. */
function skipsOfRg({ options }: Given, cwds: readonly string[] | null): Skips {
  const names = options.map((o) => o.name);
  const unrestricted = names.filter((name) => name === 'u' || name === 'unrestricted').length;
  const isOff = names.some((name) => name.startsWith('no-ignore') && name !== 'no-ignore-messages') || unrestricted > 0;
  const globs = options.flatMap(({ name, value }): Skips['globs'] => {
    if (!/^(?:g|i?glob)$/.test(name)) return [];
    // An unknown pattern may include files that would be left out otherwise.
    const text = value?.literal ?? '**';
    const skip = text.startsWith('!');
    if (!skip && (name === 'iglob' || names.includes('glob-case-insensitive'))) return [{ text: '**', skip, of: 'any' }];
    return [{ text: skip ? text.slice(1) : text, skip, of: 'any' }];
  });
  const types = options.flatMap(({ name, value }) => (name === 't' || name === 'type' ? (value?.literal ?? '') : []));
  return {
    style: 'rg',
    hidden: !names.includes('hidden') && !names.includes('.') && unrestricted < 2,
    ignored: !isOff,
    globs,
    types: names.includes('type-add') ? [] : types,
    base: cwds?.length === 1 ? cwds[0]! : null,
  };
}

/** The number after -A and similar options is optional. Any other word is the pattern or an option. */
function countsLines(call: CommandCall, given: Given) {
  for (const { name, value, flag, arg } of given.options)
    if (/^(?:[ABC]|(?:after|before)(?:-context)?|context)$/.test(name) && !value?.int && !/^\d+$/.test(value?.literal ?? ''))
      call.unknown(`the number of lines that ${call.name} ${flag} shows is unknown`, arg);
}

function ag(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['strict-values']);
  call.accept(given);
  call.roles(given);
  countsLines(call, given);
  const files = has(given, 'g') ? given.operands : given.operands.slice(1);
  const how: HowRead = has(given, 'g') ? { what: 'names' } : { extent: 'deep', follows: followsLinks('ag', given) };
  for (const f of files) call.read(f, 'ag', how);
  if (given.problem !== null || files.every((f) => f.many || f.vanishes)) call.readHere('ag', how);
}

/** ack -f lists the files. With -g the first word is a pattern for their names. */
function ack(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['strict-values']);
  call.accept(given);
  countsLines(call, given);
  const files = has(given, 'f', 'match') ? given.operands : given.operands.slice(1);
  const how = { extent: 'deep', follows: true } as const;
  for (const f of files) if (f.literal !== '-') call.read(f, 'ack', how);
  if (given.problem !== null || files.every((f) => f.many || f.vanishes)) call.readHere('ack', how);
}

/** Placeholder for a path that fd found, or for a part of its name. */
const PLACEHOLDER = /\{(?:\/\/|\/\.|[/.])?\}|\{\{|\}\}/;

/** The words after -x up to a semicolon are run for each result. */
function fd(call: CommandCall, t: OptionTable) {
  const at = call.args.findIndex((a) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(a.literal ?? ''));
  const inner = at < 0 ? null : call.args.slice(at + 1);
  if (at >= 0) call.args = call.args.slice(0, at);
  const given = call.parse(t);
  call.accept(given);
  const runs = given.options.find((o) => /^(?:[xX]|exec|exec-batch|base-directory|search-path)$/.test(o.name));
  if (runs && (inner || /^(?:[xX]|exec)/.test(runs.name)))
    call.unknown('the command and the folder of fd -x are unknown', runs.arg);
  const folders = given.problem === null ? given.operands.slice(1) : [];
  const links = followsLinks('fd', given) ? 'followed' : 'named';
  // The commands that it runs print too.
  if (inner) call.prints(ANYTHING);
  if (inner) fdRuns(call, inner, folders.length > 0 ? folders : null, links, skipsOfFd(given));
  for (const f of folders) call.read(f, 'fd', { what: 'names' });
  if (folders.length === 0) call.readHere('fd', { what: 'names' });
  const kinds = given.options.filter(({ name }) => name === 't' || name === 'type');
  const isFiles = kinds.length > 0 && kinds.every(({ value }) => /^f(?:ile)?$/.test(value?.literal ?? ''));
  listsBelow(call, folders, skipsOfFd(given), { files: isFiles, isWithoutLinks: isFiles && links === 'named' });
}

/** fd leaves out the same files as ripgrep. */
function skipsOfFd(given: Given): Skips {
  const endings = given.options
    .filter(({ name }) => name === 'e' || name === 'extension')
    .map(({ value }) => value?.literal ?? '*');
  const isAll = has(given, 'u', 'unrestricted');
  return {
    style: 'rg',
    hidden: !isAll && !has(given, 'H', 'hidden'),
    ignored: !isAll && !given.options.some(({ name }) => name === 'I' || name.startsWith('no-ignore')),
    globs: [],
    types: [],
    base: null,
    ...(endings.length > 0 && { globs: endings.map((ending) => ({ text: `*.${ending}`, skip: false, of: 'any' as const })) }),
  };
}

function fdRuns(call: CommandCall, words: Arg[], folders: Arg[] | null, links: LinkFollowing, skips: Skips): void {
  const option = call.args[0]!;
  const open = words.find((w) => w.many || (w.literal === null ? ';'.startsWith(w.lead) : w.literal === ';'));
  if (open) call.unknown('the end of the command after fd -x is unknown', open);
  if (words.length === 0) {
    call.unknown('fd -x lacks its command', option);
    return;
  }
  // Older versions omit the ./ before results in the current folder.
  const found = (w: Arg) =>
    folders
      ? call.found(w, folders, true, links, skips)
      : argOf({ text: w.text, pos: w.pos, end: w.end, below: ['.'], skips, links, files: links === 'none', many: true });
  const named = words.some((w) => PLACEHOLDER.test(w.literal ?? ''));
  const inner = words.map((w) => {
    const pieces = (w.literal ?? '').split(PLACEHOLDER);
    if (w.literal === '{}') return found(w);
    const { text, pos, end } = w;
    return pieces.length === 1 ? w : argOf({ lead: pieces[0]!, outlines: [pieces], many: pieces[0] === '', text, pos, end });
  });
  if (!named) inner.push(found(words.at(-1)!));
  call.host.runWords(inner, call.freshState(), option, { kind: 'file' });
}

export const search: CommandEntry[] = [
  { names: 'find gfind bfs', version: '--help --version', handle: classifyFind },
  {
    names: 'ls dir vdir gls',
    // In one implementation, a number follows -T. In the other, nothing does, and the number is a harmless operand.
    options:
      '-aAbBcCdDefFgGhHiklLmnNoOpPqQrRsStuUvWxXZ1@% -I: -T? -w: --all --almost-all --author --escape --block-size: --ignore-backups --color? --directory --dired --classify? --file-type --format: --full-time --group-directories-first --no-group --human-readable --si --dereference-command-line --dereference-command-line-symlink-to-dir --hide: --hyperlink? --indicator-style: --inode --ignore: --kibibytes --dereference --numeric-uid-gid --literal --hide-control-chars --show-control-chars --quote-name --quoting-style: --reverse --recursive --size --sort: --time: --time-style: --tabsize: --width: --context --zero --help --version',
    traits: ['any-option'],
    handle: ls,
  },
  {
    names: 'rg',
    options:
      '-nNHIlciswvxoUPFSzLquabpV.h0 -A: -B: -C: -e: -f:r -g: -t: -T: -m: -M: -r: -j: -d: -E: -u --line-number --no-line-number --with-filename --no-filename --files-with-matches --files-without-match --count --count-matches --ignore-case --case-sensitive --smart-case --word-regexp --line-regexp --invert-match --only-matching --multiline --multiline-dotall --pcre2 --fixed-strings --after-context: --before-context: --context: --regexp: --file:r --glob: --iglob: --type: --type-not: --type-list --max-count: --max-columns: --max-columns-preview --replace: --threads: --max-depth: --encoding: --hidden --no-hidden --no-ignore --no-ignore-vcs --no-ignore-parent --no-ignore-dot --no-ignore-global --no-ignore-files --no-config --follow --quiet --files --unrestricted --text --binary --null --null-data --vimgrep --heading --no-heading --color: --colors: --column --no-column --json --stats --trim --sort: --sortr: --passthru --pretty --debug --trace --version --help --no-messages --no-ignore-messages --one-file-system --path-separator: --field-match-separator: --field-context-separator: --context-separator: --engine: --crlf --byte-offset --block-buffered --line-buffered --mmap --no-mmap --include-zero --no-unicode --max-filesize: --dfa-size-limit: --regex-size-limit: --type-add: --ignore-file:r --glob-case-insensitive --auto-hybrid-regex --no-require-git --search-zip',
    handle: rg,
  },
  {
    names: 'fd fdfind',
    options:
      '-HIusigFaLp0lqVh1 -d: -t: -e: -E: -S: -c: -j: -o: -x: -X: --hidden --no-ignore --no-ignore-vcs --no-ignore-parent --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --relative-path --follow --full-path --print0 --list-details --quiet --max-depth: --min-depth: --exact-depth: --type: --extension: --exclude: --size: --changed-within: --changed-before: --color: --threads: --owner: --max-results: --show-errors --strip-cwd-prefix? --and: --exec: --exec-batch: --path-separator: --one-file-system --prune --version --help --base-directory:l --search-path:l --max-buffer-time: --no-global-ignore-file',
    handle: fd,
    examples: {
      'fd -e ts -x wc -l': 'read-only',
      'fd -e ts . src -X sed -n 1p {}': 'read-only',
      'fd -e json -x jq -r .name {}': 'read-only',
      'fd -e ts -X sed -n 1p': 'unknown',
      'fd -e ts . src -x sed -i s/a/b/': 'writes',
      'fd -x rm': 'unknown',
      'fd -x sh -c {}': 'unknown',
      'fd -x grep foo \\; -x rm': 'unknown',
      'fd -x grep "$x" -x rm': 'unknown',
      'fd -Hx rm': 'unknown',
      'fd --exec=rm': 'unknown',
      'fd -x': 'unknown',
      'fd --base-directory d -x cat': 'unknown',
      'fd --search-path d -x cat': 'unknown',
    },
  },
  {
    // --pager is not listed, because it starts a program.
    names: 'ag',
    version: '--version -V --help -h --list-file-types',
    options:
      '-acDFfHiLloQsStUuvwz0 -A: -B: -C: -g: -G: -m: -p:r -W: --after: --before: --context: --count --break --nobreak --color --nocolor --column --filename --nofilename --heading --noheading --group --nogroup --files-with-matches --files-without-matches --only-matching --print-long-lines --numbers --nonumbers --stats --stats-only --vimgrep --null --print0 --all-types --depth: --follow --fixed-strings --file-search-regex: --hidden --ignore-case --ignore: --ignore-dir: --max-count: --one-device --path-to-ignore:r --literal --case-sensitive --smart-case --search-binary --all-text --unrestricted --skip-vcs-ignores --invert-match --word-regexp --width: --search-zip --silent --js --ts --python --go --rust --java --ruby --cpp --json --yaml --md',
    handle: ag,
    examples: {
      'ag -i foo src': 'read-only',
      'ag -C 2 --hidden foo': 'read-only',
      'ag -g foo': 'read-only',
      'ag --pager=x foo': 'unknown',
      'ag -A --pager=x foo': 'unknown',
      'ag -A "$x" foo': 'unknown',
      'ag $x': 'unknown',
    },
  },
  {
    // --pager, --output and --ackrc are not listed: they start a program, evaluate a text, or name a file with such options. Old
    // versions also take them from a file of the project.
    names: 'ack',
    version: '--version --help --help-types --help-colors --man',
    loads: '.ackrc _ackrc',
    options:
      '-icvwlLfgoQHhnrRkSIsu1 -A: -B: -C: -m: -t: -T: --ignore-case --no-ignore-case --smart-case --no-smart-case --literal --invert-match --word-regexp --files-with-matches --files-without-matches --count --with-filename --no-filename --max-count: --after-context: --before-context: --context: --column --no-column --break --nobreak --heading --noheading --group --nogroup --color --nocolor --colour --nocolour --flush --follow --nofollow --recurse --no-recurse --known-types --type: --ignore-dir: --ignore-directory: --ignore-file: --noignore-dir: --sort-files --show-types --passthru --match: --range-start: --range-end: --noenv --nopager --no-pager --js --ts --python --go --rust --java --ruby --cpp --cc --json --yaml --md --html --css --php --perl --shell --sql',
    handle: ack,
    examples: {
      "ack 'TODO' --type=js": 'read-only',
      'ack -i foo src': 'read-only',
      'ack -C 2 --js foo': 'read-only',
      'ack -f': 'read-only',
      'ack -A foo src': 'unknown',
      'git ls-files | ack -x foo': 'unknown',
      'ack --pager=x foo': 'unknown',
      "ack --output='$1' foo": 'unknown',
      'ack --ackrc=f foo': 'unknown',
      'ack --create-ackrc': 'unknown',
      'ack -A --pager=x foo': 'unknown',
      'ack --files-from=f foo': 'unknown',
      'ack $x': 'unknown',
    },
  },
  {
    names: 'stat',
    options: '-Lftx -c: --format: --printf: --dereference --file-system --terse',
    operands: 'list',
    traits: ['any-option'],
  },
  {
    names: 'file',
    options:
      '-bchiIkLNnprsSvz0E -F: -P: -e: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --separator: --version --help',
    operands: 'read',
  },
  {
    // -f names a file with names, and --database a folder with rules.
    names: 'mimetype',
    options:
      '-abdDhuiLMvN --all --brief --describe --debug --help --usage --mimetype --dereference --magic-only --noalign --separator: --language: --file-compat --version',
    operands: 'read',
    examples: { 'mimetype a.txt': 'read-only', 'mimetype -b a b': 'read-only', 'mimetype -f names': 'unknown' },
  },
  {
    names: 'readlink realpath',
    options:
      '-femnqsvzLP -s --canonicalize --canonicalize-existing --canonicalize-missing --no-newline --quiet --silent --verbose --zero --relative-to: --relative-base: --strip --no-symlinks --logical --physical',
    operands: 'list',
    traits: ['any-option'],
  },
  { names: 'basename', options: '-az -s: --multiple --suffix: --zero', operands: 'text', traits: ['any-option'] },
  { names: 'dirname', options: '-z --zero', operands: 'text', traits: ['any-option'] },
  { names: 'pathchk', options: '-pP --portability', operands: 'text', traits: ['any-option'] },
  { names: 'which whereis', options: '-abmslu', operands: 'text', traits: ['any-option'] },
  {
    names: 'du',
    options:
      '-0abcDHhklLmPsSx -B: -d: -t: -X:r --null --all --apparent-size --block-size: --bytes --total --dereference-args --max-depth: --files0-from:n --human-readable --inodes --dereference --count-links --no-dereference --separate-dirs --si --summarize --threshold: --time? --time-style: --exclude-from:r --exclude: --one-file-system',
    operands: 'list',
    here: 'list',
    traits: ['any-option'],
  },
];
