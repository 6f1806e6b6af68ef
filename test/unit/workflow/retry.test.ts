// What failed for a passing reason is tried again, without an edit; what is wrong in a file is not.
import { afterEach, expect, test, vi } from 'vitest';
import type { Prepare } from '../../../src/engine/prepared.ts';
import { placeOf } from '../../../src/facts/paths/place.ts';
import type { Problem } from '../../../src/model/problem.ts';
import { findProject } from '../../../src/store/find-project.ts';
import { makeProject } from '../../../src/workflow/project.ts';
import { Layered, modesYaml, packageRoot, writeBy } from '../../support/layered-project.ts';
import { prepare } from '../../support/prepare.ts';

afterEach(() => void vi.useRealTimers());

test.each([
  ['E_COMPILER_TIMEOUT', true],
  ['E_REGO_PARSE', false],
])('%s: %s', async (code, isTriedAgain) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const at = new Layered().put('project', 'modes.yaml', modesYaml());
  const problem: Problem = { code, severity: 'error', message: 'it failed', remedy: 'Wait.' };
  let failed = false;
  const failing: Prepare = async (content, build) => {
    const made = await prepare(content, build);
    if (failed) return made;
    failed = true;
    return { ...made, known: { ...made.known, problems: [problem] } };
  };
  const place = placeOf(at.root, at.env, packageRoot);
  const project = makeProject(findProject(at.root, place)!, place, {
    start: at.root,
    env: at.env,
    packageRoot,
    prepare: failing,
  });
  const isFailing = async () => (await writeBy(project, 'a', 'session-a')).reason.includes('it failed');
  expect(await isFailing()).toBe(true);
  vi.advanceTimersByTime(31_000);
  expect(await isFailing()).toBe(!isTriedAgain);
});
