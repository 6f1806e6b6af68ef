// What nobody may write in any mode, and what is asked: a table, first match wins.
import path from 'node:path';
import type { Place } from './place.ts';

export interface Protection {
  effect: 'deny' | 'ask';
  /** As shown: `.claude/`, `shell start file`. */
  name: string;
  remedy: string;
}

interface Row {
  name: string;
  effect: 'deny' | 'ask';
  remedy: string;
  /** `parts` are the components of the absolute name, from the innermost worktree downwards where there is one. */
  meets(parts: string[], absolute: string, place: Place): boolean;
}

const byPerson = 'A person edits this outside the session.';
const shellStartFiles = new Set([
  '.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin', '.zlogout',
  '.kshrc', '.mkshrc', '.cshrc', '.tcshrc', '.login', '.inputrc', '.curlrc', '_curlrc', '.gitconfig', '.npmrc', '.envrc',
]);
const openBelowClaude = new Set(['skills', 'commands', 'agents', 'rules', 'tasks']);
const gitSettings = new Set(['config', 'config.worktree', 'hooks', 'info']);

const rows: Row[] = [
  { name: 'the data folder of Modes', effect: 'deny', remedy: byPerson, meets: (_, at, { dataFolder }) => inside(at, dataFolder) },
  { name: 'managed settings', effect: 'deny', remedy: byPerson, meets: (_, at, place) => place.managedFolders.some((folder) => inside(at, folder)) },
  {
    name: '.claude/ content for people and agents', effect: 'ask', remedy: 'A person confirms it.',
    meets: (parts, at, place) => {
      if (inside(at, place.configFolder)) return false;
      const below = parts[parts.lastIndexOf('.claude') + 1];
      return parts.includes('.claude') && below !== undefined && (openBelowClaude.has(below) || below === 'CLAUDE.md' || below === 'CLAUDE.local.md');
    },
  },
  { name: '.claude/', effect: 'deny', remedy: 'A person edits modes and settings; the change then counts after /modes:trust.', meets: (parts) => parts.includes('.claude') },
  { name: "the client's own folder", effect: 'deny', remedy: byPerson, meets: (_, at, place) => inside(at, place.configFolder) || at === path.join(place.home, '.claude.json') },
  {
    name: "the plugin's folder", effect: 'deny', remedy: byPerson,
    meets: (_, at, place) => place.pluginRoot !== null && place.pluginRoot !== place.root && inside(at, place.pluginRoot),
  },
  { name: '.mcp.json', effect: 'deny', remedy: byPerson, meets: (parts) => parts.at(-1) === '.mcp.json' },
  { name: '.git settings and hooks', effect: 'deny', remedy: byPerson, meets: (parts) => meetsGit(parts) },
  { name: 'shell and program start files', effect: 'deny', remedy: byPerson, meets: (parts, at, place) => shellStartFiles.has(parts.at(-1) ?? '') && path.dirname(at) === place.home },
  { name: 'git settings of the user', effect: 'deny', remedy: byPerson, meets: (_, at, place) => inside(at, path.join(place.home, '.config/git')) },
  {
    name: 'a folder on the PATH', effect: 'deny', remedy: byPerson,
    meets: (_, at, place) => place.pathFolders.some((folder) => inside(at, folder) && !inside(folder, place.root)),
  },
  { name: "a project's folder on the PATH", effect: 'ask', remedy: 'A person confirms it.', meets: (_, at, place) => place.pathFolders.some((folder) => inside(at, folder)) },
  { name: 'CLAUDE.md', effect: 'ask', remedy: 'A person confirms it.', meets: (parts) => /^CLAUDE.*\.md$/i.test(parts.at(-1) ?? '') },
  { name: 'the plugin that guards this session', effect: 'ask', remedy: 'A person confirms it.', meets: (_, at, place) => place.pluginRoot === place.root && inside(at, place.root) },
  {
    name: 'a path outside the project', effect: 'ask', remedy: 'An allow rule with a // or ~/ path settles it.',
    meets: (_, at, place) => !inside(at, place.root) && !place.temp.some((folder) => inside(at, folder)),
  },
];

/** Protection that a write of this absolute name meets, or null. */
export function protectionOf(absolute: string, place: Place): Protection | null {
  const parts = ownParts(absolute, place);
  for (const row of rows) if (row.meets(parts, absolute, place)) return { effect: row.effect, name: row.name, remedy: row.remedy };
  return null;
}

/**
 * True when removing or replacing this folder whole takes something protected with it that need not be looked for:
 * the project itself, the home folder, the client's folders, the data folder.
 */
export function holdsProtected(absolute: string, place: Place): boolean {
  const { root, home, configFolder, dataFolder, pluginRoot } = place;
  return [root, home, configFolder, dataFolder, pluginRoot ?? root].some((folder) => inside(folder, absolute));
}

/** Names whose presence below an extent has to be looked for. */
export const protectedNames = new Set(['.claude', '.mcp.json', '.git', ...shellStartFiles]);

/** True when `name` is `folder` or lies below it. */
export function inside(name: string, folder: string): boolean {
  return name === folder || folder === '/' || (name.startsWith(folder) && name[folder.length] === '/');
}

/** Components that count: below `.claude/worktrees/<name>/` only that tree's own. */
function ownParts(absolute: string, place: Place): string[] {
  const trees = `${place.root}/.claude/worktrees/`;
  if (absolute.startsWith(trees)) {
    const rest = absolute.slice(trees.length).split('/');
    if (rest.length > 1) return rest.slice(1);
  }
  return absolute.split('/').filter((part) => part !== '');
}

function meetsGit(parts: string[]): boolean {
  const at = parts.lastIndexOf('.git');
  if (at === -1) return false;
  // `.git` itself: as a file it names another repository; writing the name at all replaces what it is.
  if (at === parts.length - 1) return true;
  if (gitSettings.has(parts[at + 1] as string)) return true;
  // submodules and worktrees keep the same files one or more levels below.
  const kept = parts[at + 1];
  return (kept === 'modules' || kept === 'worktrees') && parts.slice(at + 2).some((part) => gitSettings.has(part));
}
