// Sets a project up: a preset's files, allow rules for our own tools, the status line, lines for .gitignore. The plan is made
// first and then carried out. A setup can be undone.
import fs from 'node:fs';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { isMap, parseDocument } from 'yaml';
import { loadConfiguration } from '../../config/load.ts';
import { homeOf, managedFolders } from '../../facts/paths/place.ts';
import { wasRegistered } from '../../facts/protections/registered.ts';
import { TreeError } from '../../git/file-tree.ts';
import { governedMarker, makeFolder, writeWhole } from '../../platform/data-folder.ts';
import { insteadOf } from '../../platform/nearest-name.ts';
import { readRegular } from '../../platform/read-file.ts';
import { recordTrust } from '../../store/trust.ts';
import { type EngineCommand, engineCommandsOf, UsedFiles } from '../../workflow/gates/uses.ts';
import { readProject } from '../project-survey/files.ts';
import { type ProjectSurvey, surveyProject } from '../project-survey/survey.ts';
import { type Fit, fitLines, fitPreset, fitSummary } from './fit.ts';
import { localSettings, placeScript, statusLineStep } from './statusline.ts';
import { exists, keepCopy, maxChangedBytes, objectOf, refuseText, type SetupStep, textOf } from './step.ts';
import { checkRecord, hashOf, recordSetup, type Written } from './undo.ts';
import { ignoredBy, manualSetup, register } from './without-plugin.ts';

export interface SetupPlan {
  root: string;
  preset: string;
  steps: SetupStep[];
  /** True if every file that configures modes comes from this plan. */
  whole: boolean;
  /** True if it includes the status line. */
  statusLine: boolean;
  packageRoot: string;
  /** The changes of the preset's files that suit the project; null: none of them is written. */
  fit: Fit | null;
  /** Without the plugin: the line that records the server; null: no line is added. */
  registers?: string | null;
}

export interface SetupRequest {
  root: string;
  preset: string;
  packageRoot: string;
  /** The client's own folder and the user's home folder, which are not projects. */
  configFolder: string;
  home: string;
  /** False: no status line. */
  statusLine?: boolean;
  /** advise: every mode only advises. Nothing is stopped, and the user sees what would be. */
  enforcement?: 'preset' | 'advise';
  /** The result of a survey of the project. If absent, the project is surveyed now. */
  survey?: ProjectSurvey;
  /**
   * project: registers the server and the hooks in the project, without the plugin. present: keeps the present kind of
   * installation.
   */
  registration?: 'present' | 'project';
}

/** Tools of the model that always print allow. With these rules, the client does not ask either when hooks are late. */
const modesTools = ['mcp__plugin_modes_modes__status', 'mcp__plugin_modes_modes__transition'];
const ignored = [
  '.claude/mode-state.json',
  '.claude/mode.sock*',
  '.claude/settings.*.local.json',
  localSettings,
  '.claude/*.before-*',
];

