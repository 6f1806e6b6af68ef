// modes init: sets up a project from a preset, by flags or in a short dialogue. --undo reverts it.
import fs from 'node:fs';
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { fitLines } from '../../app/setup/fit.ts';
import { type Preset, presetTable, readPresets, refusePreset } from '../../app/setup/presets.ts';
import { isDone, listPresets, planSetup, runSetup, type SetupPlan, setupText } from '../../app/setup/setup.ts';
import { endedBy, planUndo, runUndo, undoText } from '../../app/setup/undo.ts';
import { configFolderOf, dataFolderOf, homeOf } from '../../facts/paths/place.ts';
import { nearest } from '../../platform/nearest-name.ts';
import { findProject as findFolder } from '../../store/find-project.ts';
import { kinds } from '../../workflow/findings/types.ts';
import { stillClosed } from '../../workflow/state.ts';
import { forbidden } from '../../workflow/team.ts';
import { canImport, findStoppedBy, importRemedy, stoppedText, withStopped } from '../importers/existing-settings.ts';
import { contextOf } from './doctor.ts';
import { findPlugin } from './doctor-installation.ts';
import type { HarnessOptions } from './init-harness.ts';
import { insideClient } from './inside.ts';
import { findProject, startFolder } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse, type VerbFailure } from './refuse.ts';
import { type Dialogue, exits, type Terminal, UsageError } from './terminal.ts';

const unchanged = 'Nothing was changed.';
/** The preset that `--yes` alone writes. */
const usual = 'tdd';
const nobody = `Say what to do:
  modes init --preset NAME   write this preset
  modes init --list          compare the presets
  modes init --undo --yes    undo the last setup`;

/** Running sessions of the project switch to the new configuration. */
async function adoptPresent(root: string): Promise<void> {
  (await findProject(root))?.adopt('all');
}

/** True if `.claude/` has content that no person approved. The person sees what the setup writes, and nothing of that content. */
async function hasUnapproved(root: string): Promise<boolean> {
  const project = await findProject(root);
  return project !== null && !project.describe().present.trusted;
}

/** The flags as the command line gives them. `harness`: another coding agent, whose hooks are registered instead. */
export interface InitOptions extends Partial<HarnessOptions> {
  /** Preset to write without asking. */
  preset?: string;
  list?: boolean;
  /** False with --no-statusline. */
  statusline?: boolean;
  /** False with --no-plugin: the server and the hooks are registered in the project. */
  plugin?: boolean;
  /** The modes only advise: nothing is stopped. */
  advise?: boolean;
}

