// The Bash commands and subagents of this session, as the client reported them on the private pipe. Gates use them as evidence.
import { setNewest } from '../../platform/bounded-map.ts';

/** The end of a command. Only `passed` and `failed` show its result; gates decide which of them they accept. */
export type Ending =
  | { how: 'passed' }
  /** `exitCode` as the client reported it. It is 1 also for a process that a signal ended. */
  | { how: 'failed'; exitCode: number }
  /** A nonzero exit that the client treats as a normal result, for example of grep, test or diff. */
  | { how: 'interpreted'; meaning: string }
  | { how: 'timeout' }
  | { how: 'interrupted' }
  | { how: 'background' }
  /** The command ran, but the reports about it prove nothing. */
  | { how: 'void'; why: string };

/** One visit to a mode. The entry that started it identifies it, because the clock may be set back to before an earlier visit. */
export interface ModeVisit {
  mode: string;
  /** The part of the project that has a mode of its own; '' for the whole project. */
  scope: string;
  /** Hash of the journal entry that started the visit; '' before the first. */
  entry: string;
}

/** False if either is unknown. */
export function isSameVisit(one: ModeVisit | null, other: ModeVisit | null): boolean {
  return one !== null && other !== null && one.mode === other.mode && one.scope === other.scope && one.entry === other.entry;
}

/** One Bash call. */
export interface Run {
  readonly id: string;
  /** The command as announced. `ending` is void if a different command ran. */
  readonly command: string;
  /** The call that Modes lets run in its place, so that the test runner writes a report; null: none. */
  readonly replacement: string | null;
  /** Absolute. The folder where the call started, even if the command changed it. */
  readonly cwd: string | null;
  readonly session: string | null;
  readonly permissionMode: string | null;
  /** null: the main thread. */
  readonly agentId: string | null;
  /** The visit that lasted from the start of the run to its end; null if there was none, or if it ended during the run. */
  visit: ModeVisit | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  endedAt: number | null;
  /** null: no end was reported. */
  ending: Ending | null;
  /** The output as the client reported it, limited to the first `maxOutput` UTF-16 units. A mark follows if it was longer. */
  output: string;
}

/** One subagent. */
export interface AgentRun {
  readonly id: string;
  readonly type: string;
  readonly session: string | null;
  visit: ModeVisit | null;
  readonly startedAt: number;
  endedAt: number | null;
  /** The last nonblank line of its last message; null while it runs or if its last message is empty. */
  lastLine: string | null;
}

/** The end of a run, and the visit at that time. */
export interface End {
  ending: Ending;
  visit: ModeVisit | null;
  output: string;
}

export const maxRuns = 200;
export const maxAgents = 100;
export const maxOutput = 30_000;

/** The newest runs and subagents of one session's server. They stay in memory, so evidence ends with the session. */
export class RunLedger {
  private readonly commands = new Map<string, Run>();
  private readonly subagents = new Map<string, AgentRun>();
  private why: string | null = null;

  constructor(private readonly now: () => number = Date.now) {}

  /** Why this session has no evidence any more; null if it has. */
  get forfeited(): string | null {
    return this.why;
  }

  /** Ends evidence for the session: forgets all records and accepts no new ones. */
  forfeit(why: string): void {
    this.why ??= why;
    this.commands.clear();
    this.subagents.clear();
  }

  /** Oldest first, including runs that have not ended. */
  runs(): readonly Readonly<Run>[] {
    return [...this.commands.values()];
  }

  agents(): readonly Readonly<AgentRun>[] {
    return [...this.subagents.values()];
  }

  start(run: Pick<Run, 'id' | 'command' | 'replacement' | 'cwd' | 'session' | 'permissionMode' | 'agentId' | 'visit'>): void {
    if (this.why !== null || this.commands.has(run.id)) return;
    const started = { ...run, startedAt: this.now(), endedAt: null, ending: null, output: '' };
    setNewest(this.commands, run.id, started, maxRuns);
  }

  /** Only the first reported end counts. A caller that sees a second one decides about it and may call `void`. */
  end(id: string, { ending, visit, output }: End): void {
    const run = this.commands.get(id);
    if (run === undefined || run.ending !== null) return;
    run.endedAt = this.now();
    run.ending = ending;
    const rest = output.length - maxOutput;
    // The mark makes a test report unreadable. A program could print a whole report of its own before the part that is cut.
    run.output = rest > 0 ? `${output.slice(0, maxOutput)}\n… ${rest} characters …` : output;
    if (!isSameVisit(run.visit, visit)) run.visit = null;
  }

  /** Reports about this run contradict each other. */
  void(id: string, why: string): void {
    const run = this.commands.get(id);
    if (run === undefined) return;
    run.endedAt ??= this.now();
    run.ending = { how: 'void', why };
  }

  /** Ends the runs of a thread that stopped, because the client does not report a call that a person interrupted. */
  stopped(session: string | null, agentId: string | null): void {
    for (const run of this.commands.values()) {
      if (run.ending !== null || run.agentId !== agentId || run.session !== session) continue;
      run.endedAt = this.now();
      run.ending = { how: 'interrupted' };
    }
  }

  startAgent(agent: Pick<AgentRun, 'id' | 'type' | 'session' | 'visit'>): void {
    if (this.why !== null || this.subagents.has(agent.id)) return;
    setNewest(this.subagents, agent.id, { ...agent, startedAt: this.now(), endedAt: null, lastLine: null }, maxAgents);
  }

  /** A subagent that continues after a stop ends again. Its newest last line counts. */
  endAgent(id: string, type: string, visit: ModeVisit | null, lastMessage: string): void {
    const agent = this.subagents.get(id);
    if (agent === undefined) return;
    agent.endedAt = this.now();
    agent.lastLine = agent.type === type ? lastLineOf(lastMessage) : null;
    if (!isSameVisit(agent.visit, visit)) agent.visit = null;
    // The list is in order of ends. Sorting by the clock could make an earlier end the newest.
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
