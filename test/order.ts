// In which order test files begin: one that takes long and begins last would run on alone.
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The named files of a project first, and then the usual order. Projects stay together, since some share their workers. */
export function longestFirst(longest: readonly string[]): typeof BaseSequencer {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const ordered = await super.sort(files);
      const rank = ({ project, moduleId }: TestSpecification): number =>
        2 * ordered.findIndex((one) => one.project === project) + (longest.some((name) => moduleId.endsWith(`/${name}`)) ? 0 : 1);
      return [...ordered].sort((one, other) => rank(one) - rank(other));
    }
  };
}
