// Where paths lie, by their text.

/** True when `name` is `folder` or lies below it. */
export function inside(name: string, folder: string): boolean {
  return name === folder || folder === '/' || (name.startsWith(folder) && name[folder.length] === '/');
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
