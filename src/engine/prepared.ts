// A prepared configuration: understood, compiled, and stored as one file. A process that decides a single call parses nothing.

import * as z from 'zod/mini';
import type { ConfigFile, Configuration, ModeSettings, Topology, Trust } from '../model/configuration.ts';
import type { DecidingRule } from '../model/decision.ts';
import type { Problem } from '../model/problem.ts';
import { readBuild } from '../platform/package.ts';
import type { Bundle } from '../policy/bundle.ts';
import { bundleKey, cacheFile, cacheKind, readBundle, writeCacheFile } from '../policy/cache.ts';
import type { Core } from '../policy/core.ts';
import { fields } from '../store/record.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';

/** The parts of a configuration that remain without its files. */
export interface LoadedRules {
  topology: Topology | null;
  topologyLayer: Configuration['topologyLayer'];
  commands: Configuration['commands'];
  arguments: Configuration['arguments'];
  headlessPass: Configuration['headlessPass'];
  approvable: Configuration['approvable'];
  opa: Configuration['opa'];
  settings: Map<string, ModeSettings>;
  instructions: Map<string, ConfigFile[]>;
  /** Names of the custom policies, without their text. */
  policies: ConfigFile['name'][];
  hash: string;
  /** Problems of the files, the rules and the policies. */
  problems: Problem[];
}

/** The remedy with which a session can adopt the present configuration. */
export const adoptRemedy = ({ approvable }: Pick<LoadedRules, 'approvable'>): string =>
  approvable
    ? 'a person can adopt the current one with /modes:trust'
    : 'new sessions use the current one, and the organization does not allow adopting it in this session';

/** A rule in the form that a decision shows. */
export type ShownRule = Omit<DecidingRule, 'matched'>;

export interface Prepared {
  known: LoadedRules;
  /** By `policyKeys`. A mode whose policy could not be made is missing; `problems` has the reason. */
  modes: Map<string, { bundle: Bundle; rules: ShownRule[] }>;
}

export interface PrepareWith {
  /** True if the project's own layer is approved. */
  trusted: Trust;
  /** True if the client runs in CI. */
  ci?: boolean;
  home: string;
  packageRoot: string;
  /** Folder of bundles, prepared configurations and the unpacked compiler. */
  cacheFolder: string;
  core: Core;
  /** Time limit of one compilation in ms. If absent, it is less than the time that a call waits. */
  compileMs?: number;
}

/** Prepares a configuration from its files. It is slow, and loaded only if no prepared form is stored. Never throws. */
export type Prepare = (snapshot: ConfigSnapshot, build: PrepareWith) => Promise<Prepared>;

/** Maps as lists. */
type Listed<T> = { [Key in keyof T]: T[Key] extends Map<infer Name, infer Value> ? [Name, Value][] : T[Key] };
type ListedRules = Listed<Omit<LoadedRules, 'topology'>> & { topology: Listed<Topology> | null };

/** The JSON form, with bundles by their cache key. Only the build that wrote it reads it, and its hash covers the rules. */
const stored = cacheKind(
  fields({
    known: z.codec(z.custom<ListedRules>(), z.custom<LoadedRules>(), {
      decode: ({ topology, settings, instructions, ...rest }) => ({
        ...rest,
        topology: topology && { ...topology, modes: new Map(topology.modes), protocols: new Map(topology.protocols) },
        settings: new Map(settings),
        instructions: new Map(instructions),
      }),
      encode: ({ topology, settings, instructions, ...rest }) => ({
        ...rest,
        topology: topology && { ...topology, modes: [...topology.modes], protocols: [...topology.protocols] },
        settings: [...settings],
        instructions: [...instructions],
      }),
    }),
    modes: z.array(fields({ mode: z.string(), bundle: z.string(), rules: z.custom<ShownRule[]>() })),
  }),
);

/**
 * Hashes everything that a prepared configuration depends on. The build is included, since another build may read the same files
 * differently.
 */
export function preparedKey(snapshot: ConfigSnapshot, { trusted, ci = false, home, core, packageRoot }: PrepareWith): string {
  return bundleKey(['prepared 10', readBuild(packageRoot), core.wasm, core.sources, trusted, ci, home, snapshot]);
}

/** Cache key of the bundle of a mode. */
export function modeKey(prepared: string, mode: string): string {
  return bundleKey([prepared, mode]);
}

/** The stored form of these files. Null if there is none, or if any part of it is missing or damaged. */
export function readPrepared(key: string, { cacheFolder, core }: PrepareWith): Prepared | null {
  const found = stored.read(cacheFile(cacheFolder, key));
  if (found === null) return null;
  const modes = new Map<string, { bundle: Bundle; rules: ShownRule[] }>();
  for (const { mode, bundle, rules } of found.modes) {
    const cached = readBundle(cacheFolder, bundle, { hash: core.wasm, bytes: core.bytes });
    if (!cached.found) return null;
    modes.set(mode, { bundle: cached.bundle, rules });
  }
  return { known: found.known, modes };
}

/** Stores the prepared form. A failure of the disk is only a warning: without the stored form, the next start is slower. */
export function keepPrepared(key: string, { known: loadedRules, modes }: Prepared, { cacheFolder }: PrepareWith): Problem | null {
  const named = [...modes].map(([mode, { rules }]) => ({ mode, bundle: modeKey(key, mode), rules }));
  return writeCacheFile(stored, cacheFolder, key, { known: loadedRules, modes: named });
}
