// The names of an absolute path in rules: relative to the project, relative to its place in another checkout, absolute.
import path from 'node:path';
import type { PathName } from '../../model/facts.ts';
import { belowOf, inside } from '../../platform/path-text.ts';
import { pathName } from './keys.ts';
import type { Place } from './place.ts';
import { cachedWorktreeAt, samePlaces } from './worktrees.ts';

/**
 * Adds the names of one absolute path, and the indices of each reading of it. In a worktree that the client created, an allow
 * needs only the reading relative to that tree. The names of the same place in the project's own checkout are in no reading.
 */
export function pushNames(names: PathName[], readings: number[][], absolute: string, place: Place): void {
  const from = names.length;
  pushPathNames(names, readings, absolute, place);
  pushSame(names, from, absolute, place);
}

function pushPathNames(names: PathName[], readings: number[][], absolute: string, place: Place): void {
  const { ofTree, relative, whole, isClients } = spellings(absolute, place);
  const at = names.length;
  if (ofTree === null) {
    if (relative === null) readings.push([names.push(whole) - 1]);
    else {
      names.push(relative, whole);
      readings.push([at, at + 1]);
    }
    return;
  }
  names.push(ofTree);
  if (isClients) {
    names.push(whole);
    readings.push([at, at + 1]);
    if (relative !== null) names.push(relative);
  } else {
    readings.push([at], [names.push(whole) - 1]);
  }
}

/** All names of an absolute path. */
export function pushAll(absolute: string, place: Place): PathName[] {
  const { ofTree, relative, whole } = spellings(absolute, place);
  const names = [relative, ofTree, whole].filter((name) => name !== null);
  pushSame(names, 0, absolute, place);
  return names;
}

/** Adds the names of the same place in the project's own checkout, except those among `names` from `from` on. */
function pushSame(names: PathName[], from: number, absolute: string, place: Place): void {
  for (const same of samePlaces(absolute, place))
    for (const name of [below(same, place.root), pathName(same, true)])
      if (name !== null && !names.slice(from).some(({ path }) => path === name.path)) names.push(name);
}

/** The names of an absolute path: relative to the project, relative to the project's place in a worktree, and absolute. */
function spellings(
  absolute: string,
  place: Place,
): { relative: PathName | null; ofTree: PathName | null; whole: PathName; isClients: boolean } {
  const tree = cachedWorktreeAt(absolute, place);
  return {
    isClients: tree?.isClients ?? false,
    relative: below(absolute, place.root),
    ofTree: tree === null ? null : below(absolute, tree.project),
    whole: pathName(absolute, true),
  };
}

function below(absolute: string, root: string): PathName | null {
  return inside(absolute, root) ? pathName(belowOf(absolute, root), false) : null;
}

export function join(folder: string, rest: string): string {
  return rest === '' ? folder : path.normalize(`${folder}/${rest}`);
}
