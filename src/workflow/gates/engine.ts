// What checks need of the project beside its files: whether commands may be started, and what its policies say.
import type { Requirement } from '../../model/requirement.ts';

/** One condition of a custom policy's `gate` set, as it was found; `value` is not looked at yet. */
export interface PolicyGate {
  policy: string;
  value: unknown;
  file: string;
  line: number;
}

/** A change of mode that is asked for. */
export interface Asked {
  mode: string;
  to: string;
  explanation: string;
  /** The plan that the agent wants to leave the client's plan mode with; absent otherwise. */
  plan?: string;
}

/** What the journal says of one change of mode. */
export interface Told {
  number: number;
  timestamp: string;
  kind: string;
  from: string | null;
  to: string;
  actor: string;
  explanation: string;
}

export interface Engine {
  asked: Asked;
  /** The newest changes of mode, oldest first. */
  journal: readonly Told[];
  /** The environment of the server. */
  env: NodeJS.ProcessEnv;
  /** False where somebody only wants to know how the gate stands: nothing is started then. */
  starts: boolean;
  /** Whether a person approved what this check says. */
  trusts(requirement: Requirement): boolean;
  /** Why the text would be denied as a Bash call in this mode; null: it would not. */
  refuses(command: string, folder: string): { reason: string; remedy: string } | null;
  /** Where it says that Bash calls of this session run in a sandbox; null: nowhere. */
  sandbox(): string | null;
  /** Whether rules deny to read a file. Relative to the root. */
  hides(name: string): boolean;
  /** What the custom policies of this mode say of the change. Throws where they cannot be asked. */
  gates(): PolicyGate[];
  /** Told while a command runs. */
  progress?(seconds: number, limit: number, message: string): void;
  /** Aborts what runs. */
  signal?: AbortSignal;
}
