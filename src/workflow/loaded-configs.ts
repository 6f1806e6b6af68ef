// Selects the content that applies: the present one, the one that a session is pinned to, or the last trusted one.
import fs from 'node:fs';
import path from 'node:path';
import { hashConfiguration } from '../config/hash.ts';
import { readSources } from '../config/sources.ts';
import { type Fingerprint, fingerprint, isUnchanged } from '../config/survey.ts';
import { brokenBy, type LoadedConfig, lostConfig, openConfig } from '../engine/loaded-config.ts';
import {
  type LoadedRules,
  type Prepare,
  type Prepared,
  type PrepareWith,
  preparedKey,
  readPrepared,
} from '../engine/prepared.ts';
import type { Place } from '../facts/paths/place.ts';
import { otherCheckoutsOf } from '../facts/paths/worktrees.ts';
import type { Trust } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { governedMarker, makeFolder, markGoverned, projectFolder } from '../platform/data-folder.ts';
import { type LayerFolder, layerFolders } from '../platform/layer-folders.ts';
import { isOfCompiler } from '../policy/compiler/problems.ts';
import { readCore } from '../policy/core.ts';
import { cachedLayers, cachedStamp, isBundleFault } from '../store/cached-bundle.ts';
import type { ProjectLocation } from '../store/find-project.ts';
import { readLastKnownGood, writeLastKnownGood } from '../store/last-known-good.ts';
import { writeSessionOrigin } from '../store/session-origin.ts';
import {
  dropAllPins,
  pinsFolder,
  readPin,
  runningPins,
  setAllPins,
  setPin,
  sweepCopies,
  takePin,
} from '../store/session-pins.ts';
import { type ConfigSnapshot, keepTrusted, readSnapshot, readTrusted, snapshotId } from '../store/snapshots.ts';
import { type Approval, listApprovals, readApprovals, recordTrust, revokeTrust, trustFile } from '../store/trust.ts';
import { isSigned, KEYS_FILE, readKeys, readSignature, SIGNATURE_FILE } from '../store/trust-signature.ts';

/** Milliseconds between two checks for changes when no file watcher reported one. */
const refreshMs = 250;
/** Milliseconds until a temporary failure is retried. */
const retryAfter = 30_000;
/** Limits on the remembered sessions, and on the contents that stay loaded. */
const maxSessions = 200;
const maxViews = 16;

/** The contents that apply to one session. Both fields hold the same object if they do not differ. */
export interface Counting {
  /** The content that the session is pinned to. Its modes and transitions apply. */
  pinned: LoadedConfig;
  /** The present content. If it is broken, the last good one. If there is no good one, the pinned content. */
  present: LoadedConfig;
}

/** The contents of one project, loaded on demand. After `ready(session)`, everything for that session is synchronous. */
export class LoadedConfigs {
  /** A person ended the governance of this project. */
  released = false;
  private marked = false;
  private readonly layers: LayerFolder[];
  private now!: LoadedConfig;
  /** The present content, or the last good one while the present one is broken. null if there is no good one. */
  private lastGood: LoadedConfig | null = null;
  /** The content that a new session is pinned to. */
  private base!: LoadedConfig;
  private approvals: readonly Approval[] = [];
  /** `keys`: signing keys pinned by the user or the organization. `houseKeys`: those of the organization alone. */
  private keys: readonly string[] = [];
  private houseKeys: readonly string[] = [];
  private build!: PrepareWith;
  /** By key of the prepared form. */
  private readonly views = new Map<string, LoadedConfig>();
  private readonly sessions = new Map<string, LoadedConfig>();
  /** Pins that the disk refused to store. At least this process remembers them. */
  private readonly unrecorded = new Map<string, ConfigSnapshot>();
  /** Sessions that made a request before their pinned content was compiled. */
  private readonly waiting: [session: string, content: ConfigSnapshot][] = [];
  private fingerprints: { layers: Fingerprint[]; records: string } | null = null;
  private checkedAt = 0;
  /** When a temporary failure, such as a time limit, is retried. */
  private retryAt = Number.POSITIVE_INFINITY;
  private dirty = true;
  private loading: Promise<void> | null = null;

