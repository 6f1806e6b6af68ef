// Hook events on the private pipe, which only the client can write to: a table of handlers by event.

import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { type PromptLines, promptContext } from '../../app/prompt.ts';
import { showUnseen } from '../../config/text.ts';
import { hookAnswer, isHeadless } from '../../engine/answer.ts';
import { serverOf } from '../../facts/call.ts';
import type { Place } from '../../facts/paths/place.ts';
import { modesToolName } from '../../facts/protections/commands.ts';
import { registeredPackage, typedCommands } from '../../facts/protections/registered.ts';
import type { Decision, HookAnswer } from '../../model/decision.ts';
import { setNewest } from '../../platform/bounded-map.ts';
import { notedOf } from '../../store/log/event.ts';
import type { DecisionLog } from '../../store/log/log.ts';
import { renderAgent } from '../../workflow/context/render.ts';
import type { WindowWarnings } from '../../workflow/context/window.ts';
import { findDisabled } from '../../workflow/findings/disabled.ts';
import { findUnhooked } from '../../workflow/findings/manual-setup.ts';
import { type Finding, type FindingContext, findingLines } from '../../workflow/findings/types.ts';
import type { RunLedger } from '../../workflow/gates/runs.ts';
import type { Asker } from '../../workflow/mode-transitions.ts';
import type { UngovernedFolder } from '../../workflow/outside.ts';
import { stopPhrase } from '../../workflow/phrases.ts';
import type { Caller, CallerProject, Project } from '../../workflow/project.ts';
import { violationEvent } from '../../workflow/verification/logged.ts';
import type { Violation } from '../../workflow/verification/record.ts';
import { violationNotice } from '../../workflow/verification/verification.ts';
import type { AnnouncementStatus, CallHistory } from './calls.ts';
import type { ChannelIntegrity } from './channel-integrity.ts';
import type { PendingCalls } from './open-asks.ts';
import { type FollowedModes, followPermissionMode, permissionModeTool } from './permission-mode.ts';
import type { PlanMode, PlanModeContext } from './plan-mode.ts';
import { commandOf, isInBackground, type MessageFields, readResult } from './results.ts';
import { askPerson, type TypedRequest } from './typed/dialogs.ts';
import { beginProtocol, trigger } from './typed/prompts.ts';
import { typedCommand } from './typed.ts';
import type { ReportedViolations } from './violations.ts';

export interface EventContext {
  server: Server;
  place: Place;
  packageRoot: string;
  env: NodeJS.ProcessEnv;
  callHistory: CallHistory;
  runs: RunLedger;
  integrity: ChannelIntegrity;
  signal: AbortSignal;
  /** The governed project, loaded; null when no project is governed. */
  project(): Promise<Project | null>;
  reopen(): Promise<void>;
  /** Files near the project that could bypass the modes or approve in a person's name. */
  findings(): Finding[];
  surroundings(): FindingContext;
  /** The decision log of a project. */
  log(project: Project): DecisionLog;
  /** The complete context that each session was last given, by session id. */
  given: Map<string, string>;
  lines: PromptLines;
  /** The context-window warnings that each session has received. */
  warnings: WindowWarnings;
  planMode: PlanMode;
  pendingCalls: PendingCalls;
  /** Violations that were reported. */
  violations: ReportedViolations;
  /** Permission modes that the server requested from the client. */
  followed: FollowedModes;
  /** Sessions that this server has seen. Grants that a session has from an earlier server have ended. */
  startedSessions: Set<string>;
  /** The session's folder when no modes govern it. */
  outside(): UngovernedFolder;
  /** Records the watched files for the gates of a first mode, which no transition recorded. */
  beginGates(project: CallerProject): void;
}

type Answer = Record<string, unknown>;
type Handler = (fields: MessageFields, context: EventContext) => Promise<Answer>;

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['PreToolUse', preToolUse],
  ['PermissionRequest', permissionRequest],
  ['PostToolUse', toolEnded],
  ['PostToolUseFailure', toolEnded],
  ['SubagentStart', subagentStart],
  ['SubagentStop', subagentStop],
  ['Stop', stop],
  ['UserPromptSubmit', userPromptSubmit],
  ['UserPromptExpansion', userPromptExpansion],
  ['ConfigChange', configChange],
]);

