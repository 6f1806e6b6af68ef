// The server of Modes, one for each session: tools for the model, the private channel for hooks, and the socket.
import type fs from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js';
import { PromptLines } from '../../app/prompt.ts';
import { refreshScript } from '../../app/setup/statusline.ts';
import { showUnseenIn } from '../../config/text.ts';
import { isHeadless } from '../../engine/answer.ts';
import { expectPolicy, prepare } from '../../engine/prepare.ts';
import { placeOf } from '../../facts/paths/place.ts';
import { readBuild } from '../../platform/package.ts';
import { inside as isInside } from '../../platform/path-text.ts';
import { DecisionLog } from '../../store/log/log.ts';
import { Teams } from '../../teams/begin.ts';
import { WindowWarnings } from '../../workflow/context/window.ts';
import type { Running } from '../../workflow/engine.ts';
import { find, findEnding } from '../../workflow/findings/find.ts';
import type { Finding, FindingContext } from '../../workflow/findings/types.ts';
import { RunLedger } from '../../workflow/gates/runs.ts';
import { UngovernedFolder } from '../../workflow/outside.ts';
import { type Caller, type CallerProject, openProject, type Project } from '../../workflow/project.ts';
import { answersOf } from '../socket/answers.ts';
import { SessionRecord } from '../socket/record.ts';
import { SocketKeeper, socketName } from '../socket/socket.ts';
import { StatusKeeper } from '../socket/statusline.ts';
import { CallHistory } from './calls.ts';
import { ChannelIntegrity } from './channel-integrity.ts';
import { formValidator } from './dialog.ts';
import { answerEvent, type EventContext, remember } from './events.ts';
import { readNamed, startFolder } from './named.ts';
import { PendingCalls } from './open-asks.ts';
import { FollowedModes } from './permission-mode.ts';
import { announcementOf, answerPrompt, permissionPromptShape, permissionPromptTool } from './permission-prompt.ts';
import { PlanMode } from './plan-mode.ts';
import { listedTool } from './plan-tools.ts';
import type { MessageFields } from './results.ts';
import { stdioTransport } from './stdio.ts';
import { callTool, toolShapes } from './tools.ts';
import { ReportedViolations } from './violations.ts';
import { ChangedPolicies, watch } from './watch.ts';

/** The tool that only hooks call. No list of tools contains it. */
const hookTool = 'hook';

/** Events after which files or a person's approvals may have changed. */
const settling: ReadonlySet<string> = new Set(['Stop', 'UserPromptExpansion']);

