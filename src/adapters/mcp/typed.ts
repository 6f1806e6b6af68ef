// The commands that a person types, such as /modes:mode, /modes:trust, /modes:setup. They are answered without the model.
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { gateLines, gatesNow } from '../../app/gate-list.ts';
import { type Explanation, explainCall, explainLogged } from '../../app/log/explain.ts';
import { renderExplanation } from '../../app/log/render.ts';
import { isOpenTransition, resumable } from '../../app/mode-change.ts';
import { everyProblem } from '../../app/problems.ts';
import { fitSummary } from '../../app/setup/fit.ts';
import { planSummary, presetTable, readPresets, refusePreset } from '../../app/setup/presets.ts';
import { isDone, planSetup, runSetup, type SetupPlan, setupQuestion, setupText } from '../../app/setup/setup.ts';
import { endedBy, planUndo, runUndo, undoText } from '../../app/setup/undo.ts';
import { skippedText } from '../../app/transition-question.ts';
import { targets } from '../../config/targets.ts';
import type { TeamAuthority } from '../../config/team-schema.ts';
import { showInLine } from '../../config/text.ts';
import type { Place } from '../../facts/paths/place.ts';
import { writtenCall } from '../../facts/written.ts';
import { insteadOf } from '../../platform/nearest-name.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import type { DecisionLog } from '../../store/log/log.ts';
import { healthLine } from '../../store/log/losses.ts';
import { findDecision, isId, lastDecision } from '../../store/log/query.ts';
import { laterTrust } from '../../store/trust.ts';
import { type Finding, findingLines } from '../../workflow/findings/types.ts';
import { confirmedBy } from '../../workflow/journal.ts';
import type { Asker } from '../../workflow/mode-transitions.ts';
import { contextOf } from '../../workflow/plan/show.ts';
import type { Caller, CallerProject } from '../../workflow/project.ts';
import { remedyOf, stillClosed } from '../../workflow/state.ts';
import { cut } from '../../workflow/status.ts';
import { forbidden } from '../../workflow/team.ts';
import { canImport, findStoppedBy, importRemedy, stoppedText, withStopped } from '../importers/existing-settings.ts';
import type { ChannelIntegrity } from './channel-integrity.ts';
import type { Confirmation, Question } from './dialog.ts';
import { apply, approve, trust } from './typed/approvals.ts';
import { askPerson, atTerminal, longestAnswer, problemLines, problemsText, type TypedRequest } from './typed/dialogs.ts';
import { grant, grants, off, on } from './typed/grants.ts';
import { task } from './typed/task.ts';
import { accept, restore } from './typed/violations.ts';

export interface TypedCommand {
  server: Server;
  /** null: the project is not governed. */
  project: CallerProject | null;
  place: Place;
  packageRoot: string;
  asker: Asker;
  where: Caller;
  signal: AbortSignal;
  integrity: ChannelIntegrity;
  headless: boolean;
  findings(): Finding[];
  /** Reopens the project after its setup; null if it has no modes now. */
  reopen(): Promise<CallerProject | null>;
  /** The decision log of a project. */
  log(project: CallerProject): DecisionLog;
}

const notGoverned = 'This project has no modes. /modes:setup sets it up.';

export const help = `/modes:mode            the mode and its transitions
/modes:mode status     the same with history, permissions and problems
/modes:mode NAME [because WHY]   change the mode without its gate (asks you)
/modes:mode reset      back to the default mode (asks you)
/modes:grant RULE… [10m] [3x]   allow calls for a time or a number of times (asks you)
/modes:grants          the grants; /modes:grants back ID ends one
/modes:off [30m]       switch the rules of user and project off (asks you); /modes:on switches them on
/modes:approve NAME    approve the change to NAME that the agent may then make once (asks you)
/modes:approve back NAME   take that back
/modes:approve plan    approve the agent's plan, which the dialog shows in full (asks you)
/modes:task            the task; start NAME limits writes to its branch, done NAME ends that (asks you)
/modes:why [ID | CALL] why the last call was refused, or another
/modes:apply           show the changes of the draft in modes-draft/
/modes:apply HASH      write it and adopt it (asks you)
/modes:accept          files that a program changed although the mode guards them, with the difference
/modes:accept HASH     accept exactly this (asks you)
/modes:restore HASH    put back their content from before the run (asks you)
/modes:trust           show the permissions of the current configuration
/modes:trust HASH      approve it (asks you); /modes:trust back takes every approval of this project back
/modes:init            compare the presets; /modes:init NAME sets this project up with one (asks you)
/modes:setup [PRESET]  set this project up, with a status line (asks you)
/modes:setup undo      undo the last setup (asks you)`;

