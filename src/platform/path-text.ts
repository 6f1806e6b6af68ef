// Where paths lie, by their text.

const slash = 0x2f;

/** True when `name` is `folder` or lies below it. */
export function inside(name: string, folder: string): boolean {
  const end = folder.length;
  if (name.length <= end) return name === folder || folder === '/';
  // Most names differ where the folder ends, which is seen without comparing them.
  return (name.charCodeAt(end) === slash && name.startsWith(folder)) || folder === '/';
}

/** What stands behind a folder in the path of something below it, without a slash in front; '' for the folder itself. */
export function belowOf(name: string, folder: string): string {
  return name.slice(folder === '/' ? 1 : folder.length + 1);
}

/** The path of what lies below a folder; of a relative one too, and of the root of relative names, which is ''. */
export function under(folder: string, below: string): string {
  return folder === '' ? below : folder === '/' ? `/${below}` : `${folder}/${below}`;
}

/** The folder that an absolute path lies in. */
export function parentOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/')) || '/';
}
