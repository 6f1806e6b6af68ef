// The files that a patch touches: the envelope of Codex (`*** Begin Patch`) and unified diffs, as git and diff write them.
import { isUtf8 } from 'node:buffer';

/** Every path that the patch writes, moves or deletes; null if a line cannot be read, so that the patch may write anywhere. */
export function patchedFiles(text: string): string[] | null {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => trimmed(line) === '*** Begin Patch');
  const found = start === -1 ? diffFiles(lines) : envelopeFiles(lines, start);
  return found === null || found.length === 0 ? null : [...new Set(found)];
}

/** Programs differ in whether they remove these two characters as white space. */
const doubtful = /[\u0085\ufeff]/;
const trimmed = (line: string): string => line.replace(/^[\s\u0085]+|[\s\u0085]+$/g, '');

const envelopeFile = /^[\s\u0085]*\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/;
/** Lines around an envelope. Codex accepts a patch inside a heredoc. */
const heredoc = /^(?:(?:apply_patch )?<<\s*['"]?\w+['"]?|EOF|)$/;
/** Lines of an envelope that name no file. */
const envelopeFrame = /^(?:\*\*\* (?:Begin Patch|End Patch|End of File)|@@.*)$/;

/**
 * A line that names a file counts wherever the program could accept it, even as a context line: programs differ in the white space
 * that they remove. Other lines before the envelope may be a diff of a file that contains an envelope.
 */
function envelopeFiles(lines: readonly string[], start: number): string[] | null {
  const files: string[] = [];
  for (const [at, line] of lines.entries()) {
    const name = envelopeFile.exec(line)?.[1];
    if (name !== undefined && doubtful.test(line)) return null;
    if (name !== undefined && at > start) files.push(name, name.trimEnd(), name.trim());
    else if (!heredoc.test(trimmed(line)) && (at < start || !(envelopeFrame.test(trimmed(line)) || /^[-+ ]/.test(line))))
      return null;
  }
  return files;
}

/** Lines of a git diff that name files without a prefix. */
const gitName = /^(?:rename|copy) (?:from|to) (.+)$/;
/** Lines between the hunks that name no file. Only modes of regular files: a symbolic link (120000) is a second name of its target. */
const diffFrame =
  /^(?:index [0-9a-f]+\.\.[0-9a-f]+(?: 100\d{3})?|(?:old|new) mode 100\d{3}|(?:new|deleted) file mode 100\d{3}|(?:dis)?similarity index \d+%|\\ No newline at end of file|={3,}|)$/;
const hunkStart = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;
/** Content of a binary file, after the line `GIT binary patch`. It contains no blank except in its heads. */
const binaryLine = /^(?:(?:literal|delta) \d+|[A-Za-z][!-~]+|)$/;

function diffFiles(lines: readonly string[]): string[] | null {
  const files: string[] = [];
  /** Remaining lines of the hunk, of the old and of the new file. */
  let left = { old: 0, new: 0 };
  let isBinary = false;
  for (const line of lines) {
    if (left.old > 0 || left.new > 0) {
      const kind = line[0] ?? ' ';
      if (!' +-\\'.includes(kind)) return null;
      if (kind !== '+' && kind !== '\\') left.old--;
      if (kind !== '-' && kind !== '\\') left.new--;
      if (left.old < 0 || left.new < 0) return null;
      continue;
    }
    const hunk = hunkStart.exec(line);
    if (hunk !== null) {
      left = { old: Number(hunk[1] ?? 1), new: Number(hunk[2] ?? 1) };
      continue;
    }
    // The names of a binary file are in the head of its diff.
    isBinary = line === 'GIT binary patch' ? files.length > 0 : isBinary && binaryLine.test(line);
    if (isBinary) continue;
    const names = namesIn(line);
    if (names === null) return null;
    // A program may remove the blanks around a name.
    files.push(...names.flatMap((name) => [name, name.trim() || name]));
  }
  return left.old > 0 || left.new > 0 ? null : files;
}

/** The names in a line between hunks; null if the line is unknown or its names cannot be read. */
function namesIn(line: string): string[] | null {
  if (diffFrame.test(line)) return [];
  if (line.startsWith('diff --git ')) return bothNames(line);
  const moved = gitName.exec(line)?.[1];
  const name = nameOf(moved ?? /^(?:---|\+\+\+) ("(?:[^"\\]|\\.)*"|[^\t"]+)(?:\t.*)?$/.exec(line)?.[1] ?? '');
  if (name === null || moved !== undefined) return name === null ? null : [name];
  if (name === '/dev/null') return [];
  // Without a prefix, it depends on the program whether it removes the first folder.
  const stripped = /^[^/]*\/+(.+)$/.exec(name)?.[1];
  if (/^[ab]\//.test(name)) return [stripped ?? name];
  return stripped === undefined ? [name] : [name, stripped];
}

/** The names of `diff --git a/OLD b/NEW`; null if the line can be divided in more than one way. */
function bothNames(line: string): string[] | null {
  const same = /^diff --git a\/([^"]+) b\/\1$/.exec(line)?.[1];
  if (same !== undefined) return [same];
  const [, old = '', next = ''] = /^diff --git ("(?:[^"\\]|\\.)*"|a\/[^"]+?) ("(?:[^"\\]|\\.)*"|b\/[^"]+)$/.exec(line) ?? [];
  if (!next.startsWith('"') && next.includes(' b/')) return null;
  const names = [old, next].map((text) => /^[ab]\/(.+)$/s.exec(nameOf(text) ?? '')?.[1]);
  return names.every((name) => name !== undefined) ? names : null;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** The name in a diff, which git and diff quote as in C if it has special characters; null if it cannot be read. */
function nameOf(text: string): string | null {
  const inner = /^"(.+)"$/s.exec(text)?.[1];
  if (inner === undefined) return text === '' || text.includes('"') || doubtful.test(text) ? null : text;
  const parts = inner.match(/\\(?:[0-3][0-7]{2}|.)|[^\\]+/gs) ?? [];
  const bytes = parts.map((part): Buffer | null => {
    if (!part.startsWith('\\')) return Buffer.from(part);
    const code = part.length === 4 ? Number.parseInt(part.slice(1), 8) : escapes[part.slice(1)];
    return code === undefined || code === 0 ? null : Buffer.from([code]);
  });
  if (bytes.includes(null)) return null;
  const name = Buffer.concat(bytes as Buffer[]);
  return isUtf8(name) ? name.toString() : null;
}
