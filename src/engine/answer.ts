// Turns a decision into the answer of a hook.
import { showInLine, showUnseen } from '../config/text.ts';
import type { Decision, HookAnswer } from '../model/decision.ts';

/** Longest reason that is sent, in characters. The client cuts at 10,000. */
const maxReason = 4_000;
/** The part of it that is reserved for the remedy, so that a long name in the reason does not push the remedy out. */
const maxRemedy = 2_000;

/**
 * Returns the answer to PreToolUse. A headless session has no one to ask, so an ask becomes a deny that names the allow rule that
 * helps.
 */
export function hookAnswer(decision: Decision, headless: boolean): HookAnswer {
  if (decision.decision === 'pass') return {};
  const isUnattendedAsk = decision.decision === 'ask' && headless;
  const remedy = isUnattendedAsk
    ? `This session is not interactive, so no one can approve the call. ${decision.remedy}`
    : decision.remedy;
  const helps = cut(showInLine(remedy), maxRemedy);
  // The name of a file could otherwise overwrite the question that a person sees, or begin a line that looks like one of Modes.
  const why = cut(showInLine(decision.reason), maxReason - helps.length);
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: isUnattendedAsk ? 'deny' : decision.decision,
      permissionDecisionReason: [why, helps].filter((part) => part !== '').join(' '),
    },
  };
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** True if no person is at the keyboard of this session. */
export function isHeadless(entrypoint: string | undefined): boolean {
  return entrypoint?.startsWith('sdk-') ?? false;
}

/**
 * Returns the JSON text of an answer in the only form that the shell client accepts: no spaces, keys in this order, and every
 * quote, backslash and control character of a text as \uXXXX. With that form, the client can distinguish a complete answer from a
 * torn one without a parser.
 */
export function answerText(answer: HookAnswer): string {
  if (!('hookSpecificOutput' in answer)) return '{}';
  const { hookEventName, permissionDecision, permissionDecisionReason } = answer.hookSpecificOutput;
  return `{"hookSpecificOutput":{"hookEventName":"${hookEventName}","permissionDecision":"${permissionDecision}","permissionDecisionReason":"${plain(permissionDecisionReason)}"}}`;
}

/** The same for context that a hook adds; `{}` without a context. */
export function contextText(event: string, context: string): string {
  return context === ''
    ? '{}'
    : `{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":"${plain(showUnseen(context))}"}}`;
}

function plain(text: string): string {
  return wellFormed(text).replace(
    /["\\\u0000-\u001f\u007f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Replaces lone surrogates, which are not valid in JSON text. */
function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
