// Lists the files of a layer's folder that belong to its configuration, and detects from their metadata whether one may have
// changed. It opens no file.
import nodeFs from 'node:fs';
import { join, sep } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Code } from '../model/problem-codes.ts';
import { isTrustedOwner, type LayerFolder, projectLayer } from '../platform/layer-folders.ts';
import { isPolicyName, parseInstructionsName, parseSettingsName, TEAM_FILE } from './names.ts';
import { describeProblem, quote } from './text.ts';

/** The functions of node:fs that are used; a test can pass its own. */
export type FileSystem = Pick<
  typeof nodeFs,
  'closeSync' | 'fstatSync' | 'lstatSync' | 'openSync' | 'readdirSync' | 'readSync' | 'realpathSync' | 'statSync'
>;

/** A folder to be read. Names that begin with `shown` are in it. */
export interface Surveyed {
  /** An absolute path. */
  base: string;
  shown: string;
  /** The real path that links may not leave; null if they may lead anywhere. */
  within: string | null;
}

export interface Survey extends Surveyed {
  /** An absolute real path: the root of a project, else the folder itself. */
  root: string;
  /** Names of files to read, as shown. modes.yaml is always the first, even if it does not exist. */
  files: string[];
  /** Names of the folders that were read, or that do not exist. */
  folders: string[];
  /** Names that look like configuration but are not. */
  unrecognizedFiles: string[];
  faults: Problem[];
}

const MAX_FILES = 1000;
const MAX_FOLDER_DEPTH = 12;
const LOOKALIKE = /^(modes?|settings?)[._-].*(json|jsonc|json5|ya?ml)$|^claude\..+\.md$/i;
/** A Rego file with another ending, or data: policies read no other files. */
const POLICY_LOOKALIKE = /\.rego\W*(?:\w+)?$|\.reg$|\.(?:json|ya?ml)$/i;
const REGO = /\.rego$/i;
const POLICY_FOLDER_LOOKALIKE = /^(?:policy|rego|opa)$/i;
/** The client's own files, Modes' files without a mode, and files of neither. */
const NOT_CONFIGURATION: ReadonlySet<string> = new Set([
  'settings.json',
  'settings.local.json',
  'CLAUDE.md',
  'CLAUDE.local.md',
  'mode-state.json',
  'modes.yaml',
]);

/** True if a path is the folder or is inside it. Both must be absolute and real. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** The error code of the operating system, such as `ENOENT`. */
export function getErrorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** The path of a name. */
export function pathOf({ base, shown }: Surveyed, name: string): string {
  return join(base, name.slice(shown.length));
}

/** Lists the configuration in a layer's folder. A string is the root of a project. Never throws. */
export function surveyConfiguration(at: string | LayerFolder, fs: FileSystem = nodeFs): Survey {
  return typeof at === 'string' ? surveyProject(at, fs) : surveyFolder(at, fs);
}

function surveyProject(root: string, fs: FileSystem): Survey {
  const survey: Survey = { ...emptySurvey(projectLayer(root)), root };
  try {
    fs.realpathSync(root);
    return surveyFolder(projectLayer(root), fs);
  } catch (error) {
    addFault(
      survey,
      'E_UNREADABLE',
      `The project's folder cannot be read (${getErrorCode(error)}).`,
      'Check the path.',
      '.claude',
    );
    return survey;
  }
}

function emptySurvey({ folder, shown, within }: LayerFolder): Survey {
  const root = within ?? folder;
  return { root, base: folder, shown, within, files: [`${shown}modes.yaml`], folders: [], unrecognizedFiles: [], faults: [] };
}

