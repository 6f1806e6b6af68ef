// Patches: merge, statistics, application.
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import { has, type OptionTable, option } from '../options.ts';

export const patches: CommandEntry[] = [
  {
    names: 'diff3',
    options: '-AeEimTx3X -L: --show-all --text --merge --strip-trailing-cr --initial-tab --label: --easy-only --show-overlap',
    operands: 'read',
  },
  {
    names: 'diffstat',
    options: '-bcCklmqrRtTuv -f: -n: -N: -p: -w: -D:',
    handle: diffstat,
    examples: {
      'diffstat -p1 a.diff': 'read-only',
      'diffstat ./*.patch': 'read-only',
      'git diff | diffstat': 'read-only',
      "diffstat 'a$(touch pwned).gz'": 'unknown',
      'diffstat *.gz': 'unknown',
      'diffstat "$x"': 'unknown',
    },
  },
  {
    names: 'patch',
    options:
      '-p: -R -N -s -f -E -l -u -c -n -b -d: -i:r -o:w -r:w -F: --strip: --reverse --forward --dry-run --silent --quiet --input:r --force --directory: --verbose --binary --backup --unified --output:w --reject-file:w --remove-empty-files --no-backup-if-mismatch --fuzz: --ignore-whitespace --batch -t --merge? --posix --version',
    handle: patch,
    examples: { 'patch --dry-run -p1 < x.diff': 'read-only', 'patch -p1 < x.diff': 'unknown' },
  },
];

/** It passes the name of a compressed file to a shell in double quotes. */
function diffstat(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  for (const o of given.operands) {
    if (o.value === null || /["$`\\]/.test(o.value) || (o.pattern && !/\.(?:diff|patch|txt)$/.test(o.value)))
      call.unknown('diffstat may run a part of the name in a shell', o);
    call.read(o, 'diffstat');
  }
}

/** The files that a patch on standard input names, as far as its text is known. */
export function readPatched(call: CommandCall, via: string, strip: string | null) {
  const text = 'text' in call.stdin ? (call.stdin.text ?? '') : '';
  for (const [, name] of text.matchAll(/^(?:---|\+\+\+|\*\*\*|Index:) ([^\t\n]+)/gm)) {
    const parts = name!.split('/');
    // Without a number, patch uses the last part of the name or the whole name.
    for (const count of strip === null ? [0, parts.length - 1] : [Number(strip)])
      if (parts.length > count) call.read(call.args[0]!.as(parts.slice(count).join('/')), via);
  }
}

function patch(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  for (const o of given.operands) if (o.literal !== '-') call.read(o, 'patch');
  readPatched(call, 'patch', option(given, 'p', 'strip')?.value?.literal ?? null);
  if (has(given, 'dry-run', 'version')) return;
  call.unknown('patch writes the files that the patch names');
  const [file] = given.operands;
  if (file?.literal && !has(given, 'o', 'output', 'd', 'directory'))
    for (const end of ['', '.orig', '.rej']) call.write(file.as(file.literal + end), 'patch');
}
