// modes init --harness: registers the hooks of Modes with another coding agent. --undo removes them.
import fs from 'node:fs';
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { placeOf } from '../../facts/paths/place.ts';
import { nearest } from '../../platform/nearest-name.ts';
import { forbidden } from '../../workflow/team.ts';
import { keepOriginals } from '../harnesses/originals.ts';
import { changesText, planHarness, writeChanges } from '../harnesses/setup.ts';
import { harnesses } from '../harnesses/table.ts';
import type { Harness } from '../harnesses/types.ts';
import { insideClient } from './inside.ts';
import { governed } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

/** The flags as the command line gives them. */
export interface HarnessOptions {
  harness: string;
  project?: string;
  json?: boolean;
  yes?: boolean;
  undo?: boolean;
}

/** Throws `UsageError` if there is no such harness. */
export function requireHarness(name: string): Harness {
  const harness = harnesses.get(name);
  if (harness !== undefined) return harness;
  const near = nearest(name, [...harnesses.keys()]);
  const instead = near === null ? `use one of ${[...harnesses.keys()].join(', ')}` : `did you mean ${near}?`;
  throw new UsageError(`there is no harness ${JSON.stringify(name)}; ${instead}`);
}

/** The launcher of the package that runs. */
export const launcherOf = (packageRoot: string): string => path.join(packageRoot, 'hooks/harness.sh');

export async function initHarness(options: HarnessOptions, terminal: Terminal): Promise<number> {
  const harness = requireHarness(options.harness);
  const inside = insideClient(process.env);
  if (inside !== null)
    return refuse(
      { code: 'E_INSIDE_CLIENT', message: `Only a person may run modes init, in their own terminal, but ${inside}.` },
      options,
      terminal,
    );
  const { root, dataFolder } = governed(options.project);
  const packageRoot = findPackageRoot();
  const why = forbidden(placeOf(root, process.env, packageRoot), 'trust');
  if (options.undo && why !== null)
    return refuse({ code: 'E_FORBIDDEN', message: `Nothing was undone: ${why}` }, options, terminal);
  const plan = planHarness({ root, harness, launcher: launcherOf(packageRoot), undo: options.undo === true, dataFolder });
  if ('error' in plan) return refuse({ code: 'E_IN_THE_WAY', message: plan.error, remedy: null }, options, terminal);
  if (plan.length > 0 && !options.yes) {
    terminal.err(changesText(plan));
    const answer = await terminal.ask(`${options.undo ? 'Undo' : 'Write'} this in ${root}?`);
    if (answer !== true)
      return refuse(
        answer === null
          ? { code: 'E_NOBODY', message: 'Not an interactive terminal.', remedy: 'Use --yes to continue without asking.' }
          : { code: 'E_DECLINED', message: 'Nothing was changed.' },
        options,
        terminal,
      );
  }
  const done = writeChanges(root, plan);
  keepOriginals(dataFolder, root, plan, options.undo === true);
  // The launcher finds this Node even if it is not in PATH.
  if (!options.undo) fs.writeFileSync(path.join(dataFolder, 'node'), `${process.execPath}\n`, { mode: 0o600 });
  const nothing = options.undo ? 'Nothing to undo.' : 'Everything is already set up.';
  terminal.out(options.json ? toJson<'init'>({ root, done }, 2) : done.length === 0 ? nothing : done.join('\n'));
  if (!options.json && !options.undo) terminal.err(`${harness.afterSetup}\nThen run modes doctor --harness ${harness.name}.`);
  return exits.fine;
}
