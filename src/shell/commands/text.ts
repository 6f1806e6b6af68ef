// Programs that read text and print text.

import type { HowRead, Skips } from '../../model/command.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { classifyAwk } from '../languages/awk.ts';
import { classifySed } from '../languages/sed.ts';
import { type Given, has, type OptionTable, type ParseStyle } from '../options.ts';
import { readPacked } from './archive.ts';
import { followsLinks } from './links.ts';
import { printsNames } from './verbs.ts';

const GNU: ParseStyle = ['abbreviations'];
const HELP = ' --help --version';

/** `sort`, `uniq`, `shuf`, `xxd`: operands are inputs, and the output is an option or the second operand. */
function secondIsOutput(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, call.name === 'xxd' ? ['digits', 'single-dash', 'posix', 'attached-numbers'] : ['digits']);
  call.accept(given);
  call.roles(given);
  const [input, output, more] = given.operands;
  if (input && input.literal !== '-') call.read(input, call.name);
  if (input?.several) call.unknown(`${call.name} may write to a second file`, input);
  if (output) call.write(output, call.name, { why: `the second operand of ${call.name} is written` });
  if (more) call.unknown(`${call.name} with more than two operands is not understood`, more);
}

function sort(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['abbreviations', 'digits']);
  // In the old syntax `+1 -2`, the first key is an operand here.
  call.accept(given);
  call.roles(given);
  for (const o of given.operands) if (o.literal !== '-') call.read(o, 'sort');
}

function tee(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, GNU);
  call.accept(given);
  for (const o of given.operands) call.write(o, 'tee', { why: 'tee writes its operands' });
}

/** In the client's shell, the bare name runs ugrep. If a folder is named, ugrep searches its files, even without -r. */
function isUgrep(call: CommandCall): boolean {
  return call.name === 'grep' && !call.external && !call.skipFunctions;
}

/**
 * An unknown word is harmless. grep itself can neither write files nor start programs. The client's shell runs grep in place of
 * ugrep if a word could be a harmful option of ugrep.
 */
function grep(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['digits']);
  const isUnderstood = call.accept(given, true);
  call.roles(given);
  const pattern = has(given, 'e', 'regexp', 'f', 'file');
  const skips = isUnderstood && !given.flaggy && /^(?:[ef]|r)?grep$/.test(call.name) ? skipsOfGrep(given) : null;
  const isDeep =
    has(given, 'r', 'R', 'recursive', 'dereference-recursive') ||
    given.options.some((o) => o.name === 'd' && o.value?.literal === 'recurse') ||
    call.name === 'rgrep';
  const isWithin = isUgrep(call) && !given.options.some((o) => o.name === 'd' && o.value?.literal === 'skip');
  const extent = isDeep ? 'deep' : isWithin ? 'within' : 'one';
  const files = pattern ? given.operands : given.operands.slice(1);
  const program = /^z[ef]?grep$/.test(call.name) ? 'gzip' : '';
  const follows = followsLinks('grep', given) || extent === 'within';
  const how: HowRead = extent === 'one' ? { skips } : { extent, skips, follows };
  for (const f of files) if (f.literal !== '-') readPacked(call, f, program, how);
  if (
    isUnderstood &&
    !given.flaggy &&
    !has(given, 'label') &&
    has(given, 'l', 'L', 'files-with-matches', 'files-without-match') &&
    (files.length > 0 || isDeep)
  )
    printsNames(call, files, skips, !follows);
  // If a word may vanish, grep may be left without a folder.
  if ((given.problem !== null || files.every((f) => f.many || f.vanishes)) && isDeep) call.readHere(call.name, how);
}

