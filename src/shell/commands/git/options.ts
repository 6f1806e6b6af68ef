// Options of git's subcommands. An option that is not listed is not understood. No option that runs programs is listed.

/** Shared by diff, log, show, and related subcommands. */
export const DIFF =
  '-pusRabwWzcDtrm -U? -M? -B? -C? -l: -S: -G: -O:r -X? --patch --no-patch --unified? --output:w --output-indicator-new: --output-indicator-old: --output-indicator-context: --raw --patch-with-raw --indent-heuristic --no-indent-heuristic --minimal --patience --histogram --anchored: --diff-algorithm: --stat? --compact-summary --numstat --shortstat --dirstat? --cumulative --dirstat-by-file? --summary --patch-with-stat --name-only --name-status --submodule? --color? --no-color --color-moved? --no-color-moved --color-moved-ws: --word-diff? --word-diff-regex: --color-words? --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight: --full-index --binary --abbrev? --no-abbrev --break-rewrites? --find-renames? --find-copies? --find-copies-harder --irreversible-delete --diff-filter: --pickaxe-all --pickaxe-regex --find-object: --skip-to: --rotate-to: --relative? --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines: --inter-hunk-context: --function-context --exit-code --quiet --no-ext-diff --ext-diff! --textconv! --no-textconv --ignore-submodules? --src-prefix: --dst-prefix: --no-prefix --default-prefix --line-prefix: --ita-invisible-in-index --ita-visible-in-index --cc --combined-all-paths --diff-merges: --no-diff-merges --dd --root --no-index --cached --staged --merge-base';

/** Commit selection and output of log, show, rev-list, and shortlog. */
export const LOG =
  '-iEFPgq -n: -L: --oneline --graph --no-graph --decorate? --no-decorate --decorate-refs: --decorate-refs-exclude: --clear-decorations --all --branches? --tags? --remotes? --glob: --exclude: --exclude-hidden: --reflog --single-worktree --since: --after: --until: --before: --since-as-filter: --author: --committer: --grep: --grep-reflog: --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents? --max-parents? --no-min-parents --no-max-parents --first-parent --not --follow --full-history --dense --sparse --simplify-merges --ancestry-path? --simplify-by-decoration --show-pulls --date-order --author-date-order --topo-order --reverse --no-walk? --do-walk --max-count: --skip: --date: --pretty? --format: --abbrev-commit --no-abbrev-commit --encoding: --notes? --no-notes --show-notes? --standard-notes --no-standard-notes --show-signature! --relative-date --parents --children --left-right --cherry-mark --cherry-pick --cherry --left-only --right-only --boundary --walk-reflogs --count --mailmap --use-mailmap --no-mailmap --no-use-mailmap --source --log-size --expand-tabs? --no-expand-tabs --show-linear-break? --bisect --stdin --ignore-missing --missing? --objects --objects-edge --no-object-names --in-commit-order --disk-usage? --timestamp --header --no-commit-header --commit-header --full-diff --end-of-options --merge --remerge-diff --quiet --use-bitmap-index --unpacked --filter? --max-age: --min-age:';

const BLAME =
  '-bcltfnsewkp -L: -S:r -M? -C? --root --show-stats --reverse --porcelain --line-porcelain --incremental --encoding: --contents:r --date: --first-parent --score-debug --show-name --show-number --show-email --abbrev? --color-lines --color-by-age --ignore-rev: --ignore-revs-file:r --progress --no-progress --minimal --long --since: --annotate';

