// git: its own options, then one table of subcommands.

import type { Skips } from '../../../model/command.ts';
import { type Arg, quote } from '../../arg.ts';
import type { CommandCall } from '../../call.ts';
import type { CommandEntry } from '../../entry.ts';
import { HOOK, NESTED } from '../../loads.ts';
import { type Given, type GivenOption, has, type OptionTable, option, table } from '../../options.ts';
import { UNKNOWN_WORD } from '../../program-texts.ts';
import { enterFolder, isAtOrAbove } from '../../targets.ts';
import { listsBelow } from '../verbs.ts';
import { CHANGING } from './changing.ts';
import { checkFormats, type GitSubcommand, isNamedRemote, pathspec, remote, shown } from './common.ts';
import { entersSubmodules, hooksOf } from './hooks.ts';
import { LISTING } from './listing.ts';
import { SUBCOMMANDS } from './options.ts';
import { addView, printsUnanalysed, showsPatch, viewedInSubmodules, viewsObject } from './views.ts';

const GLOBAL = table(
  '-Pvh -C:l -c: -p! --no-pager --no-replace-objects --no-optional-locks --no-advice --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --version --help --html-path --man-path --info-path --paginate! --bare! --git-dir:x --work-tree:x --namespace:x --exec-path?x --super-prefix:x --config-env:x --attr-source:',
);

/** Settings that are accepted after `-c`, because they only change how output or records look. */
const HARMLESS_SETTING =
  /^(?:color\.[\w.-]+|advice\.[\w.-]+|core\.(?:quotepath|abbrev|precomposeunicode|ignorecase|autocrlf|safecrlf|whitespace)|diff\.(?:renames|renamelimit|context|noprefix|mnemonicprefix|algorithm|colormoved|wordregex|statgraphwidth)|log\.(?:date|decorate|follow|abbrevcommit)|grep\.(?:linenumber|column|fullname|patterntype|extendedregexp)|status\.[\w-]+|user\.(?:name|email)|init\.defaultbranch|column\.\w+|blame\.(?:date|coloring|showemail)|gc\.auto|merge\.(?:conflictstyle|renames|ff)|pull\.(?:rebase|ff)|push\.default|rebase\.autostash|protocol\.version|http\.(?:postbuffer|lowspeed\w+))(?:=|$)|^(?:(?:commit|tag)\.gpgsign=false|pager\.\w+=(?:false|cat)|core\.pager=(?:cat)?)$/i;

/** Subcommands that work the same for any number of operands. */
const MANY_OPERANDS = new Set(
  'add rm log diff show grep ls-files ls-tree check-ignore check-attr rev-parse rev-list blame hash-object clean restore'.split(
    ' ',
  ),
);

const TABLES = new Map<string, OptionTable>();

function optionsOf(name: string, text: string): OptionTable {
  let t = TABLES.get(name);
  if (!t) {
    t = table(text);
    TABLES.set(name, t);
  }
  return t;
}

/** Options and variables that name a repository or a working tree, independent of the working folder. */
const NAMING = /\b(?:git-dir|work-tree|bare)\b/;
const NAMED_VARIABLES = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR'];
const NAMED = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR)$/;
const NAMING_SETTING = /^core\.(?:worktree|bare)(?:=|$)/i;

/** Settings with a command, or the beginning of a command, as their value. */
const COMMAND_SETTING =
  /^(?:.*(?:pager|editor|command|fsmonitor|askpass|textconv|external|process|clean|smudge|driver|program|cmd|helper|proxy|pack)|pager\..*|submodule\..*\.update)=/is;
/** Subcommands that run the words after this word. The first one may be a text for a shell. */
const RUNS_WORDS: Readonly<Record<string, string>> = { bisect: 'run', submodule: 'foreach' };

/** Analyzes a text that git passes to a shell, in a folder that git chooses. */
function runsText(call: CommandCall, text: string, at: Arg): void {
  call.host.runText(text, at, call.freshState(null));
}

/** `ext::COMMAND` runs this command. A blank separates words, unless a percent sign comes before it. */
function runsRemoteHelper(call: CommandCall, word: Arg): void {
  const command = /(?:^|[=.])ext::(.*)$/s.exec(word.value ?? word.lead)?.[1];
  if (command === undefined) return;
  if (word.literal === null) {
    call.anything('git runs an unknown command to reach a remote', word);
    return;
  }
  const words = command.split(/(?<!%) /).map((one) => quote(one.replaceAll(/%([ %])/g, '$1')));
  runsText(call, words.join(' '), word);
}