/** Starts the server on this process's stdin and stdout and serves until stdin ends. */
export async function serve(packageRoot: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const start = startFolder(env);
  const build = readBuild(packageRoot);
  const place = placeOf(start, env, packageRoot);
  const record = new SessionRecord(place.dataFolder, env);
  const callHistory = new CallHistory();
  const given = new Map<string, string>();
  const lines = new PromptLines();
  const warnings = new WindowWarnings();
  const startedSessions = new Set<string>();
  const runs = new RunLedger();
  const planMode = new PlanMode();
  const violations = new ReportedViolations();
  const pendingCalls = new PendingCalls();
  const followed = new FollowedModes();
  let project: Project | null = null;
  const surroundings = (): FindingContext => ({ place: project?.place ?? place, start });
  const channelIntegrity = new ChannelIntegrity(
    () => findEnding(surroundings()),
    ({ file, line, what }) => runs.forfeit(`${file}:${line} has ${what}`),
  );
  let outside: UngovernedFolder | null = null;
  const outsideNow = (): UngovernedFolder => {
    outside ??= new UngovernedFolder({ start, env, packageRoot, prepare });
    return outside;
  };
  const keepers: SocketKeeper[] = [];
  let refused: Finding[] = [];
  let log: DecisionLog | null = null;
  const logOf = ({ root, place: { dataFolder } }: Project): DecisionLog => {
    if (log?.root === root) return log;
    log?.flush();
    log = new DecisionLog({ dataFolder, root, build, fault: note });
    return log;
  };
  /** The session that started this server. */
  const own: Caller = { session: env.CLAUDE_CODE_SESSION_ID ?? null, cwd: start };
  /** The caller of the last event: the client gives a session another id when it is cleared. */
  let last = own;
  const line = new StatusKeeper(place.dataFolder, runs, () => project?.for(last) ?? null, note);
  const watchers: fs.FSWatcher[] = [];
  const teams = new Teams({ place, changed: () => project?.touch(), note });
  const teamsStarted = teams.start();

  const beginGates = (one: CallerProject): void => attempt('the files are not checked', () => one.transitions.beginGates(runs));

  const open = async (): Promise<void> => {
    for (const watcher of watchers.splice(0)) watcher.close();
    for (const keeper of keepers.splice(0)) keeper.stop();
    refused = [];
    project = null;
    const opened = openProject({ start, env, packageRoot, prepare, isServer: true });
    if (opened === null) {
      // Searched once. Afterwards, the shell client also sends the calls of this folder.
      if (outside === null) attempt('the projects below are not marked', () => outsideNow().mark());
      return;
    }
    await teamsStarted;
    await opened.ready();
    await teams.opened(opened.root);
    project = opened;
    // If one of these steps fails, this pipe and the one-shot process still decide about the project.
    attempt('the project is not marked as governed', () => opened.markGoverned());
    attempt('mode-state.json is not written', () => opened.for(own).keepView());
    beginGates(opened.for(own));
    attempt('the session is not recorded', () => record.write());
    attempt('the settings and environment are not checked', () => void channelIntegrity.ended());
    attempt('the status line of another version stays', () => refreshScript(place.dataFolder, packageRoot, opened.root));
    line.touch();
    const compiling = { packageRoot, cacheFolder: path.join(opened.place.dataFolder, 'cache') };
    const policies = new ChangedPolicies(opened, () => expectPolicy(compiling), note);
    const changed = (file: string): void => {
      line.touch();
      policies.changed(file);
    };
    watchers.push(...watch(opened.for(own), changed, note));
    const named = readNamed(env, opened);
    refused = named.refused;
    for (const { what, file } of refused) note(`${file} has ${what}`);
    const sockets = [{ folder: opened.folder, name: socketName }, ...(named.socket === null ? [] : [named.socket])];
    for (const { folder, name } of sockets.filter((one) => isInside(one.folder, opened.root))) {
      const keeper = new SocketKeeper(folder, answersOf(opened, build, logOf(opened)), note, name);
      keepers.push(keeper);
      await keeper.start();
    }
    void opened.check().then(
      () => line.touch(),
      (error: Error) => note(`the journal before its summary is not checked: ${error.message}`),
    );
  };

  let opening: Promise<void> | null = null;
  /** Opens the project once, even if several events ask for it at the same time. */
  const openOnce = (): Promise<void> => {
    opening ??= open().finally(() => {
      opening = null;
    });
    return opening;
  };

  const current = async (session: string | null): Promise<Project | null> => {
    if (project === null) await openOnce();
    await project?.ready(session);
    // A person ended the modes of this project in a terminal.
    if (project?.released) await openOnce();
    return project;
  };

  // Only a headless session has the permission-prompt tool. In other sessions the client asks the user.
  const headless = isHeadless(env.CLAUDE_CODE_ENTRYPOINT);
  const server = new Server(
    { name: 'modes', version: build },
    {
      capabilities: { tools: {} },
      jsonSchemaValidator: formValidator,
      instructions: 'This project may be in a mode that restricts tool calls; the status tool shows it.',
    },
  );
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    const opened = project === null ? openOnce().catch(() => undefined) : null;
    await Promise.race([opened, setTimeout(listPatience, undefined, { ref: false })]);
    const isGoverned = project !== null || opening !== null;
    const modes = project?.for(own).describe().configuration.topology ?? null;
    const shapes = headless ? [...toolShapes, permissionPromptShape] : toolShapes;
    return { tools: shapes.map((shape) => listedTool(shape, isGoverned && shape.isAlwaysLoaded(modes))) };
  });
  server.setRequestHandler(CallToolRequestSchema, async (request, extra) => {
    const { name, arguments: input = {}, _meta: meta } = request.params;
    const id = meta?.['claudecode/toolUseId'];
    if (name === hookTool) {
      if (meta !== undefined && id !== undefined) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
      const fields = fieldsOf(input);
      if (fields.session_id) record.add(fields.session_id);
      const context: EventContext = {
        server,
        place: project?.place ?? place,
        packageRoot,
        env,
        callHistory,
        runs,
        planMode,
        pendingCalls,
        violations,
        followed,
        integrity: channelIntegrity,
        surroundings,
        findings: () => [...find(surroundings()), ...refused],
        given,
        lines,
        warnings,
        startedSessions,
        beginGates,
        outside: outsideNow,
        log: logOf,
        signal: extra.signal,
        project: () => current(fields.session_id || null),
        async reopen() {
          await opening;
          await openOnce();
        },
      };
      if (fields.session_id) last = { session: fields.session_id, cwd: fields.cwd || null };
      const answer = await answerEvent(fields, context);
      line.touch(settling.has(fields.hook_event_name ?? ''));
      return { content: [{ type: 'text', text: JSON.stringify(showUnseenIn(answer)) }] };
    }
    if (name === permissionPromptTool && headless) {
      const announced = announcementOf(input, callHistory, { ...own, cwd: start });
      const governing = await current(announced.session ?? null);
      const answer = await answerPrompt(input, governing, announced, (noted) => governing && logOf(governing).note(noted));
      return { content: [{ type: 'text', text: JSON.stringify(showUnseenIn(answer)) }] };
    }
    const where = callHistory.where(id) ?? { ...own, permissionMode: null };
    const present = (await current(where.session))?.for(where) ?? null;
    // Evidence counts only as long as no other process could have faked it.
    channelIntegrity.ended();
    const outcome = await callTool(
      name,
      input,
      present,
      { session: where.session, permissionMode: where.permissionMode },
      {
        refusal: () => callHistory.refuse(id, name, input),
        findings: () => [...find(surroundings()), ...refused],
        runs,
        integrity: channelIntegrity,
        followed: () => followed.take(where.session),
        running: runningOf(meta?.progressToken, extra),
      },
    );
    line.touch();
    if (typeof outcome?.value.context === 'string' && where.session !== null)
      remember(given, where.session, outcome.value.context);
    if (outcome === null) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
    return { content: [{ type: 'text', text: JSON.stringify(showUnseenIn(outcome.value), null, 2) }], isError: outcome.failed };
  });

  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    attempt('the socket was not removed', () => {
      for (const keeper of keepers) keeper.stop();
    });
    log?.flush();
    teams.stop();
    attempt('the record was not removed', () => record.remove());
    attempt('the status line was not removed', () => line.remove());
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  process.on('uncaughtException', (error) => note(`internal error: ${error.stack ?? error.message}`));
  process.on('unhandledRejection', (error) => note(`internal error: ${String(error)}`));
  await server.connect(stdioTransport(process.stdin, end));
  await openOnce().catch((error: unknown) => note(`the project cannot be opened: ${String((error as Error).message ?? error)}`));
}

