// Builds the configuration from its files. Pure: the files are passed in as data.

import type { ConfigFile, Configuration, Topology, Trust } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { FOLDER_LAYERS, PROJECT_SHOWN } from '../platform/layer-folders.ts';
import { nearest } from '../platform/nearest-name.ts';
import { enforceSettings } from './enforce.ts';
import { hashConfiguration } from './hash.ts';
import { joinStops, joinTopologies, topologyOrder, withoutWideModes } from './join.ts';
import { ANY, isPolicyName, MODES_FILE, parseInstructionsName, parseSettingsName, TEAM_FILE } from './names.ts';
import { byPlace, compareNames } from './order.ts';
import { joinAgents, joinInstructions, joinSettings, type LayerReading } from './permissions.ts';
import { limitProblems } from './report.ts';
import type { LayerSources } from './sources.ts';
import { type Team, teamOf } from './team.ts';
import { describeProblem, locateProblem, openText, quote } from './text.ts';
import { findReachable, readTopology, type TopologyReading } from './topology.ts';

/** Guessing the intended name of a file takes time for each mode. */
const MAX_UNRECOGNIZED_FILES = 20;

/**
 * Reads a configuration from the files of its layers, in any order. Never throws: every problem is in `problems`. `trust` says
 * whether the project's own layer is approved, `ci` whether the client runs in CI.
 */
export function readConfiguration(given: LayerSources | readonly LayerSources[], trust: Trust = true, ci = false): Configuration {
  const all = 'root' in given ? [given] : given;
  const { team, problems: teamProblems } = teamOf(all);
  const isOverruled = trust === true && team.forbidden.has('trust');
  const trusted = trust !== false && !isOverruled;
  const layers = FOLDER_LAYERS.flatMap((layer) => all.filter((one) => (one.layer ?? 'project') === layer).map(openLayer));
  const problems: Problem[] = [];
  const add = limitProblems(problems);
  const addAll = (found: Iterable<Problem>) => {
    for (const problem of found) add(problem.file ?? '', problem.code, () => problem);
  };
  for (const { reading } of layers) addAll(reading?.problems ?? []);
  const chosen = chooseLayer(layers, trusted);
  if (chosen === null) addAll(reportMissing(layers));
  const names = chosen?.reading?.names ?? null;
  const topology = chosen === null ? null : joinLayers(chosen, layers, trusted);

  const lost = new Map<string, Problem>();
  for (const { layer, shown, files, faults } of layers) {
    for (const [name, problem] of findLostFiles(listNames(files, faults), names, shown)) {
      lost.set(name, problem);
      // The files of the user and the organization serve many projects, so they may name other modes. A project's files are for
      // its own modes.
      if (layer === 'project') addAll([problem]);
    }
    addAll(faults.filter((fault) => !lost.has(fault.file ?? '')));
  }
  addAll(teamProblems);
  if (isOverruled) addAll([overruledTrust()]);
  addAll(findMissingModes(team, topology));
  const { settings, problems: settingsProblems } = joinSettings(layers, lost, topology, names);
  addAll(settingsProblems);
  const { enforced, problem } = enforceSettings(settings, { layers, topology, trusted, ci, floor: team.enforcement });
  if (problem !== null && !settingsProblems.some(({ code }) => code === problem.code)) addAll([problem]);
  const project = layers.find(({ layer }) => layer === 'project');
  addAll((project?.sources.strays ?? []).slice(0, MAX_UNRECOGNIZED_FILES).map((name) => reportUnrecognized(name, names)));
  if (topology && chosen?.modesFile) addAll(findModesWithoutSettings(topology, chosen.modesFile, layers));
  const files = layers.flatMap((one) => one.files);
  return {
    root: project?.sources.root ?? all[0]?.root ?? '/',
    topology,
    topologyLayer: chosen?.layer ?? null,
    settings,
    enforced,
    instructions: joinInstructions(layers, topology, names),
    commands: layers.flatMap(({ layer, reading }) =>
      (reading?.topology?.commands ?? []).map((command) => ({ ...command, trusted: trusted || layer !== 'project' })),
    ),
    // Declarations of a modes.yaml with an error are included. Otherwise, valid rules about these arguments would be reported as
    // well.
    arguments: layers.flatMap(({ layer, reading }) =>
      (reading?.draft?.arguments ?? []).map((one) => ({ ...one, trusted: trusted || layer !== 'project' })),
    ),
    headlessPass: headlessPass(layers),
    approvable: !team.forbidden.has('trust'),
    opa: team.opa,
    policies: layers.flatMap(({ layer, shown, files, sources: { stale } }) =>
      files.filter((file) => isPolicyName(file.name, shown)).map((file) => ({ ...file, layer, ...(stale && { stale }) })),
    ),
    files,
    trusted,
    hash: hashConfiguration(project?.files ?? [], project?.faults ?? []),
    problems: problems.sort(byPlace),
  };
}

