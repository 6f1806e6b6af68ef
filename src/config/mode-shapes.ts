// The shapes of the keys of a mode besides its transitions: groups, agents and others.

import type { Enforcement, GroupName } from '../model/configuration.ts';
import type { KeyShape, ListShape, NamedShape, RecordShape, Shape, TextShape } from './shape.ts';

export const ENFORCEMENTS = ['enforce', 'ask', 'advise'] as const satisfies readonly Enforcement[];
export const CI_POLICIES = ['enforce', 'advise', 'off'] as const;
export const HEADLESS_PASSES = ['allow', 'deny'] as const;
export const PERMISSION_MODES = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'] as const;
export const GROUPS = ['read', 'edit', 'command', 'web', 'mcp', 'agent'] as const satisfies readonly GroupName[];

/** Names that Roo uses for Modes' groups: its browser tool, and its group for other modes and tasks. */
export const GROUP_ALIASES: ReadonlyMap<string, GroupName> = new Map([
  ['browser', 'web'],
  ['modes', 'agent'],
]);

const FILLED: TextShape = { kind: 'text', filled: true };
const PROSE: TextShape = { kind: 'text', nullable: true };
const TEXTS: ListShape = { kind: 'list', of: FILLED };
const TEXT_OR_TEXTS: Shape = { kind: 'choice', of: [FILLED, TEXTS], about: 'a text or a list of texts' };

function record(keys: Record<string, KeyShape>, instead: Record<string, string> = {}, nullable = false): RecordShape {
  return {
    kind: 'record',
    nullable,
    keys: new Map(Object.entries(keys)),
    later: new Set(),
    instead: new Map(Object.entries(instead)),
  };
}

const GROUP_OPTIONS = record(
  {
    files: { shape: TEXT_OR_TEXTS, about: 'patterns of the only files that may be written (group edit).' },
    fileRegex: { shape: FILLED, about: 'the same as an expression (RE2), looked for in the path.' },
    description: { shape: PROSE, about: 'what these files are; stands in a denial.' },
  },
  { pattern: 'Use "fileRegex" or "files".', regex: 'Use "fileRegex".', file: 'Use "files".', paths: 'Use "files".' },
);

const GROUP_NAMES = [...GROUPS, ...GROUP_ALIASES.keys()];
const GROUP_NAME: TextShape = { kind: 'text', oneOf: GROUP_NAMES };

/** `read`, `[edit, {fileRegex: …}]`, `{edit: {files: …}}`. The reader reports an item in any other form. */
const GROUP_LIST: ListShape = {
  kind: 'list',
  of: {
    kind: 'choice',
    of: [
      GROUP_NAME,
      { kind: 'list', of: { kind: 'choice', of: [GROUP_NAME, GROUP_OPTIONS], about: 'the name of a group, then its options' } },
      record(
        Object.fromEntries(
          GROUP_NAMES.map((name) => [name, { shape: { ...GROUP_OPTIONS, nullable: true }, about: `the group ${name}.` }]),
        ),
      ),
    ],
    about: 'the name of a group, [name, options] or {name: options}',
  },
};

const ONLY_NARROWS = 'A subagent has what its parent has, and less: write "ask" or "deny".';

const AGENT = record(
  {
    mode: { shape: FILLED, about: 'a mode whose rules hold as well.' },
    groups: { shape: GROUP_LIST, about: 'the groups of tools that it has; every other is denied.' },
    canEdit: { shape: TEXT_OR_TEXTS, about: 'patterns of the only files that it may write.' },
    cannotEdit: { shape: TEXT_OR_TEXTS, about: 'patterns of files that it may not write.' },
    rules: {
      shape: record(
        {
          ask: { shape: TEXTS, about: 'calls that a person is asked about.' },
          deny: { shape: TEXTS, about: 'calls that are refused.' },
        },
        { allow: ONLY_NARROWS, default: ONLY_NARROWS },
      ),
      about: 'further rules for it.',
    },
  },
  {
    allow: ONLY_NARROWS,
    deny: 'Write this under "rules".',
    ask: 'Write this under "rules".',
    toolGroups: 'Use "groups".',
    canEditPatterns: 'Use "canEdit".',
    cannotEditPatterns: 'Use "cannotEdit".',
    rulesPath: "Instructions of a subagent stand in the client's own .claude/agents/NAME.md.",
  },
);

const AGENTS: NamedShape = {
  kind: 'named',
  of: AGENT,
  pattern: /^[^\s*]+$/,
  reserved: new Set(),
  naming: {
    what: 'a type of subagent',
    remedy: 'Write the type as the client names it: general-purpose, Explore, plugin:agent.',
    code: 'E_AGENT_NAME',
  },
};

const EXIT_WHEN = record({
  plan: { shape: { kind: 'text', oneOf: ['complete'] }, required: true, about: '"complete": every item of the plan is done.' },
  to: { shape: FILLED, required: true, about: 'the mode that the project then returns to.' },
});

const CONTEXT = record(
  {
    warn: {
      shape: { kind: 'list', of: { kind: 'number', max: 99 } },
      required: true,
      about: 'per cent of the context window at which the model is told how full it is, once each.',
    },
    window: { shape: { kind: 'number', max: 100_000_000 }, about: 'the size of the context window in tokens.' },
  },
  { warnings: 'Use "warn".', size: 'Use "window".' },
);

/** Keys of a mode, besides its transitions. */
export const MODE_KEYS: Record<string, KeyShape> = {
  title: { shape: PROSE, about: 'a name for people.' },
  description: { shape: PROSE, about: 'what the mode is for.' },
  role: { shape: PROSE, about: 'who the agent is in this mode.' },
  whenToUse: { shape: PROSE, about: 'when a transition to this mode is right.' },
  promptPrefix: { shape: PROSE, about: 'goes out with every prompt in this mode.' },
  extends: { shape: TEXT_OR_TEXTS, about: 'one mode or several whose rules and instructions hold here too.' },
  enforcement: {
    shape: { kind: 'text', oneOf: ENFORCEMENTS },
    about: "how much this layer's rules weigh: enforce (default), ask instead of deny, or advise by a note alone.",
  },
  groups: { shape: GROUP_LIST, about: 'the groups of tools that the mode has; every other is denied.' },
  agents: { shape: AGENTS, about: 'what subagents may not, by their type.' },
  permissionMode: {
    shape: { kind: 'text', oneOf: PERMISSION_MODES },
    about: "the client's own permission mode that goes with this mode; shown.",
  },
  exit_when: { shape: EXIT_WHEN, about: 'when the mode ends by itself, and where to.' },
  context: { shape: CONTEXT, about: 'warnings of a context window that fills.' },
};

/** `headless:` at the top of the file. */
export const HEADLESS: KeyShape = {
  shape: record({
    pass: {
      shape: { kind: 'text', oneOf: HEADLESS_PASSES },
      required: true,
      about: 'allow or deny (default): a call that no rule is about, once the client wants a permission for it.',
    },
  }),
  about: 'what holds where nobody can be asked; only for the user or the organisation.',
};

/** `ci:` at the top of the file. */
export const CI: KeyShape = {
  shape: { kind: 'text', oneOf: CI_POLICIES },
  about: 'what holds where CI runs the client: enforce (default), advise or off; only for the user or the organisation.',
};
