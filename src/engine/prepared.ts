// A prepared configuration: understood, compiled, and stored as one file. A process that decides a single call parses nothing.

import type { ConfigFile, Configuration, Mode, ModeSettings, Protocol, Topology, Trust } from '../model/configuration.ts';
import type { DecidingRule } from '../model/decision.ts';
import type { Problem } from '../model/problem.ts';
import { readBuild } from '../platform/package.ts';
import type { Bundle } from '../policy/bundle.ts';
import { bundleKey, readBundle, readCacheFile, writeCacheFile } from '../policy/cache.ts';
import type { Core } from '../policy/core.ts';
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

/** How a session can adopt the present configuration. */
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
export type Prepare = (content: ConfigSnapshot, build: PrepareWith) => Promise<Prepared>;

/** The JSON form: maps as lists, bundles by their cache key. */
interface Stored {
  topology: (Omit<Topology, 'modes' | 'protocols'> & { modes: [string, Mode][]; protocols: [string, Protocol][] }) | null;
  topologyLayer: LoadedRules['topologyLayer'];
  commands: LoadedRules['commands'];
  arguments: LoadedRules['arguments'];
  headlessPass: LoadedRules['headlessPass'];
  approvable: LoadedRules['approvable'];
  opa: LoadedRules['opa'];
  settings: [string, ModeSettings][];
  instructions: [string, ConfigFile[]][];
  policies: string[];
  hash: string;
  problems: Problem[];
  modes: { mode: string; bundle: string; rules: ShownRule[] }[];
}

/**
 * Hashes everything that a prepared configuration depends on. The build is included, since another build may read the same files
 * differently.
 */
export function preparedKey(content: ConfigSnapshot, { trusted, ci = false, home, core, packageRoot }: PrepareWith): string {
  return bundleKey(['prepared 9', readBuild(packageRoot), core.wasm, core.sources, trusted, ci, home, content]);
}

/** Cache key of the bundle of a mode. */
export function modeKey(prepared: string, mode: string): string {
  return bundleKey([prepared, mode]);
}

/** The stored form of these files. Null if there is none, or if any part of it is missing or damaged. */
export function readPrepared(key: string, { cacheFolder, core }: PrepareWith): Prepared | null {
  const stored = readCacheFile<Stored>(cacheFolder, key);
  if (stored === null) return null;
  const modes = new Map<string, { bundle: Bundle; rules: ShownRule[] }>();
  for (const { mode, bundle, rules } of stored.modes) {
    const cached = readBundle(cacheFolder, bundle, { hash: core.wasm, bytes: core.bytes });
    if (!cached.found) return null;
    modes.set(mode, { bundle: cached.bundle, rules });
  }
  const { topology, topologyLayer, commands, arguments: declared, headlessPass, approvable, opa, settings } = stored;
  const { instructions, policies, hash, problems } = stored;
  return {
    known: {
      topology: topology && { ...topology, modes: new Map(topology.modes), protocols: new Map(topology.protocols) },
      topologyLayer,
      commands,
      arguments: declared,
      headlessPass,
      approvable,
      opa,
      settings: new Map(settings),
      instructions: new Map(instructions),
      policies,
      hash,
      problems,
    },
    modes,
  };
}

/** Stores the prepared form. A failure of the disk is only a warning: without the stored form, the next start is slower. */
export function keepPrepared(key: string, prepared: Prepared, { cacheFolder }: PrepareWith): Problem | null {
  const {
    topology,
    topologyLayer,
    commands,
    arguments: declared,
    headlessPass,
    approvable,
    opa,
    settings,
    instructions,
    policies,
    hash,
    problems,
  } = prepared.known;
  const stored: Stored = {
    topology: topology && { ...topology, modes: [...topology.modes], protocols: [...topology.protocols] },
    topologyLayer,
    commands,
    arguments: declared,
    headlessPass,
    approvable,
    opa,
    settings: [...settings],
    instructions: [...instructions],
    policies,
    hash,
    problems,
    modes: [...prepared.modes].map(([mode, { rules }]) => ({ mode, bundle: modeKey(key, mode), rules })),
  };
  return writeCacheFile(cacheFolder, key, stored);
}
