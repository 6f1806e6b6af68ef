// A draft of modes: files in the layout of .claude/, in a folder that the agent may write. A person reads and applies them.
import path from 'node:path';
import { readSources } from '../../config/sources.ts';
import type { ConfigFile } from '../../model/configuration.ts';
import { PROJECT_SHOWN } from '../../platform/layer-folders.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';
import { refusePlace, refuseText, type SetupStep, textOf } from './step.ts';
import { hashOf } from './undo.ts';

/** In the project's root. */
export const DRAFT_FOLDER = 'modes-draft';

export interface Draft {
  /** The present content, with the draft's files replacing those of the same names. */
  content: ConfigSnapshot;
  /** The files that applying it would write; empty if the draft equals the present files. */
  steps: SetupStep[];
  /** Hex hash of everything that would be written, including prose. */
  hash: string;
}

/** Reads the draft on top of the present content. Files that are not in it stay. */
export function readDraft(root: string, present: ConfigSnapshot): Draft | { error: string } {
  const at = { layer: 'project' as const, folder: path.join(root, DRAFT_FOLDER), shown: PROJECT_SHOWN, within: root };
  const { files, faults, strays } = readSources(at);
  if (files.length === 0 && faults.length === 0)
    return {
      error: `There is no draft. It is a folder ${DRAFT_FOLDER}/ with files as in .claude/: modes.yaml, settings.MODE.json, CLAUDE.MODE.md.`,
    };
  const names = files.map(({ name }) => name.slice(PROJECT_SHOWN.length));
  // A link would bring in text that is not part of the draft.
  const refused = names
    .flatMap((name) => [refusePlace(root, `${DRAFT_FOLDER}/${name}`), refuseText(root, `.claude/${name}`)])
    .find((error) => error !== null);
  if (refused !== undefined) return { error: refused };
  const content = present.map((sources) =>
    sources.layer === 'project'
      ? { ...sources, files: merged(sources.files, files), faults: [...sources.faults, ...faults], strays, signature: '' }
      : sources,
  );
  const steps = files.flatMap(({ name, text }) => stepOf(root, name, text) ?? []);
  return { content, steps, hash: hashOf(JSON.stringify(steps.map(({ file, text }) => [file, text]))) };
}

function merged(present: readonly ConfigFile[], drafted: readonly ConfigFile[]): ConfigFile[] {
  const byName = new Map([...present, ...drafted].map((file) => [file.name, file]));
  return [...byName.values()];
}

function stepOf(root: string, name: string, text: string): SetupStep | null {
  const file = path.join(root, '.claude', name.slice(PROJECT_SHOWN.length));
  const before = textOf(file);
  if (before === text) return null;
  return { kind: before === null ? 'create' : 'change', file, what: `from ${DRAFT_FOLDER}/`, before, text };
}
