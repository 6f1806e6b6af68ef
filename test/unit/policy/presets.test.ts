// What a preset says of itself holds in a project that has nothing yet.
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runPolicies } from '../../../src/adapters/cli/policy-run.ts';
import { openSuite } from '../../../src/adapters/cli/policy-suite.ts';
import { newCompiler, root } from '../../support/compiler.ts';
import { makeFolder } from '../../support/folder-project.ts';

const compiler = newCompiler();
afterAll(() => compiler.close());

const examples = path.join(root, 'examples');
const presets = fs.readdirSync(examples).filter((name) => fs.existsSync(path.join(examples, name, '.claude/policies')));

test.each(presets)('%s', { timeout: 60_000 }, async (name) => {
  const project = makeFolder();
  fs.cpSync(path.join(examples, name, '.claude'), path.join(project, '.claude'), { recursive: true });
  const env = { HOME: makeFolder(), PATH: process.env.PATH };
  const suite = openSuite(project, { env, packageRoot: root });
  const ran = await runPolicies(suite, { compiler, env, packageRoot: root });
  expect(ran.problems).toEqual([]);
  expect(ran.outcomes.length).toBeGreaterThan(3);
  expect(ran.outcomes.filter(({ outcome }) => outcome !== 'pass')).toEqual([]);
});
