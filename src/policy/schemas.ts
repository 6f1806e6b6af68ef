// JSON Schemas of the data that policies read: the input document (the facts of a call) and data.rules (the rules as look-up
// tables). They are published in schemas/; published.ts reads them from there.

import * as z from 'zod';
import { type JsonSchema, publishedSchema } from '../config/json-schema.ts';
import { type CommandTag, commandTags } from '../model/command.ts';

const CLASS = z.enum(['read-only', 'writes', 'runs', 'unknown']);
const NAME = z.strictObject({
  path: z.string().describe('One name of the path: relative inside a root, else absolute.'),
  keys: z.array(z.string()).describe('The keys for rule lookups.'),
});

const ACCESS = z.strictObject({
  path: z.string().describe('As shown to a person: relative inside the project, else absolute.'),
  real: z.string().describe('Absolute, with all links resolved.'),
  root: z.enum(['project', 'worktree', 'temp', 'outside']).describe('The root that contains the path.'),
  deep: z.boolean().describe('The path and everything below it.'),
  names: z.array(NAME).describe('All its names; names with capitals also in lower case.'),
  readings: z.array(z.array(z.int())).describe('Indices into names, one group for each spelling.'),
  below: z.array(NAME).describe('Existing paths below it that a rule could match.'),
  unseen: z.boolean().describe('Not everything below it was searched.').optional(),
  unnamed: z.boolean().describe('Unknown names below it are accessed.').optional(),
  projects: z.boolean().describe('In the temporary folder: a repository or a governed project may be below it.').optional(),
  unknown: z.boolean().describe('A read of an unknown file.').optional(),
  via: z.string().describe('The kind of access, such as Write or sed -i.'),
  command: z.int().nullable().describe('Index into bash.commands, if a command makes the access.'),
  protection: z
    .strictObject({ effect: z.enum(['deny', 'ask']), name: z.string(), remedy: z.string(), firm: z.boolean().optional() })
    .nullable()
    .describe('The built-in protection of this path.'),
  implied: z.boolean().describe('A read that is part of a write.'),
  own: z.string().nullable().describe("The session's own folder that contains the path."),
  dependency: z.boolean().describe('Removal of a whole dependency folder.'),
});

export const TAGS = z.array(z.enum(Object.keys(commandTags) as CommandTag[])).describe(
  `${Object.entries(commandTags)
    .map(([tag, meaning]) => `${tag}: ${meaning}`)
    .join('. ')}.`,
);

const COMMAND = z.strictObject({
  name: z.string().describe("The command word; '' if it is unknown."),
  argv: z.array(z.string().nullable()).describe('The words of the command; null for an unknown word.'),
  text: z.string().describe('The command as rules match it.'),
  spellings: z.array(z.string()).describe('All spellings that deny and ask rules are compared with.'),
  keys: z.array(z.string()),
  allow_keys: z.array(z.string()),
  open_prefixes: z.array(z.string()),
  top: z.boolean().describe('True if the call itself contains the command; false if another command starts it.'),
  class: CLASS.describe('The most that it can do.'),
  network: z.boolean(),
  tags: TAGS.optional(),
  contained: z
    .array(z.array(z.string().nullable()))
    .describe(
      'Words of the commands in a program text, in the words of a program that is not understood, or with the wrapper around them; and `(script)`, the file and its words for a run of a script.',
    )
    .optional(),
  why: z.array(z.string()).describe('Why it has this class.'),
  folders: z
    .array(z.string())
    .describe('For git: the folder where it runs, if that is not the folder of the call; empty if unknown.')
    .optional(),
});

