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
const TEXT_OR_TEXTS: Shape = { kind: 'choice', of: [FILLED, TEXTS], about: 'a string or a list of strings' };

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
    files: { shape: TEXT_OR_TEXTS, about: 'the only files that may be written, as patterns (group edit).' },
    fileRegex: { shape: FILLED, about: 'the same as a regular expression (RE2) that is searched in the path.' },
    description: { shape: PROSE, about: 'a description of these files, shown in denials.' },
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

const ONLY_NARROWS = 'A subagent has at most the permissions of its parent: write "ask" or "deny".';

const AGENT = record(
  {
    mode: { shape: FILLED, about: 'another mode to take rules from.' },
    groups: { shape: GROUP_LIST, about: 'its groups of tools; every other tool is denied.' },
    canEdit: { shape: TEXT_OR_TEXTS, about: 'the only files that it may write, as patterns.' },
    cannotEdit: { shape: TEXT_OR_TEXTS, about: 'files that it may not write, as patterns.' },
    rules: {
      shape: record(
        {
          ask: { shape: TEXTS, about: 'calls that ask a person.' },
          deny: { shape: TEXTS, about: 'calls that are denied.' },
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
    rulesPath: 'Write the instructions of a subagent into .claude/agents/NAME.md, which the client reads.',
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
  to: { shape: FILLED, required: true, about: 'the mode to return to.' },
});

const CONTEXT = record(
  {
    warn: {
      shape: { kind: 'list', of: { kind: 'number', max: 99 } },
      required: true,
      about: 'percentages of the context window. At each, the model is warned once.',
    },
    window: { shape: { kind: 'number', max: 100_000_000 }, about: 'the size of the context window in tokens.' },
  },
  { warnings: 'Use "warn".', size: 'Use "window".' },
);

/** Keys of a mode, besides its transitions. */
export const MODE_KEYS: Record<string, KeyShape> = {
  title: { shape: PROSE, about: 'a display name.' },
  description: { shape: PROSE, about: 'the purpose of the mode.' },
  role: { shape: PROSE, about: 'the role of the agent in this mode.' },
  whenToUse: { shape: PROSE, about: 'when to change to this mode.' },
  promptPrefix: { shape: PROSE, about: 'text that is sent with every prompt in this mode.' },
  extends: { shape: TEXT_OR_TEXTS, about: 'one or more modes to take rules and instructions from.' },
  enforcement: {
    shape: { kind: 'text', oneOf: ENFORCEMENTS },
    about: "the effect of this layer's rules: enforce (default), ask instead of deny, or advise with a note only.",
  },
  groups: { shape: GROUP_LIST, about: "the mode's groups of tools; every other tool is denied." },
  agents: { shape: AGENTS, about: 'restrictions of subagents, by type.' },
  permissionMode: {
    shape: { kind: 'text', oneOf: PERMISSION_MODES },
    about: "the client's own permission mode for this mode; only shown.",
  },
  exit_when: { shape: EXIT_WHEN, about: 'when the mode ends by itself, and the mode to change to.' },
  context: { shape: CONTEXT, about: 'warnings about a full context window.' },
};

/** `headless:` at the top of the file. */
export const HEADLESS: KeyShape = {
  shape: record({
    pass: {
      shape: { kind: 'text', oneOf: HEADLESS_PASSES },
      required: true,
      about: 'allow or deny (default): calls that match no rule and for which the client requests permission.',
    },
  }),
  about: 'settings for sessions without a person to ask; only for the user or the organization.',
};

/** `ci:` at the top of the file. */
export const CI: KeyShape = {
  shape: { kind: 'text', oneOf: CI_POLICIES },
  about: 'the effect of rules in CI: enforce (default), advise or off; only for the user or the organization.',
};