/** `HEAD:main`, `+main` and `refs/heads/main` are pushes to main. */
function spellRefspecs(call: CommandCall): void {
  const [sub] = call.args;
  const [to, ...refspecs] = call.rest.filter(({ lead }) => !lead.startsWith('-'));
  if (sub === undefined || to === undefined) return;
  for (const refspec of refspecs) {
    const target = refspec.literal
      ?.replace(/^\+/, '')
      .replace(/^[^:]*:(?=.)/, '')
      .replace(/^refs\/heads\//, '');
    if (target !== undefined && (target !== refspec.literal || refspecs.length > 1))
      call.spelled('git', [sub, to, refspec.as(target)]);
  }
}

export function classifyGit(call: CommandCall) {
  const given = call.parse(GLOBAL, ['posix']);
  call.accept({ ...given, flaggy: given.operands[0] === given.flaggy ? null : given.flaggy });
  call.roles(given);
  call.subcommand(given);
  for (const word of call.rest) runsRemoteHelper(call, word);
  for (const o of given.options) {
    if (o.name === 'C') call.cwds = o.value?.literal == null ? null : enterFolder(o.value.literal, call.cwds);
    if (o.name === 'config-env')
      call.anything('git --config-env reads a setting from a variable, and the setting may be a command', o.arg);
    if (o.name === 'c') {
      const setting = o.value?.literal ?? null;
      const lead = o.value?.lead ?? '';
      if (o.value && setting === null && (!lead.includes('=') || COMMAND_SETTING.test(lead)))
        call.anything('git -c with an unknown setting may run any command', o.arg);
      if (setting === null || !HARMLESS_SETTING.test(setting)) {
        call.unknown(`git -c ${setting ?? ''} may make git run programs`, o.arg);
        if (setting !== null && COMMAND_SETTING.test(setting)) runsText(call, setting.replace(/^[^=]*=!?/, ''), o.arg);
      }
      if (o.value) call.opaque(o.value.literal === null ? o.value : o.value.as(o.value.literal.replace(/^[^=]*=!?/, '')));
    }
  }
  const isNamed =
    NAMING.test(given.options.map((o) => o.name).join(' ')) ||
    given.options.some(({ name, value }) => name === 'c' && NAMING_SETTING.test(value?.lead ?? '')) ||
    call.prefix.some((one) => NAMED.test(one.name)) ||
    NAMED_VARIABLES.some((name) => call.state.has(name));
  call.worksIn(isNamed ? null : call.cwds);
  if (isNamed) call.cwds = withNamedTrees(call, given);
  const sub = given.operands[0];
  // `git -h log` and `git --help log` are the same as `git help log`.
  if (!sub || has(given, 'h', 'help')) return help(call, given.operands);
  const name = sub.literal;
  if (name === null) return call.unknown('the git command is unknown', sub);
  call.args = given.operands;
  call.name = `git ${name}`;
  if (name === 'help') return help(call, call.rest);
  if (call.rest.length === 1 && asksHelp(call.rest[0]!, name)) return settingsOf(call);
  const order = call.rest.findIndex((a) =>
    /^(?:-x|--exec|run|foreach|--(?:tree|index|msg|env|parent|commit)-filter)$/.test(a.literal ?? ''),
  );
  if (order !== -1) call.opaque(...call.rest.slice(order + 1));
  if (name === 'push') spellRefspecs(call);
  if (Object.hasOwn(RUNS_WORDS, name)) {
    const at = call.rest.findIndex(({ literal }) => literal === RUNS_WORDS[name]);
    const words = call.rest.slice(at + 1);
    const first = at === -1 ? -1 : words.findIndex(({ lead }) => !lead.startsWith('-'));
    const [text, ...rest] = words.slice(first).map(({ literal }) => literal);
    const more = rest.map((word) => (word === null ? UNKNOWN_WORD : quote(word)));
    const before = call.host.effects.views.length;
    if (first !== -1) runsText(call, [text ?? UNKNOWN_WORD, ...more].join(' '), words[first]!);
    if (name === 'submodule') viewedInSubmodules(call, before);
  }
  const reading = SUBCOMMANDS[name];
  const entry: GitSubcommand | undefined = Object.hasOwn(SUBCOMMANDS, name)
    ? { options: reading!, style: ['digits'], run: runReading }
    : Object.hasOwn(LISTING, name)
      ? LISTING[name]
      : Object.hasOwn(CHANGING, name)
        ? CHANGING[name]
        : undefined;
  if (!entry) {
    const settings = given.options.filter((o) => o.name === 'c');
    for (const o of settings) runAlias(call, name, o.value?.literal ?? '', settings);
    if (printsUnanalysed(name)) {
      addView(call, name, given, call.parse(optionsOf(name, '')), isNamed);
      // subtree is a separate program, so an alias may have its name.
      if (name !== 'subtree') return call.unknown(`git ${name} is an alias or an unknown command`, sub);
    }
    if (isNamed || !runsConfiguredAlias(call, name, given)) call.anything(`git ${name} is an alias or an unknown command`, sub);
    return;
  }
  if (name !== 'clone' && name !== 'init' && name !== 'version') settingsOf(call);
  const own = call.parse(optionsOf(name, entry.options), [...(entry.style ?? []), 'strict-values']);
  const ok = call.accept(own);
  call.roles(own);
  checkFormats(call, own);
  if (!MANY_OPERANDS.has(name) && own.operands.some((o) => o.many))
    call.unknown(`the number of arguments of ${call.name} is unknown`);
  addView(call, name, given, own, isNamed);
  if (ok || own.problem === null) entry.run(call, own);
  if (entersSubmodules(name, own)) call.is('runs', 'git push runs the hooks of submodules');
  const hooks = hooksOf(name, own);
  if (hooks.length > 0) call.loads(hooks.map((hook) => HOOK + hook));
}

/**
 * Paths in a commit are relative to the top of the named tree, independent of the working folder. So both places are examined.
 */
function withNamedTrees(call: CommandCall, given: Given): readonly string[] | null {
  const { cwds } = call;
  const named = [
    ...given.options.filter(({ name }) => NAMING.test(name)).map(({ value }) => value?.literal),
    ...given.options
      .filter(({ name, value }) => name === 'c' && /^core\.worktree=/i.test(value?.lead ?? ''))
      .map(({ value }) => value?.literal?.replace(/^[^=]*=/, '')),
    ...call.prefix.filter(({ name }) => NAMED.test(name)).map(({ name, text }) => plainText(text.slice(name.length + 1))),
    ...NAMED_VARIABLES.filter((name) => call.state.has(name)).map(() => null),
  ];
  // The repository of a submodule names its own tree.
  const places = named.flatMap((text) =>
    text && /(?:^|\/)\.git\/modules\//.test(text) ? [text, topOf(text)] : [text && topOf(text)],
  );
  const tops = places.map((text) => (text ? enterFolder(text, cwds) : null));
  if (cwds === null || tops.includes(null)) return null;
  return [...new Set([...cwds, ...tops.flatMap((top) => top ?? [])])];
}

const topOf = (text: string): string => text.replace(/(^|\/)\.git(?:\/.*)?$/, '$1.');

/** The value of a word without expansions, or null for any other word. */
function plainText(word: string): string | null {
  const match = /^(?:'([^']*)'|"([^"$`\\]*)"|([\w./@%+:,-]+))$/.exec(word);
  return match === null ? null : (match[1] ?? match[2] ?? match[3] ?? null);
}

