// The part of a call that affects a project: of a call from outside it, and of paths through which a process sees its own folder
// and root (`/proc/self/cwd/src`).
import type { BashFacts } from '../../model/command.ts';
import type { Facts, PathAccess } from '../../model/facts.ts';
import { inside } from '../../platform/path-text.ts';
import { realOr } from '../../platform/stat.ts';
import { unmirror } from '../../shell/targets.ts';
import { expandGlob, maxMatches } from './below.ts';
import type { Place } from './place.ts';
import type { AccessRequest } from './request.ts';
import { type LinkReader, resolveNames } from './resolve.ts';
import { findCheckouts, gitFolders, isInWorktree, samePlaces } from './worktrees.ts';

/**
 * True for an access to a path in the project, by any name, to the same place in another checkout of its repository, or to the
 * repository itself.
 */
export function touchesProject({ names, root: kind, below }: PathAccess, place: Place): boolean {
  if (kind === 'project' || kind === 'worktree') return true;
  const folders = [place.root, ...gitFolders(place)];
  return [...names, ...below].some(({ path }) => folders.some((folder) => inside(path, folder)));
}

/** True for a recursive access to a folder that contains the project, or to the project by a pattern: it accesses all of it. */
export function holdsProject(access: PathAccess, request: AccessRequest, root: string): boolean {
  if (request.extent === 'one' || ('arrivals' in request && request.arrivals !== undefined)) return false;
  const holds = (folder: string): boolean => folder !== root && inside(root, folder);
  if (request.extent === 'deep') return access.names.some(({ path }) => path.startsWith('/') && holds(path));
  return (expandGlob(request.path, maxMatches) ?? []).some((match) => match === root || holds(match));
}

/**
 * Removes the Bash commands that run elsewhere and access nothing in the project. A command whose folder is unknown is kept.
 * @param workedIn the folders of each command
 */
export function restrictTo(place: Place, facts: Facts, workedIn: readonly (readonly string[])[]): Facts {
  const { bash, reads, writes, may_write_anywhere: uncertain } = facts;
  if (bash === null) return facts;
  const touched = new Set([...reads, ...writes].map(({ command }) => command));
  const isRelevant = (at: number): boolean => {
    const folders = workedIn[at] ?? [];
    return touched.has(at) || folders.length === 0 || folders.some((folder) => isOfProject(folder, place));
  };
  const remaining = bash.commands.map((_, at) => at).filter(isRelevant);
  if (remaining.length === bash.commands.length) return facts;
  const moved = <T extends { command: number | null }>(one: T): T => {
    const command = one.command === null ? null : remaining.indexOf(one.command);
    return { ...one, command: command === -1 ? null : command };
  };
  const parts = (uncertain ?? []).filter(({ command }) => command === null || isRelevant(command)).map(moved);
  const commands = remaining.flatMap((at) => bash.commands[at] ?? []);
  return {
    ...facts,
    reads: reads.map(moved),
    writes: writes.map(moved),
    may_write_anywhere: parts.length === 0 ? null : parts,
    domains: commands.some(({ network }) => network) ? facts.domains : [],
    bash: {
      ...bash,
      commands,
      class: parts.some(({ command }) => command === null) ? bash.class : worstOf(commands),
      network: commands.some(({ network }) => network),
    },
  };
}

/** True for a folder in the project, by any name, or in another checkout of its repository. */
function isOfProject(folder: string, place: Place): boolean {
  const real = realOr(folder);
  if (inside(folder, place.root) || [place.root, ...gitFolders(place)].some((one) => inside(real, one))) return true;
  findCheckouts(real, place);
  return isInWorktree(real, place) || samePlaces(real, place).some((same) => inside(same, place.root));
}

const classes: readonly BashFacts['class'][] = ['read-only', 'writes', 'runs', 'unknown'];

function worstOf(commands: readonly { class: BashFacts['class'] }[]): BashFacts['class'] {
  return classes[Math.max(0, ...commands.map((one) => classes.indexOf(one.class)))] as BashFacts['class'];
}

/** Maximum number of paths to follow. Links may lead from one such path to the next. */
const maxMirrors = 64;

/**
 * The possible meanings of a path that contains a link of a process: below each folder that the process may be in, or below `/`.
 * Empty for every other path, and for the files of a descriptor.
 */
export function mirrored(path: string, cwd: string, place: Place, links?: LinkReader): string[] {
  const folders = [...new Set([cwd, place.root, place.start ?? place.root])];
  const found = new Set<string>([path]);
  for (const name of found) {
    const { mirror } = resolveNames(name, place.root, links);
    for (const folder of mirror === undefined ? [] : folders) {
      const target = unmirror(mirror as string);
      const meant = target === null ? null : target.isRoot ? target.rest || '/' : folder + target.rest;
      if (meant !== null && found.size < maxMirrors) found.add(meant);
    }
  }
  found.delete(path);
  return [...found];
}
