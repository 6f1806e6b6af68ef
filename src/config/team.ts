// teams.yaml of the organization or the user: settings for many projects and machines, and the servers for bundles and logs.
import path from 'node:path';
import type { ConfigFile, Enforcement, Located } from '../model/configuration.ts';
import type { OpaPin } from '../model/opa-pin.ts';
import type { Problem } from '../model/problem.ts';
import { checkSchema } from './check.ts';
import { chooseEvaluator, type EvaluatorSettings, readEvaluator } from './evaluator.ts';
import { ENFORCEMENTS } from './mode-schema.ts';
import { TEAM_FILE } from './names.ts';
import { getEntry, getItems, getText, type MapEntry, type Node } from './node.ts';
import { openFindings, type Report } from './report.ts';
import type { LayerSources } from './sources.ts';
import { ALGORITHMS, AUTHORITIES, MASKED, STALE, type Stale, TEAM, type TeamAuthority } from './team-schema.ts';
import { readServer, type Server, type ServerReading, timeOf } from './team-server.ts';
import { locate, openText, quote } from './text.ts';
import { parseYaml } from './yaml.ts';

export interface BundlePin extends Server {
  keyFile: string;
  algorithm: (typeof ALGORITHMS)[number];
  keyId: string | null;
  scope: string | null;
  /** Milliseconds between two requests, and the time that the server may hold its answer (0: it answers at once). */
  every: number;
  wait: number;
  /** Milliseconds that an answer of the server stays valid. */
  goodFor: number;
  stale: Stale;
}

export interface LogPin extends Server {
  /** Milliseconds between two batches. */
  every: number;
  /** JSON pointers to values that do not leave the machine. */
  mask: string[];
}

export interface Team {
  bundle: BundlePin | null;
  /** Modes that the organization requires. */
  modes: Located[];
  /** The weakest enforcement that any mode may have. */
  enforcement: Enforcement | null;
  /** Actions that are forbidden here. */
  forbidden: ReadonlySet<TeamAuthority>;
  logs: LogPin | null;
  /** The OPA server that gives verdicts; null for this machine. */
  opa: OpaPin | null;
}

/** True if a teams.yaml exists but could not be read. The reason is among the layer's faults. */
function isUnread({ layer = 'project', shown = '', faults = [] }: LayerSources): boolean {
  return layer !== 'project' && faults.some(({ file }) => file === `${shown}${TEAM_FILE}` || `${file}/` === shown);
}

/** The content of one file. Its settings for the evaluator are joined with those of other layers. */
type Part = Omit<Team, 'opa'> & { evaluator: EvaluatorSettings };

const noEvaluator: EvaluatorSettings = { named: null, opa: null };
const noPart: Part = {
  bundle: null,
  modes: [],
  enforcement: null,
  forbidden: new Set(),
  logs: null,
  evaluator: noEvaluator,
};

/**
 * Joins all layers: the settings of the organization take precedence, and its requirements add up. If any file has an error or
 * cannot be read, everything is forbidden.
 */
export function teamOf(layers: readonly LayerSources[]): { team: Team; problems: Problem[] } {
  const read = layers.flatMap(({ layer = 'project', shown = '', root, files }) => {
    const file = layer === 'project' ? undefined : files.find(({ name }) => name === `${shown}${TEAM_FILE}`);
    return file === undefined ? [] : [readTeam(file, layer === 'managed', root)];
  });
  const evaluator = chooseEvaluator(read.map(({ team }) => team.evaluator));
  const problems = [...read.flatMap((one) => one.problems), ...evaluator.problems];
  const isBroken = problems.some(({ severity }) => severity === 'error') || layers.some(isUnread);
  const teams = read.map(({ team }) => team);
  const weakest = ENFORCEMENTS.find((one) => teams.some(({ enforcement }) => enforcement === one)) ?? null;
  const team: Team = {
    bundle: teams.flatMap(({ bundle }) => bundle ?? [])[0] ?? null,
    modes: teams.flatMap(({ modes }) => modes),
    enforcement: isBroken ? 'enforce' : weakest,
    forbidden: new Set(isBroken ? AUTHORITIES : teams.flatMap(({ forbidden }) => [...forbidden])),
    logs: teams.flatMap(({ logs }) => logs ?? [])[0] ?? null,
    opa: isBroken ? null : evaluator.opa,
  };
  return { team, problems };
}