/** The files that a setup would write. Existing files are not overwritten, and a changed file is kept as a copy. */
export function planSetup(request: SetupRequest): SetupPlan | { error: string } {
  const { root, preset, packageRoot, configFolder, home } = request;
  const presets = listPresets(packageRoot);
  if (!presets.includes(preset)) {
    return { error: `There is no preset ${JSON.stringify(preset)}. ${insteadOf(preset, presets, 'Presets')}` };
  }
  const isClients =
    path.basename(root) === '.claude' || [root, path.join(root, '.claude')].some((one) => isSame(one, configFolder));
  if (root === '/' || isSame(root, home) || isClients)
    return { error: `${root} is not a project folder. Run this in the folder of a project.` };
  const modes = path.join(root, '.claude/modes.yaml');
  const configured = exists(modes);
  if (configured && !fs.existsSync(modes)) return { error: '.claude/modes.yaml is a broken link; remove it first.' };
  const source = path.join(packageRoot, 'examples', preset, '.claude');
  const names = configured ? [] : filesBelow(source).map((name) => `.claude/${name}`);
  const blocked = [...names, '.claude/settings.json', ...(request.statusLine === false ? [] : [localSettings]), '.gitignore']
    .map((name) => refuseText(root, name))
    .find((error) => error !== null);
  if (blocked !== undefined) return { error: blocked };
  const present = names.filter((name) => exists(path.join(root, name)));
  if (present.length > 0)
    return { error: `These files already exist and are not overwritten: ${present.join(', ')}. Move them first.` };
  const files = names.map((name) => ({ name, text: fs.readFileSync(path.join(source, '..', name), 'utf8') }));
  const isAdvising = request.enforcement === 'advise' && !configured;
  const fit = configured ? null : fitPreset(preset, files, request.survey ?? surveyProject(readProject(root)));
  const fitted = (fit?.files ?? []).map(({ name, text }) => ({
    name,
    text: isAdvising && name === '.claude/modes.yaml' ? withAdvice(text) : text,
  }));
  const steps: SetupStep[] = fitted.map(({ name, text }, at) => ({
    kind: 'create',
    file: path.join(root, name),
    what: `from the preset ${preset}${text === files[at]?.text ? '' : ', fitted to this project'}`,
    before: null,
    text,
  }));
  const dataFolder = path.join(configFolder, 'modes-data');
  const isManual =
    request.registration === 'project' || wasRegistered({ root: fs.realpathSync.native(root), dataFolder, managedFolders });
  const allow = isManual ? null : allowStep(path.join(root, '.claude/settings.json'));
  if (allow !== null && 'error' in allow) return allow;
  if (allow !== null) steps.push(allow);
  const line = request.statusLine === false ? null : statusLineStep(request);
  if (line !== null && 'error' in line) return line;
  const hand = isManual
    ? manualSetup({ root: fs.realpathSync.native(root), packageRoot, dataFolder, node: process.execPath, line })
    : null;
  if (hand !== null && 'error' in hand) return hand;
  steps.push(...(hand?.steps ?? (line === null ? [] : [line])));
  const ignore = ignoreStep(path.join(root, '.gitignore'), hand === null ? ignored : [...ignored, ...ignoredBy(hand)]);
  if (ignore !== null) steps.push(ignore);
  const make = makefileStep(root);
  if (make !== null) steps.push(make);
  const registers = hand?.registers ?? null;
  return { root, preset, steps, whole: !configured, statusLine: line !== null, packageRoot, fit, registers };
}

/** The same modes.yaml, with `enforcement: advise` in every mode. Comments and layout stay. */
export function withAdvice(text: string): string {
  const modes = parseDocument(text).get('modes');
  const starts = isMap(modes) ? modes.items.flatMap(({ value }) => (isMap(value) && value.range ? [value.range[0]] : [])) : [];
  return starts.reverse().reduce((before, at) => {
    const indent = ' '.repeat(at - (before.lastIndexOf('\n', at - 1) + 1));
    return `${before.slice(0, at)}enforcement: advise # nothing is stopped; modes stats shows what would be\n${indent}${before.slice(at)}`;
  }, text);
}

/** Whether there is nothing to do. */
export function isDone({ steps, registers }: SetupPlan): boolean {
  return steps.length === 0 && (registers ?? null) === null;
}

/** The question to a person, in one line. */
export function setupQuestion({ preset, steps, statusLine, fit }: SetupPlan): string {
  const created = steps.filter(({ kind }) => kind === 'create').length;
  const line = statusLine ? ', with a status line for you' : '';
  const found = fit === null ? '' : fitSummary(fit);
  return `${found}Set this project up with the preset ${preset}${line}: ${created} new files, ${steps.length - created} changed (copies are kept)?`;
}

