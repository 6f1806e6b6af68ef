// The project services that checks need besides files: whether commands may start, and what the policies return.
import type { Requirement } from '../../model/requirement.ts';

/** One condition of a custom policy's `gate` set. `value` is not validated yet. */
export interface PolicyGate {
  policy: string;
  value: unknown;
  file: string;
  line: number;
}

/** The requested change of mode. */
export interface GateRequest {
  mode: string;
  to: string;
  explanation: string;
  /** The plan with which the agent wants to leave the client's plan mode; absent otherwise. */
  plan?: string;
}

/** One change of mode in the journal. */
export interface JournalExcerpt {
  number: number;
  timestamp: string;
  kind: string;
  from: string | null;
  to: string;
  actor: string;
  explanation: string;
}

export interface GateEngine {
  request: GateRequest;
  /** The newest changes of mode, oldest first. */
  journal: readonly JournalExcerpt[];
  /** The environment of the server. */
  env: NodeJS.ProcessEnv;
  /** False for a status query: no process is started then. */
  starts: boolean;
  /** Whether a person approved the content of this check. */
  trusts(requirement: Requirement): boolean;
  /** Why the command would be denied as a Bash call in this mode; null if it would not be. */
  refuses(command: string, folder: string): { reason: string; remedy: string } | null;
  /** The place that enables a sandbox for Bash calls of this session; null if there is none. */
  sandbox(): string | null;
  /** Whether rules deny reading a file. Relative to the root. */
  hides(name: string): boolean;
  /** The conditions of this mode's custom policies for the change. Throws if a policy cannot be evaluated. */
  gates(): PolicyGate[];
  /** Called while a command runs. */
  progress?(seconds: number, message: string): void;
  /** Aborts a running command. */
  signal?: AbortSignal;
}
