// Git subcommands that print the contents of tracked files, write them elsewhere, or give them another name. Danger: a file that a
// rule denies on the disk is also stored in the index and in every commit. The index shows which files a commit may contain, so a
// file that leaves the index counts as read.

import type { GitView } from '../../../model/command.ts';
import type { Arg } from '../../arg.ts';
import type { CommandCall } from '../../call.ts';
import { type Given, has } from '../../options.ts';

interface ViewForm {
  /** True if a command with these options prints contents. */
  prints: (given: Given, call: CommandCall) => boolean;
  /** The kind of operands before `--`. `either`: a revision unless a file with that name exists. */
  words: 'either' | 'revisions' | 'paths';
  /** Number of leading operands that are neither: subcommands, patterns. */
  skip?: (given: Given) => number;
  /** Number of operands after those that are certainly revisions. */
  revisions?: number;
  /** Scope of the output without a pathspec. If absent, the whole repository. */
  without?: 'here';
  /** True if only files that differ from the index are printed, provided that no operand is a revision. */
  isWorktree?: (given: Given) => boolean;
  /** An operand may name a file or a folder in a commit (`HEAD:a`). It is printed regardless of the other words. */
  objects?: 'file' | 'tree';
  /** True if a command that prints nothing takes the selected files that are missing out of the index. */
  forgets?: (given: Given) => boolean;
  /** True if pathspecs have no effect. */
  isOpen?: (given: Given) => boolean;
  /** Operands are objects, and nothing else is printed. */
  isOnlyObjects?: boolean;
}

/** Options that print changed contents, and options that print only names or amounts. */
const WITH_PATCH =
  /^(?:p|u|U|c|m|cc|dd|patch|unified|binary|check|patch-with-(?:raw|stat)|word-diff(?:-regex)?|color-words|remerge-diff|diff-merges|L|W|function-context)$/;
const WITHOUT_PATCH = /^(?:s|no-patch|quiet|raw|name-only|name-status|stat|numstat|shortstat|dirstat|compact-summary|summary)$/;

export function showsPatch({ options, problem }: Given, isUsual: boolean): boolean {
  // An unknown option may be an abbreviation of one that prints a patch.
  if (problem !== null || options.some((o) => WITH_PATCH.test(o.name))) return true;
  return isUsual && !options.some((o) => WITHOUT_PATCH.test(o.name));
}

const always = () => true;
const patch = (isUsual: boolean) => (given: Given) => showsPatch(given, isUsual);
const asks =
  (...names: string[]) =>
  (given: Given) =>
    given.problem !== null || has(given, ...names);
const verb =
  (name: RegExp, shows: (given: Given) => boolean = always) =>
  (given: Given) =>
    name.test(given.operands[0]?.literal ?? '') && shows(given);
const one = () => 1;

/** `git add` of a file that was removed. With these options it changes nothing in the index. */
const adds = (given: Given): boolean => !has(given, 'n', 'dry-run', 'refresh', 'ignore-removal', 'no-all');
const HUNKS: ViewForm = { prints: asks('p', 'patch', 'i', 'interactive', 'e', 'edit'), words: 'either' };
const WHOLE: ViewForm = { prints: always, words: 'revisions', isOpen: always };
const LOG: ViewForm = { prints: patch(false), words: 'either' };
const NAMED: ViewForm = { prints: always, words: 'revisions', objects: 'file', isOnlyObjects: true };

