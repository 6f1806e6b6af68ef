// Imports cc-sessions (DAIC): converts its configuration and state to the preset daic, with the phrases, commands and tools of
// the project.

import { findUnseen } from '../../config/text.ts';
import { analyse } from '../../shell/analyse.ts';
import { type Daic, daicFiles } from './daic.ts';
import { namesBelow, readText } from './disk.ts';
import type { Fault, Left, NewFile, NotImported, Transfer } from './types.ts';

const CONFIG = 'sessions/sessions-config.json';
const STATE = 'sessions/sessions-state.json';
const TASKS = 'sessions/tasks';

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

/** The phrase categories of cc-sessions, and the effect that each has here. */
const PHRASES: readonly (readonly [category: string, aim: keyof Daic['phrases']])[] = [
  ['implementation_mode', 'implementation'],
  ['discussion_mode', 'stop'],
  ['task_creation', 'task-creation'],
  ['task_startup', 'task-startup'],
  ['task_completion', 'task-completion'],
  ['context_compaction', 'context-compaction'],
];

const USUAL_TOOLS = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'];
/** A word, or words, that a Bash rule can begin with. */
const COMMAND = /^[\w./@+-]+(?: [\w./@=+-]+)*$/;

/** Switches of the configuration that are imported. */
const SWITCHES: readonly string[] = [
  'blocked_actions.extrasafe',
  'features.branch_enforcement',
  'features.auto_ultrathink',
  'features.context_warnings.warn_85',
  'features.context_warnings.warn_90',
];

/** Keys of the configuration that are imported; all others are listed as lost. */
const KNOWN: ReadonlySet<string> = new Set([
  ...PHRASES.map(([category]) => `trigger_phrases.${category}`),
  ...['implementation_only_tools', 'bash_read_patterns', 'bash_write_patterns'].map((key) => `blocked_actions.${key}`),
  ...SWITCHES,
]);

const LISTS =
  /^(trigger_phrases\.(implementation_mode|discussion_mode|task_creation|task_startup|task_completion|context_compaction)|blocked_actions\.(implementation_only_tools|bash_read_patterns|bash_write_patterns))(\.|$)/;

export function importCcSessions(root: string, packageRoot: string): Transfer | NotImported {
  const left: Left[] = [];
  const faults: Fault[] = [];
  const sources: string[] = [];
  const config = readObject(root, CONFIG, sources, faults);
  const state = readObject(root, STATE, sources, faults);
  if (config === null && state === null)
    return {
      error:
        faults[0] === undefined
          ? `There is no ${CONFIG} in ${root}. Go to the folder of a project that has it.`
          : `${faults[0].at} cannot be read: ${faults[0].what}. Mend it first.`,
    };
  const daic = readConfig(config ?? {}, left);
  leaveStrange(config ?? {}, left);
  if (config === null)
    left.push({ at: CONFIG, what: 'it cannot be read, or is not there', instead: 'What cc-sessions begins with was taken.' });
  readState(state ?? {}, left);
  const tasks = readTasks(root, left, sources);
  return { sources, files: [...daicFiles(daic, root, packageRoot), ...tasks], left, faults };
}

function readObject(root: string, name: string, sources: string[], faults: Fault[]): Fields | null {
  const read = readText(root, name);
  if (read === null) return null;
  const fail = (what: string): null => {
    faults.push({ at: name, what });
    return null;
  };
  if ('wrong' in read) return fail(read.wrong);
  try {
    const value: unknown = JSON.parse(read.text);
    if (!isObject(value)) return fail('it is no JSON object');
    sources.push(name);
    return value;
  } catch (error) {
    return fail((error as Error).message);
  }
}