  constructor(
    private readonly location: ProjectLocation,
    private readonly place: Place,
    private readonly packageRoot: string,
    private readonly prepare: Prepare,
    private readonly ci = false,
    private readonly isOnce = false,
  ) {
    this.layers = layerFolders(location.root, place);
  }

  /** Call this when something may have changed. The next `ready` checks. */
  touch(): void {
    this.dirty = true;
  }

  /** Resolves when the present content and the session's content are loaded and compiled. */
  async ready(session: string | null): Promise<void> {
    // A load in progress may have read the files before the last change.
    if (this.loading !== null) await this.loading;
    if (this.loading === null && this.isStale())
      this.loading = this.load().finally(() => {
        this.loading = null;
      });
    if (this.loading !== null) await this.loading;
    for (const [waiting, snapshot] of this.waiting.splice(0)) this.remember(waiting, await this.open(snapshot));
    if (session === null || this.released || this.sessions.has(session)) return;
    const pinned = this.beginning(session);
    this.remember(session, 'known' in pinned ? pinned : await this.open(pinned));
  }

  /** False until the first `ready` resolves. */
  get isLoaded(): boolean {
    return this.now !== undefined && this.base !== undefined;
  }

  /** The present content, usable or not. */
  get present(): LoadedConfig {
    return this.now;
  }

  /** The contents that apply to a session; for null, those that apply to a new session. */
  of(session: string | null): Counting {
    const pinned = session === null || this.released ? this.base : (this.sessions.get(session) ?? this.beginNow(session));
    return { pinned, present: this.lastGood ?? pinned };
  }

  /** The newest trusted content that has a stored copy: the copied project layer combined with the present other layers. */
  lastTrusted(): ConfigSnapshot | null {
    for (const { hash } of this.approvals) {
      const project = readTrusted(this.place.dataFolder, this.location.root, hash);
      if (project !== null) return this.around(project);
    }
    return null;
  }

  /** Combines a stored project layer with the present other layers. */
  private around(project: ConfigSnapshot[number]): ConfigSnapshot {
    return this.now.content.map((one) => (one.layer === 'project' ? project : one));
  }

  /** Loads a content for comparison, without putting it into effect. `approved`: as if a person had approved it. */
  async open(snapshot: ConfigSnapshot, approved = false): Promise<LoadedConfig> {
    const build = this.buildFor(snapshot);
    if (approved && !build.trusted) build.trusted = true;
    const cached = this.cachedConfig(snapshot, build);
    if (cached !== null) return cached;
    return this.keep(preparedKey(snapshot, build), snapshot, build.trusted, await this.prepare(snapshot, build));
  }

  /**
   * The content that some running session is pinned to, if it is not the present one. null: all are pinned to the present one.
   */
  async otherThanPresent(): Promise<LoadedConfig | null> {
    const { dataFolder } = this.place;
    const id = runningPins(dataFolder, this.location.root).find((one) => one !== this.now.id);
    if (id === undefined) return null;
    const snapshot = readSnapshot(dataFolder, this.location.root, id);
    return snapshot === null
      ? lostConfig(id, pinProblem('its copy is missing', this.now.known), this.packageRoot)
      : this.open(snapshot);
  }

  /**
   * Pins one session, or all of them, to the present content if it is usable. Call this only at a person's request. Throws if the
   * disk refuses.
   */
  adopt(who: { session: string } | 'all'): void {
    const { dataFolder } = this.place;
    const at = new Date();
    if (brokenBy(this.now) !== null) return;
    if (who === 'all') setAllPins(dataFolder, this.location.root, this.now.content, at);
    else setPin(dataFolder, this.location.root, who.session, this.now.content, at);
    this.unrecorded.clear();
    this.sessions.clear();
    this.touch();
  }

