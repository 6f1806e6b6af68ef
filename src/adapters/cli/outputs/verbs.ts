// The --json output of each verb, except for the verbs of `modes policy` and `modes bundle`.

import { incomparable } from '../../../app/log/replay.ts';
import { withheld } from '../../../app/log/suggest.ts';
import {
  about,
  dictionary,
  flag,
  type JsonSchema,
  list,
  nullable,
  number,
  object,
  oneOf,
  text,
} from '../../../config/json-schema.ts';
import {
  ANSWER,
  BASH,
  BASH_FACTS,
  CONTEXT,
  DECISION,
  DECISION_ID,
  ERROR,
  FINDING,
  LAYER,
  MODE,
  PROBLEM_LIST,
  PROBLEMS,
  PROJECT,
  RESULT,
  SHOWN_RULE,
  TEXTS,
  TIME,
} from './shapes.ts';

/** An output in one of several forms. `means` describes when each form is printed. */
export interface Output {
  /** Description of a line, if the verb prints one value per line. */
  line?: string;
  forms: readonly (readonly [means: string, shape: JsonSchema])[];
}

const one = (means: string, shape: JsonSchema): Output => ({ forms: [[means, shape]] });
const OK: JsonSchema = { const: true };
const VERSION: JsonSchema = { const: 1 };
const DONE = object({ root: PROJECT, done: about('What was done, a line each.', list(text)) });
const HASH = about('Hash of the present configuration.', text);
const UNMET = list(object({ check: text, missing: text, how: text }));
const SIDE = object({
  decision: ANSWER,
  by: about("The rule, policy or protection; '' where nothing had a say.", text),
  place: about('file:line', nullable(text)),
});
const LEFT = (why: Readonly<Record<string, string>>): JsonSchema =>
  list(object({ why: oneOf(...Object.keys(why)), count: number, example: DECISION_ID }));
const SINCE = about('ISO 8601, UTC; null: not limited.', nullable(text));
const DAMAGED = about('Lines of the log that cannot be read.', number);

const STATUS = object({
  current_mode: MODE,
  available_transitions: list(
    object({ to: text, constraint: text, 'require?': about('What is checked.', list(text)), 'approve?': oneOf('human') }),
  ),
  history: about(
    'The newest changes of mode.',
    list(
      object({
        from: nullable(text),
        to: text,
        timestamp: TIME,
        explanation: text,
        actor: text,
        forced: flag,
        'evidence?': list(text),
      }),
    ),
  ),
  'error?': ERROR,
  project: PROJECT,
  trusted: flag,
  configuration: object({
    hash: HASH,
    trusted: flag,
    topology: about('Layer whose modes and ways hold.', nullable(oneOf('managed', 'user', 'project'))),
    layers: list(LAYER),
    pinned: about('What the session began with.', object({ hash: text, trusted: flag, differs: flag })),
    'notice?': nullable(text),
  }),
  permissions: about(
    'As written; null: the mode is not known.',
    nullable(object({ allow: list(text), ask: list(text), deny: list(text), default: list(text) })),
  ),
  'mode?': about('What modes.yaml says of the mode besides its ways out.', { type: 'object' }),
  'modes?': list(object({ name: text, 'title?': text, 'whenToUse?': text })),
  'context?': about('null: the mode cannot be used.', nullable(CONTEXT)),
  plan: nullable(
    object({
      'title?': text,
      items: list(object({ number, text, done: flag, 'files?': list(text) })),
      done: text,
      complete: flag,
      approved: flag,
      'approve?': text,
      'protocol?': text,
    }),
  ),
  'waiting?': about('Plans below the one that is worked on.', list(text)),
  'task?': nullable(object({ name: text, branch: nullable(text), scope: list(text) })),
  problems: PROBLEMS,
  bundle: about('Hash of the policy of the mode.', nullable(text)),
  'evaluator?': about(
    'The OPA server that gives the verdicts, where teams.yaml names one.',
    object({
      server: text,
      check: about('The verdict of this machine counts as well.', flag),
      fallback: oneOf('local', 'deny'),
      'trouble?': about('Why its answers do not count.', object({ why: text, since: TIME, seen: TIME })),
      'differing?': about('Verdicts that differed, and the newest.', object({ count: number, at: TIME, mode: text, what: text })),
    }),
  ),
  'notice?': text,
  'findings?': list(FINDING),
  log: object({
    folder: text,
    lost: about('Decisions that no line was written for.', number),
    lastLost: about('ISO 8601; null: none was lost.', nullable(text)),
    trouble: about('Why nothing can be logged now.', nullable(text)),
  }),
});

