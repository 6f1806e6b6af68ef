// Which content counts: what is there now, what a session began with, what a person trusted last.
import fs from 'node:fs';
import path from 'node:path';
import { type Fingerprint, fingerprint, isUnchanged } from '../config/fingerprint.ts';
import { hashConfiguration } from '../config/hash.ts';
import { readSources } from '../config/sources.ts';
import { type Known, type Prepare, type Prepared, type PrepareWith, preparedKey, readPrepared } from '../engine/prepared.ts';
import type { Place } from '../facts/paths/place.ts';
import type { Trust } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { governedMarker, makeFolder, markGoverned, projectFolder } from '../platform/data-folder.ts';
import { type LayerFolder, layerFolders } from '../platform/layer-folders.ts';
import { isOfCompiler } from '../policy/compiler/problems.ts';
import { readCore } from '../policy/core.ts';
import type { Found } from '../store/find-project.ts';
import { isBundleFault, keptLayers, keptStamp } from '../store/kept-bundle.ts';
import { keepGood, readGood } from '../store/last-known-good.ts';
import { recordBegun } from '../store/session-origin.ts';
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
import { type Content, contentId, keepTrusted, readContent, readTrusted } from '../store/snapshots.ts';
import { type Approval, listApprovals, readApprovals, recordTrust, revokeTrust, trustFile } from '../store/trust.ts';
import { isSigned, KEYS_FILE, readKeys, readSignature, SIGNATURE_FILE } from '../store/trust-signature.ts';
import { brokenBy, lostView, openView, type View } from './view.ts';

/** Milliseconds between two looks at whether something changed, where no watch told so. */
const lookEvery = 250;
/** Milliseconds until what failed for a passing reason is tried again. */
const retryAfter = 30_000;
/** Sessions whose content is remembered, and contents that are kept loaded. */
const maxSessions = 200;
const maxViews = 16;

/** What counts for one session; the same object twice where nothing differs. */
export interface Counting {
  /** What the session began with: its modes and edges hold. */
  pinned: View;
  /** What is there now. While it cannot be used, the last one that could; while it is gone, the pinned content once more. */
  present: View;
}

/** The contents of one project, loaded as they are needed. After `ready(session)` everything for that session is synchronous. */
export class Contents {
  /** A person ended that this project is governed. */
  released = false;
  private marked = false;
  private readonly layers: LayerFolder[];
  private now!: View;
  /** The present content; while it is broken, the last one that was not; null where there is none. */
  private good: View | null = null;
  /** What a session that begins now begins with. */
  private base!: View;
  private approvals: readonly Approval[] = [];
  /** That the user or the organisation pinned, and those of the organisation alone. */
  private keys: readonly string[] = [];
  private houseKeys: readonly string[] = [];
  private build!: PrepareWith;
  /** By key of the prepared form. */
  private readonly views = new Map<string, View>();
  private readonly sessions = new Map<string, View>();
  /** Beginnings that the disk refused to keep: this process at least knows them. */
  private readonly unrecorded = new Map<string, Content>();
  /** Sessions that were asked about before what they began with was compiled. */
  private readonly waiting: [session: string, content: Content][] = [];
  private seen: { layers: Fingerprint[]; records: string } | null = null;
  private seenAt = 0;
  /** When what failed for a passing reason, such as a time limit, is tried again. */
  private retryAt = Number.POSITIVE_INFINITY;
  private dirty = true;
  private loading: Promise<void> | null = null;

  constructor(
    private readonly found: Found,
    private readonly place: Place,
    private readonly packageRoot: string,
    private readonly prepare: Prepare,
    private readonly ci = false,
    private readonly isOnce = false,
  ) {
    this.layers = layerFolders(found.root, place);
  }

  /** Call when something may have changed; the next `ready` looks. */
  touch(): void {
    this.dirty = true;
  }

  /** Resolves when the present content, and that of the session, are loaded and compiled. */
  async ready(session: string | null): Promise<void> {
    // What is being loaded may have been read before the last change.
    if (this.loading !== null) await this.loading;
    if (this.loading === null && this.isStale())
      this.loading = this.load().finally(() => {
        this.loading = null;
      });
    if (this.loading !== null) await this.loading;
    for (const [waiting, content] of this.waiting.splice(0)) this.remember(waiting, await this.open(content));
    if (session === null || this.released || this.sessions.has(session)) return;
    const begun = this.beginning(session);
    this.remember(session, 'known' in begun ? begun : await this.open(begun));
  }

