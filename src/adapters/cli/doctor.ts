// modes doctor: lists what could bypass the modes or approve in a person's name, checks the installation, and proves in a dry run
// that the hooks work.
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { problemsAt } from '../../app/problems.ts';
import { showUnseen } from '../../config/text.ts';
import { placeOf } from '../../facts/paths/place.ts';
import { findProject } from '../../store/find-project.ts';
import { find } from '../../workflow/findings/find.ts';
import { readSettings } from '../../workflow/findings/settings.ts';
import { type Finding, type FindingCode, type FindingContext, findingLines, findingOf } from '../../workflow/findings/types.ts';
import { proveHarness } from './doctor-harness.ts';
import {
  checkEnabled,
  checkInstallation,
  checkMarketplace,
  checkRights,
  checkSocket,
  type Installed,
  isExecutable,
  isOlder,
  minimum,
  type Versions,
  versionOf,
} from './doctor-installation.ts';
import { makeLab } from './doctor-lab.ts';
import { type HookProof, type ProofName, proofs, prove } from './doctor-run.ts';
import { requireHarness } from './init-harness.ts';
import { insideClient } from './inside.ts';
import { startFolder } from './open.ts';
import { toJson } from './outputs/json.ts';
import { showProgress } from './progress.ts';
import { exits, interrupted, type Terminal, UsageError } from './terminal.ts';

export interface DoctorOptions {
  project?: string;
  json?: boolean;
  /** A path; false to use no client at all. */
  client?: string | boolean;
  /** Another coding agent, whose hooks are tried instead. */
  harness?: string;
}

export async function doctor(options: DoctorOptions, terminal: Terminal): Promise<number> {
  const { project, json, client: named } = options;
  if (options.harness !== undefined) return doctorOfHarness(options.harness, options, terminal);
  const start = startFolder(project);
  const around = contextOf(start);
  const client = clientOf(named, path.join(around.place.configFolder, 'local'));
  const { findings, versions, installed } = checkInstallation(around, findPackageRoot(), process.env);
  const settings = readSettings(around);
  if (installed !== null)
    findings.push(...checkEnabled(installed, settings), ...checkMarketplace(installed, settings, around.place));
  findings.push(...checkRights(around), ...(await checkSocket(around)), ...find(around));
  findings.push(...(await ofConfiguration(around)));
  const clientCheck = await checkClient(client, around, installed);
  findings.push(...clientCheck.findings);
  const all: Versions = { ...versions, client: clientCheck.version };
  if (json) terminal.out(toJson<'doctor'>({ version: 1, versions: all, proofs: clientCheck.proofs.map(plain), findings }, 2));
  else terminal.out(describe(all, clientCheck.proofs, findings, terminal.colour));
  return findings.some(({ severity }) => severity === 'error') ? exits.wrong : exits.fine;
}

/** Tries the hooks of another coding agent. The client and the plugin do not matter there. */
async function doctorOfHarness(name: string, { project, json, client }: DoctorOptions, terminal: Terminal): Promise<number> {
  if (client !== undefined && client !== true) throw new UsageError('--harness cannot be combined with --client or --no-client');
  const harness = requireHarness(name);
  const around = contextOf(startFolder(project));
  const { versions } = checkInstallation(around, findPackageRoot(), process.env);
  const tried = proveHarness(around.place.root, harness);
  const findings = [...tried.findings, ...checkRights(around), ...(await ofConfiguration(around))];
  const all: Versions = { ...versions, plugin: null, client: null };
  const isError = findings.some(({ severity }) => severity === 'error');
  if (json) terminal.out(toJson<'doctor'>({ version: 1, versions: all, proofs: tried.proofs.map(plain), findings }, 2));
  else {
    terminal.out(describe(all, tried.proofs, findings, terminal.colour));
    terminal.out([`Known gaps in ${harness.title}:`, ...harness.open.map((line) => `- ${line}`)].join('\n'));
  }
  return isError ? exits.wrong : exits.fine;
}

/** Maximum number of configuration problems that are shown: a screenful. `modes validate` shows them all. */
const maxProblems = 20;

/** Problems of the configuration, from the list that `modes validate` shows. */
async function ofConfiguration({ place, start }: FindingContext): Promise<Finding[]> {
  if (findProject(start, place) === null) return [];
  const problems = await problemsAt(place);
  return problems.slice(0, maxProblems).map(({ severity, code, file = '.claude', line = 1, message }) =>
    findingOf(severity === 'error' ? 'F_CONFIGURATION' : 'F_CONFIGURATION_DOUBT', {
      file,
      line,
      what: `${code} ${short(message)}`,
    }),
  );
}