const EVENT = object({
  type: { const: 'openpolicyagent.org/decision_logs' },
  decision_id: text,
  labels: TEXTS,
  bundles: about('By mode.', dictionary(object({ revision: text }))),
  path: { const: 'modes/verdict' },
  input: about('The facts as far as they are kept: schemas/facts.schema.json.', { type: 'object' }),
  result: RESULT,
  requested_by: text,
  timestamp: TIME,
  metrics: dictionary({ type: 'number' }),
  'erased?': about('JSON pointers to what was left out.', list(text)),
  'masked?': about('JSON pointers to what was replaced or cut.', list(text)),
});

const COUNT = object({
  seconds: about('By the clock.', number),
  entered: number,
  decisions: object({ deny: number, ask: number, allow: number, pass: number }),
  granted: about('Calls that went through by a grant.', number),
  grants: about('Grants that a person gave.', number),
  forced: about('Entered without its gate.', number),
  stops: number,
});

/** The output of `modes import` and `modes export`. */
const TRANSFER = one(
  'What would be written, or with --write was, and what was not carried over.',
  object({
    root: PROJECT,
    sources: about('What was read.', list(text)),
    files: list(
      object({ file: text, kind: oneOf('create', 'change'), diff: about('Unified; of a new file all its lines.', text) }),
    ),
    left: about(
      'What could not be said on the other side.',
      list(object({ at: text, what: text, instead: about('What holds instead, or what a person can do.', text) })),
    ),
    faults: about('Parts that could not be read, and were left out.', list(object({ at: text, what: text }))),
    done: about('With --write: what was done, a line each.', list(text)),
  }),
);

