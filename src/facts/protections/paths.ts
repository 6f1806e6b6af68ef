// Paths that no mode may write, and paths that always ask: a table, first match wins.
import path from 'node:path';
import type { PathProtection } from '../../model/facts.ts';
import { belowOf, inside, parentOf } from '../../platform/path-text.ts';
import { KEYS_FILE, SIGNATURE_FILE } from '../../store/trust-signature.ts';
import { fold } from '../paths/keys.ts';
import type { Place } from '../paths/place.ts';
import { cachedWorktreeAt, gitFolders, isInWorktree, isScratch } from '../paths/worktrees.ts';

interface ProtectionRow {
  name: string;
  effect: 'deny' | 'ask';
  remedy: string;
  /** No grant overrides it. */
  permanent?: true;
  /** The lower-case components of the absolute path. In a worktree of the client, `parts` are only those below the worktree. */
  matches(parts: string[], absolute: string, place: Place): boolean;
}

const byPerson = 'Ask a person to edit this outside the session.';
const shellStartFiles = new Set(
  (
    '.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout ' +
    '.kshrc .mkshrc .cshrc .tcshrc .login .inputrc .curlrc _curlrc .gitconfig .npmrc .envrc .bash_completion .xinitrc ' +
    '.xprofile .xsession .pam_environment .direnvrc .asdfrc .tool-versions .mise.toml mise.toml .yarnrc .yarnrc.yml ' +
    '.bunfig.toml .vimrc .gvimrc .exrc .nvimrc .emacs .nanorc .gdbinit .lldbinit .pdbrc .pythonrc .irbrc .pryrc ' +
    '.psqlrc .sqliterc .my.cnf .rprofile .ghci .ocamlinit .perldb .gemrc .wgetrc .screenrc .tmux.conf .hgrc .bazelrc ' +
    '.ansible.cfg .mailcap'
  ).split(' '),
);
const openBelowClaude = new Set(['skills', 'commands', 'agents', 'rules', 'tasks']);
const trusting = new Set([KEYS_FILE, SIGNATURE_FILE]);
/**
 * Folders with hooks of other harnesses, and what in them registers hooks, switches them off, or sets variables for the harness.
 * null: everything.
 */
const harnessFolders: ReadonlyMap<string, readonly string[] | null> = new Map([
  ['.codex', null],
  ['.copilot', null],
  ['.gemini', ['settings.json', '.env', 'policies', 'extensions']],
  ['.cursor', ['hooks.json', 'hooks']],
  ['.opencode', ['plugin', 'plugins']],
  ['.github', ['hooks', 'copilot']],
]);
/**
 * Files in any folder that start programs by themselves: of shells and version managers when a person enters the folder or a shim
 * such as `node` starts, of editors when they open the folder, of debuggers when they start.
 */
const selfStartingFiles = new Set(
  '.envrc .tool-versions mise.toml mise.local.toml .mise.toml .mise.local.toml .exrc .nvimrc .nvim.lua .gdbinit .lldbinit .pdbrc'.split(
    ' ',
  ),
);
/** The same for a name in a folder. Empty: every name in it. */
const selfStartingFolders: ReadonlyMap<string, string> = new Map([
  ['.volta', ''],
  ['.mise', ''],
  ['.config', 'mise'],
  ['.vscode', 'tasks.json'],
]);
/** `commondir` and `gitdir` contain the location of the others. */
const gitSettings = new Set(['config', 'config.worktree', 'hooks', 'info', 'commondir', 'gitdir']);
/** Below the home folder: start files of programs that have a folder of their own. */
const startFolders = (
  '.config/git .config/fish .config/curlrc .config/mise .config/direnv .config/nvim .vim .emacs.d .volta/hooks.json .ssh/config .ssh/rc ' +
  '.cargo/config.toml .cargo/config .cargo/env .gradle/init.gradle .gradle/init.d .config/systemd .config/autostart Library/LaunchAgents'
).split(' ');
const startsOf = ({ home, startFiles = [] }: Pick<Place, 'home' | 'startFiles'>): string[] => [
  ...startFolders.map((name) => path.join(home, name)),
  ...startFiles,
];

