// Which names exist below a folder: a bounded walk that follows no links.
import fs from 'node:fs';

/** Names looked at before the answer is "as if one matched" (semantics: extent). */
export const maxNames = 50_000;

/**
 * Calls `visit` with the absolute path of everything below `folder`. True when all was seen; false when there is more than
 * `maxNames`, or a folder could not be read. `visit` may return `skip` to leave a folder's inside alone.
 */
export function walkBelow(folder: string, visit: (absolute: string) => 'skip' | undefined, limit = maxNames): boolean {
  const pending = [folder];
  let seen = 0;
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
      if (++seen > limit) return false;
      const absolute = next === '/' ? `/${entry.name}` : `${next}/${entry.name}`;
      if (visit(absolute) !== 'skip' && entry.isDirectory()) pending.push(absolute);
    }
  }
  return true;
}

/** Existing names that an unquoted Bash pattern (`* ? [ ]`, dotfiles included, to be careful) stands for. At most `limit`; null beyond. */
export function expandGlob(pattern: string, limit = 5_000): string[] | null {
  let heads = [''];
  for (const part of pattern.split('/').slice(1)) {
    if (!/[*?[]/.test(part)) {
      heads = heads.map((head) => `${head}/${part}`);
      continue;
    }
    const test = globPart(part);
    const next: string[] = [];
    for (const head of heads) {
      let names: string[];
      try {
        names = fs.readdirSync(head === '' ? '/' : head);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code;
        if (code === 'ENOENT' || code === 'ENOTDIR') continue;
        return null;
      }
      for (const name of names) if (test.test(name)) next.push(`${head}/${name}`);
      if (next.length > limit) return null;
    }
    heads = next;
  }
  return heads;
}

/** One component of a Bash pattern as an anchored regular expression; a bracket that is not understood matches one of anything. */
function globPart(part: string): RegExp {
  let source = '';
  for (let i = 0; i < part.length; i++) {
    const char = part[i] as string;
    if (char === '*') source += '.*';
    else if (char === '?') source += '.';
    else if (char === '[') {
      const end = part.indexOf(']', i + 2);
      if (end === -1) source += '\\[';
      else {
        source += '.';
        i = end;
      }
    } else source += char.replace(/[\\^$.|+(){}]/g, '\\$&');
  }
  return new RegExp(`^${source}$`, 'su');
}