type Answer = (typed: TypedCommand, args: string) => Promise<string>;

/** Maximum characters of a command's argument, which the answer may repeat. A call to explain (/modes:why) is the longest. */
const longest = { why: 10_000, others: 2_000 };

/** The handler of a typed command; undefined if it is not a command of Modes. */
export function typedCommand(typedName: string): Answer | undefined {
  const name = typedName.includes(':') ? typedName : `modes:${typedName}`;
  const answer = commands.get(name);
  const most = name === 'modes:why' ? longest.why : longest.others;
  if (answer === undefined) return undefined;
  return async (typed, args) =>
    args.length <= most
      ? answer(typed, args)
      : `Nothing was done: the text after /${typedName} has ${args.length} characters, and the limit is ${most}.`;
}

/** One row for each command file. */
const commands: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['modes:mode', mode],
  ['modes:approve', governed(approve, 'approve')],
  ['modes:trust', governed(trust, 'trust')],
  ['modes:setup', setup],
  ['modes:init', begin],
  ['modes:grant', governed(grant, 'grant')],
  ['modes:grants', governed(grants)],
  ['modes:off', governed(off, 'off')],
  ['modes:on', governed(on)],
  ['modes:task', governed(task)],
  ['modes:apply', governed(apply, 'trust')],
  ['modes:accept', governed(accept, 'approve')],
  ['modes:restore', governed(restore, 'approve')],
  ['modes:why', async ({ project, log }, args) => (project === null ? notGoverned : why(project, log(project), args))],
]);

/** Wraps a command that needs a governed project. */
function governed(
  answer: (request: TypedRequest, args: string) => string | Promise<string>,
  authority: TeamAuthority | null = null,
): Answer {
  return async (typed, args) => {
    const { project, asker, where } = typed;
    if (project === null) return notGoverned;
    await project.ready(where.session);
    const ask: TypedRequest['ask'] = (message, label, instead, details) =>
      askFor(authority, typed, { message, label, details }, instead);
    return answer({ project, asker, ask }, args);
  };
}

/** Asks the person, unless the organization forbids this action. */
async function askFor(
  authority: TeamAuthority | null,
  typed: TypedCommand,
  question: Question,
  instead: string,
): Promise<Confirmation> {
  const why = authority === null ? null : forbidden(typed.project?.place ?? typed.place, authority);
  return why === null ? askPerson(typed, question, instead) : { confirmed: false, why };
}

async function mode(typed: TypedCommand, args: string): Promise<string> {
  const [, word = '', why] = /^(.*?)(?:\s+because\s+(.*))?$/s.exec(args.trim()) ?? [];
  if (word === 'help') return help;
  const { project } = typed;
  if (project === null) return notGoverned;
  await project.ready();
  if (word === '') return withGates(project);
  if (word === 'status') {
    const problems = problemLines(await everyProblem(project));
    return long(project, await withGates(project), typed.findings(), healthLine(typed.log(project).health()), problems);
  }
  const { topology } = project.describe().configuration;
  if (topology === null) return `modes.yaml cannot be used:\n${problemsText(project)}`;
  const target = word === 'reset' ? topology.default : word;
  if (!topology.modes.has(target))
    return `There is no mode ${JSON.stringify(target)}. ${insteadOf(target, topology.modes.keys(), 'Modes')}`;
  const { mode: present } = project.describe();
  if (present === target) return `Already in mode '${target}'.`;
  const free = await isOpenTransition(project, target);
  if (!free) {
    const open = resumable(project);
    const answer = await askFor(
      open.includes(target) ? null : 'force',
      typed,
      {
        message:
          present === null
            ? `${unknownState(project)} Set it to ${target}?`
            : `Change the mode from ${present} to ${target} without its gate?`,
        label: `Yes, change to ${target}`,
        details: present === null ? [] : [{ title: 'Gate', lines: await skippedText(project, target) }],
      },
      atTerminal,
    );
    const others = open.length === 0 || open.includes(target) ? '' : ` A person can set ${open.join(' or ')}.`;
    const stays = present === null ? 'Nothing was changed' : `The mode stays ${present}`;
    if (!answer.confirmed) return `${stays}: ${answer.why}${others}`;
  }
  await project.ready();
  // Other events were answered while the dialog was open.
  const isSame = project.describe().mode === present;
  if (!isSame || (free && !(await isOpenTransition(project, target))))
    return 'The mode has changed in the meantime. Type the command again.';
  const explanation = why || `/modes:mode ${word}`;
  const result = project.transitions.force(target, explanation, typed.asker, free ? 'command' : 'dialog');
  return result.success ? `Mode: ${result.new_mode}\n\n${project.context('whole')}` : result.reason;
}