/**
 * `-c alias.z=push`: runs the expansion of the alias with the words after it. The expansion may be an alias of the same settings.
 * Git ends with an error if an alias leads back to itself.
 */
function runAlias(call: CommandCall, name: string, setting: string, settings: readonly GivenOption[]) {
  if (aliasIn(setting) !== name.toLowerCase()) return;
  const body = setting.slice(setting.indexOf('=') + 1).trim();
  const rest = call.rest.map((a) => a.text).join(' ');
  const others = settings
    .filter((o) => aliasIn(o.value?.literal ?? '') !== name.toLowerCase())
    .map((o) => `-c ${o.value?.text ?? ''} `);
  const text = body.startsWith('!') ? `${body.slice(1)} ${rest}` : `git ${others.join('')}${body} ${rest}`;
  call.host.runText(text, call.at, call.freshState());
}

/** The name of the alias that a setting defines, in lower case: `alias.NAME=` or `alias.NAME.command=`. */
function aliasIn(setting: string): string | null {
  const match = /^alias\.([^=]*?)(?:\.command)?=/is.exec(setting);
  return match === null ? null : match[1]!.toLowerCase();
}

/** Characters that a shell would interpret and git does not. Git only removes quotes and splits at blanks. */
const SHELL_CHARACTERS = /[$`\\;&|<>()*?[\]#!{}~\n'"]/;

/** Classifies the alias in the settings of git. Returns false if another command may run in its place. */
function runsConfiguredAlias(call: CommandCall, name: string, given: Given): boolean {
  const { host, cwds } = call;
  if (cwds === null || cwds.length === 0 || !/^[A-Za-z0-9][\w.-]*$/.test(name)) return false;
  const found = cwds.map((folder) => host.disk.gitAlias(name, folder));
  let isKnown = found.every((texts) => texts !== null);
  // Nothing in the text runs before the first command, so nothing has changed the settings.
  if (!host.disk.isSure && call.entry !== 0) isKnown = false;
  if (given.options.some((o) => o.name === 'c' && !HARMLESS_SETTING.test(o.value?.literal ?? ''))) isKnown = false;
  if (call.state.envTaint || ['HOME', 'XDG_CONFIG_HOME', 'PATH'].some((one) => call.state.has(one))) isKnown = false;
  if (call.prefix.some((one) => /^(?:GIT_|HOME$|XDG_|PATH$)/.test(one.name))) isKnown = false;
  const rest = call.rest.map((a) => a.text).join(' ');
  for (const body of new Set(found.flatMap((texts) => texts ?? []))) {
    const isShell = body.startsWith('!');
    if (isShell) {
      const tops = cwds.flatMap((folder) => host.disk.repository(folder) ?? []);
      host.runText(`${body.slice(1)} ${rest}`, call.at, call.state.fresh(tops.length === cwds.length ? tops : null));
      continue;
    }
    if (SHELL_CHARACTERS.test(body.replace(/'[^']*'|"[^"$`\\]*"/g, ''))) isKnown = false;
    host.runText(`git ${body} ${rest}`, call.at, call.state.fresh(cwds));
  }
  return isKnown;
}