function surveyFolder(at: LayerFolder, fs: FileSystem): Survey {
  const survey = emptySurvey(at);
  const { shown } = at;
  const whole = shown.slice(0, -1);
  const top = listFolder(whole, survey, fs);
  if (top === null) {
    if (survey.faults.length > 0) survey.files = [];
    return survey;
  }
  for (const name of top.names) {
    const path = `${shown}${name}`;
    if (NOT_CONFIGURATION.has(name)) continue;
    if (name === TEAM_FILE && at.layer !== 'project') survey.files.push(path);
    if (parseSettingsName(path, shown) !== null || parseInstructionsName(path, shown) !== null) survey.files.push(path);
    else if (LOOKALIKE.test(name) || REGO.test(name) || name === TEAM_FILE) survey.unrecognizedFiles.push(path);
    else if (POLICY_FOLDER_LOOKALIKE.test(name) && isFolder(path, survey, fs))
      for (const file of listFolder(path, survey, fs)?.names ?? [])
        if (REGO.test(file)) survey.unrecognizedFiles.push(`${path}/${file}`);
  }
  for (const mode of listFolder(`${shown}modes`, survey, fs)?.names ?? []) {
    const folder = `${shown}modes/${mode}`;
    if (!isFolder(folder, survey, fs)) survey.unrecognizedFiles.push(folder);
    else {
      const paths = (listFolder(folder, survey, fs)?.names ?? []).map((name) => `${folder}/${name}`);
      survey.files = survey.files.concat(paths.filter((path) => parseInstructionsName(path, shown) !== null));
    }
  }
  listPolicies(`${shown}policies`, 0, new Set(), survey, fs);
  if (survey.files.length > MAX_FILES) {
    const message = `There are ${survey.files.length} files of configuration; at most ${MAX_FILES} are read.`;
    addFault(survey, 'E_TOO_MANY_FILES', message, 'Remove files that do not belong there.', whole);
    survey.files.length = MAX_FILES;
  }
  if (at.layer !== 'project') keepProjectLines(survey, top.real, fs);
  return survey;
}

/**
 * The folder of the user or the organization counts only if it belongs to them or root. The client's other files in it are not
 * reported.
 */
function keepProjectLines(survey: Survey, real: string, fs: FileSystem): void {
  // Other files in the client's folder look like parts of a project's configuration.
  survey.unrecognizedFiles = [];
  const hasAny = survey.files.length > 1 || isThere(join(real, 'modes.yaml'), fs);
  const { uid } = fs.statSync(real);
  if (!hasAny || isTrustedOwner(uid)) return;
  survey.files = [];
  const name = survey.shown.slice(0, -1);
  const message = `${quote(name)} belongs to another user of this machine (${uid}), who could change its content.`;
  addFault(survey, 'E_FOREIGN_OWNER', message, 'Change its owner to yourself or root, or move the configuration.', name);
}

function isThere(path: string, fs: FileSystem): boolean {
  try {
    return fs.lstatSync(path) !== undefined;
  } catch (error) {
    return getErrorCode(error) !== 'ENOENT';
  }
}

function addFault(survey: Survey, code: Code, message: string, remedy: string, name: string): void {
  survey.faults.push(describeProblem(code, message, remedy, name));
}

/** Sorted names in a folder, without hidden ones, and its real path. Null if it is missing or cannot be used. */
function listFolder(name: string, survey: Survey, fs: FileSystem): { names: string[]; real: string } | null {
  survey.folders.push(name);
  const path = pathOf(survey, name);
  try {
    const real = fs.realpathSync(path);
    if (survey.within !== null && !isInside(real, survey.within)) {
      addFault(
        survey,
        'E_LEAVES_PROJECT',
        `${quote(name)} is a link to ${quote(real)}, out of the project.`,
        'Put the folder itself there.',
        name,
      );
      return null;
    }
    const names = fs.readdirSync(real).filter((entry) => !entry.startsWith('.'));
    return { names: names.sort(), real };
  } catch (error) {
    const code = getErrorCode(error);
    if (code === 'ENOENT' && !isLink(path, fs)) return null;
    if (code === 'ENOTDIR') addFault(survey, 'E_NOT_A_FOLDER', `${quote(name)} is not a folder.`, 'Move it.', name);
    else
      addFault(
        survey,
        'E_UNREADABLE',
        `The folder ${quote(name)} cannot be read (${code}).`,
        'Check where it leads and who may read it.',
        name,
      );
    return null;
  }
}