/** The warning for an approval that the organization no longer allows. */
function overruledTrust(): Problem {
  return describeProblem(
    'W_TRUST_FORBIDDEN',
    "A person's approval of this configuration does not count, because the organization does not allow approving a project's configuration.",
    'Ask the organization to sign it with a key of its modes.keys.pem, or to set authority: {trust: true} in teams.yaml.',
    '.claude',
  );
}

/** The first setting of the organization or the user. A project cannot set it. */
function headlessPass(layers: readonly LayerReading[]): Configuration['headlessPass'] {
  const headlessSettings = layers.flatMap(({ layer, reading }) =>
    layer === 'project' ? [] : (reading?.topology?.headless ?? []),
  );
  return headlessSettings[0]?.pass ?? 'deny';
}

function openLayer(sources: LayerSources): LayerReading {
  const { layer = 'project', shown = PROJECT_SHOWN, faults = [] } = sources;
  const files = [...sources.files].sort(compareNames);
  const modesFile = files.find((file) => file.name === `${shown}modes.yaml`);
  return {
    layer,
    shown,
    sources,
    files,
    faults,
    modesFile,
    reading: modesFile === undefined ? null : narrowed(readTopology(modesFile, layer), sources.stale === true),
  };
}

/**
 * From the modes.yaml of a stale layer, everything that opens is removed: weaker enforcement, milder classes of commands,
 * declared arguments.
 */
function narrowed(reading: TopologyReading, isStale: boolean): TopologyReading {
  const { topology, draft } = reading;
  if (!isStale || draft === null) return reading;
  const modes = new Map([...draft.modes].map(([name, mode]) => [name, { ...mode, enforcement: 'enforce' as const }]));
  const restricted: Topology = { ...draft, modes, ci: null, headless: null, commands: [], arguments: [] };
  return { ...reading, topology: topology && restricted, draft: restricted };
}

/** Errors for modes that the organization requires and that do not exist. */
function findMissingModes({ modes }: Team, topology: Topology | null): Problem[] {
  const absent = topology === null ? [] : modes.filter(({ text }) => !topology.modes.has(text));
  return absent.map(({ text, source: { file, line, column } }) => {
    const remedy = 'Add the mode to modes.yaml. Modes with extends can take it from a shared mode.';
    const problem = describeProblem('E_REQUIRED_MODE', `The organization requires a mode ${quote(text)}.`, remedy, file);
    return { ...problem, line, column };
  });
}

/** The layer whose modes and transitions apply. Null if no layer has a modes.yaml, or if the project had one that is now gone. */
function chooseLayer(layers: readonly LayerReading[], trusted: boolean): LayerReading | null {
  const having = layers.filter(({ reading }) => reading !== null);
  const chosen = topologyOrder(trusted).flatMap((layer) => having.filter((one) => one.layer === layer))[0] ?? null;
  const vanished = layers.some(({ layer, sources, reading }) => layer === 'project' && reading === null && sources.vanished);
  return vanished && chosen?.layer !== 'managed' ? null : chosen;
}

function reportMissing(layers: readonly LayerReading[]): Problem[] {
  const project = layers.find(({ layer }) => layer === 'project');
  const unreadable = project?.faults.some((fault) => fault.file === MODES_FILE || fault.file === '.claude');
  return unreadable ? [] : [reportNoModes(project?.sources.strays ?? [])];
}

function joinLayers(chosen: LayerReading, layers: readonly LayerReading[], trusted: boolean): Topology | null {
  const own = chosen.reading?.topology ?? null;
  if (own === null) return null;
  const others = layers.filter((layer) => layer !== chosen).map(({ reading }) => reading?.topology ?? null);
  const joined = joinTopologies(
    own,
    others.filter((topology) => topology !== null),
  );
  // The stop phrases of an unapproved project are left out, since it could stop the work at any word.
  const stopLayers = layers.filter((layer) => layer !== chosen && (trusted || layer.layer !== 'project'));
  const stopped = joinStops(
    joined,
    stopLayers.flatMap(({ reading }) => reading?.topology ?? []),
  );
  const widens = chosen.sources.stale !== true && (trusted || chosen.layer !== 'project');
  return joinAgents(widens ? stopped : withoutWideModes(stopped), layers);
}

