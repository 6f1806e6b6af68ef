// git subcommands that only read with some words and change something with others.
import type { Arg } from '../../arg.ts';
import type { CommandCall } from '../../call.ts';
import { type Given, has, type OptionTable, option, parseOptions, table } from '../../options.ts';
import { readPatched } from '../patches.ts';
import { type GitSubcommand, isNamedRemote, remote, shown } from './common.ts';
import { copiesRepository, isLocal, viewsObject } from './views.ts';

/** Reads the first operand as a verb and checks it against the read-only verbs. */
function verbs(reading: string, changing: string, why: string, more?: (call: CommandCall, given: Given, verb: string) => void) {
  const look = reading.split(' ');
  const change = changing.split(' ');
  return (call: CommandCall, given: Given) => {
    const verb = given.operands[0]?.literal ?? (given.operands[0] ? null : '');
    if (verb !== null && look.includes(verb === '' ? '-' : verb)) {
      more?.(call, given, verb);
      return;
    }
    if (verb === 'update' || ((verb === 'add' || verb === 'set-head' || verb === 'prune') && call.name === 'git remote')) {
      if (has(given, 'f')) remote(call, given.operands[2]);
      call.network();
    }
    if (verb !== null && change.includes(verb)) return call.bookkeeping(`${call.name} ${verb} ${why}`);
    call.unknown(`${call.name} ${verb ?? ''} is unknown`, given.operands[0]);
  };
}

/** The same for verbs such as `add` and `set-url`, which determine the address that the name later refers to. */
function addressed(...words: Parameters<typeof verbs>) {
  const classify = verbs(...words);
  return (call: CommandCall, given: Given) => {
    classify(call, given);
    const [verb, , url] = given.operands;
    const isRemote = /^[^/:]+:(?!:)/.test(url?.literal ?? '') && !/^file:/i.test(url?.literal ?? '');
    if (url === undefined || !/^(?:add|set-url)$/.test(verb?.literal ?? '') || has(given, 'delete') || isRemote) return;
    call.unknown('a repository in another folder may have settings and hooks that run programs', url);
    if (isLocal(url)) copiesRepository(call, url);
  };
}

const changesRemotes = addressed(
  '- show get-url',
  'add remove rm rename set-url set-head set-branches prune update',
  'changes remotes',
  (call, given, verb) => {
    if (verb === 'show' && !has(given, 'n')) for (const o of given.operands.slice(1)) remote(call, o);
  },
);

function asksRemotes(call: CommandCall, names: readonly Arg[]) {
  for (const name of names) remote(call, name);
  if (names.every(isNamedRemote)) call.queries();
}

const REF_FILTER =
  '--contains? --no-contains? --merged? --no-merged? --points-at: --sort: --format: --column? --no-column --color? --no-color -i --ignore-case --omit-empty';

