// JSON Schemas of the data that policies read: the input document (the facts of a call) and data.rules (the rules as look-up
// tables). They are published in schemas/, and `modes policy check` checks types in Rego with them.

import { about, count, dictionary, flag, type JsonSchema, list, nullable, object, oneOf, text } from '../config/json-schema.ts';

const CLASS = oneOf('read-only', 'writes', 'runs', 'unknown');
const NAME = object({
  path: about('As one name of it is: relative inside a root, else absolute.', text),
  keys: about('What rules are looked up by.', list(text)),
});

const ACCESS = object({
  path: about('As shown to a person: relative inside the project, else absolute.', text),
  real: about('Absolute, all links followed.', text),
  root: about('Where the path lies.', oneOf('project', 'worktree', 'temp', 'outside')),
  deep: about('The path and everything below it.', flag),
  names: about('All names it goes by, those with capitals in small letters as well.', list(NAME)),
  readings: about('Indices into names, a group for each spelling.', list(list(count))),
  below: about('Existing paths below that some rule could match.', list(NAME)),
  'unseen?': about('More lies below than was looked at.', flag),
  'unnamed?': about('Names that are not known arrive below.', flag),
  'unknown?': about('A read that could be of any file.', flag),
  via: about('How: Write, sed -i, ….', text),
  command: about('Index into bash.commands when a command does it.', nullable(count)),
  protection: about(
    'Built-in protection that this write meets.',
    nullable(object({ effect: oneOf('deny', 'ask'), name: text, remedy: text, 'firm?': flag })),
  ),
  implied: about('A read that a write brings with it.', flag),
  own: about("The session's own folder that this lies in.", nullable(text)),
  dependency: about('Removal of a whole dependency folder.', flag),
});

const COMMAND = object({
  name: about("The command word; '' when it is not known.", text),
  argv: about('The words; null for one whose value is not known.', list(nullable(text))),
  text: about('The command as rules meet it.', text),
  spellings: about('All spellings that deny and ask are tried on.', list(text)),
  keys: list(text),
  allow_keys: list(text),
  open_prefixes: list(text),
  top: about('Written in the call itself, not brought in by another command.', flag),
  class: about('What it is known to do at most.', CLASS),
  network: flag,
  'tags?': about('secrets: it prints credentials, or may.', list(oneOf('secrets'))),
  why: about('Why it has this class.', list(text)),
  'folders?': about('Of git: where it works, if that is not the folder of the call; empty where it is not known.', list(text)),
});

/** The input document. */
export const INPUT_SCHEMA: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://unpkg.com/claude-modes-mcp/schemas/facts.schema.json',
  title: 'The input of a policy: the facts of one tool call',
  ...object({
    version: { type: 'integer', const: 1 },
    mode: about('The mode that the project is in.', text),
    event: about('The hook event.', oneOf('PreToolUse')),
    tool: object({
      name: about('The tool, such as Bash or mcp__server__tool.', text),
      group: about('What kind of tool it is.', oneOf('read', 'edit', 'command', 'web', 'mcp', 'agent', 'meta', 'own', 'other')),
      server: about('The MCP server of the tool.', nullable(text)),
      input: about('The whole input of the tool; filled where some policy refers to it.', { type: 'object' }),
      params: about(
        'Short parameters outside the contents, as texts; of the start of an agent, `agent` is its type in lower case without blanks, dashes and _.',
        dictionary(text),
      ),
      'cut?': about('Those of them that are longer than what is kept.', list(text)),
      extra: about("Parameters that the tool's table does not know.", list(text)),
      known: about("The tool is one of the client's own, or declared.", flag),
      keys: about('What rules are looked up by.', list(text)),
      'narrow_keys?': about('What deny and ask rules are looked up by besides.', list(text)),
    }),
    reads: about('Everything that would be read.', list(ACCESS)),
    writes: about('Everything that would be written.', list(ACCESS)),
    may_write_anywhere: about('Parts that may write anywhere; null when there is none.', {
      type: ['array', 'null'],
      items: object({
        kind: oneOf('command', 'tool'),
        command: nullable(count),
        name: text,
        class: oneOf('runs', 'unknown'),
        why: text,
        'anything?': about('Its text is not known or not understood: it may do what any command does.', flag),
      }),
    }),
    bash: about(
      'What a Bash call does; null for other tools.',
      nullable(object({ class: CLASS, network: flag, commands: list(COMMAND) })),
    ),
    domains: about('Hosts that would be reached.', list(object({ host: text, labels: list(text) }))),
    agents: about('Types of agents that would be started.', list(text)),
    skills: about('Skills that would be used.', list(text)),
    protections: about(
      'Built-in protection that is not about a path.',
      list(object({ effect: oneOf('deny', 'ask', 'allow', 'none'), name: text, reason: text, remedy: text })),
    ),
    agent: about('The agent that calls; both null for the session itself.', object({ id: nullable(text), type: nullable(text) })),
    session: object({ id: nullable(text), permission_mode: nullable(text) }),
    state: object({
      since: about('When the mode began, RFC 3339.', nullable(text)),
      entered_by: nullable(text),
      plan: about(
        'The plan that is worked on; `complete` and `done` are what the agent says.',
        nullable(object({ title: text, approved: flag, complete: flag, done: count, of: count, files: list(text) })),
      ),
      task: about(
        'The task that work is done for.',
        nullable(object({ name: text, branch: nullable(text), current_branch: nullable(text), scope: list(text) })),
      ),
    }),
    context: object({ used_percent: nullable({ type: 'number' }) }),
    'granted?': about(
      'What of the call a person granted: indices into the lists above; absent where nothing.',
      object({
        off: about('Rules of user, project and local are switched off.', flag),
        tool: about('The tool, agent or skill is granted by its name.', flag),
        reads: list(count),
        writes: list(count),
        commands: about('Of bash.commands.', list(count)),
        domains: list(count),
        parts: about('Of may_write_anywhere.', list(count)),
        paths: about('Of writes: those whose built-in protection is lifted.', list(count)),
      }),
    ),
  }),
};

