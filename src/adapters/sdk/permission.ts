// A ruling → the answer to a request for permission, in the one form that the client takes.
import { settledBy } from '../../engine/settle.ts';
import { grantedUpdates, type PermissionUpdate } from './grantable.ts';
import type { Ruling } from './ruling.ts';

/** `PermissionResult` of the client. Names in camelCase; `updatedInput` is always an object. */
export type PermissionAnswer =
  | { behavior: 'allow'; updatedInput: Record<string, unknown>; updatedPermissions?: PermissionUpdate[] }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

export interface Question {
  /** The input as it was asked about. */
  input: Record<string, unknown>;
  /** What the client would like to have granted beside the call. */
  suggestions?: unknown;
  /** A rule of the client's own settings, or the tool itself, wants a person's word. */
  wantsPerson?: boolean;
}

/** Tools whose permission is the user's own answer: no rule that happens not to be about them gives it. */
const personal: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** What a client says of why it asks; whatever else stands there says it as well. */
export interface Cause {
  matchedAskRule?: unknown;
  decisionReasonType?: unknown;
  requiresUserInteraction?: unknown;
}

/** A rule of the client's own settings that asks is for a person, and so is a call that a person alone may answer. */
export function wantsPerson({ matchedAskRule, decisionReasonType, requiresUserInteraction = false }: Cause): boolean {
  const isPersonal = requiresUserInteraction !== null && requiresUserInteraction !== false;
  return isPersonal || (matchedAskRule ?? null) !== null || decisionReasonType === 'rule';
}

/** Longest message that is sent, characters. */
const maxMessage = 4_000;

/** null: neither allowed nor denied, so that a person has to say; `refusal` is the answer where there is none. */
export function answerOf(ruling: Ruling, question: Question): PermissionAnswer | null {
  const { decision, stopped, passes, permissionMode } = ruling;
  if (decision.decision === 'deny') return deny([decision.reason, decision.remedy], stopped);
  const isPersonal = question.wantsPerson === true || personal.has(decision.tool) || decision.facts?.tool.group === 'own';
  const isAllowed =
    decision.decision === 'allow'
      ? question.wantsPerson !== true
      : decision.decision === 'pass' && passes === 'allow' && !isPersonal;
  if (!isAllowed) return null;
  const updatedPermissions = grantedUpdates(question.suggestions, permissionMode);
  return {
    behavior: 'allow',
    updatedInput: question.input,
    ...(updatedPermissions.length > 0 && { updatedPermissions }),
  };
}

/** What is undecided is denied where nobody can be asked, with what would settle it. */
export function refusal(
  { decision, stopped }: Ruling,
  { wantsPerson = false }: Pick<Question, 'wantsPerson'> = {},
): PermissionAnswer {
  const { facts, mode, reason, remedy } = decision;
  const nobody = 'Nobody can be asked in this session.';
  if (decision.decision === 'allow')
    return deny(
      ["The client wants a person's yes for this call: a rule of its own settings asks, or the tool itself.", nobody],
      stopped,
    );
  if (decision.decision !== 'pass') return deny([reason, nobody, wantsPerson ? '' : remedy], stopped);
  if (wantsPerson || facts === null || mode === null) return deny([`${decision.tool} needs a person's yes.`, nobody], stopped);
  const settled = facts.tool.group === 'own' || personal.has(decision.tool) ? '' : `${settledBy(facts, mode)} ${passing}`;
  return deny([`No rule of ${mode} is about this call, and the client wants a permission for it.`, nobody, settled], stopped);
}

/** A request that could not be decided. */
export function refuseFault(error: unknown): PermissionAnswer {
  return deny([`Modes could not decide the call: ${error instanceof Error ? error.message : String(error)}.`], false);
}

const passing = '"headless: {pass: allow}" in the user\'s own modes.yaml lets all such calls through.';

function deny(parts: readonly string[], interrupt: boolean): PermissionAnswer {
  const text = parts.filter((part) => part !== '').join(' ');
  const message = text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text || 'Denied.';
  return { behavior: 'deny', message, ...(interrupt && { interrupt }) };
}
