// A table of detectors. Each one detects one way to bypass the modes or to act in their name.
import path from 'node:path';
import { clientName } from '../../config/tool-names.ts';
import { registeredPackage, typedCommands } from '../../facts/protections/registered.ts';
import { manualServer, sharedServers } from '../../facts/protections/without-plugin.ts';
import { readBundleFault, teamsFolder } from '../../store/cached-bundle.ts';
import { opaRecordFile, readOpaRecord } from '../../store/opa-record.ts';
import { readSending, sendingFile } from '../../teams/sending.ts';
import { disables, findManaged } from './disabled.ts';
import { findChanged, namesServer, ofOthers } from './manual-setup.ts';
import {
  foldersAround,
  hooksOf,
  lineOf,
  objectOf,
  projectFolders,
  readFrontMatters,
  readJson,
  readPlugins,
  readSettings,
  type SettingsSource,
} from './settings.ts';
import { findForgedWorktrees, findLinksOut, findNested, findOtherOwners } from './tree.ts';
import { type Finding, type FindingCode, type FindingContext, type FindingHit, findingLines, findingOf, kinds } from './types.ts';

/** Input of the detectors, read once. */
interface DetectorContext extends FindingContext {
  settings: SettingsSource[];
  /** Everything that can contain hooks, including settings. */
  hookSources: SettingsSource[];
}

const detectors: { code: FindingCode; find(context: DetectorContext): FindingHit[] }[] = [
  { code: 'F_SETTINGS_UNREADABLE', find: findUnreadable },
  { code: 'F_FOREIGN_HOOK', find: findForeignHooks },
  { code: 'F_DIALOG_HOOK', find: findDialogHooks },
  { code: 'F_PERMISSION_HOOK', find: findPermissionHooks },
  { code: 'F_HOOKS_OFF', find: findHooksOff },
  { code: 'F_HOOKS_MANAGED', find: findManaged },
  { code: 'F_SAME_NAME', find: (context) => findServers(context, looksLikeOurs) },
  { code: 'F_SERVER_REPLACED', find: (context) => findServers(context, (name) => name === ourServer) },
  { code: 'F_HAND_CHANGED', find: findChanged },
  { code: 'F_BUNDLE', find: findBundleFaults },
  { code: 'F_LOGS', find: findUnsent },
  { code: 'F_EVALUATOR', find: findEvaluatorFaults },
  { code: 'F_SCHEDULED_COMMAND', find: findScheduled },
  { code: 'F_NESTED_PROJECT', find: findNested },
  { code: 'F_LINK_OUT', find: findLinksOut },
  { code: 'F_OTHER_OWNER', find: findOtherOwners },
  { code: 'F_FORGED_WORKTREE', find: findForgedWorktrees },
  { code: 'F_ENVIRONMENT', find: findEnvironment },
  { code: 'F_MOD', find: findMods },
];

/** All present findings, in the order of the table. Reads files and starts no process. */
export function find(around: FindingContext): Finding[] {
  return run(around, () => true);
}

/** Only the findings that end evidence and authority for a session. */
export function findEnding(around: FindingContext): Finding[] {
  return run(around, (code) => kinds[code].ends);
}

/** Findings that may mean that our own server is not there to report them. */
const unserved: ReadonlySet<FindingCode> = new Set(['F_SERVER_REPLACED', 'F_HAND_CHANGED']);

/** The report of the process that replaces a server at the start of a session, as lines; empty if there is nothing to report. */
export function startLines(around: FindingContext): string {
  const findings = run(around, (code) => unserved.has(code));
  return findings.length === 0
    ? ''
    : `Modes found the following in this project. A person should check it:\n${findingLines(findings)}`;
}

/** Whether any plugin has a mod, which could answer before or after all hooks. */
export function hasMods(around: FindingContext): boolean {
  return run(around, (code) => code === 'F_MOD').length > 0;
}

function run(around: FindingContext, wanted: (code: FindingCode) => boolean): Finding[] {
  const settings = ofOthers(readSettings(around), around.place);
  const context: DetectorContext = {
    ...around,
    settings,
    hookSources: [...settings, ...readPlugins(around), ...readFrontMatters(around)],
  };
  return detectors
    .filter(({ code }) => wanted(code))
    .flatMap(({ code, find: detect }) => detect(context).map((hit) => findingOf(code, hit)));
}

