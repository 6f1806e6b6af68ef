// The files of a configuration → the configuration. Pure: what is on a disk comes in as data.
import { compareNames, hashConfiguration } from './hash.ts';
import { ANY, isPolicyName, MODES_FILE, parseInstructionsName, parseSettingsName } from './names.ts';
import type { Problem } from './problem.ts';
import { limitProblems } from './report.ts';
import { readSettings } from './settings.ts';
import type { Sources } from './sources.ts';
import { nearest } from './suggest.ts';
import { describeProblem, locateProblem, openText, quote } from './text.ts';
import { findReachable, readTopology } from './topology.ts';
import type { ConfigFile, Configuration, ModeSettings, Topology } from './types.ts';

/** Guessing what a file should be called takes time for each mode. */
const MAX_STRAYS = 20;

/** Reads a configuration from its files. Never throws: everything wrong is in `problems`. */
export function readConfiguration(sources: Sources): Configuration {
  const files = [...sources.files].sort(compareNames);
  const faults = sources.faults ?? [];
  const problems: Problem[] = [];
  const modesFile = files.find((file) => file.name === MODES_FILE);
  const add = limitProblems(problems);
  const addAll = (found: Iterable<Problem>) => {
    for (const problem of found) add(problem.file ?? '', problem.code, () => problem);
  };
  const reading = modesFile === undefined ? null : readTopology(modesFile);
  const topology = reading?.topology ?? null;
  const names = reading?.names ?? null;
  const unreadable = faults.some((fault) => fault.file === MODES_FILE || fault.file === '.claude');
  if (reading !== null) addAll(reading.problems);
  else if (!unreadable) addAll([reportNoModes(sources.strays ?? [])]);

  const lost = findLostFiles(listNames(files, faults), names);
  addAll(faults.filter((fault) => !lost.has(fault.file ?? '')));
  const { settings, problems: settingsProblems } = joinSettings(
    files.filter((file) => !lost.has(file.name)),
    topology,
    names,
  );
  addAll(settingsProblems);
  addAll(lost.values());
  addAll((sources.strays ?? []).slice(0, MAX_STRAYS).map((name) => reportStray(name, names)));
  if (topology && modesFile) addAll(findModesWithoutSettings(topology, modesFile, listNames(files, faults)));
  return {
    root: sources.root,
    topology,
    settings,
    instructions: joinInstructions(files, names),
    policies: files.filter((file) => isPolicyName(file.name)),
    files,
    hash: hashConfiguration(files, faults),
    problems: problems.sort(compareProblems),
  };
}

function listNames(files: readonly ConfigFile[], faults: readonly Problem[]): string[] {
  return [...files.map((file) => file.name), ...faults.map((fault) => fault.file ?? '')];
}

/** Files of modes that do not exist, each with the warning about it. */
function findLostFiles(names: readonly string[], modes: ReadonlySet<string> | null): Map<string, Problem> {
  const lost = new Map<string, Problem>();
  for (const name of names) {
    const mode = findLostMode(name, modes);
    if (mode !== null) lost.set(name, reportUnknownMode(name, mode, modes ?? new Set()));
  }
  return lost;
}

/** The mode of a file, when there is no such mode. */
function findLostMode(name: string, names: ReadonlySet<string> | null): string | null {
  if (names === null) return null;
  const settings = parseSettingsName(name)?.mode ?? null;
  const mode = settings ?? parseInstructionsName(name);
  return mode === null || settings === ANY || names.has(mode) ? null : mode;
}

function reportNoModes(strays: readonly string[]): Problem {
  const other = strays.find((name) => /modes\.[a-z]+$/i.test(name));
  const remedy =
    other === undefined ? 'Run "modes init", or write .claude/modes.yaml.' : `Rename ${quote(other)} to .claude/modes.yaml.`;
  return describeProblem('E_NO_MODES', 'There is no .claude/modes.yaml.', remedy, MODES_FILE);
}