/** True for a symbolic link with any target. */
export function isLink(path: string, fs: FileSystem): boolean {
  try {
    return fs.lstatSync(path).isSymbolicLink();
  } catch (error) {
    return getErrorCode(error) !== 'ENOENT';
  }
}

/** An entry that cannot be inspected counts as a folder. Then listing it reports the reason. */
function isFolder(name: string, survey: Survey, fs: FileSystem): boolean {
  try {
    return fs.statSync(pathOf(survey, name)).isDirectory();
  } catch (error) {
    return getErrorCode(error) !== 'ENOENT';
  }
}

function listPolicies(folder: string, depth: number, visited: Set<string>, survey: Survey, fs: FileSystem): void {
  if (depth > MAX_FOLDER_DEPTH) {
    const message = `Folders of policies are nested more than ${MAX_FOLDER_DEPTH} deep.`;
    addFault(survey, 'E_TOO_DEEP', message, 'Move the policies up.', folder);
    return;
  }
  const list = listFolder(folder, survey, fs);
  if (list === null || visited.has(list.real) || survey.files.length > MAX_FILES) return;
  visited.add(list.real);
  for (const name of list.names) {
    const path = `${folder}/${name}`;
    if (isPolicyName(path, survey.shown)) survey.files.push(path);
    else if (isFolder(path, survey, fs)) listPolicies(path, depth + 1, visited, survey, fs);
    else if (POLICY_LOOKALIKE.test(name) && !/_test\.rego$|\.cases\.yaml$/.test(name)) survey.unrecognizedFiles.push(path);
  }
}

interface FingerprintEntry {
  /** The name as a person sees it. */
  name: string;
  /**
   * Device, inode, size in bytes, modification and change time in ms. Or the error code of the system, such as `ENOENT` for a
   * missing file.
   */
  state: string;
}

export interface Fingerprint {
  entries: FingerprintEntry[];
  /** True if a file changed so recently that another change could leave the same times. */
  young: boolean;
}

/** File systems store times in steps of up to 10 ms (the kernel's tick). Twice that is safe. */
const TICK_MS = 20;
/**
 * The clock of a file server may be this far ahead. A later time was set by hand, or before the clock was set back: the next
 * change gets another time.
 */
const AHEAD_MS = 10 * 60_000;

/**
 * The metadata of the files and folders that loading reads, including missing ones. Take it before loading, so that a change
 * during loading is noticed. Never throws.
 */
export function fingerprint(at: string | LayerFolder, fs: FileSystem = nodeFs, now: () => number = Date.now): Fingerprint {
  const survey = surveyConfiguration(at, fs);
  const takenAt = now();
  let young = false;
  const names = [...survey.folders, ...survey.files, ...survey.unrecognizedFiles];
  const entries = names.map((name) => {
    try {
      const stat = fs.statSync(pathOf(survey, name));
      young ||= [stat.mtimeMs, stat.ctimeMs].some((time) => time > takenAt - TICK_MS && time < takenAt + AHEAD_MS);
      return { name, state: [stat.dev, stat.ino, stat.size, stat.mtimeMs, stat.ctimeMs].join(' ') };
    } catch (error) {
      return { name, state: getErrorCode(error) };
    }
  });
  return { entries, young };
}

/** True only if nothing can have changed between the two. The first must not be young. */
export function isUnchanged(before: Fingerprint, after: Fingerprint): boolean {
  return (
    !before.young &&
    before.entries.length === after.entries.length &&
    before.entries.every(({ name, state }, index) => after.entries[index]!.name === name && after.entries[index]!.state === state)
  );
}
