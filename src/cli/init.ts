// modes init: starts a project from a preset.
import fs from 'node:fs';
import { configFolderOf, dataFolderOf, homeOf } from '../tools/place.ts';
import { listPresets, planSetup, runSetup, setupText } from '../workflow/setup.ts';
import { insideClient } from './inside.ts';
import { findProject, ownRoot, startFolder } from './open.ts';
import { exits, type Terminal } from './terminal.ts';

/** Sessions that run in the project go on with what was set up. */
async function adoptPresent(root: string): Promise<void> {
  (await findProject(root))?.adopt('all');
}

export interface InitOptions {
  project?: string;
  json?: boolean;
  preset?: string;
  yes?: boolean;
  list?: boolean;
}

export async function init(options: InitOptions, terminal: Terminal): Promise<number> {
  const packageRoot = ownRoot();
  if (options.list) {
    const presets = listPresets(packageRoot);
    terminal.out(options.json ? JSON.stringify(presets) : presets.join('\n'));
    return exits.fine;
  }
  const inside = insideClient(process.env);
  if (inside !== null) {
    terminal.err(
      `modes init is for a person in a terminal of their own, and ${inside}. Inside the client a person types /modes:setup.`,
    );
    return exits.wrong;
  }
  const root = startFolder(options.project);
  const plan = planSetup({
    root,
    preset: options.preset ?? 'tdd',
    packageRoot,
    configFolder: configFolderOf(process.env),
    home: homeOf(process.env),
  });
  if ('error' in plan) {
    terminal.err(plan.error);
    return exits.wrong;
  }
  if (plan.steps.length === 0) {
    terminal.out(options.json ? JSON.stringify({ root, done: [] }) : 'Everything is set up already.');
    return exits.fine;
  }
  if (!options.yes) {
    terminal.err(setupText(plan));
    const yes = await terminal.ask(`Write this to ${root}?`);
    if (yes !== true) {
      terminal.err(yes === null ? 'Nobody can be asked here: modes init --yes writes without asking.' : 'Nothing was written.');
      return exits.wrong;
    }
  }
  const dataFolder = dataFolderOf(process.env);
  const done = runSetup(plan, dataFolder, new Date());
  await adoptPresent(root);
  fs.writeFileSync(`${dataFolder}/node`, `${process.execPath}\n`, { mode: 0o600 });
  terminal.out(options.json ? JSON.stringify({ root, done }, null, 2) : done.join('\n'));
  return exits.fine;
}
