// The --json output of each verb, except for the verbs of `modes policy` and `modes bundle`.

import * as z from 'zod';
import { incomparable } from '../../../app/log/replay.ts';
import { withheld } from '../../../app/log/suggest.ts';
import { commandKinds } from '../../../app/project-survey/commands.ts';
import {
  ANSWER,
  BASH,
  BASH_FACTS,
  CONTEXT,
  count,
  DECISION,
  DECISION_ID,
  ERROR,
  FINDING,
  LAYER,
  MODE,
  one,
  PROBLEM_LIST,
  PROBLEMS,
  PROJECT,
  RESULT,
  SHOWN_RULE,
  TEXTS,
  TIME,
} from './shapes.ts';

const OK = z.literal(true);
const VERSION = z.literal(1);
const DONE = z.strictObject({ root: PROJECT, done: z.array(z.string()).describe('What was done, a line each.') });
const HASH = z.string().describe('Hash of the present configuration.');
const AWAITED_TESTS = z.array(z.strictObject({ title: z.string(), holds: z.boolean() }));
const UNMET = z.array(
  z.strictObject({
    check: z.string(),
    missing: z.string(),
    how: z.string(),
    tests: AWAITED_TESTS.optional().describe('The tests that a check of tests waits for.'),
  }),
);
const SIDE = z.strictObject({
  decision: ANSWER,
  by: z.string().describe("The rule, policy or protection; '' where nothing had a say."),
  place: z.string().nullable().describe('file:line'),
});
const LEFT = <Why extends string>(why: Readonly<Record<Why, string>>) =>
  z.array(z.strictObject({ why: z.enum(Object.keys(why)), count: count, example: DECISION_ID }));
const SINCE = z.string().nullable().describe('ISO 8601, UTC; null: not limited.');
const DAMAGED = count.describe('Lines of the log that cannot be read.');

const STATUS = z.strictObject({
  current_mode: MODE,
  available_transitions: z.array(
    z.strictObject({
      to: z.string(),
      constraint: z.string(),
      require: z.array(z.string()).describe('What is checked.').optional(),
      approve: z.enum(['human']).optional(),
    }),
  ),
  history: z
    .array(
      z.strictObject({
        from: z.string().nullable(),
        to: z.string(),
        timestamp: TIME,
        explanation: z.string(),
        actor: z.string(),
        forced: z.boolean(),
        confirmed: z.optional(z.string()),
        evidence: z.array(z.string()).optional(),
      }),
    )
    .describe('The newest changes of mode.'),
  error: ERROR.optional(),
  project: PROJECT,
  trusted: z.boolean(),
  configuration: z.strictObject({
    hash: HASH,
    trusted: z.boolean(),
    topology: z.enum(['managed', 'user', 'project']).nullable().describe('Layer whose modes and ways hold.'),
    layers: z.array(LAYER),
    pinned: z
      .strictObject({ hash: z.string(), trusted: z.boolean(), differs: z.boolean() })
      .describe('What the session began with.'),
    notice: z.string().nullable().optional(),
  }),
  permissions: z
    .strictObject({
      allow: z.array(z.string()),
      ask: z.array(z.string()),
      deny: z.array(z.string()),
      default: z.array(z.string()),
    })
    .nullable()
    .describe('As written; null: the mode is not known.'),
  mode: z.record(z.string(), z.unknown()).describe('What modes.yaml says of the mode besides its ways out.').optional(),
  modes: z.array(z.strictObject({ name: z.string(), title: z.string().optional(), whenToUse: z.string().optional() })).optional(),
  context: CONTEXT.nullable().describe('null: the mode cannot be used.').optional(),
  plan: z
    .strictObject({
      title: z.string().optional(),
      items: z.array(
        z.strictObject({ number: count, text: z.string(), done: z.boolean(), files: z.array(z.string()).optional() }),
      ),
      done: z.string(),
      complete: z.boolean(),
      approved: z.boolean(),
      approve: z.string().optional(),
      protocol: z.string().optional(),
    })
    .nullable(),
  waiting: z.array(z.string()).describe('Plans below the one that is worked on.').optional(),
  task: z
    .strictObject({ name: z.string(), branch: z.string().nullable(), scope: z.array(z.string()) })
    .nullable()
    .optional(),
  problems: PROBLEMS,
  bundle: z.string().nullable().describe('Hash of the policy of the mode.'),
  evaluator: z
    .strictObject({
      server: z.string(),
      check: z.boolean().describe('The verdict of this machine counts as well.'),
      fallback: z.enum(['local', 'deny']),
      trouble: z.strictObject({ why: z.string(), since: TIME, seen: TIME }).describe('Why its answers do not count.').optional(),
      differing: z
        .strictObject({ count: count, at: TIME, mode: z.string(), what: z.string() })
        .describe('Verdicts that differed, and the newest.')
        .optional(),
    })
    .describe('The OPA server that gives the verdicts, where teams.yaml names one.')
    .optional(),
  notice: z.string().optional(),
  findings: z.array(FINDING).optional(),
  log: z.strictObject({
    folder: z.string(),
    lost: count.describe('Decisions that no line was written for.'),
    lastLost: z.string().nullable().describe('ISO 8601; null: none was lost.'),
    trouble: z.string().nullable().describe('Why nothing can be logged now.'),
  }),
});

