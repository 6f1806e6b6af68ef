// What Bash commands and subagents did in this session, as the client told it on the private pipe: what gates look at.

/** How a command ended. Only `passed` and `failed` say anything about what the command is; gates decide what counts. */
export type Ending =
  | { how: 'passed' }
  /** `exitCode` as the client named it: 1 also for a process that a signal ended. */
  | { how: 'failed'; exitCode: number }
  /** Not 0, but an answer of the program in the client's eyes: grep, test, diff. */
  | { how: 'interpreted'; meaning: string }
  | { how: 'timeout' }
  | { how: 'interrupted' }
  | { how: 'background' }
  /** It happened, and what was told of it proves nothing. */
  | { how: 'void'; why: string };

/** One stay in a mode, told by the entry that began it: the clock may be set back behind the times of an earlier one. */
export interface Stay {
  mode: string;
  /** What of the project has a mode of its own; '' for all of it. */
  scope: string;
  /** Hash of the journal's entry that began the mode; '' before the first. */
  entry: string;
}

/** False where one is not known. */
export function isSameStay(one: Stay | null, other: Stay | null): boolean {
  return one !== null && other !== null && one.mode === other.mode && one.scope === other.scope && one.entry === other.entry;
}

/** One Bash call. */
export interface Run {
  readonly id: string;
  /** The text as it was announced; `ending` is void when another one was run. */
  readonly command: string;
  /** Absolute; where the call began, whatever it changed to. */
  readonly cwd: string | null;
  readonly session: string | null;
  readonly permissionMode: string | null;
  /** null: the main thread. */
  readonly agentId: string | null;
  /** The stay in a mode from its beginning to its end; null when there was none or it ended meanwhile. */
  stay: Stay | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  endedAt: number | null;
  /** null: it has not ended, as far as is known. */
  ending: Ending | null;
  /** What it printed, as the client gave it, its first `maxOutput` UTF-16 units. */
  output: string;
}

/** One subagent. */
export interface AgentRun {
  readonly id: string;
  readonly type: string;
  readonly session: string | null;
  stay: Stay | null;
  readonly startedAt: number;
  endedAt: number | null;
  /** The last line of its last message that is not blank; null while it runs or when it said nothing. */
  lastLine: string | null;
}

/** How a run ended, in the stay that held then. */
export interface End {
  ending: Ending;
  stay: Stay | null;
  output: string;
}

export const maxRuns = 200;
export const maxAgents = 100;
export const maxOutput = 30_000;

/** The newest runs and subagents of one session's server, in memory: evidence ends with the session. */
export class RunLedger {
  private readonly commands = new Map<string, Run>();
  private readonly subagents = new Map<string, AgentRun>();
  private why: string | null = null;

  constructor(private readonly now: () => number = Date.now) {}

  /** Why this session has no evidence any more; null: it has. */
  get forfeited(): string | null {
    return this.why;
  }

  /** Ends evidence for the session: what is known is forgotten, and nothing is recorded from now on. */
  forfeit(why: string): void {
    this.why ??= why;
    this.commands.clear();
    this.subagents.clear();
  }

  /** Oldest first, those that have not ended included. */
  runs(): readonly Readonly<Run>[] {
    return [...this.commands.values()];
  }

  agents(): readonly Readonly<AgentRun>[] {
    return [...this.subagents.values()];
  }

  start(run: Pick<Run, 'id' | 'command' | 'cwd' | 'session' | 'permissionMode' | 'agentId' | 'stay'>): void {
    if (this.why !== null || this.commands.has(run.id)) return;
    this.commands.set(run.id, { ...run, startedAt: this.now(), endedAt: null, ending: null, output: '' });
    trim(this.commands, maxRuns);
  }

  /** An end is told once; a second one is for the caller to judge, with `void`. */
  end(id: string, { ending, stay, output }: End): void {
    const run = this.commands.get(id);
    if (run === undefined || run.ending !== null) return;
    run.endedAt = this.now();
    run.ending = ending;
    run.output = output.slice(0, maxOutput);
    if (!isSameStay(run.stay, stay)) run.stay = null;
  }

  /** What was told of this run contradicts itself. */
  void(id: string, why: string): void {
    const run = this.commands.get(id);
    if (run === undefined) return;
    run.endedAt ??= this.now();
    run.ending = { how: 'void', why };
  }

  /** Ends the runs of a thread that stopped: the client tells nothing of a call that a person interrupted. */
  stopped(session: string | null, agentId: string | null): void {
    for (const run of this.commands.values()) {
      if (run.ending !== null || run.agentId !== agentId || run.session !== session) continue;
      run.endedAt = this.now();
      run.ending = { how: 'interrupted' };
    }
  }

  startAgent(agent: Pick<AgentRun, 'id' | 'type' | 'session' | 'stay'>): void {
    if (this.why !== null || this.subagents.has(agent.id)) return;
    this.subagents.set(agent.id, { ...agent, startedAt: this.now(), endedAt: null, lastLine: null });
    trim(this.subagents, maxAgents);
  }

  /** A subagent that goes on after a stop ends anew; its newest last line counts. */
  endAgent(id: string, type: string, stay: Stay | null, lastMessage: string): void {
    const agent = this.subagents.get(id);
    if (agent === undefined) return;
    agent.endedAt = this.now();
    agent.lastLine = agent.type === type ? lastLineOf(lastMessage) : null;
    if (!isSameStay(agent.stay, stay)) agent.stay = null;
    // The order of ends is that of the list: by the clock an earlier one could come out as the newest.
    this.subagents.delete(id);
    this.subagents.set(id, agent);
  }
}

function lastLineOf(text: string): string | null {
  return (
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .findLast((line) => line !== '') ?? null
  );
}

function trim(map: Map<string, unknown>, most: number): void {
  if (map.size > most) map.delete(map.keys().next().value as string);
}