/** Further commands that print their usage for `-h`. They belong to git, so no alias can replace them. */
const USAGES = new Set(
  `bugreport credential credential-cache credential-store diagnose difftool fast-export fast-import fetch-pack fmt-merge-msg for-each-repo
  hook index-pack maintenance merge-index mergetool pack-objects receive-pack send-pack show-index unpack-file unpack-objects
  update-server-info upload-archive upload-pack verify-commit verify-tag`.split(/\s+/),
);

/** These print the names of the tools that they could start. */
const NAMES_TOOLS = new Set(['mergetool', 'difftool']);

/** True if the only word after a built-in subcommand requests its usage (`-h`), its manual (`--help`) or its list of tools. */
function asksHelp(word: Arg, name: string): boolean {
  if (word.literal === '--tool-help') return NAMES_TOOLS.has(name);
  if (word.literal !== '-h' && word.literal !== '--help') return false;
  return USAGES.has(name) || [SUBCOMMANDS, LISTING, CHANGING].some((known) => Object.hasOwn(known, name));
}

/** The manual, a list, or the expansion of an alias. Words for a browser or another viewer are not understood. */
function help(call: CommandCall, words: Arg[]) {
  const open = words.find(
    (a) => !/^(?:[a-z][\w-]*|-[acgm]|--all|--guides|--config|--man|--verbose|--no-verbose)$/.test(a.literal ?? ''),
  );
  if (words.length > 0) settingsOf(call);
  if (open) call.unknown('git help with unrecognized arguments', open);
}

/** A folder of the checkout may have the layout of a repository, with settings that run programs. */
function settingsOf(call: CommandCall) {
  if (call.cwds === null) call.unknown('git runs in an unknown folder');
  else {
    const { gitFolders } = call.host;
    const others = call.cwds.filter((c) => !gitFolders.some((folder) => isAtOrAbove(c, folder)));
    const top = gitFolders.find((folder) => others.every((c) => isAtOrAbove(folder, c)));
    if (top === undefined) call.unknown('git runs in another folder, which may be a repository whose settings run programs');
    else if (others.length > 0) call.loads([NESTED + top]);
  }
}

/** Ignored files are not shown as new. They are tracked only after an explicit request. */
const TRACKED: Skips = { style: 'git', hidden: false, ignored: true, globs: [], types: [], base: null };

/** True if the names come from the index. A commit may contain files that are ignored now and still exist on the disk. */
function listsIndex(name: string, given: Given): boolean {
  return name === 'diff' && given.operands.slice(0, given.dashed).length === 0 && !has(given, 'cached', 'staged');
}