/** Answers one hook event. An unknown or incomplete event throws: the client then treats the hook as failed. */
export async function answerEvent(fields: MessageFields, context: EventContext): Promise<Answer> {
  const handler = handlers.get(fields.hook_event_name ?? '');
  if (handler === undefined) throw new Error(`unknown event ${JSON.stringify(fields.hook_event_name ?? '')}`);
  return handler(fields, context);
}

async function preToolUse(fields: MessageFields, context: EventContext): Promise<Answer> {
  const announced = announce(fields, context);
  const project = await projectOf(fields, context);
  const event = eventOf(fields);
  const headless = isHeadless(context.env.CLAUDE_CODE_ENTRYPOINT);
  if (project === null) return answerOutside(event, headless, context);
  const started = await project.decideAndBegin(event);
  // A refused call uses up no counted grant.
  const decision = isRefused(hookAnswer(started, headless))
    ? started
    : consumeGrants(project, started, fields.tool_use_id ?? '', askerOf(fields));
  const answer = hookAnswer(decision, headless);
  if (!project.released) context.log(project).note(notedOf(event, decision, 'pipe', answer, project.hiding()));
  if (announced === 'first') context.pendingCalls.answered(fields, answer, context.surroundings);
  let updatedInput: object | null = null;
  if (announced === 'first' && !isRefused(answer)) {
    updatedInput = startRun(fields, project, context.runs, answer);
    const revise = await context.planMode.before(fields, planContext(project, fields, context));
    if (revise !== null) return denied(revise);
  }
  const changed = noticeOf(project, context, project.verified.known());
  const changeNotice = project.takeModeNotice(fields.agent_id ?? '');
  if (changeNotice !== null && !fields.agent_id) remember(context.given, fields.session_id ?? '', project.context('whole'));
  const notices = [decision.advice ?? null, changed, changeNotice].filter((part) => part !== null).join('\n\n');
  if (notices === '' && updatedInput === null) return answer;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      ...('hookSpecificOutput' in answer ? answer.hookSpecificOutput : {}),
      ...(updatedInput !== null && { updatedInput }),
      ...(notices !== '' && { additionalContext: notices }),
    },
    // The context informs the model; this message informs the person.
    ...(decision.advice !== undefined && { systemMessage: showUnseen(decision.advice) }),
  };
}

/** If no modes govern the session's folder, only the other projects that the call touches decide about it. */
async function answerOutside(event: Record<string, unknown>, headless: boolean, context: EventContext): Promise<Answer> {
  const { decision, project } = await context.outside().decideEvent(event);
  const answer = hookAnswer(decision, headless);
  if (project !== null) context.log(project).note(notedOf(event, decision, 'pipe', answer, project.hiding()));
  return { ...answer };
}

/** Sends a session the list of governed projects in its folder, once. */
function tellNested({ session_id: session = '' }: MessageFields, { outside, given }: EventContext): Answer {
  const notice = given.has(session) ? '' : outside().describeNested();
  given.set(session, notice);
  if (notice === '') return {};
  return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: notice }, systemMessage: notice };
}

/** Records the call for a later change of mode or for its result. A call without an id is decided but not recorded. */
function announce(
  fields: MessageFields,
  { callHistory: seen, runs, planMode, pendingCalls: asked, place }: EventContext,
): AnnouncementStatus {
  const id = fields.tool_use_id ?? '';
  if (id === '') return 'unknown';
  const own = modesToolOf(fields, place);
  const status = seen.note(id, {
    tool: fields.tool_name ?? '',
    own,
    agentId: fields.agent_id ?? '',
    agentType: fields.agent_type ?? '',
    server: serverOf(parsed(fields.mcp_server ?? '')),
    transcriptPath: fields.transcript_path || null,
    ...whereOf(fields),
    permissionMode: fields.permission_mode || null,
    input: own === null ? null : parsed(fields.tool_input ?? ''),
    text: JSON.stringify(fields),
  });
  if (status === 'contradicted') runs.void(id, contradicted);
  if (status === 'contradicted') planMode.forget(id);
  if (status === 'contradicted') asked.forget(id);
  return status;
}