function listNames(files: readonly ConfigFile[], faults: readonly Problem[]): string[] {
  return [...files.map((file) => file.name), ...faults.map((fault) => fault.file ?? '')];
}

/** Files of modes that do not exist, each with its warning. */
function findLostFiles(names: readonly string[], modes: ReadonlySet<string> | null, shown: string): Map<string, Problem> {
  const lost = new Map<string, Problem>();
  for (const name of names) {
    const mode = findLostMode(name, modes, shown);
    if (mode !== null) lost.set(name, reportUnknownMode(name, mode, modes ?? new Set()));
  }
  return lost;
}

/** The mode that a file is named after, if there is no such mode; else null. */
function findLostMode(name: string, names: ReadonlySet<string> | null, shown: string): string | null {
  if (names === null) return null;
  const settings = parseSettingsName(name, shown)?.mode ?? null;
  const mode = settings ?? parseInstructionsName(name, shown);
  return mode === null || settings === ANY || names.has(mode) ? null : mode;
}

function reportNoModes(unrecognizedFiles: readonly string[]): Problem {
  const other = unrecognizedFiles.find((name) => /modes\.[a-z]+$/i.test(name));
  const remedy =
    other === undefined ? 'Run "modes init", or write .claude/modes.yaml.' : `Rename ${quote(other)} to .claude/modes.yaml.`;
  return describeProblem('E_NO_MODES', 'There is no .claude/modes.yaml.', remedy, MODES_FILE);
}

function reportUnrecognized(name: string, names: ReadonlySet<string> | null): Problem {
  if (name === `${PROJECT_SHOWN}${TEAM_FILE}`) {
    const remedy = 'Only the organization or the user may have this file, in their own folder. Remove it.';
    return describeProblem('W_UNUSED_FILE', `${quote(name)} is not read.`, remedy, name);
  }
  if (/\.rego?\b/i.test(name) || name.startsWith(`${PROJECT_SHOWN}policies/`)) {
    const isData = /\.(?:json|ya?ml)$/i.test(name);
    const remedy = isData
      ? 'A policy reads no data files: write the data into a .rego file, or remove it.'
      : 'Policies are .claude/policies/*.rego: move or rename it, or remove it.';
    return describeProblem('W_UNUSED_FILE', `${quote(name)} is not read.`, remedy, name);
  }
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

function findModesWithoutSettings(topology: Topology, modesFile: ConfigFile, layers: readonly LayerReading[]): Problem[] {
  const configured = new Set(
    layers.flatMap(({ files, faults, shown }) => listNames(files, faults).map((name) => parseSettingsName(name, shown)?.mode)),
  );
  const source = openText(modesFile.name, modesFile.text);
  const hasAny = configured.has(ANY);
  // If only settings.any.json exists, modes without their own file are intended. If other modes have one, the missing file was
  // lost or forgotten.
  const others = [...topology.modes.keys()].filter((name) => configured.has(name));
  if (hasAny && others.length === 0) return [];
  const isBare = (name: string): boolean => {
    const { groups = null, extends: bases = [] } = topology.modes.get(name) ?? {};
    return !configured.has(name) && groups === null && bases.length === 0;
  };
  const bare = [...findReachable(topology.default, topology.modes)].filter(isBare).sort();
  return bare.map((mode) => {
    const { line, column } = topology.modes.get(mode)!.source;
    const start = source.lineStarts[line - 1]! + column - 1;
    const own = `Write .claude/settings.${mode}.json`;
    const remedy = hasAny ? `${own}; {} is enough if that is intended.` : `${own}, or .claude/settings.any.json for every mode.`;
    const message = hasAny
      ? `The mode ${quote(mode)} has no settings file, although ${quote(others[0] as string)} has one. Only settings.any.json applies in it.`
      : `The mode ${quote(mode)} has no settings file. Only the client's own rules apply in it.`;
    return locateProblem('W_NO_SETTINGS', message, remedy, source, { start, end: start + mode.length });
  });
}
