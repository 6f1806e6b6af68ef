// modes grant: a person in a terminal allows exactly one call of another harness that the modes asked about.

import { showInLine, showUnseen } from '../../config/text.ts';
import type { LogEvent } from '../../store/log/event.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { askId } from '../../store/log/harness-call.ts';
import { findDecisions, isId } from '../../store/log/query.ts';
import type { AskedCall } from '../../workflow/authority-changes.ts';
import { callsLeft, liveGrants, type OpenGrant, readClock, secondsLeft } from '../../workflow/grants.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { everybody } from '../../workflow/scope.ts';
import { forbidden } from '../../workflow/team.ts';
import { harnesses } from '../harnesses/table.ts';
import { callId } from '../harnesses/translate.ts';
import { insideClient } from './inside.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse, type VerbFailure } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface GrantVerbOptions {
  project?: string;
  json?: boolean;
  list?: boolean;
  /** true: all of them. */
  revoke?: string | boolean;
}

/** Newest asks that are looked at. */
const maxAsks = 200;
/** Asked calls that are shown as lines. */
const maxShown = 10;
/** Longest text that the journal keeps for a grant, in characters. */
const maxText = 300;

export async function grant(id: string | undefined, options: GrantVerbOptions, terminal: Terminal): Promise<number> {
  if ([options.list, options.revoke, id].filter(Boolean).length > 1)
    throw new UsageError('an id, --list and --revoke cannot be combined');
  if (id !== undefined && !isId(id)) throw new UsageError(`${JSON.stringify(id)} is not an id from modes log or modes grant`);
  const project = await requireProject(options.project);
  if (options.list) return list(project, options, terminal);
  if (options.revoke) return revoke(project, options.revoke, options, terminal);
  const inside = insideClient(process.env);
  if (inside !== null) {
    const message = `Only a person may run modes grant, in their own terminal, but ${inside}.`;
    return refuse({ code: 'E_INSIDE_CLIENT', message, remedy: 'In Claude Code, type /modes:grant.' }, options, terminal);
  }
  const why = forbidden(project.place, 'grant');
  if (why !== null) return refuse({ code: 'E_FORBIDDEN', message: `Nothing was granted: ${why}` }, options, terminal);
  const calls = await askedCalls(project);
  const askeds = id === undefined ? calls.slice(-1) : calls.filter(({ event }) => event.decision_id.startsWith(id));
  const [asked] = askeds;
  if (asked === undefined || askeds.length > 1) return refuse(notFound(id, askeds.length > 1), options, terminal);
  if (id === undefined && calls.length > 1) {
    const lines = calls.slice(-maxShown).map(({ event }) => `${event.decision_id.slice(0, 8)}  ${shortText(event)}`);
    terminal.err(
      ['Calls that the modes asked about, newest last. To grant another one, run modes grant ID:', ...lines, ''].join('\n'),
    );
  }
  terminal.err(callText(asked.event));
  const answer = await terminal.ask(`Allow exactly this call once, in ${asked.mode}?`);
  if (answer === null)
    return refuse(
      { code: 'E_NOBODY', message: 'Not an interactive terminal.', remedy: 'Run it in a terminal.' },
      options,
      terminal,
    );
  if (!answer) return refuse({ code: 'E_DECLINED', message: 'Nothing was granted.' }, options, terminal);
  const { session } = asked.project.caller;
  await asked.project.ready(session);
  const given = asked.project.granting.giveAsked(asked.call, asked.mode, { session, permissionMode: null });
  if (given === null)
    return refuse({ code: 'E_NOT_FOUND', message: 'Nothing was granted: the mode changed meanwhile.' }, options, terminal);
  const message = `Granted (${given.id}): ${asked.call.text}. Tell the agent to make the same call again. The grant ends when it is used, or when the mode changes.`;
  terminal.out(
    options.json ? toJson<'grant'>({ ok: true, project: project.root, granted: shownGrant(given), message }) : message,
  );
  return exits.fine;
}

const notFound = (id: string | undefined, isSeveral: boolean): VerbFailure => ({
  code: 'E_NOT_FOUND',
  message: isSeveral
    ? `Several calls that need approval start with ${id}.`
    : `${id === undefined ? 'No call' : `No call ${id}`} of another harness waits for an answer in this mode.`,
  remedy: isSeveral ? 'Write more characters of the id.' : 'modes log --decision ask lists the calls that were asked about.',
});

interface Asked {
  event: LogEvent;
  /** The project as the session that made the call sees it. */
  project: CallerProject;
  mode: string;
  call: AskedCall;
}

/** The calls of other harnesses that were asked about in the present mode and are not granted, each once, newest last. */
async function askedCalls(project: CallerProject): Promise<Asked[]> {
  const files = new LogFiles(logFolder(project.place.dataFolder, project.root));
  const isCall = ({ labels: { call, session, harness } }: LogEvent): boolean =>
    call !== undefined && session !== undefined && harness !== undefined;
  const { events } = findDecisions(files, isCall, maxAsks);
  const newest = new Map<string, LogEvent>();
  for (const event of events) {
    const key = JSON.stringify([event.labels.session, event.labels.call]);
    newest.delete(key);
    newest.set(key, event);
  }
  const calls: Asked[] = [];
  for (const event of newest.values()) {
    const { session, call = '', ask = '', cwd } = event.labels;
    if (event.result.decision !== 'ask' || session === undefined || !isGenuine(event)) continue;
    await project.ready(session);
    const asking = project.for({ session, cwd: cwd ?? project.root });
    const { mode } = asking.state();
    const isGranted = asking.granting.live(session).grants.some(({ asked }) => asked?.call === call && asked.ask === ask);
    if (mode === null || mode !== event.result.mode || isGranted) continue;
    calls.push({ event, project: asking, mode, call: { call, ask, decision: event.decision_id, text: shortText(event) } });
  }
  return calls;
}