function readConfig(config: Fields, left: Left[]): Daic {
  const part = (name: string): Fields => (isObject(config[name]) ? (config[name] as Fields) : {});
  const [blocked, features] = [part('blocked_actions'), part('features')];
  const warnings = isObject(features.context_warnings) ? features.context_warnings : {};
  for (const [key, value] of leaves(config))
    if (!KNOWN.has(key) && !LISTS.test(key))
      left.push({
        at: CONFIG,
        what: `${key}: ${JSON.stringify(value)}`,
        instead: 'Nothing here does this; what the model should know of it belongs in CLAUDE.implementation.md.',
      });
  left.push({
    at: CONFIG,
    what: `features.branch_enforcement is ${features.branch_enforcement === false ? 'off' : 'on'}`,
    instead:
      features.branch_enforcement === false
        ? 'A task that is started binds writes to its branch.'
        : 'It is enforced for a task that is started: /modes:task start NAME. Without one, writes are bound to no branch.',
  });
  if (blocked.extrasafe === false || blocked.extrasafe === undefined)
    left.push({
      at: CONFIG,
      what: 'blocked_actions.extrasafe is off: commands that are not known run in discussion',
      instead: 'They are denied. Name those that only read under commands: in modes.yaml.',
    });
  left.push({
    at: CONFIG,
    what: 'tools that are not blocked by name, MCP tools among them, run in discussion',
    instead: 'What may write anywhere is asked about; all else is left to the client.',
  });
  const warn = [85, 90].filter((percent) => warnings[`warn_${percent}`] !== false);
  return {
    phrases: readPhrases(part('trigger_phrases'), left),
    denied: [...readTools(blocked.implementation_only_tools, left), ...readWriting(blocked.bash_write_patterns, left)],
    reading: readReading(blocked.bash_read_patterns, left),
    warn,
    prefix: features.auto_ultrathink === true ? '[[ ultrathink ]]' : null,
  };
}

/** How a switch counts that has another value. */
const usual = (key: string): string => (key === 'features.auto_ultrathink' ? 'It counts as off.' : 'It counts as on.');

/** cc-sessions expects a list of texts, or a switch, at these keys. */
function leaveStrange(config: Fields, left: Left[]): void {
  for (const [key, value] of leaves(config)) {
    if (SWITCHES.includes(key) && typeof value !== 'boolean')
      left.push({ at: CONFIG, what: `${key}: ${JSON.stringify(value)} is neither true nor false`, instead: usual(key) });
    if (!LISTS.test(key) || textsOf(value).length === (Array.isArray(value) ? value.length : -1)) continue;
    left.push({ at: CONFIG, what: `${key}: ${JSON.stringify(value)} is no list of texts`, instead: 'Only its texts count.' });
  }
}

function readPhrases(given: Fields, left: Left[]): Daic['phrases'] {
  const phrases: Daic['phrases'] = {};
  const taken = new Map<string, string>();
  for (const [category, aim] of PHRASES) {
    if (!Array.isArray(given[category])) continue;
    const own: string[] = [];
    for (const phrase of textsOf(given[category]).map((one) => one.trim())) {
      const other = taken.get(phrase.toLowerCase());
      const at = `trigger_phrases.${category}`;
      if (phrase === '') left.push({ at, what: 'an empty phrase, which is met by every prompt', instead: 'It was left out.' });
      else if (findUnseen(phrase) >= 0)
        left.push({ at, what: `${JSON.stringify(phrase)} holds what cannot be seen`, instead: 'It was left out.' });
      else if (other !== undefined)
        left.push({ at, what: `${phrase} stands under ${other} too`, instead: 'It counts there alone.' });
      else {
        taken.set(phrase.toLowerCase(), category);
        own.push(phrase);
      }
    }
    phrases[aim] = own;
  }
  left.push({
    at: CONFIG,
    what: 'a phrase counts anywhere in a prompt, and opens implementation by itself',
    instead:
      'What opens must be the whole prompt, and a person says yes to the plan or approved it; what stops is a word of its own.',
  });
  return phrases;
}

/** Tools that are denied in discussion, in addition to the default. */
function readTools(value: unknown, left: Left[]): string[] {
  if (!Array.isArray(value)) return [];
  const names = textsOf(value);
  for (const open of USUAL_TOOLS.filter((name) => name !== 'MultiEdit' && !names.includes(name)))
    left.push({
      at: CONFIG,
      what: `${open} is not blocked in discussion`,
      instead: 'It is denied there, as every write is.',
    });
  return names.filter((name) => {
    if (USUAL_TOOLS.includes(name)) return false;
    const isName = /^[A-Za-z][\w-]*$/.test(name);
    if (!isName)
      left.push({
        at: CONFIG,
        what: `blocked tool ${JSON.stringify(name)} is no name of a tool`,
        instead: 'Every write is denied in discussion, by whatever tool.',
      });
    return isName;
  });
}

