// Programs that display files, folders, or pages.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import type { OptionTable } from '../options.ts';
import { readPacked } from './archive.ts';

function less(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['digits']);
  call.accept(given);
  // Text after a number, or after a dollar sign, is read as further options.
  for (const o of given.options) {
    if (o.value === null) continue;
    const text = o.value.literal;
    if (text === null || (/^[pP]$/.test(o.name) ? text.includes('$') : !/^[\d.,-]+$/.test(text)))
      call.unknown(`${call.name} ${o.flag} may hold further options`, o.arg);
  }
  for (const o of given.operands) {
    if (o.lead.startsWith('+') && !/^\+(?:\d+|G|g|F)$/.test(o.literal ?? '')) call.unknown(`${call.name} runs what follows +`, o);
    else if (o.literal !== '-') call.read(o, call.name);
  }
}

export const viewers: CommandEntry[] = [
  {
    names: 'tree',
    options:
      '-adflxshDFiqNQpugCAnrtcUvX -L: -P: -I: -H: -T: -J --dirsfirst --filesfirst --noreport --du --prune --gitignore --gitfile:r --charset: --filelimit: --timefmt: --sort? --matchdirs --ignore-case --inodes --device --si --metafirst --hintro!  --version --help --fromfile! --info',
    style: ['detached-values'],
    operands: 'list',
    here: 'list',
    examples: { 'tree -L 2 -I x': 'read-only', 'tree -Po x pwned': 'unknown', 'tree --fromfile a': 'unknown' },
  },
  {
    names: 'less',
    options:
      '-aABcCdeEfFgGiIJLmMnNqQrRsSuUVwWX -h: -j: -p: -x: -y: -z: -P: --chop-long-lines --raw-control-chars --RAW-CONTROL-CHARS --quit-if-one-screen --quit-at-eof --QUIT-AT-EOF --no-init --line-numbers --LINE-NUMBERS --ignore-case --squeeze-blank-lines --version --help',
    handle: less,
    examples: { 'less -R a': 'read-only', "less '+!touch x' a": 'unknown', 'less -o log a': 'unknown' },
  },
  {
    names: 'more',
    options: '-dflpcsuV -n: --silent --logical --print-over --clean-print --squeeze --plain --lines: --no-pause --exit-on-eof',
    handle: less,
  },
  { names: 'most pg bzless bzmore xzless xzmore lzless lzmore', class: 'unknown', traits: ['any-option'], operands: 'read' },
  {
    names: 'zless zmore',
    handle: (call, t) => {
      call.unknown(`${call.name} may start other programs`);
      for (const o of call.parse(t).operands) readPacked(call, o, 'gzip');
    },
  },
  {
    names: 'bat batcat',
    options:
      '-AnpPfuhVd -l: -r: -H: -m: --plain --number --show-all --language: --line-range: --highlight-line: --file-name: --style: --color: --theme: --paging: --decorations: --wrap: --tabs: --terminal-width: --force-colorization --diff --diff-context: --list-languages --list-themes --no-config --italic-text: --map-syntax: --squeeze-blank --strip-ansi: --ignored-suffix: --chop-long-lines -S --unbuffered --version --help',
    handle: (call, t) => {
      const given = call.parse(t);
      call.accept(given);
      for (const o of given.operands) {
        if (o.literal === 'cache') call.unknown('bat cache changes its cache', o);
        else call.read(o, 'bat');
      }
    },
  },
  {
    names: 'eza exa lsd',
    options:
      '-1laAdDfFghHikKlmnrRStTuUxXGBb -L: -s: -I: -w: --long --all --tree --level: --git --git-ignore --icons? --no-icons --group-directories-first --sort: --reverse --oneline --recurse --classify? --color? --colour? --header --inode --links --modified --created --accessed --time-style: --octal-permissions --total-size --only-dirs --only-files --ignore-glob: --almost-all --version',
    operands: 'list',
    here: 'list',
  },
  {
    names: 'man',
    version: '--version',
    options: '-kfwWaK --apropos --whatis --where --path --all',
    handle: (call, t) => {
      const given = call.parse(t, ['digits']);
      call.accept(given);
      for (const o of given.operands)
        if (o.literal === null || !/^[\w.+:@[-]+$/.test(o.literal)) call.unknown('the page that man shows is unknown', o);
    },
  },
  { names: 'apropos whatis', options: '-ewr', operands: 'text' },
];
