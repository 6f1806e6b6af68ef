// The schema of modes.yaml. It is the only source of validation and of the published schema.
import * as z from 'zod/mini';
import { CI, HEADLESS, MODE_KEYS } from './mode-schema.ts';
import {
  advise,
  choice,
  count,
  FILLED,
  MODE_NAMES,
  matching,
  named,
  needed,
  optional,
  PROSE,
  record,
  TO_TEAMS,
} from './parts.ts';
import { REQUIREMENT } from './requirements.ts';
import { serverKinds } from './server-kinds.ts';
import { WORK_KEYS } from './work.ts';

export const SCOPES = ['project', 'worktree', 'session'] as const;

/** Keys of the format that this version does not support, by where they belong. */
const LATER = {
  top: ['plan'],
  mode: ['plan'],
};

const TO_TRANSITION = 'This belongs to a transition: write it beside its "to".';
const TO_MODE = 'This belongs to a mode: write it under its name in "modes".';
const TO_SETTINGS = 'Write permissions into settings.<mode>.json.';
const TO_INSTRUCTIONS = 'Write instructions into CLAUDE.<mode>.md.';

const TRANSITION = record(
  {
    to: needed(matching(/^\s*(\*|[A-Za-z][A-Za-z0-9_-]*)\s*$/), 'the target mode, or "*" for every other mode.'),
    constraint: optional(PROSE, 'the condition for this transition, in words for the model.'),
    require: optional(z.nullable(z.array(REQUIREMENT)), 'conditions that a machine checks; all must hold.'),
    approve: optional(z.enum(['human']), '"human": a person must approve this transition.'),
    triggers: optional(
      z.nullable(z.array(FILLED)),
      'phrases with which a person requests this transition: a prompt that consists of one, confirmed in the dialog.',
    ),
  },
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

const MODE = z.nullable(
  record(
    {
      ...MODE_KEYS,
      transitions: optional(z.nullable(z.array(TRANSITION)), 'the transitions from this mode.'),
    },
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
    LATER.mode,
  ),
);

export const COMMAND_CLASSES = ['read-only', 'writes', 'runs', 'unknown'] as const;

const OPERANDS = choice([z.enum(['all']), z.array(count())], '"all" or a list of numbers from 1');

const COMMAND = record(
  {
    match: needed(
      matching(/^\s*[^\s*]+(\s+(\*|[^\s*]+))*\s*$/),
      'the words of the command; "*" stands for one word, at the end for any further words.',
    ),
    class: needed(z.enum(COMMAND_CLASSES), 'the class of the command.'),
    reads: optional(OPERANDS, 'which operands after the literal words are files that are read, counted from 1.'),
    writes: optional(OPERANDS, 'which operands are files that are written.'),
    network: optional(z.boolean(), 'whether it reaches the network.'),
  },
  { name: 'Use "match".', command: 'Use "match".', operands: 'Use "reads" and "writes".' },
);

export const ARGUMENT_ROLES = ['command', 'read', 'write'] as const;

const ARGUMENT_NAMES = named(/^[A-Za-z_$][A-Za-z0-9_.$-]*$/, z.enum(ARGUMENT_ROLES), {
  what: 'the name of an argument',
  remedy: 'Write only the name; dots select inside objects and lists: edits.path.',
  code: 'E_ARGUMENT_NAME',
});
const ARGUMENTS = named(/^mcp__(?=[A-Za-z0-9_.-]+$).+__.+$/, ARGUMENT_NAMES, {
  what: 'a tool of an MCP server',
  remedy: 'Write its full name, mcp__server__tool. Built-in tools need no declaration.',
  code: 'E_ARGUMENT_NAME',
});

/** The name of a tool of a server; `*` matches any part. */
export const TOOL_PATTERN = /^\s*[A-Za-z0-9_.*-]+\s*$/;

const SERVERS = named(
  /^[A-Za-z0-9_.-]+$/,
  record(
    {
      kind: optional(z.enum(Object.keys(serverKinds)), 'a server that Modes knows; its tools that only read are read-only.'),
      reads: optional(
        z.nullable(z.array(matching(TOOL_PATTERN))),
        'more tools that only read, by their names; "*" stands for any part of a name.',
      ),
    },
    { type: 'Use "kind".', tools: 'Use "reads".', readOnly: 'Use "reads: [\'*\']".' },
  ),
  {
    what: 'the name of an MCP server',
    remedy: 'Write the part between mcp__ and the next __ in the names of its tools.',
    code: 'E_SERVER_NAME',
  },
);

const STOP = record(
  {
    phrases: needed(z.array(FILLED), 'whole words; a word in capitals matches only in capitals.'),
    to: optional(FILLED, 'the mode to change to (default: no change).'),
  },
  { phrase: 'Use "phrases", a list.', mode: 'Use "to".' },
);

/** modes.yaml */
export const TOPOLOGY = record(
  {
    name: needed(FILLED, 'a name for this set of modes.'),
    default: needed(matching(/^\s*[A-Za-z][A-Za-z0-9_-]*\s*$/), 'the first mode.'),
    scope: optional(z.enum(SCOPES), 'what a mode belongs to: the project (default), each worktree, or each session.'),
    ci: CI,
    headless: HEADLESS,
    stop: optional(STOP, 'words in a prompt that stop the work at once.'),
    ...WORK_KEYS,
    commands: optional(z.nullable(z.array(COMMAND)), 'commands of the project, for the analyser of Bash.'),
    arguments: optional(
      ARGUMENTS,
      'which arguments of MCP tools are commands, or paths that are read or written; a tool without any touches no file.',
    ),
    servers: optional(SERVERS, 'MCP servers that a person trusts, with their tools that only read.'),
    modes: needed(named(MODE_NAMES, MODE), 'the modes by name.'),
  },
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
  LATER.top,
);
