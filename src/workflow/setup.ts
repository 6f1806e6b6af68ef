// Setting a project up: a preset's files, the allow rules for our own tools, lines for git to ignore. Planned first, then done.
import fs from 'node:fs';
import path from 'node:path';
import { applyEdits, modify, parse } from 'jsonc-parser';
import { governedMarker, makeFolder, writeWhole } from '../config/folders.ts';
import { loadConfiguration } from '../config/load.ts';
import { recordTrust } from '../config/trust.ts';

export interface SetupStep {
  kind: 'create' | 'change';
  /** Absolute. */
  file: string;
  /** What, for a person. */
  what: string;
  text: string;
}

export interface SetupPlan {
  root: string;
  preset: string;
  steps: SetupStep[];
  /** True when every file that configures modes comes from this plan. */
  whole: boolean;
}

export interface SetupAsked {
  root: string;
  preset: string;
  packageRoot: string;
  configFolder: string;
}

/** Names of the model's tools that print allow anyway; with the rules the client does not ask either when hooks are late. */
const ownTools = ['mcp__plugin_modes_modes__status', 'mcp__plugin_modes_modes__transition'];
const ignored = ['.claude/mode-state.json', '.claude/mode.sock*', '.claude/settings.*.local.json'];

/** What setting up would write. Nothing that is there is overwritten; a file that is changed is kept beside. */
export function planSetup({ root, preset, packageRoot }: SetupAsked): SetupPlan | { error: string } {
  const presets = listPresets(packageRoot);
  if (!presets.includes(preset)) return { error: `There is no preset ${JSON.stringify(preset)}. Presets: ${presets.join(', ')}.` };
  const steps: SetupStep[] = [];
  const claude = path.join(root, '.claude');
  const configured = exists(path.join(claude, 'modes.yaml'));
  if (!configured) {
    const source = path.join(packageRoot, 'examples', preset, '.claude');
    const names = filesBelow(source);
    const present = names.filter((name) => exists(path.join(claude, name)));
    if (present.length > 0) return { error: `Already there, and not overwritten: ${present.map((name) => `.claude/${name}`).join(', ')}. Move them away first.` };
    for (const name of names) steps.push({ kind: 'create', file: path.join(claude, name), what: `from the preset ${preset}`, text: fs.readFileSync(path.join(source, name), 'utf8') });
  }
  const allow = allowStep(path.join(claude, 'settings.json'));
  if (allow !== null && 'error' in allow) return allow;
  if (allow !== null) steps.push(allow);
  const ignore = ignoreStep(path.join(root, '.gitignore'));
  if (ignore !== null) steps.push(ignore);
  return { root, preset, steps, whole: !configured };
}

/** The plan for a person to read. */
export function setupText(plan: SetupPlan): string {
  return plan.steps.map((step) => `${step.kind === 'create' ? '+' : '~'} ${path.relative(plan.root, step.file)}  (${step.what})`).join('\n');
}

/** Carries the plan out; gives a line for each thing done. Trusts the content only when all of it was written here. */
export function runSetup(plan: SetupPlan, dataFolder: string, at: Date): string[] {
  const done: string[] = [];
  for (const step of plan.steps) {
    fs.mkdirSync(path.dirname(step.file), { recursive: true });
    const name = path.relative(plan.root, step.file);
    if (exists(step.file)) {
      if (step.kind === 'create') throw new Error(`${name} appeared meanwhile; nothing more was written`);
      const backup = `${step.file}.before-modes`;
      if (!exists(backup)) fs.copyFileSync(step.file, backup, fs.constants.COPYFILE_EXCL);
      done.push(`changed ${name} (before: ${path.basename(backup)})`);
    } else done.push(`wrote ${name}`);
    writeText(step.file, step.text);
  }
  const root = fs.realpathSync(plan.root);
  const marker = governedMarker(dataFolder, root);
  makeFolder(path.dirname(marker));
  writeWhole(marker, '');
  if (plan.whole) {
    const { hash } = loadConfiguration(root);
    recordTrust(dataFolder, root, hash, 'init', at);
    done.push(`trusted ${hash}`);
  }
  return done;
}

/** Presets that come with the package. */
export function listPresets(packageRoot: string): string[] {
  const folder = path.join(packageRoot, 'examples');
  return fs.readdirSync(folder).filter((name) => exists(path.join(folder, name, '.claude', 'modes.yaml'))).sort();
}

function allowStep(file: string): SetupStep | { error: string } | null {
  const before = exists(file) ? fs.readFileSync(file, 'utf8') : '{}\n';
  const value = parse(before, [], { allowTrailingComma: true }) as { permissions?: { allow?: unknown } } | undefined;
  if (typeof value !== 'object' || value === null) return { error: `${file} is not a JSON object; mend it first.` };
  const present = value.permissions?.allow ?? [];
  if (!Array.isArray(present)) return { error: `permissions.allow of ${file} is not a list; mend it first.` };
  const missing = ownTools.filter((name) => !present.includes(name));
  if (missing.length === 0) return null;
  const edits = modify(before, ['permissions', 'allow'], [...present, ...missing], { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  return { kind: exists(file) ? 'change' : 'create', file, what: 'lets the model call status and transition', text: applyEdits(before, edits) };
}

function ignoreStep(file: string): SetupStep | null {
  const before = exists(file) ? fs.readFileSync(file, 'utf8') : '';
  const lines = new Set(before.split(/\r?\n/));
  const missing = ignored.filter((line) => !lines.has(line));
  if (missing.length === 0) return null;
  const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${missing.join('\n')}\n`;
  return { kind: exists(file) ? 'change' : 'create', file, what: 'ignores the run-time files', text };
}

function filesBelow(folder: string): string[] {
  return (fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[]).filter((name) => fs.statSync(path.join(folder, name)).isFile()).sort();
}

function writeText(file: string, text: string): void {
  fs.writeFileSync(file, text, { mode: 0o644 });
}

function exists(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false }) !== undefined;
}
