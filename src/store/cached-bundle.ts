// The organization's verified bundle in the data folder. A server stores it, and every process that decides reads it.

import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { TEAM_FILE } from '../config/names.ts';
import type { WholeSources } from '../config/sources.ts';
import { describeProblem } from '../config/text.ts';
import type { Problem } from '../model/problem.ts';
import { sha256 } from '../platform/hash.ts';
import { fields, RecordKind, type RecordOf, uncopied } from './record.ts';

/** Prefix of the names of its files. */
export const BUNDLE_SHOWN = 'bundle/';

/** Largest record of a bundle, in bytes. */
const MAX_BYTES = 32 * 1024 * 1024;

/** The verified bundle and what it was verified against. */
const bundles = new RecordKind({
  schema: uncopied(
    fields({
      /** `pinsOf` the teams.yaml that it was verified for. */
      pins: z.string(),
      url: z.string(),
      revision: z.string(),
      /** When it was signed, ms since 1970; null if the signature does not say. */
      issuedAt: z.nullable(z.number()),
      /** When the signature expires; null: never. */
      expires: z.nullable(z.number()),
      /** Hash of the archive. */
      archive: z.string(),
      files: z.array(fields({ name: z.string(), text: z.string() })),
    }),
  ),
  maxBytes: MAX_BYTES,
});

/** The validity of the bundle. A separate file, because every answer of the server updates it. Times in ms since 1970. */
const freshness = new RecordKind({
  schema: fields({
    pins: z.string(),
    /** Hash of the bundle's record; null: no bundle is pinned. */
    bundle: z.nullable(z.string()),
    /** When the server last confirmed that it is the present one. */
    checked: z.number(),
    until: z.number(),
    stale: z.enum(['narrow', 'keep', 'refuse']),
    etag: z.nullable(z.string()),
  }),
});

/** Why the newest bundle was not accepted, or the server not reached. */
const bundleFaults = new RecordKind({
  version: 'none',
  schema: fields({
    code: z.string(),
    message: z.string(),
    remedy: z.string(),
    /** ISO 8601. */
    since: z.string(),
  }),
});

export type CachedBundle = RecordOf<typeof bundles>;
export type Freshness = RecordOf<typeof freshness>;
export type BundleFault = RecordOf<typeof bundleFaults>;

/**
 * If the clock is earlier than `checked` by more than this, the bundle is stale. Setting the clock back must not keep it fresh.
 */
const CLOCK_SLACK = 10 * 60_000;

export const teamsFolder = (dataFolder: string): string => path.join(dataFolder, 'teams');
/** Named by its hash, so that a reader gets the old file or the new one, never a mix of both. */
const bundleFile = (folder: string, hash: string): string =>
  path.join(folder, `bundle-${hash.replace(/[^0-9a-f]/g, '').slice(-16)}.json`);
const freshFile = (dataFolder: string): string => path.join(teamsFolder(dataFolder), 'fresh.json');
const bundleFaultFile = (dataFolder: string): string => path.join(teamsFolder(dataFolder), 'trouble.json');

/**
 * Whether the organization's `teams.yaml` may pin a bundle. A process that decides one call has no YAML parser, so this only
 * searches for the word outside comment lines. If no bundle is pinned after all, the server records that.
 */
