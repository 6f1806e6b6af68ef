// The project's interface for the checks of a gate, for one requested change of mode.
import path from 'node:path';
import { contextOf } from '../engine/context.ts';
import type { LoadedConfig } from '../engine/loaded-config.ts';
import type { Policy } from '../engine/policies.ts';
import { collectFacts } from '../facts/collect.ts';
import type { Place } from '../facts/paths/place.ts';
import type { Decision } from '../model/decision.ts';
import type { ToolCall } from '../model/facts.ts';
import type { Requirement } from '../model/requirement.ts';
import { PROJECT_SHOWN } from '../platform/layer-folders.ts';
import type { GateEngine } from './gates/engine.ts';
import { findSandbox } from './gates/sandbox.ts';
import type { Unmet } from './gates/unmet.ts';
import type { Caller } from './scope.ts';
import { degradedIn, type ModeState } from './state.ts';

/** The part of a project that gates use. */
export interface GateHost {
  readonly root: string;
  readonly place: Place;
  readonly caller: Caller;
  /** The folder that the caller's mode applies to. */
  scopeRoot(): string;
  state(): ModeState;
  decide(call: ToolCall): Decision;
  describe(): { pinned: LoadedConfig };
  policyOf(mode: string): Policy | null;
  /** The unmet part of every gate: changes that verified runs made. */
  readonly verified: { unmet(): Unmet[]; leave(): () => void };
}

/** The start of the server: folder and environment. */
export interface Started {
  /** The folder where the client was started. */
  start: string;
  env: NodeJS.ProcessEnv;
}

/** The requested change of mode. */
export interface TransitionRequest {
  mode: string;
  to: string;
  explanation: string;
  permissionMode: string | null;
  /** The plan under review; absent if the request has none. */
  plan?: string;
  /** null: a status query, so no process is started. */
  running: Running | null;
}

/** Progress and cancellation of the request. */
export interface Running {
  signal?: AbortSignal;
  progress?(seconds: number, message: string): void;
}

/** Maximum number of journal entries in the input of a review. */
const maxJournalEntries = 50;

export function engineOf(host: GateHost, { start, env }: Started, request: TransitionRequest): GateEngine {
  const { caller } = host;
  const root = host.scopeRoot();
  const { mode, to, explanation, permissionMode, plan, running } = request;
  const { pinned } = host.describe();
  const call = (tool: string, input: ToolCall['input'], cwd: string): ToolCall => ({
    event: 'PreToolUse',
    tool,
    input,
    cwd,
    toolUseId: null,
    sessionId: caller.session,
    permissionMode,
    agentId: null,
    agentType: null,
    mcpServer: null,
    transcriptPath: null,
  });
  return {
    request: { mode, to, explanation, ...(plan !== undefined && { plan }) },
    journal: host
      .state()
      .entries.slice(-maxJournalEntries)
      .map(({ number, timestamp, kind, from, to, actor, explanation }) => ({
        number,
        timestamp,
        kind,
        from,
        to,
        actor,
        explanation,
      })),
    env,
    starts: running !== null,
    trusts: ({ source }: Requirement) => pinned.trusted || !source.file.startsWith(PROJECT_SHOWN),
    refuses(command, folder) {
      const { decision, reason, remedy } = host.decide(call('Bash', { command }, folder));
      return decision === 'deny' ? { reason, remedy } : null;
    },
    sandbox: () => findSandbox({ place: host.place, start }),
    hides: (name) => host.decide(call('Read', { file_path: path.join(root, name) }, root)).decision === 'deny',
    gates() {
      const policy = host.policyOf(mode);
      if (policy === null) throw new Error(`the policy of ${mode} is not loaded`);
      const transitionCall = call(
        'mcp__plugin_modes_modes__transition',
        { target: to, explanation, ...(plan !== undefined && { plan }) },
        caller.cwd ?? root,
      );
      const agent = { agentId: null, agentType: null };
      const state = host.state();
      const { facts } = contextOf(pinned, { mode, state, degraded: degradedIn(state), place: host.place, agent });
      return policy.gates(
        collectFacts({ ...transitionCall, mcpServer: { name: 'plugin:modes:modes', source: 'plugin' } }, facts),
      );
    },
    ...running,
  };
}
