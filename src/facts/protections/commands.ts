// Built-in protections that are not paths: Modes' own tools, a client that the agent starts, Modes' command line, delayed input.
import path from 'node:path';
import { clientName } from '../../config/tool-names.ts';
import type { BashCommand, BashFacts } from '../../model/command.ts';
import type { Facts, PathProtection, ToolCall } from '../../model/facts.ts';
import { inside } from '../../platform/path-text.ts';
import { isInterpreter } from '../../shell/interpreters.ts';
import { maxPath } from '../limits.ts';
import { commandsIn } from '../paths/keys.ts';
import type { Place } from '../paths/place.ts';
import { type LinkReader, resolveNames } from '../paths/resolve.ts';
import { protectionNamed } from './paths.ts';
import { isRegistered, typedCommands } from './registered.ts';
import { shortCommands } from './without-plugin.ts';

type Guard = Facts['protections'][number];

/** The client's name for the server of Modes when it runs as the plugin. */
const modesServer = { name: 'plugin:modes:modes', source: 'plugin' };

/** The tools of Modes, with the effect of a call in the main thread and in a subagent. Subagents may not use tools that write. */
const modesTools: ReadonlyMap<string, { main: 'allow' | 'nothing'; subagent: 'allow' | 'deny' }> = new Map([
  ['status', { main: 'allow', subagent: 'allow' }],
  ['transition', { main: 'allow', subagent: 'deny' }],
  ['force_transition', { main: 'nothing', subagent: 'deny' }],
  ['permission_mode', { main: 'nothing', subagent: 'deny' }],
  ['plan_status', { main: 'allow', subagent: 'allow' }],
  ['plan_propose', { main: 'allow', subagent: 'deny' }],
  ['plan_check', { main: 'allow', subagent: 'deny' }],
  ['plan_done', { main: 'allow', subagent: 'deny' }],
]);

/** Protections for a call of a Modes tool; null if the call is for another server. */
export function modesToolProtections(call: ToolCall, place: Place): Guard[] | null {
  const name = modesToolName(call, place);
  if (name === null) return null;
  const row = modesTools.get(name);
  if (row === undefined) return [deny(call.tool, 'the model may not use this tool', 'Use status or transition.')];
  const effect = call.agentId ? row.subagent : row.main;
  if (effect === 'deny')
    return [
      name.startsWith('plan_')
        ? deny(call.tool, 'a subagent may not change the plan', 'Finish and let the main thread do it.')
        : deny(call.tool, 'a subagent may not change the mode', 'Finish and let the main thread change the mode.'),
    ];
  return effect === 'allow' ? [{ effect: 'allow', name: call.tool, reason: 'own tool', remedy: '' }] : [];
}

/** The name of the Modes tool that is called; null if the call is for another server. */
export function modesToolName({ tool, mcpServer: server }: Pick<ToolCall, 'tool' | 'mcpServer'>, place: Place): string | null {
  if (server === null) return null;
  const prefix = `mcp__${clientName(server.name)}__`;
  if (!tool.startsWith(prefix)) return null;
  const isPlugins = server.name === modesServer.name && server.source === modesServer.source;
  return isPlugins || isRegistered(server, place) ? tool.slice(prefix.length) : null;
}

/**
 * Denies a text that the client will later run as if the user had typed it, if it contains commands of Modes, either as a line or
 * as a string in code.
 */
export function promptProtections(tool: string, texts: readonly string[], place: Place): Guard[] {
  // The look-behind starts only at a slash, so that consecutive blanks are scanned only once.
  const typed = new RegExp(`(?=/${typedCommands(place)})(?<=(?:^|[\\n\\r\\u0085\\u2028\\u2029"'\`]|\\\\[nrtu])\\s*)`, 'i');
  return texts.some((text) => typed.test(text))
    ? [deny(`${tool} with a line starting /modes:`, 'only a person may type the commands of Modes', 'Ask the person to type it.')]
    : [];
}

