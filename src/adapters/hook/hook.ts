// The one-shot process: if no server answers, it decides one hook event from the same files. It does
// not change any mode, and it uses up a grant only for an ask of another harness.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { answerText, contextText, hookAnswer, isHeadless } from '../../engine/answer.ts';
import { isRestriction } from '../../engine/combine.ts';
import { denyEvent } from '../../engine/decide.ts';
import type { Prepare } from '../../engine/prepared.ts';
import { callerOf, maxEventBytes, parseEvent } from '../../facts/call.ts';
import { dataFolderOf } from '../../facts/paths/place.ts';
import { MalformedInput } from '../../facts/table.ts';
import type { Decision } from '../../model/decision.ts';
import { packageRoot, readBuild } from '../../platform/package.ts';
import { readStdin } from '../../platform/stdin.ts';
import { notedOf } from '../../store/log/event.ts';
import { askId, harnessCallField, harnessCallOf } from '../../store/log/harness-call.ts';
import { DecisionLog } from '../../store/log/log.ts';
import { isServed, serverState } from '../../store/server-record.ts';
import { grantOfAsked } from '../../workflow/grants.ts';
import { UngovernedFolder } from '../../workflow/outside.ts';
import { type CallerProject, openProject, type ProjectOptions } from '../../workflow/project.ts';
import { violationEvent } from '../../workflow/verification/logged.ts';
import { violationNotice } from '../../workflow/verification/verification.ts';

/** The kind of this call, by file of dist/: the compiled code of each kind is cached. */
type Kinds = Readonly<Record<string, string>>;

/**
 * usage: hook.cjs EVENT ROOT, event JSON on stdin. Prints the answer. Any failure is a nonzero exit, which the caller turns into
 * a refusal.
 */
export function main(): Promise<Kinds> {
  return answer().catch((error: unknown) => {
    fs.writeSync(2, `Modes: E_HOOK_CHECK the check failed: ${String((error as Error)?.message ?? error)}\n`);
    process.exitCode = 1;
    return {};
  });
}

async function answer(): Promise<Kinds> {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 11))
    throw new Error(`Node ${process.versions.node} is too old; 20.11 or newer is needed (E_HOOK_NODE)`);
  const event = process.argv[2] ?? 'PreToolUse';
  // The shell client replaces PATH. The client's original PATH determines which folders are protected.
  const env: NodeJS.ProcessEnv = { ...process.env, PATH: process.env.MODES_PATH ?? process.env.PATH };
  const input = readStdin(maxEventBytes);
  const where = callerOf(eventOf(input));
  const root = packageRoot(import.meta.url);
  const open: ProjectOptions = {
    start: process.argv[3] ?? env.CLAUDE_PROJECT_DIR ?? process.cwd(),
    env,
    packageRoot: root,
    prepare,
    session: where.session,
    isServed: (session) => isServed(dataFolderOf(env), session),
    isOnce: true,
  };
  const project = openProject(open);
  if (project === null) return answerOutside(event, input, open);
  await project.ready(where.session);
  if (event !== 'PreToolUse') {
    const form = event === 'UserPromptSubmit' ? 'line' : 'whole';
    const caller = project.for(where);
    const context = caller.context(form, { subagent: event === 'SubagentStart' });
    const start = { place: project.place, start: project.place.start ?? project.root };
    const found = event === 'SessionStart' ? [await slow().startProblems(caller), slow().startLines(start)] : [];
    const gone = event === 'UserPromptSubmit' && isServerGone(open.env, where.session) ? serverGone : '';
    const changed = event === 'UserPromptSubmit' ? changedText(caller) : '';
    print(contextText(event, [context, gone, changed, ...found].filter((text) => text !== '').join('\n\n')));
    project.summarise();
    return { 'hook-main.cjs': event };
  }
  const decided =
    input === null ? denyEvent('it is larger than 32 MB', randomUUID) : await project.fully(() => project.decideText(input));
  const toolEvent = eventOf(input);
  const caller = project.for(where);
  const begun = project.beginOnce(toolEvent, withGrantOfAsked(caller, toolEvent, decided));
  const decision = withNotice(begun.decision, violationNotice(begun.found, begun.decision.mode ?? ''));
  const answer = hookAnswer(decision, isHeadless(env.CLAUDE_CODE_ENTRYPOINT));
  print(answerText(answer));
  const kinds = kindsOf(event, decision);
  if (project.released) return kinds;
  const log = new DecisionLog({ dataFolder: project.place.dataFolder, root: project.root, build: readBuild(root), isOnce: true });
  log.note(notedOf(toolEvent, decision, 'one-shot', answer, caller.hiding()));
  for (const one of begun.found) log.note(violationEvent(one, decision.mode, where, caller.hiding(), 'one-shot'));
  log.flush();
  project.summarise();
  return kinds;
}

