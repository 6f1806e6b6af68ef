// Keeps the organization's pinned bundle up to date: requests it from its server, verifies it, and stores it where every decision
// reads it.

import fs from 'node:fs';
import path from 'node:path';
import { readSources } from '../config/sources.ts';
import { type BundlePin, teamOf } from '../config/team.ts';
import { makeFolder, writeWhole } from '../platform/data-folder.ts';
import { hexHash, sha256 } from '../platform/hash.ts';
import type { LayerFolder } from '../platform/layer-folders.ts';
import { readRegular } from '../platform/read-file.ts';
import {
  type Freshness,
  keepBundle,
  keepFresh,
  pinsOf,
  readCachedBundle,
  readFresh,
  teamsFolder,
} from '../store/cached-bundle.ts';
import { layerOf } from './layer.ts';
import { BundleRefused } from './refusal.ts';
import { type Connection, connect, getBundle } from './remote.ts';
import { readTrusted } from './secrets.ts';
import { type Vouched, verifyBundle } from './signature.ts';
import { type BundleFiles, MAX_UNPACKED, unpackArchive } from './unpack.ts';

/** Result of one request. `next`: milliseconds until the next. */
export interface Turn {
  outcome: 'none' | 'same' | 'new' | 'refused' | 'elsewhere';
  refused?: BundleRefused;
  next: number;
}

export interface KeeperOptions {
  dataFolder: string;
  /** The organization's folders, which may contain teams.yaml. */
  folders: readonly LayerFolder[];
  now?: () => number;
  /** Returns a number from 0 to 1. */
  random?: () => number;
}

/**
 * Milliseconds: the first pause after a failure, the longest pause, and the shortest time between
 * two requests to a long-polling server.
 */
const FIRST_RETRY = 2_000;
const LONGEST_RETRY = 5 * 60_000;
const SHORTEST = 250;

export class BundleKeeper {
  private failures = 0;
  /** The server held its last answer back (long polling), so the next request follows at once. */
  private isLongPolling = false;
  private readonly stopping = new AbortController();

  constructor(private readonly options: KeeperOptions) {}

  stop(): void {
    this.stopping.abort();
  }

  /** Sends one request. `force`: even if another process sent one a moment ago. Throws only file system errors. */
  async turn(force = false): Promise<Turn> {
    const layers = this.options.folders.map((folder) => readSources(folder));
    const pins = pinsOf(layers);
    const { team, problems } = teamOf(layers);
    if (pins === null || problems.some(({ severity }) => severity === 'error')) return { outcome: 'none', next: 60_000 };
    const pin = team.bundle;
    if (pin === null) {
      const none: Freshness = { pins, bundle: null, checked: 0, until: 0, stale: 'narrow', etag: null };
      if (readFresh(this.options.dataFolder)?.pins !== pins) keepFresh(this.options.dataFolder, none);
      return { outcome: 'none', next: 60_000 };
    }
    try {
      const turn = await this.ask(pin, pins, force);
      this.failures = 0;
      return turn;
    } catch (error) {
      this.isLongPolling = false;
      if (!(error instanceof BundleRefused)) throw error;
      const pause = Math.min(FIRST_RETRY * 2 ** this.failures++, LONGEST_RETRY, Math.max(pin.every, FIRST_RETRY));
      return { outcome: 'refused', refused: error, next: this.jittered(pause) };
    }
  }

  private async ask(pin: BundlePin, pins: string, force: boolean): Promise<Turn> {
    const { dataFolder } = this.options;
    const key = readTrusted(pin.keyFile);
    const revived = await this.revive(pin, pins, key);
    const fresh = readFresh(dataFolder);
    const own = fresh?.pins === pins ? fresh : null;
    if (!force && !this.isLongPolling && !revived && own !== null && this.now() - own.checked < pin.every * 0.8)
      return { outcome: 'elsewhere', next: this.jittered(pin.every) };
    const connection = connect(pin);
    try {
      return await this.exchange(pin, pins, key, own, connection);
    } finally {
      await connection.close();
    }
  }

  private async exchange(
    pin: BundlePin,
    pins: string,
    key: Buffer,
    own: Freshness | null,
    connection: Connection,
  ): Promise<Turn> {
    const { dataFolder } = this.options;
    const cachedBundle = own === null ? null : readCachedBundle(dataFolder);
    // After a change of the key, the new key must verify the complete bundle again, so the old ETag is not sent.
    const etag = cachedBundle !== null && own?.etag?.startsWith(keyMark(key)) ? own.etag.slice(keyMark(key).length) : null;
    const requestedAt = performance.now();
    const fetched = await getBundle(pin.url, connection, { etag, wait: pin.wait, signal: this.stopping.signal });
    const hasWaited = performance.now() - requestedAt >= pin.wait / 2;
    const turnOf = (outcome: 'same' | 'new'): Turn => {
      // A server that claims to wait, but answers "nothing new" at once, would receive requests in an endless loop.
      this.isLongPolling = fetched.held && (outcome === 'new' || hasWaited);
      return { outcome, next: this.isLongPolling ? SHORTEST : this.jittered(pin.every) };
    };
    if (fetched.kind === 'same') {
      if (own === null || cachedBundle === null || etag === null)
        throw new BundleRefused(
          'E_BUNDLE_FETCH',
          `${pin.url} answered "not modified" to an unconditional request.`,
          'Check the server.',
        );
      keepFresh(dataFolder, { ...own, ...this.freshness(pin, cachedBundle.expires) });
      return turnOf('same');
    }
    const checked = await verify(fetched.bytes, pin, key, this.now());
    const fresh = {
      ...this.freshness(pin, checked.vouched.expires),
      etag: fetched.etag === null ? null : keyMark(key) + fetched.etag,
    };
    if (own !== null && cachedBundle?.archive === sha256(fetched.bytes)) {
      keepFresh(dataFolder, { ...own, ...fresh });
      return turnOf('same');
    }
    refuseOlder(checked.vouched, readCachedBundle(dataFolder), pin);
    this.keep(pin, pins, fetched.bytes, checked, fresh);
    return turnOf('new');
  }

