// A setup in which nothing is stopped at first: every mode only advises.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { configure, layeredSources } from '../../../../src/app/dry-run.ts';
import { listPresets, planSetup, runSetup } from '../../../../src/app/setup/setup.ts';
import { writtenCall } from '../../../../src/facts/written.ts';
import { makeFolder } from '../../../support/folder-project.ts';
import { repository } from '../../../support/plugin.ts';

function setUp(preset: string, advise: boolean): string {
  const top = makeFolder();
  const root = path.join(top, 'home/project');
  fs.mkdirSync(root, { recursive: true });
  const home = path.join(top, 'home');
  const configFolder = path.join(home, '.claude');
  const plan = planSetup({
    root,
    preset,
    packageRoot: repository,
    configFolder,
    home,
    enforcement: advise ? 'advise' : 'preset',
  });
  if ('error' in plan) throw new Error(plan.error);
  runSetup(plan, path.join(configFolder, 'modes-data'), new Date(0));
  return root;
}
const modesIn = (root: string) => fs.readFileSync(path.join(root, '.claude/modes.yaml'), 'utf8').split('\n');

async function open(root: string) {
  const env = { HOME: path.dirname(root), PATH: '/usr/bin:/bin' };
  return configure(layeredSources(root, null), { root, trusted: true, env, packageRoot: repository });
}

describe.each(listPresets(repository))('the preset %s with --advise', (preset) => {
  test('advises in every mode, and is otherwise the same', async () => {
    const root = setUp(preset, true);
    const { problems, config: view } = await open(root);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect([...view.known.topology!.modes.values()].map(({ enforcement }) => enforcement)).toEqual(
      [...view.known.topology!.modes].map(() => 'advise'),
    );
    expect(modesIn(root).filter((line) => !/enforcement: advise/.test(line))).toEqual(modesIn(setUp(preset, false)));
  });
});

test('a call that the mode would deny runs with a note', async () => {
  const call = (root: string) => writtenCall('Write(src/a.js)', root);
  const [strict, advised] = [setUp('tdd-checked', false), setUp('tdd-checked', true)];
  expect((await open(strict)).decide(call(strict), 'test-dev').decision).toBe('deny');
  const decision = (await open(advised)).decide(call(advised), 'test-dev');
  expect([decision.decision, decision.advice]).toEqual(['pass', expect.stringContaining('is denied')]);
});
