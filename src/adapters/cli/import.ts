// modes import: converts another system's modes and permissions to modes of this project. Without --write it only shows them.

import { configure, layeredSources } from '../../app/dry-run.ts';
import { findPackageRoot } from '../../app/own-package.ts';
import { loadConfiguration } from '../../config/load.ts';
import { MODES_FILE } from '../../config/names.ts';
import { homeOf } from '../../facts/paths/place.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';
import { importCcSessions } from '../importers/cc-sessions.ts';
import { importClaudeSettings } from '../importers/claude-settings.ts';
import { importRoo, ROO_FILE } from '../importers/roo-import.ts';
import type { NewFile, NotImported, Transfer } from '../importers/types.ts';
import { requireMode, startFolder } from './open.ts';
import { refuse, refuseBroken } from './refuse.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './terminal.ts';
import { carryOver, refuseRoot, type TransferOptions } from './transfer.ts';

export interface ImportOptions extends TransferOptions {
  /** For claude-settings: the mode that gets the rules. */
  mode?: string;
}

/** Name of the mode for a project that has none. */
const firstMode = 'work';

export const importFromRoo = (file: string | undefined, options: TransferOptions, terminal: Terminal): Promise<number> =>
  finish('import roo', (root) => importRoo(root, file ?? ROO_FILE), options, terminal);

export const importFromCcSessions = (options: TransferOptions, terminal: Terminal): Promise<number> =>
  finish('import cc-sessions', (root) => importCcSessions(root, findPackageRoot()), options, terminal);

export const importFromSettings = (options: ImportOptions, terminal: Terminal): Promise<number> =>
  finish('import claude-settings', (root) => fromSettings(root, options.mode), options, terminal);

function fromSettings(root: string, named: string | undefined): Transfer | NotImported {
  const { topology, problems } = loadConfiguration(root);
  if (topology === null && !problems.some(({ code }) => code === 'E_NO_MODES'))
    return { error: `${MODES_FILE} has errors; run modes validate to see them.` };
  const modes = topology === null ? null : [...topology.modes.keys()];
  if (named !== undefined && topology !== null) requireMode(named, topology.modes);
  const mode = named ?? (modes === null ? firstMode : modes.length === 1 ? (modes[0] as string) : null);
  if (mode === null) throw new UsageError(`name the mode that gets the rules with --mode: ${modes?.join(', ')}`);
  return importClaudeSettings({ root, mode, home: homeOf(process.env), modes });
}

/** The result must be a configuration without errors, or nothing is written. */
async function finish(
  verb: string,
  read: (root: string) => Transfer | NotImported,
  options: TransferOptions,
  terminal: Terminal,
): Promise<number> {
  const root = startFolder(options.project);
  const refused = refuseRoot(root);
  const transfer = refused === null ? read(root) : { error: refused };
  if ('error' in transfer) return refuse({ code: 'E_IN_THE_WAY', message: transfer.error, remedy: null }, options, terminal);
  const content = textWith(layeredSources(root, null), transfer.files);
  const { problems } = await configure(content, { root, trusted: false, env: process.env, packageRoot: findPackageRoot() });
  const broken = problems.filter(({ severity }) => severity === 'error');
  if (broken.length > 0) return refuseBroken(broken, options, terminal);
  const next = 'modes trust shows and approves it;';
  return carryOver({ root, transfer, verb, next }, options, terminal);
}

/** The current content with these files of the project added. */
function textWith(present: ConfigSnapshot, files: readonly NewFile[]): ConfigSnapshot {
  return present.map((sources) => {
    if (sources.layer !== 'project') return sources;
    const byName = new Map([...sources.files, ...files].map((file) => [file.name, file]));
    return { ...sources, files: [...byName.values()], vanished: false, signature: '' };
  });
}
