// Why a bundle is not used, with a code that docs/errors.md explains, and why a server gives no answer.

import { describeProblem } from '../config/text.ts';
import type { Problem } from '../model/problem.ts';
import type { Code } from '../model/problem-codes.ts';

export type RefusalCode = Extract<Code, `${string}_BUNDLE_${string}`>;

/** A bundle or a key was refused; no part of it was used. */
export class BundleRefused extends Error {
  constructor(
    readonly code: RefusalCode,
    message: string,
    readonly remedy: string,
  ) {
    super(message);
    this.name = 'Refused';
  }

  /** `file` as shown to a person. */
  problem(file?: string): Problem {
    return describeProblem(this.code, this.message, this.remedy, file);
  }
}

/** A short reason why a server gave no answer. */
export function faultOf(error: unknown): string {
  const { code, message, name } = error as NodeJS.ErrnoException;
  if (name === 'TimeoutError') return 'no answer in time';
  // Codes of the HTTP client are less informative than its messages; codes of the system are more informative.
  const isCode = typeof code === 'string' && !code.startsWith('UND_ERR_') && !(error instanceof BundleRefused);
  return isCode ? code : message;
}