function runReading(call: CommandCall, given: Given) {
  const name = call.name.slice(4);
  const dashed = given.operands.slice(given.dashed);
  if (has(given, 'name-only', 'name-status'))
    listsBelow(call, dashed, listsIndex(name, given) ? TRACKED : null, { files: true }, true);
  switch (name) {
    case 'grep': {
      const pattern = has(given, 'e', 'f');
      const paths = Number.isFinite(given.dashed) ? dashed : given.operands.slice(pattern ? 0 : 1);
      const isWide = has(given, 'no-index', 'untracked', 'recurse-submodules');
      if (Number.isFinite(given.dashed) && dashed.length > 0)
        for (const p of dashed) pathspec(call, p, 'git grep', 'read', { isWide });
      else if (paths.length > 0 && paths.every((p) => p.literal !== null))
        for (const p of paths) pathspec(call, p, 'git grep', 'read', { isWide });
      if (paths.length === 0) call.readHere('git grep', { extent: 'deep', follows: false, skips: isWide ? null : TRACKED });
      return;
    }
    case 'ls-files': {
      const isWider = has(given, 'with-tree') || (has(given, 'o', 'others', 'i', 'ignored') && !has(given, 'exclude-standard'));
      return listsBelow(call, given.operands, isWider ? null : TRACKED, { files: !has(given, 'directory') }, true);
    }
    case 'ls-tree':
    case 'status':
      return listsBelow(call, [], null);
    case 'blame':
    case 'annotate':
      // The revision may come before or after the file.
      shown(call, given.operands, 'git blame');
      return;
    case 'diff':
      // If a path is outside of the repository, it compares two files or folders on the disk.
      if (has(given, 'no-index') || given.operands.some((o) => /^(?:\/|\.\.(?:\/|$))/.test(o.value ?? o.lead)))
        return shown(call, given.operands, 'git diff', { extent: 'deep' });
      if (!showsPatch(given, true)) return;
      for (const p of dashed) pathspec(call, p, 'git diff', 'read');
      return shown(call, given.operands.slice(0, given.dashed), 'git diff');
    case 'log':
    case 'show':
    case 'whatchanged':
    case 'diff-tree':
    case 'diff-index':
    case 'diff-files': {
      const lines = given.options.flatMap((o) => (o.name === 'L' && o.value?.literal ? o.value : []));
      for (const one of lines) call.read(one.as(one.literal!.replace(/^.*:/s, '')), `git ${name} -L`);
      if (showsPatch(given, name === 'show')) shown(call, given.operands, `git ${name}`);
      return;
    }
    case 'cat-file':
      if (!has(given, 'e', 't', 's')) shown(call, given.operands, 'git cat-file');
      if (has(given, 'batch', 'batch-command'))
        shown(
          call,
          call.inputs().map((text) => call.args[0]!.as(text)),
          'git cat-file',
        );
      return;
    case 'verify-pack':
      for (const o of given.operands) call.read(o, 'git verify-pack');
      return;
    case 'ls-remote': {
      if (has(given, 'get-url')) return;
      // This is the repository that it works in anyway.
      if (given.operands[0]?.literal === '.' && given.operands.length >= 1) return;
      remote(call, given.operands[0]);
      if (isNamedRemote(given.operands[0])) call.queries();
      return;
    }
    case 'interpret-trailers':
      if (!has(given, 'parse', 'only-input')) call.unknown('git interpret-trailers runs what settings name');
      for (const o of given.operands) call.read(o, 'git interpret-trailers');
      return;
    case 'check-mailmap': {
      const blob = option(given, 'mailmap-blob')?.value;
      if (blob) viewsObject(call, blob);
      return;
    }
    case 'rev-list':
      if (has(given, 'disk-usage') && option(given, 'disk-usage')?.value) return;
  }
}

export const git: CommandEntry[] = [
  {
    names: 'git',
    handle: classifyGit,
    examples: {
      'git maintenance -h': 'read-only',
      'git credential-cache --help': 'read-only',
      'git mergetool --tool-help': 'read-only',
      'git difftool --tool-help': 'read-only',
      'git maintenance run': 'unknown',
      'git maintenance -h run': 'unknown',
      'git mergetool --tool-help -t vimdiff': 'unknown',
      'git log --tool-help': 'unknown',
      'git credential-cache exit': 'unknown',
      'git gui -h': 'unknown',
      'git z -h': 'unknown',
      // git then does not check the owner of the repository.
      'git --git-dir=.git log -1': 'unknown',
      'git remote prune origin --dry-run': 'read-only',
      'git remote prune -n origin': 'read-only',
      'git remote prune origin': 'writes',
      'git remote prune ../x --dry-run': 'unknown',
      'git remote prune x --dry-run': 'unknown',
      'git remote update --dry-run': 'writes',
      'git remote rm origin --dry-run': 'writes',
      'git fetch --dry-run': 'writes',
      'git push --dry-run origin HEAD': 'writes',
    },
  },
];
