// The schemas of the keys of a mode besides its transitions: groups, agents and others.

import * as z from 'zod/mini';
import type { Enforcement, GroupName } from '../model/configuration.ts';
import { GROUPS } from './groups.ts';
import { choice, count, FILLED, named, needed, optional, PROSE, record, TEXT_OR_TEXTS, TEXTS } from './parts.ts';

export const ENFORCEMENTS = ['enforce', 'ask', 'advise'] as const satisfies readonly Enforcement[];
export const CI_POLICIES = ['enforce', 'advise', 'off'] as const;
export const HEADLESS_PASSES = ['allow', 'deny'] as const;
export const PERMISSION_MODES = ['default', 'plan', 'acceptEdits', 'auto', 'dontAsk', 'bypassPermissions'] as const;

/** Names that Roo uses for Modes' groups: its browser tool, and its group for other modes and tasks. */
export const GROUP_ALIASES: ReadonlyMap<string, GroupName> = new Map([
  ['browser', 'web'],
  ['modes', 'agent'],
]);

const GROUP_OPTIONS = record(
  {
    files: optional(TEXT_OR_TEXTS, 'the only files that may be written, as patterns (group edit).'),
    fileRegex: optional(FILLED, 'the same as a regular expression (RE2) that is searched in the path.'),
    description: optional(PROSE, 'a description of these files, shown in denials.'),
  },
  { pattern: 'Use "fileRegex" or "files".', regex: 'Use "fileRegex".', file: 'Use "files".', paths: 'Use "files".' },
);

const GROUP_NAMES = [...GROUPS, ...GROUP_ALIASES.keys()];
const GROUP_NAME = z.enum(GROUP_NAMES);

/** `read`, `[edit, {fileRegex: …}]`, `{edit: {files: …}}`. The reader reports an item in any other form. */
const GROUP_LIST = z.array(
  choice(
    [
      GROUP_NAME,
      z.array(choice([GROUP_NAME, GROUP_OPTIONS], 'the name of a group, then its options')),
      record(Object.fromEntries(GROUP_NAMES.map((name) => [name, optional(z.nullable(GROUP_OPTIONS), `the group ${name}.`)]))),
    ],
    'the name of a group, [name, options] or {name: options}',
  ),
);

const ONLY_NARROWS = 'A subagent has at most the permissions of its parent: write "ask" or "deny".';

const AGENT = record(
  {
    mode: optional(FILLED, 'another mode to take rules from.'),
    groups: optional(GROUP_LIST, 'its groups of tools; every other tool is denied.'),
    canEdit: optional(TEXT_OR_TEXTS, 'the only files that it may write, as patterns.'),
    cannotEdit: optional(TEXT_OR_TEXTS, 'files that it may not write, as patterns.'),
    rules: optional(
      record(
        {
          ask: optional(TEXTS, 'calls that ask a person.'),
          deny: optional(TEXTS, 'calls that are denied.'),
        },
        { allow: ONLY_NARROWS, default: ONLY_NARROWS },
      ),
      'further rules for it.',
    ),
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

const AGENTS = named(/^[^\s*]+$/, AGENT, {
  what: 'a type of subagent',
  remedy: 'Write the type as the client names it: general-purpose, Explore, plugin:agent.',
  code: 'E_AGENT_NAME',
});

const EXIT_WHEN = record({
  plan: needed(z.enum(['complete']), '"complete": every item of the plan is done.'),
  to: needed(FILLED, 'the mode to return to.'),
});

const CONTEXT = record(
  {
    warn: needed(z.array(count(99)), 'percentages of the context window. At each, the model is warned once.'),
    window: optional(count(100_000_000), 'the size of the context window in tokens, for sessions without the status line.'),
  },
  { warnings: 'Use "warn".', size: 'Use "window".' },
);

/** Keys of a mode, besides its transitions. */
export const MODE_KEYS = {
  title: optional(PROSE, 'a display name.'),
  description: optional(PROSE, 'the purpose of the mode.'),
  role: optional(PROSE, 'the role of the agent in this mode.'),
  whenToUse: optional(PROSE, 'when to change to this mode.'),
  promptPrefix: optional(PROSE, 'text that is sent with every prompt in this mode.'),
  extends: optional(TEXT_OR_TEXTS, 'one or more modes to take rules and instructions from.'),
  enforcement: optional(
    z.enum(ENFORCEMENTS),
    "the effect of this layer's rules: enforce (default), ask instead of deny, or advise with a note only.",
  ),
  groups: optional(GROUP_LIST, "the mode's groups of tools; every other tool is denied."),
  agents: optional(AGENTS, 'restrictions of subagents, by type.'),
  permissionMode: optional(z.enum(PERMISSION_MODES), "the client's own permission mode for this mode; only shown."),
  exit_when: optional(EXIT_WHEN, 'when the mode ends by itself, and the mode to change to.'),
  context: optional(CONTEXT, 'warnings about a full context window.'),
};

/** `headless:` at the top of the file. */
export const HEADLESS = optional(
  record({
    pass: needed(
      z.enum(HEADLESS_PASSES),
      'allow or deny (default): calls that match no rule and for which the client requests permission.',
    ),
  }),
  'settings for sessions without a person to ask; only for the user or the organization.',
);

/** `ci:` at the top of the file. */
export const CI = optional(
  z.enum(CI_POLICIES),
  'the effect of rules in CI: enforce (default), advise or off; only for the user or the organization.',
);
