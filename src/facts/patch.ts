// The files that a patch touches: the envelope of Codex (`*** Begin Patch`) and unified diffs, as git and diff write them.

/** Every path that the patch writes, moves or deletes; null if a line cannot be read, so that the patch may write anywhere. */
export function patchedFiles(text: string): string[] | null {
  const lines = text.split(/\r?\n/);
  const found = lines.some((line) => line.trim() === '*** Begin Patch') ? envelopeFiles(lines) : diffFiles(lines);
  return found === null || found.length === 0 ? null : [...new Set(found)];
}

const envelopeFile = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/;
/** Lines of an envelope that name no file. Codex accepts a patch inside a heredoc. */
const envelopeFrame = /^(?:\*\*\* (?:Begin Patch|End Patch|End of File)|@@.*|(?:apply_patch )?<<\s*['"]?\w+['"]?|EOF|)$/;

/**
 * A line that names a file counts wherever the program could accept it, even as a context line: programs differ in the white space
 * that they remove.
 */
function envelopeFiles(lines: readonly string[]): string[] | null {
  const files: string[] = [];
  for (const line of lines) {
    const file = envelopeFile.exec(line.trim())?.[1];
    if (file !== undefined) files.push(file.trim());
    else if (!envelopeFrame.test(line.trim()) && !/^[-+ ]/.test(line)) return null;
  }
  return files;
}

/** Lines of a git diff that name files without a prefix. */
const gitName = /^(?:rename|copy) (?:from|to) (.+)$/;
/** Lines between the hunks that name no file. Only modes of regular files: a symbolic link (120000) is a second name of its target. */
const diffFrame =
  /^(?:index [0-9a-f]+\.\.[0-9a-f]+(?: 100\d{3})?|(?:old|new) mode 100\d{3}|(?:new|deleted) file mode 100\d{3}|(?:dis)?similarity index \d+%|\\ No newline at end of file|={3,}|)$/;
const hunkStart = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

function diffFiles(lines: readonly string[]): string[] | null {
  const files: string[] = [];
  /** Remaining lines of the hunk, of the old and of the new file. */
  let left = { old: 0, new: 0 };
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
    const names = namesIn(line);
    if (names === null) return null;
    files.push(...names);
  }
  return left.old > 0 || left.new > 0 ? null : files;
}

/** The names in a line between hunks; null if the line is unknown or a name is quoted. */
function namesIn(line: string): string[] | null {
  if (diffFrame.test(line)) return [];
  if (line.includes('"')) return null;
  const moved = gitName.exec(line)?.[1];
  if (moved !== undefined) return [moved];
  if (line.startsWith('diff --git ')) return bothNames(line);
  const name = /^(?:---|\+\+\+) ([^\t]+)(?:\t.*)?$/.exec(line)?.[1];
  if (name === undefined) return null;
  if (name === '/dev/null') return [];
  // Without a prefix, it depends on the program whether it removes the first folder.
  const stripped = /^[^/]+\/(.+)$/.exec(name)?.[1];
  if (/^[ab]\//.test(name)) return [stripped ?? name];
  return stripped === undefined ? [name] : [name, stripped];
}

/** The names of `diff --git a/OLD b/NEW`; null if the line can be divided in more than one way. */
function bothNames(line: string): string[] | null {
  const same = /^diff --git a\/(.+) b\/\1$/.exec(line)?.[1];
  if (same !== undefined) return [same];
  const [, old = '', next = ''] = /^diff --git a\/(.+?) b\/(.+)$/.exec(line) ?? [];
  return next === '' || next.includes(' b/') ? null : [old, next];
}
