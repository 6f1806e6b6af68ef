// Decides a call for a host: returns the decision, and the other facts of the project that an answer needs.
import path from 'node:path';
import { combine, type Outcome } from '../../engine/combine.ts';
import { MalformedInput } from '../../facts/table.ts';
import type { Decision } from '../../model/decision.ts';
import type { Caller, Project } from '../../workflow/project.ts';

/** A call as hosts and permission prompts name it. Unknown fields are omitted. */
export interface HostCall {
  tool: string;
  /** An object. A call with anything else cannot be decided and is denied. */
  input: unknown;
  /** Absolute: relative names are resolved against this folder. */
  cwd: string;
  session?: string | null;
  toolUseId?: string | null;
  agentId?: string | null;
  agentType?: string | null;
  permissionMode?: string | null;
  mcpServer?: { name: string; source: string } | null;
  transcriptPath?: string | null;
  /** The path that the client wants a permission for. */
  blockedPath?: string | null;
}

export interface PermissionDecision {
  decision: Decision;
  /** The emergency stop is active: only reading is allowed. */
  stopped: boolean;
  /** Decision in a headless session for a call that no rule matches. */
  passes: 'allow' | 'deny';
  /** The client's permission mode that the mode names, or null. */
  permissionMode: string | null;
}

/**
 * A text field of a request; null if it is absent. Throws for any other type, because the caller
 * would be mistaken for another one.
 */
export function textIn(request: Record<string, unknown>, name: string): string | null {
  const value = request[name] ?? null;
  if (value !== null && typeof value !== 'string') throw new MalformedInput(`${name} of the request is not a string`);
  return value;
}

/** The equivalent PreToolUse event. */
export function eventOf(call: HostCall): Record<string, unknown> {
  const { tool, input, cwd, session, toolUseId, agentId, agentType, permissionMode, mcpServer, transcriptPath } = call;
  return {
    hook_event_name: 'PreToolUse',
    tool_name: tool,
    tool_input: input,
    cwd,
    session_id: session,
    tool_use_id: toolUseId,
    agent_id: agentId,
    agent_type: agentType,
    permission_mode: permissionMode,
    mcp_server: mcpServer,
    transcript_path: transcriptPath,
  };
}

export function callerOf({ session = null, cwd }: HostCall): Caller {
  return { session, cwd };
}

/** Decides a call as the hooks do. The caller must have awaited `project.ready(session)`. Never throws. */
export function ruleOn(project: Project, call: HostCall): PermissionDecision {
  const own = project.decideEvent(eventOf(call));
  const { from: _, ...decision } = combine<Decision & Outcome>(
    { ...own, from: 'pinned configuration' },
    ...outcomesOnPath(project, call, own),
  );
  const { mode, state, configuration, present } = project.for(callerOf(call)).describe();
  const both = [configuration, present.configuration];
  return {
    decision,
    stopped: state.degraded?.code === 'E_STOPPED',
    passes: both.every(({ headlessPass }) => headlessPass === 'allow') ? 'allow' : 'deny',
    permissionMode: (mode === null ? undefined : configuration.topology?.modes.get(mode))?.permissionMode ?? null,
  };
}

/** Decides the blocked path as separate accesses if the call's facts do not contain it. */
function outcomesOnPath(project: Project, call: HostCall, { facts }: Decision): (Decision & Outcome)[] {
  if (!call.blockedPath) return [];
  const file = path.resolve(call.cwd, call.blockedPath);
  if ([...(facts?.reads ?? []), ...(facts?.writes ?? [])].some(({ names }) => names.some((name) => name.path === file)))
    return [];
  const isReading = facts?.tool.group === 'read' || facts?.bash?.class === 'read-only';
  const inputs = { Read: { file_path: file }, ...(isReading ? {} : { Write: { file_path: file, content: '' } }) };
  return Object.entries(inputs).map(([tool, input]) => {
    const decision = project.decideEvent(eventOf({ ...call, tool, input, mcpServer: null }));
    const reason = `The client requires a permission for ${file}. ${decision.reason}`.trim();
    return { ...decision, from: 'requested path', tool: call.tool, facts, reason };
  });
}