  /** False before the first `ready` resolved. */
  get isLoaded(): boolean {
    return this.now !== undefined && this.base !== undefined;
  }

  /** The present content, usable or not. */
  get present(): View {
    return this.now;
  }

  /** What counts for a session; without one, what counts for one that begins now. */
  of(session: string | null): Counting {
    const pinned = session === null || this.released ? this.base : (this.sessions.get(session) ?? this.beginNow(session));
    return { pinned, present: this.good ?? pinned };
  }

  /** The newest content that a person trusted and of which there is a copy: its project's own layer between the other present layers. */
  lastTrusted(): Content | null {
    for (const { hash } of this.approvals) {
      const project = readTrusted(this.place.dataFolder, this.found.root, hash);
      if (project !== null) return this.around(project);
    }
    return null;
  }

  /** A project's own layer between the other layers as they are now. */
  private around(project: Content[number]): Content {
    return this.now.content.map((one) => (one.layer === 'project' ? project : one));
  }

  /** Loads a content beside those that count, to compare it; `approved`: as it will count once a person said yes to it. */
  async open(content: Content, approved = false): Promise<View> {
    const build = this.buildFor(content);
    if (approved && !build.trusted) build.trusted = true;
    const kept = this.keptView(content, build);
    if (kept !== null) return kept;
    return this.keep(preparedKey(content, build), content, build.trusted, await this.prepare(content, build));
  }

  /** What a running session began with, where that is another than the present; null: all began with the present. */
  async otherThanPresent(): Promise<View | null> {
    const { dataFolder } = this.place;
    const id = runningPins(dataFolder, this.found.root).find((one) => one !== this.now.id);
    if (id === undefined) return null;
    const content = readContent(dataFolder, this.found.root, id);
    return content === null ? lostView(id, pinProblem('its copy is gone', this.now.known), this.packageRoot) : this.open(content);
  }

  /** Begins a session anew, or all of them, with the present content, if it can be used. A person has asked for it. Throws where the disk refuses. */
  adopt(who: { session: string } | 'all'): void {
    const { dataFolder } = this.place;
    const at = new Date();
    if (brokenBy(this.now) !== null) return;
    if (who === 'all') setAllPins(dataFolder, this.found.root, this.now.content, at);
    else setPin(dataFolder, this.found.root, who.session, this.now.content, at);
    this.unrecorded.clear();
    this.sessions.clear();
    this.touch();
  }

  /** Records that a person approved the present content. Throws LaterVersion, or where the disk refuses. */
  trust(by: Approval['by']): void {
    const { dataFolder } = this.place;
    recordTrust(dataFolder, this.found.root, this.now.known.hash, by, new Date());
    // The shell client of a session that starts above finds the project by this folder.
    if (this.found.layer === 'project') makeFolder(path.dirname(governedMarker(dataFolder, this.found.root)));
    this.approvals = readApprovals(this.place.dataFolder, this.found.root);
    // At once: before it is read again, it may have been written over.
    this.keepTrusted();
    this.touch();
  }

  /** What a person approved of this project, the newest first. Throws LaterVersion. */
  approvedContents(): readonly Approval[] {
    return listApprovals(this.place.dataFolder, this.found.root);
  }

  /** Takes back a person's yes to one content, or to all; gives what was taken back. Throws where the disk refuses. */
  revoke(hash: string | null): Approval[] {
    const revoked = revokeTrust(this.place.dataFolder, this.found.root, hash);
    this.touch();
    return revoked;
  }

  /** Remembers that this folder is governed, whatever becomes of its modes.yaml. Throws where the disk refuses. */
  markGoverned(): void {
    if (this.found.layer !== 'project') return;
    const { dataFolder } = this.place;
    markGoverned(dataFolder, this.found.root);
    makeFolder(projectFolder(dataFolder, this.found.root));
    this.touch();
  }

  /** Ends that this folder is governed, with what its sessions began with. */
  release(): void {
    const { dataFolder } = this.place;
    fs.rmSync(governedMarker(dataFolder, this.found.root), { force: true });
    dropAllPins(dataFolder, this.found.root);
    this.touch();
  }