function reportStray(name: string, names: ReadonlySet<string> | null): Problem {
  const expected = [MODES_FILE];
  for (const mode of [ANY, ...(names ?? [])]) {
    expected.push(`.claude/settings.${mode}.json`, `.claude/settings.${mode}.local.json`);
    if (mode !== ANY) expected.push(`.claude/CLAUDE.${mode}.md`);
  }
  const guess = nearest(name, expected);
  const remedy = guess === null ? 'Rename or remove it.' : `Rename it to ${guess}, or remove it.`;
  return describeProblem('W_UNUSED_FILE', `${quote(name)} is not read.`, remedy, name);
}

function reportUnknownMode(name: string, mode: string, names: ReadonlySet<string>): Problem {
  const guess = nearest(mode, names);
  const remedy =
    guess === null ? 'Rename it after a mode of modes.yaml, or remove it.' : `Did you mean the mode ${quote(guess)}?`;
  return describeProblem('W_UNKNOWN_MODE_FILE', `This file is not read: there is no mode ${quote(mode)}.`, remedy, name);
}

/** Rules of every mode: what holds in any mode first, then the mode's own, each with the local file after the shared one. */
function joinSettings(files: readonly ConfigFile[], topology: Topology | null, names: ReadonlySet<string> | null) {
  const problems: Problem[] = [];
  const byMode = new Map<string, ModeSettings>();
  for (const layer of ['project', 'local'] as const) {
    for (const file of files) {
      const named = parseSettingsName(file.name);
      if (named?.layer !== layer) continue;
      const reading = readSettings(file, layer);
      for (const problem of reading.problems) problems.push(problem);
      const before = byMode.get(named.mode) ?? { rules: [], defaults: [] };
      byMode.set(named.mode, { rules: [...before.rules, ...reading.rules], defaults: [...before.defaults, ...reading.defaults] });
    }
  }
  const any = byMode.get(ANY) ?? { rules: [], defaults: [] };
  const settings = new Map<string, ModeSettings>();
  for (const mode of topology?.modes.keys() ?? names ?? [...byMode.keys()].filter((name) => name !== ANY)) {
    const own = byMode.get(mode) ?? { rules: [], defaults: [] };
    settings.set(mode, { rules: [...any.rules, ...own.rules], defaults: [...any.defaults, ...own.defaults] });
  }
  if (topology === null) settings.set(ANY, any);
  return { settings, problems };
}

function findModesWithoutSettings(topology: Topology, modesFile: ConfigFile, names: readonly string[]): Problem[] {
  const configured = new Set(names.map((name) => parseSettingsName(name)?.mode));
  const source = openText(modesFile.name, modesFile.text);
  if (configured.has(ANY)) return [];
  const bare = [...findReachable(topology.default, topology.modes)].filter((mode) => !configured.has(mode)).sort();
  return bare.map((mode) => {
    const { line, column } = topology.modes.get(mode)!.source;
    const start = source.lineStarts[line - 1]! + column - 1;
    const remedy = `Write .claude/settings.${mode}.json, or .claude/settings.any.json for every mode.`;
    const message = `The mode ${quote(mode)} has no settings file: in it only the client's own rules hold.`;
    return locateProblem('W_NO_SETTINGS', message, remedy, source, { start, end: start + mode.length });
  });
}

function joinInstructions(files: readonly ConfigFile[], names: ReadonlySet<string> | null): Map<string, string> {
  const parts = new Map<string, string[]>();
  const main = files.filter((file) => file.name.startsWith('.claude/CLAUDE.'));
  const appended = files.filter((file) => !file.name.startsWith('.claude/CLAUDE.'));
  for (const file of [...main, ...appended]) {
    const mode = parseInstructionsName(file.name);
    if (mode === null || (names !== null && !names.has(mode)) || file.text.trim() === '') continue;
    parts.set(mode, [...(parts.get(mode) ?? []), file.text.trim()]);
  }
  return new Map([...parts].map(([mode, texts]) => [mode, texts.join('\n\n')]));
}

function compareProblems(left: Problem, right: Problem): number {
  const byFile = compareNames({ name: left.file ?? '' }, { name: right.file ?? '' });
  return byFile || (left.line ?? 0) - (right.line ?? 0) || (left.column ?? 0) - (right.column ?? 0);
}