const EVENT = z.strictObject({
  type: z.literal('openpolicyagent.org/decision_logs'),
  decision_id: z.string(),
  labels: TEXTS,
  bundles: z.record(z.string(), z.strictObject({ revision: z.string() })).describe('By mode.'),
  path: z.literal('modes/verdict'),
  input: z.record(z.string(), z.unknown()).describe('The facts as far as they are kept: schemas/facts.schema.json.'),
  result: RESULT,
  requested_by: z.string(),
  timestamp: TIME,
  metrics: z.record(z.string(), z.number()),
  erased: z.array(z.string()).describe('JSON pointers to what was left out.').optional(),
  masked: z.array(z.string()).describe('JSON pointers to what was replaced or cut.').optional(),
});

const COUNT = z.strictObject({
  seconds: count.describe('By the clock.'),
  entered: count,
  decisions: z.strictObject({ deny: count, ask: count, allow: count, pass: count }),
  advised: count.describe('Calls that ran with a note, because the mode only advises.'),
  granted: count.describe('Calls that went through by a grant.'),
  grants: count.describe('Grants that a person gave.'),
  forced: count.describe('Entered without its gate.'),
  stops: count,
});

/** The output of `modes import` and `modes export`. */
const TRANSFER = one(
  'What would be written, or with --write was, and what was not carried over.',
  z.strictObject({
    root: PROJECT,
    sources: z.array(z.string()).describe('What was read.'),
    files: z.array(
      z.strictObject({
        file: z.string(),
        kind: z.enum(['create', 'change']),
        diff: z.string().describe('Unified; of a new file all its lines.'),
      }),
    ),
    left: z
      .array(
        z.strictObject({
          at: z.string(),
          what: z.string(),
          instead: z.string().describe('What holds instead, or what a person can do.'),
        }),
      )
      .describe('What could not be said on the other side.'),
    faults: z
      .array(z.strictObject({ at: z.string(), what: z.string() }))
      .describe('Parts that could not be read, and were left out.'),
    done: z.array(z.string()).describe('With --write: what was done, a line each.'),
  }),
);