function planContext(
  project: CallerProject,
  fields: MessageFields,
  { env, surroundings: context }: EventContext,
): PlanModeContext {
  return { project, asker: askerOf(fields), headless: isHeadless(env.CLAUDE_CODE_ENTRYPOINT), surroundings: context };
}

function denied(reason: string): Answer {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason } };
}

const contradicted = 'two hook events that differ named this call';

/**
 * `allow`: nobody is asked about the call. `pass`: the rules of the client decide. null: a person is asked, or the call runs in the
 * background and proves nothing.
 */
function answeredOf(answer: HookAnswer, fields: MessageFields): 'allow' | 'pass' | null {
  if (isInBackground(fields)) return null;
  if (!('hookSpecificOutput' in answer)) return fields.permission_mode === 'bypassPermissions' ? 'allow' : 'pass';
  return answer.hookSpecificOutput.permissionDecision === 'allow' ? 'allow' : null;
}

/** True for a deny. `hookAnswer` has already turned an ask into a deny where no person can answer. */
function isRefused(answer: HookAnswer): boolean {
  return 'hookSpecificOutput' in answer && answer.hookSpecificOutput.permissionDecision === 'deny';
}

/**
 * Records a Bash call as a run. Returns the input that has to take the place of the call's own, so that a test runner writes a report;
 * null: the call runs as it is.
 */
function startRun(fields: MessageFields, project: CallerProject, runs: RunLedger, answer: HookAnswer): object | null {
  const command = fields.tool_name === 'Bash' ? commandOf(fields) : null;
  if (command === null) return null;
  const id = fields.tool_use_id ?? '';
  const replacement = project.transitions.beginRun(id, command, answeredOf(answer, fields));
  runs.start({
    id,
    command,
    replacement,
    ...whereOf(fields),
    permissionMode: fields.permission_mode || null,
    agentId: fields.agent_id || null,
    visit: project.transitions.visit(),
  });
  return replacement === null ? null : { ...(parsed(fields.tool_input ?? '') as object), command: replacement };
}

/** The tool of Modes that is called; null if it is another tool, or if the event names no server that we recognize. */
function modesToolOf({ tool_name: tool = '', mcp_server: server = '' }: MessageFields, place: Place): string | null {
  if (!tool.startsWith('mcp__')) return null;
  return modesToolName({ tool, mcpServer: serverOf(parsed(server)) }, place);
}

/** Answers only for one tool of Modes, and only in the main thread. The person answers every other permission request. */
async function permissionRequest(fields: MessageFields, context: EventContext): Promise<Answer> {
  const project = await projectOf(fields, context);
  if (project === null || fields.agent_id) return {};
  if (modesToolOf(fields, context.place) !== permissionModeTool) return {};
  const decision = followPermissionMode(
    project,
    askerOf(fields),
    isHeadless(context.env.CLAUDE_CODE_ENTRYPOINT),
    context.followed,
  );
  return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } };
}

/** Compares the guarded files after a call, and reports changes by a program to the model and to the user. */
async function toolEnded(fields: MessageFields, context: EventContext): Promise<Answer> {
  const answer = await callEnded(fields, context);
  const present = (await context.project())?.for(whereOf(fields)) ?? null;
  const notice = present === null ? null : comparedAfter(present, context, fields.tool_use_id ?? null);
  if (notice === null) return answer;
  const answerContext = (answer.hookSpecificOutput as { additionalContext?: string } | undefined)?.additionalContext;
  return {
    hookSpecificOutput: {
      hookEventName: fields.hook_event_name ?? '',
      additionalContext: [notice, answerContext].filter((part) => part !== undefined).join('\n\n'),
    },
    systemMessage: showUnseen(notice),
  };
}