/** Milliseconds that the list of tools waits for the modes of the project, which decide the tools that are loaded. */
const listPatience = 2_000;

function fieldsOf(input: Record<string, unknown>): MessageFields {
  const fields: MessageFields = {};
  for (const [name, value] of Object.entries(input))
    if (name !== '__proto__') fields[name] = typeof value === 'string' ? value : JSON.stringify(value);
  return fields;
}

/** Runs one step of opening or closing. A failure is reported and does not stop the other steps. */
function attempt(otherwise: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    note(`${otherwise}: ${(error as Error).message}`);
  }
}

function note(message: string): void {
  process.stderr.write(`modes: ${message}\n`);
}

interface Waiting {
  signal: AbortSignal;
  sendNotification(notification: {
    method: 'notifications/progress';
    params: { progressToken: string | number; progress: number; message: string };
  }): Promise<void>;
}

/** Only a client that gave a progress token receives progress messages. */
function runningOf(token: string | number | undefined, { signal, sendNotification }: Waiting): Running {
  if (token === undefined) return { signal };
  return {
    signal,
    progress(seconds, message) {
      // The client shows the share of a total in percent. A time limit is no total.
      const params = { progressToken: token, progress: seconds, message };
      sendNotification({ method: 'notifications/progress', params }).catch((error: unknown) => {
        process.stderr.write(`modes: progress could not be reported: ${String((error as Error).message ?? error)}\n`);
      });
    },
  };
}
