// The context for the model with a prompt: the whole mode if it changed, otherwise one line if that changed, plus additions for every
// prompt.

import { targets } from '../config/targets.ts';
import { contextOf } from '../engine/context.ts';
import { collectFacts } from '../facts/collect.ts';
import type { Topology } from '../model/configuration.ts';
import { setNewest } from '../platform/bounded-map.ts';
import { readTokens, type WindowWarnings } from '../workflow/context/window.ts';
import type { CallerProject } from '../workflow/project.ts';
import { degradedIn } from '../workflow/state.ts';
import { readWindow } from './gate-record.ts';

export interface Prompt {
  /** The whole context that this session got last; null: none. */
  given: string | null;
  session: string;
  permissionMode: string | null;
  /** Path of the session's transcript; '' if the client gives none. */
  transcript: string;
}

/** Limit on the transitions with gates that are checked for the line. */
const maxTransitions = 12;
/** Longest prefix, in characters. */
const maxPrefix = 1_000;

/** Prompts after which an unchanged line is sent again. */
const maxSilent = 10;
/** Number of sessions that are remembered. A forgotten session gets its line once more. */
const maxSessions = 100;

/** The lines that each session got. An unchanged line costs tokens with every prompt, and the model already has it. */
export class PromptLines {
  private readonly last = new Map<string, { line: string; silent: number }>();

  /** True if this line is new to the session, or was not sent for a while. */
  isDue(session: string, line: string): boolean {
    const before = this.last.get(session);
    const isDue = before?.line !== line || before.silent >= maxSilent - 1;
    setNewest(this.last, session, { line, silent: isDue ? 0 : before.silent + 1 }, maxSessions);
    return isDue;
  }

  /** The session got the whole context, so its next line is due. */
  forget(session: string): void {
    this.last.delete(session);
  }
}

/** The caller must store `whole` as the context that was given. `text` is '' if there is no context to send. */
export async function promptContext(
  project: CallerProject,
  prompt: Prompt,
  { warnings, lines }: { warnings: WindowWarnings; lines: PromptLines },
): Promise<{ text: string; whole: string }> {
  const whole = project.context('whole');
  const { mode: name, configuration } = project.describe();
  const mode = name === null ? undefined : configuration.topology?.modes.get(name);
  if (mode === undefined) return { text: whole, whole };
  const extras: string[] = [];
  if (mode.promptPrefix !== null)
    extras.push(mode.promptPrefix.length > maxPrefix ? `${mode.promptPrefix.slice(0, maxPrefix)}…` : mode.promptPrefix);
  const { permissionMode } = mode;
  if (permissionMode !== null && prompt.permissionMode !== null && prompt.permissionMode !== permissionMode)
    extras.push(
      `The client is in permission mode ${prompt.permissionMode}; ${permissionMode} goes with ${mode.name}. The permission_mode tool asks the client for it.`,
    );
  const { warn, window } = mode.context;
  // A guessed size would contradict the status line.
  const size = warn.length === 0 || prompt.transcript === '' ? null : (readWindow(project.place.dataFolder) ?? window);
  const tokens = size === null ? null : readTokens(prompt.transcript);
  const percent = tokens === null || size === null ? null : Math.floor((tokens / size) * 100);
  extras.push(...policyTexts(project, mode.name, prompt, percent));
  const warning = percent === null ? null : warnings.due(prompt.session, percent, warn);
  if (warning !== null) extras.push(warning);
  if (prompt.given !== whole) {
    lines.forget(prompt.session);
    return { text: project.context('whole', { extras }), whole };
  }
  const unmet = await findUnmetByTarget(project, mode.name, configuration.topology as Topology);
  const isDue = lines.isDue(prompt.session, project.context('line', { unmet }));
  return { text: isDue ? project.context('line', { extras, unmet }) : extras.join('\n'), whole };
}

/** The unmet requirements, by target. Starts no process. */
export async function findUnmetByTarget(
  project: CallerProject,
  name: string,
  topology: Topology,
): Promise<Map<string, string[]>> {
  const mode = topology.modes.get(name);
  const found = new Map<string, string[]>();
  for (const { to, require, approve } of mode === undefined ? [] : targets(mode, topology).slice(0, maxTransitions)) {
    if (require.length === 0 && approve === null) continue;
    const unmet = await project.transitions.unmetTo(to);
    if (unmet !== null)
      found.set(
        to,
        unmet.map(({ check }) => check),
      );
  }
  return found;
}

/** The texts of custom policies, or a notice if they cannot be evaluated. */
function policyTexts(
  project: CallerProject,
  mode: string,
  { session, permissionMode }: Prompt,
  percent: number | null,
): string[] {
  const policy = project.policyOf(mode);
  const { pinned } = project.describe();
  if (policy === null || pinned.known.policies.length === 0) return [];
  const agent = { agentId: null, agentType: null };
  const state = project.state();
  const context = contextOf(pinned, { mode, state, degraded: degradedIn(state), place: project.place, agent });
  const call = {
    event: 'UserPromptSubmit' as const,
    tool: 'mcp__plugin_modes_modes__status',
    input: {},
    cwd: project.caller.cwd ?? project.root,
    toolUseId: null,
    sessionId: session === '' ? null : session,
    permissionMode,
    ...agent,
    transcriptPath: null,
    mcpServer: { name: 'plugin:modes:modes', source: 'plugin' },
  };
  try {
    const facts = collectFacts(call, context.facts);
    return policy.contexts({ ...facts, context: { used_percent: percent } });
  } catch (error) {
    return [`NOTICE: The contexts of the policies are unavailable: ${(error as Error).message}.`];
  }
}
