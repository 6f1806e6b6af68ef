// Checks the words of changed lines: no phrase and no name that docs/glossary.md rules out. Reads only lines that differ from
// origin/main (on origin/main itself: from the previous commit), so old text causes no failure.
//
//   node scripts/check-prose.mjs             changed lines
//   node scripts/check-prose.mjs --all       every line, for an overview; never fails
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Phrases in comments and documents. Only those that are almost never right, so that a finding is worth reading. */
const PHRASES = [
  { pattern: /(?<!\bthere )\b(?:is|are|was|were|be) none\b/gi, use: 'has no …, there is no …' },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, use: 'fix' },
  { pattern: /\banew\b/gi, use: 'again' },
  { pattern: /\b(?:is|are|was|were|be) told of\b/gi, use: 'is notified of, sees' },
  { pattern: /\bwhat (?:it|he|she) is told\b/gi, use: 'the message' },
  {
    pattern: /\bst(?:ands?|ood) (?:(?:in|on)(?! for\b)|behind|beside|below|above|there)\b/gi,
    use: 'is in, is stored in, comes after',
  },
  { pattern: /\b(?:lies|lay) (?:in|on|below|above|behind|beside|under|there)\b/gi, use: 'is in, is stored in' },
  { pattern: /\b(?:is|are|was|were|be) (?:met|hit) by\b/gi, use: 'matches' },
  { pattern: /\bmeets? (?:an?|the|no|any|each|every|all) (?:rule|call|path|file|command|name)s?\b/gi, use: 'matches' },
  { pattern: /\bwho(?:m)?ever\b/gi, use: 'anyone who, the user who' },
  { pattern: /\b(?:is|are|was|were) no more\b(?! than\b)/gi, use: 'no longer exists' },
  { pattern: /\banother \w+ than\b/gi, use: 'different from' },
  { pattern: /\ba (?:person|user|human)'s yes\b/gi, use: 'approval' },
  { pattern: /\bnobody can be asked\b/gi, use: 'there is no interactive terminal' },
  { pattern: /(?:^|[.:;] )(?:Of|By|To|From) what\b/g, use: 'a noun, or an imperative' },
  { pattern: /(?:^|[.:;] )Whom\b/g, use: 'a noun, or an imperative' },
  { pattern: /\b(?:hereby|hereof|therein|thereof|whence|wherein|whereof|heretofore)\b/gi, use: 'plain words' },
  { pattern: /\b(?:behaviour|colour|favour|honour|licence|artefact|centre)s?\b/gi, use: 'American spelling' },
  { pattern: /\b(?:organi|recogni|normali|initiali|seriali|optimi)s(?:e[ds]?|ing|ations?)\b/gi, use: 'American spelling' },
];

/** Words that no identifier in src/ may have as a part: `errandOf` and `ErrandState` have the part "errand". */
const PARTS = new Map([
  ['deed', 'TransitionRequest'],
  ['disbelief', 'git config overrides'],
  ['errand', 'background job'],
  ['hall', 'GateHost'],
  ['seat', 'TransitionHost'],
  ['surroundings', 'DecisionContext'],
]);

/** Files with generated text or test data, and files that list the words themselves. */
const SKIPPED = [
  /^(?:dist|schemas|opa\/vendor|test\/corpora|test\/hostile)\//,
  /(?:^|\/)fixtures\//,
  /^docs\/(?:semantics|workflow|cli)\.md$/,
  /^docs\/glossary\.md$/,
  /^scripts\/check-prose\.mjs$/,
  /^test\/unit\/scripts\/prose\.test\.ts$/,
];

