// Which names exist below a folder: a bounded walk that follows no links.
import fs from 'node:fs';

/** Names looked at before the answer is "as if one matched" (semantics: extent). */
export const maxNames = 50_000;

/**
 * Calls `visit` with the absolute path of everything below `folder`. True when all was seen; false when there is more than the
 * budget, which several walks may share, or a folder could not be read. `visit` may return `skip` to leave a folder's inside alone.
 */
export function walkBelow(
  folder: string,
  visit: (absolute: string, isFolder: boolean) => 'skip' | undefined,
  budget = { left: maxNames },
): boolean {
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    let entries: fs.Dirent[];
    try {
      entries = fs.readdirSync(next, { withFileTypes: true });
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT' || code === 'ENOTDIR') continue;
      return false;
    }
    for (const entry of entries) {
      if (--budget.left < 0) return false;
      const absolute = next === '/' ? `/${entry.name}` : `${next}/${entry.name}`;
      const isFolder = entry.isDirectory();
      if (visit(absolute, isFolder) !== 'skip' && isFolder) pending.push(absolute);
    }
  }
  return true;
}

/**
 * Existing names that an unquoted pattern of a shell stands for, or more: dotfiles are met too, `**` reaches any depth, and a
 * bracket meets anything, since shells differ in them. null when there are more than `limit`, or a folder could not be read.
 */
export function expandGlob(pattern: string, limit = 5_000): string[] | null {
  let heads = [''];
  for (const part of pattern.split('/').slice(1)) {
    const next: string[] = [];
    for (const head of heads) {
      const names = /[*?[]/.test(part) ? matching(head, part, limit) : [`${head}/${part}`];
      if (names === null || next.length + names.length > limit) return null;
      for (const name of names) next.push(name);
    }
    heads = [...new Set(next)];
  }
  return heads;
}

/** What exists in a folder under a pattern of one component. */
function matching(folder: string, part: string, limit: number): string[] | null {
  if (part.includes('**')) {
    const all = [folder];
    return walkBelow(folder === '' ? '/' : folder, (absolute) => void all.push(absolute), { left: limit }) ? all : null;
  }
  try {
    return fs
      .readdirSync(folder === '' ? '/' : folder)
      .filter((name) => meets(part, name))
      .map((name) => `${folder}/${name}`);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : null;
  }
}

/**
 * True when a pattern of one component meets a name; from the first bracket to the last one anything goes. Every star but the last
 * one tried is settled, so that no pattern takes longer than the product of both lengths.
 */
function meets(part: string, name: string): boolean {
  const pattern = [...part.replace(/\[.*\]/su, '*')];
  const text = [...name];
  let star = -1;
  let resume = 0;
  let at = 0;
  for (let i = 0; i < text.length; ) {
    if (pattern[at] === '*') {
      star = at++;
      resume = i;
    } else if (at < pattern.length && (pattern[at] === '?' || pattern[at] === text[i])) {
      at++;
      i++;
    } else if (star !== -1) {
      at = star + 1;
      i = ++resume;
    } else return false;
  }
  return pattern.slice(at).every((char) => char === '*');
}