const rows: ProtectionRow[] = [
  {
    name: 'the data folder of Modes',
    effect: 'deny',
    permanent: true,
    remedy: byPerson,
    matches: (_, at, { dataFolder }) => inside(at, dataFolder),
  },
  {
    name: 'managed settings',
    effect: 'deny',
    permanent: true,
    remedy: byPerson,
    matches: (_, at, place) => place.managedFolders.some((folder) => inside(at, folder)),
  },
  {
    name: 'the target of a link in the data folder of Modes or in a managed folder',
    effect: 'deny',
    permanent: true,
    remedy: byPerson,
    matches: (_, at, { permanentTargets: targets = [] }) => targets.some((target) => inside(at, target)),
  },
  {
    name: 'keys and signatures that approve a configuration',
    effect: 'deny',
    permanent: true,
    remedy: byPerson,
    matches: (parts, at, { configFolder, linkTargets }) =>
      trusting.has(parts.at(-1) ?? '') &&
      (parts.includes('.claude') || inside(at, configFolder) || linkTargets.some((target) => inside(at, target))),
  },
  {
    name: 'the target of a link in .claude/',
    effect: 'deny',
    remedy: byPerson,
    matches: (_, at, place) => place.linkTargets.some((target) => inside(at, target)),
  },
  {
    name: '.claude/ content for people and agents',
    effect: 'ask',
    remedy: 'A person must confirm it.',
    matches: (parts, at, place) =>
      !inside(at, place.configFolder) &&
      parts.includes('.claude') &&
      parts.every((part, i) => part !== '.claude' || isOpenBelowClaude(parts, i + 1)),
  },
  {
    name: '.claude/',
    effect: 'deny',
    remedy: 'Ask a person to edit modes and settings. The change takes effect after /modes:trust.',
    matches: (parts) => parts.includes('.claude'),
  },
  {
    name: "the client's own folder",
    effect: 'deny',
    remedy: byPerson,
    matches: (parts, at, place) =>
      inside(at, place.configFolder) || (parts.at(-1) === '.claude.json' && path.dirname(at) === place.home),
  },
  {
    name: "the plugin's folder",
    effect: 'deny',
    remedy: byPerson,
    matches: (_, at, place) => place.pluginRoot !== null && place.pluginRoot !== place.root && inside(at, place.pluginRoot),
  },
  { name: '.mcp.json', effect: 'deny', remedy: byPerson, matches: (parts) => parts.at(-1) === '.mcp.json' },
  { name: 'hooks of another harness', effect: 'deny', remedy: byPerson, matches: matchesHarness },
  {
    name: '.git settings and hooks',
    effect: 'deny',
    remedy: byPerson,
    matches: (parts, at, place) => matchesGit(parts) || gitFolders(place).some((folder) => isGitSetting(at, folder)),
  },
  {
    name: 'shell and program start files',
    effect: 'deny',
    remedy: byPerson,
    matches: (parts, at, place) => shellStartFiles.has(parts.at(-1) ?? '') && path.dirname(at) === place.home,
  },
  {
    name: 'program settings of the user',
    effect: 'deny',
    remedy: byPerson,
    matches: (_, at, place) => startsOf(place).some((start) => inside(at, start)),
  },
  {
    name: 'a folder on the PATH',
    effect: 'deny',
    remedy: byPerson,
    matches: (_, at, place) => place.pathFolders.some((folder) => isOnPath(at, folder, place) && !inside(folder, place.root)),
  },
  {
    name: "a project's folder on the PATH",
    effect: 'ask',
    remedy: 'A person must confirm it.',
    matches: (_, at, place) => place.pathFolders.some((folder) => isOnPath(at, folder, place)),
  },
  {
    name: 'settings that start programs',
    effect: 'ask',
    remedy: 'A person must confirm it.',
    matches: startsPrograms,
  },
  {
    name: 'CLAUDE.md',
    effect: 'ask',
    remedy: 'A person must confirm it.',
    matches: (parts) => /^CLAUDE.*\.md$/i.test(parts.at(-1) ?? ''),
  },
  {
    name: 'the plugin that guards this session',
    effect: 'ask',
    remedy: 'A person must confirm it.',
    matches: (_, at, place) => place.pluginRoot === place.root && inside(at, place.root),
  },
  {
    name: 'a path outside the project',
    effect: 'ask',
    remedy: 'To allow it, add an allow rule with a // or ~/ path.',
    matches: (_, at, place) => !inside(at, place.root) && !isInWorktree(at, place) && !isScratch(at, place),
  },
];

/** The protection that matches a write to this absolute path, or null. */
export function protectionOf(absolute: string, place: Place): PathProtection | null {
  if (isPlain(absolute, place)) return null;
  const parts = ownParts(absolute, place);
  for (const row of rows)
    if (row.matches(parts, absolute, place)) return { effect: row.effect, name: row.name, remedy: row.remedy };
  return null;
}