/** The purpose of each file of a preset, by its name below `.claude`. */
const purposes: readonly [name: RegExp, purpose: (mode: string) => string][] = [
  [/^modes\.yaml$/, () => 'the modes, their transitions and gates'],
  [/^settings\.any\.json$/, () => 'permissions in every mode'],
  // The client's own.
  [/^settings\.local\.json$/, () => ''],
  [/^settings\.(.+)\.json$/, (mode) => `permissions in ${mode}`],
  [/^CLAUDE\.(.+)\.md$/, (mode) => `instructions in ${mode}`],
  [/^modes\/([^/]+)\//, (mode) => `more instructions in ${mode}`],
  [/^agents\/(.+)\.md$/, (agent) => `the subagent ${agent}`],
  [/^policies\/.*(?:_test\.rego|\.cases\.yaml)$/, () => 'tests of the rules and policies'],
  [/^policies\/.*\.rego$/, () => 'a policy'],
];

function purposeOf(file: string): string {
  const name = file.replace(/^\.claude\//, '');
  const [found] = purposes.flatMap(([form, purpose]) => {
    const match = form.exec(name);
    return match === null ? [] : [purpose(match[1] ?? '')];
  });
  return found === undefined || found === '' ? '' : `: ${found}`;
}

/** The plan as text for a person: the files and what they do, what was found in the project, and how the preset is fitted to it. */
export function setupText({ root, steps, fit }: SetupPlan): string {
  const files = steps.map((step) => {
    const name = path.relative(root, step.file);
    return `${step.kind === 'create' ? '+' : '~'} ${name}  (${step.what})${purposeOf(name)}`;
  });
  return (fit === null ? files : [...fitLines(fit), 'Files:', ...files]).join('\n');
}

/**
 * Carries the plan out and returns a line for each action. Trusts the content only if all of it was written here. If a file has
 * changed since the plan was made, throws and writes nothing.
 */
export function runSetup(plan: SetupPlan, dataFolder: string, at: Date): string[] {
  for (const { file, before } of plan.steps) {
    if (textOf(file) !== before)
      throw new Error(`${path.relative(plan.root, file)} has changed in the meantime; nothing was written`);
  }
  const { registers = null } = plan;
  const done: string[] = [];
  const written: Written[] = [];
  if (plan.statusLine) placeScript(dataFolder, plan.packageRoot);
  const root = fs.realpathSync(plan.root);
  checkRecord(dataFolder, root);
  try {
    for (const { file, before, text } of plan.steps) {
      const name = path.relative(plan.root, file);
      fs.mkdirSync(path.dirname(file), { recursive: true });
      const backup = before === null ? null : keepCopy(file, 'before-modes');
      if (backup === null) fs.writeFileSync(file, text, { mode: 0o644, flag: 'wx' });
      const copy =
        backup === null ? null : { name: path.relative(plan.root, backup), hash: hashOf(readRegular(backup, maxChangedBytes)) };
      written.push({ name, backup: copy, hash: hashOf(text) });
      if (backup !== null) fs.writeFileSync(file, text);
      done.push(backup === null ? `wrote ${name}` : `changed ${name} (before: ${path.basename(backup)})`);
    }
  } finally {
    // If a later step fails, the finished steps can still be undone.
    if (written.length > 0 || registers !== null) recordSetup(dataFolder, root, { written, registered: registers }, at);
  }
  if (registers !== null) {
    register(dataFolder, registers);
    done.push('registered the server of Modes in this project as yours');
  }
  const marker = governedMarker(dataFolder, root);
  makeFolder(path.dirname(marker));
  writeWhole(marker, '');
  if (plan.whole) done.push(...trustWrittenFiles(plan, root, dataFolder, at));
  return done;
}

/** Approves the content if it consists only of the plan's files, exactly as they were written. */
function trustWrittenFiles(plan: SetupPlan, root: string, dataFolder: string, at: Date): string[] {
  const { hash, files, problems, topology } = loadConfiguration(root);
  const written = new Map(plan.steps.map((step) => [path.relative(plan.root, step.file), step.text]));
  const others = files.filter((file) => written.get(file.name) !== file.text).map((file) => file.name);
  if (others.length > 0)
    return [`not trusted, because ${others.join(', ')} already existed; review and approve it with modes trust`];
  if (problems.some((problem) => problem.severity === 'error'))
    return ['not trusted, because there are errors; run modes validate to see them'];
  const { approvalHash, notices } = approveUsedFiles(root, dataFolder, hash, engineCommandsOf(topology));
  recordTrust(dataFolder, root, hash, 'init', at, approvalHash);
  return [...notices, `trusted ${approvalHash}`];
}

/**
 * Approves the present files that the gates' own commands use, so that the engine may run them. Returns the hash that
 * `modes validate` shows, and the files as `modes trust` lists them. If a file cannot be read, the hash covers the configuration
 * alone, and the engine runs nothing.
 */
function approveUsedFiles(
  root: string,
  dataFolder: string,
  hash: string,
  checks: readonly EngineCommand[],
): { approvalHash: string; notices: string[] } {
  try {
    const used = new UsedFiles(root, homeOf(process.env), dataFolder);
    const [approvalHash, notices] = [used.approvalHashOf(hash, checks), used.describeChanges(checks)];
    used.trust(hash, checks, approvalHash);
    return { approvalHash, notices };
  } catch (error) {
    if (error instanceof TreeError) return { approvalHash: hash, notices: [error.message] };
    throw error;
  }
}

/** The presets of the package. */
export function listPresets(packageRoot: string): string[] {
  const folder = path.join(packageRoot, 'examples');
  return fs
    .readdirSync(folder)
    .filter((name) => exists(path.join(folder, name, '.claude', 'modes.yaml')))
    .sort();
}

function allowStep(file: string): SetupStep | { error: string } | null {
  const before = textOf(file);
  const value = objectOf(before ?? '{}');
  if (value === null) return { error: `${file} is not a JSON object; fix it first.` };
  const { permissions = {} } = value;
  const present = (permissions as { allow?: unknown } | null)?.allow ?? [];
  if (typeof permissions !== 'object' || permissions === null || Array.isArray(permissions) || !Array.isArray(present))
    return { error: `permissions.allow of ${file} is not a list; fix it first.` };
  const missing = modesTools.filter((name) => !present.includes(name));
  if (missing.length === 0) return null;
  const edits = modify(before ?? '{}\n', ['permissions', 'allow'], [...present, ...missing], {
    formattingOptions: { insertSpaces: true, tabSize: 2 },
  });
  return {
    kind: before === null ? 'create' : 'change',
    file,
    what: 'lets the model call status and transition',
    before,
    text: applyEdits(before ?? '{}\n', edits),
  };
}

function ignoreStep(file: string, wanted: readonly string[]): SetupStep | null {
  const before = textOf(file);
  const text = before ?? '';
  const lines = new Set(text.split(/\r?\n/).map((line) => line.trim()));
  const missing = wanted.filter((line) => !lines.has(line));
  if (missing.length === 0) return null;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const added = `${text}${text === '' || text.endsWith('\n') ? '' : end}${missing.join(end)}${end}`;
  return { kind: before === null ? 'create' : 'change', file, what: 'ignores the run-time files', before, text: added };
}

function filesBelow(folder: string): string[] {
  return (fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }) as string[])
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .sort();
}

