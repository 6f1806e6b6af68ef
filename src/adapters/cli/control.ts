// modes control: answers the control requests of a client for a host in any language, one line in and one line out.

import { findPackageRoot } from '../../app/own-package.ts';
import { prepare } from '../../engine/prepare.ts';
import { answerControl, type ControlHost } from '../sdk/control.ts';
import { open } from '../sdk/open.ts';
import { Places } from '../sdk/places.ts';
import { linesOf, maxLine } from './lines.ts';
import { startFolder } from './open.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface ControlOptions {
  project?: string;
  session?: string;
  handBack?: boolean;
}

/** Serves until stdin ends. Answers come in the order of the requests. */
export async function control(
  options: ControlOptions,
  terminal: Terminal,
  input: NodeJS.ReadableStream = process.stdin,
): Promise<number> {
  const session = options.session ?? process.env.CLAUDE_CODE_SESSION_ID;
  const opened = await open(prepare, startFolder(options.project), {
    packageRoot: findPackageRoot(),
    ...(session !== undefined && { session }),
  });
  if (opened === null) throw new UsageError('no .claude/modes.yaml here or above; create one with modes init', 'E_NO_MODES');
  const { project, log, start } = opened;
  const handsBack = options.handBack === true;
  const host: ControlHost = {
    project,
    log,
    headless: !handsBack,
    informedSessions: new Set(),
    cwd: start,
    session: session ?? null,
    handsBack,
    places: new Places({ cwd: start, session: session ?? null }),
  };
  let faults = 0;
  for await (const line of linesOf(input)) {
    if (line !== null && line.trim() === '') continue;
    const reply = line === null ? { fault: `a line is longer than ${maxLine} characters` } : await answerControl(line, host);
    if ('line' in reply) terminal.out(reply.line);
    if (!('fault' in reply)) continue;
    faults++;
    terminal.err(`modes control: ${reply.fault}; no answer is sent.`);
  }
  log.flush();
  return faults > 0 ? exits.wrong : exits.fine;
}
