// Programs that display the contents of object files.
import type { Arg } from '../arg.ts';
import type { CommandCall } from '../call.ts';
import type { CommandEntry } from '../entry.ts';
import type { OptionTable } from '../options.ts';

/** The first word that may name a file with options. */
export function wordOfOptions(call: CommandCall): Arg | undefined {
  return call.rest.find((word) => word.lead.startsWith('@') || (word.literal === null && word.lead === '' && !word.below));
}

/** Programs of binutils read options, including plugins, from a file given as `@file`, even after `--` and as a value. */
function binaries(call: CommandCall, t: OptionTable) {
  const given = call.parse(t);
  call.accept(given);
  call.roles(given);
  const word = wordOfOptions(call);
  if (word) call.unknown(`${word.text || 'a word'} may name a file of options`, word);
  for (const o of given.operands) call.read(o, call.name);
}

/** All of its options are harmless, but a file with options may name files to read. */
function strings(call: CommandCall, t: OptionTable) {
  const given = call.parse(t, ['digits']);
  call.accept(given, true);
  const word = call.rest.find((one) => one.lead.startsWith('@'));
  if (word) call.unknown(`${word.text} names a file of options`, word);
  for (const o of given.operands) call.read(o, 'strings');
}

export const binutils: CommandEntry[] = [
  {
    // Here -j takes no value.
    names: 'nm',
    options:
      '-aABCDglnopPruvSW -t: -j --debug-syms --demangle? --dynamic --extern-only --just-symbols --numeric-sort --undefined-only --defined-only --print-size --format: --radix: --version',
    handle: binaries,
    examples: { 'nm a.o': 'read-only', 'nm -- @options': 'unknown', 'nm -j --plugin=x a.o': 'unknown' },
  },
  {
    names: 'objdump readelf size otool',
    options:
      '-aABCDfgnopPruvSsxhdlwWHeLtTR --debug-syms --demangle? --dynamic --extern-only --numeric-sort --undefined-only --defined-only --print-size --all --headers --file-header --section-headers --program-headers --symbols --relocs --notes --wide --syms --disassemble -j: -M: --section: --format: --radix: --version',
    handle: binaries,
    examples: { 'objdump -tT a.o': 'read-only', 'objdump -j @options a.o': 'unknown' },
  },
  {
    names: 'strings',
    options: '-adfo -n: -t: -e: -T: -s: -w --all --bytes: --radix: --encoding: --print-file-name',
    style: ['digits'],
    traits: ['any-option'],
    handle: strings,
    examples: { 'strings -n 8 a': 'read-only', 'strings $x': 'read-only', 'strings @options': 'unknown' },
  },
  {
    names: 'c++filt addr2line',
    options:
      '-_afinpst -e:r -j: --exe:r --functions --demangle? --basenames --inlines --pretty-print --no-params --strip-underscore --version',
    handle: binaries,
    examples: { 'c++filt _Z1fv': 'read-only', 'addr2line -e a -f 0x1': 'read-only', 'c++filt @f': 'unknown' },
  },
];
