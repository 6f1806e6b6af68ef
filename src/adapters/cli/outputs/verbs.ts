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
const DONE = z.strictObject({ root: PROJECT, done: z.array(z.string()).describe('One line for each step that was done.') });
const HASH = z.string().describe('Hash of the current configuration.');
const AWAITED_TESTS = z.array(z.strictObject({ title: z.string(), holds: z.boolean() }));
const UNMET = z.array(
  z.strictObject({
    check: z.string(),
    missing: z.string(),
    how: z.string(),
    tests: AWAITED_TESTS.optional().describe('For a check of tests: the tests that it waits for.'),
  }),
);
const SIDE = z.strictObject({
  decision: ANSWER,
  by: z.string().describe("The rule, policy or protection that decided; '' if none did."),
  place: z.string().nullable().describe('file:line'),
});
const LEFT = <Why extends string>(why: Readonly<Record<Why, string>>) =>
  z.array(z.strictObject({ why: z.enum(Object.keys(why)), count: count, example: DECISION_ID }));
const SINCE = z.string().nullable().describe('ISO 8601, UTC; null: no limit.');
const DAMAGED = count.describe('Lines of the log that cannot be read.');

const GRANT = z.strictObject({
  id: z.string(),
  session: z.string(),
  since: TIME,
  what: z.string().describe('The call, or the rules as typed.'),
  calls: count.nullable().describe('Calls left; null: any number.'),
  seconds: count.nullable().describe('Seconds left; null: no time limit.'),
});
const REVIEW = one(
  'The changed files that were decided about.',
  z.strictObject({ ok: OK, project: PROJECT, files: z.array(z.string()), message: z.string() }),
);

