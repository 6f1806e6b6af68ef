// Background jobs of a server for the organization, besides its decisions. HTTP and signature code is
// loaded only if a teams.yaml exists.
import fs from 'node:fs';
import path from 'node:path';
import { TEAM_FILE } from '../config/names.ts';
import type { Place } from '../facts/paths/place.ts';
import { type LayerFolder, layerFolders } from '../platform/layer-folders.ts';
import { readFresh, writeBundleFault } from '../store/cached-bundle.ts';
import type { BundleKeeper } from './keeper.ts';
import type { LogShipping } from './sender.ts';

export interface TeamsOptions {
  place: Pick<Place, 'root' | 'home' | 'configFolder' | 'managedFolders' | 'dataFolder'>;
  /** Called when a different bundle was stored. */
  changed(): void;
  /** Receives each problem once. */
  note(message: string): void;
}

/** Milliseconds between two checks for a teams.yaml, and maximum milliseconds that a start waits for its first bundle. */
const LOOK_EVERY = 15_000;
const FIRST_WAIT = 3_000;

/** The background jobs of one server: they fetch the organization's bundle and send decisions. */
export class Teams {
  private stopped = false;
  private readonly timers = new Set<NodeJS.Timeout>();
  private keeper: BundleKeeper | null = null;
  private logs: LogShipping | null = null;
  /** Root of the project with the decisions to send; null: no project is open. */
  private root: string | null = null;
  private readonly lastMessages = new Map<string, string>();

  constructor(private readonly options: TeamsOptions) {}

  /**
   * Resolves after the first request if nothing could be decided without its answer, at the latest after `FIRST_WAIT`; otherwise
   * at once.
   */
  async start(): Promise<void> {
    const isNeeded = this.names('managed') && readFresh(this.options.place.dataFolder) === null;
    const first = this.repeat('bundle', () => this.turnOfBundle());
    if (!isNeeded) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, FIRST_WAIT);
    });
    await Promise.race([first, late]);
    clearTimeout(timer);
  }

  /** Called when a project opens: sends its decisions from now on. Never throws. */
  async opened(root: string): Promise<void> {
    const isFirst = this.root === null;
    this.root = root;
    try {
      (await this.startLogShipping())?.begin(root);
    } catch (error) {
      this.note('logs', `decisions are not sent: ${(error as Error).message}`);
    }
    if (isFirst) void this.repeat('logs', () => this.turnOfLogs());
  }

  stop(): void {
    this.stopped = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.keeper?.stop();
    this.logs?.stop();
  }

  /**
   * Runs `act`, and again after the milliseconds that it returns. Never throws: the server
   * must continue without its background jobs.
   */
  private async repeat(what: string, act: () => Promise<number>): Promise<void> {
    let next = LOOK_EVERY;
    try {
      next = await act();
    } catch (error) {
      this.note(what, `${what}: ${(error as Error).message}`);
    }
    if (this.stopped) return;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.repeat(what, act);
    }, next).unref();
    this.timers.add(timer);
  }

  private async turnOfBundle(): Promise<number> {
    if (!this.names('managed')) return LOOK_EVERY;
    const { place, changed } = this.options;
    if (this.keeper === null) {
      const { BundleKeeper } = await import('./keeper.ts');
      this.keeper = new BundleKeeper({ dataFolder: place.dataFolder, folders: this.folders('managed') });
    }
    const { outcome, refused, next } = await this.keeper.turn();
    if (this.stopped) return next;
    if (outcome === 'new') changed();
    const fault = refused === undefined ? null : { ...refused.problem(), since: new Date().toISOString() };
    this.note('bundle', fault === null ? null : `${fault.code} ${fault.message} ${fault.remedy}`);
    if (outcome !== 'none' && outcome !== 'elsewhere') writeBundleFault(place.dataFolder, fault);
    return next;
  }

  private async turnOfLogs(): Promise<number> {
    const { root } = this;
    const shipping = root === null ? null : await this.startLogShipping();
    if (root === null || shipping === null) return LOOK_EVERY;
    const { outcome, next, why } = await shipping.turn(root);
    this.note('logs', outcome === 'failed' ? `decisions are not sent: ${why}` : null);
    return next;
  }

  /** null: there is no teams.yaml. */
  private async startLogShipping(): Promise<LogShipping | null> {
    if (!this.names('managed') && !this.names('user')) return null;
    if (this.logs === null) {
      const { LogShipping } = await import('./sender.ts');
      this.logs ??= new LogShipping(this.options.place.dataFolder, [...this.folders('managed'), ...this.folders('user')]);
    }
    return this.logs;
  }

  /** Reports a problem once, until it is over. */
  private note(what: string, message: string | null): void {
    if (message !== null && message !== this.lastMessages.get(what)) this.options.note(message);
    if (message === null) this.lastMessages.delete(what);
    else this.lastMessages.set(what, message);
  }

  private folders(wanted: LayerFolder['layer']): LayerFolder[] {
    const { place } = this.options;
    return layerFolders(place.root, place).filter(({ layer }) => layer === wanted);
  }

  private names(layer: LayerFolder['layer']): boolean {
    return this.folders(layer).some(({ folder }) => fs.existsSync(path.join(folder, TEAM_FILE)));
  }
}