/** The governed project of a folder, or the folder itself. */
export function contextOf(start: string): FindingContext {
  const here = placeOf(start, process.env, findPackageRoot());
  const root = findProject(start, here)?.root ?? start;
  return { place: root === here.root ? here : placeOf(root, process.env, findPackageRoot()), start };
}

/**
 * The client's program. false: not wanted; null: not found. `local`: the folder of the client's own installer.
 */
function clientOf(named: string | boolean | undefined, local: string): string | false | null {
  if (named === false) return false;
  if (typeof named === 'string') {
    if (!isExecutable(named)) throw new UsageError(`there is no program ${named}`);
    return path.resolve(named);
  }
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => path.isAbsolute(folder));
  return [...folders, local].map((folder) => path.join(folder, 'claude')).find(isExecutable) ?? null;
}

interface ClientCheck {
  version: string | null;
  proofs: HookProof[];
  findings: Finding[];
}

async function checkClient(
  client: string | false | null,
  around: FindingContext,
  installed: Installed | null,
): Promise<ClientCheck> {
  const without = (code: FindingCode, file: string, what: string, version: string | null = null): ClientCheck => ({
    version,
    proofs: untried(what),
    findings: [findingOf(code, { file, what })],
  });
  if (client === false) return { version: null, proofs: untried('--no-client was given'), findings: [] };
  if (client === null) return without('F_CLIENT_ABSENT', 'PATH', 'no program called claude');
  // The dry run would start a client that the guard does not see.
  const inside = insideClient(process.env);
  if (inside !== null)
    return without('F_NOT_PROVEN', client, `not started, because ${inside}: run modes doctor in your own terminal`);
  const version = versionOf(client, { PATH: process.env.PATH, HOME: '/nonexistent' });
  if (version === null) return without('F_NOT_PROVEN', client, 'a program that does not print its version');
  if (isOlder(version, minimum.client)) return without('F_CLIENT_OLD', client, `version ${version}`, version);
  const end = interrupted();
  const progress = showProgress('starting the client for a dry run');
  const lab = makeLab(around, installed, findPackageRoot());
  try {
    const found = await prove(client, lab, end);
    return { version, proofs: found, findings: found.flatMap((proof) => failureOf(proof, client)) };
  } finally {
    await lab.remove();
    progress.end();
    // Everything is removed. Now end by the signal, as the sender expects.
    if (end.aborted) process.kill(process.pid, end.reason);
  }
}

const untried = (why: string): HookProof[] =>
  (Object.keys(proofs) as ProofName[]).map((name) => ({ name, what: proofs[name], held: null, detail: why, code: null }));

function failureOf({ code, detail }: HookProof, client: string): Finding[] {
  return code === null ? [] : [findingOf(code, { file: client, what: short(detail) })];
}

const short = (text: string): string => {
  const line = showUnseen(text.replace(/\s+/g, ' ').trim()).replace(/\.$/, '');
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
};

const plain = ({ name, what, held, detail }: HookProof) => ({ name, what, held, detail: short(detail) });

const marks = { true: ['ok  ', 32], false: ['FAIL', 31], null: ['?   ', 33] } as const;

function describe(versions: Versions, tried: readonly HookProof[], findings: readonly Finding[], colour: boolean): string {
  const paint = (code: number, text: string): string => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
  const { node, client, modes, plugin, core } = versions;
  const versionTexts = [
    `modes ${modes}`,
    `plugin ${plugin === null ? 'none' : `${plugin.version} (${plugin.id})`}`,
    `client ${client ?? 'none'}`,
    `node ${node ?? 'none'}`,
    `policy core ${core === null ? 'damaged' : core.slice(7, 19)}`,
  ];
  const lines = tried.map(({ what, held: passed, detail }) => {
    const [mark, code] = marks[String(passed) as keyof typeof marks];
    return `${paint(code, mark)}  ${what}${passed === true ? '' : `: ${short(detail)}`}`;
  });
  const found = (['error', 'warning'] as const).flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .map((finding) => `${paint(severity === 'error' ? 31 : 33, severity.padEnd(7))}  ${findingLines([finding])}`),
  );
  return [versionTexts.join(', '), ...lines, ...(found.length === 0 ? ['No problems were found.'] : found)].join('\n');
}
