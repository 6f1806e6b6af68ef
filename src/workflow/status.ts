// The data of the status tool and of `modes status`: the keys of the source document, plus our own.

import { limitsByType } from '../config/groups.ts';
import { targets } from '../config/targets.ts';
import { showInLine } from '../config/text.ts';
import type { LoadedConfig } from '../engine/loaded-config.ts';
import { describeRequirement } from '../engine/requirement-text.ts';
import type { Mode, Topology } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { opaStatus } from '../store/opa-record.ts';
import { proofLine } from './gates/proof.ts';
import { confirmedBy } from './journal.ts';
import type { Counting } from './loaded-configs.ts';
import { describePlan } from './plan/show.ts';
import { configurationStatus } from './situation.ts';
import { contextSize } from './sizes.ts';
import { type ModeState, remedyOf } from './state.ts';

/** Maximum number of the newest changes that are shown. */
const shownChanges = 10;
const shownProofs = 10;
/** Limit on the characters of each text. The journal has the whole text. */
const shownText = 300;

export interface StatusInput {
  root: string;
  state: ModeState;
  counting: Counting;
  present: LoadedConfig;
  problems: Problem[];
  viewRewritten: boolean;
  dataFolder: string;
  /** The hash that a person approves. */
  approvalHash: string;
}

/** The status tool and `modes status` print it. */
export type Status = ReturnType<typeof statusOf>;

export function statusOf({ root, state, counting, present, problems, viewRewritten, dataFolder, approvalHash }: StatusInput) {
  const { pinned } = counting;
  const { topology } = pinned.known;
  const mode = state.mode === null ? undefined : topology?.modes.get(state.mode);
  return {
    current_mode: state.mode,
    available_transitions:
      mode && topology
        ? targets(mode, topology).map(({ to, constraint, require, approve }) => ({
            to,
            constraint: constraint ?? '',
            ...(require.length > 0 ? { require: require.map(describeRequirement) } : {}),
            ...(approve ? { approve } : {}),
          }))
        : [],
    history: state.entries.slice(-shownChanges).map(({ from, to, timestamp, explanation, actor, kind, evidence, confirmed }) => ({
      from,
      to,
      timestamp,
      explanation: cut(showInLine(explanation)),
      actor,
      forced: kind === 'force',
      ...(confirmed && { confirmed: confirmedBy[confirmed] ?? showInLine(confirmed) }),
      ...(evidence && { evidence: evidence.slice(0, shownProofs).map((proof) => cut(showInLine(proofLine(proof)))) }),
    })),
    ...(state.degraded ? { error: state.degraded.message, remedy: remedyOf(state.degraded) } : {}),
    project: root,
    trusted: pinned.trusted,
    configuration: configurationStatus(counting, present, approvalHash),
    permissions: permissionsOf(pinned, state.mode),
    ...(mode && topology ? { mode: keysOf(mode), modes: modesOf(topology), context: contextSize(pinned, mode.name) } : {}),
    ...describePlan(state.work),
    problems: problems.map(({ code, severity, message, file, line, column, remedy }) => ({
      code,
      severity,
      message,
      file,
      line,
      column,
      remedy,
    })),
    bundle: state.mode === null ? null : (pinned.policies.of(state.mode)?.bundle ?? null),
    ...evaluatorStatus(pinned, dataFolder),
    ...(viewRewritten ? { notice: 'mode-state.json differed from the journal and was rewritten' } : {}),
  };
}

/** The OPA server that returns the verdicts, if one is configured. */
function evaluatorStatus({ known: { opa } }: LoadedConfig, dataFolder: string) {
  if (opa === null) return {};
  const { trouble: fault, differing } = opaStatus(opa, dataFolder);
  const { url: server, check, fallback } = opa;
  return { evaluator: { server, check, fallback, ...(fault && { trouble: fault }), ...(differing && { differing }) } };
}

/** Shortens a text for a status. */
export function cut(text: string): string {
  return text.length > shownText ? `${text.slice(0, shownText)}…` : text;
}

/** The keys of the present mode in modes.yaml that have a value, except its transitions. */
function keysOf({
  title,
  description,
  role,
  whenToUse,
  promptPrefix,
  permissionMode,
  enforcement,
  ...mode
}: Mode): Record<string, unknown> {
  const values = { title, description, role, whenToUse, promptPrefix, permissionMode, enforcement, extends: mode.extends };
  const agents = [...limitsByType(mode.agents).keys()];
  return Object.fromEntries(
    Object.entries({ ...values, agents }).filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0)),
  );
}

function modesOf({ modes }: Topology): { name: string; title?: string; whenToUse?: string }[] {
  return [...modes.values()].map(({ name, title, whenToUse }) => ({
    name,
    ...(title !== null && { title }),
    ...(whenToUse !== null && { whenToUse }),
  }));
}

/** The allow, ask and deny rules of a mode, as written. */
function permissionsOf({ known: rules }: LoadedConfig, mode: string | null) {
  const settings = mode === null ? undefined : rules.settings.get(mode);
  if (settings === undefined) return null;
  const of = (effect: string) => settings.rules.filter((rule) => rule.effect === effect).map((rule) => rule.text);
  return { allow: of('allow'), ask: of('ask'), deny: of('deny'), default: settings.defaults.map((one) => one.value) };
}