/** False if the call or the reason in the log does not have the hash in its label: a program has written to the log. */
function isGenuine(event: LogEvent): boolean {
  const { by, reason } = event.result;
  const isMasked = event.masked?.some((at) => at.startsWith('/result/reason')) ?? false;
  if (!isMasked && event.labels.ask !== askId(by, reason, event.labels.agent)) return false;
  const { tool, folder, input, isPartial } = loggedCall(event);
  const { harness: name = '', call } = event.labels;
  const harness = harnesses.get(name);
  if (isPartial || input === null) return harness !== undefined;
  return harness !== undefined && callId(harness, folder, tool, input) === call;
}

interface LoggedCall {
  tool: string;
  folder: string;
  /** null: the log does not contain it. */
  input: Record<string, unknown> | null;
  /** The log left out or cut values. */
  isPartial: boolean;
}

/** The call as its harness named it, as far as the log has it. */
function loggedCall({ input, labels, result, erased = [], masked = [] }: LogEvent): LoggedCall {
  const { asked, tool } = input as { asked?: Record<string, unknown>; tool?: { input?: unknown } };
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
  const own = isObject(asked?.input) ? asked.input : null;
  const isPartial = own === null || [...erased, ...masked].some((at) => at.startsWith('/input/asked'));
  const text = (value: unknown, instead: string): string => (typeof value === 'string' ? value : instead);
  const name = text(asked?.tool, result.tool);
  return {
    tool: name,
    folder: text(asked?.folder, labels.cwd ?? ''),
    input: own ?? (isObject(tool?.input) ? tool.input : null),
    isPartial,
  };
}

const valueText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function shortText(event: LogEvent): string {
  const { tool, input } = loggedCall(event);
  const values = Object.values(input ?? {})
    .map(valueText)
    .join(' ');
  const text = showInLine(`${event.labels.harness}:${tool} ${values}`.slice(0, maxText));
  return text.length < maxText ? text : `${text}…`;
}

/** The whole call for a person, with its place and the reason of the ask. */
function callText(event: LogEvent): string {
  const { tool, folder, input, isPartial } = loggedCall(event);
  const { harness, session = '' } = event.labels;
  const fields = Object.entries({ ...(input ?? {}) }).map(([name, value]) => `${showInLine(name)}: ${valueText(value)}`);
  return [
    `${harness}:${tool}  in ${event.result.mode}  at ${event.timestamp}  id ${event.decision_id.slice(0, 8)}  session ${session}`,
    ...[`folder: ${folder}`, ...fields].map((text) => `  ${showUnseen(text).replaceAll('\n', '\n    ')}`),
    ...(isPartial ? ['  The log does not contain the whole call: secrets, hidden contents and long texts are left out.'] : []),
    `  ${showInLine(event.result.reason)}`,
  ].join('\n');
}

/** A grant in the JSON of modes grant and modes status. */
export function shownGrant(one: OpenGrant) {
  const seconds = secondsLeft(one, readClock());
  const calls = callsLeft(one);
  return {
    id: one.id,
    session: one.session,
    since: one.since,
    what: one.asked?.text ?? one.rules.map(({ text }) => text).join(' '),
    calls: Number.isFinite(calls) ? calls : null,
    seconds: Number.isFinite(seconds) ? Math.ceil(seconds) : null,
  };
}

/** The active grants of every session, by the scope that has them. */
export function activeGrants(project: CallerProject): { project: CallerProject; grants: OpenGrant[] }[] {
  const { topology } = project.describe().configuration;
  return everybody(project.root, project.place.dataFolder, topology?.scope ?? 'project').map((caller) => {
    const one = project.for(caller);
    const { authority } = one.state();
    const sessions = new Set(authority.grants.map(({ session }) => session));
    return { project: one, grants: [...sessions].flatMap((session) => liveGrants(authority, session)) };
  });
}

/** One line for each active grant. */
export function grantLines(grants: readonly OpenGrant[]): string[] {
  return grants.map(shownGrant).map(({ id, session, what, calls, seconds }) => {
    const left = [
      calls === null ? '' : `${calls} ${calls === 1 ? 'call' : 'calls'} left`,
      seconds === null ? '' : `${seconds} s left`,
    ];
    return [id, showInLine(what), `session ${session}`, ...left].filter((part) => part !== '').join('  ');
  });
}

function list(project: CallerProject, options: GrantVerbOptions, terminal: Terminal): number {
  const grants = activeGrants(project).flatMap((one) => one.grants);
  if (options.json) terminal.out(toJson<'grant'>({ ok: true, project: project.root, grants: grants.map(shownGrant) }));
  else terminal.out(grants.length === 0 ? 'Nothing is granted.' : grantLines(grants).join('\n'));
  return exits.fine;
}

/** Anyone may take a grant back: that only restricts. */
function revoke(project: CallerProject, which: string | boolean, options: GrantVerbOptions, terminal: Terminal): number {
  const revoked = activeGrants(project).flatMap((one) =>
    one.grants.flatMap(({ id, session }) =>
      which === true || which === id ? one.project.granting.back([id], { session, permissionMode: null }) : [],
    ),
  );
  if (revoked.length === 0)
    return refuse(
      {
        code: 'E_NOT_FOUND',
        message: which === true ? 'Nothing is granted.' : `There is no grant ${which}.`,
        remedy: 'modes grant --list lists the grants.',
      },
      options,
      terminal,
    );
  const message = `Taken back: ${revoked.join(', ')}`;
  terminal.out(options.json ? toJson<'grant'>({ ok: true, project: project.root, revoked, message }) : message);
  return exits.fine;
}
