// modes import and export: convert modes and permissions of another system, in either direction. Without --write they only show
// the result.

import { configure, layeredSources } from '../../app/dry-run.ts';
import { findPackageRoot } from '../../app/own-package.ts';
import { loadConfiguration } from '../../config/load.ts';
import { MODES_FILE } from '../../config/names.ts';
import { configFolderOf, homeOf } from '../../facts/paths/place.ts';
import { importCcSessions } from '../importers/cc-sessions.ts';
import { importClaudeSettings } from '../importers/claude-settings.ts';
import { importStopped } from '../importers/existing-settings.ts';
import { exportRoo } from '../importers/roo-export.ts';
import { importRoo, ROO_FILE } from '../importers/roo-import.ts';
import type { NotImported, Transfer } from '../importers/types.ts';
import { withFiles } from '../importers/write.ts';
import { governed, requireMode, startFolder } from './open.ts';
import { refuse, refuseBroken } from './refuse.ts';
import type { Terminal } from './terminal.ts';
import { carryOver, refuseRoot, type TransferOptions } from './transfer.ts';

export interface ImportOptions extends TransferOptions {
  /** For claude-settings: the mode that gets the rules. */
  mode?: string;
  /** Also imports allow lines that permit more than one kind of call. */
  wide?: boolean;
}

/** Name of the mode for a project that has none. */
const firstMode = 'work';

export const importFromRoo = (file: string | undefined, options: TransferOptions, terminal: Terminal): Promise<number> =>
  finish('import roo', (root) => importRoo(root, file ?? ROO_FILE), options, terminal);

export const importFromCcSessions = (options: TransferOptions, terminal: Terminal): Promise<number> =>
  finish('import cc-sessions', (root) => importCcSessions(root, findPackageRoot()), options, terminal);

export const importFromSettings = (options: ImportOptions, terminal: Terminal): Promise<number> =>
  finish('import claude-settings', (root) => fromSettings(root, options), options, terminal);

/** Without --mode, each line is added to the modes in which it has no effect at present. */
function fromSettings(root: string, { mode, wide = false }: ImportOptions): Transfer | NotImported | Promise<Transfer> {
  const { topology, problems } = loadConfiguration(root);
  if (topology === null && !problems.some(({ code }) => code === 'E_NO_MODES'))
    return { error: `${MODES_FILE} has errors; run modes validate to see them.` };
  if (mode !== undefined && topology !== null) requireMode(mode, topology.modes);
  const home = homeOf(process.env);
  const at = { root, configFolder: configFolderOf(process.env), home, env: process.env, packageRoot: findPackageRoot() };
  if (mode === undefined && topology !== null) return importStopped(at, wide);
  const modes = topology === null ? null : [...topology.modes.keys()];
  return importClaudeSettings({ root, mode: mode ?? firstMode, home, modes, isWideToo: wide });
}

/** The result must be a configuration without errors, or nothing is written. */
async function finish(
  verb: string,
  read: (root: string) => Transfer | NotImported | Promise<Transfer>,
  options: TransferOptions,
  terminal: Terminal,
): Promise<number> {
  const root = startFolder(options.project);
  const refused = refuseRoot(root);
  const transfer = refused === null ? await read(root) : { error: refused };
  if ('error' in transfer) return refuse({ code: 'E_IN_THE_WAY', message: transfer.error, remedy: null }, options, terminal);
  const snapshot = withFiles(layeredSources(root, null), transfer.files);
  const { problems } = await configure(snapshot, { root, trusted: false, env: process.env, packageRoot: findPackageRoot() });
  const broken = problems.filter(({ severity }) => severity === 'error');
  if (broken.length > 0) return refuseBroken(broken, options, terminal);
  const next = 'Review and approve it with modes trust.';
  return carryOver({ root, transfer, verb, next }, options, terminal);
}

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