/** Compares the guarded files after a call, or after a turn (null). */
function comparedAfter(project: CallerProject, context: EventContext, toolUseId: string | null): string | null {
  try {
    return noticeOf(project, context, project.verified.end(toolUseId));
  } catch (error) {
    return `The files that the mode guards cannot be compared with those before the last run, so its gates stay closed: ${(error as Error).message}.`;
  }
}

/** Logs each violation and returns the text about violations that are new; null without any. */
function noticeOf(project: CallerProject, context: EventContext, violations: readonly Violation[]): string | null {
  const fresh = context.violations.fresh(project.root, violations);
  if (fresh.length === 0) return null;
  const { mode } = project.describe();
  for (const one of fresh) context.log(project).note(violationEvent(one, mode, project.caller, project.hiding(), 'pipe'));
  return violationNotice(fresh, mode ?? '');
}

async function callEnded(fields: MessageFields, context: EventContext): Promise<Answer> {
  const { callHistory, runs, project } = context;
  const id = fields.tool_use_id ?? '';
  const status = callHistory.end(id, fields.tool_name ?? '', JSON.stringify(fields));
  if (status === 'contradicted') runs.void(id, contradicted);
  if (status === 'first' && fields.hook_event_name === 'PostToolUse') {
    const present = (await project())?.for(whereOf(fields)) ?? null;
    if (present !== null) context.pendingCalls.ran(fields, present);
    const mode = present?.state().mode;
    const planMessage = present && (await context.planMode.after(fields, planContext(present, fields, context)));
    const isOther = present?.state().mode !== mode;
    const whole = isOther ? (present?.context('whole') ?? '') : '';
    if (isOther) remember(context.given, fields.session_id ?? '', whole);
    const message = isOther ? `${planMessage}\n\n${whole}` : planMessage;
    if (message) return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: message } };
  }
  if (status !== 'first' || fields.tool_name !== 'Bash') return {};
  const run = runs.runs().find((one) => one.id === id);
  if (run === undefined) return {};
  const present = (await project())?.for(whereOf(fields)) ?? null;
  const result = readResult(fields);
  const ran = commandOf(fields);
  present?.transitions.endRun(id, result.ending.how === 'background' ? null : ran);
  runs.end(id, { ...result, visit: present?.transitions.visit() ?? null });
  // Another hook may have replaced the command.
  if (ran !== run.command && (ran === null || ran !== run.replacement))
    runs.void(id, 'another command was run than the one announced');
  return {};
}

async function subagentStart(fields: MessageFields, { runs, project }: EventContext): Promise<Answer> {
  const present = (await project())?.for(whereOf(fields)) ?? null;
  const mode = present?.state().mode ?? null;
  const { agent_id: id = '', agent_type: type = '' } = fields;
  const visit = present?.transitions.visit() ?? null;
  if (id !== '') runs.startAgent({ id, type, session: fields.session_id || null, visit });
  present?.acknowledgeMode(id);
  const { topology = null, settings } = present?.describe().configuration ?? {};
  const limits = !topology || !settings || mode === null ? '' : renderAgent(topology, settings, { mode, type });
  if (limits === '') return {};
  return { hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: limits } };
}

async function subagentStop(fields: MessageFields, { runs, project }: EventContext): Promise<Answer> {
  const present = (await project())?.for(whereOf(fields)) ?? null;
  const { agent_id: id = '', agent_type: type = '' } = fields;
  present?.transitions.noteAgent(id, type);
  runs.stopped(fields.session_id || null, id);
  runs.endAgent(id, type, present?.transitions.visit() ?? null, fields.last_assistant_message ?? '');
  return {};
}

/** Never answers with context: context would make the model continue. */
async function stop(fields: MessageFields, context: EventContext): Promise<Answer> {
  context.runs.stopped(fields.session_id || null, null);
  const present = (await context.project())?.for(whereOf(fields)) ?? null;
  const notice = present === null ? null : comparedAfter(present, context, null);
  return notice === null ? {} : { systemMessage: showUnseen(notice) };
}

