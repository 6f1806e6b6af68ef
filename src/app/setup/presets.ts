// Compares the presets of the package, for a person who chooses one.
import fs from 'node:fs';
import path from 'node:path';
import { loadConfiguration } from '../../config/load.ts';
import { listPresets, type SetupPlan } from './setup.ts';
import { textOf } from './step.ts';

/** A preset in the comparison. */
export interface Preset {
  name: string;
  modes: string[];
  /** The number of its transitions as written, of those with machine checks, and of those that need a person's approval. */
  ways: number;
  checked: number;
  approved: number;
  /** Kinds of checks, without duplicates. */
  checks: string[];
  /** The intended audience; '' if its page does not name one. */
  for: string;
}

/** Titles of the columns. */
export const PRESET_COLUMNS = ['preset', 'modes', 'transitions checked by machine', 'by a person', 'for'] as const;
/** Maximum width of each column in characters, and the minimum to which a narrow terminal may reduce it. */
const WIDTHS = [18, 30, 26, 6, 32] as const;
const NARROWEST = [18, 16, 14, 6, 16] as const;
const GAP = 2;
/** The minimum width of a table. On a narrower terminal, each preset is a block of lines. */
const LEAST = NARROWEST.reduce((sum, width) => sum + width, GAP * (NARROWEST.length - 1));

/** All presets, by name. Throws if the package is damaged. */
export function readPresets(packageRoot: string): Preset[] {
  return listPresets(packageRoot).map((name) => {
    const folder = path.join(packageRoot, 'examples', name);
    const modes = [...(loadConfiguration(folder).topology?.modes.values() ?? [])];
    const allTransitions = modes.flatMap(({ transitions }) => transitions);
    const [, audience = ''] = /^For: (.*?)\.?$/m.exec(textOf(path.join(folder, 'README.md')) ?? '') ?? [];
    return {
      name,
      modes: modes.map((mode) => mode.name),
      ways: allTransitions.length,
      checked: allTransitions.filter(({ require }) => require.length > 0).length,
      approved: allTransitions.filter(({ approve }) => approve !== null).length,
      checks: [...new Set(allTransitions.flatMap(({ require }) => require.map(({ check }) => check)))].sort(),
      for: audience,
    };
  });
}

/** The cells of a preset's row. */
export function presetRow({ name, modes, ways: transitionCount, checked, approved, checks, for: audience }: Preset): string[] {
  const machine = checked === 0 ? `none of ${transitionCount}` : `${checked} of ${transitionCount}: ${checks.join(', ')}`;
  return [name, modes.join(', '), machine, approved === 0 ? '' : String(approved), audience];
}

/** The comparison as a table of at most 120 characters. It fits the terminal unless a single word is wider than its column. */
export function presetTable(presets: readonly Preset[], columns = 120): string {
  if (columns < LEAST) return presets.map((preset) => presetBlock(preset, columns)).join('\n\n');
  const most = widthsIn(columns);
  const rows = [[...PRESET_COLUMNS], ...presets.map(presetRow)];
  const cells = rows.map((row) => row.map((text, at) => wrap(text, most[at] as number)));
  const widths = WIDTHS.map((_, at) => Math.max(...cells.flatMap((row) => (row[at] as string[]).map(({ length }) => length))));
  const lines = cells.flatMap((row) =>
    Array.from({ length: Math.max(...row.map(({ length }) => length)) }, (_, line) =>
      row
        .map((cell, at) => (cell[line] ?? '').padEnd(widths[at] as number))
        .join(' '.repeat(GAP))
        .trimEnd(),
    ),
  );
  return lines.join('\n');
}

/** The name, and one line for each column that is not empty. */
function presetBlock(preset: Preset, columns: number): string {
  const [name = '', ...cells] = presetRow(preset);
  const lines = cells.flatMap((text, at) => (text === '' ? [] : wrap(`${PRESET_COLUMNS[at + 1]}: ${text}`, columns - GAP)));
  return [name, ...lines.map((line) => ' '.repeat(GAP) + line)].join('\n');
}

/** Shrinks the widest column first. */
function widthsIn(columns: number): number[] {
  const widths: number[] = [...WIDTHS];
  const total = (): number => widths.reduce((sum, width) => sum + width, GAP * (widths.length - 1));
  const canGive = (width: number, at: number): boolean => width > (NARROWEST[at] as number);
  while (total() > columns && widths.some(canGive)) {
    const widest = Math.max(...widths.filter(canGive));
    widths[widths.findLastIndex((width, at) => width === widest && canGive(width, at))] = widest - 1;
  }
  return widths;
}

/** Breaks at blanks. A longer word gets its own line. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A short summary of the files to write, by folder and kind. A dialog of the client shows three rows. */
export function planSummary({ root, steps }: SetupPlan): string {
  const names = steps.map(({ file, kind }) => ({ name: path.relative(root, file), changed: kind === 'change' }));
  const kinds = new Map<string, number>();
  for (const { name } of names) {
    const kind = kindOf(name);
    if (kind !== null) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  const counted = [...kinds].map(([kind, count]) => `${count} ${kind}`);
  const single = names
    .filter(({ name }) => kindOf(name) === null)
    .map(({ name, changed }) => `${name}${changed ? ' (changed, a copy is kept)' : ''}`);
  return [...counted, ...single].join(', ');
}

/** null: the file is listed by name. */
function kindOf(name: string): string | null {
  const [, folder] = /^\.claude\/(agents|modes|policies)\//.exec(name) ?? [];
  if (folder !== undefined) return `in .claude/${folder}`;
  if (/^\.claude\/settings\.(?!local\.).+\.json$/.test(name)) return 'settings of modes';
  return /^\.claude\/CLAUDE\..+\.md$/.test(name) ? 'instructions of modes' : null;
}

/** Why a named preset is not written: the project has other modes. null: it has no modes, or those of the preset, edited or not. */
export function refusePreset(root: string, preset: string, packageRoot: string): string | null {
  const present = textOf(path.join(root, '.claude/modes.yaml'));
  if (present === null || !listPresets(packageRoot).includes(preset)) return null;
  const shipped = fs.readFileSync(path.join(packageRoot, 'examples', preset, '.claude/modes.yaml'), 'utf8');
  if (present === shipped || nameOf(present) === nameOf(shipped)) return null;
  return `This project has modes of its own (.claude/modes.yaml), and ${preset} is not written over them. Remove them first; modes init --undo or /modes:setup undo undoes a setup.`;
}

/** `name:` of modes.yaml. A setup keeps it when it fits the rest to the project. */
function nameOf(text: string): string {
  return /^name:\s*(.*?)\s*$/m.exec(text)?.[1] ?? '';
}
