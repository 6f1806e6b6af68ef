// Converts a decision to the answer to a permission request, in the form that the client accepts.
import { settledBy } from '../../engine/settle.ts';
import { grantedUpdates, type PermissionUpdate } from './grantable.ts';
import type { PermissionDecision } from './permission-decision.ts';

/** `PermissionResult` of the client. Names in camelCase; `updatedInput` is always an object. */
export type PermissionAnswer =
  | { behavior: 'allow'; updatedInput: Record<string, unknown>; updatedPermissions?: PermissionUpdate[] }
  | { behavior: 'deny'; message: string; interrupt?: boolean };

export interface PermissionQuestion {
  /** The input of the request. */
  input: Record<string, unknown>;
  /** Additional permissions that the client suggests to grant with the call. */
  suggestions?: unknown;
  /** A rule of the client's own settings, or the tool itself, requires a person's approval. */
  wantsPerson?: boolean;
}

/** Tools for which permission is the user's own answer. If no rule matches the call, Modes must not answer for the user. */
const personal: ReadonlySet<string> = new Set(['AskUserQuestion', 'ExitPlanMode']);

/** The client's reasons for asking. An unknown value counts as a reason too. */
export interface Cause {
  matchedAskRule?: unknown;
  decisionReasonType?: unknown;
  requiresUserInteraction?: unknown;
}

/** True if only a person may answer: an ask rule of the client's own settings matched, or the tool requires a person. */
export function wantsPerson({ matchedAskRule, decisionReasonType, requiresUserInteraction = false }: Cause): boolean {
  const isPersonal = requiresUserInteraction !== null && requiresUserInteraction !== false;
  return isPersonal || (matchedAskRule ?? null) !== null || decisionReasonType === 'rule';
}

/** Maximum characters of a message. */
const maxMessage = 4_000;

/** null: neither allowed nor denied, so a person has to decide. In a headless session the answer is `refusal`. */
export function answerOf(permissionDecision: PermissionDecision, question: PermissionQuestion): PermissionAnswer | null {
  const { decision, stopped, passes, permissionMode } = permissionDecision;
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

/** In a headless session an undecided call is denied, with advice on what would decide it. */
export function refusal(
  { decision, stopped }: PermissionDecision,
  { wantsPerson = false }: Pick<PermissionQuestion, 'wantsPerson'> = {},
): PermissionAnswer {
  const { facts, mode, reason, remedy } = decision;
  const nobody = 'This session is not interactive, so no one can approve the call.';
  if (decision.decision === 'allow')
    return deny(
      [
        "The client requires a person's approval for this call, because of a rule in its own settings or because of the tool.",
        nobody,
      ],
      stopped,
    );
  if (decision.decision !== 'pass') return deny([reason, nobody, wantsPerson ? '' : remedy], stopped);
  if (wantsPerson || facts === null || mode === null)
    return deny([`${decision.tool} needs a person's approval.`, nobody], stopped);
  const settled = facts.tool.group === 'own' || personal.has(decision.tool) ? '' : `${settledBy(facts, mode)} ${passing}`;
  return deny([`No rule of ${mode} matches this call, and the client requires a permission for it.`, nobody, settled], stopped);
}

/** The answer to a request that could not be decided. */
export function refuseFault(error: unknown): PermissionAnswer {
  return deny([`Modes could not decide the call: ${error instanceof Error ? error.message : String(error)}.`], false);
}

const passing = 'To let all such calls through, add "headless: {pass: allow}" to the user\'s own modes.yaml.';

function deny(parts: readonly string[], interrupt: boolean): PermissionAnswer {
  const text = parts.filter((part) => part !== '').join(' ');
  const message = text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text || 'Denied.';
  return { behavior: 'deny', message, ...(interrupt && { interrupt }) };
}
