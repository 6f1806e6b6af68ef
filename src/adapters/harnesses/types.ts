// The description of one coding-agent harness: its events, its tools, its answers and its configuration file.

import type { Input } from '../../facts/input.ts';
import type { DecisionEffect } from '../../model/decision.ts';

/** A call of the client's own tool that has the accesses of a harness's call. */
export interface ClientCall {
  tool: string;
  input: Record<string, unknown>;
  /** The folder of the call, absolute or relative to the folder of the event. */
  folder?: string;
}

export interface HarnessTool {
  /** Every field that the row knows; null: the fields do not matter. A call with another field may write anywhere. */
  fields: readonly string[] | null;
  /**
   * The client's calls with the same accesses. The strictest of their decisions applies. `folder`: the folder of the event. Throws
   * `MalformedInput`.
   */
  calls(input: Input, folder: string): ClientCall[];
}

/**
 * `before`: a tool call that waits for the answer. `start` and `prompt`: the answer may add context. Modes ignores all others.
 */
export type EventKind = 'before' | 'start' | 'prompt' | 'other';

export interface HarnessEvent {
  kind: EventKind;
  /** The event is about this tool only, and has the fields of the call itself. */
  tool?: string;
  /** The event is about MCP tools only. This prefix distinguishes their names from those of other tools. */
  prefix?: string;
  /** The names of its fields, if they differ from those of the harness. */
  fields?: EventFields;
  /**
   * The answer can be a question to the user. `terminal`: only if the harness has a terminal; without one it would wait forever, or
   * go on.
   */
  asks?: 'always' | 'terminal';
}

/** Names of the fields of an event. */
export interface EventFields {
  session: string;
  tool: string;
  input: string;
  id: string;
  agent?: string;
  agentType?: string;
}

/** The output of a hook and its exit code. */
export interface HarnessOutput {
  out: string;
  err: string;
  code: number;
}

/** An answer to a tool call. `reason` is never empty for a deny or an ask. */
export interface HarnessAnswer {
  effect: DecisionEffect;
  reason: string;
}

/** A file of the harness that registers the hooks. */
export type HarnessSetup =
  | {
      kind: 'hooks';
      /** Relative to the project. */
      file: string;
      /** How the harness reads it: with or without comments. No harness is known to read trailing commas. */
      syntax: 'json' | 'comments';
      /** Other keys of a new file. */
      head: Record<string, unknown>;
      /** The registered events, and the entry of each. */
      events: readonly string[];
      entry(command: string, event: string): Record<string, unknown>;
    }
  | { kind: 'plugin'; file: string; text(launcher: string): string };

export interface Harness {
  name: string;
  title: string;
  events: ReadonlyMap<string, HarnessEvent>;
  fields: EventFields;
  tools: ReadonlyMap<string, HarnessTool>;
  /**
   * The start folder of the session, which finds its project: the folder of the event, or the one where the harness starts its
   * hooks, if the agent chooses the folder of the event.
   */
  start: 'event' | 'process';
  /** The folder of the event; null if the event names none. */
  folder(event: Record<string, unknown>): unknown;
  /** The client's name of an MCP tool; null if this is not one. */
  mcpName(tool: string, event: Record<string, unknown>): string | null;
  answer(answer: HarnessAnswer, event: string): HarnessOutput;
  /** null: the harness takes no context from this kind of event. */
  context(text: string, event: string): string | null;
  setup: HarnessSetup | null;
  /** A write of `file` in `folder`, as the harness sends it. The dry run of `modes doctor` uses it. */
  sample: { event: string; write(folder: string, file: string): Record<string, unknown> };
  /** True if the harness denies a call whose hook printed this and ended with this code. */
  denies(printed: HarnessOutput): boolean;
  /** Failures after which the harness lets a call run, and calls for which it starts no hook. */
  open: readonly string[];
  /** Steps that remain for the user after the setup. */
  afterSetup: string;
  /** The agent learns about the modes from AGENTS.md, because no event gives it context. */
  needsAgentsFile: boolean;
  /** A process of the harness: its program name, or the path of its script. */
  program: RegExp | null;
  /** Variables that the harness sets for the commands of its agent. */
  variables: readonly string[];
}
