// Relations between paths, determined from their text.

const slash = 0x2f;

/** True if `name` is `folder` or is below it. */
export function inside(name: string, folder: string): boolean {
  const end = folder.length;
  if (name.length <= end) return name === folder || folder === '/';
  // Fast check: most names have no slash at this position, so no comparison is needed.
  return (name.charCodeAt(end) === slash && name.startsWith(folder)) || folder === '/';
}

/** The part of a path below a folder, without a leading slash; '' for the folder itself. */
export function belowOf(name: string, folder: string): string {
  return name.slice(folder === '/' ? 1 : folder.length + 1);
}

/** Joins a folder and a path below it. The folder may be relative; '' is the root of relative names. */
export function under(folder: string, below: string): string {
  return folder === '' ? below : folder === '/' ? `/${below}` : `${folder}/${below}`;
}

/** The folder that contains an absolute path. */
export function parentOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/')) || '/';
}