  /** Records a person's approval of the present content (`approvalHash`). Throws LaterVersion, or if the disk refuses. */
  trust(by: Approval['by'], approvalHash: string): void {
    const { dataFolder } = this.place;
    recordTrust(dataFolder, this.location.root, this.now.known.hash, by, new Date(), approvalHash);
    // The shell client of a session that starts in a parent folder finds the project by this folder.
    if (this.location.layer === 'project') makeFolder(path.dirname(governedMarker(dataFolder, this.location.root)));
    this.approvals = this.readApprovals();
    // Copy it now: the file may be overwritten before it is read again.
    this.keepTrusted();
    this.touch();
  }

  /** A person's approvals for this project in every checkout of its repository, newest first. Throws LaterVersion. */
  approvedSnapshots(): readonly Approval[] {
    return newestFirst(this.trustRoots().map((root) => listApprovals(this.place.dataFolder, root)));
  }

  /**
   * Revokes the approval of one content, or of all (null), in every checkout of the repository, and returns the revoked ones.
   * Throws if the disk refuses.
   */
  revoke(hash: string | null): Approval[] {
    const revoked = newestFirst(this.trustRoots().map((root) => revokeTrust(this.place.dataFolder, root, hash)));
    this.touch();
    return revoked;
  }

  /** Folders whose approvals of the same content count: the project's, and its place in other checkouts of its repository. */
  private trustRoots(): string[] {
    const { root, layer } = this.location;
    return layer === 'project' ? [root, ...otherCheckoutsOf(root)] : [root];
  }

  private readApprovals(): Approval[] {
    return newestFirst(this.trustRoots().map((root) => readApprovals(this.place.dataFolder, root)));
  }

  /** Records that this folder is governed, so that deleting modes.yaml does not end it. Throws if the disk refuses. */
  markGoverned(): void {
    if (this.location.layer !== 'project') return;
    const { dataFolder } = this.place;
    markGoverned(dataFolder, this.location.root);
    makeFolder(projectFolder(dataFolder, this.location.root));
    this.touch();
  }

  /** Ends the governance of this folder and drops the pins of its sessions. */
  release(): void {
    const { dataFolder } = this.place;
    fs.rmSync(governedMarker(dataFolder, this.location.root), { force: true });
    dropAllPins(dataFolder, this.location.root);
    this.touch();
  }

  private isStale(): boolean {
    const now = performance.now();
    if (this.fingerprints === null || this.dirty || now >= this.retryAt) return true;
    if (now - this.checkedAt < refreshMs) return false;
    this.checkedAt = now;
    const { layers, records } = this.look();
    return (
      records !== this.fingerprints.records || layers.some((layer, at) => !isUnchanged(this.fingerprints!.layers[at]!, layer))
    );
  }

  /** Detects changes without reading contents: fingerprints of configuration files, records of trust and pins, keys. */
  private look(): { layers: Fingerprint[]; records: string } {
    const { root, folder } = this.location;
    const files = [
      ...this.trustRoots().map((one) => trustFile(this.place.dataFolder, one)),
      pinsFolder(this.place.dataFolder, root),
      path.join(folder, SIGNATURE_FILE),
      ...this.layers.map((layer) => path.join(layer.folder, KEYS_FILE)),
    ];
    const bundleStamp = cachedStamp(this.place.dataFolder, Date.now());
    return { layers: this.layers.map((layer) => fingerprint(layer)), records: [...files.map(stampOf), bundleStamp].join('\n') };
  }

  private async load(): Promise<void> {
    this.dirty = false;
    this.retryAt = Number.POSITIVE_INFINITY;
    // A process that decides one call never checks for changes.
    const fingerprints = this.isOnce ? null : this.look();
    const { dataFolder, home } = this.place;
    const core = readCore(this.packageRoot);
    if (!core.ok) throw new Error(core.problems[0]?.message ?? 'the compiled core cannot be read');
    this.build = {
      trusted: false,
      ci: this.ci,
      home,
      packageRoot: this.packageRoot,
      cacheFolder: path.join(dataFolder, 'cache'),
      core: core.core,
    };
    this.approvals = this.readApprovals();
    this.keys = readKeys(this.layers);
    this.houseKeys = readKeys(this.layers.filter(({ layer }) => layer === 'managed'));
    this.now = await this.open(this.read());
    this.lastGood = await this.lastKnownGood();
    this.readMarker();
    const isUsable = this.now.trusted && brokenBy(this.now) === null;
    if (isUsable) this.keepTrusted();
    const trusted = isUsable ? null : this.lastTrusted();
    this.base = trusted === null ? this.now : await this.open(trusted);
    this.sessions.clear();
    this.fingerprints = fingerprints;
    this.checkedAt = performance.now();
  }