function readWriting(value: unknown, left: Left[]): string[] {
  return textsOf(value).flatMap((pattern) => {
    const command = pattern.trim();
    if (COMMAND.test(command)) return [`Bash(${command}:*)`];
    left.push({
      at: CONFIG,
      what: `bash_write_patterns: ${JSON.stringify(pattern)} is no command`,
      instead: 'What is not known to only read is denied in discussion.',
    });
    return [];
  });
}

/** Words that begin a read-only command in cc-sessions. A command that the analyser knows to do more keeps its class. */
function readReading(value: unknown, left: Left[]): string[] {
  return textsOf(value).flatMap((pattern) => {
    const command = pattern.trim();
    const leave = (what: string, instead: string): string[] => {
      left.push({ at: CONFIG, what: `bash_read_patterns: ${JSON.stringify(pattern)} ${what}`, instead });
      return [];
    };
    if (!/^[\w.@+-]+$/.test(command))
      return leave(
        'is not one word, and meets no command there',
        'It stays denied; commands: in modes.yaml takes several words.',
      );
    const { class: known, commands } = analyse(`${command} x`, { cwd: '/', home: '/' });
    if (known === 'read-only') return [];
    const isItself = commands.length === 1 && commands[0]?.name === command;
    if (known === 'unknown' && isItself) return [command];
    return leave(known === 'unknown' ? 'starts other programs' : `is known here as ${known}`, 'It stays denied in discussion.');
  });
}

function readState(state: Fields, left: Left[]): void {
  const flags = isObject(state.flags) ? state.flags : {};
  const todos = isObject(state.todos) ? state.todos : {};
  const task = isObject(state.current_task) ? state.current_task : {};
  const leave = (what: string, instead: string): void => void left.push({ at: STATE, what, instead });
  if (state.mode === 'implementation') leave('the mode is implementation', 'Work begins in discussion.');
  if (flags.bypass_mode === true) leave('bypass_mode is on', 'Nothing is bypassed; /modes:off asks a person, and ends.');
  if (typeof state.active_protocol === 'string')
    leave(`the protocol ${state.active_protocol} is open`, 'Its phrase begins it again.');
  for (const [list, means] of [
    ['active', 'open'],
    ['stashed', 'laid aside'],
  ] as const) {
    const items = Array.isArray(todos[list]) ? (todos[list] as unknown[]).filter(isObject) : [];
    const named = items
      .filter(({ status }) => status !== 'completed')
      .map(({ content = '' }) => (typeof content === 'string' ? content : JSON.stringify(content)));
    if (named.length > 0)
      leave(`${means}: ${named.join('; ')}`, 'Nobody approved these here: the agent proposes them with plan_propose.');
  }
  const name = typeof task.name === 'string' ? task.name : typeof task.file === 'string' ? task.file : null;
  if (name !== null) leave(`the task is ${name}`, `/modes:task start ${name.replace(/\.md$/, '')} binds the session to it.`);
}

/** Files of unfinished tasks. Their front matter has the same format on both sides. */
function readTasks(root: string, left: Left[], sources: string[]): NewFile[] {
  return namesBelow(root, TASKS, left).flatMap((name) => {
    const at = `${TASKS}/${name}`;
    if (/^(done|indexes|index)\//.test(name) || /(^|\/)(TEMPLATE|\.gitkeep)/i.test(name)) return [];
    const read = readText(root, at);
    const isTask = /^[A-Za-z0-9?][A-Za-z0-9_.-]*(\/[A-Za-z0-9?][A-Za-z0-9_.-]*)?\.md$/.test(name);
    const wrong = read === null ? null : 'wrong' in read ? read.wrong : isTask ? null : 'it is not called as a task';
    if (read === null || 'wrong' in read || wrong !== null || !/^---\r?\n[\s\S]*?\r?\n---/.test(read.text)) {
      left.push({ at, what: wrong ?? 'it has no front matter', instead: 'It stays where it is.' });
      return [];
    }
    sources.push(at);
    return [{ name: `.claude/tasks/${name}`, text: read.text }];
  });
}

/** Every value with its keys, joined by dots. A list counts as one value. */
function leaves(value: Fields, above = ''): [key: string, value: unknown][] {
  return Object.entries(value).flatMap(([key, one]) =>
    isObject(one) ? leaves(one, `${above}${key}.`) : ([[`${above}${key}`, one]] as [string, unknown][]),
  );
}