async function userPromptSubmit(fields: MessageFields, context: EventContext): Promise<Answer> {
  const project = await projectOf(fields, context);
  if (project === null) return tellNested(fields, context);
  const stopped = stopBy(fields, project);
  const request = requestOf(fields, context, project);
  const triggered = stopped === null ? await trigger(request, fields.prompt ?? '', fields.source ?? '') : null;
  const isFree = stopped === null && triggered === null;
  const protocol = isFree ? await beginProtocol(request, fields.prompt ?? '', fields.source ?? '') : null;
  const session = fields.session_id ?? '';
  const { permissionMode } = askerOf(fields);
  const prompt = { given: context.given.get(session) ?? null, session, permissionMode, transcript: fields.transcript_path ?? '' };
  project.acknowledgeMode();
  const { text, whole } = await promptContext(project, prompt, context);
  const findings = context.given.has(session) ? [] : context.findings();
  const modelText = triggered ?? protocol?.text ?? null;
  const isLong = modelText !== null && modelText.length + text.length > maxNotices;
  // The next prompt carries the context that does not fit into this answer.
  if (isLong) context.given.delete(session);
  else remember(context.given, session, whole);
  const notices = [
    stopped,
    triggered,
    protocol?.message ?? null,
    findings.length === 0 ? null : `Modes found the following in this project:\n${findingLines(findings)}`,
  ];
  const message = notices.filter((part) => part !== null).join('\n');
  const additionalContext = [modelText ?? '', isLong ? project.context('line') : text].filter((part) => part !== '').join('\n\n');
  return {
    ...(additionalContext !== '' && { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext } }),
    ...(message === '' ? {} : { systemMessage: showUnseen(message) }),
  };
}

/** Maximum characters of one answer. The client replaces anything over 10,000 by a preview. */
const maxNotices = 9_800;
/** Milliseconds. Shorter than the hook's own limit for a prompt. */
const promptPatience = 100_000;

/** The request for permissions that a typed prompt adds. It asks the user who typed the prompt. */
function requestOf(fields: MessageFields, context: EventContext, project: CallerProject): TypedRequest {
  const headless = isHeadless(context.env.CLAUDE_CODE_ENTRYPOINT);
  return {
    project,
    asker: askerOf(fields),
    ask: (message, label, instead, details) =>
      askPerson({ ...context, headless }, { message, label, details }, instead, promptPatience),
  };
}

/** Stops the work if the prompt contains a stop phrase. Returns the message for the person, or null. */
function stopBy(fields: MessageFields, project: CallerProject): string | null {
  const { stop } = project.describe().configuration.topology ?? { stop: null };
  const phrase = stop === null ? null : stopPhrase(fields.prompt ?? '', fields.source ?? '', stop.phrases);
  if (phrase === null) return null;
  const done = project.transitions.stop(`${phrase} in a prompt`, askerOf(fields));
  const names = [...(project.describe().configuration.topology?.modes.keys() ?? [])].join(', ');
  return done
    ? `Stopped by ${phrase}: only reading is allowed until you set a mode with /modes:mode NAME. Modes: ${names}.`
    : null;
}

async function userPromptExpansion(fields: MessageFields, context: EventContext): Promise<Answer> {
  const name = fields.command_name ?? '';
  const command = typedCommand(name);
  if (command === undefined || !isTyped(fields, context.place)) return {};
  const typed = {
    server: context.server,
    project: await projectOf(fields, context),
    place: context.place,
    packageRoot: context.packageRoot,
    asker: askerOf(fields),
    headless: isHeadless(context.env.CLAUDE_CODE_ENTRYPOINT),
    where: whereOf(fields),
    signal: context.signal,
    integrity: context.integrity,
    findings: context.findings,
    reopen: async () => {
      await context.reopen();
      return (await context.project())?.for(whereOf(fields)) ?? null;
    },
    log: context.log,
  };
  const failed = (error: unknown): string => `/${name} failed: ${(error as Error).message}`;
  // The text may contain words of an agent, and a person reads it here: it must not contain terminal escape sequences.
  return { decision: 'block', reason: showUnseen(await command(typed, fields.command_args ?? '').catch(failed)) };
}

