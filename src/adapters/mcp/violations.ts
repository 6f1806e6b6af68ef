// Reports changes of guarded files, each once: to the model, to the person and in the decision log.

import type { Violation } from '../../workflow/verification/record.ts';

/** Violations that were reported are remembered up to this number. */
const most = 10_000;

export class ReportedViolations {
  private readonly reported = new Set<string>();

  /** Those that were not reported yet. They count as reported from now on. */
  fresh(root: string, violations: readonly Violation[]): Violation[] {
    if (this.reported.size > most) this.reported.clear();
    return violations.filter(({ file, at }) => {
      const key = JSON.stringify([root, file, at]);
      const isFresh = !this.reported.has(key);
      this.reported.add(key);
      return isFresh;
    });
  }
}