/** Files that GNU grep leaves out of a folder. */
function skipsOfGrep({ options }: Given): Skips {
  const globs = options.flatMap(({ name, value }): Skips['globs'] => {
    if (name === 'exclude-dir')
      return value?.literal ? [{ text: value.literal.replace(/(?<!\/)\/+$/, ''), skip: true, of: 'folder' }] : [];
    if (name === 'exclude') return value?.literal ? [{ text: value.literal, skip: true, of: 'file' }] : [];
    // If the shell expands the pattern, to names of files that begin with `--include=`, each of them fits it.
    return name === 'include' ? [{ text: value?.value ?? '*', skip: false, of: 'file' }] : [];
  });
  return { style: 'grep', hidden: false, ignored: false, globs, types: [], base: null };
}

export const GREP =
  '-EFGPivwxcolLqsnHhbrRzZaUITyu -e: -f:r -m: -A: -B: -C: -D: -d: --extended-regexp --fixed-strings --basic-regexp --perl-regexp --regexp: --file:r --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match --max-count: --byte-offset --line-number --line-buffered --with-filename --no-filename --label: --only-matching --quiet --silent --binary-files: --text --directories: --devices: --recursive --dereference-recursive --include: --exclude: --exclude-from:r --exclude-dir: --files-without-match --files-with-matches --count --initial-tab --null --before-context: --after-context: --context: --color? --colour? --binary --help --version -V';

