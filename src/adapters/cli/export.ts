// modes export roo: the modes of this project for Roo Code. Without --write it only shows them.
import { loadConfiguration } from '../../config/load.ts';
import { homeOf } from '../../facts/paths/place.ts';
import { exportRoo } from '../importers/roo-export.ts';
import { governed } from './open.ts';
import { refuse, refuseBroken } from './refuse.ts';
import type { Terminal } from './terminal.ts';
import { carryOver, refuseRoot, type TransferOptions } from './transfer.ts';

export function exportToRoo(options: TransferOptions, terminal: Terminal): number {
  const { root } = governed(options.project);
  const configuration = loadConfiguration(root);
  const broken = configuration.problems.filter(({ severity }) => severity === 'error');
  if (broken.length > 0) return refuseBroken(broken, options, terminal);
  const refused = refuseRoot(root);
  const transfer = refused === null ? exportRoo({ root, home: homeOf(process.env), configuration }) : { error: refused };
  if ('error' in transfer) return refuse({ code: 'E_IN_THE_WAY', message: transfer.error, remedy: null }, options, terminal);
  return carryOver({ root, transfer, verb: 'export roo', next: 'Roo Code reads it immediately.' }, options, terminal);
}
