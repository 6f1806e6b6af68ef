// Programs that follow symbolic links below the folders that they search.
import { type Given, has } from '../options.ts';

/** `on`: follows links only with one of these options. `off`: follows links unless one of these options is given. */
const PROGRAMS: Readonly<Record<string, { on: string } | { off: string }>> = {
  grep: { on: 'R dereference-recursive' },
  rg: { on: 'L follow' },
  ag: { on: 'f follow' },
  fd: { on: 'L follow' },
  tar: { on: 'h dereference L H' },
  zip: { off: 'y symlinks' },
  cp: { on: 'L dereference' },
  rsync: { on: 'L copy-links k copy-dirlinks copy-unsafe-links' },
};

/** Also true for a program without a row, and if an option is not understood. */
export function followsLinks(program: string, given: Given): boolean {
  const row = PROGRAMS[program];
  if (row === undefined || given.problem !== null) return true;
  return 'on' in row ? has(given, ...row.on.split(' ')) : !has(given, ...row.off.split(' '));
}
