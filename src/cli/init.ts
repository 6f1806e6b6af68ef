// modes init: starts a project from a preset; --undo takes that back.
import fs from 'node:fs';
import { configFolderOf, dataFolderOf, homeOf } from '../tools/place.ts';
import { listPresets, planSetup, runSetup, setupText } from '../workflow/setup.ts';
import { endedBy, planUndo, runUndo, undoText } from '../workflow/undo.ts';
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
  undo?: boolean;
  /** False with --no-statusline. */
  statusline?: boolean;
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
  if (options.undo) return undo(root, options, terminal);
  const plan = planSetup({
    root,
    preset: options.preset ?? 'tdd',
    packageRoot,
    configFolder: configFolderOf(process.env),
    home: homeOf(process.env),
    statusLine: options.statusline !== false,
  });
  if ('error' in plan) {
    terminal.err(plan.error);
    return exits.wrong;
  }
  if (plan.steps.length === 0) {
    terminal.out(options.json ? JSON.stringify({ root, done: [] }) : 'Everything is set up already.');
    return exits.fine;
  }
  if (!(await isConfirmed(setupText(plan), `Write this to ${root}?`, options, terminal))) return exits.wrong;
  const dataFolder = dataFolderOf(process.env);
  const done = runSetup(plan, dataFolder, new Date());
  await adoptPresent(root);
  fs.writeFileSync(`${dataFolder}/node`, `${process.execPath}\n`, { mode: 0o600 });
  terminal.out(options.json ? JSON.stringify({ root, done }, null, 2) : done.join('\n'));
  return exits.fine;
}

async function undo(root: string, options: InitOptions, terminal: Terminal): Promise<number> {
  const dataFolder = dataFolderOf(process.env);
  const plan = planUndo(dataFolder, root);
  if ('error' in plan) {
    terminal.err(plan.error);
    return exits.wrong;
  }
  if (!(await isConfirmed(undoText(plan), `Take this back in ${root}?`, options, terminal))) return exits.wrong;
  const project = await findProject(root);
  const done = runUndo(plan, dataFolder);
  if (endedBy(plan)) {
    project?.release();
    done.push(`${root} is no longer governed.`);
  }
  terminal.out(options.json ? JSON.stringify({ root, done }, null, 2) : done.join('\n'));
  return exits.fine;
}

async function isConfirmed(shown: string, question: string, { yes }: InitOptions, terminal: Terminal): Promise<boolean> {
  if (yes) return true;
  terminal.err(shown);
  const answer = await terminal.ask(question);
  if (answer !== true)
    terminal.err(answer === null ? 'Nobody can be asked here: modes init --yes goes on without asking.' : 'Nothing was changed.');
  return answer === true;
}