  /**
   * After the organization changed its pins: a stored bundle that passes verification with the new pins stays in use until its
   * server is reached.
   */
  private async revive(pin: BundlePin, pins: string, key: Buffer): Promise<boolean> {
    const { dataFolder } = this.options;
    const fresh = readFresh(dataFolder);
    const record = readCachedBundle(dataFolder);
    const file = archiveFile(dataFolder);
    if (fresh?.pins === pins && record !== null) return false;
    if (fresh === null || record?.url !== pin.url || !fs.existsSync(file)) return true;
    const bytes = readRegular(file, MAX_UNPACKED);
    try {
      const checked = await verify(bytes, pin, key, this.now());
      const until = limited(fresh.checked + pin.goodFor, checked.vouched.expires);
      this.keep(pin, pins, bytes, checked, { checked: fresh.checked, until, stale: pin.stale, etag: null });
    } catch (error) {
      // A bundle that the new pins reject is not used; the server is asked for an acceptable one.
      if (!(error instanceof BundleRefused)) throw error;
    }
    return true;
  }

  private keep(
    pin: BundlePin,
    pins: string,
    bytes: Buffer,
    { vouched: { revision, issuedAt, expires }, files }: CheckedBundle,
    fresh: Pick<Freshness, 'checked' | 'until' | 'stale' | 'etag'>,
  ): void {
    const { dataFolder } = this.options;
    makeFolder(teamsFolder(dataFolder));
    writeWhole(archiveFile(dataFolder), bytes);
    const cachedBundle = {
      pins,
      url: pin.url,
      revision,
      issuedAt,
      expires,
      archive: sha256(bytes),
      files: layerOf(files),
    };
    keepBundle(dataFolder, cachedBundle, fresh);
  }

  private freshness(pin: BundlePin, expires: number | null): Pick<Freshness, 'checked' | 'until' | 'stale'> {
    const checked = this.now();
    return { checked, until: limited(checked + pin.goodFor, expires), stale: pin.stale };
  }

  private now(): number {
    return (this.options.now ?? Date.now)();
  }

  /** Spreads the requests of many machines over time. */
  private jittered(ms: number): number {
    return Math.round(ms * (0.75 + 0.5 * (this.options.random ?? Math.random)()));
  }
}

const archiveFile = (dataFolder: string): string => path.join(teamsFolder(dataFolder), 'bundle.tar.gz');

const limited = (until: number, expires: number | null): number => (expires === null ? until : Math.min(until, expires));

/** Prefix of the stored ETag, so that the ETag is used only with the key that verified the bundle. */
const keyMark = (key: Buffer): string => `${hexHash(key).slice(0, 16)} `;

interface CheckedBundle {
  vouched: Vouched;
  files: BundleFiles;
}

/** @throws {Refused} */
async function verify(bytes: Buffer, pin: BundlePin, key: Buffer, now: number): Promise<CheckedBundle> {
  const files = unpackArchive(bytes);
  const { algorithm, keyId, scope } = pin;
  const vouched = await verifyBundle(files, {
    algorithm,
    key,
    ...(keyId !== null && { keyId }),
    ...(scope !== null && { scope }),
    now: new Date(now),
  });
  // Every file of the layer must be valid before any of it is used.
  layerOf(files);
  return { vouched, files };
}

/** Prevents rollback: an old bundle has a valid signature too. @throws {Refused} E_BUNDLE_ROLLBACK */
export function refuseOlder(
  { revision, issuedAt }: Pick<Vouched, 'revision' | 'issuedAt'>,
  cachedBundle: { url: string; revision: string; issuedAt: number | null } | null,
  { url }: Pick<BundlePin, 'url'>,
): void {
  if (cachedBundle === null || cachedBundle.url !== url) return;
  const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text);
  const isLower = isNumber(revision) && isNumber(cachedBundle.revision) && Number(revision) < Number(cachedBundle.revision);
  const isEarlier = cachedBundle.issuedAt !== null && (issuedAt === null || issuedAt < cachedBundle.issuedAt);
  // If no signature has a time, only the revision numbers show the bundle's age.
  const isUntold = cachedBundle.issuedAt === null && issuedAt === null && isNumber(cachedBundle.revision) && !isNumber(revision);
  if (!isLower && !isEarlier && !isUntold) return;
  const why = isLower
    ? `revision ${revision} is lower than ${cachedBundle.revision}`
    : isEarlier
      ? 'it was signed before the one in use'
      : `its revision ${JSON.stringify(revision)} is not a number, but the bundle in use has the revision ${cachedBundle.revision}`;
  throw new BundleRefused(
    'E_BUNDLE_ROLLBACK',
    `The bundle cannot replace the one in use: ${why}.`,
    'To return to an older version, build and sign it again with a higher revision.',
  );
}