function findUnreadable({ hookSources }: DetectorContext): FindingHit[] {
  return hookSources.filter(({ readable }) => !readable).map(({ file }) => ({ file, what: 'settings that cannot be read here' }));
}

function findForeignHooks({ hookSources, place }: DetectorContext): FindingHit[] {
  const ourServer = namesServer(place);
  return hookSources
    .filter((source) => ourServer.test(hookText(source)))
    .map(({ file, text }) => ({ file, line: lineOf(text, ourServer), what: 'a hook that names the server of Modes' }));
}

const dialogEvents = ['Elicitation', 'ElicitationResult'];

function findDialogHooks({ hookSources }: DetectorContext): FindingHit[] {
  return hooksOn(dialogEvents, hookSources);
}

function findPermissionHooks({ hookSources }: DetectorContext): FindingHit[] {
  return hooksOn(['PermissionRequest'], hookSources);
}

function hooksOn(events: readonly string[], sources: readonly SettingsSource[]): FindingHit[] {
  return sources.flatMap((source) =>
    events
      .filter(
        (event) =>
          Object.hasOwn(hooksOf(source), event) ||
          (!source.strict && new RegExp(`(^|["'\\s])${event}["':\\s]`).test(source.text)),
      )
      .map((event) => ({
        file: source.file,
        line: lineOf(source.text, new RegExp(`\\b${event}\\b`)),
        what: `a hook on ${event}`,
      })),
  );
}

function findHooksOff({ settings }: DetectorContext): FindingHit[] {
  return settings
    .filter((source) => source.origin !== 'managed' && source.readable && disables(source))
    .map(({ file, text }) => ({ file, line: lineOf(text, 'disableAllHooks'), what: 'disableAllHooks' }));
}

/** The client's name of our server. A server of the same name in settings replaces it. */
const ourServer = 'plugin:modes:modes';
/** Names that the client would turn into ours, or that a person would mistake for ours. */
const ourNames = new Set(['modes', clientName(ourServer)]);
const looksLikeOurs = (name: string): boolean => name !== ourServer && ourNames.has(clientName(name).toLowerCase());

function findServers(context: DetectorContext, isWanted: (name: string) => boolean): FindingHit[] {
  const { place } = context;
  const user = readJson(path.join(path.dirname(place.configFolder), '.claude.json'), 'user');
  const inside = readJson(path.join(place.configFolder, '.claude.json'), 'user');
  const projects = projectFolders(context);
  const shared = foldersAround(context).flatMap((folder) => readJson(path.join(folder, sharedServers), 'project'));
  const registered = registeredPackage(place) === null ? null : path.join(place.root, sharedServers);
  return [...shared, ...user, ...inside, ...context.settings].flatMap(({ file, value, text }) => {
    const { mcpServers, projects: known } = objectOf(value);
    const lists = [mcpServers, ...projects.map((folder) => objectOf(objectOf(known)[folder]).mcpServers)];
    return lists
      .flatMap((list) => Object.keys(objectOf(list)))
      .filter((name) => file !== registered || name !== manualServer)
      .filter(isWanted)
      .map((name) => ({ file, line: lineOf(text, JSON.stringify(name)), what: `another MCP server called ${name}` }));
  });
}

/** Why the organization's newest bundle is not in use here. */
function findBundleFaults({ place }: DetectorContext): FindingHit[] {
  const fault = readBundleFault(place.dataFolder);
  if (fault === null) return [];
  const { code, message, since } = fault;
  return [{ file: teamsFolder(place.dataFolder), what: `no new bundle since ${since}: ${code} ${message.replace(/\.$/, '')}` }];
}

/** Problems with the OPA server that this machine uses. */
function findEvaluatorFaults({ place }: DetectorContext): FindingHit[] {
  const record = readOpaRecord(place.dataFolder);
  const { url, trouble: fault = null, differing = null } = record ?? {};
  const file = opaRecordFile(place.dataFolder);
  return [
    ...(fault === null ? [] : [`no verdict of the OPA server ${url} since ${fault.since}: ${fault.why}`]),
    ...(differing === null
      ? []
      : [`${differing.count} verdicts that differ, the newest in ${differing.mode}: ${differing.what}`]),
  ].map((what) => ({ file, what }));
}

