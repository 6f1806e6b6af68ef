// Repository hooks that each git subcommand runs, if they are active (githooks(5)).
import { type Given, has, option } from '../../options.ts';

/** Run after every write to a reference or to the index. */
const REFERENCES = 'reference-transaction';
const INDEX = 'post-index-change';

/** Hooks of the subcommands that are understood. A subcommand that is not listed runs none. */
const HOOKS: Readonly<Record<string, string>> = {
  commit: `pre-commit prepare-commit-msg commit-msg post-commit post-rewrite pre-auto-gc ${REFERENCES} ${INDEX}`,
  push: `pre-push ${REFERENCES}`,
  merge: `pre-merge-commit prepare-commit-msg commit-msg post-merge post-commit pre-auto-gc ${REFERENCES} ${INDEX}`,
  pull: `pre-merge-commit prepare-commit-msg commit-msg post-merge post-checkout post-rewrite pre-rebase pre-auto-gc ${REFERENCES} ${INDEX}`,
  rebase: `pre-rebase pre-commit prepare-commit-msg commit-msg post-commit post-checkout post-rewrite pre-auto-gc ${REFERENCES} ${INDEX}`,
  am: `applypatch-msg pre-applypatch post-applypatch post-rewrite pre-auto-gc ${REFERENCES} ${INDEX}`,
  'cherry-pick': `prepare-commit-msg commit-msg post-commit ${REFERENCES} ${INDEX}`,
  revert: `prepare-commit-msg commit-msg post-commit ${REFERENCES} ${INDEX}`,
  checkout: `post-checkout ${REFERENCES} ${INDEX}`,
  switch: `post-checkout ${REFERENCES} ${INDEX}`,
  restore: `post-checkout ${INDEX}`,
  clone: `post-checkout ${REFERENCES} ${INDEX}`,
  worktree: `post-checkout ${REFERENCES} ${INDEX}`,
  bisect: `post-checkout ${REFERENCES} ${INDEX}`,
  submodule: `post-checkout ${REFERENCES} ${INDEX}`,
  stash: `${REFERENCES} ${INDEX}`,
  reset: `${REFERENCES} ${INDEX}`,
  fetch: `pre-auto-gc ${REFERENCES}`,
  gc: `pre-auto-gc ${REFERENCES}`,
  notes: `${REFERENCES}`,
  branch: REFERENCES,
  tag: REFERENCES,
  remote: REFERENCES,
  replace: REFERENCES,
  reflog: REFERENCES,
  'update-ref': REFERENCES,
  'symbolic-ref': REFERENCES,
  'pack-refs': REFERENCES,
  bundle: REFERENCES,
  init: REFERENCES,
  add: INDEX,
  stage: INDEX,
  rm: INDEX,
  mv: INDEX,
  apply: INDEX,
  'update-index': INDEX,
  'read-tree': INDEX,
  'checkout-index': INDEX,
  'sparse-checkout': INDEX,
  'write-tree': INDEX,
  // These refresh the index as a side effect.
  status: INDEX,
  diff: INDEX,
  describe: INDEX,
};

/** Hooks that `--no-verify` skips. The other hooks still run. */
const UNVERIFIED = new Set([
  'pre-commit',
  'pre-merge-commit',
  'commit-msg',
  'pre-push',
  'pre-rebase',
  'applypatch-msg',
  'pre-applypatch',
]);
/** `-n` has another meaning in other subcommands. */
const SHORT_NO_VERIFY = new Set(['commit', 'am']);

/** Hooks that a subcommand with these words runs if the repository contains them. */
export function hooksOf(name: string, given: Given): string[] {
  if (name === 'commit' && has(given, 'dry-run')) return [INDEX];
  const all = Object.hasOwn(HOOKS, name) ? (HOOKS[name] as string).split(' ') : [];
  const last = given.options
    .filter((o) => /^(?:no-)?verify$/.test(o.name) || (o.name === 'n' && SHORT_NO_VERIFY.has(name)))
    .at(-1);
  const skips = last !== undefined && last.name !== 'verify';
  return skips ? all.filter((hook) => !UNVERIFIED.has(hook)) : all;
}

/** A push that includes submodules runs their hooks too. */
export function entersSubmodules(name: string, given: Given): boolean {
  const how = option(given, 'recurse-submodules');
  return (
    name === 'push' &&
    how !== undefined &&
    !has(given, 'no-recurse-submodules') &&
    !/^(?:no|check)$/.test(how.value?.literal ?? '')
  );
}