/** True for a command file of Modes: the plugin's, or the project's if our server is registered by hand. */
function isTyped({ command_name: name = '', command_source: source }: MessageFields, place: Place): boolean {
  if (name.includes(':') && source === 'plugin') return true;
  const isOurs = source === 'projectSettings' && registeredPackage(place) !== null;
  return isOurs && new RegExp(`^${typedCommands(place)}`).test(name);
}

async function configChange(fields: MessageFields, context: EventContext): Promise<Answer> {
  // The client does not ask hooks about managed settings, and a skill is not a settings file.
  if ((await context.project()) === null || fields.source === 'policy_settings' || fields.source === 'skills') return {};
  context.integrity.ended();
  const [disabled] = findDisabled(context.surroundings(), fields.file_path || null);
  if (disabled !== undefined)
    return {
      decision: 'block',
      reason: `${disabled} would switch off all hooks, and with them the modes of this project (disableAllHooks).`,
    };
  const [unhooked] = findUnhooked(context.surroundings());
  if (unhooked !== undefined)
    return { decision: 'block', reason: `${unhooked.file} has ${unhooked.what}: this session keeps its earlier settings.` };
  return {};
}

/**
 * The project of the event. On the first event of a session or a worktree, grants from an earlier server
 * end and its first mode begins.
 */
async function projectOf(
  fields: MessageFields,
  { startedSessions: begun, beginGates, project }: EventContext,
): Promise<CallerProject | null> {
  const present = (await project())?.for(whereOf(fields)) ?? null;
  if (present === null || !fields.session_id) return present;
  const key = JSON.stringify([fields.session_id, present.scopeKey()]);
  if (!begun.has(key)) {
    present.granting.begin(askerOf(fields));
    beginGates(present);
    begun.add(key);
  }
  return present;
}

function askerOf(fields: MessageFields): Asker {
  return { session: fields.session_id || null, permissionMode: fields.permission_mode || null };
}

function whereOf(fields: MessageFields): Caller {
  return { session: fields.session_id || null, cwd: fields.cwd || null };
}

/**
 * The event in the form of the other channels: objects are parsed, empty strings are absent. Invalid JSON stays text and is
 * refused later.
 */
function eventOf(fields: MessageFields): Record<string, unknown> {
  const event: Record<string, unknown> = { ...fields };
  for (const name of ['tool_input', 'mcp_server']) {
    const text = fields[name];
    if (text === undefined || text === '') {
      delete event[name];
      continue;
    }
    event[name] = parsed(text);
  }
  return event;
}

/**
 * Invalid JSON stays text: `toolCall` refuses an input that is not an object, and treats a server that
 * is not an object as unknown.
 */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Records the whole context that a session has received, so that its next prompt does not send it again. */
export function remember(given: Map<string, string>, session: string, text: string): void {
  setNewest(given, session, text, 100);
}

/**
 * The decision, or a refusal if the grant that it needs cannot be counted. A call is counted once, even
 * if it is decided several times.
 */
function consumeGrants(project: CallerProject, decision: Decision, toolUse: string, asker: Asker): Decision {
  const ids = (decision.grants ?? []).flatMap(({ id, counted }) => (counted ? [id] : []));
  if (ids.length === 0 || decision.decision === 'deny') return decision;
  const refused = (why: string): Decision => ({
    ...decision,
    decision: 'deny',
    by: 'fault',
    reason: `The grant that this call needs cannot be counted: ${why}.`,
    remedy: 'A person can grant it again with /modes:grant.',
  });
  try {
    return project.granting.consume(ids, toolUse, asker) ? decision : refused('it has no calls left');
  } catch (error) {
    return refused((error as Error).message);
  }
}