/** Reads one file. Names of files in it are relative to `folder`. Never throws. */
export function readTeam(file: ConfigFile, isManaged: boolean, folder: string): { team: Part; problems: Problem[] } {
  const source = openText(file.name, file.text);
  const { problems, report, isBroken } = openFindings(source);
  const node = parseYaml(source, report);
  if (node === null || node.kind === 'null') return { team: noPart, problems };
  checkSchema(node, TEAM, report);
  if (!isManaged) refuseOfUser(node, report);
  const team = isBroken() ? noPart : readKeys(node, { source, folder, isManaged, report });
  return { team: isBroken() ? noPart : team, problems };
}

function readKeys(node: Node, reading: ServerReading): Part {
  const authority = getEntry(node, 'authority')?.value;
  const entries = authority?.kind === 'map' ? authority.entries : [];
  const isNo = ({ value }: MapEntry): boolean => value.kind === 'boolean' && value.shown !== 'true';
  return {
    bundle: readBundle(getEntry(node, 'bundle')?.value ?? null, reading),
    modes: getItems(node, 'modes').flatMap((item) =>
      item.kind === 'text' ? [{ text: item.value.trim(), source: locate(reading.source, item.span.start) }] : [],
    ),
    enforcement: ENFORCEMENTS.find((one) => one === getText(node, 'enforcement')) ?? null,
    forbidden: new Set(AUTHORITIES.filter((name) => entries.some((entry) => entry.key === name && isNo(entry)))),
    logs: readLogs(getEntry(node, 'logs')?.value ?? null, reading),
    evaluator: readEvaluator(node, reading),
  };
}

function readBundle(node: Node | null, reading: ServerReading): BundlePin | null {
  if (node?.kind !== 'map') return null;
  return {
    ...readServer(node, reading),
    keyFile: path.resolve(reading.folder, getText(node, 'key') ?? ''),
    algorithm: ALGORITHMS.find((one) => one === getText(node, 'algorithm')) ?? 'EdDSA',
    keyId: getText(node, 'key_id'),
    scope: getText(node, 'scope'),
    every: timeOf(node, 'every', 60_000, reading.report),
    wait: timeOf(node, 'wait', 0, reading.report),
    goodFor: timeOf(node, 'good_for', 7 * 86_400_000, reading.report),
    stale: STALE.find((one) => one === getText(node, 'stale')) ?? 'narrow',
  };
}

function readLogs(node: Node | null, reading: ServerReading): LogPin | null {
  if (node?.kind !== 'map') return null;
  for (const item of getItems(node, 'mask'))
    if (item.kind === 'text' && !MASKED.test(item.value))
      reading.report(
        'E_UNKNOWN_VALUE',
        `${quote(item.value)} does not exist in an event.`,
        'Write a JSON pointer: /input/…, /result/… or /labels/…',
        item.span,
      );
  return {
    ...readServer(node, reading),
    every: timeOf(node, 'every', 30_000, reading.report),
    mask: getItems(node, 'mask').flatMap((item) => (item.kind === 'text' ? [item.value] : [])),
  };
}

/** A person may choose where their own logs go and which server is also asked. Binding settings are for the organization only. */
function refuseOfUser(node: Node, report: Report): void {
  for (const key of ['bundle', 'modes', 'enforcement', 'authority']) {
    const entry = getEntry(node, key);
    if (entry !== null)
      report(
        'E_TEAMS_LAYER',
        `Only the organization may set ${quote(key)}.`,
        'Write it into modes/teams.yaml in the managed folder.',
        entry.keySpan,
      );
  }
}
