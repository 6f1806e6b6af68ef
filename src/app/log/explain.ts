// Explains the decision of a call: its facts, every matching rule with its line, and the modes that would permit the call.

import { targets } from '../../config/targets.ts';
import { describeRequirement } from '../../engine/requirement-text.ts';
import { toolCall } from '../../facts/call.ts';
import { MalformedInput } from '../../facts/table.ts';
import type { BashFacts, DeclaredCommand } from '../../model/command.ts';
import type { Topology } from '../../model/configuration.ts';
import type { DecidingRule, Decision } from '../../model/decision.ts';
import type { Facts, ToolCall } from '../../model/facts.ts';
import { analyse } from '../../shell/analyse.ts';
import type { LogEvent } from '../../store/log/event.ts';
import { REDACTED } from '../../store/log/secrets.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';

interface LogSearch {
  content: ConfigSnapshot;
  commands: readonly DeclaredCommand[];
}

/** The project that is asked. `decide` is a dry run. */
export interface ExplainedProject {
  root: string;
  place: { home: string };
  decide(call: ToolCall, mode: string | null): Decision;
  describe(): { configuration: { topology: Topology | null }; pinned: LogSearch; present: { config: LogSearch } };
  state(): { mode: string | null };
  transitions: { unmetTo(mode: string): Promise<OpenMode['unmet'] | null> };
}

/** A matching rule, with its line in the file. */
export interface ExplainedRule extends DecidingRule {
  decided: boolean;
  /** null: the file has changed since, or is unreadable. */
  line: { text: string; column: number; length: number } | null;
}

/** A mode that would permit the call. */
export interface OpenMode {
  mode: string;
  decision: 'allow' | 'pass';
  /** The modes on the path, this one last; empty: the project is in this mode. */
  way: string[];
  /** The prose of the gate of the first transition, and its unmet requirements. */
  constraint: string | null;
  unmet: { check: string; missing: string; how: string }[];
}

export interface Explanation {
  decision: Omit<Decision, 'facts'>;
  /** The time of the decision, ISO 8601; null: a dry run. */
  at: string | null;
  session: string | null;
  call: { tool: string; input: Record<string, unknown>; cwd: string };
  /** Accesses of the call, as far as they are stored. */
  facts: Partial<Omit<Facts, 'bash'>>;
  /** The analyser's result for a command, with positions in its text. null for another tool, or if the text is not stored. */
  bash: BashFacts | null;
  rules: ExplainedRule[];
  /** null: not computed, because the call is not stored completely. */
  open: OpenMode[] | null;
  notes: string[];
}

/** Explains a decision of the log by the present configuration. `asker`: the session whose pinned content applies. */
export async function explainLogged(event: LogEvent, project: ExplainedProject, asker: string | null): Promise<Explanation> {
  const { labels, result, input, timestamp } = event;
  const notes: string[] = [];
  const tool = input.tool as { input?: unknown } | undefined;
  const given = typeof tool?.input === 'object' && tool.input !== null ? (tool.input as Record<string, unknown>) : {};
  const changed = [...(event.masked ?? []), ...(event.erased ?? [])];
  if (changed.some((at) => '/input/tool/input'.startsWith(at) || at.startsWith('/input/tool/input')))
    notes.push('Secrets and long texts of the call are not stored.');
  const call = callOf(event, given, asker);
  return explain(
    {
      decision: result,
      at: timestamp,
      session: labels.session ?? null,
      facts: input as Explanation['facts'],
      given,
      cwd: labels.cwd ?? project.root,
    },
    call,
    project,
    notes,
  );
}

/** Decides a call as a dry run and explains it. `mode`: as if in this mode. */
export async function explainCall(call: ToolCall, mode: string | null, project: ExplainedProject): Promise<Explanation> {
  const { facts, ...decision } = project.decide(call, mode);
  const known = { decision, at: null, session: null, facts: facts ?? {}, given: call.input, cwd: call.cwd };
  return explain(known, facts?.tool.group === 'own' ? null : call, project, [], mode);
}

interface LoggedCall {
  decision: Explanation['decision'];
  at: string | null;
  session: string | null;
  facts: Explanation['facts'];
  given: Record<string, unknown>;
  cwd: string;
}

