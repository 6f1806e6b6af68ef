// The installed programs that run tests. A change of one can change the report that the engine asks for.

import type { TreeScope } from '../../../git/file-tree.ts';

/** The path in the first folder of installed packages; '' for the folder itself. null: outside. */
export function pathInPackages(name: string): string | null {
  const match = /^(?:.*?\/)?node_modules(?:\/(.*))?$/s.exec(name);
  return match === null ? null : (match[1] ?? '');
}

/**
 * The programs in every `node_modules/.bin`, and the installed packages with these names. No other package is entered.
 * @param packages matches the name of a package, or the scope in its name
 */
export function programScope(packages: RegExp | null): TreeScope {
  const isOwn = (below: string): boolean => {
    // pnpm stores a package in `.pnpm/NAME@VERSION/node_modules/NAME`.
    const [, stored, inner] = /^\.pnpm\/(@?[^/@+]+)[^/]*(?:\/node_modules(?:\/(.*))?)?$/s.exec(below) ?? [];
    if (stored !== undefined) return isOwn(stored) && (inner === undefined || isOwn(inner));
    const [head] = below.split('/');
    return head === '.bin' || packages?.test(head as string) === true;
  };
  const folder = (name: string): boolean => {
    const below = pathInPackages(name);
    return below === null || below === '' || below === '.pnpm' || isOwn(below);
  };
  return {
    file: (name) => isOwn(pathInPackages(name) ?? ''),
    folder,
    meant: (name) => pathInPackages(name) !== null && folder(name),
  };
}

/** A scope that enters no folder of installed packages, unless it names it. */
export function ownPackages(scope: TreeScope): TreeScope {
  const isEntered = (name: string): boolean => {
    const below = pathInPackages(name);
    return below === null || scope.meant(below === '' ? name : name.slice(0, -below.length - 1));
  };
  return {
    file: (name) => isEntered(name) && scope.file(name),
    folder: (name) => isEntered(name) && scope.folder(name),
    meant: scope.meant,
  };
}