export const LISTING: Record<string, GitSubcommand> = {
  branch: {
    options: `-arvqldDmMcCft -u: --all --remotes --verbose --quiet --list --show-current --abbrev? --no-abbrev --delete --move --copy --force --track? --no-track --set-upstream-to: --unset-upstream --edit-description! --create-reflog --recurse-submodules ${REF_FILTER}`,
    run(call, given) {
      const listing = has(given, 'l', 'list', 'show-current', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at');
      const change = given.options.find((o) =>
        /^(?:[dDmMcCftu]|delete|move|copy|force|track|no-track|set-upstream-to|unset-upstream|create-reflog)$/.test(o.name),
      );
      if (change) call.bookkeeping(`git branch ${change.flag} changes branches`, change.arg);
      else if (given.operands.length > 0 && !listing) call.bookkeeping('git branch NAME creates a branch', given.operands[0]);
    },
  },
  tag: {
    options: `-ldasf -v! -u: -m: -F:r -n? --list --delete --annotate --sign --no-sign --local-user: --force --message: --file:r --create-reflog --cleanup: --trailer: --verify! ${REF_FILTER}`,
    run(call, given) {
      const listing = has(given, 'l', 'list', 'n', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at');
      const change = given.options.find((o) => /^(?:[dasfFmu]|delete|annotate|sign|force|message|file|local-user)$/.test(o.name));
      if (change) call.bookkeeping(`git tag ${change.flag} changes tags`, change.arg);
      else if (given.operands.length > 0 && !listing) call.bookkeeping('git tag NAME creates a tag', given.operands[0]);
    },
  },
  remote: {
    options: '-vn -t: -m: -f --verbose --push --all --add --delete --tags --no-tags --mirror? --dry-run',
    run(call, given) {
      // It only asks the remote for its branches.
      if (given.operands[0]?.literal === 'prune' && has(given, 'n', 'dry-run')) return asksRemotes(call, given.operands.slice(1));
      if (given.operands[0]?.literal === 'show' && given.operands.length > 1) return asksRemotes(call, given.operands.slice(1));
      changesRemotes(call, given);
    },
  },
  config: {
    options:
      '-lz -e! -f: --file: --blob: --global --system --local --worktree --get --get-all --get-regexp --get-urlmatch --get-color --get-colorbool --list --null --name-only --type: --no-type --bool --int --bool-or-int --path --expiry-date --show-origin --show-scope --show-names --includes --no-includes --default: --fixed-value --add --replace-all --unset --unset-all --rename-section --remove-section --edit! --all --regexp --value: --url: --append --comment:',
    style: ['posix'],
    run: (call, given) => config(call, withVerb(call, given)),
  },
  worktree: {
    options:
      '-fdqv -b: -B: --porcelain -z --verbose --force --detach --checkout --no-checkout --lock --reason: --track --no-track --guess-remote --orphan --quiet --expire: --dry-run -n',
    run(call, given) {
      const verb = given.operands[0]?.literal;
      const path = given.operands[1];
      if (verb === 'list' || (verb === 'prune' && has(given, 'n', 'dry-run'))) return;
      if (verb === 'add' && path) {
        call.bookkeeping('git worktree add records a worktree');
        call.writeIntermediateFolders(path, 'git worktree add');
        return call.write(path, 'git worktree add', { extent: 'deep', links: 'any' });
      }
      // The end of its path is enough to select a worktree anywhere. It takes precedence over a path relative to the current
      // folder.
      if ((verb === 'remove' || verb === 'move') && path && !/^\.{0,2}\//.test(path.value ?? path.lead))
        return call.unknown('the worktree is unknown', path);
      if (verb === 'remove' && path) return call.write(path, 'git worktree remove', { extent: 'deep', what: 'entry' });
      if (verb === 'move' && path && given.operands[2]) {
        call.write(path, 'git worktree move', { extent: 'deep', what: 'entry' });
        return call.place([path], given.operands[2], 'git worktree move', null, 'deep', 'sources');
      }
      if (verb === 'prune' || verb === 'lock' || verb === 'unlock' || verb === 'repair')
        return call.bookkeeping(`git worktree ${verb} changes the list of worktrees`);
      call.unknown('git worktree with unrecognized arguments');
    },
  },
  notes: {
    options:
      '-f -m: -F:r -C: -c: --ref: --force --message: --file:r --allow-empty --stdin --separator: --no-separator --stripspace --no-stripspace --dry-run -n -v -q',
    run(call, given) {
      // A note can be a copy of any object.
      for (const o of given.options)
        if (/^(?:C|c|reuse-message|reedit-message)$/.test(o.name) && o.value) viewsObject(call, o.value);
      verbs('- list show get-ref', 'add copy append remove prune merge', 'changes notes')(call, given);
    },
  },
  reflog: {
    options:
      '-qv --oneline --all --date: --format: --pretty? --expire: --expire-unreachable: --updateref --rewrite --stale-fix --dry-run --verbose --single-worktree --no-abbrev --stat? -n: --max-count: --since: --until: --grep-reflog: --name-only --decorate? --no-color --color? --abbrev-commit --skip: -p -i',
    style: ['digits'],
    run(call, given) {
      const verb = given.operands[0]?.literal;
      if (verb === 'expire' || verb === 'delete' || verb === 'drop' || verb === 'write')
        return call.bookkeeping(`git reflog ${verb} changes the reflog`);
      if (verb === null) call.unknown('git reflog with an unrecognized argument', given.operands[0]);
    },
  },
  stash: {
    options:
      '-pukaSq -m: --patch --stat? --name-only --name-status --include-untracked --no-include-untracked --only-untracked --keep-index --no-keep-index --all --staged --quiet --message: --index --oneline --format: --pretty? --date: --pathspec-from-file:r --pathspec-file-nul --numstat --shortstat --no-color --color?',
    style: ['digits'],
    run(call, given) {
      const verb = given.operands[0]?.literal;
      if (verb === 'list' || verb === 'show') return;
      if (verb === 'drop' || verb === 'clear' || verb === 'store' || verb === 'create')
        return call.bookkeeping(`git stash ${verb} changes the stash`);
      call.unknown(`git stash${verb ? ` ${verb}` : ''} changes files anywhere in the working tree`);
    },
  },
  submodule: {
    options:
      '-q --quiet --cached --recursive --init --remote --force --depth: --branch: -b: --name: --reference: --merge --rebase --checkout --no-fetch --jobs: --files -n: --summary-limit:',
    run(call, given) {
      const verb = given.operands[0]?.literal;
      if (given.operands.length === 0 || verb === 'status') return;
      call.unknown(`git submodule ${verb ?? ''} may fetch, check out or run commands in submodules`);
      if (isLocal(given.operands[1])) copiesRepository(call, given.operands[1]);
    },
  },
  bisect: {
    options: '--no-checkout --first-parent',
    run(call, given) {
      if (given.operands[0]?.literal === 'log') return;
      if (given.operands[0]?.literal === 'run') call.starts(given.operands.slice(1));
      call.unknown('git bisect checks out other commits or runs a command');
    },
  },
  'symbolic-ref': {
    options: '-dq -m: --delete --quiet --short --recurse --no-recurse',
    run(call, given) {
      const [name] = given.operands;
      if (given.operands.length <= 1 && !name?.several && !has(given, 'd', 'delete')) return;
      // Any other name may be a file next to the references, or outside of the repository.
      if (name && !/^(?:[A-Z_]*HEAD|refs\/(?!.*\.\.).+)$/.test(name.literal ?? ''))
        call.unknown('the file that git symbolic-ref writes is unknown', name);
      else call.bookkeeping('git symbolic-ref moves a reference');
    },
  },
  'hash-object': {
    options: '-w -t: --stdin --stdin-paths --path: --no-filters --literally',
    run(call, given) {
      for (const f of given.operands) call.read(f, 'git hash-object');
      if (has(given, 'stdin-paths')) call.readInputs('git hash-object');
      if (has(given, 'w')) call.bookkeeping('git hash-object -w writes an object', option(given, 'w')!.arg);
    },
  },
  bundle: {
    options: '-q --quiet --progress --version: --all --branches --tags --since:',
    run(call, given) {
      const [verb, file] = given.operands;
      if (verb?.literal === 'verify' || verb?.literal === 'list-heads') {
        if (file) call.read(file, 'git bundle');
      } else if (verb?.literal === 'create' && file) call.write(file, 'git bundle create');
      else if (verb?.literal === 'unbundle') call.bookkeeping('git bundle unbundle writes objects');
      else call.unknown('git bundle with unrecognized arguments');
    },
  },
  archive: {
    options:
      '-lv0123456789 -o:w --format: --list --verbose --prefix: --add-file:r --add-virtual-file: --worktree-attributes --output:w --mtime: --remote:x --exec:x',
    run(call, given) {
      const formats = given.options.filter((o) => o.name === 'format').map((o) => o.value!.literal);
      const name = option(given, 'o', 'output')?.value?.literal;
      if (formats.some((format) => !/^(?:tar|zip|tgz|tar\.gz)$/.test(format ?? '')))
        call.unknown('a format of git archive may be a command of the settings');
      if (name != null && !/\.(?:tar|zip|tgz|tar\.gz)$/.test(name) && formats.length === 0 && /\./.test(name))
        call.unknown('the ending of the output may name a command of the settings');
      shown(call, given.operands, 'git archive');
    },
  },
  'format-patch': {
    options:
      '-nNks -o:d -v: --stdout --numbered --no-numbered --start-number: --numbered-files --keep-subject --signoff --suffix: --quiet --no-binary --zero-commit --subject-prefix: --rfc? --cover-letter --no-cover-letter --in-reply-to: --thread? --no-thread --to: --cc: --base: --signature: --no-signature --progress --output-directory:d --reroll-count: --root --no-stat --stat? --unified? -U? -p --minimal --no-renames -M? --find-renames? --no-attach --attach? --inline?',
    style: ['digits'],
    run(call, given) {
      const suffix = option(given, 'suffix');
      if (suffix && !/^[^/]*$/.test(suffix.value?.literal ?? '/'))
        call.unknown('the ending of the names may lead to another folder', suffix.arg);
      shown(call, given.operands, 'git format-patch');
      if (has(given, 'stdout') || has(given, 'o', 'output-directory')) return;
      const at = call.at;
      const here = given.operands[0] ?? call.args[0]!;
      call.write(here.as('.').at(at), 'git format-patch', {
        extent: 'deep',
        old: 'untouched',
        why: 'git format-patch writes patch files',
      });
    },
  },
  apply: {
    options:
      '-Rz3vNq -p: -C: --stat --numstat --summary --check --index --cached --intent-to-add --3way --build-fake-ancestor:w --reverse --reject --unidiff-zero --apply --no-add --allow-binary-replacement --binary --exclude: --include: --ignore-space-change --ignore-whitespace --whitespace: --inaccurate-eof --verbose --quiet --recount --directory: --unsafe-paths --allow-empty --ours --theirs --union',
    run(call, given) {
      for (const f of given.operands) if (f.literal !== '-') call.read(f, 'git apply');
      readPatched(call, 'git apply', option(given, 'p')?.value?.literal ?? '1');
      const looks = has(given, 'stat', 'numstat', 'summary', 'check');
      if (looks && !has(given, 'apply', 'index', 'cached', '3way', '3')) return;
      // Parts that cannot be applied are written to files next to the targets.
      if (has(given, 'cached') && !has(given, 'index', 'reject')) return call.bookkeeping('git apply --cached changes the index');
      call.unknown('git apply writes the files that the patch names');
    },
  },
  clean: {
    options: '-dfiqxX -n -e: --force --interactive --dry-run --quiet --exclude:',
    run(call, given) {
      if (has(given, 'n', 'dry-run')) return;
      const here = call.args[0]!;
      if (given.operands.length === 0)
        call.write(here.as('.').at(here), 'git clean', { extent: 'deep', why: 'git clean removes files that are not tracked' });
      for (const p of given.operands) {
        if (p.literal !== null && /^:|[*?[\\]/.test(p.literal)) call.unknown('git clean with a pattern', p);
        else call.write(p, 'git clean', { extent: 'deep', what: 'entry' });
      }
    },
  },
  'merge-tree': {
    options:
      '-z --write-tree --trivial-merge --name-only --messages --no-messages --allow-unrelated-histories --merge-base: --stdin -X: --strategy-option:',
    run(call) {
      call.bookkeeping('git merge-tree writes objects');
    },
  },
  fetch: {
    options:
      '-apftnqvkP46m -j: -o: --all --no-all --append --atomic --depth: --deepen: --shallow-since: --shallow-exclude: --unshallow --update-shallow --negotiation-tip: --negotiate-only --dry-run --force --keep --multiple --auto-maintenance --no-auto-maintenance --auto-gc --no-auto-gc --write-commit-graph --prune --prune-tags --tags --no-tags --refetch --refmap: --recurse-submodules? --no-recurse-submodules --jobs: --set-upstream --quiet --verbose --progress --no-progress --server-option: --show-forced-updates --no-show-forced-updates --ipv4 --ipv6 --filter: --porcelain --upload-pack:x',
    run(call, given) {
      remote(call, given.operands[0]);
      if (isNamedRemote(given.operands[0])) call.queries();
      if (isLocal(given.operands[0])) copiesRepository(call, given.operands[0]);
      const open = given.operands.slice(1).find((o) => o.literal === null && !o.int);
      if (open) call.carries('an unknown name', open);
      call.bookkeeping('git fetch updates remote-tracking branches');
    },
  },
};

let configOptions: OptionTable | undefined;
const CONFIG_VERB = /^(?:get|set|list|unset|rename-section|remove-section|edit)$/;

/** Options of `git config` come before the name, or between a verb and the name. After the name, they are the new value. */
function withVerb(call: CommandCall, given: Given): Given {
  const [verb, ...rest] = given.operands;
  if (!verb || !CONFIG_VERB.test(verb.literal ?? '') || rest.length === 0) return given;
  configOptions ??= table(LISTING.config!.options);
  const afterVerb = parseOptions(call.args, configOptions, ['posix', 'strict-values'], call.args.indexOf(verb) + 1);
  call.accept(afterVerb);
  call.roles(afterVerb);
  return { ...given, options: [...given.options, ...afterVerb.options], operands: [verb, ...afterVerb.operands] };
}

function config(call: CommandCall, given: Given) {
  const words = given.operands.map((o) => o.literal);
  const file = option(given, 'f', 'file');
  const blob = option(given, 'blob')?.value;
  if (blob) viewsObject(call, blob);
  const verb = words[0];
  const looks =
    has(given, 'l', 'list', 'get', 'get-all', 'get-regexp', 'get-urlmatch', 'get-color', 'get-colorbool') ||
    ((verb === 'get' || verb === 'list') && verb !== undefined);
  const changes = given.options.find((o) =>
    /^(?:add|replace-all|unset|unset-all|rename-section|remove-section|append)$/.test(o.name),
  );
  if (looks && !changes) {
    const late = given.operands.find((o) => o.lead.startsWith('-'));
    if (late) call.unknown('git config reads an option after the name as text', late);
    if (file?.value) call.read(file.value, 'git config');
    return;
  }
  if (!changes && given.operands.length === 1 && verb !== 'edit' && words[0] !== null) return;
  if (verb === 'edit') return call.unknown('git config edit starts an editor');
  if (given.operands.length === 0 && !changes) return;
  const why = 'git config changes settings, which can make git run programs';
  const at = given.operands[0] ?? call.args[0]!;
  if (file?.value) call.write(file.value, 'git config', { why });
  else if (has(given, 'global')) {
    call.write(at.as(`${call.host.home}/.gitconfig`), 'git config', { why });
    call.write(at.as(`${call.host.home}/.config/git/config`), 'git config', { why });
  } else if (has(given, 'system')) call.write(at.as('/etc/gitconfig'), 'git config', { why });
  else if (has(given, 'worktree')) call.unknown('the file that git config --worktree writes is unknown');
  else call.write(at.as('.git/config'), 'git config', { why });
}
