// A decision → what a hook answers.
import { showInLine } from '../config/text.ts';
import type { Decision, HookAnswer } from '../model/decision.ts';

/** Longest reason that is sent, characters; the client cuts at 10,000. */
const maxReason = 4_000;
/** Of these, what helps keeps at least so many: a long name in the reason does not push it out. */
const maxRemedy = 2_000;

/**
 * The answer to PreToolUse. In a headless session nobody can be asked: an ask is answered as a deny that says which allow rule
 * would settle it.
 */
export function hookAnswer(decision: Decision, headless: boolean): HookAnswer {
  if (decision.decision === 'pass') return {};
  const asked = decision.decision === 'ask' && headless;
  const remedy = asked ? `Nobody can be asked in this session. ${decision.remedy}` : decision.remedy;
  const helps = cut(showInLine(remedy), maxRemedy);
  // A file's name could otherwise write over what a person is asked, or begin a line that looks like ours.
  const why = cut(showInLine(decision.reason), maxReason - helps.length);
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: asked ? 'deny' : decision.decision,
      permissionDecisionReason: [why, helps].filter((part) => part !== '').join(' '),
    },
  };
}

function cut(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text;
}

/** True when this session has nobody at the keyboard. */
export function isHeadless(entrypoint: string | undefined): boolean {
  return entrypoint?.startsWith('sdk-') ?? false;
}

/**
 * The JSON text of an answer in the one form that the shell client accepts: no space, keys in this order, and in the text
 * every quote, backslash and control character as \uXXXX, so that a whole answer can be told from a torn one without a parser.
 */
export function answerText(answer: HookAnswer): string {
  if (!('hookSpecificOutput' in answer)) return '{}';
  const { hookEventName, permissionDecision, permissionDecisionReason } = answer.hookSpecificOutput;
  return `{"hookSpecificOutput":{"hookEventName":"${hookEventName}","permissionDecision":"${permissionDecision}","permissionDecisionReason":"${plain(permissionDecisionReason)}"}}`;
}

/** The same for context that a hook adds; `{}` for none. */
export function contextText(event: string, context: string): string {
  return context === '' ? '{}' : `{"hookSpecificOutput":{"hookEventName":"${event}","additionalContext":"${plain(context)}"}}`;
}

function plain(text: string): string {
  return wellFormed(text).replace(
    /["\\\u0000-\u001f\u007f]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Lone surrogates replaced; they are no valid JSON text. */
function wellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}
