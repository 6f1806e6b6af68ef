// Shapes that the outputs of several verbs share.
import * as z from 'zod';
import { FACTS as INPUT, TAGS } from '../../../policy/schemas.ts';

/** An output, or one of several. `means` describes when it is printed. */
export const one = <Shape extends z.ZodType>(means: string, shape: Shape): Shape => shape.meta({ title: means });

/** An integer from 0. */
export const count = z.int().min(0);

export const TIME = z.string().describe('ISO 8601, UTC.');
export const ANSWER = z.enum(['deny', 'ask', 'allow', 'pass']);
export const EFFECT = z.enum(['allow', 'ask', 'deny']);
export const MODE = z.string().nullable().describe('null: unknown.');
export const DECISION_ID = z.string().describe('Id of a decision, for modes explain ID.');
export const PROJECT = z.string().describe('Absolute path.');

const PLACE = { file: z.string().describe('Relative to the project; absolute if it is outside.'), line: count, column: count };

export const PROBLEM = z.strictObject({
  code: z.string().describe('A code of docs/errors.md.'),
  severity: z.enum(['error', 'warning']),
  message: z.string(),
  remedy: z.string().describe('How to fix it.'),
  file: PLACE.file.optional(),
  line: count.describe('From 1.').optional(),
  column: count.describe('From 1.').optional(),
  length: count.describe('Number of characters that the caret underlines.').optional(),
  lineText: z.string().describe('The text of the line.').optional(),
});
export const PROBLEMS = z.array(PROBLEM);

/** Counts of problems. */
export const PROBLEM_LIST = {
  ok: z.boolean().describe('True if there is no error.'),
  errors: count,
  warnings: count,
  problems: PROBLEMS,
};

export const ERROR = z
  .strictObject({
    message: z.string(),
    code: z.string().describe('A code of docs/errors.md.').optional(),
    remedy: z.string().describe('How to fix it.').optional(),
    problems: PROBLEMS.describe('All problems of the configuration.').optional(),
  })
  .describe('Why the verb failed.');

export const FINDING = z.strictObject({
  code: z.string().regex(/^F_[A-Z_]+$/),
  severity: z.enum(['error', 'warning']),
  file: z.string().describe('The file, folder or program that the finding is about.'),
  line: count.describe('From 1; also 1 if the line is unknown.'),
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
  left: count.describe('Number of characters of the instructions that do not fit.'),
});

const RULE = {
  id: z.string(),
  effect: EFFECT,
  text: z.string().describe('The rule as written.'),
  matched: z.string().describe('The part of the call that matches.'),
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
    .describe('null: the file has changed since, or cannot be read.'),
});

const DECIDED = {
  decision_id: z.string(),
  decision: ANSWER,
  mode: MODE,
  tool: z.string(),
  by: z
    .enum([
      ...(['rule', 'protection', 'uncertainty', 'default', 'open', 'policy'] as const),
      ...(['bound', 'trouble', 'call', 'fault', 'verified', 'granted'] as const),
    ])
    .describe('The step of the decision order that decided.'),
  rules: z.array(z.strictObject(RULE)).describe('Rules that decided.'),
  also: z.array(z.strictObject(RULE)).describe('Rules that matched and did not decide.'),
  policies: z
    .array(z.strictObject({ name: z.string(), effect: EFFECT.optional(), file: z.string(), line: count, reason: z.string() }))
    .describe('Verdicts of custom policies, with any effect. A log of an older version has no `effect`.'),
  protections: z
    .array(z.strictObject({ name: z.string(), on: z.string() }))
    .describe('Built-in protections; `on` is the part of the call that they match.'),
  reason: z.string(),
  remedy: z.string(),
  verifiable: z
    .enum(['allow', 'pass'])
    .describe('For an ask: the decision in a session, where the server compares the guarded files after the run.')
    .optional(),
  advice: z.string().describe('Objections of rules that only advise.').optional(),
  grants: z
    .array(z.strictObject({ id: z.string(), counted: z.boolean() }))
    .describe('Grants that the call needed.')
    .optional(),
  evaluator: z
    .strictObject({
      by: z.enum(['opa', 'local', 'both']),
      server: z.string().describe('Address of the server.'),
      note: z.string().describe('Why the verdict of the server did not count, or how the two verdicts differ.').optional(),
    })
    .describe('Source of the verdict, if teams.yaml names an OPA server.')
    .optional(),
  bundle: z.string().nullable().describe('Hash of the policy; null: there is no policy.'),
  took_us: z.number().min(0).describe('Microseconds.'),
};