export const VERB_OUTPUTS = {
  'import-roo': TRANSFER,
  'import-cc-sessions': TRANSFER,
  'import-claude-settings': TRANSFER,
  'export-roo': TRANSFER,
  init: z.union([
    one('What was set up or taken back.', DONE),
    one(
      'With --list: the presets.',
      z.array(
        z.strictObject({
          name: z.string(),
          modes: z.array(z.string()),
          ways: count.describe('Ways out of its modes.'),
          checked: count.describe('Those that a machine checks.'),
          approved: count.describe("Those that wait for a person's yes."),
          checks: z.array(z.string()).describe('Kinds of checks.'),
          for: z.string().describe('For whom it is.'),
        }),
      ),
    ),
  ]),
  validate: one(
    'Everything that is wrong.',
    z.strictObject({
      project: PROJECT,
      hash: HASH,
      configuration: z.string().describe('Hash of the configuration files alone, which a signature in modes.sig covers.'),
      trusted: z.boolean(),
      layers: z.array(LAYER),
      contexts: z.record(z.string(), CONTEXT).describe('What each mode tells the model.'),
      differs: z.boolean().describe('From what sessions begin with.'),
      stopped: z
        .array(
          z.strictObject({
            file: z.string(),
            text: z.string(),
            asked: z.array(z.string()).describe('Modes that ask about its calls.'),
            denied: z.array(z.string()).describe('Modes that deny its calls.'),
            opens: z.array(z.string()).describe('Modes in which the imported line would allow them.'),
            wide: z.string().nullable().describe('Why it allows more than one kind of call.'),
            why: z.string().nullable().describe('Why it cannot be imported.'),
          }),
        )
        .describe("Allow lines of the client's settings that have no effect in some modes."),
      ...PROBLEM_LIST,
    }),
  ),
  trust: z.union([
    one(
      'Approved.',
      z.strictObject({ ok: OK, project: PROJECT, hash: z.string().describe('What was approved.'), message: z.string() }),
    ),
    one(
      'With --list: list the approvals, newest first.',
      z.strictObject({
        project: PROJECT,
        present: HASH,
        approved: z.array(
          z.strictObject({
            hash: z.string(),
            at: TIME,
            by: z.enum(['terminal', 'dialog', 'init', 'expect']),
            present: z.boolean().describe('It is the present configuration.'),
          }),
        ),
      }),
    ),
    one(
      'With --revoke: taken back.',
      z.strictObject({ ok: OK, project: PROJECT, revoked: z.array(z.string()), message: z.string() }),
    ),
  ]),
  stop: one(
    'Stopped.',
    z.strictObject({
      ok: OK,
      project: PROJECT,
      changed: z.boolean().describe('It was not stopped before.'),
      message: z.string(),
    }),
  ),
  mode: one(
    'The mode.',
    z.strictObject({
      ok: OK,
      project: PROJECT,
      mode: z.string(),
      changed: z.boolean().describe('It was another one before.'),
      message: z.string(),
    }),
  ),
  check: one('The decision.', DECISION),
  status: one('The mode and what is known of it.', STATUS),
  doctor: one(
    'What was found.',
    z.strictObject({
      version: VERSION,
      versions: z.strictObject({
        node: z.string().nullable().describe('The one that the hooks start; null: they find none.'),
        client: z.string().nullable().describe('null: it was not looked at, or there is none.'),
        modes: z.string().describe('This command line.'),
        plugin: z
          .strictObject({ id: z.string(), version: z.string(), build: z.string() })
          .nullable()
          .describe('As the client has it; null: it has none.'),
        core: z.string().nullable().describe('Hash of the policy core; null: it is damaged.'),
      }),
      proofs: z.array(
        z.strictObject({
          name: z.enum(['allowed', 'denied', 'closed']),
          what: z.string(),
          held: z.boolean().nullable().describe('null: it was not tried, or what happened proves nothing.'),
          detail: z.string().describe('What became of the call, or why it was not tried.'),
        }),
      ),
      findings: z.array(FINDING),
    }),
  ),
  log: z.union([one('A decision.', EVENT)]).describe("A decision in OPA's own format."),
  replay: one(
    'What would be decided otherwise.',
    z.strictObject({
      version: VERSION,
      policy: z.string().describe('Absolute: the folder with the modes.yaml that was tried.'),
      project: PROJECT,
      since: SINCE,
      until: SINCE,
      calls: count.describe('same, changed and what is not comparable together.'),
      same: count,
      changed: count,
      changes: z.array(
        z.strictObject({
          mode: z.string(),
          tool: z.string(),
          before: SIDE,
          after: SIDE,
          direction: z.enum(['widening', 'narrowing']),
          count: count,
          on_disk: count.describe('So many of them with what lies below their folders today.'),
          example: z.strictObject({ id: DECISION_ID, timestamp: TIME, call: z.string(), reason: z.string() }),
        }),
      ),
      not_comparable: LEFT(incomparable),
      damaged_lines: DAMAGED,
      failed_on: z.array(z.string()).describe('Classes of --fail-on that there are calls of.'),
      problems: PROBLEMS,
    }),
  ),
  suggest: z.union([
    one(
      'Rules that would have settled asks.',
      z.strictObject({
        version: VERSION,
        min: count.describe('Approvals that a rule needs.'),
        asks: count.describe('Calls that a person was asked about.'),
        suggestions: z.array(
          z.strictObject({
            mode: z.string(),
            file: z.string().describe("Relative to the project's root."),
            allow: z.string().describe('The line for permissions.allow.'),
            quiets: count.describe('Asks that it would have settled.'),
            approved: count,
            evidence: z.array(z.strictObject({ id: DECISION_ID, timestamp: TIME })),
          }),
        ),
        not_suggested: LEFT(withheld),
        damaged_lines: DAMAGED,
      }),
    ),
    one(
      'With --project and no folder: what was found, and what a setup would write.',
      z.strictObject({
        version: VERSION,
        project: PROJECT,
        preset: z.string(),
        found: z.strictObject({
          managers: z.array(z.strictObject({ name: z.string(), from: z.string().describe('The file that shows it.') })),
          commands: z.array(
            z.strictObject({
              kind: z.enum(commandKinds),
              text: z.string(),
              runner: z.string().nullable().describe('A test command: the runner whose results gates can read.'),
              why: z.string().nullable().describe('A test command: why no results can be read.'),
              from: z.string(),
            }),
          ),
          packages: z.array(z.strictObject({ pattern: z.string(), folders: z.array(z.string()) })),
          sources: z.array(z.string()).describe('Globs.'),
          tests: z.array(z.strictObject({ glob: z.string(), kind: z.enum(['folder', 'beside']) })),
          tests_in_sources: z.array(z.string()).describe('Source files that contain tests.'),
          sensitive: z.array(z.strictObject({ glob: z.string(), group: z.enum(['security', 'migrations', 'operations']) })),
          complete: z.boolean().describe('False: the project has more files than were looked at.'),
        }),
        fitted: z
          .strictObject({
            commands: z.array(z.strictObject({ from: z.string(), to: z.string(), files: z.array(z.string()) })),
            added: z.array(z.strictObject({ file: z.string(), texts: z.array(z.string()) })),
          })
          .nullable()
          .describe('How the files differ from the preset; null: the project has modes already.'),
        notes: z.array(z.string()).describe('What the preset cannot do here.'),
        instead: z.string().nullable().describe('A preset with the same modes and gates in words, if gates could not open.'),
        files: z.array(z.strictObject({ file: z.string(), kind: z.enum(['create', 'change']), what: z.string() })),
      }),
    ),
  ]),
  stats: one(
    'Counts of each mode.',
    z.strictObject({
      version: VERSION,
      since: SINCE,
      until: TIME,
      session: z.string().nullable().describe('What the id of the session begins with.'),
      modes: z.record(z.string(), COUNT),
      denials: z.array(
        z.strictObject({
          mode: z.string(),
          name: z.string(),
          place: z.string().describe("file:line, '' where it has none."),
          count: count,
        }),
      ),
      advised: z
        .array(z.strictObject({ mode: z.string(), reason: z.string(), count: count }))
        .describe('Why calls that ran would have been stopped.'),
      refused_transitions: count,
      failed_gates: z.array(z.strictObject({ from: z.string(), to: z.string(), check: z.string(), count: count })),
    }),
  ),
  explain: one(
    'Why the call was decided so.',
    z.strictObject({
      decision: RESULT,
      at: z.string().nullable().describe('ISO 8601; null: a dry run.'),
      session: z.string().nullable(),
      call: z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()), cwd: z.string() }),
      facts: z.record(z.string(), z.unknown()).describe('As far as they are kept, without bash: schemas/facts.schema.json.'),
      bash: BASH_FACTS.nullable().describe('null: no command, or its text is not kept.'),
      rules: z.array(SHOWN_RULE),
      open: z
        .array(
          z.strictObject({
            mode: z.string(),
            decision: z.enum(['allow', 'pass']),
            way: z.array(z.string()).describe('Modes to go through.'),
            constraint: z.string().nullable(),
            unmet: UNMET,
          }),
        )
        .nullable()
        .describe('Where the call would go through; null: not worked out.'),
      notes: z.array(z.string()),
    }),
  ),
  gates: one(
    'The gates out of the current mode.',
    z.strictObject({
      mode: MODE,
      at: z
        .string()
        .nullable()
        .describe('ISO 8601: when a session saw this; null: no session, so commands that were run do not count.'),
      gates: z.array(
        z.strictObject({
          to: z.string(),
          conditions: z.array(
            z.strictObject({
              check: z.string(),
              holds: z.boolean(),
              missing: z.string().nullable(),
              how: z.string().nullable(),
              tests: AWAITED_TESTS.describe('The tests that the check waits for.'),
            }),
          ),
        }),
      ),
    }),
  ),
  graph: one(
    'The machine.',
    z.strictObject({
      name: z.string(),
      states: z.array(
        z.strictObject({
          name: z.string(),
          title: z.string().nullable(),
          description: z.string().nullable(),
          present: z.boolean(),
          initial: z.boolean(),
          rules: z.strictObject({ allow: count, ask: count, deny: count }),
          otherwise: z.enum(['ask', 'deny']).nullable().describe('null: what no rule meets passes.'),
        }),
      ),
      ways: z.array(
        z.strictObject({
          from: z.string(),
          to: z.string(),
          conditions: z.array(
            z.strictObject({
              text: z.string(),
              kind: z.enum(['check', 'person', 'prose']),
              holds: z.boolean().nullable().describe('Seen now; null: nobody looked.'),
            }),
          ),
          automatic: z.boolean().describe('Taken by the engine itself.'),
        }),
      ),
    }),
  ),
  dashboard: one('Where it is served.', z.strictObject({ url: z.string(), pid: count })),
  bash: z
    .union([
      one('What the command would do.', BASH),
      one('With --jsonl: a line that is no command.', z.strictObject({ error: ERROR, line: count.describe('From 1.') })),
    ])
    .describe('With --jsonl an object a line.'),
} satisfies Readonly<Record<string, z.ZodType>>;