/** Decisions that did not arrive at the log server. */
function findUnsent({ place }: DetectorContext): FindingHit[] {
  const sending = readSending(place.dataFolder, place.root);
  if (sending === null) return [];
  const file = sendingFile(place.dataFolder, place.root);
  if (sending === 'damaged') return [{ file, what: 'an unknown number, because the record of deliveries is damaged' }];
  const { doubtful = 0, lostMore = false } = sending;
  if (sending.lost === 0 && !lostMore && doubtful === 0 && sending.trouble === null) return [];
  const waiting = Object.values(sending.waiting).reduce((total, { lines }) => total + lines, 0);
  const counted = `${sending.lost} decisions${lostMore ? ' and more' : ''}`;
  const gone = sending.lost === 0 && lostMore ? 'an unknown number of decisions' : counted;
  const lost = sending.lost === 0 && !lostMore ? [] : [`${gone} that will never arrive`];
  const unsure = doubtful === 0 ? [] : [`${doubtful} that may not have arrived, because the record of deliveries was damaged`];
  const late = sending.trouble === null ? [] : [`${waiting} that are waiting, because ${sending.trouble}`];
  return [{ file, what: [...lost, ...unsure, ...late].join(', ') }];
}

/** The client stores tasks in `.claude/scheduled_tasks.json` of its start folder. */
function findScheduled(context: DetectorContext): FindingHit[] {
  const typed = typedCommands(context.place);
  const typedCommand = new RegExp(`^\\s*/${typed}`, 'm');
  const inText = new RegExp(`/${typed}`);
  const folders = [...projectFolders(context).map((folder) => path.join(folder, '.claude')), context.place.configFolder];
  return folders.flatMap((folder) => {
    const file = path.join(folder, 'scheduled_tasks.json');
    const [source] = readJson(file, 'project');
    if (source === undefined) return [];
    const { tasks } = objectOf(source.value);
    const texts = Array.isArray(tasks) ? tasks.map((task) => objectOf(task).prompt).map(String) : [];
    const hit = texts.some((text) => typedCommand.test(text)) || (!source.strict && inText.test(source.text));
    return hit || !source.readable
      ? [
          {
            file,
            line: lineOf(source.text, inText),
            what: hit ? 'a task that types /modes:' : 'tasks that cannot be read here',
          },
        ]
      : [];
  });
}

/** Variables that determine what the client, our hooks and our server start or read. */
const guarded =
  /^(PATH|HOME|SHELL|ENV|BASH_ENV|BASH_FUNC_.*|BASHOPTS|SHELLOPTS|IFS|CDPATH|NODE_(OPTIONS|PATH|EXTRA_CA_CERTS|USE_SYSTEM_CA|TLS_REJECT_UNAUTHORIZED|COMPILE_CACHE|V8_COVERAGE|REDIRECT_WARNINGS)|OPENSSL_(CONF|MODULES|ENGINES)|LD_.*|DYLD_.*|LOCPATH|TMPDIR|TZDIR|XDG_CONFIG_HOME|CURL_HOME|GIT_.*|MODES_.*|CLAUDE_CONFIG_DIR|CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_.*|CLAUDE_PID|CLAUDE_CODE_(ENTRYPOINT|SESSION_ID|SIMPLE|TMPDIR|SHELL.*|PLUGIN_.*)|CLAUDECODE)$/i;

function findEnvironment({ settings }: DetectorContext): FindingHit[] {
  return settings
    .filter(({ origin }) => origin === 'project')
    .flatMap(({ file, value, text }) =>
      Object.keys(objectOf(objectOf(value).env))
        .filter((name) => guarded.test(name))
        .map((name) => ({ file, line: lineOf(text, JSON.stringify(name)), what: `the variable ${name} for the client` })),
    );
}

function findMods({ hookSources }: DetectorContext): FindingHit[] {
  return hookSources
    .filter(({ origin, value }) => origin === 'plugin' && objectOf(value).modules !== undefined)
    .map(({ file, text }) => ({ file, line: lineOf(text, '"modules"'), what: 'a mod' }));
}

/** The hooks as one text with resolved escapes. For a file that cannot be parsed, also its whole text. */
function hookText(source: SettingsSource): string {
  return JSON.stringify(hooksOf(source)) + (source.strict ? '' : source.text);
}