const FORMS: Readonly<Record<string, ViewForm>> = {
  log: LOG,
  whatchanged: LOG,
  reflog: { ...LOG, skip: (given) => (/^(?:show|list)$/.test(given.operands[0]?.literal ?? '') ? 1 : 0) },
  'diff-tree': { ...LOG, objects: 'tree' },
  'diff-index': LOG,
  'diff-files': { ...LOG, isWorktree: always },
  show: { prints: patch(true), words: 'either', objects: 'file' },
  diff: {
    prints: patch(true),
    words: 'either',
    objects: 'tree',
    isWorktree: (given) => !has(given, 'cached', 'staged', 'merge-base'),
  },
  'range-diff': { prints: patch(true), words: 'either' },
  'format-patch': { prints: always, words: 'either' },
  'fast-export': { prints: always, words: 'either' },
  archive: {
    prints: (given) => !has(given, 'l', 'list'),
    words: 'paths',
    revisions: 1,
    without: 'here',
    objects: 'tree',
  },
  blame: { prints: always, words: 'either' },
  annotate: { prints: always, words: 'either' },
  grep: {
    prints: (given) => !has(given, 'no-index'),
    words: 'either',
    skip: (given) => (has(given, 'e', 'f') ? 0 : 1),
    without: 'here',
    objects: 'tree',
  },
  stash: { prints: verb(/^(?:show|list|push|save|)$/, patch(false)), words: 'revisions', isOpen: always },
  bundle: { prints: verb(/^create$/), words: 'revisions', isOpen: always },
  bisect: { prints: verb(/^(?:view|visualize)$/), words: 'revisions', isOpen: always },
  'merge-tree': {
    prints: (given) => given.problem !== null || has(given, 'trivial-merge') || given.operands.length > 2,
    words: 'revisions',
    isOpen: always,
  },
  'checkout-index': { prints: always, words: 'paths', without: 'here' },
  am: { prints: asks('show-current-patch'), words: 'revisions', isOpen: always },
  rebase: { prints: asks('show-current-patch'), words: 'revisions', isOpen: always },
  status: { prints: asks('v', 'verbose'), words: 'paths' },
  commit: {
    prints: (given) => has(given, 'p', 'patch', 'interactive') || (has(given, 'dry-run') && has(given, 'v', 'verbose')),
    words: 'paths',
    forgets: (given) => has(given, 'a', 'all', 'pathspec-from-file') || given.operands.length > 0,
  },
  add: { ...HUNKS, forgets: adds },
  stage: { ...HUNKS, forgets: adds },
  rm: { prints: (given) => !has(given, 'n', 'dry-run'), words: 'paths', isOpen: asks('pathspec-from-file') },
  'update-index': {
    prints: asks('remove', 'force-remove', 'cacheinfo', 'index-info'),
    words: 'paths',
    isOpen: asks('cacheinfo', 'index-info', 'stdin'),
  },
  // They give objects other names, or replace the index.
  'fast-import': WHOLE,
  mktree: WHOLE,
  'read-tree': WHOLE,
  switch: { ...WHOLE, prints: (given) => has(given, 'orphan') },
  subtree: WHOLE,
  reset: HUNKS,
  checkout: HUNKS,
  restore: HUNKS,
  tag: { ...NAMED, skip: one },
  'update-ref': { ...NAMED, skip: one },
  replace: { ...NAMED, skip: one },
  // Other programs of git, which are not analyzed further.
  difftool: { prints: always, words: 'either', isWorktree: (given) => !has(given, 'cached', 'staged') },
  mergetool: { prints: always, words: 'paths' },
  'request-pull': WHOLE,
  'send-email': WHOLE,
  cvsexportcommit: WHOLE,
  'filter-branch': WHOLE,
  'pack-objects': WHOLE,
  'upload-pack': WHOLE,
  'upload-archive': WHOLE,
  'unpack-file': WHOLE,
  'http-backend': WHOLE,
  instaweb: WHOLE,
  daemon: WHOLE,
  bugreport: WHOLE,
  diagnose: WHOLE,
  rerere: WHOLE,
  replay: WHOLE,
  'diff-pairs': WHOLE,
  'merge-one-file': WHOLE,
  citool: WHOLE,
  gui: WHOLE,
};

/** Subcommands that may change the set of tracked files or the contents of the index. */
const TRACKING =
  /^(?:add|stage|update-index|read-tree|apply|am|merge|pull|rebase|cherry-pick|revert|checkout|switch|reset|stash|mv|restore|fetch)$/;

/** Subcommands that fill a working tree. In another working tree, tracked files get names that no rule covers. */
const FILLS_TREE =
  /^(?:am|apply|checkout|cherry-pick|merge|pull|read-tree|rebase|reset|restore|revert|sparse-checkout|stash|submodule|switch)$/;
const ELSEWHERE: ViewForm = { prints: always, words: 'either' };

/** Options and variables that change the meaning of pathspecs. */
const OTHER_PATHSPECS = /^(?:literal|glob|noglob|icase)-pathspecs$/;

