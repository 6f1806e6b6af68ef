// Shapes that the outputs of several verbs share.
import * as z from 'zod';
import { FACTS as INPUT } from '../../../policy/schemas.ts';

/** An output, or one of several. `means` describes when it is printed. */
export const one = <Shape extends z.ZodType>(means: string, shape: Shape): Shape => shape.meta({ title: means });

/** An integer from 0. */
export const count = z.int().min(0);

export const TIME = z.string().describe('ISO 8601, UTC.');
export const ANSWER = z.enum(['deny', 'ask', 'allow', 'pass']);
export const EFFECT = z.enum(['allow', 'ask', 'deny']);
export const MODE = z.string().nullable().describe('null: it is not known.');
export const DECISION_ID = z.string().describe('Id of a decision: modes explain ID tells more.');
export const PROJECT = z.string().describe('Absolute.');

const PLACE = { file: z.string().describe('Relative to the project, else absolute.'), line: count, column: count };

export const PROBLEM = z.strictObject({
  code: z.string().describe('One of docs/errors.md.'),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  remedy: z.string().describe('What a person can do about it.'),
  file: PLACE.file.optional(),
  line: count.describe('From 1.').optional(),
  column: count.describe('From 1.').optional(),
  length: count.describe('Characters that the caret underlines.').optional(),
  lineText: z.string().describe('The text of the line.').optional(),
});
export const PROBLEMS = z.array(PROBLEM);

/** Counts of problems. */
export const PROBLEM_LIST = {
  ok: z.boolean().describe('There is no error.'),
  errors: count,
  warnings: count,
  problems: PROBLEMS,
};

export const ERROR = z
  .strictObject({
    message: z.string(),
    code: z.string().describe('One of docs/errors.md.').optional(),
    remedy: z.string().describe('What a person can do about it.').optional(),
    problems: PROBLEMS.describe('Everything that is wrong with the configuration.').optional(),
  })
  .describe('Why there is no answer.');

export const FINDING = z.strictObject({
  code: z.string().regex(/^F_[A-Z_]+$/),
  severity: z.enum(['error', 'warning']),
  file: z.string().describe('What is spoken of: a file, a folder, a program.'),
  line: count.describe('From 1; 1 where the place is not known.'),
  column: count,
  what: z.string(),
  means: z.string(),
  remedy: z.string(),
});

export const LAYER = z.strictObject({
  layer: z.enum(['managed', 'user', 'project']),
  folder: z.string(),
  files: z.array(z.string()),
});
export const CONTEXT = z.strictObject({
  characters: count,
  limit: count,
  left: count.describe('Characters of the instructions that do not fit.'),
});

const RULE = {
  id: z.string(),
  effect: EFFECT,
  text: z.string().describe('As written.'),
  matched: z.string().describe('What of the call met it.'),
  source: z.strictObject(PLACE),
  note: z.string().optional(),
};
/** A rule that matched, with its line in the file. */
export const SHOWN_RULE = z.strictObject({
  ...RULE,
  decided: z.boolean(),
  line: z
    .strictObject({ text: z.string(), column: count, length: count })
    .nullable()
    .describe('null: the file is another one by now, or cannot be read.'),
});

const DECIDED = {
  decision_id: z.string(),
  decision: ANSWER,
  mode: MODE,
  tool: z.string(),
  by: z
    .enum(['rule', 'protection', 'uncertainty', 'default', 'open', 'policy', 'bound', 'trouble', 'call', 'fault', 'verified'])
    .describe('The step of the order that decided.'),
  rules: z.array(z.strictObject(RULE)).describe('Rules that decided.'),
  also: z.array(z.strictObject(RULE)).describe('Rules that matched and did not decide.'),
  policies: z
    .array(z.strictObject({ name: z.string(), effect: EFFECT.optional(), file: z.string(), line: count, reason: z.string() }))
    .describe('What custom policies said, of whatever effect; a log of before has no `effect`.'),
  protections: z
    .array(z.strictObject({ name: z.string(), on: z.string() }))
    .describe('Built-in protections; `on` is what met them.'),
  reason: z.string(),
  remedy: z.string(),
  verifiable: z
    .enum(['allow', 'pass'])
    .describe('With an ask: the decision in a session, where the guarded files are compared after the run.')
    .optional(),
  advice: z.string().describe('What rules that only advise say against it.').optional(),
  grants: z
    .array(z.strictObject({ id: z.string(), counted: z.boolean() }))
    .describe('Grants that it needed.')
    .optional(),
  evaluator: z
    .strictObject({
      by: z.enum(['opa', 'local', 'both']),
      server: z.string().describe('Address of the server.'),
      note: z.string().describe('Why the server did not count, or what the two said that differ.').optional(),
    })
    .describe('Who gave the verdict, where teams.yaml names an OPA server.')
    .optional(),
  bundle: z.string().nullable().describe('Hash of the policy; null: there is none.'),
  took_us: z.number().min(0).describe('Microseconds.'),
};

