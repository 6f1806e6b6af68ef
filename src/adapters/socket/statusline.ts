// Writes the text of the status line of this server's session to a file, for the script that shows it.
import fs from 'node:fs';
import path from 'node:path';
import { gateRecordFolder, windowFile, writeGateRecord } from '../../app/gate-record.ts';
import { countGates, evaluateGates, type GateState, statusLineOf, statusLineText } from '../../app/statusline.ts';
import { makeFolder, writeWhole } from '../../platform/data-folder.ts';
import { isRunning } from '../../store/server-record.ts';
import type { RunLedger } from '../../workflow/gates/runs.ts';
import type { CallerProject } from '../../workflow/project.ts';

/** Milliseconds during which several changes are combined into one update. */
const gather = 100;
/** Milliseconds without an event before gates are evaluated, so that no call waits for it. */
const quiet = 1_000;

/**
 * Writes `<data>/status/<process id of the server>`. The client of a session has one server, and the
 * script finds it by its record.
 */
export class StatusKeeper {
  private timer: NodeJS.Timeout | null = null;
  private gateTimer: NodeJS.Timeout | null = null;
  private gates: GateState[] | null = null;
  /** The mode and the evidence at the last evaluation of the gates. */
  private counted = { mode: '', evidence: '' };
  private written: string | null = null;
  private fault = '';

  constructor(
    private readonly dataFolder: string,
    private readonly runs: RunLedger,
    /** The governed project; null while no project is governed. */
    private readonly project: () => CallerProject | null,
    private readonly note: (message: string) => void,
  ) {}

  /**
   * Called when the status may have changed. `hasFileChanges`: files that gates check may have changed too, although no command was
   * reported. Does no work now.
   */
  touch(hasFileChanges = false): void {
    if (hasFileChanges) this.counted.evidence = '';
    this.timer ??= this.later(gather, () => {
      this.timer = null;
      void this.show();
    });
    if (this.gateTimer !== null) clearTimeout(this.gateTimer);
    this.gateTimer = this.later(quiet, () => {
      this.gateTimer = null;
      void this.count();
    });
  }

  /** Removes the files: there is nothing to show any more. */
  remove(): void {
    for (const timer of [this.timer, this.gateTimer]) if (timer !== null) clearTimeout(timer);
    this.timer = null;
    this.gateTimer = null;
    if (this.written !== null)
      for (const file of [this.file(), `${this.file()}.json`, windowFile(this.dataFolder)]) fs.rmSync(file, { force: true });
    this.written = null;
  }

  private async show(): Promise<void> {
    try {
      const project = this.project();
      await project?.ready();
      if (project === null || project.released) return this.remove();
      const text = statusLineText(
        statusLineOf(project, modeOf(project) === this.counted.mode && this.gates !== null ? countGates(this.gates) : null),
      );
      if (text === this.written) return;
      if (this.written === null) this.prune();
      writeWhole(this.file(), text);
      this.written = text;
      this.fault = '';
    } catch (error) {
      this.tell(error as Error);
    }
  }

  private async count(): Promise<void> {
    try {
      const project = this.project();
      if (project === null || project.released) return;
      const now = { mode: modeOf(project), evidence: this.evidence(project) };
      if (now.mode === this.counted.mode && now.evidence === this.counted.evidence) return;
      // Stored before the evaluation, so that a change during the evaluation causes another one.
      if (now.mode !== this.counted.mode) this.gates = null;
      this.counted = now;
      this.gates = await evaluateGates(project);
      writeGateRecord(this.dataFolder, project, this.gates);
      await this.show();
    } catch (error) {
      this.tell(error as Error);
    }
  }

  /** A key that changes with reported commands and subagents, and with the plan. */
  private evidence(project: CallerProject): string {
    const ends = [...this.runs.runs(), ...this.runs.agents()].map(({ id, endedAt }) => [id, endedAt]);
    return JSON.stringify([ends, project.describe().state.work]);
  }

  /** Removes the files of servers that were killed. */
  private prune(): void {
    makeFolder(this.folder());
    // An earlier server could have had the same process id.
    fs.rmSync(windowFile(this.dataFolder), { force: true });
    for (const name of fs.readdirSync(this.folder())) {
      const server = Number.parseInt(name, 10);
      if (server > 0 && !isRunning(server)) fs.rmSync(path.join(this.folder(), name), { force: true });
    }
  }

  private later(milliseconds: number, act: () => void): NodeJS.Timeout {
    return setTimeout(act, milliseconds).unref();
  }

  private tell({ message }: Error): void {
    if (message !== this.fault) this.note(`the status line could not be stored: ${message}`);
    this.fault = message;
  }

  private file(): string {
    return path.join(this.folder(), String(process.pid));
  }

  private folder(): string {
    return gateRecordFolder(this.dataFolder);
  }
}

/** A key that changes with the mode and with its configuration. */
function modeOf(project: CallerProject): string {
  const { state, configuration } = project.describe();
  return JSON.stringify([state.entries.at(-1)?.hash ?? '', state.mode, configuration.hash]);
}