/** `HEAD:a`, `:a`, `:2:./a`: the path of a file in a commit or in the index. */
const REVISION_PATH = /^[^:]*:(?:[0-3]:)?(?![!^(/])(.+)$/s;
const HEXADECIMAL = /^([0-9a-f]{4,64})(?:$|[\^~@])|-g([0-9a-f]{4,40})(?:$|[\^~@])/i;

/** True for a git subcommand that prints contents in ways that are not analyzed. */
export const printsUnanalysed = (name: string): boolean => Object.hasOwn(FORMS, name);

/**
 * Records the contents of tracked files that a git subcommand prints.
 * @param own options of git itself, before the subcommand
 * @param isElsewhere the command names a repository or a working tree of its own
 */
export function addView(call: CommandCall, name: string, own: Given, given: Given, isElsewhere: boolean): void {
  if (TRACKING.test(name) && !/^(?:show|list)$/.test(given.operands[0]?.literal ?? '')) call.host.effects.tracks = true;
  const form = isElsewhere && FILLS_TREE.test(name) ? ELSEWHERE : Object.hasOwn(FORMS, name) ? FORMS[name]! : null;
  if (name === 'cat-file') addCatFile(call, given);
  if (form === null) return;
  const dashed = Math.min(given.dashed, given.operands.length);
  const before = given.operands.slice(0, dashed).slice(form.skip?.(given) ?? 0);
  const [certain, others] = [before.slice(0, form.revisions ?? 0), before.slice(form.revisions ?? 0)];
  const revisions = form.words === 'paths' ? certain : [...certain, ...others];
  const objects = form.objects ? revisions.flatMap(objectsOf) : [];
  const prints = form.prints(given, call);
  const isNamed = objects.length > 0 || (form.objects === 'file' && revisions.some(isUnknown));
  const forgets = !prints && (form.forgets?.(given) ?? false);
  if (!prints && !isNamed && !forgets) return;
  const isOpen =
    own.options.some((o) => OTHER_PATHSPECS.test(o.name)) ||
    call.prefix.some((p) => /^GIT_\w*PATHSPECS$/.test(p.name)) ||
    call.state.envTaint !== null ||
    has(given, 'full-diff') ||
    given.problem !== null ||
    (form.isOpen?.(given) ?? false) ||
    (form.objects !== undefined && revisions.some(isUnknown));
  view(call, {
    paths: [...(form.words === 'paths' ? others : []), ...given.operands.slice(dashed)].map(pathspecOf),
    words: form.words === 'either' ? others.map((word) => word.value ?? '') : [],
    without: form.without ?? 'top',
    objects,
    isDeep: form.objects === 'tree',
    isOnlyObjects:
      !(prints || forgets) || (form.isOnlyObjects ?? false) || (revisions.length > 0 && revisions.every(isRevisionPath)),
    isWorktree: form.isWorktree?.(given) ?? false,
    hasSubmodules: showsSubmodules(own, given),
    isMissing: forgets,
    isOpen: isOpen && (prints || revisions.some(isUnknown)),
  });
}

/** `git log -p --submodule=diff`, `git grep --recurse-submodules`, and the settings that mean the same. */
function showsSubmodules(own: Given, given: Given): boolean {
  const setting = (o: Given['options'][number]) => o.name === 'c' && /submodule|^[^=]*$/i.test(o.value?.lead ?? '');
  const asked = (o: Given['options'][number]) =>
    o.name === 'recurse-submodules' ||
    (o.name === 'submodule' && o.value !== null && !/^(?:log|short)$/.test(o.value?.literal ?? ''));
  return own.options.some(setting) || given.options.some(asked);
}

/** The views of commands that run in every submodule. */
export function viewedInSubmodules(call: CommandCall, before: number): void {
  const { views } = call.host.effects;
  for (const view of views.splice(before)) views.push({ ...view, isOpen: true, hasSubmodules: true });
}

/** `git cat-file` prints objects that are named by its words or on standard input. */
function addCatFile(call: CommandCall, given: Given): void {
  const isBatch = has(given, 'batch', 'batch-command');
  if (!isBatch && given.problem === null && has(given, 'e', 't', 's')) return;
  const [type, object] = given.operands;
  if (!isBatch && /^(?:commit|tree|tag)$/.test(type?.literal ?? '') && object !== undefined) return;
  const words = isBatch ? [] : given.operands.slice(given.operands.length > 1 ? 1 : 0);
  const listed = isBatch ? call.inputs() : [];
  const objects = [...words.flatMap(objectsOf), ...listed.flatMap(pathspecsIn)];
  const isKnown = isBatch
    ? !has(given, 'batch-all-objects') && 'text' in call.stdin && call.stdin.kind === 'text' && !listed.some(isHexadecimal)
    : words.every((word) => !isUnknown(word) && !isHexadecimal(word.literal ?? ''));
  if (isKnown && objects.length === 0) return;
  view(call, { ...NOTHING, objects, isDeep: false, isOnlyObjects: isKnown, isOpen: !isKnown });
}

/** Records the complete content of a repository that is copied elsewhere: the one at the address, or the current one. */
export function copiesRepository(call: CommandCall, address?: Arg): void {
  const folder = address?.literal?.replace(/^file:\/\/(?:localhost(?=\/))?/i, '') ?? (address ? null : '.');
  if (folder === null || folder.includes('://')) return;
  const at = folder.startsWith('/') ? [folder] : (call.cwds ?? [call.host.origin]).map((c) => `${c}/${folder}`);
  view(call, { ...NOTHING, isOpen: true }, at);
}

/** True for the address of a repository on this machine. A single word is the name of a remote, or a folder. */
export const isLocal = (address: Arg | undefined): address is Arg => /^(?:file:|[/~]|\.(?!$))/i.test(address?.literal ?? '');

/** An object in the value of an option: `--blob=HEAD:a`. */
export function viewsObject(call: CommandCall, value: Arg): void {
  const objects = objectsOf(value);
  view(call, { ...NOTHING, objects, isOnlyObjects: !isUnknown(value), isOpen: isUnknown(value) });
}

type ViewParts = Omit<GitView, 'folder' | 'via' | 'command'>;

const NOTHING: ViewParts = {
  paths: [],
  words: [],
  without: 'top',
  objects: [],
  isDeep: false,
  isOnlyObjects: false,
  isWorktree: false,
  hasSubmodules: false,
  isMissing: false,
  isOpen: false,
};

/** The view of everything in a repository. */
export const everything = (folder: string, via: string, command: number): GitView => ({
  ...NOTHING,
  isOpen: true,
  folder,
  via,
  command,
});

function view(call: CommandCall, parts: ViewParts, folders?: readonly string[]): void {
  const { origin, effects } = call.host;
  const where = folders ?? call.cwds ?? [origin];
  const isElsewhere = call.prefix.some((p) =>
    /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|INDEX_FILE)$/.test(p.name),
  );
  // In an unknown folder, pathspecs may be relative to any place.
  const isOpen = parts.isOpen || (call.cwds === null && folders === undefined);
  for (const folder of new Set(isElsewhere ? [...where, origin] : where))
    effects.views.push({ ...parts, isOpen, folder, via: call.name, command: call.entry });
}

