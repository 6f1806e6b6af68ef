// The tools that the model sees: status, transition, force_transition, permission_mode, and the plan tools.

import * as z from 'zod/mini';
import { everyProblem } from '../../app/problems.ts';
import { needed } from '../../config/parts.ts';
import type { Running } from '../../workflow/engine.ts';
import type { Finding } from '../../workflow/findings/types.ts';
import type { RunLedger } from '../../workflow/gates/runs.ts';
import type { Asker } from '../../workflow/mode-transitions.ts';
import type { CallerProject } from '../../workflow/project.ts';
import { forbidden } from '../../workflow/team.ts';
import type { ChannelIntegrity } from './channel-integrity.ts';
import { permissionModeAnswer, permissionModeTool } from './permission-mode.ts';
import { planTools, type ToolShape } from './plan-tools.ts';

const target = needed(z.string(), 'Mode to change to');

export const toolShapes: ToolShape[] = [
  {
    name: 'status',
    title: 'Mode status',
    description: 'Current mode, available transitions, recent history, permissions and problems of this project.',
    input: z.strictObject({}),
    annotations: { readOnlyHint: true, openWorldHint: false },
    isAlwaysLoaded: () => true,
  },
  {
    name: 'transition',
    title: 'Change the mode',
    description: 'Change to another mode along a transition that modes.yaml defines, once its constraint is satisfied.',
    input: z.strictObject({ target, explanation: needed(z.string(), 'Why the constraint of the transition is satisfied') }),
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    isAlwaysLoaded: () => true,
  },
  {
    name: 'force_transition',
    title: 'Change the mode without its gate',
    description:
      'Change to any mode without its constraint. Only when the user asked for exactly this; the user is asked to confirm.',
    input: z.strictObject({ target, explanation: z.optional(needed(z.string(), 'Why the user wants this change')) }),
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
    isAlwaysLoaded: () => false,
    _meta: { 'anthropic/requiresUserInteraction': true },
  },
  {
    name: permissionModeTool,
    title: "Set the client's permission mode",
    description: 'Put the client into the permission mode that the current mode names, if that is a stricter one.',
    input: z.strictObject({}),
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    isAlwaysLoaded: (topology) => [...(topology?.modes.values() ?? [])].some(({ permissionMode }) => permissionMode !== null),
  },
  ...[...planTools.values()].map(({ shape }) => shape),
];

export interface ToolOutcome {
  value: Record<string, unknown>;
  failed: boolean;
}

const notGoverned: ToolOutcome = {
  value: { success: false, reason: 'This project has no modes (.claude/modes.yaml is missing)' },
  failed: true,
};

/** Facts about the session that are not part of the project. */
export interface ToolContext {
  /**
   * The reason why this call may not change anything; null if it may. May be called only once, because it uses the call's id up.
   */
  refusal(): string | null;
  findings(): Finding[];
  runs: RunLedger;
  integrity: ChannelIntegrity;
  /** The permission mode that the server requested from the client for this call, or null. */
  followed(): string | null;
  /** The request, while a command of a gate runs. */
  running: Running;
}

/** Runs a tool call of the model. */
export async function callTool(
  name: string,
  input: Record<string, unknown>,
  project: CallerProject | null,
  asker: Asker,
  known: ToolContext,
): Promise<ToolOutcome | null> {
  if (!toolShapes.some((shape) => shape.name === name)) return null;
  if (project === null)
    return name === 'status'
      ? { value: { current_mode: null, available_transitions: [], history: [], error: notGoverned.value.reason }, failed: false }
      : notGoverned;
  if (name === 'status') {
    const status = project.status(await everyProblem(project));
    return { value: { ...status, ...evidenceOf(known.runs), ...sourceOf(known) }, failed: false };
  }
  const plan = planTools.get(name);
  if (plan?.shape.annotations.readOnlyHint) return outcomeOf(await plan.call(project.plans, input, asker));
  const refused = known.refusal();
  if (refused !== null) return { value: { success: false, reason: `Not done: ${refused}` }, failed: true };
  if (plan !== undefined) {
    const answer = await plan.call(project.plans, input, { ...asker, running: known.running });
    // A change of plan may end the mode.
    return outcomeOf(answer.success && 'mode' in answer ? { ...answer, context: project.context('whole') } : answer);
  }
  if (name === permissionModeTool) return outcomeOf(permissionModeAnswer(project, asker, known.followed()));
  if (name === 'force_transition') {
    const ended = known.integrity.ended();
    if (ended !== null)
      return {
        value: { success: false, reason: `Not done: ${ended.file}:${ended.line} has ${ended.what}. ${ended.remedy}` },
        failed: true,
      };
    const why = forbidden(project.place, 'force');
    if (why !== null) return { value: { success: false, reason: `Not done: ${why}` }, failed: true };
    const explanation =
      typeof input.explanation === 'string' && input.explanation.trim() !== '' ? input.explanation : 'No explanation';
    const result = project.transitions.force(input.target, explanation, asker, 'client');
    return { value: result.success ? { ...result, context: project.context('whole') } : { ...result }, failed: !result.success };
  }
  const result = await project.transitions.transition(input.target, input.explanation, asker, undefined, known.running);
  return { value: result.success ? { ...result, context: project.context('whole') } : { ...result }, failed: !result.success };
}

function outcomeOf(answer: { success: boolean }): ToolOutcome {
  return { value: { ...answer }, failed: !answer.success };
}

/** Findings that could bypass the modes or approve in a person's name; absent if there are none. */
function sourceOf({ findings }: ToolContext): { findings?: Finding[] } {
  const found = findings();
  return found.length === 0 ? {} : { findings: found };
}

/** Maximum number of recent commands and subagents that the status tool shows. */
const shown = 10;

/** The evidence of this session: how commands and subagents ended, as the client reported it. */
function evidenceOf(runs: RunLedger): Record<string, unknown> {
  if (runs.forfeited !== null) return { evidence: { none: runs.forfeited } };
  const commands = runs
    .runs()
    .slice(-shown)
    .map(({ command, cwd, visit, agentId, ending, startedAt, endedAt }) => ({
      command,
      cwd,
      mode: visit?.mode ?? null,
      agent: agentId,
      ...(ending ?? { how: 'running' }),
      started: new Date(startedAt).toISOString(),
      took_ms: endedAt === null ? null : endedAt - startedAt,
    }));
  const agents = runs
    .agents()
    .slice(-shown)
    .map(({ id, type, visit, endedAt, lastLine }) => ({
      id,
      type,
      mode: visit?.mode ?? null,
      ended: endedAt !== null,
      last_line: lastLine,
    }));
  return { evidence: { commands, agents } };
}
