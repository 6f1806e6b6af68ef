// The shapes of modes.yaml and settings.<mode>.json. They are the only source of validation and of the published schemas.
import { CI, HEADLESS, MODE_KEYS } from './mode-shapes.ts';
import { REQUIREMENT_SHAPE } from './requirements.ts';
import type { KeyShape, RecordShape, Shape, TextShape } from './shape.ts';
import { WORK_KEYS } from './work-shapes.ts';

const MODE_NAME = /^[A-Za-z][A-Za-z0-9_-]*$/;
/** Reserved in any case, since some file systems ignore case: settings.Local.json would be the client's own file. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['local', 'any', 'status', 'reset', 'help']);
export const SCOPES = ['project', 'worktree', 'session'] as const;
export const DEFAULTS = ['pass', 'ask', 'deny'] as const;
export const EFFECTS = ['allow', 'ask', 'deny'] as const;

const PROSE: TextShape = { kind: 'text', nullable: true };
const FILLED: TextShape = { kind: 'text', filled: true };

function record(keys: Record<string, KeyShape>, later: string[], instead: Record<string, string>, nullable = false): RecordShape {
  return {
    kind: 'record',
    nullable,
    keys: new Map(Object.entries(keys)),
    later: new Set(later),
    instead: new Map(Object.entries(instead)),
  };
}

/** Keys of the format that this version does not support, by where they belong. */
const LATER = {
  top: ['plan'],
  mode: ['plan'],
};

/** The same advice for several keys. */
function advise(keys: readonly string[], advice: string): Record<string, string> {
  return Object.fromEntries(keys.map((key) => [key, advice]));
}

const TO_TRANSITION = 'This belongs to a transition: write it beside its "to".';
const TO_MODE = 'This belongs to a mode: write it under its name in "modes".';
const TO_SETTINGS = 'Write permissions into settings.<mode>.json.';
const TO_TEAMS = 'Only the organization or the user may choose where decisions are sent: in teams.yaml of their own folder.';
const TO_INSTRUCTIONS = 'Write instructions into CLAUDE.<mode>.md.';

const TRANSITION = record(
  {
    to: {
      shape: { ...FILLED, pattern: `^\\s*(\\*|[A-Za-z][A-Za-z0-9_-]*)\\s*$` },
      required: true,
      about: 'the target mode, or "*" for every other mode.',
    },
    constraint: { shape: PROSE, about: 'the condition for this transition, in words for the model.' },
    require: {
      shape: { kind: 'list', nullable: true, of: REQUIREMENT_SHAPE },
      about: 'conditions that a machine checks; all must hold.',
    },
    approve: { shape: { kind: 'text', oneOf: ['human'] }, about: '"human": a person must approve this transition.' },
    triggers: {
      shape: { kind: 'list', nullable: true, of: FILLED },
      about: 'phrases with which a person requests this transition: a prompt that consists of one, confirmed in the dialog.',
    },
  },
  [],
  {
    ...advise([...Object.keys(MODE_KEYS), ...LATER.mode], TO_MODE),
    target: 'Use "to".',
    mode: 'Use "to".',
    from: 'A transition starts from the mode that contains it; remove this.',
    when: 'Use "constraint".',
    condition: 'Use "constraint".',
    if: 'Use "constraint".',
    gate: 'Use "constraint", or "approve: human".',
    approval: 'Use "approve: human".',
  },
);

const MODE = record(
  {
    ...MODE_KEYS,
    transitions: { shape: { kind: 'list', nullable: true, of: TRANSITION }, about: 'the transitions from this mode.' },
  },
  LATER.mode,
  {
    ...advise(['constraint', 'require', 'approve', 'triggers'], TO_TRANSITION),
    ...advise(['permissions', 'allow', 'ask', 'deny'], TO_SETTINGS),
    ...advise(['instructions', 'customInstructions'], TO_INSTRUCTIONS),
    name: 'The key of the mode is its name; use "title" for a display name.',
    to: 'Write a list under "transitions".',
    next: 'Use "transitions".',
    roleDefinition: 'Use "role".',
    slug: 'The key of the mode is its name.',
    inherits: 'Use "extends".',
    tools: 'Use "groups", or write permissions into settings.<mode>.json.',
  },
  true,
);

export const COMMAND_CLASSES = ['read-only', 'writes', 'runs', 'unknown'] as const;

const OPERANDS: Shape = {
  kind: 'choice',
  of: [
    { kind: 'text', oneOf: ['all'] },
    { kind: 'list', of: { kind: 'number' } },
  ],
  about: '"all" or a list of numbers from 1',
};

const COMMAND = record(
  {
    match: {
      shape: { ...FILLED, pattern: '^\\s*[^\\s*]+(\\s+(\\*|[^\\s*]+))*\\s*$' },
      required: true,
      about: 'the words of the command; "*" stands for one word, at the end for any further words.',
    },
    class: { shape: { kind: 'text', oneOf: COMMAND_CLASSES }, required: true, about: 'the class of the command.' },
    reads: { shape: OPERANDS, about: 'which operands after the literal words are files that are read, counted from 1.' },
    writes: { shape: OPERANDS, about: 'which operands are files that are written.' },
    network: { shape: { kind: 'flag' }, about: 'whether it reaches the network.' },
  },
  [],
  { name: 'Use "match".', command: 'Use "match".', operands: 'Use "reads" and "writes".' },
);

