// git subcommands that change the repository or the working tree.
import type { CommandCall } from '../../call.ts';
import { type Given, has, option, type ParseStyle } from '../../options.ts';
import { type GitSubcommand, pathspec, remote } from './common.ts';
import { copiesRepository, isLocal } from './views.ts';

const QUIET = '-qv --quiet --verbose --progress --no-progress';

function bookkeeping(options: string, why: string, style: ParseStyle = []): GitSubcommand {
  return { options, style, run: (call) => call.bookkeeping(`${call.name} ${why}`) };
}

/** Changes files in the whole tree without naming them. */
function anywhere(options: string, why: string, network = false): GitSubcommand {
  return {
    options,
    run(call, given) {
      if (network) remote(call, given.operands[0]);
      if (network && isLocal(given.operands[0])) copiesRepository(call, given.operands[0]);
      call.unknown(`${call.name} ${why}`);
    },
  };
}

function checkout(call: CommandCall, given: Given) {
  const dashed = Number.isFinite(given.dashed);
  const why = 'git checkout replaces files by their committed version';
  if (has(given, 'pathspec-from-file')) return call.unknown('git checkout reads paths from a file');
  if (dashed) {
    if (given.dashed > 1) return call.unknown('git checkout with unrecognized arguments');
    const paths = given.operands.slice(given.dashed);
    if (paths.length === 0)
      return call.unknown('git checkout switches branches, which changes files anywhere in the working tree');
    // Another commit may have a link where this one has a file.
    const isOther = given.dashed === 1 && !/^(?:HEAD|@)$/.test(given.operands[0]?.literal ?? '');
    for (const p of paths) pathspec(call, p, 'git checkout', 'write', { why, links: isOther ? 'any' : 'tracked' });
    return;
  }
  const [first, ...rest] = given.operands;
  if (has(given, 'b', 'B', 'orphan')) {
    if (!first && !has(given, 'B') && !has(given, 'f', 'force')) return call.bookkeeping('git checkout -b creates a branch');
    return call.unknown('git checkout switches branches, which changes files anywhere in the working tree');
  }
  if (!first) {
    // Without words it only prints the current branch.
    const more = given.options.find((o) => !/^(?:q|(?:no-)?progress|quiet)$/.test(o.name));
    if (more) call.unknown(`git checkout ${more.flag} changes the branch or files anywhere in the working tree`, more.arg);
    return;
  }
  if (rest.length > 0) {
    for (const p of rest) pathspec(call, p, 'git checkout', 'write', { why, links: 'any' });
    // The first word is a commit or another path.
    if (first.literal !== null && /^\.{0,2}\//.test(first.literal))
      pathspec(call, first, 'git checkout', 'write', { why, links: 'tracked' });
    else call.unknown('the first word of git checkout may be a path or a branch', first);
    return;
  }
  if (first.literal === '.' || first.literal === './' || (first.literal !== null && /^\.\.?\//.test(first.literal)))
    return pathspec(call, first, 'git checkout', 'write', { why, links: 'tracked' });
  call.unknown('git checkout switches branches or replaces files', first);
}

/** A dry run with only these options changes neither objects nor the index. */
const WITH_ADD = /^(?:n|dry-run|v|verbose|A|all|u|update|f|force|ignore-missing)$/;

function onlyTries(given: Given): boolean {
  return has(given, 'n', 'dry-run') && given.options.every(({ name }) => WITH_ADD.test(name));
}

/** Other git commands can print everything in the index. With --force, that includes ignored files. */
const add: GitSubcommand = {
  options:
    '-nvfiuApN -e! --dry-run --verbose --force --sparse --interactive --patch --edit! --update --all --no-all --ignore-removal --no-ignore-removal --intent-to-add --refresh --ignore-errors --ignore-missing --no-warn-embedded-repo --renormalize --chmod: --pathspec-from-file:r --pathspec-file-nul',
  run(call, given) {
    if (onlyTries(given)) return;
    call.bookkeeping(`${call.name} records changes in the index`);
    if (!has(given, 'f', 'force')) return;
    for (const path of given.operands) pathspec(call, path, call.name, 'read', { isWide: true });
    if (given.operands.length === 0) call.readHere(call.name, { extent: 'deep', follows: false });
  },
};

export const CHANGING: Record<string, GitSubcommand> = {
  add,
  stage: add,
  commit: {
    options:
      '-apqvnsoiez -c: -C: -F:r -m: -t:r -u? -S? --all --patch --reuse-message: --reedit-message: --fixup: --squash: --reset-author --short --branch --porcelain --long --null --file:r --author: --date: --message: --template:r --signoff --no-signoff --trailer: --no-verify --verify --allow-empty --allow-empty-message --cleanup: --edit --no-edit --amend --no-post-rewrite --include --only --pathspec-from-file:r --pathspec-file-nul --untracked-files? --verbose --quiet --dry-run --status --no-status --gpg-sign? --no-gpg-sign',
    run(call) {
      // Its dry run writes the index, and the trees of the staged files.
      call.bookkeeping('git commit records a commit');
    },
  },
  push: {
    options:
      '-dfnquv46 -o: --all --branches --prune --mirror --dry-run --porcelain --delete --tags --follow-tags --signed? --no-signed --atomic --no-atomic --push-option: --force-with-lease? --no-force-with-lease --force --force-if-includes --no-force-if-includes --repo: --set-upstream --thin --no-thin --quiet --verbose --progress --no-recurse-submodules --recurse-submodules? --verify --no-verify --ipv4 --ipv6 --receive-pack:x --exec:x',
    run(call, given) {
      call.network();
      const to = given.operands[0] ?? option(given, 'repo')?.value ?? undefined;
      remote(call, to);
      if (isLocal(to)) copiesRepository(call);
      if (/:\/\/|^[^/]+:/.test(to?.literal ?? ''))
        call.unknown('git push sends to an address that is not a remote of the repository', to);
      call.bookkeeping('git push changes branches of a remote');
    },
  },
  checkout: {
    options:
      '-qfmltdp -b: -B: --quiet --progress --no-progress --force --ours --theirs --track? --no-track --guess --no-guess --detach --orphan: --ignore-skip-worktree-bits --merge --conflict: --patch --ignore-other-worktrees --overwrite-ignore --no-overwrite-ignore --recurse-submodules --no-recurse-submodules --overlay --no-overlay --pathspec-from-file: --pathspec-file-nul -23',
    run: checkout,
  },
  restore: {
    options:
      '-s: -pWSqm --source: --patch --worktree --staged --quiet --progress --no-progress --ours --theirs --merge --conflict: --ignore-unmerged --ignore-skip-worktree-bits --recurse-submodules --no-recurse-submodules --overlay --no-overlay --pathspec-from-file: --pathspec-file-nul',
    run(call, given) {
      if (has(given, 'pathspec-from-file')) return call.unknown('git restore reads paths from a file');
      if (has(given, 'S', 'staged') && !has(given, 'W', 'worktree'))
        return call.bookkeeping('git restore --staged changes the index');
      for (const p of given.operands)
        pathspec(call, p, 'git restore', 'write', {
          why: 'git restore replaces files by their committed version',
          links: has(given, 's', 'source') ? 'any' : 'tracked',
        });
      if (given.operands.length === 0) call.unknown('git restore without a path');
    },
  },
  switch: {
    options:
      '-c: -C: -dfqmt --create: --force-create: --detach --guess --no-guess --force --discard-changes --merge --conflict: --quiet --progress --no-progress --track? --no-track --orphan: --ignore-other-worktrees --recurse-submodules --no-recurse-submodules',
    run(call, given) {
      if (has(given, 'c', 'create') && given.operands.length === 0 && !has(given, 'f', 'force', 'discard-changes'))
        return call.bookkeeping('git switch -c creates a branch');
      call.unknown('git switch changes branches, and files anywhere in the working tree');
    },
  },
  reset: {
    options:
      '-qpN --mixed --soft --hard --merge --keep --recurse-submodules --no-recurse-submodules --intent-to-add --refresh --no-refresh --quiet --patch --pathspec-from-file:r --pathspec-file-nul',
    run(call, given) {
      const hard = given.options.find(
        (o) => o.name === 'hard' || o.name === 'merge' || o.name === 'keep' || o.name === 'recurse-submodules',
      );
      if (hard) call.unknown(`git reset ${hard.flag} changes files anywhere in the working tree`, hard.arg);
      else call.bookkeeping('git reset moves a branch or the index');
    },
  },
  rm: {
    options: '-fnrq --force --dry-run --cached --ignore-unmatch --sparse --quiet --pathspec-from-file: --pathspec-file-nul',
    run(call, given) {
      if (has(given, 'n', 'dry-run')) return;
      if (has(given, 'cached')) return call.bookkeeping('git rm --cached changes the index');
      if (has(given, 'pathspec-from-file')) return call.unknown('git rm reads paths from a file');
      for (const p of given.operands) pathspec(call, p, 'git rm', 'write', { why: 'git rm removes files' });
      if (given.operands.length === 0) call.unknown('git rm without a path');
    },
  },
  mv: {
    options: '-fknv --force --dry-run --verbose --sparse',
    run(call, given) {
      if (has(given, 'n', 'dry-run')) return;
      const dest = given.operands[given.operands.length - 1];
      const sources = given.operands.slice(0, -1);
      if (!dest || sources.length === 0) return call.unknown('git mv needs a source and a destination');
      for (const s of sources)
        call.write(s, 'git mv', { extent: 'deep', what: 'entry', old: 'kept', why: 'git mv removes its source' });
      for (const s of sources) call.aliasAt(dest, s, 'same');
      call.place(sources, dest, 'git mv', sources.length > 1 ? true : null, 'deep', 'sources');
    },
  },
  clone: {
    options:
      '-lsnqv -b: -o: -j: --verbose --quiet --progress --no-checkout --bare --mirror --local --no-hardlinks --shared --recurse-submodules? --recursive? --jobs: --reference:r --dissociate --origin: --branch: --depth: --shallow-since: --shallow-exclude: --single-branch --no-single-branch --no-tags --tags --shallow-submodules --no-shallow-submodules --separate-git-dir:d --filter: --sparse --remote-submodules --revision:',
    run(call, given) {
      const [from, to] = given.operands;
      if (!from) return;
      remote(call, from);
      copiesRepository(call, from);
      if (to) {
        call.linksBelow(to);
        call.writeIntermediateFolders(to, 'git clone');
        return call.write(to, 'git clone', { extent: 'deep', links: 'any', why: 'git clone fills a folder' });
      }
      const name = from.literal
        ?.replace(/(?<!\/)\/+$/, '')
        .replace(/\/?\.git$/, '')
        .replace(/^.*[/:]/, '');
      if (!name || !/^[\d.-]*[A-Za-z_][\w.-]*$/.test(name) || /\.bundle$/.test(name))
        return call.unknown('the folder of git clone is unknown', from);
      const folder = from.as(has(given, 'bare', 'mirror') ? `${name}.git` : name);
      call.write(folder, 'git clone', { extent: 'deep', links: 'any', why: 'git clone fills a folder' });
      call.linksBelow(folder);
    },
  },
  init: {
    options: '-q -b: --quiet --bare --initial-branch: --object-format: --ref-format: --shared? --template:x --separate-git-dir:d',
    run(call, given) {
      const folder = given.operands[0];
      const here = call.args[0]!;
      const why = 'git init creates a repository';
      if (has(given, 'bare') || !folder)
        call.write((folder ?? here).as(folder?.literal ?? (has(given, 'bare') ? '.' : '.git')).at(here), 'git init', {
          extent: 'deep',
          why,
        });
      else if (folder.literal !== null)
        call.write(folder.as(`${folder.literal.replace(/(?<!\/)\/+$/, '')}/.git`), 'git init', { extent: 'deep', why });
      if (folder) {
        call.write(folder, 'git init', { why });
        call.writeIntermediateFolders(folder, 'git init');
      }
    },
  },
  'checkout-index': {
    options: '-afqnu --all --force --quiet --no-create --index --temp --prefix: --stage: --stdin -z',
    run(call, given) {
      const why = 'git checkout-index writes files of the index';
      const prefix = option(given, 'prefix');
      if (given.operands.length === 0 || prefix || has(given, 'a', 'all', 'temp', 'stdin')) call.unknown(why);
      if (has(given, 'temp')) return;
      for (const name of given.operands) {
        const place = prefix && name.literal !== null ? name.as(`${prefix.value?.literal ?? ''}${name.literal}`) : name;
        pathspec(call, place, 'git checkout-index', 'write', { why, links: 'tracked' });
      }
      if (prefix?.value?.literal && has(given, 'a', 'all'))
        call.write(prefix.value, 'git checkout-index', { extent: 'deep', why });
    },
  },
  merge: anywhere(
    `${QUIET} -m: -s: -X: -F:r -S? -nei --no-edit --edit --ff --no-ff --ff-only --squash --no-squash --no-commit --commit --strategy: --strategy-option: --abort --continue --quit --stat --no-stat --log? --signoff --verify --no-verify --allow-unrelated-histories --message: --file:r --into-name: --autostash --no-autostash --cleanup: --gpg-sign? --no-gpg-sign --overwrite-ignore --rerere-autoupdate --no-rerere-autoupdate`,
    'changes files anywhere in the working tree',
  ),
  pull: anywhere(
    `${QUIET} -r? -s: -X: -nafpt46 --rebase? --no-rebase --ff --no-ff --ff-only --all --tags --no-tags --prune --depth: --unshallow --autostash --no-autostash --no-edit --edit --commit --no-commit --squash --strategy: --strategy-option: --set-upstream --recurse-submodules? --no-recurse-submodules --force --allow-unrelated-histories --stat --no-stat --verify --no-verify --signoff`,
    'changes files anywhere in the working tree',
    true,
  ),
  rebase: anywhere(
    `${QUIET} -i -f -m -r? -s: -X: -C: -S? --onto: --keep-base --continue --skip --abort --quit --edit-todo --show-current-patch --interactive --autostash --no-autostash --autosquash --no-autosquash --root --no-ff --force-rebase --fork-point --no-fork-point --merge --apply --strategy: --strategy-option: --rebase-merges? --no-rebase-merges --update-refs --no-update-refs --stat --no-stat --no-verify --verify --signoff --empty: --keep-empty --no-keep-empty --committer-date-is-author-date --ignore-date --reset-author-date --reapply-cherry-picks --no-reapply-cherry-picks --gpg-sign? --no-gpg-sign`,
    'changes files anywhere in the working tree',
  ),
  'cherry-pick': anywhere(
    '-enxrs -m: -X: -S? --edit --no-commit --mainline: --signoff --ff --allow-empty --allow-empty-message --keep-redundant-commits --empty: --strategy: --strategy-option: --continue --skip --abort --quit --rerere-autoupdate --no-edit --gpg-sign? --no-gpg-sign',
    'changes files anywhere in the working tree',
  ),
  revert: anywhere(
    '-ens -m: -X: -S? --edit --no-edit --no-commit --mainline: --signoff --strategy: --strategy-option: --continue --skip --abort --quit --reference --gpg-sign? --no-gpg-sign',
    'changes files anywhere in the working tree',
  ),
  am: anywhere(
    '-3skuqi -p: -C: --3way --signoff --keep --abort --continue --skip --quit --quiet --show-current-patch? --directory: --exclude: --include: --reject --whitespace: --no-verify --message-id',
    'writes the files that the patches name',
  ),
  'read-tree': anywhere(
    '-muinvq --reset --prefix: --trivial --aggressive --dry-run --empty --index-output:w --no-sparse-checkout',
    'changes the index and perhaps the working tree',
  ),
  'sparse-checkout': {
    options: '--cone --no-cone --stdin --skip-checks --sparse-index --no-sparse-index',
    run(call, given) {
      if (given.operands[0]?.literal !== 'list') call.unknown('git sparse-checkout changes files anywhere in the working tree');
    },
  },
  gc: bookkeeping(
    '-q --aggressive --auto --prune? --no-prune --quiet --force --keep-largest-pack --no-detach --detach --cruft --no-cruft',
    'repacks the repository',
  ),
  repack: bookkeeping(
    '-adAfFlnqkbi --window: --depth: --threads: --keep-pack: --write-bitmap-index --cruft -m --write-midx --geometric: --filter: --quiet',
    'repacks the repository',
  ),
  prune: bookkeeping('-nv --dry-run --verbose --progress --expire:', 'removes objects'),
  'pack-refs': bookkeeping('--all --no-prune --prune --auto --include: --exclude:', 'rewrites references'),
  'update-ref': bookkeeping('-dz -m: --no-deref --create-reflog --stdin --delete --batch-updates', 'changes references'),
  'update-index': {
    options:
      '-qzg --add --remove --refresh --really-refresh --assume-unchanged --no-assume-unchanged --skip-worktree --no-skip-worktree --cacheinfo --chmod: --force-remove --index-info --info-only --stdin --ignore-submodules --ignore-missing --replace --unmerged --unresolve --again --verbose --split-index --no-split-index --untracked-cache --no-untracked-cache --force-untracked-cache --test-untracked-cache --index-version: --show-index-version',
    run(call, given) {
      call.bookkeeping('git update-index changes the index');
      if (has(given, 'add')) for (const path of given.operands) call.read(path, call.name);
      if (has(given, 'add') && has(given, 'stdin')) call.readHere(call.name, { extent: 'deep' });
    },
  },
  'write-tree': bookkeeping('--missing-ok --prefix:', 'writes objects'),
  'commit-tree': bookkeeping('-p: -m: -F:r -S? --no-gpg-sign --gpg-sign?', 'writes objects'),
  mktree: bookkeeping('-z --missing --batch', 'writes objects'),
  mktag: bookkeeping('--strict --no-strict', 'writes objects'),
  replace: {
    options: '-lfdg --list --force --delete --edit! --graft --format: --raw --convert-graft-file',
    run(call, given) {
      // Without words, or with -l, it only lists. With -l, no other option changes anything.
      const lists = has(given, 'l', 'list') || (given.operands.length === 0 && !has(given, 'convert-graft-file'));
      if (!lists) call.bookkeeping('git replace changes replacements');
    },
  },
  'prune-packed': bookkeeping('-nq --dry-run --quiet', 'removes objects'),
  'commit-graph': bookkeeping(
    '--object-dir:d --reachable --stdin-packs --stdin-commits --append --split? --progress --no-progress --changed-paths --shallow',
    'writes the commit graph',
  ),
  'multi-pack-index': bookkeeping(
    '--object-dir:d --progress --no-progress --stdin-packs --batch-size:',
    'writes an index of packs',
  ),
  rerere: {
    options: '--rerere-autoupdate',
    run(call, given) {
      const verb = given.operands[0]?.literal;
      if (verb !== 'status' && verb !== 'remaining' && verb !== 'diff') call.unknown('git rerere may rewrite files');
    },
  },
  'merge-file': {
    options: '-L: -pq --stdout --object-id --diff3 --zdiff3 --ours --theirs --union --marker-size: --quiet --diff-algorithm:',
    run(call, given) {
      const [into, ...rest] = given.operands;
      for (const r of rest) call.read(r, 'git merge-file');
      if (!into) return;
      if (has(given, 'object-id')) call.bookkeeping('git merge-file --object-id writes an object');
      if (has(given, 'p', 'stdout', 'object-id')) call.read(into, 'git merge-file');
      else call.write(into, 'git merge-file', { why: 'git merge-file writes its first file' });
    },
  },
  mailinfo: {
    options: '-kbumn --scissors --no-scissors --encoding: --quoted-cr: --message-id',
    run(call, given) {
      for (const o of given.operands) call.write(o, 'git mailinfo', { why: 'git mailinfo writes its operands' });
    },
  },
  mailsplit: {
    options: '-o:d -b -d: -f: --keep-cr --mboxrd',
    run(call, given) {
      if (!option(given, 'o')) call.unknown('git mailsplit writes files');
      for (const o of given.operands) call.read(o, 'git mailsplit');
    },
  },
};