/** True if both names refer to the same existing folder. */
function isSame(one: string, other: string): boolean {
  const [left, right] = [one, other].map((name) => fs.statSync(name, { throwIfNoEntry: false }));
  return left !== undefined && right !== undefined && left.dev === right.dev && left.ino === right.ino;
}

/** In the order in which make searches for them. */
const NAMES = ['GNUmakefile', 'makefile', 'Makefile'] as const;
const HAS_TARGET = /^(?:[^\t#:=\r\n]*[ \t])?policy-test(?:[ \t][^:=\r\n]*)?&?::?(?!=)/m;
const TARGET = `MODES ?= modes

.PHONY: policy-test
policy-test: ## test the rules and policies of .claude
\t$(MODES) policy test
`;

/**
 * Appends the target to the project's Makefile. null if there is none, if it already has a target of that name, or if it is not a
 * regular text file.
 */
export function makefileStep(root: string): SetupStep | null {
  const name = NAMES.find((one) => exists(path.join(root, one)));
  if (name === undefined || refuseText(root, name) !== null) return null;
  const file = path.join(root, name);
  const before = textOf(file);
  if (before === null || HAS_TARGET.test(before)) return null;
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return { kind: 'change', file, what: 'adds the target policy-test', before, text: `${before}${gap}${TARGET}` };
}
