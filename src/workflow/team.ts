// The organization's limits on what people may do here. Read from disk on every call, because only a person's act needs it.

import { readSources } from '../config/sources.ts';
import { teamOf } from '../config/team.ts';
import type { TeamAuthority } from '../config/team-schema.ts';
import type { Place } from '../facts/paths/place.ts';
import { layerFolders } from '../platform/layer-folders.ts';

const ACTIONS: Readonly<Record<TeamAuthority, string>> = {
  force: 'changing the mode without its gate',
  grant: 'granting denied calls',
  off: 'switching rules off',
  approve: 'approving gates and plans',
  trust: 'approving a configuration',
};

/** Why no person may do this here; null if a person may. */
export function forbidden(
  place: Pick<Place, 'root' | 'home' | 'configFolder' | 'managedFolders'>,
  authority: TeamAuthority,
): string | null {
  const managed = layerFolders(place.root, place).filter(({ layer }) => layer === 'managed');
  const { team } = teamOf(managed.map((layer) => readSources(layer)));
  if (!team.forbidden.has(authority)) return null;
  return `the organization does not allow ${ACTIONS[authority]} here (authority.${authority} in teams.yaml).`;
}