/** Protections against programs of a Bash call that would bypass the guard. */
export function commandProtections(facts: BashFacts, place: Place, at: Pick<ProgramRun, 'cwd' | 'links'>): Guard[] {
  const guards: Guard[] = [];
  const reads = facts.commands.some(mayRun) ? readsByCommand(facts) : noReads;
  for (const [index, command] of facts.commands.entries()) {
    const { argv: words, opaque = none } = command;
    const isOpen = mayRun(command);
    if (startsClient(words) || opaque.some(namesClient))
      guards.push(deny('a second client', `${command.text} would start another client`, 'Use the Agent tool.'));
    const verb =
      modesVerb(words, place) ??
      (isOpen
        ? verbAt(words, modesProgramAt(words, place, { cwd: at.cwd, links: at.links, reads: reads.get(index) ?? none }))
        : null) ??
      (opaque.length === 0 ? null : modesVerbIn(opaque)) ??
      (isOpen ? containedVerb(command, place) : null);
    if (verb !== null && !readingVerbs.has(verb)) {
      guards.push(
        deny(`modes ${verb}`.trim(), 'it changes the permissions of this session', 'Ask a person to run it in a terminal.'),
      );
    }
    // A program may type what it is given into the terminal of the client.
    const typed = isOpen ? [...words, ...opaque].filter(mayType) : none;
    if (typed.length > 0) guards.push(...promptProtections('Bash', typed, place));
    if (asksSocket(command))
      guards.push(deny('a request to the socket of Modes', 'only read requests are allowed', 'Use the status tool.'));
  }
  return guards;
}

/** The verb of a command of Modes in a program text, or after the words of a program that starts another one. */
function containedVerb(command: BashCommand, place: Place): string | null {
  if (![...command.argv, command.input].some((text) => text?.includes('modes'))) return null;
  const verbs = commandsIn(command).commands.flatMap(({ argv }) => modesVerb(argv, place) ?? []);
  return verbs.find((verb) => changingVerbs.has(verb)) ?? null;
}

/** The text may be prose, so other words after `modes` do not count. */
const changingVerbs = new Set(['trust', 'init', 'mode', 'grant', 'accept', 'restore', 'bundle', 'import']);

/** A protected path that is named by a command that may write anywhere. */
interface Named {
  path: string;
  /** Index of the command. */
  command: number;
  via: string;
  protection: PathProtection;
}

/** A command that may write anywhere is assumed to write the protected paths that it names. It only reads its own script. */
export function namedProtections(facts: BashFacts, place: Place): Named[] {
  if (!facts.commands.some(mayRun)) return [];
  const reads = readsByCommand(facts);
  return facts.commands.flatMap((command, index) => {
    const { class: kind, argv, name, named = none } = command;
    if (!mayRun(command) || readingVerbs.has(modesVerb(argv, place) ?? 'none')) return [];
    const scripts = new Set(kind === 'runs' ? reads.get(index)?.map((file) => path.normalize(file)) : none);
    return named.flatMap((file): Named[] => {
      const protection = scripts.has(file) ? null : protectionNamed(file, place);
      return protection === null ? [] : [{ path: file, command: index, via: name, protection }];
    });
  });
}

const none: readonly string[] = [];
const noReads: ReadonlyMap<number, string[]> = new Map();
const mayRun = ({ class: kind }: BashCommand): boolean => kind === 'runs' || kind === 'unknown';

function readsByCommand({ reads }: BashFacts): ReadonlyMap<number, string[]> {
  const byCommand = new Map<number, string[]>();
  for (const { command, path: file, possible } of reads) {
    if (possible) continue;
    const before = byCommand.get(command);
    if (before === undefined) byCommand.set(command, [file]);
    else before.push(file);
  }
  return byCommand;
}

/** Matches commands of Modes. A text that starts like this is not a path. */
const typedName = new RegExp(`/(?:modes:|(?:${shortCommands.join('|')})(?![\\w:/.-]))`, 'i');
const mayType = (text: string | null): text is string => text !== null && typedName.test(text);

const readingVerbs = new Set([
  'check',
  'validate',
  'status',
  'bash',
  'log',
  'explain',
  'replay',
  'suggest',
  'stats',
  'graph',
  'dashboard',
  'doctor',
  'stop',
  'policy',
  'help',
  '--help',
  '-h',
  '--version',
  '-V',
  'hook',
]);
/** `runners` fetch and run a package; `runnersWithVerb` do so after one of these words. */
const runners = new Set(['npx', 'bunx', 'pnpx']);
const runnersWithVerb: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['npm', new Set(['exec', 'x'])],
  ['pnpm', new Set(['dlx', 'exec'])],
  ['yarn', new Set(['dlx', 'exec'])],
  ['bun', new Set(['x'])],
]);
/** Runners whose `run` finds the programs of packages in addition to scripts. */
const runsBins = new Set(['yarn', 'pnpm', 'bun']);
/** Options of these programs that consume the next word. */
const withValue = new Set([
  '-p',
  '--package',
  '-c',
  '--call',
  '-w',
  '--workspace',
  '--prefix',
  '-C',
  '--dir',
  '--cwd',
  '--filter',
]);
/** Programs that run a file or a program that their words name. */
const runsNamed = (name: string): boolean => name === 'exec' || name === 'env' || isInterpreter(name);