export const ARGUMENT_ROLES = ['command', 'read', 'write'] as const;

const NO_NAMES: ReadonlySet<string> = new Set();
const ARGUMENTS: Shape = {
  kind: 'named',
  pattern: /^mcp__(?=[A-Za-z0-9_.-]+$).+__.+$/,
  reserved: NO_NAMES,
  naming: {
    what: 'a tool of an MCP server',
    remedy: 'Write its full name, mcp__server__tool. Built-in tools need no declaration.',
  },
  of: {
    kind: 'named',
    pattern: /^[A-Za-z_$][A-Za-z0-9_.$-]*$/,
    reserved: NO_NAMES,
    naming: { what: 'the name of an argument', remedy: 'Write only the name; dots select inside objects and lists: edits.path.' },
    of: { kind: 'text', oneOf: ARGUMENT_ROLES },
  },
};

const STOP = record(
  {
    phrases: {
      shape: { kind: 'list', of: FILLED },
      required: true,
      about: 'whole words; a word in capitals matches only in capitals.',
    },
    to: { shape: FILLED, about: 'the mode to change to (default: no change).' },
  },
  [],
  { phrase: 'Use "phrases", a list.', mode: 'Use "to".' },
);

/** modes.yaml */
export const MODES_SHAPE: RecordShape = record(
  {
    name: { shape: FILLED, required: true, about: 'a name for this set of modes.' },
    default: {
      shape: { ...FILLED, pattern: `^\\s*[A-Za-z][A-Za-z0-9_-]*\\s*$` },
      required: true,
      about: 'the first mode.',
    },
    scope: {
      shape: { kind: 'text', oneOf: SCOPES },
      about: 'what a mode belongs to: the project (default), each worktree, or each session.',
    },
    ci: CI,
    headless: HEADLESS,
    stop: {
      shape: STOP,
      about: 'words in a prompt that stop the work at once.',
    },
    ...WORK_KEYS,
    commands: {
      shape: { kind: 'list', nullable: true, of: COMMAND },
      about: 'commands of the project, for the analyser of Bash.',
    },
    arguments: {
      shape: ARGUMENTS,
      about: 'which arguments of MCP tools are commands, or paths that are read or written; a tool without any touches no file.',
    },
    modes: {
      shape: { kind: 'named', of: MODE, pattern: MODE_NAME, reserved: RESERVED_NAMES },
      required: true,
      about: 'the modes by name.',
    },
  },
  LATER.top,
  {
    ...advise([...Object.keys(MODE_KEYS), 'transitions', ...LATER.mode], TO_MODE),
    ...advise(['to', 'constraint', 'approve', 'triggers'], TO_TRANSITION),
    ...advise(['permissions', 'allow', 'ask', 'deny'], TO_SETTINGS),
    ...advise(['evaluator', 'opa'], TO_TEAMS),
    states: 'Use "modes".',
    customModes: 'Use "modes", a mapping of names.',
    initial: 'Use "default".',
    start: 'Use "default".',
  },
);

const RULES: Shape = { kind: 'list', of: FILLED };
const TO_CLIENT = 'This is a setting of the client: write it into .claude/settings.json.';

const PERMISSIONS = record(
  {
    allow: { shape: RULES, about: 'calls that run without asking.' },
    ask: { shape: RULES, about: 'calls that ask a person.' },
    deny: { shape: RULES, about: 'calls that are denied.' },
    default: {
      shape: { kind: 'text', oneOf: DEFAULTS },
      about: 'the effect where no rule matches; pass leaves the call to the client.',
    },
    unknownReads: {
      shape: { kind: 'text', oneOf: DEFAULTS },
      about: 'the effect for a command that reads a path which only the running command knows (`cat "$x"`); the default is pass.',
    },
  },
  [],
  {
    ...advise(['additionalDirectories', 'disableBypassPermissionsMode', 'disableAutoMode'], TO_CLIENT),
    ...advise(['block', 'forbid'], 'Use "deny".'),
    defaultMode: `Use "default" for calls that no rule matches. The client's own "defaultMode" belongs in .claude/settings.json.`,
  },
);

/** settings.<mode>.json, settings.<mode>.local.json, settings.any.json */
export const SETTINGS_SHAPE: RecordShape = record(
  {
    $schema: { shape: { kind: 'text' }, about: 'the schema, for editors.' },
    permissions: { shape: PERMISSIONS, about: 'the permissions of the agent in this mode.' },
  },
  [],
  {
    ...advise(['allow', 'ask', 'deny', 'default'], 'Write this under "permissions".'),
    ...advise(['evaluator', 'opa'], TO_TEAMS),
    ...advise(['hooks', 'env', 'model', 'sandbox', 'statusLine', 'enabledPlugins', 'disableAllHooks'], TO_CLIENT),
  },
);