export const VERB_OUTPUTS: Readonly<Record<string, Output>> = {
  'import-roo': TRANSFER,
  'import-cc-sessions': TRANSFER,
  'import-claude-settings': TRANSFER,
  'export-roo': TRANSFER,
  init: {
    forms: [
      ['What was set up or taken back.', DONE],
      [
        'With --list: the presets.',
        list(
          object({
            name: text,
            modes: list(text),
            ways: about('Ways out of its modes.', number),
            checked: about('Those that a machine checks.', number),
            approved: about("Those that wait for a person's yes.", number),
            checks: about('Kinds of checks.', list(text)),
            for: about('For whom it is.', text),
          }),
        ),
      ],
    ],
  },
  validate: one(
    'Everything that is wrong.',
    object({
      project: PROJECT,
      hash: HASH,
      trusted: flag,
      layers: list(LAYER),
      contexts: about('What each mode tells the model.', dictionary(CONTEXT)),
      differs: about('From what sessions begin with.', flag),
      ...PROBLEM_LIST,
    }),
  ),
  trust: {
    forms: [
      ['Approved.', object({ ok: OK, project: PROJECT, hash: about('What was approved.', text), message: text })],
      [
        'With --list: what was approved, the newest first.',
        object({
          project: PROJECT,
          present: HASH,
          approved: list(
            object({
              hash: text,
              at: TIME,
              by: oneOf('terminal', 'dialog', 'init', 'expect'),
              present: about('It is the present configuration.', flag),
            }),
          ),
        }),
      ],
      ['With --revoke: taken back.', object({ ok: OK, project: PROJECT, revoked: list(text), message: text })],
    ],
  },
  stop: one('Stopped.', object({ ok: OK, project: PROJECT, changed: about('It was not stopped before.', flag), message: text })),
  check: one('The decision.', DECISION),
  status: one('The mode and what is known of it.', STATUS),
  doctor: one(
    'What was found.',
    object({
      version: VERSION,
      versions: object({
        node: about('The one that the hooks start; null: they find none.', nullable(text)),
        client: about('null: it was not looked at, or there is none.', nullable(text)),
        modes: about('This command line.', text),
        plugin: about('As the client has it; null: it has none.', nullable(object({ id: text, version: text, build: text }))),
        core: about('Hash of the policy core; null: it is damaged.', nullable(text)),
      }),
      proofs: list(
        object({
          name: oneOf('allowed', 'denied', 'closed'),
          what: text,
          held: about('null: it was not tried, or what happened proves nothing.', nullable(flag)),
          detail: about('What became of the call, or why it was not tried.', text),
        }),
      ),
      findings: list(FINDING),
    }),
  ),
  log: { line: "A decision in OPA's own format.", forms: [['A decision.', EVENT]] },
  replay: one(
    'What would be decided otherwise.',
    object({
      version: VERSION,
      policy: about('Absolute: the folder with the modes.yaml that was tried.', text),
      project: PROJECT,
      since: SINCE,
      until: SINCE,
      calls: about('same, changed and what is not comparable together.', number),
      same: number,
      changed: number,
      changes: list(
        object({
          mode: text,
          tool: text,
          before: SIDE,
          after: SIDE,
          direction: oneOf('widening', 'narrowing'),
          count: number,
          on_disk: about('So many of them with what lies below their folders today.', number),
          example: object({ id: DECISION_ID, timestamp: TIME, call: text, reason: text }),
        }),
      ),
      not_comparable: LEFT(incomparable),
      damaged_lines: DAMAGED,
      failed_on: about('Classes of --fail-on that there are calls of.', list(text)),
      problems: PROBLEMS,
    }),
  ),
  suggest: one(
    'Rules that would have settled asks.',
    object({
      version: VERSION,
      min: about('Approvals that a rule needs.', number),
      asks: about('Calls that a person was asked about.', number),
      suggestions: list(
        object({
          mode: text,
          file: about("Relative to the project's root.", text),
          allow: about('The line for permissions.allow.', text),
          quiets: about('Asks that it would have settled.', number),
          approved: number,
          evidence: list(object({ id: DECISION_ID, timestamp: TIME })),
        }),
      ),
      not_suggested: LEFT(withheld),
      damaged_lines: DAMAGED,
    }),
  ),
  stats: one(
    'Counts of each mode.',
    object({
      version: VERSION,
      since: SINCE,
      until: TIME,
      session: about('What the id of the session begins with.', nullable(text)),
      modes: dictionary(COUNT),
      denials: list(object({ mode: text, name: text, place: about("file:line, '' where it has none.", text), count: number })),
      refused_transitions: number,
      failed_gates: list(object({ from: text, to: text, check: text, count: number })),
    }),
  ),
  explain: one(
    'Why the call was decided so.',
    object({
      decision: RESULT,
      at: about('ISO 8601; null: a dry run.', nullable(text)),
      session: nullable(text),
      call: object({ tool: text, input: { type: 'object' }, cwd: text }),
      facts: about('As far as they are kept, without bash: schemas/facts.schema.json.', { type: 'object' }),
      bash: about('null: no command, or its text is not kept.', nullable(BASH_FACTS)),
      rules: list(SHOWN_RULE),
      open: about('Where the call would go through; null: not worked out.', {
        type: ['array', 'null'],
        items: object({
          mode: text,
          decision: oneOf('allow', 'pass'),
          way: about('Modes to go through.', list(text)),
          constraint: nullable(text),
          unmet: UNMET,
        }),
      }),
      notes: list(text),
    }),
  ),
  graph: one(
    'The machine.',
    object({
      name: text,
      states: list(
        object({
          name: text,
          title: nullable(text),
          description: nullable(text),
          present: flag,
          initial: flag,
          rules: object({ allow: number, ask: number, deny: number }),
          otherwise: about('null: what no rule meets passes.', nullable(oneOf('ask', 'deny'))),
        }),
      ),
      ways: list(
        object({
          from: text,
          to: text,
          conditions: list(
            object({
              text,
              kind: oneOf('check', 'person', 'prose'),
              holds: about('Seen now; null: nobody looked.', nullable(flag)),
            }),
          ),
          automatic: about('Taken by the engine itself.', flag),
        }),
      ),
    }),
  ),
  dashboard: one('Where it is served.', object({ url: text, pid: number })),
  bash: {
    line: 'With --jsonl an object a line.',
    forms: [
      ['What the command would do.', BASH],
      ['With --jsonl: a line that is no command.', object({ error: ERROR, line: about('From 1.', number) })],
    ],
  },
};