function startsClient(words: (string | null)[]): boolean {
  const program = words[0];
  if (typeof program !== 'string') return false;
  const name = nameOf(program);
  if (name === 'claude' || clientPackage.test(program)) return true;
  if (runsNamed(name) && words.some((word) => word !== null && (clientPackage.test(word) || /(^|\/)claude$/.test(word))))
    return true;
  return runsByName(words, name) || packageWords(words, name).some(packageIsClient);
}

/** As a shell looks it up: the part after the last slash. */
function nameOf(program: string): string {
  return program.endsWith('/') ? path.basename(program) : program.slice(program.lastIndexOf('/') + 1);
}

/** True if these words after `npx` or a similar runner name the client, or if the package is unknown. */
function packageIsClient(words: (string | null)[]): boolean {
  const { operand, values } = operandOf(words);
  if (operand === null || operand === 'claude' || values.includes(null)) return true;
  return (
    words.some((word) => word !== null && clientPackage.test(word)) ||
    values.some((value) => /(^|[\s;&|(/])claude(\s|$)/.test(value as string))
  );
}

/** The words after `npx`, `npm exec` and similar runners, for every possible position of the verb. Empty for another program. */
function packageWords(words: (string | null)[], name: string): (string | null)[][] {
  if (runners.has(name)) return [words.slice(1)];
  const verbs = runnersWithVerb.get(name);
  return verbs === undefined
    ? []
    : words.flatMap((word, at) => (at > 0 && word !== null && verbs.has(word) ? [words.slice(at + 1)] : []));
}

/**
 * The first word that is not an option (undefined: there is none; null: unknown value), its index, and the values of the options
 * before it.
 */
function operandOf(words: (string | null)[]): { operand: string | null | undefined; at: number; values: (string | null)[] } {
  const values: (string | null)[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string | null;
    if (word === null || !word.startsWith('-')) return { operand: word, at, values };
    if (withValue.has(word)) values.push(words[++at] ?? null);
  }
  return { operand: undefined, at: words.length, values };
}

/** True for `yarn claude` or `pnpm run claude`, which run a program of the project by its name. */
function runsByName(words: (string | null)[], name: string): boolean {
  if (!runnersWithVerb.has(name)) return false;
  const { operand } = operandOf(words.slice(1).filter((word) => word !== 'run' && word !== 'run-script'));
  return operand === 'claude';
}

/** The verb if the command is Modes' command line (`mcp` if it has none); null if it is another program. */
function modesVerb(words: (string | null)[], place: Place): string | null {
  const first = words[0];
  if (typeof first !== 'string') return null;
  const starts = startsOthers(words);
  const at = starts
    ? words.findLastIndex((word, i) => word !== null && isModesProgram(word, place) && (i === 0 || starts(i)))
    : isModesProgram(first, place)
      ? 0
      : -1;
  return verbAt(words, at);
}

/** The word after Modes' program; null if the program is not among the words. */
function verbAt(words: (string | null)[], at: number): string | null {
  if (at === -1) return null;
  // `Start-Process modes -ArgumentList "grant","1b2c"`
  const rest = words.slice(at + 1);
  const verb = rest[rest.findIndex((word) => word === null || !/^-[A-Z]\w+$/.test(word))];
  return verb === undefined ? 'mcp' : (verb?.replace(/^["'@(]+|["',)].*$/gs, '') ?? 'with an unknown name');
}

/** For a program that starts others: whether the word at an index may be the started program. null: it starts none. */
function startsOthers(words: (string | null)[]): ((at: number) => boolean) | null {
  const name = nameOf(words[0] as string);
  if (runners.has(name)) return () => true;
  const verbs = runnersWithVerb.get(name);
  if (verbs !== undefined) {
    const first = 1 + operandOf(words.slice(1)).at;
    const own = runsBins.has(name) && words[first] === 'run' ? first + 1 : first;
    const verb = words.findIndex((word, i) => i > 0 && word !== null && verbs.has(word));
    return (at) => at === own || (verb !== -1 && verb < at);
  }
  if (!runsNamed(name)) return null;
  const operand = words.findIndex((word, i) => i > 0 && word !== null && !word.startsWith('-') && !word.includes('='));
  return (at) => operand === -1 || at <= operand;
}

/** `path.normalize` works with the square of a text such as `../../…`, so it is only called for what can be a path. */
const isPath = (word: string): boolean => word.length <= maxPath && word.includes('/');

function isModesProgram(word: string, place: Place): boolean {
  const name = nameOf(word).replace(/\.(?:cmd|exe|ps1|bat)$/i, '');
  if (name === 'modes' || name === 'modes.mjs' || /^claude-modes-mcp(@|$)/.test(name)) return true;
  return place.pluginRoot !== null && isPath(word) && path.normalize(word).startsWith(`${place.pluginRoot}/dist/`);
}

function asksSocket(command: BashCommand): boolean {
  if (!command.argv.some((word) => word?.includes('mode.sock'))) return false;
  const program = path.basename(command.argv[0] ?? '');
  if (program !== 'curl') return command.class !== 'read-only';
  return command.argv.some(
    (word) => word === null || /^(-[a-zA-Z]*[XdFTK]|--(request|data|json|form|upload-file|config))/.test(word),
  );
}

function deny(name: string, reason: string, remedy: string): Guard {
  return { effect: 'deny', name, reason, remedy };
}

/**
 * The client by any path. The text after it shows that it is run and not only mentioned. The expressions first find its name and then
 * look at the text before it. Otherwise their work would grow with the square of a long text.
 */
const client = String.raw`(?:[\w.~$@{}+-]*\/)*claude`;
const run = String.raw`(?=\s+["'$<>|&;\d-]|\s*$|\s*[;&|)}\n${'`'}]|\\[nr])`;
const isClient = new RegExp(`^\\s*${client}(?:\\\\[nr]|\\s)*$`);
const inShell = new RegExp(
  String.raw`claude${run}(?<=(?:^|[;&|(\n{${'`'}!]|\b(?:exec|env|nohup|command|spawn|sudo|time|then|do|else)\s|(?:\b|\d)e\s)[\s@+-]*(?:\w+=\S*\s+)*${client})`,
);
/** A token in the text of a program that starts other programs. */
const inCode = new RegExp(String.raw`claude(?=$|[\s"'${'`'})\]},;&|\\])(?<=(?:^|[\s"'${'`'}(\[{,;&|=!:])${client})`);
const startsPrograms =
  /system|spawn|exec|popen|open[23]|subprocess|pty|fork|child_process|shell|\brun\b|\bcall\b|Process|`|%x|\bqx|\$\(|\|/i;
const clientPackage = /(^|[\s=/"'])@anthropic-ai\/claude-code(@|\/|\s|["']|$)/;

/** True for the client itself, for a shell text that runs it, and for program text that names it and starts programs. */
function namesClient(text: string): boolean {
  return (
    isClient.test(text) || clientPackage.test(text) || inShell.test(text) || (startsPrograms.test(text) && inCode.test(text))
  );
}

/** Excludes `from modes import x`, which is Python. */
const imports = String.raw`import(?=[\s,"']+(?:roo|cc-sessions|claude-settings)(?![\w-]))`;
const verbs = `trust|init|mode|mcp|bundle|setup|adopt|${imports}`;
const modesVerbPattern = new RegExp(
  String.raw`(?:^|[\s"'${'`'}(\[{,;&|=!:/])(?:modes(?:\.mjs)?|claude-modes-mcp(?:@[\w.]+)?)["']?(?:[\s,]+["']?-[\w-]+(?:=(?:["'][^\s,"']*["']?|[^\s,"']*)|["'])?)*[\s,]+["']?(${verbs})(?![\w-])`,
);

/** The verb of Modes' command line that one of the texts, or all of them as the words of a command, would run, or null. */
export function modesVerbIn(texts: readonly string[]): string | null {
  return [...texts, texts.join(' ')].map((text) => modesVerbPattern.exec(text)?.[1]).find((verb) => verb !== undefined) ?? null;
}

/** The environment of a command. */
interface ProgramRun {
  cwd: string;
  links: LinkReader | undefined;
  /** Absolute paths of files that the command reads, such as an interpreter's script. */
  reads: readonly string[];
}

const programFolders = ['bin', 'dist'];

/** The index of the Modes program in the words of a command that may run it; -1 if none, or if the project is Modes itself. */
function modesProgramAt(words: readonly (string | null)[], place: Place, run: ProgramRun): number {
  const { pluginRoot, root } = place;
  if (pluginRoot === null || pluginRoot === root) return -1;
  return words.findIndex(
    (word) =>
      word !== null &&
      placesOf(word, run).some((absolute) => {
        const { real } = resolveNames(absolute, root, run.links);
        return programFolders.some((folder) => inside(real, path.join(pluginRoot, folder)));
      }),
  );
}

/** Absolute paths that a word may refer to: as a path, as the value of an option, as a file that the command reads. */
function placesOf(word: string, { cwd, reads }: ProgramRun): string[] {
  const name = word.replace(/^(?:--?[\w-]+=)?(?:file:(?:\/\/)?)?/, '');
  if (name === '' || name.length > maxPath) return [];
  const endings = [`/${name}`, `/${path.normalize(name)}`];
  const read = reads.filter((file) => file === name || endings.some((ending) => file.endsWith(ending)));
  return name.includes('/') ? [path.resolve(cwd, name), ...read] : read;
}