/** `from`: the mode from which paths start; null: the present mode. */
async function explain(
  known: LoggedCall,
  call: ToolCall | null,
  project: ExplainedProject,
  notes: string[],
  from: string | null = null,
): Promise<Explanation> {
  const { decision, at, session, facts, given, cwd } = known;
  const { pinned, present } = project.describe();
  const snapshots = [present.config.content, pinned.content];
  const { bash: _, ...accesses } = facts as Partial<Facts>;
  const isCommand = (facts as Partial<Facts>).bash != null && typeof given.command === 'string' && given.command !== REDACTED;
  const context = { cwd, home: project.place.home, commands: pinned.commands };
  const show =
    (decided: boolean) =>
    (rule: DecidingRule): ExplainedRule => ({ ...rule, decided, line: lineOf(snapshots, rule) });
  const isThrough = decision.decision === 'allow' || decision.decision === 'pass';
  const open = call === null || isThrough ? null : await openIn(call, decision.mode, from ?? project.state().mode, project);
  return {
    decision,
    at,
    session,
    call: { tool: decision.tool, input: given, cwd },
    facts: accesses,
    bash: isCommand ? analyse(given.command as string, context) : null,
    rules: [
      ...decision.rules.map(show(decision.by !== 'default' || decision.decision !== 'pass')),
      ...decision.also.map(show(false)),
    ],
    open,
    notes,
  };
}

/** Restores the call of an event; null if it is not stored completely enough. */
function callOf({ labels, result, input }: LogEvent, given: Record<string, unknown>, asker: string | null): ToolCall | null {
  const { group } = (input.tool ?? {}) as { group?: unknown };
  if (group === undefined || group === 'own' || given.command === REDACTED) return null;
  try {
    return toolCall({
      tool_name: result.tool,
      tool_input: given,
      cwd: labels.cwd,
      session_id: asker ?? '',
      permission_mode: labels.permission_mode ?? '',
      agent_id: labels.agent ?? '',
    });
  } catch (error) {
    if (error instanceof MalformedInput) return null;
    throw error;
  }
}

/** Modes other than `refusedIn` that would allow the call or leave it to the client, nearest to `from` first. */
async function openIn(
  call: ToolCall,
  refusedIn: string | null,
  from: string | null,
  project: ExplainedProject,
): Promise<OpenMode[]> {
  const { topology } = project.describe().configuration;
  if (topology === null) return [];
  const paths = pathsFrom(from, topology);
  const openModes: OpenMode[] = [];
  for (const mode of topology.modes.keys()) {
    const { decision } = mode === refusedIn ? { decision: 'deny' } : project.decide(call, mode);
    if (decision !== 'allow' && decision !== 'pass') continue;
    const path = paths.get(mode);
    const gate = path === undefined ? onlyByPerson : await gateTo(path[0], from, project, topology);
    openModes.push({ mode, decision, way: path ?? [mode], ...gate });
  }
  return openModes.sort((one, other) => one.way.length - other.way.length);
}

const onlyByPerson: Pick<OpenMode, 'constraint' | 'unmet'> = {
  constraint: null,
  unmet: [{ check: 'a person', missing: 'no transition leads there', how: 'A person types /modes:mode NAME.' }],
};

async function gateTo(
  first: string | undefined,
  from: string | null,
  project: ExplainedProject,
  topology: Topology,
): Promise<Pick<OpenMode, 'constraint' | 'unmet'>> {
  const mode = from === null ? undefined : topology.modes.get(from);
  const transition = mode === undefined ? undefined : targets(mode, topology).find(({ to }) => to === first);
  if (transition === undefined) return { constraint: null, unmet: [] };
  const { constraint, require, approve } = transition;
  if (project.state().mode === from) return { constraint, unmet: (await project.transitions.unmetTo(transition.to)) ?? [] };
  const missing = `checked in ${from}`;
  const checks = [...require.map(describeRequirement), ...(approve === 'human' ? ['approve: human'] : [])];
  return { constraint, unmet: checks.map((check) => ({ check, missing, how: '' })) };
}

/** By mode, the shortest path of transitions to it. */
function pathsFrom(present: string | null, topology: Topology): Map<string, string[]> {
  const paths = new Map<string, string[]>(present === null ? [] : [[present, []]]);
  for (const [name, path] of paths) {
    const mode = topology.modes.get(name);
    for (const { to } of mode === undefined ? [] : targets(mode, topology)) if (!paths.has(to)) paths.set(to, [...path, to]);
  }
  return paths;
}

/** The rule's line in one of these contents, if the rule is still there. */
function lineOf(snapshots: readonly ConfigSnapshot[], { text, source, id }: DecidingRule): ExplainedRule['line'] {
  for (const snapshot of snapshots) {
    const file = snapshot.flatMap(({ files }) => files).find(({ name }) => name === source.file);
    const line = file?.text.split(/\r?\n/)[source.line - 1];
    const rest = line?.slice(source.column - 1);
    if (line === undefined || rest === undefined) continue;
    const written = id === 'default' ? text.replace(/^default: /, '') : text;
    const quoted = JSON.stringify(written);
    if (rest.startsWith(quoted)) return { text: line, column: source.column + 1, length: quoted.length - 2 };
    // modes.yaml does not contain the generated rule itself, so the rest of the line is marked.
    if (/\.ya?ml$/.test(source.file) && rest.trim() !== '')
      return { text: line, column: source.column, length: rest.trimEnd().length };
  }
  return null;
}
