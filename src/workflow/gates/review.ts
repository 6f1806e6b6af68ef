// The input of `review:`: the changes since the entry into the mode and the journal, without files that rules deny reading.

import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { binaryOf, changedFiles, diffOf, GitError, headOf, uncommittedIgnores, untracked } from '../../git/run.ts';
import { hiddenChanges, otherIds, otherTexts, uncommittedBelow } from '../../git/uncommitted.ts';
import { readRegular } from '../../platform/read-file.ts';
import type { GateEngine, GateRequest, JournalExcerpt } from './engine.ts';

/** One JSON object on standard input; docs/gates.md describes it. */
export interface ReviewInput extends GateRequest {
  version: 1;
  root: string;
  /**
   * The commit that `diff` compares with: that of the entry into the mode, or the present one if the mode was never entered;
   * null: there was none.
   */
  base: string | null;
  /** Output of git for the tracked files. */
  diff: string;
  /** Files that git does not track yet. */
  untracked: { path: string; text: string }[];
  left_out: { path: string; why: string }[];
  journal: readonly JournalExcerpt[];
}

/** Limit on the characters of all changes together. The command fails beyond it: a review of a part would not cover the rest. */
const maxLength = 8_000_000;
/** Files that are checked against the rules before other work gets a turn. */
const perTurn = 50;

/**
 * @param entered undefined: unknown
 * @throws {GitError} if the changes cannot be determined, or are too long
 */
export async function reviewInput(root: string, entered: string | null | undefined, engine: GateEngine): Promise<ReviewInput> {
  const base = entered === undefined ? await headOf(root) : entered;
  const left_out: ReviewInput['left_out'] = [];
  const openOf = async (names: string[]): Promise<string[]> => {
    const open: string[] = [];
    for (const [at, name] of names.entries()) {
      // A long list must not delay decisions for the session.
      if (at % perTurn === 0) await setImmediate();
      if (engine.hides(name)) left_out.push({ path: name, why: 'a rule denies reading it' });
      else open.push(name);
    }
    return open;
  };
  const changed = await openOf(await changedFiles(root, base));
  const fresh = await openOf(await untracked(root));
  const binary = new Set(await binaryOf(root, base, changed));
  const asText: string[] = [];
  for (const name of binary) {
    const text = textOf(path.join(root, name));
    if (typeof text === 'string') asText.push(name);
    else left_out.push({ path: name, ...text });
  }
  const shown = changed.filter((name) => !binary.has(name));
  const diff = (await diffOf(root, base, shown)) + (await diffOf(root, base, asText, true));
  const leave = (names: string[], why: string) => left_out.push(...names.map((name) => ({ path: name, why })));
  leave(await hiddenChanges(root), 'git treats it as unchanged, but it has changed');
  leave(await uncommittedBelow(root), 'it is in a submodule, and is not committed there');
  leave(await uncommittedIgnores(root), 'it hides files from git, and is not committed');
  leave(await otherIds(root), 'git does not show the value of its $Id$');
  leave(await otherTexts(root), 'git shows a different text because of its encoding');
  const texts = fresh.flatMap((name) => {
    const text = textOf(path.join(root, name));
    if (typeof text === 'object') left_out.push({ path: name, ...text });
    return typeof text === 'string' ? [{ path: name, text }] : [];
  });
  if (texts.reduce((sum, { text }) => sum + text.length, diff.length) > maxLength)
    throw new GitError(`the changes are longer than ${maxLength} characters`);
  const { request, journal } = engine;
  return { version: 1, ...request, root, base, diff, untracked: texts, left_out, journal };
}

const maxBytes = 1_048_576;

function textOf(file: string): string | { why: string } {
  try {
    const stat = fs.lstatSync(file);
    if (!stat.isFile()) return { why: 'it is not a regular file' };
    if (stat.size > maxBytes) return { why: `it has ${stat.size} bytes` };
    const bytes = readRegular(file, maxBytes, { noFollow: true });
    return isUtf8(bytes) ? bytes.toString('utf8') : { why: 'it is not text' };
  } catch (error) {
    return { why: `it cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