/** The input document. */
export const FACTS = z.strictObject({
  version: z.literal(1),
  mode: z.string().describe('The mode that the project is in.'),
  event: z
    .enum(['PreToolUse', 'UserPromptSubmit'])
    .describe('The hook event; UserPromptSubmit when `context` rules are evaluated.'),
  tool: z.strictObject({
    name: z.string().describe('The tool, such as Bash or mcp__server__tool.'),
    group: z.enum(['read', 'edit', 'command', 'web', 'mcp', 'agent', 'meta', 'own', 'other']).describe('The kind of tool.'),
    server: z.string().nullable().describe('The MCP server of the tool.'),
    input: z.record(z.string(), z.unknown()).describe('The whole input of the tool; empty unless a policy refers to it.'),
    params: z
      .record(z.string(), z.string())
      .describe(
        'Short parameters other than contents, as strings. For the start of an agent, `agent` is its type in lower case without blanks, dashes and _.',
      ),
    cut: z.array(z.string()).describe('Names of parameters that were cut off because they are too long.').optional(),
    extra: z.array(z.string()).describe('Parameters that Modes does not know for this tool.'),
    known: z.boolean().describe("The tool is one of the client's own, or declared."),
    keys: z.array(z.string()).describe('The keys for rule lookups.'),
    narrow_keys: z.array(z.string()).describe('More keys for lookups of deny and ask rules.').optional(),
  }),
  reads: z.array(ACCESS).describe('Everything that would be read.'),
  writes: z.array(ACCESS).describe('Everything that would be written.'),
  may_write_anywhere: z
    .array(
      z.strictObject({
        kind: z.enum(['command', 'tool']),
        command: z.int().nullable(),
        name: z.string(),
        class: z.enum(['runs', 'unknown']),
        why: z.string(),
        anything: z.boolean().describe('Its text is unknown or not understood, so it may do anything.').optional(),
      }),
    )
    .nullable()
    .describe('Parts that may write anywhere; null if there are none.'),
  bash: z
    .strictObject({ class: CLASS, network: z.boolean(), commands: z.array(COMMAND) })
    .nullable()
    .describe('The effects of a Bash call; null for other tools.'),
  domains: z.array(z.strictObject({ host: z.string(), labels: z.array(z.string()) })).describe('Hosts that would be reached.'),
  agents: z.array(z.string()).describe('Types of agents that would be started.'),
  skills: z.array(z.string()).describe('Skills that would be used.'),
  protections: z
    .array(
      z.strictObject({
        effect: z.enum(['deny', 'ask', 'allow', 'none']),
        name: z.string(),
        reason: z.string(),
        remedy: z.string(),
      }),
    )
    .describe('Built-in protections that are not about a path.'),
  agent: z
    .strictObject({ id: z.string().nullable(), type: z.string().nullable() })
    .describe('The agent that calls; both null for the session itself.'),
  session: z.strictObject({ id: z.string().nullable(), permission_mode: z.string().nullable() }),
  state: z.strictObject({
    since: z.string().nullable().describe('Start of the mode, RFC 3339.'),
    entered_by: z.string().nullable(),
    plan: z
      .strictObject({
        title: z.string(),
        approved: z.boolean(),
        complete: z.boolean(),
        done: z.int(),
        of: z.int(),
        files: z.array(z.string()),
      })
      .nullable()
      .describe('The current plan; `complete` and `done` are what the agent reports.'),
    task: z
      .strictObject({
        name: z.string(),
        branch: z.string().nullable(),
        current_branch: z.string().nullable(),
        scope: z.array(z.string()),
      })
      .nullable()
      .describe('The current task.'),
  }),
  context: z.strictObject({ used_percent: z.number().nullable() }),
  granted: z
    .strictObject({
      off: z.boolean().describe('The rules of the user, project and local layers are suspended.'),
      tool: z.boolean().describe('The tool, agent or skill is granted by name.'),
      reads: z.array(z.int()),
      writes: z.array(z.int()),
      commands: z.array(z.int()).describe('Indices into bash.commands.'),
      domains: z.array(z.int()),
      parts: z.array(z.int()).describe('Indices into may_write_anywhere.'),
      paths: z.array(z.int()).describe('Writes whose built-in protection is overridden.'),
    })
    .describe('The parts of the call that a person granted: indices into the lists above; absent if there are none.')
    .optional(),
});

