// Where paths lie, by their text.

/** True when `name` is `folder` or lies below it. */
export function inside(name: string, folder: string): boolean {
  return name === folder || folder === '/' || (name.startsWith(folder) && name[folder.length] === '/');
}