  private isStale(): boolean {
    const now = performance.now();
    if (this.seen === null || this.dirty || now >= this.retryAt) return true;
    if (now - this.seenAt < lookEvery) return false;
    this.seenAt = now;
    const { layers, records } = this.look();
    return records !== this.seen.records || layers.some((layer, at) => !isUnchanged(this.seen!.layers[at]!, layer));
  }

  /** What tells of changes without reading: files of the configuration, records of trust and pins, keys. */
  private look(): { layers: Fingerprint[]; records: string } {
    const { root, folder } = this.found;
    const files = [
      trustFile(this.place.dataFolder, root),
      pinsFolder(this.place.dataFolder, root),
      path.join(folder, SIGNATURE_FILE),
      ...this.layers.map((layer) => path.join(layer.folder, KEYS_FILE)),
    ];
    const kept = keptStamp(this.place.dataFolder, Date.now());
    return { layers: this.layers.map((layer) => fingerprint(layer)), records: [...files.map(stampOf), kept].join('\n') };
  }

  private async load(): Promise<void> {
    this.dirty = false;
    this.retryAt = Number.POSITIVE_INFINITY;
    // Who asks once asks for no change.
    const seen = this.isOnce ? null : this.look();
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
    this.approvals = readApprovals(dataFolder, this.found.root);
    this.keys = readKeys(this.layers);
    this.houseKeys = readKeys(this.layers.filter(({ layer }) => layer === 'managed'));
    this.now = await this.open(this.read());
    this.good = await this.lastGood();
    this.lookAtMarker();
    const isUsable = this.now.trusted && brokenBy(this.now) === null;
    if (isUsable) this.keepTrusted();
    const trusted = isUsable ? null : this.lastTrusted();
    this.base = trusted === null ? this.now : await this.open(trusted);
    this.sessions.clear();
    this.seen = seen;
    this.seenAt = performance.now();
  }

  /**
   * What is broken by an edit leaves what was there before it; what is gone leaves nothing. What other layers say is of now all the same,
   * as long as it can be used: nobody closes the ears to the organisation by breaking a project.
   */
  private async lastGood(): Promise<View | null> {
    const { dataFolder } = this.place;
    const { root } = this.found;
    // What was good before stands in for an edit, not for what the organisation pins.
    if (this.now.known.problems.some(isBundleFault)) return this.now;
    if (brokenBy(this.now) !== null) {
      const isGone = this.now.known.problems.some(({ code }) => code === 'E_NO_MODES');
      const good = readGood(dataFolder, root);
      const project = good?.find(({ layer }) => layer === 'project');
      for (const content of [project && this.around(project), isGone ? null : good]) {
        const view = content ? await this.open(content) : null;
        if (view !== null && brokenBy(view) === null) return view;
      }
      return null;
    }
    try {
      keepGood(dataFolder, root, this.now.content);
      sweepCopies(dataFolder, root, new Date());
    } catch (error) {
      process.stderr.write(`modes: no copy is kept of the content that is in use: ${(error as Error).message}\n`);
    }
    return this.now;
  }

  /** A marker that was there and is gone, with modes.yaml, was taken away by a person: nothing is governed here any more. */
  private lookAtMarker(): void {
    const isMarked = fs.existsSync(governedMarker(this.place.dataFolder, this.found.root));
    const hasModes = brokenBy(this.now) === null || this.now.known.problems.every(({ code }) => code !== 'E_NO_MODES');
    this.released = (this.released || this.marked) && !isMarked && !hasModes;
    this.marked = isMarked;
  }

  private read(): Content {
    const layers = this.layers.map((layer) => {
      const sources = readSources(layer);
      if (layer.layer !== 'project') return sources;
      return { ...sources, vanished: this.found.layer === 'project', signature: readSignature(layer.folder) };
    });
    return [...layers, ...keptLayers(this.place.dataFolder, layers, Date.now())];
  }

  /** Keeps a copy of what a person trusted, for sessions that find something else. */
  private keepTrusted(): void {
    const project = this.now.content.find(({ layer }) => layer === 'project');
    const approved = this.approvals.map(({ hash }) => hash);
    if (project === undefined || !approved.includes(this.now.known.hash)) return;
    try {
      keepTrusted(this.place.dataFolder, this.found.root, project, approved);
    } catch (error) {
      process.stderr.write(`modes: no copy is kept of what was trusted: ${(error as Error).message}\n`);
    }
  }

