// Why a bundle is not used, with a code that docs/errors.md explains.
import type { Code } from '../config/codes.ts';
import type { Problem } from '../config/problem.ts';
import { describeProblem } from '../config/text.ts';

export type RefusalCode = Extract<Code, `${string}_BUNDLE_${string}`>;

/** A bundle or a key that is refused; nothing of it was used. */
export class Refused extends Error {
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