const IDS = list(text);
const TABLE = dictionary(IDS);
const TEXT_GUARDS = list(object({ id: text, head: text, expression: text }));
const NAMES = object({ 'exact?': TABLE, 'guarded?': dictionary(TEXT_GUARDS) });
const PATH_GUARDS = dictionary(list(object({ id: text, has: text, expression: text })));
const PATHS = object({
  'keys?': TABLE,
  'within?': dictionary(TABLE),
  'guarded?': PATH_GUARDS,
  'every?': IDS,
  'unknown?': IDS,
  'sample?': IDS,
});
const OUTSIDE = object({ id: text, 'keys?': TABLE, 'within?': dictionary(TABLE), 'guarded?': PATH_GUARDS, 'expressions?': IDS });
const COMMANDS = object({ 'keys?': TABLE, 'guarded?': dictionary(TEXT_GUARDS), 'open?': TABLE });
const LAYERS = ['builtin', 'managed', 'user', 'project', 'local'];
const STRENGTH: JsonSchema = { type: 'integer', description: '1 untrusted project, 2 project, 3 user, 4 managed.' };

/** data.rules. */
export const RULES_SCHEMA: JsonSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://unpkg.com/claude-modes-mcp/schemas/rules.schema.json',
  title: 'data.rules of a policy: the rules of one mode as look-up tables',
  ...object({
    version: { type: 'integer', const: 1 },
    effect: about('By rule id.', dictionary(oneOf('allow', 'ask', 'deny'))),
    layer: dictionary(oneOf(...LAYERS)),
    strength: dictionary(STRENGTH),
    naming: dictionary(flag),
    only: dictionary(text),
    bases: dictionary(IDS),
    loose: dictionary(flag),
    default: object(Object.fromEntries(LAYERS.map((layer) => [`${layer}?`, oneOf('pass', 'ask', 'deny')]))),
    lifts: object({ 'ask?': STRENGTH, 'deny?': STRENGTH }),
    'policies?': dictionary(STRENGTH),
    trusted: flag,
    'guards_writes?': STRENGTH,
    reads: PATHS,
    writes: PATHS,
    'outside?': about('Rules about every write but those of some files.', list(OUTSIDE)),
    commands: COMMANDS,
    allowed: COMMANDS,
    tools: object({ 'exact?': TABLE, 'guarded?': dictionary(TEXT_GUARDS), 'group?': TABLE }),
    'agents?': NAMES,
    'skills?': NAMES,
    'domains?': object({ 'exact?': TABLE, 'below?': TABLE, 'any?': IDS }),
    'params?': dictionary(dictionary(object({ 'exact?': TABLE, 'guarded?': TEXT_GUARDS }))),
  }),
};

/** Published as schemas/NAME. */
export const POLICY_SCHEMAS: readonly (readonly [string, JsonSchema])[] = [
  ['facts.schema.json', INPUT_SCHEMA],
  ['rules.schema.json', RULES_SCHEMA],
];
