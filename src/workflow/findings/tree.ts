// Suspicious entries in the project's own folders: nested projects, links out, other owners, forged worktrees.
import fs from 'node:fs';
import path from 'node:path';
import { findProjectsBelow } from '../../facts/paths/projects-below.ts';
import { gitFolderNamedIn, readLine } from '../../git/repository.ts';
import { realOr, statOf } from '../../platform/stat.ts';
import { nearestProject } from '../../store/find-project.ts';
import { lineOf, namesIn, projectFolders, readText } from './settings.ts';
import type { FindingContext, FindingHit } from './types.ts';

/** Governed projects below the root, and the nearest one above it. */
export function findNested({ place }: FindingContext): FindingHit[] {
  const below = findProjectsBelow(place.root).map((root) => ({ root, what: 'a governed project inside this folder' }));
  const outer = place.root === '/' ? null : nearestProject(path.dirname(place.root), place);
  const around = outer === null ? [] : [{ root: outer.root, what: 'a governed project around this folder' }];
  return [...below, ...around].map(({ root, what }) => ({ file: path.join(root, '.claude/modes.yaml'), what }));
}

/** Parts of the configuration that are links to a target outside the project. */
export function findLinksOut({ place }: FindingContext): FindingHit[] {
  return configurationNames(place.root).flatMap((file) => {
    const target = linkTarget(file);
    if (target === null || target === place.root || target.startsWith(`${place.root}/`)) return [];
    return [{ file, what: `a link out of the project, to ${target}` }];
  });
}

/** Parts of the configuration that belong neither to this user nor to root. */
export function findOtherOwners(around: FindingContext): FindingHit[] {
  const own = process.getuid?.();
  if (own === undefined) return [];
  return configurationNames(around.place.root).flatMap((file) => {
    const uid = statOf(file)?.uid;
    return uid === undefined || uid === 0 || uid === own ? [] : [{ file, what: `a part of the configuration of user ${uid}` }];
  });
}

/** `.git` files of alleged worktrees whose record in the repository does not point back to them. */
export function findForgedWorktrees(around: FindingContext): FindingHit[] {
  const trees = path.join(around.place.root, '.claude/worktrees');
  const files = [...projectFolders(around), ...namesIn(trees).map((name) => path.join(trees, name))].map((folder) =>
    path.join(folder, '.git'),
  );
  return [...new Set(files)].flatMap((file) => {
    if (!statOf(file)?.isFile()) return [];
    const folder = gitFolderNamedIn(file, path.dirname(file));
    if (folder === null) return [{ file, what: 'a .git file that names no repository' }];
    // A submodule's repository is below `modules` and has no record of its checkout.
    if (path.basename(path.dirname(folder)) !== 'worktrees') return [];
    const back = readLine(path.join(folder, 'gitdir'));
    if (back !== null && realOr(path.resolve(folder, back.trim())) === realOr(file)) return [];
    return [
      { file, line: lineOf(String(readText(file)), 'gitdir:'), what: `a worktree's .git file that its repository does not know` },
    ];
  });
}

/** The files from which a session reads its modes. */
function configurationNames(root: string): string[] {
  const claude = path.join(root, '.claude');
  return [
    claude,
    ...namesIn(claude)
      .filter((name) => /^(modes\.yaml|modes|policies|settings\..*json|CLAUDE\..*\.md)$/.test(name))
      .map((name) => path.join(claude, name)),
  ];
}

/** The final target of a link. For a dangling link, the path that it names. null if the file is not a link. */
function linkTarget(file: string): string | null {
  try {
    if (!fs.lstatSync(file).isSymbolicLink()) return null;
    return realOr(path.resolve(path.dirname(file), fs.readlinkSync(file)));
  } catch {
    return null;
  }
}
