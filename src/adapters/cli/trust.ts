// modes trust: a person approves exactly the current configuration.

import { everyProblem } from '../../app/problems.ts';
import { renderProblems } from '../../config/render.ts';
import { problemsOf } from '../../engine/loaded-config.ts';
import type { Problem } from '../../model/problem.ts';
import type { Approval } from '../../store/trust.ts';
import { trustText } from '../../workflow/context/trust.ts';
import { forbidden } from '../../workflow/team.ts';
import { insideClient } from './inside.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { type FailureCode, refuse } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface TrustOptions {
  project?: string;
  json?: boolean;
  expect?: string;
  list?: boolean;
  /** true: all of them. */
  revoke?: string | boolean;
}

export async function trust(options: TrustOptions, terminal: Terminal): Promise<number> {
  if ([options.list, options.revoke, options.expect].filter(Boolean).length > 1)
    throw new UsageError('--list, --revoke and --expect cannot be combined');
  if (options.list) return list(options, terminal);
  const inside = insideClient(process.env);
  if (inside !== null) {
    const message = `Only a person may run modes trust, in their own terminal, but ${inside}.`;
    return refuse({ code: 'E_INSIDE_CLIENT', message, remedy: 'In Claude Code, type /modes:trust.' }, options, terminal);
  }
  if (options.revoke) return revoke(options, options.revoke, terminal);
  const project = await requireProject(options.project);
  const { present } = project.describe();
  const { configuration } = present;
  const { approvalHash: hash, changes } = project.approvals.wanted();
  const say = (message: string): number => {
    terminal.out(options.json ? toJson<'trust'>({ ok: true, project: project.root, hash, message }) : message);
    return exits.fine;
  };
  const no = (code: FailureCode | 'E_NO_TOPOLOGY', message: string, remedy?: string): number =>
    refuse({ code, message, remedy }, options, terminal);
  const why = forbidden(project.place, 'trust');
  if (why !== null) return no('E_FORBIDDEN', `Nothing was approved: ${why}`);
  if (configuration.topology === null && configuration.problems.some((problem) => problem.code === 'E_NO_MODES')) {
    if ((await terminal.ask(`${project.root} no longer has a modes.yaml. Stop governing it?`)) !== true)
      return no('E_DECLINED', 'Nothing was changed.');
    project.release();
    return say(`${project.root} is no longer governed.`);
  }
  const running = await project.otherThanPresent();
  const { config, before } = await project.approvals.toShow(running);
  const problems = await everyProblem(project);
  // If the content differs from the current one, only the problems that were found when it was loaded are known.
  const wrong = [...problems, ...problemsOf(config)].filter(({ severity }) => severity === 'error');
  if (!options.json && problems.length > 0) terminal.err(renderProblems(problems, { colour: terminal.errColour }));
  if (wrong.length > 0) {
    const [first] = wrong as [Problem, ...Problem[]];
    const where = first.file === undefined ? '' : `${first.file}:${first.line ?? 1}:${first.column ?? 1} `;
    const message = `A broken configuration cannot be approved: ${where}${first.message.replace(/\.$/, '')} (${first.code}).`;
    const remedy = wrong.length === 1 ? first.remedy : 'Fix the errors; modes validate shows them all.';
    return no('E_NO_TOPOLOGY', message, remedy);
  }
  // With --expect, a different configuration is an error, even if a person approved it before.
  if (options.expect !== undefined && options.expect !== hash)
    return no('E_OTHER_CONTENT', `The configuration is ${hash}, not ${options.expect}. Nothing was approved.`);
  if (present.trusted && running === null && changes.length === 0) return say(`Already trusted: ${hash}`);
  if (options.expect === undefined) {
    if (!options.json) terminal.err([trustText(config, before, hash), ...changes].join('\n'));
    const yes = await terminal.ask(`Approve exactly this configuration of ${project.root}?`);
    if (yes === null) return no('E_NOBODY', 'Not an interactive terminal.', `In CI: modes trust --expect ${hash}`);
    if (!yes) return no('E_DECLINED', 'Nothing was approved.');
  }
  if (!project.approvals.give(options.expect === undefined ? 'terminal' : 'expect', hash))
    return no('E_OTHER_CONTENT', 'A file that one of its gates uses has changed in the meantime. Nothing was approved.');
  // Running sessions switch to the configuration that is approved here.
  project.adopt('all');
  return say(`Trusted: ${hash}`);
}

/** The hash that the person saw. */
const shownOf = ({ hash, seal: approvalHash = hash }: Pick<Approval, 'hash' | 'seal'>): string => approvalHash;

async function list(options: TrustOptions, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const { approvalHash } = project.approvals.shown();
  const approved = project.approvals
    .all()
    .map(({ at, by, ...one }) => ({ hash: shownOf(one), at, by, present: shownOf(one) === approvalHash }));
  if (options.json) terminal.out(toJson<'trust'>({ project: project.root, present: approvalHash, approved }));
  else if (approved.length === 0) terminal.out(`No configuration of ${project.root} is approved.`);
  else
    for (const { hash: content, at, by, present } of approved)
      terminal.out(`${content}  ${at}  ${by}${present ? '  (present)' : ''}`);
  const why = approved.length === 0 ? null : forbidden(project.place, 'trust');
  if (why !== null) terminal.err(`No approval counts: ${why}`);
  return exits.fine;
}

/** This only restricts, so it asks no question. But only a person may revoke what a person approved. */
async function revoke(options: TrustOptions, which: string | boolean, terminal: Terminal): Promise<number> {
  const project = await requireProject(options.project);
  const approved = project.approvals.all();
  const start = typeof which === 'string' ? `sha256:${which.replace(/^sha256:/, '')}` : null;
  const meant = start === null ? approved : approved.filter((one) => shownOf(one).startsWith(start));
  const isOne = start === null ? meant.length > 0 : meant.length === 1;
  const asker = { session: null, permissionMode: null };
  const revoked = isOne ? project.approvals.revoke(start === null ? null : (meant[0] as Approval).hash, asker).map(shownOf) : [];
  if (!isOne) {
    const which = start === null || meant.length === 0 ? 'No' : 'More than one';
    return refuse({ code: 'E_NOT_FOUND', message: `${which} approval matches. Nothing was revoked.` }, options, terminal);
  }
  const message = `Taken back: ${revoked.join(', ')}`;
  terminal.out(options.json ? toJson<'trust'>({ ok: true, project: project.root, revoked, message }) : message);
  return exits.fine;
}