  /** What a session begins with: its pin, or a fresh one; to be opened where it is none of those that are loaded. */
  private beginning(session: string): View | Content {
    const { dataFolder } = this.place;
    const { root } = this.found;
    let pin = readPin(dataFolder, root, session);
    // What cannot be used is not begun with: nothing but reading is open until it can, or a person adopts another.
    if (pin === null && brokenBy(this.base) === null) {
      try {
        // Where modes.yaml goes, the shell client must still ask for this session.
        if (this.found.layer === 'project') {
          markGoverned(dataFolder, root);
          this.marked = true;
        }
        recordBegun(dataFolder, session, this.found);
        pin = takePin(dataFolder, root, session, this.base.content, new Date());
      } catch (error) {
        process.stderr.write(`modes: what the session begins with is not recorded: ${(error as Error).message}\n`);
        if (this.unrecorded.size < maxSessions && !this.unrecorded.has(session)) this.unrecorded.set(session, this.base.content);
      }
    }
    if (pin === null) return this.unrecorded.get(session) ?? this.base;
    if (pin === 'damaged') return lostView('', pinProblem('its record is damaged', this.now.known), this.packageRoot);
    for (const view of [this.now, this.base]) if (view.id === pin.content) return view;
    return (
      readContent(dataFolder, root, pin.content) ??
      lostView(pin.content, pinProblem('its copy in the data folder is damaged or gone', this.now.known), this.packageRoot)
    );
  }

  /** For whoever did not wait until the session was ready. */
  private beginNow(session: string): View {
    const begun = this.beginning(session);
    if ('known' in begun) return this.remember(session, begun);
    const kept = this.keptView(begun);
    if (kept !== null) return this.remember(session, kept);
    if (this.waiting.length < maxViews) this.waiting.push([session, begun]);
    return lostView(
      contentId(begun),
      pinProblem('it is being made ready; the same call goes through in a moment', this.now.known),
      this.packageRoot,
    );
  }

  private remember(session: string, view: View): View {
    // A session that could not begin is asked about again.
    if (view === this.base && brokenBy(view) !== null) return view;
    if (this.sessions.size >= maxSessions) this.sessions.clear();
    this.sessions.set(session, view);
    return view;
  }

  private keptView(content: Content, build = this.buildFor(content)): View | null {
    const key = preparedKey(content, build);
    const loaded = this.views.get(key);
    if (loaded !== undefined) return loaded;
    const prepared = readPrepared(key, build);
    return prepared === null ? null : this.keep(key, content, build.trusted, prepared);
  }

  private keep(key: string, content: Content, trust: Trust, prepared: Prepared): View {
    const view = openView(contentId(content), content, trust, prepared, this.packageRoot, {
      dataFolder: this.place.dataFolder,
      isOnce: this.isOnce,
    });
    if (prepared.known.problems.some(({ code }) => isOfCompiler(code))) {
      this.retryAt = performance.now() + retryAfter;
      return view;
    }
    if (this.views.size >= maxViews) this.views.clear();
    this.views.set(key, view);
    return view;
  }

  private buildFor(content: Content): PrepareWith {
    return { ...this.build, trusted: this.trustIn(content) };
  }

  /** By a person's yes to exactly this, or a pinned key's; what has nothing that could widen needs none. */
  private trustIn(content: Content): Trust {
    const project = content.find(({ layer }) => layer === 'project');
    if (project === undefined) return 'always';
    const hash = hashConfiguration(project.files, project.faults);
    const isSignedBy = (keys: readonly string[]): boolean => isSigned(hash, project.signature, keys);
    if (hash === nothing || isSignedBy(this.houseKeys)) return 'always';
    return this.approvals.some((one) => one.hash === hash) || isSignedBy(this.keys);
  }
}

const nothing = hashConfiguration([]);

function pinProblem(why: string, { approvable }: Known): Problem {
  return {
    code: 'E_PIN_LOST',
    severity: 'error',
    message: `The content that this session began with cannot be used: ${why}.`,
    remedy: approvable
      ? 'A person adopts the present content with /modes:trust.'
      : 'Begin a session anew: it has the present content. The organisation lets nobody adopt that in this one.',
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