  /**
   * The content to use as present. If an edit broke it, the last good project layer is used with the present other layers:
   * breaking a project must not disable the organization's rules. If that is unusable too, the whole last good content is used,
   * unless modes.yaml is gone. null: nothing is usable.
   */
  private async lastKnownGood(): Promise<LoadedConfig | null> {
    const { dataFolder } = this.place;
    const { root } = this.location;
    // The last good content may replace a broken edit, but never the bundle that the organization pins.
    if (this.now.known.problems.some(isBundleFault)) return this.now;
    if (brokenBy(this.now) !== null) {
      const isGone = this.now.known.problems.some(({ code }) => code === 'E_NO_MODES');
      const lastGood = readLastKnownGood(dataFolder, root);
      const project = lastGood?.find(({ layer }) => layer === 'project');
      for (const snapshot of [project && this.around(project), isGone ? null : lastGood]) {
        const config = snapshot ? await this.open(snapshot) : null;
        if (config !== null && brokenBy(config) === null) return config;
      }
      return null;
    }
    try {
      writeLastKnownGood(dataFolder, root, this.now.content);
      sweepCopies(dataFolder, root, new Date());
    } catch (error) {
      process.stderr.write(`modes: could not keep a copy of the configuration in use: ${(error as Error).message}\n`);
    }
    return this.now;
  }

  /** If a marker that existed is gone together with modes.yaml, a person removed it. Then the folder is no longer governed. */
  private readMarker(): void {
    const isMarked = fs.existsSync(governedMarker(this.place.dataFolder, this.location.root));
    const hasModes = brokenBy(this.now) === null || this.now.known.problems.every(({ code }) => code !== 'E_NO_MODES');
    this.released = (this.released || this.marked) && !isMarked && !hasModes;
    this.marked = isMarked;
  }

  private read(): ConfigSnapshot {
    const layers = this.layers.map((layer) => {
      const sources = readSources(layer);
      if (layer.layer !== 'project') return sources;
      return { ...sources, vanished: this.location.layer === 'project', signature: readSignature(layer.folder) };
    });
    return [...layers, ...cachedLayers(this.place.dataFolder, layers, Date.now())];
  }

  /** Stores a copy of the trusted content, for sessions that start while the present content differs. */
  private keepTrusted(): void {
    const project = this.now.content.find(({ layer }) => layer === 'project');
    const approved = this.approvals.map(({ hash }) => hash);
    if (project === undefined || !approved.includes(this.now.known.hash)) return;
    try {
      keepTrusted(this.place.dataFolder, this.location.root, project, approved);
    } catch (error) {
      process.stderr.write(`modes: could not keep a copy of the trusted configuration: ${(error as Error).message}\n`);
    }
  }

  /**
   * The content that a session is pinned to: its stored pin, or a new one. A `Content` result is not loaded yet; the caller opens
   * it.
   */
  private beginning(session: string): LoadedConfig | ConfigSnapshot {
    const { dataFolder } = this.place;
    const { root } = this.location;
    let pin = readPin(dataFolder, root, session);
    // Never pin a session to a broken content. Until it is fixed, or a person adopts another one, the session can only read.
    if (pin === null && brokenBy(this.base) === null) {
      try {
        // If modes.yaml disappears, the shell client must still ask for this session.
        if (this.location.layer === 'project') {
          markGoverned(dataFolder, root);
          this.marked = true;
        }
        writeSessionOrigin(dataFolder, session, this.location);
        pin = takePin(dataFolder, root, session, this.base.content, new Date());
      } catch (error) {
        process.stderr.write(
          `modes: could not record the configuration that the session starts with: ${(error as Error).message}\n`,
        );
        if (this.unrecorded.size < maxSessions && !this.unrecorded.has(session)) this.unrecorded.set(session, this.base.content);
      }
    }
    if (pin === null) return this.unrecorded.get(session) ?? this.base;
    if (pin === 'damaged') return lostConfig('', pinProblem('its record is damaged', this.now.known), this.packageRoot);
    for (const config of [this.now, this.base]) if (config.id === pin.content) return config;
    return (
      readSnapshot(dataFolder, root, pin.content) ??
      lostConfig(pin.content, pinProblem('its copy in the data folder is damaged or missing', this.now.known), this.packageRoot)
    );
  }

