// Allow lines of the client's settings that have no effect in a mode, and their import into the modes that ask instead. The
// client looks at its own allow lines only if the hook gives no answer.
import path from 'node:path';
import { configure, layeredSources } from '../../app/dry-run.ts';
import type { SetupPlan } from '../../app/setup/setup.ts';
import { refuseText, type SetupStep, textOf } from '../../app/setup/step.ts';
import { writtenCall } from '../../facts/written.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';
import { type AllowLine, readAllowLines } from './claude-settings.ts';
import type { NewFile, Transfer } from './types.ts';
import { settingsWith, withFiles } from './write.ts';

export interface StoppedLine extends AllowLine {
  /** Modes that ask about calls of the line, or deny them. */
  asked: string[];
  denied: string[];
  /** Modes in which the imported line would allow these calls; empty if it cannot be imported. */
  opens: string[];
}

export interface ImportContext {
  root: string;
  configFolder: string;
  home: string;
  env: NodeJS.ProcessEnv;
  packageRoot: string;
}

/** Modes' own tools, of the plugin or of a server that is registered without it. A setup writes these lines itself. */
const ownTools = /^mcp__(?:plugin_modes_)?modes(?:__|$)/;

/** The lines that have no effect under this configuration, once it is trusted. None if the configuration has errors. */
export async function findStopped(snapshot: ConfigSnapshot, at: ImportContext): Promise<StoppedLine[]> {
  const lines = readAllowLines(at).lines.filter(({ text }) => !ownTools.test(text));
  if (lines.length === 0) return [];
  const effects = await effectsUnder(snapshot, lines, at);
  if (effects === null) return [];
  const stopped = lines.flatMap((line) => {
    const [asked, denied] = (['ask', 'deny'] as const).map((wanted) =>
      effects.modes.filter((mode) => effects.of(line, mode) === wanted),
    ) as [string[], string[]];
    return asked.length + denied.length === 0 ? [] : [{ ...line, asked, denied, opens: line.rule === null ? [] : asked }];
  });
  const after = await effectsUnder(withFiles(snapshot, filesOf(snapshot, stopped, true)), stopped, at);
  return stopped.map((line) => ({ ...line, opens: line.opens.filter((mode) => after?.of(line, mode) === 'none') }));
}

type Answer = 'none' | 'ask' | 'deny';
const strictest: readonly Answer[] = ['deny', 'ask', 'none'];

/** The decision of each mode on the calls of a line; null if the configuration cannot be used. */
async function effectsUnder(snapshot: ConfigSnapshot, lines: readonly AllowLine[], { root, env, packageRoot }: ImportContext) {
  const configured = await configure(snapshot, { root, trusted: true, env, packageRoot });
  const { topology } = configured.config.known;
  if (topology === null || configured.problems.some(({ severity }) => severity === 'error')) return null;
  const answerTo = (call: string, mode: string): Answer => {
    const { decision, verifiable } = configured.decide(writtenCall(call, root), mode);
    // The server compares the guarded files of such a call afterwards, and does not ask.
    return decision === 'deny' || (decision === 'ask' && verifiable === undefined) ? decision : 'none';
  };
  const calls = new Map(lines.map(({ text }) => [text, examplesOf(text)]));
  return {
    modes: [...topology.modes.keys()],
    of: ({ text }: AllowLine, mode: string): Answer => {
      const answers = (calls.get(text) ?? []).map((call) => answerTo(call, mode));
      return strictest.find((one) => answers.includes(one)) ?? 'none';
    },
  };
}

/** Calls that a line allows, as a person writes them. */
function examplesOf(line: string): string[] {
  const [, tool = '', argument = ''] = /^([A-Za-z_][\w*-]*)(?:\(([\s\S]*)\))?$/.exec(line) ?? [];
  const make = examples.find(([tools]) => tools.test(tool))?.[1];
  return (make?.(argument) ?? []).map((text) => `${tool.replace(/\*/g, 'x')}(${text})`).filter(isCall);
}

const isCall = (text: string): boolean => {
  try {
    writtenCall(text, '/');
    return true;
  } catch {
    return false;
  }
};

/** A glob or pattern with a word in place of each wildcard. */
const filled = (pattern: string): string => pattern.replace(/\*+|\?/g, 'x');

const examples: readonly (readonly [tools: RegExp, calls: (argument: string) => string[]])[] = [
  [/^(Bash|Monitor|PowerShell)$/, commandsOf],
  [/^(Read|Edit|Write)$/, (argument) => [filled(argument) || 'x']],
  [/^WebFetch$/, (argument) => [`https://${filled(argument.replace(/^domain:/, '')).replace(/^$/, 'x')}/`]],
  [/^mcp__/, () => ['{}']],
];

