// A project's modes inside another program: loaded once, then used for any number of decisions.
import os from 'node:os';
import path from 'node:path';
import type { Prepare } from '../../engine/prepared.ts';
import { toolCall } from '../../facts/call.ts';
import { loadFinder } from '../../facts/loads.ts';
import { writtenCall } from '../../facts/written.ts';
import type { BashFacts } from '../../model/command.ts';
import type { Decision } from '../../model/decision.ts';
import type { Problem } from '../../model/problem.ts';
import { analyse } from '../../shell/analyse.ts';
import { resolveLoads } from '../../shell/loads.ts';
import { type OpenOptions, open } from './open.ts';
import { eventOf } from './permission-decision.ts';

/** A tool call; unknown fields are omitted. */
export interface Call {
  tool: string;
  /** As the client sends it: `{"command": …}`, `{"file_path": …}`. */
  input: Record<string, unknown>;
  /** Folder against which relative names are resolved; the project's folder if absent. */
  cwd?: string;
  agentType?: string;
  agentId?: string;
}

/** The modes that govern a folder. */
export interface LoadedProject {
  /** Absolute real path of the project's root. */
  readonly root: string;
  /** The current mode; null if it is unknown, and then only reading is allowed. */
  readonly mode: string | null;
  readonly modes: readonly string[];
  /** All problems of the configuration. */
  readonly problems: readonly Problem[];
  /** Checks whether files or the mode changed. Decisions during the check still use the previous state. */
  refresh(): Promise<void>;
  /** As `decide()`. */
  decide(call: Call | string, mode?: string): Decision;
}

/** The modes of a folder or of its nearest governed parent; null if no modes govern it. Throws if there is no such folder. */
export async function loadProjectBy(prepare: Prepare, folder: string, options: OpenOptions = {}): Promise<LoadedProject | null> {
  const opened = await open(prepare, folder, options);
  if (opened === null) return null;
  const { project, start } = opened;
  await project.readyBelow();
  const session = options.session ?? null;
  const described = () => project.for({ session, cwd: start }).describe();
  return {
    root: project.root,
    get mode() {
      return described().mode;
    },
    get modes() {
      return [...(described().configuration.topology?.modes.keys() ?? [])];
    },
    get problems() {
      return described().problems;
    },
    async refresh() {
      project.touch();
      await project.ready(session);
    },
    decide(call, mode) {
      if (mode !== undefined && !described().configuration.topology?.modes.has(mode))
        throw new RangeError(`there is no mode ${JSON.stringify(mode)}`);
      const resolvedCall =
        typeof call === 'string'
          ? { ...writtenCall(call, start), sessionId: session }
          : toolCall(eventOf({ ...call, cwd: path.resolve(start, call.cwd ?? '.'), session }));
      return project.decide(resolvedCall, mode ?? null);
    },
  };
}

/**
 * Decides a call as the hooks do: a `Call`, or one as a person writes it, `Bash(git push)`. It is decided in the current mode, or
 * as if in `mode`. Nothing is run and nothing is logged. Throws if the call is malformed or there is no such mode.
 */
export function decide(call: Call | string, project: LoadedProject, mode?: string): Decision {
  return project.decide(call, mode);
}

/** The assumed place of a command. Default: the working folder and home of this process. */
export interface BashPlace {
  cwd?: string;
  home?: string;
}

/** Explains what a Bash command would do, part by part. Runs nothing and never throws. */
export function analyseBash(command: string, { cwd = process.cwd(), home = os.homedir() }: BashPlace = {}): BashFacts {
  const facts = analyse(command, { cwd, home, temp: process.env.TMPDIR, commands: [], looks: true });
  return resolveLoads(facts, loadFinder(home, process.env.PATH ?? ''));
}