  /** For a caller that did not wait until the session was ready. */
  private beginNow(session: string): LoadedConfig {
    const pinned = this.beginning(session);
    if ('known' in pinned) return this.remember(session, pinned);
    const cached = this.cachedConfig(pinned);
    if (cached !== null) return this.remember(session, cached);
    if (this.waiting.length < maxViews) this.waiting.push([session, pinned]);
    return lostConfig(
      snapshotId(pinned),
      pinProblem('it is being prepared; try the same call again in a moment', this.now.known),
      this.packageRoot,
    );
  }

  private remember(session: string, config: LoadedConfig): LoadedConfig {
    // A session that could not be pinned is looked up again on its next request.
    if (config === this.base && brokenBy(config) !== null) return config;
    if (this.sessions.size >= maxSessions) this.sessions.clear();
    this.sessions.set(session, config);
    return config;
  }

  private cachedConfig(snapshot: ConfigSnapshot, build = this.buildFor(snapshot)): LoadedConfig | null {
    const key = preparedKey(snapshot, build);
    const loaded = this.views.get(key);
    if (loaded !== undefined) return loaded;
    const prepared = readPrepared(key, build);
    return prepared === null ? null : this.keep(key, snapshot, build.trusted, prepared);
  }

  private keep(key: string, snapshot: ConfigSnapshot, trust: Trust, prepared: Prepared): LoadedConfig {
    const config = openConfig(snapshotId(snapshot), snapshot, trust, prepared, this.packageRoot, {
      dataFolder: this.place.dataFolder,
      isOnce: this.isOnce,
    });
    if (prepared.known.problems.some(({ code }) => isOfCompiler(code))) {
      this.retryAt = performance.now() + retryAfter;
      return config;
    }
    if (this.views.size >= maxViews) this.views.clear();
    this.views.set(key, config);
    return config;
  }

  private buildFor(snapshot: ConfigSnapshot): PrepareWith {
    return { ...this.build, trusted: this.trustIn(snapshot) };
  }

  /**
   * Trusted by a person's approval of exactly this content, or by a signature of a pinned key. A content without rules that could
   * weaken anything needs no approval.
   */
  private trustIn(snapshot: ConfigSnapshot): Trust {
    const project = snapshot.find(({ layer }) => layer === 'project');
    if (project === undefined) return 'always';
    const hash = hashConfiguration(project.files, project.faults);
    const isSignedBy = (keys: readonly string[]): boolean => isSigned(hash, project.signature, keys);
    if (hash === nothing || isSignedBy(this.houseKeys)) return 'always';
    return this.approvals.some((one) => one.hash === hash) || isSignedBy(this.keys);
  }
}

const nothing = hashConfiguration([]);

/** The approvals of several folders, the newest of each content. */
function newestFirst(approvals: readonly (readonly Approval[])[]): Approval[] {
  const sorted = approvals.flat().sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
  return sorted.filter(({ hash }, at) => sorted.findIndex((one) => one.hash === hash) === at);
}

function pinProblem(why: string, { approvable }: LoadedRules): Problem {
  return {
    code: 'E_PIN_LOST',
    severity: 'error',
    message: `The configuration that this session started with cannot be used: ${why}.`,
    remedy: approvable
      ? 'A person can adopt the current configuration with /modes:trust.'
      : 'Start a new session, which uses the current configuration. The organization does not allow adopting it in this session.',
  };
}

function stampOf(file: string): string {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? '' : [stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ');
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}
