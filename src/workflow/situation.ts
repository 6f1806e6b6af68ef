// Descriptions of a project's present state: the context for the model, and which content applies.

import { brokenAt, brokenBy, type LoadedConfig, trustState } from '../engine/loaded-config.ts';
import { adoptRemedy } from '../engine/prepared.ts';
import type { FolderLayer } from '../platform/layer-folders.ts';
import type { ProjectLocation } from '../store/find-project.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';
import type { Wanted } from './approvals.ts';
import { maxContext, type Situation } from './context/render.ts';
import { differences } from './context/trust.ts';
import type { Counting } from './loaded-configs.ts';
import { contextOf } from './plan/show.ts';
import { type ModeState, personNames, remedyOf } from './state.ts';

export const foreignNotice = 'The .claude folder belongs to another user of this machine.';

export interface SituationInput {
  state: ModeState;
  counting: Counting;
  /** The content on disk, usable or not. */
  present: LoadedConfig;
  found: ProjectLocation;
  viewRewritten: boolean;
  subagent: boolean;
  toolPrefix: string;
}

/** The data of the context, or a text if the mode is unknown. */
export function situationOf({
  state,
  counting,
  present,
  found,
  viewRewritten,
  subagent,
  toolPrefix,
}: SituationInput): Situation | string {
  const { pinned } = counting;
  const { topology } = pinned.known;
  const broken = brokenBy(pinned);
  const mode = state.mode === null ? undefined : topology?.modes.get(state.mode);
  if (broken !== null || topology === null || mode === undefined) {
    const remedy =
      broken === null && state.degraded !== null ? remedyOf(state.degraded) : personNames([...(topology?.modes.keys() ?? [])]);
    return `MODE: unknown\n\nOnly reading inside the project is allowed, because ${broken ?? state.degraded?.message ?? 'the mode is unknown'}. ${remedy}`.slice(
      0,
      maxContext,
    );
  }
  const notices: string[] = [];
  if (found.foreign) notices.push(foreignNotice);
  if (!pinned.trusted)
    notices.push(
      !pinned.known.approvable
        ? 'The organization does not allow approving this configuration: its allow rules have no effect.'
        : 'This configuration is not trusted yet: its allow rules have no effect until a person approves it with /modes:trust.',
    );
  const notice = differenceNotice(counting, present);
  if (notice !== null) notices.push(notice);
  if (viewRewritten) notices.push('mode-state.json differed from the journal and was rewritten.');
  return {
    topology,
    mode,
    settings: pinned.known.settings.get(mode.name) ?? null,
    // Instructions cannot weaken any rule, so the model gets the present text.
    instructions: counting.present.known.instructions.get(mode.name) ?? [],
    trusted: pinned.trusted,
    notices,
    subagent,
    toolPrefix,
    plan: contextOf(state.work, mode.exitWhen?.to ?? null),
  };
}

/** Notice that the session is pinned to another content than the present one; null if it is not. */
export function differenceNotice({ pinned, present: counted }: Counting, present: LoadedConfig): string | null {
  if (pinned.id === present.id) return null;
  const broken = brokenBy(present);
  const last = counted.id === pinned.id ? 'only the one it started with applies' : 'the last usable one applies';
  const holds = broken === null ? 'the stricter of the two applies' : `the current one cannot be used (${broken}), so ${last}`;
  const marked = broken === null ? '' : `\n${brokenAt(present)}`;
  return `The configuration differs from the one this session started with: ${holds}; ${adoptRemedy(present.known)}.${marked}`;
}

/** Notice for the answer to a call that the content on disk is broken and the last good one applies; null if it is not broken. */
export function brokenNotice(present: LoadedConfig): string | null {
  const marked = brokenAt(present);
  return marked === null ? null : `The latest change cannot be used, so the last usable configuration applies:\n${marked}`;
}

/** For status: the layer of the topology, the present layers, and what is trusted and pinned. */
export function configurationStatus(counting: Counting, present: LoadedConfig, approvalHash: string) {
  const { pinned } = counting;
  return {
    hash: approvalHash,
    trusted: present.trusted,
    topology: pinned.known.topologyLayer,
    layers: layersOf(present.content),
    pinned: {
      hash: pinned.id === present.id ? approvalHash : pinned.known.hash,
      trusted: pinned.trusted,
      differs: pinned.id !== present.id,
    },
    ...(pinned.id === present.id ? {} : { notice: differenceNotice(counting, present) }),
  };
}

/**
 * The same for people, one line each. Shows the trust state, the layer of the topology, the layers, and the difference from the
 * pinned content. `later`: why the trust state is unknown.
 */
export function configurationLines(
  present: LoadedConfig,
  pinned: LoadedConfig,
  foreign: boolean,
  { approvalHash, changes }: Wanted,
  later: string | null = null,
): string[] {
  const { known: rules, content: snapshot } = present;
  return [
    `${trustState(present)}: ${approvalHash}`,
    ...(present.trusted && changes.length > 0 ? ['not approved yet (modes trust):', ...changes.map((line) => `  ${line}`)] : []),
    ...(later === null ? [] : [later]),
    ...(rules.topologyLayer === null ? [] : [`modes and transitions: ${rules.topologyLayer}`]),
    ...layersOf(snapshot).map(({ layer, folder, files }) => `${layer}: ${folder} (${files.length} files)`),
    ...(foreign ? [foreignNotice] : []),
    ...(present.id === pinned.id
      ? []
      : ['Compared with the configuration at the start of the session:', ...differences(pinned, present)]),
  ];
}

/** Layers that contain anything, each with its files. */
export function layersOf(snapshot: ConfigSnapshot): { layer: FolderLayer; folder: string; files: string[] }[] {
  return snapshot
    .filter(({ files, faults }) => files.length + faults.length > 0)
    .map(({ layer, shown, files }) => ({ layer, folder: shown, files: files.map(({ name }) => name.slice(shown.length)) }));
}
