// Hook events on the private pipe, which only the client speaks on: a table of events.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { hookAnswer, isHeadless } from '../decide/answer.ts';
import type { Place } from '../tools/place.ts';
import type { Asker, Project, Where } from '../workflow/project.ts';
import type { SeenCalls } from './calls.ts';
import { findDisabled } from './foreign.ts';
import { commands } from './typed.ts';

/** Fields arrive as strings; objects as JSON text; a missing one as ''. */
export type Fields = Record<string, string>;

export interface EventContext {
  server: Server;
  place: Place;
  packageRoot: string;
  env: NodeJS.ProcessEnv;
  seen: SeenCalls;
  signal: AbortSignal;
  /** The governed project, loaded; null when there is none. */
  project(): Promise<Project | null>;
  reopen(): Promise<void>;
  /** The whole context that a session was last given, by session id. */
  given: Map<string, string>;
}

type Answer = Record<string, unknown>;
type Handler = (fields: Fields, context: EventContext) => Promise<Answer>;

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ['PreToolUse', preToolUse],
  ['UserPromptSubmit', userPromptSubmit],
  ['UserPromptExpansion', userPromptExpansion],
  ['ConfigChange', configChange],
]);

/** Answers one hook event. An event that is not known, or is not whole, is an error: the client then treats the hook as failed. */
export async function answerEvent(fields: Fields, context: EventContext): Promise<Answer> {
  const handler = handlers.get(fields.hook_event_name ?? '');
  if (handler === undefined) throw new Error(`unknown event ${JSON.stringify(fields.hook_event_name ?? '')}`);
  return handler(fields, context);
}

async function preToolUse(fields: Fields, context: EventContext): Promise<Answer> {
  const id = fields.tool_use_id ?? '';
  if (id !== '')
    context.seen.note(id, {
      tool: fields.tool_name ?? '',
      agentId: fields.agent_id ?? '',
      ...whereOf(fields),
      permissionMode: fields.permission_mode || null,
      text: JSON.stringify(fields),
    });
  const project = await context.project();
  if (project === null) return {};
  const answer = hookAnswer(project.decideEvent(eventOf(fields)), isHeadless(context.env.CLAUDE_CODE_ENTRYPOINT));
  const news = project.newsFromOthers();
  if (news === null) return answer;
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      ...('hookSpecificOutput' in answer ? answer.hookSpecificOutput : {}),
      additionalContext: news,
    },
  };
}

async function userPromptSubmit(fields: Fields, context: EventContext): Promise<Answer> {
  const project = await context.project();
  if (project === null) return {};
  const whole = project.ask(whereOf(fields)).context('whole');
  const session = fields.session_id ?? '';
  const text = context.given.get(session) === whole ? project.context('line') : whole;
  remember(context.given, session, whole);
  return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: text } };
}

async function userPromptExpansion(fields: Fields, context: EventContext): Promise<Answer> {
  const name = fields.command_name ?? '';
  const command = commands.get(name);
  if (command === undefined || fields.command_source !== 'plugin') return {};
  const asker: Asker = { session: fields.session_id || null, permissionMode: fields.permission_mode || null };
  const typed = {
    server: context.server,
    project: (await context.project())?.ask(whereOf(fields)) ?? null,
    place: context.place,
    packageRoot: context.packageRoot,
    asker,
    where: whereOf(fields),
    signal: context.signal,
    reopen: context.reopen,
  };
  try {
    return { decision: 'block', reason: await command(typed, fields.command_args ?? '') };
  } catch (error) {
    return { decision: 'block', reason: `/${name} failed: ${(error as Error).message}` };
  }
}

async function configChange(fields: Fields, context: EventContext): Promise<Answer> {
  // Of managed settings the client does not ask us; a skill is no settings file.
  if ((await context.project()) === null || fields.source === 'policy_settings' || fields.source === 'skills') return {};
  const files = findDisabled(context.place, fields.file_path || null);
  if (files.length === 0) return {};
  return {
    decision: 'block',
    reason: `${files[0]} would switch all hooks off, and with them the modes of this project (disableAllHooks).`,
  };
}

function whereOf(fields: Fields): Where {
  return { session: fields.session_id || null, cwd: fields.cwd || null };
}

/** The event as the other channels see it: objects parsed, empty strings absent. Text that is no JSON stays text and is refused later. */
function eventOf(fields: Fields): Record<string, unknown> {
  const event: Record<string, unknown> = { ...fields };
  for (const name of ['tool_input', 'mcp_server']) {
    const text = fields[name];
    if (text === undefined || text === '') {
      delete event[name];
      continue;
    }
    try {
      event[name] = JSON.parse(text);
    } catch {
      // Stays a string: `toolCall` refuses an input that is no object, and a server that is none counts as unknown.
      event[name] = text;
    }
  }
  return event;
}

function remember(given: Map<string, string>, session: string, text: string): void {
  given.delete(session);
  given.set(session, text);
  if (given.size > 100) given.delete(given.keys().next().value as string);
}