export async function init(options: InitOptions, terminal: Dialogue): Promise<number> {
  const { harness, preset: named, list, plugin, advise, ...more } = options;
  if (harness !== undefined) {
    if (named !== undefined || list || advise || plugin === false)
      throw new UsageError('--harness cannot be combined with --preset, --list, --advise or --no-plugin');
    return (await import('./init-harness.ts')).initHarness({ harness, ...more }, terminal);
  }
  const packageRoot = findPackageRoot();
  if (options.list) {
    const presets = readPresets(packageRoot);
    terminal.out(options.json ? toJson<'init'>(presets, 2) : presetTable(presets, terminal.columns));
    return exits.fine;
  }
  const inside = insideClient(process.env);
  if (inside !== null) {
    const message = `Only a person may run modes init, in their own terminal, but ${inside}.`;
    return refuse({ code: 'E_INSIDE_CLIENT', message, remedy: 'Inside the client, type /modes:init.' }, options, terminal);
  }
  const root = startFolder(options.project);
  if (options.undo) return undo(root, options, terminal);
  const preset = options.preset ?? (options.yes ? usual : await chosen(root, packageRoot, terminal));
  if (preset === null || preset === '') {
    const isNobody = preset === null;
    refuse(
      isNobody
        ? { code: 'E_NOBODY', message: 'Not an interactive terminal.', remedy: nobody }
        : { code: 'E_DECLINED', message: unchanged },
      options,
      terminal,
    );
    return isNobody ? exits.usage : exits.wrong;
  }
  requirePreset(preset, packageRoot);
  const conflict = options.plugin === false ? conflictingPlugin(root) : null;
  if (conflict !== null) return refuse(conflict, options, terminal);
  const planned = (name: string): ReturnType<typeof planSetup> =>
    planSetup({
      root,
      preset: name,
      packageRoot,
      configFolder: configFolderOf(process.env),
      home: homeOf(process.env),
      statusLine: options.statusline !== false,
      enforcement: options.advise ? 'advise' : 'preset',
      registration: options.plugin === false ? 'project' : 'present',
    });
  const first = planned(preset);
  const isPreconfirmed = options.preset !== undefined || options.yes === true;
  const chosenPlan = isPreconfirmed || 'error' in first ? first : await offerWords(first, planned, terminal);
  const plan = 'error' in chosenPlan ? chosenPlan : await offerLines(chosenPlan, options, terminal);
  if ('error' in plan) return refuse({ code: 'E_IN_THE_WAY', message: plan.error, remedy: null }, options, terminal);
  const refused = options.preset === undefined ? null : refusePreset(root, preset, packageRoot);
  if (refused !== null) return refuse({ code: 'E_IN_THE_WAY', message: refused, remedy: null }, options, terminal);
  if (isDone(plan)) {
    terminal.out(options.json ? toJson<'init'>({ root, done: [] }) : 'Everything is already set up.');
    if (!options.json) for (const line of await leftToDo(root, { isOwn: false })) terminal.err(line);
    return exits.fine;
  }
  if (isPreconfirmed && plan.fit !== null && !options.json) terminal.err(fitLines(plan.fit).join('\n'));
  const declined = isPreconfirmed ? null : await confirm(setupText(plan), `Write this to ${root}?`, terminal);
  if (declined !== null) return refuse(declined, options, terminal);
  const dataFolder = dataFolderOf(process.env);
  const hasOthers = await hasUnapproved(root);
  const done = runSetup(plan, dataFolder, new Date());
  if (hasOthers) done.push('not adopted in running sessions, because .claude/ has other changes; review them with modes trust');
  else await adoptPresent(root);
  fs.writeFileSync(`${dataFolder}/node`, `${process.execPath}\n`, { mode: 0o600 });
  terminal.out(options.json ? toJson<'init'>({ root, done }, 2) : done.join('\n'));
  if (!options.json)
    for (const line of [
      ...(plan.whole ? ['To test its rules: modes policy test.'] : []),
      'To undo it: modes init --undo.',
      ...(await leftToDo(root, { isOwn: plan.whole })),
    ])
      terminal.err(line);
  return exits.fine;
}

/** If a gate of the chosen preset could not open, offers the preset with the same modes and gates in words. */
async function offerWords(
  plan: SetupPlan,
  planned: (preset: string) => ReturnType<typeof planSetup>,
  terminal: Terminal,
): Promise<ReturnType<typeof planSetup>> {
  const { instead = null, notes = [] } = plan.fit ?? {};
  if (instead === null) return plan;
  terminal.err(notes.join('\n'));
  const answer = await terminal.ask(`Use the preset ${instead}, with the same modes and gates in words?`);
  return answer === true ? planned(instead) : plan;
}

/** A person can import the client's allow lines that would have no effect. `--yes` takes those that permit one kind of call. */
async function offerLines(
  plan: SetupPlan,
  { yes = false, preset, json = false }: InitOptions,
  terminal: Dialogue,
): Promise<SetupPlan | { error: string }> {
  const env = process.env;
  const at = { root: plan.root, configFolder: configFolderOf(env), home: homeOf(env), env, packageRoot: plan.packageRoot };
  const lines = await findStoppedBy(plan, at);
  if (lines.length === 0) return plan;
  if (!json) terminal.err(stoppedText(lines).join('\n'));
  if (yes) return withStopped(plan, lines, false);
  if (preset !== undefined) {
    if (!json && canImport(lines)) terminal.err(importRemedy);
    return plan;
  }
  const isTaken = canImport(lines) && (await terminal.ask('Import the lines that the modes ask about?')) === true;
  const hasWide = lines.some(({ opens, wide }) => opens.length > 0 && wide !== null);
  const isWideToo = hasWide && (await terminal.ask('Import the lines that allow more than one kind of call, too?')) === true;
  return isTaken || isWideToo
    ? withStopped(
        plan,
        lines.filter(({ wide }) => wide !== null || isTaken),
        isWideToo,
      )
    : plan;
}

/** Throws `UsageError` if there is no such preset. */
export function requirePreset(name: string, packageRoot: string): void {
  const names = listPresets(packageRoot);
  if (names.includes(name)) return;
  const near = nearest(name, names);
  const instead = near === null ? `compare the presets with modes init --list: ${names.join(', ')}` : `did you mean ${near}?`;
  throw new UsageError(`there is no preset ${JSON.stringify(name)}; ${instead}`);
}