export const FACTS = INPUT.nullable().describe(
  'As https://unpkg.com/claude-modes-mcp/schemas/facts.schema.json; null: the call could not be read.',
);
/** A decision with the facts that it is based on. */
export const DECISION = z.strictObject({ ...DECIDED, facts: FACTS });
/** A decision as the log stores it. */
export const RESULT = z.strictObject(DECIDED);

const CLASS = z.enum(['read-only', 'writes', 'runs', 'unknown']);
const ARGV = z.array(z.string().nullable()).describe('The words; null for an unknown value.');
const WHY = z.array(
  z.strictObject({ text: z.string(), pos: count.describe('Offset in the command, UTF-16.'), end: count.describe('Exclusive.') }),
);
const LOADS = z
  .array(z.strictObject({ files: z.array(z.string()), folders: z.array(z.string()) }))
  .describe('The class holds only while none of these files is there.');
const TARGET = {
  path: z.string().describe('Absolute.'),
  extent: z.enum(['one', 'deep', 'glob']).describe('This path, everything below it too, or a pattern.'),
  via: z.string().describe('How: `sed -i`, `>`.'),
  command: count.describe('Index into commands.'),
  listing: z.boolean().describe('Only names are listed.').optional(),
};
const SKIPS = z.strictObject({
  style: z.enum(['rg', 'grep', 'git']),
  hidden: z.boolean(),
  ignored: z.boolean(),
  globs: z.array(z.strictObject({ text: z.string(), skip: z.boolean(), of: z.enum(['file', 'folder', 'any']) })),
  types: z.array(z.string()),
  base: z.string().nullable(),
});
const COMMAND = {
  name: z.string(),
  argv: ARGV,
  text: z.string(),
  class: CLASS,
  network: z.boolean(),
  tags: z
    .array(z.enum(['secrets', 'network-read', 'network-send', 'database', 'deploy']))
    .describe('secrets: it prints credentials, or may print them.')
    .optional(),
  why: WHY,
  loads: LOADS.optional(),
};
const ANALYSED = { class: CLASS, network: z.boolean(), hosts: z.array(z.string()), why: WHY };

/** The output of `modes bash` for a command. */
export const BASH = z.strictObject({
  command: z.string(),
  ...ANALYSED,
  writes: z.array(z.strictObject(TARGET)),
  reads: z.array(z.strictObject(TARGET)),
  commands: z.array(z.strictObject(COMMAND)),
});

const WIDER_TARGET = z.strictObject({
  ...TARGET,
  within: z.boolean().optional(),
  skips: SKIPS.optional(),
  database: z.union([z.boolean(), z.enum(['written'])]).optional(),
  arrives: z.boolean().optional(),
  keeps: z.boolean().optional(),
  copied: z.string().optional(),
  follows: z.boolean().describe('Links below it are followed.').optional(),
  opens: z.boolean().describe('What lies below is named one by one to a program.').optional(),
  link: z
    .strictObject({ name: z.string(), text: z.string() })
    .describe('The path is where a link of this name will lead.')
    .optional(),
  brings: z.enum(['made', 'sources', 'tracked', 'any']).describe('Links that may appear there.').optional(),
});
/** All facts of the analyser about a command. */
export const BASH_FACTS = z.strictObject({
  ...ANALYSED,
  writes: z.array(WIDER_TARGET),
  reads: z.array(WIDER_TARGET),
  commands: z.array(
    z.strictObject({
      ...COMMAND,
      spellings: z.array(z.string()),
      top: z.boolean(),
      open: z.array(z.string()).optional(),
      opaque: z.array(z.string()).optional(),
      named: z.array(z.string()).optional(),
      folders: z.array(z.string()).optional(),
      cwds: z.array(z.string()).optional(),
    }),
  ),
  open: z
    .array(
      z.strictObject({
        kind: z.enum(['read', 'write']),
        outline: z.array(z.string()).describe('The pieces that are certain, with any text between two of them.'),
        confined: z.boolean().describe('The unknown part is below the folder that the first piece names.').optional(),
        via: z.string(),
        command: count,
      }),
    )
    .describe('Paths of which only parts are known before the command runs.'),
  isOfDisk: z.boolean().describe('It rests on what the disk holds now.').optional(),
  views: z
    .array(
      z.strictObject({
        folder: z.string(),
        via: z.string(),
        command: count,
        paths: z.array(z.string()),
        words: z.array(z.string()),
        without: z.enum(['top', 'here']),
        objects: z.array(z.string()),
        isDeep: z.boolean(),
        isOnlyObjects: z.boolean(),
        isWorktree: z.boolean(),
        isOpen: z.boolean(),
      }),
    )
    .describe('What git prints of tracked files.')
    .optional(),
  tracks: z.boolean().describe('A command changes which files git tracks.').optional(),
  uncertain: z.array(
    z.strictObject({ command: count.nullable(), class: CLASS, why: z.string(), anything: z.boolean().optional() }),
  ),
  beyond: z.string().nullable().describe('Why the text as a whole must not run; null: it may be judged.'),
});

export const COUNTS = { passed: count, failed: count, skipped: count };
/** Texts by name. */
export const TEXTS = z.record(z.string(), z.string());