/** Places that commands often name without writing to them, because their files are run or passed on. */
const oftenNamed = new Set(['a folder on the PATH', "the plugin's folder"]);

/** The protection of a path that a command names and may write. Since the write is not certain, a deny becomes an ask. */
export function protectionNamed(absolute: string, place: Place): PathProtection | null {
  const protection = protectionOf(absolute, place);
  if (protection?.effect !== 'deny' || oftenNamed.has(protection.name)) return null;
  const [first = ''] = fold(path.relative(place.configFolder, absolute)).split('/');
  if (inside(absolute, place.configFolder) && (openBelowClaude.has(first) || first === 'plugins')) return null;
  return { effect: 'ask', name: protection.name, remedy: 'A person must confirm it.' };
}

/** Cache for a place: the folders that rows name, and, for recent folders, whether no row can match the names in them. */
interface Folders {
  special: ReadonlySet<string>;
  plain: Map<string, boolean>;
}

const foldersOf = new WeakMap<Place, Folders>();
const maxFolders = 1_000;

/** True for most names of a project, because no row can match them. If false, the rows must be checked. */
function isPlain(absolute: string, place: Place): boolean {
  const slash = absolute.lastIndexOf('/');
  // Every name that a row matches in any folder starts with a dot, or is CLAUDE.md or mise.toml.
  const first = absolute[slash + 1];
  if (first === undefined || /[.cm]/i.test(first) || first > '~') return false;
  let known = foldersOf.get(place);
  if (known === undefined) {
    known = { special: new Set(specialFolders(place)), plain: new Map() };
    foldersOf.set(place, known);
  }
  if (known.special.has(absolute)) return false;
  const folder = parentOf(absolute);
  let plain = known.plain.get(folder);
  if (plain === undefined) {
    plain =
      inside(folder, place.root) &&
      folder !== place.home &&
      place.pluginRoot !== place.root &&
      !/\/\.(claude|git|codex|copilot|gemini|cursor|opencode|volta|mise|config|vscode)/.test(fold(folder)) &&
      !specialFolders(place).some((special) => inside(folder, special));
    if (known.plain.size >= maxFolders) known.plain.clear();
    known.plain.set(folder, plain);
  }
  return plain;
}

/** Folders that a row matches together with everything below them. */
function specialFolders(place: Place): string[] {
  const { dataFolder, configFolder, pluginRoot, managedFolders, linkTargets, pathFolders } = place;
  return [
    dataFolder,
    configFolder,
    ...(pluginRoot === null ? [] : [pluginRoot]),
    ...managedFolders,
    ...linkTargets,
    ...pathFolders,
    ...startsOf(place),
    ...gitFolders(place),
  ];
}

/** The name of the protection that matches a write to this absolute path, if a grant may override it; else null. */
export function grantableProtection(absolute: string, place: Place): string | null {
  const parts = ownParts(absolute, place);
  const match = rows.find((row) => row.matches(parts, absolute, place));
  return match === undefined || match.permanent ? null : match.name;
}

/**
 * The protection against removing or replacing this whole folder, from the known locations of protected files: the project
 * itself, the home folder, the folders of the client and of Modes, folders on the PATH. Does not read the disk. null: none of
 * them is below it.
 */
export function protectionBelow(absolute: string, place: Place): PathProtection | null {
  const { denied, toConfirm } = protectedFoldersOf(place);
  if (denied.some((folder) => inside(folder, absolute)))
    return { effect: 'deny', name: 'a folder that holds protected files', remedy: 'Name the files in it.' };
  return toConfirm.some((folder) => inside(folder, absolute))
    ? { effect: 'ask', name: "a project's folder on the PATH", remedy: 'A person must confirm it.' }
    : null;
}

interface ProtectedFolders {
  denied: readonly string[];
  toConfirm: readonly string[];
}

const protectedFolders = new WeakMap<Place, ProtectedFolders>();

/** Folders that contain protected files, at any location. */
function protectedFoldersOf(place: Place): ProtectedFolders {
  const known = protectedFolders.get(place);
  if (known !== undefined) return known;
  const { root, home, configFolder, dataFolder, pluginRoot, managedFolders, linkTargets } = place;
  const onPath = (within: boolean) => place.pathFolders.filter((folder) => inside(folder, root) === within);
  const found = {
    denied: [
      root,
      home,
      configFolder,
      dataFolder,
      pluginRoot ?? root,
      ...managedFolders,
      ...linkTargets,
      ...onPath(false),
      ...startsOf(place),
    ],
    toConfirm: onPath(true),
  };
  protectedFolders.set(place, found);
  return found;
}