/** The decision with what a program changed, if the answer has a reason that the model reads. */
function withNotice(decision: Decision, notice: string): Decision {
  if (notice === '' || !isRestriction(decision.decision)) return decision;
  return { ...decision, remedy: [decision.remedy, notice].filter((part) => part !== '').join('\n\n') };
}

/** The files that a program changed although the mode guards them; '' without any. */
function changedText(project: CallerProject): string {
  try {
    return violationNotice(project.verified.violations(), project.state().mode ?? '');
  } catch (error) {
    return `The files that the mode guards cannot be compared with those before the last run, so its gates stay closed: ${(error as Error).message}.`;
  }
}

const serverGone =
  'The server of Modes ended. The rules of the mode still apply, but transitions do not work. Tell the person to type /mcp and reconnect plugin:modes:modes.';

function isServerGone(env: NodeJS.ProcessEnv, session: string | null): boolean {
  return session !== null && serverState(dataFolderOf(env), session) === 'ended';
}

/** The folder has no modes: only projects that the call touches decide about it. */
async function answerOutside(event: string, input: string | null, open: ProjectOptions): Promise<Kinds> {
  const outside = new UngovernedFolder(open);
  if (event !== 'PreToolUse') {
    print(event === 'SessionStart' ? contextText(event, outside.describeNested()) : '{}');
    return { 'hook-main.cjs': event };
  }
  // A grant of a call belongs to a session of a project.
  const { [harnessCallField]: _, ...toolEvent } = eventOf(input);
  const { decision, project } = await outside.decideEvent(toolEvent);
  const answer = hookAnswer(decision, isHeadless(open.env.CLAUDE_CODE_ENTRYPOINT));
  print(answerText(answer));
  if (project === null) return kindsOf(event, decision);
  const log = new DecisionLog({
    dataFolder: outside.place.dataFolder,
    root: project.root,
    build: readBuild(open.packageRoot),
    isOnce: true,
  });
  log.note(notedOf(toolEvent, decision, 'one-shot', answer, project.hiding()));
  log.flush();
  return kindsOf(event, decision);
}

function kindsOf(event: string, { tool, decision, by, facts }: Decision): Kinds {
  const names = [...new Set(facts?.bash?.commands.map(({ name }) => name))]
    .sort()
    .join(' ')
    .replace(/[^ -~]/g, '');
  return {
    'hook-main.cjs': [event, facts?.tool.group ?? tool, decision, by].join(' ').replace(/[^ -~]/g, ''),
    'bash.cjs': names,
  };
}

/** The parsed event; an empty one if it cannot be parsed. */
function eventOf(text: string | null): Record<string, unknown> {
  try {
    return text === null ? {} : parseEvent(text);
  } catch (error) {
    if (error instanceof MalformedInput) return {};
    throw error;
  }
}

/**
 * Prepares a policy that is not cached. The code is in a second file, so that the usual call does not pay for loading parsers.
 */
export const prepare: Prepare = (sources, build) => slow().prepare(sources, build);

const slow = () => createRequire(import.meta.url)('./prepare.cjs') as typeof import('../sdk/slow.ts');

function print(text: string): void {
  fs.writeSync(1, `${text}\n`);
}

/**
 * The decision on an ask that a person granted; any other decision stays. It uses the grant up. A grant answers the ask, so it never
 * lifts a deny. Throws if the disk refuses.
 */
function withGrantOfAsked(project: CallerProject, event: Record<string, unknown>, decision: Decision): Decision {
  const asked = decision.decision === 'ask' ? harnessCallOf(event) : null;
  if (asked === null) return decision;
  const { session } = project.caller;
  const { call, attempt: toolUse } = asked;
  const ask = askId(decision.by, decision.reason, event.agent_id);
  const grant = grantOfAsked(project.state().authority, { session, call, ask, toolUse });
  if (grant === null || !project.granting.consume([grant.id], toolUse, { session, permissionMode: null })) return decision;
  const { verifiable: _, grants = [], ...rest } = decision;
  return {
    ...rest,
    decision: 'pass',
    by: 'granted',
    rules: [],
    also: [...rest.rules, ...rest.also],
    reason: '',
    remedy: '',
    grants: [...grants, { id: grant.id, counted: true }],
  };
}
