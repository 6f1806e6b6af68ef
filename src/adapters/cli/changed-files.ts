// modes accept and modes restore: a person in a terminal decides about files that a program changed although the mode guards them.

import {
  changedFiles,
  differencesOf,
  filesText,
  hashOf,
  type ReviewAction,
  reviewActions,
  summariesOf,
} from '../../app/changed-files.ts';
import { showUnseen } from '../../config/text.ts';
import { insideClient } from './inside.ts';
import { type ModeVerbOptions, projectOf } from './mode.ts';
import { toJson } from './outputs/json.ts';
import { type FailureCode, refuse } from './refuse.ts';
import { exits, type Terminal } from './terminal.ts';

export async function review(name: keyof typeof reviewActions, options: ModeVerbOptions, terminal: Terminal): Promise<number> {
  const no = (code: FailureCode, message: string, remedy?: string): number =>
    refuse({ code, message, remedy }, options, terminal);
  const say = (message: string, files: string[]): number => {
    terminal.out(options.json ? toJson<typeof name>({ ok: true, project: project.root, files, message }) : message);
    return exits.fine;
  };
  const inside = insideClient(process.env);
  if (inside !== null)
    return no(
      'E_INSIDE_CLIENT',
      `Only a person may run modes ${name}, in their own terminal, but ${inside}.`,
      `In Claude Code, type /modes:${name}.`,
    );
  const project = await projectOf(options);
  const changed = await changedFiles(project);
  if (changed.length === 0) return say('No program changed a file that the mode guards.', []);
  const action: ReviewAction = reviewActions[name];
  const refused = action.refused(changed);
  if (refused !== null) return no('E_IN_THE_WAY', refused);
  terminal.err(showUnseen([...summariesOf(changed), differencesOf(changed)].join('\n')));
  const answer = await terminal.ask(`${action.question(filesText(changed))}?`);
  if (answer === null) return no('E_NOBODY', 'Not an interactive terminal.', 'Run it in a terminal.');
  if (!answer) return no('E_DECLINED', 'Nothing was done.');
  await project.ready(project.caller.session);
  // Programs may have gone on during the question.
  const now = await changedFiles(project);
  if (hashOf(now) !== hashOf(changed))
    return no('E_DECLINED', 'Nothing was done, because the files changed while the question was open. Run the command again.');
  const asker = { session: project.caller.session, permissionMode: null };
  return say(
    action.act(project, now, asker),
    now.map(({ file }) => file),
  );
}