/**
 * The preset that the person chooses; the usual one if the project already has modes. '' if the person leaves, null without an
 * interactive terminal.
 */
async function chosen(root: string, packageRoot: string, terminal: Dialogue): Promise<string | null> {
  const isConfigured = fs.existsSync(path.join(root, '.claude/modes.yaml'));
  return isConfigured ? usual : choosePreset(readPresets(packageRoot), terminal);
}

async function undo(root: string, options: InitOptions, terminal: Terminal): Promise<number> {
  const dataFolder = dataFolderOf(process.env);
  const plan = planUndo(dataFolder, root);
  if ('error' in plan) return refuse({ code: 'E_IN_THE_WAY', message: plan.error, remedy: null }, options, terminal);
  const project = await findProject(root);
  const why = project === null ? null : forbidden(project.place, 'trust');
  if (why !== null) return refuse({ code: 'E_FORBIDDEN', message: `Nothing was undone: ${why}` }, options, terminal);
  const declined = options.yes ? null : await confirm(undoText(plan), `Undo this in ${root}?`, terminal);
  if (declined !== null) return refuse(declined, options, terminal);
  const done = runUndo(plan, dataFolder);
  if (endedBy(plan)) {
    project?.release();
    done.push(`${root} is no longer governed.`);
  }
  terminal.out(options.json ? toJson<'init'>({ root, done }, 2) : done.join('\n'));
  return exits.fine;
}

/** null: the person confirmed. Otherwise the reason to stop. */
async function confirm(shown: string, question: string, terminal: Terminal): Promise<VerbFailure | null> {
  terminal.err(shown);
  const answer = await terminal.ask(question);
  if (answer === null)
    return { code: 'E_NOBODY', message: 'Not an interactive terminal.', remedy: 'Use --yes to continue without asking.' };
  return answer ? null : { code: 'E_DECLINED', message: unchanged };
}

/** The name that a person at the terminal chose. '' if the person leaves, null without an interactive terminal. */
export async function choosePreset(presets: readonly Preset[], terminal: Dialogue): Promise<string | null> {
  const names = presets.map(({ name }) => name);
  for (let shown = `${presetTable(presets, terminal.columns)}\n\n`; ; shown = '') {
    const answer = await terminal.line(`${shown}Which preset? (its name or a unique prefix; Enter cancels) `);
    if (answer === null || answer === '') return answer;
    const chosen = namedBy(answer, names);
    if (chosen !== null) return chosen;
    const near = nearest(answer, names);
    terminal.err(`There is no preset ${JSON.stringify(answer)}.${near === null ? '' : ` Did you mean ${near}?`}`);
  }
}

/** By the complete name, else by a prefix that only one name has; null if no name or several match. */
function namedBy(answer: string, names: readonly string[]): string | null {
  const candidates = names.filter((name) => name.startsWith(answer));
  return names.find((name) => name === answer) ?? (candidates.length === 1 ? (candidates[0] as string) : null);
}

/**
 * One line for each step. `isOwn`: the complete configuration was written just now, and the output already mentions its trust.
 */
async function leftToDo(root: string, { isOwn }: { isOwn: boolean }): Promise<string[]> {
  const project = await findProject(root);
  const isTrusted = isOwn || project === null || project.describe().present.trusted;
  const isOurs = isTrusted || forbidden(project.place, 'trust') !== null;
  const outer = project === null ? null : findFolder(path.dirname(root), project.place);
  const { means, remedy } = kinds.F_PLUGIN_ABSENT;
  return [
    ...(project === null ? [] : stillClosed(project.state())),
    ...(outer?.layer !== 'project' || outer.vanished
      ? []
      : [`${outer.root} has modes too. A client that starts there uses those instead of the ones in ${root}.`]),
    ...(isOurs
      ? []
      : ['The configuration is not trusted yet, so its allow rules have no effect. Review and approve it with modes trust.']),
    ...(findPlugin(contextOf(root)) === null ? [`The plugin is not installed. ${means} ${remedy} (F_PLUGIN_ABSENT)`] : []),
  ];
}

/** The reason why the server is not registered manually, or null. */
function conflictingPlugin(root: string): VerbFailure | null {
  const installed = findPlugin(contextOf(root));
  if (installed === null || installed.isByHand) return null;
  return {
    code: 'E_IN_THE_WAY',
    message: `The plugin ${installed.id} is installed, with the server and the hooks. If they were registered again, both would check every call.`,
    remedy: `Omit --no-plugin, or type /plugin uninstall ${installed.id} first.`,
  };
}