export const SUBCOMMANDS: Record<string, string> = {
  status:
    '-sbvz -u? --short --branch --show-stash --porcelain? --long --verbose --untracked-files? --ignore-submodules? --ignored? --column? --no-column --ahead-behind --no-ahead-behind --renames --no-renames --find-renames?',
  blame: BLAME,
  annotate: BLAME,
  grep: '-iIavwWlLcnhHoqrzFEGPp -e: -f:r -A: -B: -C: -m: -O! --cached --no-index --untracked --exclude-standard --no-exclude-standard --recurse-submodules --ignore-case --text --textconv! --no-textconv --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp --fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null --only-matching --count --color? --no-color --break --heading --show-function --context: --after-context: --before-context: --function-context --max-count: --threads: --and --or --not --all-match --quiet --max-depth: --recursive --no-recursive --open-files-in-pager!',
  'ls-files':
    '-cdomkivstufz -x: -X:r --cached --deleted --modified --others --ignored --stage --unmerged --killed --directory --no-empty-directory --eol --deduplicate --exclude: --exclude-from:r --exclude-per-directory: --exclude-standard --error-unmatch --with-tree: --full-name --recurse-submodules --abbrev? --debug --sparse --format: --resolve-undo',
  'ls-tree': '-drtlz --name-only --name-status --object-only --long --full-name --full-tree --abbrev? --format:',
  'ls-remote': '-htq -o: --heads --branches --tags --refs --quiet --exit-code --get-url --sort: --symref',
  'rev-parse':
    '-q --abbrev-ref? --short? --verify --quiet --symbolic --symbolic-full-name --show-toplevel --show-cdup --show-prefix --git-dir --absolute-git-dir --git-common-dir --git-path: --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --all --branches? --tags? --remotes? --glob: --exclude: --disambiguate: --revs-only --no-revs --flags --no-flags --default: --prefix: --not --sq --path-format: --show-superproject-working-tree --show-object-format? --shared-index-path --local-env-vars --since: --until: --after: --before: --end-of-options --show-ref-format',
  'cat-file':
    '-eptsZ --batch? --batch-check? --batch-command? --batch-all-objects --buffer --unordered --allow-unknown-type --follow-symlinks --textconv! --filters! --path: --use-mailmap --no-use-mailmap',
  'show-ref':
    '-dsqh --head --heads --branches --tags --dereference --hash? --verify --abbrev? --quiet --exclude-existing? --exists',
  'show-branch':
    '-rag --remotes --all --current --topo-order --date-order --sparse --more? --list --merge-base --independent --no-name --sha1-name --topics --reflog? --color? --no-color',
  'name-rev': '--tags --refs: --exclude: --all --annotate-stdin --stdin --name-only --no-undefined --always',
  describe:
    '--all --tags --contains --abbrev? --candidates: --exact-match --debug --long --match: --exclude: --always --first-parent --dirty? --broken?',
  'merge-base': '-a --all --octopus --independent --is-ancestor --fork-point',
  'for-each-ref':
    '-spt --count: --sort: --format: --color? --shell --perl --python --tcl --points-at: --merged: --no-merged: --contains: --no-contains: --ignore-case --omit-empty --exclude: --stdin --include-root-refs',
  'count-objects': '-vH --verbose --human-readable',
  var: '-l',
  'check-ignore': '-qvnz --quiet --verbose --stdin --non-matching --no-index',
  'check-attr': '-az --all --cached --stdin --source:',
  'check-ref-format': '--branch --allow-onelevel --no-allow-onelevel --refspec-pattern --normalize',
  'check-mailmap': '--stdin --mailmap-file:r --mailmap-blob:',
  cherry: '-v --abbrev?',
  'range-diff': `${DIFF} --creation-factor: --no-dual-color --dual-color --left-only --right-only --no-notes --notes?`,
  shortlog: `${LOG} -nsec -w? --numbered --summary --email --group: --committer`,
  'verify-pack': '-vs --verbose --stat-only',
  'patch-id': '--stable --unstable --verbatim',
  column: '--command: --mode: --raw-mode: --width: --indent: --nl: --padding:',
  'interpret-trailers': '--parse --only-trailers --only-input --unfold --no-divider',
  stripspace: '-sc --strip-comments --comment-lines',
  'get-tar-commit-id': '',
  'diff-tree': `${DIFF} ${LOG} -v --no-commit-id --stdin --always`,
  'diff-index': `${DIFF} --cached -m`,
  'diff-files': `${DIFF} -0123q --base --ours --theirs`,
  diff: `${DIFF} -0123 --base --ours --theirs`,
  log: `${DIFF} ${LOG}`,
  show: `${DIFF} ${LOG}`,
  whatchanged: `${DIFF} ${LOG}`,
  'rev-list': `${LOG} --no-filter`,
  version: '--build-options',
  fsck: '-v --tags --root --unreachable --cache --reflogs --no-reflogs --full --no-full --connectivity-only --strict --verbose --progress --no-progress --name-objects --dangling --no-dangling',
};