const namesBundle = (text: string): boolean => text.replace(/^[ \t]*#.*$/gm, '').includes('bundle');

/** Identity of the organization's pins; null if it pins no bundle. */
export function pinsOf(layers: readonly Pick<WholeSources, 'layer' | 'shown' | 'files'>[]): string | null {
  const pinning = layers.flatMap(({ layer, shown, files }) =>
    layer === 'managed' ? files.filter(({ name }) => name === `${shown}${TEAM_FILE}`) : [],
  );
  return pinning.some(({ text }) => namesBundle(text)) ? sha256(JSON.stringify(pinning)) : null;
}

/**
 * The bundle's layer; empty if no bundle is pinned. If there is no verified bundle, or it is too old and `stale` is `refuse`, a
 * fault of the layer blocks everything but reading.
 */
export function cachedLayers(dataFolder: string, layers: readonly WholeSources[], now: number): WholeSources[] {
  const pins = pinsOf(layers);
  if (pins === null) return [];
  const fresh = readFresh(dataFolder);
  if (fresh?.pins === pins && fresh.bundle === null) return [];
  const cached = fresh?.pins === pins ? readCachedBundle(dataFolder) : null;
  const layer = { layer: 'managed' as const, shown: BUNDLE_SHOWN, root: teamsFolder(dataFolder), vanished: false, signature: '' };
  if (cached === null || fresh === null) return [{ ...layer, files: [], faults: [missing()], strays: [] }];
  const isStale = stateOf(fresh, now) === 'stale';
  const faults = isStale && fresh.stale === 'refuse' ? [tooOld(fresh.checked)] : [];
  return [{ ...layer, files: cached.files, faults, strays: [], ...(isStale && fresh.stale !== 'keep' && { stale: true }) }];
}

/** Changes whenever another layer must be loaded. Does not read the bundle. */
export function cachedStamp(dataFolder: string, now: number): string {
  const fresh = readFresh(dataFolder);
  return fresh === null ? '' : `${fresh.pins} ${fresh.bundle} ${fresh.stale} ${stateOf(fresh, now)}`;
}

/** The two faults of this file. No last good content may replace a bundle that has one of them. */
export const isBundleFault = ({ code }: Problem): boolean => code === 'E_BUNDLE_MISSING' || code === 'E_BUNDLE_STALE';

function stateOf({ checked, until }: Freshness, now: number): 'good' | 'stale' {
  return now > until || now < checked - CLOCK_SLACK ? 'stale' : 'good';
}

/** Stores a bundle and its validity. Throws if the disk refuses. */
export function keepBundle(dataFolder: string, cached: CachedBundle, fresh: Omit<Freshness, 'bundle' | 'pins'>): void {
  const folder = teamsFolder(dataFolder);
  const bundle = hashOf(cached);
  const file = bundleFile(folder, bundle);
  const before = readFresh(dataFolder)?.bundle ?? null;
  // A reader of the previous record may be about to open the previous bundle, so keep it.
  const staying = before === null ? [file] : [file, bundleFile(folder, before)];
  bundles.write(file, cached);
  keepFresh(dataFolder, { pins: cached.pins, bundle, ...fresh });
  for (const name of fs.readdirSync(folder))
    if (/^bundle-[0-9a-f]+\.json$/.test(name) && !staying.includes(path.join(folder, name)))
      fs.rmSync(path.join(folder, name), { force: true });
}

export function keepFresh(dataFolder: string, fresh: Freshness): void {
  freshness.write(freshFile(dataFolder), fresh);
}

/** null if it is absent or unreadable. Then nothing is known about a bundle. */
export function readFresh(dataFolder: string): Freshness | null {
  return freshness.read(freshFile(dataFolder));
}

/** The bundle that `fresh` names, if its file is intact; otherwise null: it counts as never verified. */
export function readCachedBundle(dataFolder: string): CachedBundle | null {
  const hash = readFresh(dataFolder)?.bundle ?? null;
  const cached = hash === null ? null : bundles.read(bundleFile(teamsFolder(dataFolder), hash));
  return cached !== null && hashOf(cached) === hash ? cached : null;
}

export function readBundleFault(dataFolder: string): BundleFault | null {
  return bundleFaults.read(bundleFaultFile(dataFolder));
}

/** Stores the problem for status and doctor; null: there is no problem. Throws if the disk refuses. */
export function writeBundleFault(dataFolder: string, fault: BundleFault | null): void {
  if (fault === null) fs.rmSync(bundleFaultFile(dataFolder), { force: true });
  else if (readBundleFault(dataFolder)?.message !== fault.message) bundleFaults.write(bundleFaultFile(dataFolder), fault);
}

/** Of the text of its file. */
const hashOf = (cached: CachedBundle): string => sha256(bundles.text('bundle', cached));

function missing(): Problem {
  return describeProblem(
    'E_BUNDLE_MISSING',
    'The organization pins a bundle, and no verified copy is on this machine.',
    'It is downloaded as soon as its server is reachable. Run modes doctor to see the obstacle.',
    BUNDLE_SHOWN.slice(0, -1),
  );
}

function tooOld(checked: number): Problem {
  return describeProblem(
    'E_BUNDLE_STALE',
    `The server of the organization's bundle was last reached at ${new Date(checked).toISOString()}.`,
    "Reconnect to the server. The organization's teams.yaml sets how long a bundle is valid, and what applies after that.",
    BUNDLE_SHOWN.slice(0, -1),
  );
}
