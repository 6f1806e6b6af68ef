// Reasons why a policy gives no result.

export type EvaluationCode =
  /** The bytes are not a policy that this evaluator can run. */
  | 'E_POLICY_LOAD'
  /** The policy lacks the entrypoint. */
  | 'E_POLICY_ENTRYPOINT'
  /** The input or the data cannot be passed to the policy. */
  | 'E_POLICY_INPUT'
  /** The policy stopped: rules contradict each other, a builtin is missing, or memory or stack is used up. */
  | 'E_POLICY_ABORT'
  /** The policy exceeded its time limit. */
  | 'E_POLICY_TIME'
  /** The policy returns no value. */
  | 'E_POLICY_UNDEFINED'
  /** The value is not a verdict. */
  | 'E_POLICY_VERDICT'
  /** The OPA server that must decide gives no usable verdict. */
  | 'E_POLICY_SERVICE';

const remedies: Readonly<Record<EvaluationCode, string>> = {
  E_POLICY_LOAD: 'Run modes doctor; if the core or a file of the plugin is the cause, install the plugin again.',
  E_POLICY_ENTRYPOINT: 'Build it again.',
  E_POLICY_INPUT: 'Make the call simpler.',
  E_POLICY_ABORT: 'Correct the policy at the place shown: two rules may contradict each other.',
  E_POLICY_TIME: 'Simplify the policy that the message names.',
  E_POLICY_UNDEFINED: 'Give the rule a default.',
  E_POLICY_VERDICT: 'Correct the policy that the message names.',
  E_POLICY_SERVICE: 'Make sure that the server is reachable and has the bundle of this mode; modes doctor names the obstacle.',
};

/** The reason why there is no result, with the place in the Rego source if the policy names one. */
export class EvaluationError extends Error {
  override readonly name = 'EvaluationError';
  constructor(
    readonly code: EvaluationCode,
    message: string,
    readonly file: string | null = null,
    readonly line: number | null = null,
  ) {
    super(message);
  }

  /** The remedy for a person. */
  get remedy(): string {
    return remedies[this.code];
  }
}

/**
 * Converts an error from inside a policy. The SDK throws texts and plain objects; a conflict between rules begins with
 * `file:row:col: `.
 */
export function abortError(error: unknown): EvaluationError {
  if (error instanceof EvaluationError) return error;
  const message = messageOf(error);
  const place = /^([^\n]+?):(\d+):\d+: /.exec(message);
  return new EvaluationError(
    'E_POLICY_ABORT',
    `the policy stopped: ${message}`,
    place?.[1] ?? null,
    place === null ? null : Number(place[2]),
  );
}

export function messageOf(error: unknown): string {
  if (typeof error === 'string') return error;
  const message = (error as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : String(error);
}