const STATUS = z.strictObject({
  current_mode: MODE,
  available_transitions: z.array(
    z.strictObject({
      to: z.string(),
      constraint: z.string(),
      require: z.array(z.string()).describe('The requirements.').optional(),
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
    .describe('The newest mode changes.'),
  error: ERROR.optional(),
  project: PROJECT,
  trusted: z.boolean(),
  configuration: z.strictObject({
    hash: HASH,
    trusted: z.boolean(),
    topology: z.enum(['managed', 'user', 'project']).nullable().describe('The layer that defines the modes and transitions.'),
    layers: z.array(LAYER),
    pinned: z
      .strictObject({ hash: z.string(), trusted: z.boolean(), differs: z.boolean() })
      .describe('The configuration that the session started with.'),
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
    .describe('The rules as written; null: the mode is unknown.'),
  mode: z.record(z.string(), z.unknown()).describe('Keys of the mode in modes.yaml, without its transitions.').optional(),
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
  waiting: z.array(z.string()).describe('Titles of the plans that continue after the current plan.').optional(),
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
        .describe('Number of verdicts that differed, and the newest of them.')
        .optional(),
    })
    .describe('The OPA server that gives the verdicts, if teams.yaml names one.')
    .optional(),
  notice: z.string().optional(),
  grants: z.array(GRANT).describe('Active grants of every session.').optional(),
  findings: z.array(FINDING).optional(),
  log: z.strictObject({
    folder: z.string(),
    lost: count.describe('Number of decisions that are missing from the log.'),
    lastLost: z.string().nullable().describe('ISO 8601; null: no decision was lost.'),
    trouble: z.string().nullable().describe('Why decisions cannot be logged at present; null: they can.'),
  }),
});

const EVENT = z.strictObject({
  type: z.literal('openpolicyagent.org/decision_logs'),
  decision_id: z.string(),
  labels: TEXTS,
  bundles: z.record(z.string(), z.strictObject({ revision: z.string() })).describe('By mode.'),
  path: z.literal('modes/verdict'),
  input: z.record(z.string(), z.unknown()).describe('The logged part of the facts. Format: schemas/facts.schema.json.'),
  result: RESULT,
  requested_by: z.string(),
  timestamp: TIME,
  metrics: z.record(z.string(), z.number()),
  erased: z.array(z.string()).describe('JSON pointers to values that were left out.').optional(),
  masked: z.array(z.string()).describe('JSON pointers to values that were replaced or shortened.').optional(),
});

const COUNT = z.strictObject({
  seconds: count.describe('Wall-clock time in the mode.'),
  entered: count,
  decisions: z.strictObject({ deny: count, ask: count, allow: count, pass: count }),
  advised: count.describe('Calls that ran with a note, because the mode only advises.'),
  granted: count.describe('Calls that a grant permitted.'),
  grants: count.describe('Grants that a person gave.'),
  forced: count.describe('How often the mode was entered without its gate.'),
  stops: count,
});

/** The output of `modes import` and `modes export`. */
const TRANSFER = one(
  'The files that would be written, or with --write were written, and the parts that were left out.',
  z.strictObject({
    root: PROJECT,
    sources: z.array(z.string()).describe('Files that were read.'),
    files: z.array(
      z.strictObject({
        file: z.string(),
        kind: z.enum(['create', 'change']),
        diff: z.string().describe('Unified diff; for a new file, all its lines.'),
      }),
    ),
    left: z
      .array(
        z.strictObject({
          at: z.string(),
          what: z.string(),
          instead: z.string().describe('The replacement, or what a person can do.'),
        }),
      )
      .describe('Parts that the other system cannot express.'),
    faults: z
      .array(z.strictObject({ at: z.string(), what: z.string() }))
      .describe('Parts that could not be read and were left out.'),
    done: z.array(z.string()).describe('With --write: one line for each step that was done.'),
  }),
);

export const VERB_OUTPUTS = {
  'import-roo': TRANSFER,
  'import-cc-sessions': TRANSFER,
  'import-claude-settings': TRANSFER,
  'export-roo': TRANSFER,
  init: z.union([
    one('The steps of a setup or of its undo.', DONE),
    one(
      'With --list: the presets.',
      z.array(
        z.strictObject({
          name: z.string(),
          modes: z.array(z.string()),
          ways: count.describe('Number of transitions.'),
          checked: count.describe('Number of transitions with requirements.'),
          approved: count.describe("Number of transitions that need a person's approval."),
          checks: z.array(z.string()).describe('Kinds of requirements.'),
          for: z.string().describe('The intended audience.'),
        }),
      ),
    ),
  ]),
  validate: one(
    'All problems of the configuration.',
    z.strictObject({
      project: PROJECT,
      hash: HASH,
      configuration: z.string().describe('Hash of the configuration files alone, which a signature in modes.sig covers.'),
      trusted: z.boolean(),
      layers: z.array(LAYER),
      contexts: z.record(z.string(), CONTEXT).describe('Size of the context that each mode gives to the model.'),
      differs: z.boolean().describe('True if sessions start with a different configuration.'),
      stopped: z
        .array(
          z.strictObject({
            file: z.string(),
            text: z.string(),
            asked: z.array(z.string()).describe('Modes that ask about its calls.'),
            denied: z.array(z.string()).describe('Modes that deny its calls.'),
            opens: z.array(z.string()).describe('Modes in which the imported line would allow its calls.'),
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
      z.strictObject({
        ok: OK,
        project: PROJECT,
        hash: z.string().describe('Hash of the approved configuration.'),
        message: z.string(),
      }),
    ),
    one(
      'With --list: the approvals, newest first.',
      z.strictObject({
        project: PROJECT,
        present: HASH,
        approved: z.array(
          z.strictObject({
            hash: z.string(),
            at: TIME,
            by: z.enum(['terminal', 'dialog', 'init', 'expect']),
            present: z.boolean().describe('True for the current configuration.'),
          }),
        ),
      }),
    ),
    one(
      'With --revoke: the revoked approvals.',
      z.strictObject({ ok: OK, project: PROJECT, revoked: z.array(z.string()), message: z.string() }),
    ),
  ]),
  stop: one(
    'Stopped.',
    z.strictObject({
      ok: OK,
      project: PROJECT,
      changed: z.boolean().describe('True if it was not stopped before.'),
      message: z.string(),
    }),
  ),
  grant: z.union([
    one('Granted.', z.strictObject({ ok: OK, project: PROJECT, granted: GRANT, message: z.string() })),
    one('With --list: the active grants.', z.strictObject({ ok: OK, project: PROJECT, grants: z.array(GRANT) })),
    one(
      'With --revoke: ids of the grants that were taken back.',
      z.strictObject({ ok: OK, project: PROJECT, revoked: z.array(z.string()), message: z.string() }),
    ),
  ]),
  accept: REVIEW,
  restore: REVIEW,
  mode: one(
    'The mode.',
    z.strictObject({
      ok: OK,
      project: PROJECT,
      mode: z.string(),
      changed: z.boolean().describe('True if the mode was different before.'),
      message: z.string(),
    }),
  ),
  check: one('The decision.', DECISION),
  status: one('The current mode, with its rules, plan and configuration.', STATUS),
  doctor: one(
    'The results of all checks.',
    z.strictObject({
      version: VERSION,
      versions: z.strictObject({
        node: z.string().nullable().describe('The Node that the hooks start; null: they find none.'),
        client: z.string().nullable().describe('null: not checked, or not found.'),
        modes: z.string().describe('Version of this command line.'),
        plugin: z
          .strictObject({ id: z.string(), version: z.string(), build: z.string() })
          .nullable()
          .describe('The plugin as the client has it; null: not installed.'),
        core: z.string().nullable().describe('Hash of the policy core; null: it is damaged.'),
      }),
      proofs: z.array(
        z.strictObject({
          name: z.enum(['allowed', 'denied', 'closed']),
          what: z.string(),
          held: z.boolean().nullable().describe('null: not tried, or the outcome proves nothing.'),
          detail: z.string().describe('The outcome of the call, or why it was not tried.'),
        }),
      ),
      findings: z.array(FINDING),
    }),
  ),
  log: z.union([one('A decision.', EVENT)]).describe("One line for each decision, in OPA's own format."),
  replay: one(
    'Calls that would be decided differently.',
    z.strictObject({
      version: VERSION,
      policy: z.string().describe('Absolute path of the folder with the tested modes.yaml.'),
      project: PROJECT,
      since: SINCE,
      until: SINCE,
      calls: count.describe('Total of same, changed and not_comparable.'),
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
          on_disk: count.describe('How many of them were decided with the present contents of their folders.'),
          example: z.strictObject({ id: DECISION_ID, timestamp: TIME, call: z.string(), reason: z.string() }),
        }),
      ),
      not_comparable: LEFT(incomparable),
      damaged_lines: DAMAGED,
      failed_on: z.array(z.string()).describe('Classes of --fail-on that have calls.'),
      problems: PROBLEMS,
    }),
  ),
  suggest: z.union([
    one(
      'Rules that would have avoided asks.',
      z.strictObject({
        version: VERSION,
        min: count.describe('Approvals that a rule needs.'),
        asks: count.describe('Calls that a person was asked about.'),
        suggestions: z.array(
          z.strictObject({
            mode: z.string(),
            file: z.string().describe("Relative to the project's root."),
            allow: z.string().describe('The line for permissions.allow.'),
            quiets: count.describe('Asks that it would have avoided.'),
            approved: count,
            evidence: z.array(z.strictObject({ id: DECISION_ID, timestamp: TIME })),
          }),
        ),
        not_suggested: LEFT(withheld),
        damaged_lines: DAMAGED,
      }),
    ),
    one(
      'With --project and no folder: the survey of the project, and the files that a setup would write.',
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
              runner: z.string().nullable().describe('For a test command: the runner, if gates can read its results.'),
              why: z.string().nullable().describe('For a test command: why gates cannot read its results.'),
              from: z.string(),
            }),
          ),
          packages: z.array(z.strictObject({ pattern: z.string(), folders: z.array(z.string()) })),
          sources: z.array(z.string()).describe('Globs.'),
          tests: z.array(z.strictObject({ glob: z.string(), kind: z.enum(['folder', 'beside']) })),
          tests_in_sources: z.array(z.string()).describe('Source files that contain tests.'),
          sensitive: z.array(z.strictObject({ glob: z.string(), group: z.enum(['security', 'migrations', 'operations']) })),
          mcp_servers: z
            .array(z.strictObject({ name: z.string(), kind: z.string().nullable().describe('null: Modes does not know it.') }))
            .describe('Servers in .mcp.json.'),
          complete: z.boolean().describe('False if the project has more files than were surveyed.'),
        }),
        fitted: z
          .strictObject({
            commands: z.array(z.strictObject({ from: z.string(), to: z.string(), files: z.array(z.string()) })),
            added: z.array(z.strictObject({ file: z.string(), texts: z.array(z.string()) })),
          })
          .nullable()
          .describe('How the files differ from the preset; null: the project already has modes.'),
        notes: z.array(z.string()).describe('Parts of the preset that do not work here.'),
        instead: z
          .string()
          .nullable()
          .describe('A preset with the same modes and gates in words, if a gate of this preset could never open.'),
        files: z.array(z.strictObject({ file: z.string(), kind: z.enum(['create', 'change']), what: z.string() })),
      }),
    ),
  ]),
  stats: one(
    'Counts by mode.',
    z.strictObject({
      version: VERSION,
      since: SINCE,
      until: TIME,
      session: z.string().nullable().describe('The first characters of the session id.'),
      modes: z.record(z.string(), COUNT),
      denials: z.array(
        z.strictObject({
          mode: z.string(),
          name: z.string(),
          place: z.string().describe("file:line; '' if it is not in a file."),
          count: count,
        }),
      ),
      advised: z
        .array(z.strictObject({ mode: z.string(), reason: z.string(), count: count }))
        .describe('Reasons why calls that ran would have been stopped.'),
      refused_transitions: count,
      failed_gates: z.array(z.strictObject({ from: z.string(), to: z.string(), check: z.string(), count: count })),
    }),
  ),
  explain: one(
    'The reasons for the decision.',
    z.strictObject({
      decision: RESULT,
      at: z.string().nullable().describe('ISO 8601; null: a dry run.'),
      session: z.string().nullable(),
      call: z.strictObject({ tool: z.string(), input: z.record(z.string(), z.unknown()), cwd: z.string() }),
      facts: z
        .record(z.string(), z.unknown())
        .describe('The logged part of the facts, without bash. Format: schemas/facts.schema.json.'),
      bash: BASH_FACTS.nullable().describe('null: not a command, or its text was not logged.'),
      rules: z.array(SHOWN_RULE),
      open: z
        .array(
          z.strictObject({
            mode: z.string(),
            decision: z.enum(['allow', 'pass']),
            way: z.array(z.string()).describe('The modes on the path, this one last.'),
            constraint: z.string().nullable(),
            unmet: UNMET,
          }),
        )
        .nullable()
        .describe('Modes in which the call would go through; null: not determined.'),
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
        .describe('ISO 8601: when a session recorded this; null: no session is running, so earlier commands do not count.'),
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
  servers: one(
    'The MCP servers of the project, or the tools of one.',
    z.strictObject({
      servers: z
        .array(
          z.strictObject({
            name: z.string(),
            file: z.string().describe('The file that configures it.'),
            start: z.string().describe('The command that starts it, or its address.'),
            listed: count.describe('Tools that `servers:` of modes.yaml, and the table of its kind, name.'),
          }),
        )
        .nullable()
        .describe('null: one server was named.'),
      server: z
        .strictObject({
          name: z.string(),
          tools: z.array(
            z.strictObject({
              name: z.string(),
              kind: z.enum(['reads', 'left-out', 'may-change']).describe('`reads`: proposed for modes.yaml.'),
              why: z.string().nullable().describe('For `left-out`: the argument that may do more than read.'),
            }),
          ),
          lines: z.string().nullable().describe('Lines for modes.yaml; null: no tool is proposed.'),
        })
        .nullable()
        .describe('The server that was named.'),
    }),
  ),
  graph: one(
    'The modes and transitions.',
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
          otherwise: z.enum(['ask', 'deny']).nullable().describe('The default decision; null: pass.'),
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
              holds: z.boolean().nullable().describe('The present result; null: not evaluated.'),
            }),
          ),
          automatic: z.boolean().describe('The engine makes this transition by itself.'),
        }),
      ),
    }),
  ),
  dashboard: one('The address of the page.', z.strictObject({ url: z.string(), pid: count })),
  bash: z
    .union([
      one('The effects of the command.', BASH),
      one('With --jsonl: a line that is not a command.', z.strictObject({ error: ERROR, line: count.describe('From 1.') })),
    ])
    .describe('With --jsonl: one line for each command.'),
} satisfies Readonly<Record<string, z.ZodType>>;