const COMMENTS = new Map([
  ...['ts', 'mts', 'cts', 'js', 'mjs', 'cjs', 'go'].map((extension) => [extension, /(?:^|\s)(?:\/\/|\/\*\*?|\*(?=\s))(.*)$/]),
  ...['rego', 'sh', 'pl', 'py', 'yaml', 'yml'].map((extension) => [extension, /(?:^|\s)#(.*)$/]),
]);

/** Returns the prose of a file by line; an empty text for a line without any. Null for a file that has no prose to check. */
export function proseOf(name, text) {
  if (SKIPPED.some((pattern) => pattern.test(name))) return null;
  const lines = text.split('\n');
  const extension = /\.(\w+)$/.exec(name)?.[1] ?? '';
  if (extension === 'md') return withoutCodeBlocks(lines).map(withoutCode);
  // These files are sentences: docs/semantics.md and similar pages are generated from them.
  if (/^docs\/[^/]+\.ya?ml$/.test(name)) return lines.map(withoutCode);
  const comment = COMMENTS.get(extension);
  return comment === undefined ? null : lines.map((line) => withoutCode(comment.exec(line)?.[1] ?? ''));
}

function withoutCodeBlocks(lines) {
  let fence = null;
  return lines.map((line) => {
    const mark = /^\s*(?:>\s*)?(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark !== undefined) {
      fence = mark;
      return '';
    }
    if (fence === null) return line;
    if (mark?.startsWith(fence)) fence = null;
    return '';
  });
}

/** Leaves out code in backquotes, link targets and quoted words. */
function withoutCode(line) {
  return line
    .replace(/`[^`]*`/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/"[^"]*"|“[^”]*”/g, '')
    .trim();
}

/** Returns the findings in one line of prose and, for a source file, in the identifiers of that line. */
export function findings(name, prose, line) {
  const found = PHRASES.flatMap(({ pattern, use }) =>
    [...prose.matchAll(pattern)].map(([match]) => ({ text: match.replace(/^[.:;] /, '').toLowerCase(), use })),
  );
  if (!/^src\/.*\.(?:ts|mjs)$/.test(name)) return found;
  const code = line.replace(/'(?:[^'\\]|\\.)*'/g, '').replace(/(?:^|\s)(?:\/\/|\/\*\*?|\*(?=\s)).*$/, '');
  for (const identifier of code.match(/[A-Za-z_$][\w$]*/g) ?? [])
    for (const part of identifier.split(/_|(?<=[a-z0-9])(?=[A-Z])/)) {
      const use = PARTS.get(part.toLowerCase());
      if (use !== undefined) found.push({ text: identifier, use });
    }
  return found;
}

/** Reads a diff made with --unified=0. Returns the removed lines, and the numbers of the added lines of each file. */
export function readDiff(diff) {
  const added = new Map();
  const removed = [];
  let [before, after, number, oldLeft, newLeft] = ['', '', 0, 0, 0];
  for (const line of diff.split('\n')) {
    if (oldLeft > 0 && line.startsWith('-')) {
      oldLeft -= 1;
      removed.push({ name: before, line: line.slice(1) });
    } else if (newLeft > 0 && line.startsWith('+')) {
      newLeft -= 1;
      added.set(after, [...(added.get(after) ?? []), number]);
      number += 1;
    } else if (line.startsWith('--- ')) before = line.slice(4).replace(/^a\/|\t$/g, '');
    else if (line.startsWith('+++ ')) after = line.slice(4).replace(/^b\/|\t$/g, '');
    else {
      const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
      if (hunk !== null) [oldLeft, number, newLeft] = [Number(hunk[1] ?? 1), Number(hunk[2]), Number(hunk[3] ?? 1)];
    }
  }
  return { added, removed };
}

function git(folder, ...args) {
  const { status, stdout } = spawnSync('git', ['-c', 'core.quotePath=false', ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return status === 0 ? stdout : null;
}

/** Returns the commit to compare the work tree with; null if no commit can be found. */
export function baseOf(folder) {
  const head = git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD')?.trim();
  if (head === undefined) return null;
  const fork = git(folder, 'merge-base', 'HEAD', 'refs/remotes/origin/main')?.trim();
  if (fork && fork !== head) return fork;
  return git(folder, 'rev-parse', '--verify', '--quiet', 'HEAD~1')?.trim() || null;
}

/**
 * Returns the findings in changed lines as `{ name, number, text, use }`; null if there is nothing to compare with. A phrase that a
 * removed line had does not count again: a line that was moved or reformatted keeps its old words.
 */
export function changedFindings(folder) {
  const base = baseOf(folder);
  if (base === null) return null;
  const options = ['--unified=0', '--no-color', '--no-ext-diff', '--no-textconv', '--src-prefix=a/', '--dst-prefix=b/', '-M'];
  const { added, removed } = readDiff(git(folder, 'diff', ...options, base, '--') ?? '');
  for (const name of split(git(folder, 'ls-files', '-z', '--others', '--exclude-standard'))) added.set(name, null);
  const credit = new Map();
  for (const { name, line } of removed)
    for (const { text } of findings(name, proseOf(name, line)?.[0] ?? '', line)) credit.set(text, (credit.get(text) ?? 0) + 1);
  return [...added].flatMap(([name, numbers]) =>
    fileFindings(folder, name, numbers).filter(({ text }) => {
      const left = credit.get(text) ?? 0;
      if (left > 0) credit.set(text, left - 1);
      return left === 0;
    }),
  );
}

/** Returns the findings in the lines `numbers` of a file; in all of them for null. */
function fileFindings(folder, name, numbers) {
  let text;
  try {
    text = readFileSync(join(folder, name), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'EISDIR') return [];
    throw error;
  }
  const prose = proseOf(name, text);
  if (prose === null) return [];
  const lines = text.split('\n');
  return (numbers ?? lines.map((_, index) => index + 1)).flatMap((number) =>
    findings(name, prose[number - 1] ?? '', lines[number - 1] ?? '').map((found) => ({ name, number, ...found })),
  );
}

function split(names) {
  return (names ?? '').split('\0').filter((name) => name !== '');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = dirname(dirname(fileURLToPath(import.meta.url)));
  const all = process.argv[2] === '--all';
  const found = all
    ? split(git(root, 'ls-files', '-z')).flatMap((name) => fileFindings(root, name, null))
    : changedFindings(root);
  for (const { name, number, text, use } of found ?? []) console.log(`${name}:${number} "${text}": write ${use}`);
  if (found === null) console.log('no earlier commit to compare with, nothing checked');
  else console.log(`${found.length} phrases that docs/glossary.md rules out${all ? '' : ' in changed lines'}`);
  if (!all && found !== null && found.length > 0) process.exitCode = 1;
}
