// Permission handler and hook callbacks for the Agent SDK. They match its types structurally and do not import them.
import path from 'node:path';
import type { Prepare } from '../../engine/prepared.ts';
import type { Decision } from '../../model/decision.ts';
import { notedOf } from '../../store/log/event.ts';
import { answerEvent, type EventHost, type HookOutput } from './events.ts';
import { isGranted, type PermissionMode, type PermissionUpdate } from './grantable.ts';
import { type OpenOptions, open } from './open.ts';
import { answerOf, type PermissionAnswer, refusal, refuseFault, wantsPerson } from './permission.ts';
import { callerOf, eventOf, type HostCall, ruleOn } from './permission-decision.ts';
import { Places } from './places.ts';

/** The fields of the SDK's `canUseTool` options that are used. */
export interface Asked {
  signal: AbortSignal;
  toolUseID: string;
  agentID?: string;
  blockedPath?: string;
  suggestions?: PermissionUpdate[];
  mcpServer?: { name: string; source: string };
  matchedAskRule?: object;
  /** Not in the SDK's types, but sent by it. */
  decisionReasonType?: string;
  requiresUserInteraction?: boolean;
}

/** `CanUseTool` of the SDK. */
export type Permit<Options, Result> = (tool: string, input: Record<string, unknown>, options: Options) => Promise<Result>;

export type HookCallback = (
  input: { hook_event_name: string },
  toolUseId: string | undefined,
  options: { signal: AbortSignal },
) => Promise<HookOutput>;

export interface HookMatcher {
  hooks: HookCallback[];
  /** Seconds. */
  timeout: number;
  onFailure: 'block' | 'continue';
}

export interface Modes {
  /** Absolute real path of the governed project. */
  readonly root: string;
  /** The current mode of the project; null if it is unknown. */
  mode(): Promise<string | null>;
  /**
   * For `options.canUseTool`. A call that is neither allowed nor denied goes to `fallback` with the same arguments. Without a
   * `fallback` it is denied.
   */
  canUseTool(): Permit<Asked, PermissionAnswer>;
  canUseTool<Options extends Asked, Result>(fallback: Permit<Options, Result>): Permit<Options, Result | PermissionAnswer>;
  /** For `options.hooks`, if the plugin is not loaded: every call is decided, and the model is informed of its mode. */
  hooks(options?: { asks?: boolean }): Record<'PreToolUse' | 'UserPromptSubmit' | 'SubagentStart', HookMatcher[]>;
  /**
   * For `options.permissionMode` and `query.setPermissionMode()`: the wanted permission mode if the mode of the project grants
   * it. Otherwise the one that the mode names, else `default`. Without `wanted`: the one that the mode names.
   */
  permissionMode(wanted?: PermissionMode): Promise<PermissionMode>;
  /** Decides a call without logging it. */
  decide(call: { tool: string; input: Record<string, unknown>; cwd?: string }): Promise<Decision>;
}

/** Seconds that a call may wait for its decision. */
const patience = 30;

/** The modes of a folder, for one session of the SDK; null if no modes govern it. Throws if there is no such folder. */
export async function openModesBy(prepare: Prepare, folder: string, options: OpenOptions = {}): Promise<Modes | null> {
  const opened = await open(prepare, folder, options);
  if (opened === null) return null;
  const { project, log, start } = opened;
  const named = options.session ?? null;
  const places = new Places({ cwd: start, session: named });
  const informedSessions = new Set<string>();

  const permit = async (
    tool: string,
    input: Record<string, unknown>,
    request: Asked,
  ): Promise<{ answer: PermissionAnswer | null; refused: PermissionAnswer }> => {
    const { toolUseID: toolUseId, agentID: agentId = null, blockedPath = null, mcpServer = null, suggestions } = request;
    const call: HostCall = { ...places.of(toolUseId), tool, input, toolUseId, agentId, blockedPath, mcpServer };
    await project.ready(call.session ?? null);
    const decision = await project.fully(() => ruleOn(project, call));
    const question = { input, suggestions, wantsPerson: wantsPerson(request) };
    const answer = answerOf(decision, question);
    if (!project.released) {
      const answered = answer?.behavior ?? decision.decision.decision;
      log.note({ ...notedOf(eventOf(call), decision.decision, 'host', {}, project.for(callerOf(call)).hiding()), answered });
    }
    return { answer, refused: refusal(decision, question) };
  };

  const present = async (): Promise<{ mode: string | null; names: string | null }> => {
    await project.ready(named);
    const { mode, configuration } = project.for({ session: named, cwd: start }).describe();
    return { mode, names: (mode === null ? undefined : configuration.topology?.modes.get(mode))?.permissionMode ?? null };
  };

  return {
    root: project.root,
    mode: async () => (await present()).mode,
    canUseTool:
      <Options extends Asked, Result>(fallback?: Permit<Options, Result>) =>
      async (tool: string, input: Record<string, unknown>, request: Options): Promise<Result | PermissionAnswer> => {
        const { answer, refused } = await permit(tool, input, request).catch((error: unknown) => {
          const fault = refuseFault(error);
          return { answer: fault, refused: fault };
        });
        return answer ?? (fallback === undefined ? refused : fallback(tool, input, request));
      },
    hooks({ asks = true } = {}) {
      const host: EventHost = { project, log, headless: !asks, informedSessions };
      const tell: HookCallback = async (input, toolUseId) => {
        const event = input as unknown as Record<string, unknown>;
        places.note(event, toolUseId);
        return answerEvent(event, host);
      };
      const matcher = (onFailure: HookMatcher['onFailure']): HookMatcher[] => [{ hooks: [tell], timeout: patience, onFailure }];
      return {
        PreToolUse: matcher('block'),
        UserPromptSubmit: matcher('continue'),
        SubagentStart: matcher('continue'),
      };
    },
    async permissionMode(wanted) {
      const { mode, names } = await present();
      if (mode !== null && wanted !== undefined && isGranted(wanted, names)) return wanted;
      return isGranted(names, names) ? names : 'default';
    },
    async decide({ tool, input, cwd = start }) {
      await project.ready(named);
      const call = { tool, input, cwd: path.resolve(start, cwd), session: named };
      return (await project.fully(() => ruleOn(project, call))).decision;
    },
  };
}
