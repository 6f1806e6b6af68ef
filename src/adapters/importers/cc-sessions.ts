// Imports cc-sessions (DAIC): converts its configuration and state to the preset daic, with the phrases, commands and tools of
// the project.

import { findUnseen } from '../../config/text.ts';
import { isObject } from '../../platform/json-object.ts';
import { analyse } from '../../shell/analyse.ts';
import { type Daic, daicFiles } from './daic.ts';
import { namesBelow, readText } from './disk.ts';
import type { Fault, Left, NewFile, NotImported, Transfer } from './types.ts';

const CONFIG = 'sessions/sessions-config.json';
const STATE = 'sessions/sessions-state.json';
const TASKS = 'sessions/tasks';

type Fields = Record<string, unknown>;
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
const IMPORTED_KEYS: ReadonlySet<string> = new Set([
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
          : `${faults[0].at} cannot be read: ${faults[0].what}. Fix it first.`,
    };
  const daic = readConfig(config ?? {}, left);
  leaveStrange(config ?? {}, left);
  if (config === null)
    left.push({ at: CONFIG, what: 'it is missing or cannot be read', instead: 'The defaults of cc-sessions were imported.' });
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
    if (!isObject(value)) return fail('it is not a JSON object');
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
    if (!IMPORTED_KEYS.has(key) && !LISTS.test(key))
      left.push({
        at: CONFIG,
        what: `${key}: ${JSON.stringify(value)}`,
        instead: 'Modes has no equivalent. If the model should know about it, write it in CLAUDE.implementation.md.',
      });
  left.push({
    at: CONFIG,
    what: `features.branch_enforcement is ${features.branch_enforcement === false ? 'off' : 'on'}`,
    instead:
      features.branch_enforcement === false
        ? 'A started task limits writes to its branch anyway.'
        : 'It is enforced after /modes:task start NAME. Without a task, writes are not limited to a branch.',
  });
  if (blocked.extrasafe === false || blocked.extrasafe === undefined)
    left.push({
      at: CONFIG,
      what: 'blocked_actions.extrasafe is off: unknown commands run in discussion',
      instead: 'They are denied here. List those that only read under commands: in modes.yaml.',
    });
  left.push({
    at: CONFIG,
    what: 'tools that are not blocked by name run in discussion, including MCP tools',
    instead: 'Modes asks before a call that may write anywhere, and leaves all other calls to the client.',
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

/** The treatment of a switch with any other value. */
const usual = (key: string): string => (key === 'features.auto_ultrathink' ? 'It is treated as off.' : 'It is treated as on.');

/** cc-sessions expects a list of texts, or a switch, at these keys. */
function leaveStrange(config: Fields, left: Left[]): void {
  for (const [key, value] of leaves(config)) {
    if (SWITCHES.includes(key) && typeof value !== 'boolean')
      left.push({ at: CONFIG, what: `${key}: ${JSON.stringify(value)} is neither true nor false`, instead: usual(key) });
    if (!LISTS.test(key) || textsOf(value).length === (Array.isArray(value) ? value.length : -1)) continue;
    left.push({
      at: CONFIG,
      what: `${key}: ${JSON.stringify(value)} is not a list of strings`,
      instead: 'Only its strings were imported.',
    });
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
      if (phrase === '') left.push({ at, what: 'an empty phrase, which matches every prompt', instead: 'It was left out.' });
      else if (findUnseen(phrase) >= 0)
        left.push({ at, what: `${JSON.stringify(phrase)} contains invisible characters`, instead: 'It was left out.' });
      else if (other !== undefined)
        left.push({ at, what: `${phrase} is also listed under ${other}`, instead: 'Only that entry was imported.' });
      else {
        taken.set(phrase.toLowerCase(), category);
        own.push(phrase);
      }
    }
    phrases[aim] = own;
  }
  left.push({
    at: CONFIG,
    what: 'a phrase works anywhere in a prompt, and starts implementation without an approval',
    instead:
      'A phrase that starts implementation must be the whole prompt, and a person must approve the plan. A stop phrase must be a separate word.',
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
      instead: 'It is denied here, like every write.',
    });
  return names.filter((name) => {
    if (USUAL_TOOLS.includes(name)) return false;
    const isName = /^[A-Za-z][\w-]*$/.test(name);
    if (!isName)
      left.push({
        at: CONFIG,
        what: `blocked tool ${JSON.stringify(name)} is not the name of a tool`,
        instead: 'Every write is denied in discussion, with any tool.',
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
      what: `bash_write_patterns: ${JSON.stringify(pattern)} is not a command`,
      instead: 'In discussion, a command is denied unless it is known to only read.',
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
        'is not a single word, so it matches no command in cc-sessions',
        'It stays denied. An entry under commands: in modes.yaml can have several words.',
      );
    const { class: known, commands } = analyse(`${command} x`, { cwd: '/', home: '/' });
    if (known === 'read-only') return [];
    const isItself = commands.length === 1 && commands[0]?.name === command;
    if (known === 'unknown' && isItself) return [command];
    return leave(known === 'unknown' ? 'starts other programs' : `has the class ${known} here`, 'It stays denied in discussion.');
  });
}

function readState(state: Fields, left: Left[]): void {
  const flags = isObject(state.flags) ? state.flags : {};
  const todos = isObject(state.todos) ? state.todos : {};
  const task = isObject(state.current_task) ? state.current_task : {};
  const leave = (what: string, instead: string): void => void left.push({ at: STATE, what, instead });
  if (state.mode === 'implementation') leave('the mode is implementation', 'Work starts in discussion.');
  if (flags.bypass_mode === true)
    leave('bypass_mode is on', 'Nothing is bypassed. /modes:off asks a person, and lasts only for a session or a given time.');
  if (typeof state.active_protocol === 'string')
    leave(`the protocol ${state.active_protocol} is open`, 'Its phrase starts it again.');
  for (const [list, means] of [
    ['active', 'open todos'],
    ['stashed', 'stashed todos'],
  ] as const) {
    const items = Array.isArray(todos[list]) ? (todos[list] as unknown[]).filter(isObject) : [];
    const named = items
      .filter(({ status }) => status !== 'completed')
      .map(({ content = '' }) => (typeof content === 'string' ? content : JSON.stringify(content)));
    if (named.length > 0)
      leave(`${means}: ${named.join('; ')}`, 'They are not approved here. The agent can propose them with plan_propose.');
  }
  const name = typeof task.name === 'string' ? task.name : typeof task.file === 'string' ? task.file : null;
  if (name !== null) leave(`the current task is ${name}`, `Start it here with /modes:task start ${name.replace(/\.md$/, '')}.`);
}

/** Files of unfinished tasks. Their front matter has the same format on both sides. */
function readTasks(root: string, left: Left[], sources: string[]): NewFile[] {
  return namesBelow(root, TASKS, left).flatMap((name) => {
    const at = `${TASKS}/${name}`;
    if (/^(done|indexes|index)\//.test(name) || /(^|\/)(TEMPLATE|\.gitkeep)/i.test(name)) return [];
    const read = readText(root, at);
    const isTask = /^[A-Za-z0-9?][A-Za-z0-9_.-]*(\/[A-Za-z0-9?][A-Za-z0-9_.-]*)?\.md$/.test(name);
    const wrong = read === null ? null : 'wrong' in read ? read.wrong : isTask ? null : 'its name is not valid for a task';
    if (read === null || 'wrong' in read || wrong !== null || !/^---\r?\n[\s\S]*?\r?\n---/.test(read.text)) {
      left.push({ at, what: wrong ?? 'it has no front matter', instead: 'It was left out.' });
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