export const text: CommandEntry[] = [
  {
    names: 'cat',
    options: `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'read',
  },
  { names: 'tac', options: `-br -s: --before --regex --separator:${HELP}`, style: GNU, traits: ['any-option'], operands: 'read' },
  { names: 'rev', options: `-0 --zero${HELP}`, traits: ['any-option'], operands: 'read' },
  {
    names: 'head',
    options: `-qvz -n: -c: --bytes: --lines: --quiet --silent --verbose --zero-terminated${HELP}`,
    style: ['digits', 'abbreviations'],
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'tail',
    options: `-fFqvzr -n: -c: -s: --bytes: --follow? --lines: --max-unchanged-stats: --pid: --quiet --silent --retry --sleep-interval: --verbose --zero-terminated${HELP}`,
    style: ['digits', 'abbreviations'],
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'wc',
    options: `-clLmw --bytes --chars --lines --files0-from:n --max-line-length --words --total:${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'nl',
    options: `-p -b: -d: -f: -h: -i: -l: -n: -s: -v: -w: --body-numbering: --section-delimiter: --footer-numbering: --header-numbering: --line-increment: --join-blank-lines: --number-format: --no-renumber --number-separator: --starting-line-number: --number-width:${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'cut',
    options: `-nswz -b: -c: -d: -f: --bytes: --characters: --delimiter: --fields: --complement --only-delimited --output-delimiter: --zero-terminated${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'paste',
    options: `-sz -d: --delimiters: --serial --zero-terminated${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'join',
    options: `-iz -a: -e: -j: -1: -2: -o: -t: -v: --ignore-case --check-order --nocheck-order --header --zero-terminated${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'comm',
    options: `-123z --check-order --nocheck-order --output-delimiter: --total --zero-terminated${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'fold',
    options: `-bs -w: --bytes --spaces --width:${HELP}`,
    style: ['digits', 'abbreviations'],
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'fmt',
    options: `-cstu -w: -p: -g: --crown-margin --prefix: --split-only --tagged-paragraph --uniform-spacing --width: --goal:${HELP}`,
    style: ['digits', 'abbreviations'],
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'pr',
    options:
      '-aCcdFfJmNrtTv -D: -e? -h: -i? -l: -n? -N: -o: -s? -S? -w: -W: --across --show-control-chars --double-space --date-format: --expand-tabs? --form-feed --header: --output-tabs? --join-lines --length: --merge --number-lines? --first-line-number: --indent: --no-file-warnings --separator? --sep-string? --omit-header --omit-pagination --show-nonprinting --width: --page-width: --columns: --pages:',
    style: ['digits'],
    traits: ['any-option'],
    operands: 'read',
    examples: { 'pr -t -2 a': 'read-only' },
  },
  {
    names: 'expand unexpand',
    options: `-ia -t: --initial --tabs: --all --first-only${HELP}`,
    style: ['digits'],
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'col',
    options: '-bfhpx -l: --no-backspaces --fine --tabs --pass --spaces --lines:',
    operands: 'none',
    traits: ['any-option'],
  },
  { names: 'colrm', operands: 'text', traits: ['any-option'] },
  { names: 'ul', options: '-i -t: -T: --indicated --terminal:', operands: 'read', traits: ['any-option'] },
  {
    names: 'column',
    version: '--help --version',
    options:
      '-tnexJLd -s: -o: -c: -N: -H: -R: -T: -O: -E: -W: --table --separator: --output-separator: --json --table-name: --table-columns: --table-right: --table-hide: --table-truncate: --table-noextreme: --table-wrap: --table-order: --output-width: --fillrows --keep-empty-lines --table-noheadings',
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'tr',
    options: `-cCdst --complement --delete --squeeze-repeats --truncate-set1${HELP}`,
    style: GNU,
    traits: ['any-option'],
    operands: 'text',
  },
  {
    // Here -e, -f, and -s take no value.
    names: 'od',
    options:
      '-abcCdDefFhHiIlLoOsvxXB -A: -j: -N: -S? -t: -w? --address-radix: --endian: --skip-bytes: --read-bytes: --format: --strings? --output-duplicates --traditional --width?',
    traits: ['any-option'],
    operands: 'read',
    examples: { 'od -An -tx1 a': 'read-only' },
  },
  {
    names: 'hexdump hd',
    options:
      '-abcCdovxX -e: -f:r -n: -s: -L? --one-byte-octal --one-byte-hex --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex --format: --format-file:r --length: --skip: --color? --no-squeezing --help --version -V',
    traits: ['any-option'],
    operands: 'read',
    examples: { 'hexdump -C -n 64 a': 'read-only' },
  },
  {
    names: 'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum shasum',
    options:
      '-bctwqzrsUup -a: -l: --binary --check --tag --text --zero --ignore-missing --quiet --status --strict --warn --algorithm: --length: --untagged --raw --base64 --debug',
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'base64 base32 basenc',
    options: '-dDi -w: -b: --decode --ignore-garbage --wrap: --base64 --base64url --base32 --base16 --z85',
    operands: 'read',
  },
  {
    names: 'sort',
    options: `-bdfgiMhnRrVcCmszu -k: -o:w -S: -t: -T: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source:r --reverse --sort: --version-sort --batch-size: --check? --compress-program:x --debug --files0-from:n --key: --merge --output:w --stable --buffer-size: --field-separator: --temporary-directory: --parallel: --unique --zero-terminated${HELP}`,
    handle: sort,
  },
  {
    names: 'uniq',
    options:
      '-cdDiuz -f: -s: -w: --count --repeated --all-repeated? --skip-fields: --group? --ignore-case --skip-chars: --unique --zero-terminated --check-chars: --help --version',
    handle: secondIsOutput,
  },
  {
    names: 'xxd',
    options:
      '--a --autoskip --b --bits --C --capitalize --c: --cols: --E --EBCDIC --e --g: --groupsize: --h --i --include --l: --len: --n: --name: --o: --p --ps --postscript --plain --r --revert --d --s: --seek: --u --uppercase --v --version',
    handle: secondIsOutput,
    examples: { 'xxd -l64 -g1 a': 'read-only', 'xxd -s -c1 a b': 'writes' },
  },
  {
    names: 'shuf',
    options: '-erz -i: -n: -o:w --echo --input-range: --head-count: --output:w --random-source:r --repeat --zero-terminated',
    operands: 'read',
  },
  { names: 'tsort factor', operands: 'read', traits: ['any-option'] },
  {
    names: 'seq',
    options: '-w -f: -s: --format: --separator: --equal-width',
    style: ['digits'],
    traits: ['any-option'],
    operands: 'text',
  },
  {
    names: 'expr numfmt',
    operands: 'text',
    options:
      '-d: -z --delimiter: --field: --format: --from: --from-unit: --grouping --header? --invalid: --padding: --round: --suffix: --to: --to-unit: --zero-terminated',
    style: ['digits'],
    traits: ['any-option'],
  },
  { names: 'yes', operands: 'text', traits: ['any-option'] },
  { names: 'tee', options: '-aip --append --ignore-interrupts --output-error?', handle: tee },
  {
    names: 'grep egrep fgrep rgrep zgrep zegrep zfgrep bzgrep bzegrep bzfgrep xzgrep xzegrep xzfgrep lzgrep zstdgrep',
    options: GREP,
    handle: grep,
  },
  {
    names: 'diff',
    options:
      '-abBcdeEfHinNpqrstTuvwyZ -C: -D: -F: -I: -L: -S: -U: -W: -x: -X:r --normal --brief --report-identical-files --context? --unified? --ed --rcs --side-by-side --width: --left-column --suppress-common-lines --show-c-function --show-function-line: --label: --expand-tabs --initial-tab --tabsize: --suppress-blank-empty --paginate! --recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --exclude: --exclude-from:r --starting-file: --from-file:r --to-file:r --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines: --text --strip-trailing-cr --ifdef: --line-format: --minimal --horizon-lines: --speed-large-files --color? --palette: --help --version',
    style: ['digits'],
    operands: 'read-within',
  },
  {
    names: 'zdiff zcmp bzdiff bzcmp xzdiff xzcmp',
    options: '-abBilqrsuwy -U: -C: -n:',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      for (const o of given.operands) if (o.literal !== '-') readPacked(call, o, /^z/.test(call.name) ? 'gzip' : '');
      // A single file is compared with the file that it was made from.
      const [only, more] = given.operands;
      if (only && !more) call.read(only.as((only.literal ?? '').replace(/[-.][^-./]*$/, '')), call.name);
    },
    examples: { 'zdiff -u a.gz b.gz': 'read-only', 'zdiff --paginate a.gz b.gz': 'unknown' },
  },
  {
    names: 'cmp',
    options: '-bls -i: -n: --print-bytes --ignore-initial: --verbose --bytes: --quiet --silent',
    traits: ['any-option'],
    operands: 'read',
  },
  {
    names: 'sed gsed',
    handle: classifySed,
    examples: {
      'n=$(wc -l < a); sed -n "$((n-10)),${n}p" a': 'read-only',
      'n=$(wc -l < a); sed -n $((n-10)),$((n+10))p a': 'read-only',
      'n=$(wc -l < a); sed -i "$((n-10)),${n}d" a': 'writes',
      'n=$(wc -l < a); sed -n "$((n-10)),${n}w b" a': 'unknown',
      'n=$(wc -l < a); sed "$((n-10))e" a': 'unknown',
      'n=$(wc -l < a); sed -n -e p "$((n-10)),${n}p" a': 'unknown',
      'n=$(wc -l < a); sed -n "$((n-10)),${n}p" $x': 'unknown',
      'n=$(wc -l < a); sed -n "$((n-10))$x" a': 'unknown',
      'sed -n "$((a)),5p" a': 'unknown',
      // If `1e` is a folder, grep prints the names of files in it, and the script contains a command.
      'n=$(grep -c x 1e); sed -n "5,${n}p" a': 'read-only',
      'm=$(wc -l < b); n=$(grep -c x 1e); sed -n "${m},${n}p" a': 'read-only',
      'm=$(wc -l < b); n=$(grep -c x 1e); sed -n "5,${n}p;$((m-1))p" a': 'unknown',
      'm=$(wc -l < b); n=$(grep -c x 1e); sed -n "${n},$((m-1))p" a': 'unknown',
      'm=$(wc -l < b); n=$(grep -c x 1e); awk "NR<=${n} || NR==$((m-1))" a': 'unknown',
    },
  },
  { names: 'awk gawk mawk nawk original-awk', handle: classifyAwk },
];