async function setup(typed: TypedCommand, args: string): Promise<string> {
  if (args.trim() === 'undo') return undo(typed);
  const { packageRoot, place } = typed;
  const first = planSetup({
    root: typed.project?.root ?? place.root,
    preset: args.trim() || 'tdd',
    packageRoot,
    configFolder: place.configFolder,
    home: place.home,
  });
  if ('error' in first) return first.error;
  const { plan, notes } = await offerLines(first, place, (message, label, instead, details) =>
    askFor('trust', typed, { message, label, details }, instead),
  );
  if ('error' in plan) return plan.error;
  if (isDone(plan)) return 'Everything is already set up.';
  const answer = await askFor(
    'trust',
    typed,
    {
      message: setupQuestion(plan),
      label: 'Yes, write these files',
      details: [{ title: 'Setup', lines: setupText(plan).split('\n') }],
    },
    'Run modes init in a terminal.',
  );
  if (!answer.confirmed) return `Nothing was written: ${answer.why}\nIt would be:\n${setupText(plan)}`;
  return [...(await write(typed, plan)), ...notes].join('\n');
}

/** Runs a setup that a person has confirmed. */
async function write(typed: TypedCommand, plan: SetupPlan): Promise<string[]> {
  typed.project?.touch();
  await typed.project?.ready(typed.where.session);
  // The person saw what the setup writes, and nothing of other changes.
  const hasOthers = typed.project?.describe().present.differs ?? false;
  const done = runSetup(plan, typed.place.dataFolder, new Date());
  typed.project?.touch();
  await typed.project?.ready(typed.where.session);
  if (hasOthers) done.push('Not adopted in this session: .claude/ has other changes. To see them: /modes:trust.');
  else typed.project?.adopt('session');
  const opened = await typed.reopen();
  return [...done, ...(opened === null ? [] : stillClosed(opened.state()))];
}

/** A person can import the client's allow lines that would have no effect; `notes` name those that stay without effect. */
async function offerLines(
  plan: SetupPlan,
  { configFolder, home }: Place,
  ask: TypedRequest['ask'],
): Promise<{ plan: SetupPlan | { error: string }; notes: string[] }> {
  const at = { root: plan.root, configFolder, home, env: process.env, packageRoot: plan.packageRoot };
  const lines = await findStoppedBy(plan, at);
  const notes = stoppedText(lines);
  if (!canImport(lines)) return { plan, notes };
  const question = `${cut(showInLine(notes.join('; ')))} Import the lines that the modes ask about?`;
  const { confirmed } = await ask(question, 'Yes, import them', importRemedy);
  return { plan: confirmed ? withStopped(plan, lines, false) : plan, notes: confirmed ? notes : [...notes, importRemedy] };
}

async function begin(typed: TypedCommand, args: string): Promise<string> {
  if (args.trim() === 'undo') return undo(typed);
  const { place, packageRoot } = typed;
  return init(
    {
      root: typed.project?.root ?? place.root,
      place,
      packageRoot,
      ask: (message, label, instead, details) => askFor('trust', typed, { message, label, details }, instead),
      write: (plan) => write(typed, plan),
    },
    args.trim(),
  );
}

async function undo(typed: TypedCommand): Promise<string> {
  const root = typed.project?.root ?? typed.place.root;
  const plan = planUndo(typed.place.dataFolder, root);
  if ('error' in plan) return plan.error;
  const message = `Undo the last setup of this project and restore ${plan.steps.length} files?`;
  const question = { message, label: 'Yes, undo it', details: [{ title: 'Undo', lines: undoText(plan).split('\n') }] };
  const answer = await askFor('trust', typed, question, 'Run modes init --undo in a terminal.');
  if (!answer.confirmed) return `Nothing was changed: ${answer.why}\nIt would be:\n${undoText(plan)}`;
  const done = runUndo(plan, typed.place.dataFolder);
  if (endedBy(plan)) {
    typed.project?.release();
    done.push('This project is no longer governed.');
  }
  typed.project?.touch();
  await typed.reopen();
  return done.join('\n');
}

/** Why the mode is not known, in a sentence. */
function unknownState(project: CallerProject): string {
  const { degraded: fault, entries } = project.state();
  if (fault === null) return 'The mode is unknown.';
  return fault.code === 'E_STOPPED'
    ? `Stopped in ${entries.at(-1)?.to}: ${fault.message}.`
    : `The mode is unknown: ${fault.message}.`;
}

/** The mode with its transitions, and the unmet requirements of each gate. */
async function withGates(project: CallerProject): Promise<string> {
  return [short(project), ...gateLines(await gatesNow(project))].join('\n');
}