/** With a wildcard at the end, the command may have no further words. */
function commandsOf(argument: string): string[] {
  const plain = argument.replace(/\\([()\\])/g, '$1');
  const open = /^([\s\S]*?)(?::\*| \*)$/.exec(plain)?.[1];
  if (open === undefined) return [filled(plain) || 'x'];
  return [filled(open), `${filled(open)} x`];
}

/** The settings files of the modes with these lines added. A person's own lines go into the local files. */
function filesOf(snapshot: ConfigSnapshot, lines: readonly StoppedLine[], isWideToo: boolean): NewFile[] {
  const present = new Map(
    snapshot.flatMap(({ layer, files }) => (layer === 'project' ? files.map(({ name, text }) => [name, text] as const) : [])),
  );
  const rules = new Map<string, string[]>();
  for (const { suffix, rule, opens, wide } of lines)
    for (const mode of rule !== null && (wide === null || isWideToo) ? opens : []) {
      const name = `.claude/settings.${mode}${suffix}.json`;
      rules.set(name, [...(rules.get(name) ?? []), rule as string]);
    }
  return [...rules].map(([name, allow]) => ({ name, text: settingsWith(present.get(name) ?? null, { allow }) }));
}

/** The import of the lines that have no effect. Wide lines only if a person asked for them. */
export async function importStopped(at: ImportContext, isWideToo: boolean): Promise<Transfer> {
  const snapshot = layeredSources(at.root, null);
  const { sources, faults } = readAllowLines(at);
  const lines = await findStopped(snapshot, at);
  const left = lines
    .filter((line) => line.opens.length === 0 || (line.wide !== null && !isWideToo))
    .map((line) => ({ at: line.at, what: `allow ${line.text}: ${effectOf(line)}`, instead: whyLeft(line) }));
  return { sources, files: filesOf(snapshot, lines, isWideToo), left, faults };
}

/** Configuration files that a setup is about to write, over those that exist. */
function contentAfter({ root, steps }: SetupPlan): ConfigSnapshot {
  const files = steps.map(({ file, text }) => ({ name: path.relative(root, file).replaceAll('\\', '/'), text }));
  const ofModes = /^\.claude\/(?!settings(\.local)?\.json$)/;
  return withFiles(
    layeredSources(root, null),
    files.filter(({ name }) => ofModes.test(name)),
  );
}

/** The lines that would have no effect after this setup. */
export const findStoppedBy = (plan: SetupPlan, at: ImportContext): Promise<StoppedLine[]> => findStopped(contentAfter(plan), at);

/** The same setup with the lines imported. The error is for a person. */
export function withStopped(plan: SetupPlan, lines: readonly StoppedLine[], isWideToo: boolean): SetupPlan | { error: string } {
  const files = filesOf(contentAfter(plan), lines, isWideToo);
  const blocked = files.map(({ name }) => refuseText(plan.root, name)).find((error) => error !== null);
  if (blocked !== undefined) return { error: blocked };
  const what = "with lines of the client's settings";
  const imported = files.map(({ name, text }): SetupStep => {
    const file = path.join(plan.root, name);
    const planned = plan.steps.find((step) => step.file === file);
    if (planned !== undefined) return { ...planned, what: `${planned.what}, ${what}`, text };
    const before = textOf(file);
    return { kind: before === null ? 'create' : 'change', file, what, before, text };
  });
  const others = plan.steps.filter(({ file }) => !imported.some((step) => step.file === file));
  return { ...plan, steps: [...others, ...imported] };
}

/** One line for each, for a person; empty without lines. */
export function stoppedText(lines: readonly StoppedLine[]): string[] {
  if (lines.length === 0) return [];
  const rows = lines.map((line) => {
    const isImported = line.opens.length > 0 && line.wide === null;
    return `  ${line.text}  (${line.at}): ${effectOf(line)}${isImported ? '' : `. ${whyLeft(line)}`}`;
  });
  return ["Allow lines of the client's settings that have no effect in some modes:", ...rows];
}

/** True if a person can import one of them without a further approval. */
export const canImport = (lines: readonly StoppedLine[]): boolean =>
  lines.some(({ opens, wide }) => opens.length > 0 && wide === null);

export const importRemedy = 'To import them into the modes that ask: modes import claude-settings --write';

function effectOf({ asked, denied }: StoppedLine): string {
  const parts = [
    ['asked about in', asked],
    ['denied in', denied],
  ] as const;
  return parts.flatMap(([verb, modes]) => (modes.length === 0 ? [] : [`${verb} ${modes.join(', ')}`])).join(', ');
}

function whyLeft({ asked, opens, wide, why }: StoppedLine): string {
  if (asked.length === 0) return 'The modes deny this on purpose, so it is not imported.';
  if (why !== null) return `It is not imported: ${why}.`;
  if (opens.length === 0) return 'It is not imported: the modes would still ask.';
  return `It allows far more than one kind of call: ${wide ?? ''}. To import it anyway: modes import claude-settings --wide --write`;
}