/** Returns a check for names directly in a folder of a recursive access: whether the name may be a protected one. */
export function protectedNamesIn(folder: string): (name: string) => boolean {
  if (/\/\.(claude|git|github|codex|copilot|gemini|cursor|opencode|volta|mise|config|vscode)\//.test(`${fold(folder)}/`))
    return () => true;
  return (name) => {
    const folded = fold(name);
    return protectedNames.has(folded) || (folded.startsWith('claude') && folded.endsWith('.md'));
  };
}

const protectedNames = new Set([
  '.claude',
  '.mcp.json',
  '.git',
  '.claude.json',
  ...harnessFolders.keys(),
  ...selfStartingFolders.keys(),
  ...selfStartingFiles,
  ...shellStartFiles,
]);

/** The relevant components in lower case. In or around `.claude/worktrees/<name>/`, only those below that worktree. */
function ownParts(absolute: string, place: Place): string[] {
  const { root } = place;
  const trees = `${root}/.claude/worktrees/`;
  const parts = (text: string) =>
    fold(text)
      .split('/')
      .filter((part) => part !== '');
  if (absolute.startsWith(trees)) {
    const rest = parts(absolute.slice(trees.length));
    if (rest.length > 1) return rest.slice(1);
  } else if (inside(absolute, root) && /\/\.claude\/worktrees\/[^/]/.test(root)) return parts(absolute.slice(root.length));
  const tree = cachedWorktreeAt(absolute, place);
  return parts(tree === null || tree.root === absolute ? absolute : absolute.slice(tree.root.length));
}

/** A folder that contains the project protects only the programs directly in it. */
function isOnPath(at: string, folder: string, { root }: Place): boolean {
  return at === folder || path.dirname(at) === folder || (inside(at, folder) && !inside(root, folder));
}

/** True if people and agents may write the name after `.claude` with a person's approval. */
function isOpenBelowClaude(parts: string[], at: number): boolean {
  const name = parts[at];
  return (
    name !== undefined &&
    (openBelowClaude.has(name) || (at === parts.length - 1 && (name === 'claude.md' || name === 'claude.local.md')))
  );
}

/** The folder itself counts too, except one that other things share: replacing it replaces its hooks. */
function matchesHarness(parts: string[]): boolean {
  return parts.some((part, at) => {
    const names = harnessFolders.get(part);
    const name = parts[at + 1];
    if (names === undefined) return false;
    return name === undefined ? part !== '.github' : (names?.includes(name) ?? true);
  });
}

function startsPrograms(parts: string[]): boolean {
  if (selfStartingFiles.has(parts.at(-1) ?? '')) return true;
  return parts.some((part, at) => {
    const name = selfStartingFolders.get(part);
    return name !== undefined && (name === '' || name === parts[at + 1]);
  });
}

function matchesGit(parts: string[]): boolean {
  return parts.some((part, at) => part === '.git' && matchesGitAt(parts, at));
}

/** The same for one of Git's own folders under any name. */
function isGitSetting(at: string, folder: string): boolean {
  return (
    inside(at, folder) &&
    matchesGitAt(
      ['.git', ...fold(belowOf(at, folder)).split('/')].filter((part) => part !== ''),
      0,
    )
  );
}

function matchesGitAt(parts: string[], at: number): boolean {
  // `.git` itself: as a file it refers to another repository. Any write to the name replaces the repository.
  if (at === parts.length - 1) return true;
  const entry = parts[at + 1] as string;
  // Submodules and worktrees have the same files, one or more levels below.
  return (
    gitSettings.has(entry) ||
    ((entry === 'modules' || entry === 'worktrees') && parts.slice(at + 2).some((part) => gitSettings.has(part)))
  );
}

export const circular: PathProtection = {
  effect: 'deny',
  name: 'a path whose links cannot be followed',
  remedy: 'Name the real path.',
};

/** The stricter one: deny > non-overridable ask > ask. Ties keep the first. */
export function stricter(one: PathProtection | null, other: PathProtection | null): PathProtection | null {
  if (one === null || other === null) return one ?? other;
  return weightOf(other) > weightOf(one) ? other : one;
}

function weightOf(one: PathProtection): number {
  return one.effect === 'deny' ? 2 : one.firm ? 1 : 0;
}