const isUnknown = (word: Arg): boolean => word.value === null && word.texts === null && objectsOf(word).length === 0;

/** True if the word is certainly of the form `HEAD:a` and not a commit. */
const isRevisionPath = (word: Arg): boolean => REVISION_PATH.test(word.literal ?? '') && !/[{]/.test(word.literal ?? '');

/** A pathspec with an uncertain text excludes nothing and selects everything. */
const pathspecOf = (word: Arg): string => word.value ?? '';

function objectsOf(word: Arg): string[] {
  const texts = word.value !== null ? [word.value] : (word.texts ?? [word.tail]);
  return texts.flatMap((text) => [...pathspecsIn(text), ...(isHexadecimal(text) ? [text] : [])]);
}

/** The paths after the first colon and after the last colon, because a revision may contain a colon: `HEAD^{/fix: x}:a`. */
function pathspecsIn(text: string): string[] {
  const first = REVISION_PATH.exec(text)?.[1];
  if (first === undefined) return [];
  const last = text.slice(text.lastIndexOf(':') + 1);
  return [...new Set([first, last])].filter((path) => path !== '').map((path) => `:${path}`);
}

function isHexadecimal(text: string): boolean {
  return HEXADECIMAL.test(text);
}

/** The hexadecimal object name at the beginning or the end of a revision. */
export function hexadecimalOf(text: string): string | null {
  const match = HEXADECIMAL.exec(text);
  return match ? (match[1] ?? match[2] ?? '').toLowerCase() : null;
}
