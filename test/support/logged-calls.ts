// Projects with logged calls, as the plugin's processes write them.
import { type Configured, configure } from '../../src/app/dry-run.ts';
import { readSources } from '../../src/config/sources.ts';
import { hookAnswer } from '../../src/engine/answer.ts';
import type { ToolCall } from '../../src/model/facts.ts';
import { type LogEvent, lineOf, makeEvent, notedOf, readEvent } from '../../src/store/log/event.ts';
import { LogFiles, logFolder } from '../../src/store/log/files.ts';
import { callOf } from './call.ts';
import { builtPlugin } from './plugin.ts';
import { makeProject, type Project } from './project.ts';

export type Lists = Partial<Record<'allow' | 'ask' | 'deny', string[]>> & { default?: string };

const YAML = 'name: t\ndefault: work\nmodes:\n  work: {transitions: []}\n';

/** The policy of a project's modes, as if they were approved. */
export async function policyOf({ root, env }: Project): Promise<Configured> {
  const packageRoot = await builtPlugin();
  return configure([readSources(root)], { root, trusted: true, env: env(), packageRoot });
}

/** A project with one mode of these lists, and its policy. */
export async function withLists(
  lists: Lists,
  project: Project = makeProject({ example: null }),
): Promise<{ project: Project; policy: Configured }> {
  project.put('.claude/modes.yaml', YAML);
  project.put('.claude/settings.work.json', JSON.stringify({ permissions: lists }));
  return { project, policy: await policyOf(project) };
}

/** The line of the log of a call that this policy decides. */
export function logged(policy: Configured, { tool, input, cwd, sessionId, permissionMode, toolUseId }: ToolCall): LogEvent {
  const call = callOf(tool, input, cwd, { sessionId, permissionMode, toolUseId });
  const decision = policy.decide(call, null);
  const event = {
    session_id: sessionId,
    cwd,
    tool_name: tool,
    tool_input: input,
    tool_use_id: toolUseId,
    permission_mode: permissionMode,
  };
  const hides = policy.config.policies.hides.bind(policy.config.policies);
  return readEvent(lineOf(makeEvent(notedOf(event, decision, 'pipe', hookAnswer(decision, false), hides), 'build')))!;
}

/** Adds lines to a project's log. */
export function append({ data, root }: Project, events: readonly object[]): void {
  const files = new LogFiles(logFolder(data, root));
  files.prepare();
  files.append(events.map((event) => JSON.stringify(event)));
}