function short(project: CallerProject): string {
  const { mode: present, configuration, state } = project.describe();
  const from = present === null ? undefined : configuration.topology?.modes.get(present);
  if (present === null || from === undefined || configuration.topology === null) {
    const remedy = state.degraded === null ? '' : remedyOf(state.degraded);
    const errors = project.problems().filter(({ severity }) => severity === 'error');
    return [unknownState(project), problemLines(errors), remedy].filter((line) => line !== '').join('\n');
  }
  const transitionLines = targets(from, configuration.topology).map(
    (transition) => `→ ${transition.to}${transition.constraint ? `  (${transition.constraint.replace(/\s+/g, ' ')})` : ''}`,
  );
  return [`Mode: ${present}`, ...(transitionLines.length > 0 ? transitionLines : ['no transitions; use /modes:mode NAME'])].join(
    '\n',
  );
}

function long(project: CallerProject, start: string, findings: Finding[], log: string, problems: string): string {
  const { state, trusted } = project.describe();
  const history = state.entries
    .slice(-5)
    .map(
      (entry) =>
        `${entry.timestamp}  ${entry.from ?? '?'} → ${entry.to}  ${entry.actor}${entry.kind === 'force' ? ', forced' : ''}${entry.confirmed ? `, ${confirmedBy[entry.confirmed] ?? showInLine(entry.confirmed)}` : ''}: ${cut(showInLine(entry.explanation))}`,
    );
  return [
    start,
    `Project: ${project.root}`,
    `Configuration: ${trusted ? 'trusted' : 'not trusted (/modes:trust)'} ${project.approvals.shown().approvalHash}`,
    laterTrust(project.place.dataFolder, project.root) ?? '',
    ...(history.length > 0 ? ['History:', ...history] : []),
    contextOf(state.work, null)?.line ?? '',
    ...(findings.length > 0 ? ['Found around this project:', findingLines(findings)] : []),
    log,
    problems,
  ]
    .filter((line) => line !== '')
    .join('\n');
}

interface Starting {
  root: string;
  place: Place;
  packageRoot: string;
  ask: TypedRequest['ask'];
  /** Carries out the plan; returns a line for each step. */
  write(plan: SetupPlan): Promise<string[]>;
}

/** With an empty `preset` it compares all presets and asks nothing. */
async function init({ root, place, packageRoot, ask, write }: Starting, preset: string): Promise<string> {
  if (preset === '') return `${presetTable(readPresets(packageRoot))}\n\nTo set this project up with one: /modes:init NAME`;
  const first = planSetup({ root, preset, packageRoot, configFolder: place.configFolder, home: place.home });
  if ('error' in first) return first.error;
  const refused = refusePreset(root, preset, packageRoot);
  if (refused !== null) return refused;
  const { plan, notes } = await offerLines(first, place, ask);
  if ('error' in plan) return plan.error;
  if (isDone(plan)) return 'Everything is already set up.';
  const answer = await ask(
    `Set this project up with the preset ${preset}? ${plan.fit === null ? '' : fitSummary(plan.fit)}It writes: ${planSummary(plan)}. To undo it: /modes:init undo.`,
    'Yes, write these files',
    `Run modes init --preset ${preset} in a terminal.`,
    [{ title: 'Setup', lines: setupText(plan).split('\n') }],
  );
  if (!answer.confirmed) return `Nothing was written: ${answer.why}\nIt would be:\n${setupText(plan)}`;
  return [...(await write(plan)), ...notes, 'To undo it: /modes:init undo.'].join('\n');
}

/** `args`: empty for the last refused call of this session, a decision's id, or a call. */
async function why(project: CallerProject, log: DecisionLog, args: string): Promise<string> {
  const what = args.trim();
  await project.ready(project.caller.session);
  log.flush();
  const explanation = what === '' || isId(what) ? await logged(project, what) : await explanationOf(project, what);
  const text = typeof explanation === 'string' ? explanation : renderExplanation(explanation);
  return text.length > longestAnswer ? `${text.slice(0, longestAnswer)}…\n(modes explain shows all.)` : text;
}

async function logged(project: CallerProject, id: string): Promise<Explanation | string> {
  const files = new LogFiles(logFolder(project.place.dataFolder, project.root));
  const event = id === '' ? lastDecision(files, project.caller.session) : findDecision(files, id);
  if (event === 'several') return `Several decisions begin with ${id}; type more of the id.`;
  if (event === null) return id === '' ? 'No call was decided in this session yet.' : `No decision ${id} is in the log.`;
  return explainLogged(event, project, project.caller.session);
}

async function explanationOf(project: CallerProject, text: string): Promise<Explanation> {
  return explainCall(
    { ...writtenCall(text, project.caller.cwd ?? project.root), sessionId: project.caller.session },
    null,
    project,
  );
}