const IDS = z.array(z.string());
const TABLE = z.record(z.string(), IDS);
const TEXT_GUARDS = z.array(z.strictObject({ id: z.string(), head: z.string(), expression: z.string() }));
const NAMES = z.strictObject({ exact: TABLE.optional(), guarded: z.record(z.string(), TEXT_GUARDS).optional() });
const PATH_GUARDS = z.record(z.string(), z.array(z.strictObject({ id: z.string(), has: z.string(), expression: z.string() })));
const PATHS = z.strictObject({
  keys: TABLE.optional(),
  within: z.record(z.string(), TABLE).optional(),
  guarded: PATH_GUARDS.optional(),
  every: IDS.optional(),
  unknown: IDS.optional(),
  scratch: IDS.optional(),
  sample: IDS.optional(),
});
const OUTSIDE = z.strictObject({
  id: z.string(),
  keys: TABLE.optional(),
  within: z.record(z.string(), TABLE).optional(),
  guarded: PATH_GUARDS.optional(),
  expressions: IDS.optional(),
});
const COMMANDS = z.strictObject({
  keys: TABLE.optional(),
  guarded: z.record(z.string(), TEXT_GUARDS).optional(),
  open: TABLE.optional(),
});
const LAYER = z.enum(['builtin', 'managed', 'user', 'project', 'local']);
const DEFAULT = z.enum(['pass', 'ask', 'deny']).optional();
const STRENGTH = z.int().describe('1 untrusted project, 2 project, 3 user, 4 managed.');

/** data.rules. */
const RULES = z.strictObject({
  version: z.literal(1),
  effect: z.record(z.string(), z.enum(['allow', 'ask', 'deny'])).describe('By rule id.'),
  layer: z.record(z.string(), LAYER),
  strength: z.record(z.string(), STRENGTH),
  naming: z.record(z.string(), z.boolean()),
  only: z.record(z.string(), z.string()),
  bases: z.record(z.string(), IDS),
  loose: z.record(z.string(), z.boolean()),
  except: z.record(z.string(), z.string()).describe('An expression for names that the rule does not match.').optional(),
  default: z.strictObject({ builtin: DEFAULT, managed: DEFAULT, user: DEFAULT, project: DEFAULT, local: DEFAULT }),
  lifts: z.strictObject({ ask: STRENGTH.optional(), deny: STRENGTH.optional() }),
  policies: z.record(z.string(), STRENGTH).optional(),
  trusted: z.boolean(),
  guards_writes: STRENGTH.optional(),
  reads: PATHS,
  writes: PATHS,
  outside: z.array(OUTSIDE).describe('Rules about every write except writes to some files.').optional(),
  commands: COMMANDS,
  allowed: COMMANDS,
  tools: z.strictObject({
    exact: TABLE.optional(),
    guarded: z.record(z.string(), TEXT_GUARDS).optional(),
    group: TABLE.optional(),
  }),
  agents: NAMES.optional(),
  skills: NAMES.optional(),
  domains: z.strictObject({ exact: TABLE.optional(), below: TABLE.optional(), any: IDS.optional() }).optional(),
  params: z
    .record(z.string(), z.record(z.string(), z.strictObject({ exact: TABLE.optional(), guarded: TEXT_GUARDS.optional() })))
    .optional(),
});

/** Published as schemas/NAME. */
export const POLICY_SCHEMAS: readonly (readonly [string, JsonSchema])[] = [
  ['facts.schema.json', FACTS.meta({ title: 'The input of a policy: the facts of one tool call' })] as const,
  ['rules.schema.json', RULES.meta({ title: 'data.rules of a policy: the rules of one mode as look-up tables' })] as const,
].map(([file, schema]) => [file, publishedSchema(file, schema)]);