export const FACTS = INPUT.nullable().describe(
  'Format: https://unpkg.com/claude-modes-mcp/schemas/facts.schema.json; null: the call could not be read.',
);
/** A decision with the facts that it is based on. */
export const DECISION = z.strictObject({ ...DECIDED, facts: FACTS });
/** A decision as the log stores it. */
export const RESULT = z.strictObject(DECIDED);

const CLASS = z.enum(['read-only', 'writes', 'runs', 'unknown']);
const ARGV = z.array(z.string().nullable()).describe('The words of the command; null for an unknown word.');
const WHY = z.array(
  z.strictObject({
    text: z.string(),
    pos: count.describe('Offset in the command, in UTF-16 code units.'),
    end: count.describe('Offset of the end, exclusive.'),
  }),
);
const LOADS = z
  .array(z.strictObject({ files: z.array(z.string()), folders: z.array(z.string()) }))
  .describe('The class applies only if none of these files exists in these folders.');
const TARGET = {
  path: z.string().describe('Absolute path.'),
  extent: z.enum(['one', 'deep', 'glob']).describe('one: this path; deep: also everything below it; glob: a pattern.'),
  via: z.string().describe('The kind of access, such as `sed -i` or `>`.'),
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
  tags: TAGS.optional(),
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

const FULL_TARGET = {
  path: TARGET.path,
  via: TARGET.via,
  command: TARGET.command,
  opens: z.boolean().describe('A program receives each file below by name.').optional(),
  copied: z.string().optional(),
};
const READ = z.strictObject({
  ...FULL_TARGET,
  extent: z
    .enum(['one', 'deep', 'within', 'glob'])
    .describe('As for writes. within: the path and, if it is a folder, everything in it.'),
  what: z
    .enum(['names', 'database', 'written database'])
    .describe('Only names, or a database; otherwise the contents.')
    .optional(),
  skips: SKIPS.optional(),
  follows: z.boolean().describe('The command follows symbolic links below it.').optional(),
  possible: z.boolean().describe('The path if the shell is in one of its possible folders.').optional(),
});
const WRITE = z.strictObject({
  ...FULL_TARGET,
  extent: TARGET.extent,
  old: z.enum(['kept', 'untouched']).describe('kept: it is shown, or has another name; untouched: only new entries.').optional(),
  links: z
    .union([z.enum(['made', 'sources', 'tracked', 'any']), z.strictObject({ name: z.string(), text: z.string() })])
    .describe('Symbolic links that may appear there, or a link that will lead to the path.')
    .optional(),
});
/** All facts of the analyser about a command. */
export const BASH_FACTS = z.strictObject({
  ...ANALYSED,
  writes: z.array(WRITE),
  reads: z.array(READ),
  commands: z.array(
    z.strictObject({
      ...COMMAND,
      spellings: z.array(z.string()),
      top: z.boolean(),
      wrapped: z.array(z.array(z.string().nullable())).optional(),
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
        outline: z.array(z.string()).describe('The known pieces in order, with any text between two of them.'),
        confined: z.boolean().describe('The unknown part is below the folder that the first piece names.').optional(),
        via: z.string(),
        command: count,
      }),
    )
    .describe('Paths that are only partly known before the command runs.'),
  isOfDisk: z.boolean().describe('The analysis depends on the present state of the disk.').optional(),
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
        hasSubmodules: z.boolean(),
        isMissing: z.boolean(),
        isOpen: z.boolean(),
      }),
    )
    .describe('Contents of tracked files that git prints.')
    .optional(),
  tracks: z.boolean().describe('A command changes which files git tracks.').optional(),
  uncertain: z.array(
    z.strictObject({ command: count.nullable(), class: CLASS, why: z.string(), anything: z.boolean().optional() }),
  ),
  beyond: z.string().nullable().describe('The limit of the analysis that the text exceeds, so that it must not run; null: none.'),
});

export const COUNTS = { passed: count, failed: count, skipped: count };
/** Texts by name. */
export const TEXTS = z.record(z.string(), z.string());
