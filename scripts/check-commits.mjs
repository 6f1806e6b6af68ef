// Checks commit messages: `area: Imperative subject`, at most 72 characters, no period at the end.
//
//   node scripts/check-commits.mjs                  every new commit (see `baseOf`)
//   node scripts/check-commits.mjs --since REV      the commits after REV
//   node scripts/check-commits.mjs --message FILE   one message that is not committed yet: the commit-msg hook
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const MAX_CHARACTERS = 72;

/** First words that are never an imperative: articles, relative clauses, and other forms of common verbs. */
const NOT_IMPERATIVE = new RegExp(
  `^(?:An?|The|This|That|It|What|Which|Whose|Who|Where|Why|How|Of|By|${[
    'Add(?:s|ed|ing)',
    'Allow(?:s|ed|ing)',
    'Chang(?:es|ed|ing)',
    'Check(?:s|ed|ing)',
    'Den(?:ies|ied|ying)',
    'Fix(?:es|ed|ing)',
    'Mak(?:es|ing)',
    'Made',
    'Mov(?:es|ed|ing)',
    'Remov(?:es|ed|ing)',
    'Renam(?:es|ed|ing)',
    'Updat(?:es|ed|ing)',
    'Us(?:es|ed|ing)',
    'Writ(?:es|ing|ten)',
  ].join('|')})\\b`,
);

/** Returns what is wrong with a subject line; empty if it is fine. A revert keeps the subject that git gives it. */
export function subjectProblems(subject) {
  if (/^Revert ".+"$/.test(subject)) return [];
  const problems = [];
  if (subject.length > MAX_CHARACTERS) problems.push(`it has ${subject.length} characters, the limit is ${MAX_CHARACTERS}`);
  if (/\.$/.test(subject)) problems.push('it ends with a period');
  const parts = /^[a-z0-9][a-z0-9 ,./+-]*: (\S.*)$/.exec(subject);
  if (parts === null) return [...problems, 'it does not have the form `area: Imperative subject`'];
  if (!/^\p{Lu}/u.test(parts[1])) problems.push('the first word after the area does not start with a capital letter');
  const word = NOT_IMPERATIVE.exec(parts[1])?.[0];
  if (word !== undefined) problems.push(`"${word}" is not an imperative; start with a verb, such as "Add" or "Fix"`);
  return problems;
}

/** The subject of a message file as git hands it to commit-msg: the first line that is not empty and not a comment. */
export function subjectOf(message) {
  return message.split(/\r?\n/).find((line) => line.trim() !== '' && !line.startsWith('#')) ?? '';
}

/** Runs git in `folder`. Returns its output without the final newline; null if it fails. */
function git(folder, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 });
  return status === 0 ? stdout.replace(/\n$/, '') : null;
}

/**
 * Returns the revision that new commits come after, and why; null if nothing is new. New commits are those that origin/main does not
 * contain. On origin/main itself they are those after the commit that added this script: older subjects follow no rule. The oldest
 * commit of a shallow clone seems to add every file, so there the commits after it are checked.
 */
export function baseOf(folder, script = 'scripts/check-commits.mjs') {
  const head = git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD');
  if (head === null) return null;
  const fork = git(folder, 'merge-base', 'HEAD', 'refs/remotes/origin/main');
  if (fork !== null && fork !== '' && fork !== head) return { revision: fork, why: 'that are not on origin/main' };
  const added = git(folder, 'log', '--diff-filter=A', '--no-renames', '--format=%H', '--', script)?.split('\n').at(-1);
  return added ? { revision: added, why: 'since the check was added' } : null;
}

/** Returns the commits after `revision`, merges left out, as `{ hash, subject }`; null if git does not know the revision. */
export function commitsAfter(folder, revision) {
  const output = git(folder, 'log', '--no-merges', '--reverse', '--format=%h%x00%s', '--end-of-options', `${revision}..HEAD`);
  if (output === null) return null;
  return output.split('\n').flatMap((line) => {
    const [hash, subject] = line.split('\0');
    return subject === undefined ? [] : [{ hash, subject }];
  });
}

function checkMessage(file) {
  const subject = subjectOf(readFileSync(file, 'utf8'));
  // git stops by itself at an empty message. `git rebase --autosquash` removes the marked commits again.
  if (subject === '' || /^(?:fixup|squash|amend)! /.test(subject) || /^Merge /.test(subject)) return 0;
  const problems = subjectProblems(subject);
  if (problems.length === 0) return 0;
  console.error(`The commit subject breaks the rule in CONTRIBUTING.md:\n  ${subject}`);
  for (const problem of problems) console.error(`  - ${problem}`);
  console.error('Nothing was committed. Your message is still in .git/COMMIT_EDITMSG: git commit -e -F .git/COMMIT_EDITMSG');
  return 1;
}

function checkCommits(folder, since) {
  if (git(folder, 'rev-parse', '--git-dir') === null) return pass('not a git repository, no commits to check');
  const base = since === undefined ? baseOf(folder) : { revision: since, why: `after ${since}` };
  if (base === null) return pass('no new commits to check');
  const commits = commitsAfter(folder, base.revision);
  if (commits === null) {
    console.error(`git does not know the revision ${base.revision}. Fetch it, or name another with --since.`);
    return 1;
  }
  let failed = 0;
  for (const { hash, subject } of commits) {
    const problems = subjectProblems(subject);
    if (problems.length === 0) continue;
    failed += 1;
    console.error(`${hash} ${subject}`);
    for (const problem of problems) console.error(`  - ${problem}`);
  }
  if (failed > 0) console.error('Reword them with `git rebase -i` before you push.');
  console.log(`${commits.length} commits ${base.why}, ${failed} with a wrong subject`);
  return failed > 0 ? 1 : 0;
}

function pass(message) {
  console.log(message);
  return 0;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const [option, value, ...more] = process.argv.slice(2);
  if (option === '--message' && value !== undefined && more.length === 0) process.exitCode = checkMessage(value);
  else if (option === '--since' && value !== undefined && more.length === 0) process.exitCode = checkCommits(root, value);
  else if (option === undefined) process.exitCode = checkCommits(root);
  else {
    console.error('usage: node scripts/check-commits.mjs [--since REV | --message FILE]');
    process.exitCode = 64;
  }
}
