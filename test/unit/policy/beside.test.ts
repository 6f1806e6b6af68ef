// What is done while custom policies are asked, and when they are not asked at all.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { configure } from '../../../src/app/dry-run.ts';
import type { Decision } from '../../../src/model/decision.ts';
import { makeBundle } from '../../../src/policy/bundle.ts';
import { GuardedEvaluator, workerFile } from '../../../src/policy/custom/guard.ts';
import { capabilities, newCompiler, root } from '../../support/compiler.ts';
import { makeFolder } from '../../support/folder-project.ts';
import { contentOf } from './content.ts';

const compiler = newCompiler();

test('failing work does not mix up the next answer', async () => {
  const built = await compiler.build({
    modules: { 'x.rego': 'package x\n\nsaid := input.text\n' },
    entrypoints: ['x/said'],
    capabilities,
  });
  if (!built.ok) throw new Error(JSON.stringify(built.problems));
  const bundle = makeBundle({ mode: 'm', wasm: built.wasm, entrypoints: ['x/said'], data: {} });
  const guarded = new GuardedEvaluator(bundle, { worker: workerFile(root), limitMs: 10_000 });
  const failing = () => {
    throw new Error('work');
  };
  expect(() => guarded.evaluateBeside({ text: 'first' }, 'x/said', failing)).toThrow('work');
  expect(guarded.evaluateBeside({ text: 'second' }, 'x/said', () => 'done')).toEqual({ value: 'second', beside: 'done' });
  guarded.close();
});

const LIMITED = (mode: string) => `# METADATA\n# scope: package\n# custom:\n#   modes: [${mode}]\n`;

/** The decision on a Write in mode `m`, by a package that has this `src`. */
async function decided(head: string, rules: string, packageRoot: string): Promise<Decision> {
  const project = makeFolder();
  const content = contentOf([
    { name: '.claude/modes.yaml', text: 'name: x\ndefault: m\nmodes:\n  m:\n  other:\n' },
    { name: '.claude/settings.any.json', text: '{"permissions":{"allow":["Write(**)"]}}' },
    { name: '.claude/policies/p.rego', text: `${head}package modes.policy.p\n\n${rules}\n` },
  ]);
  const env = { HOME: makeFolder(), PATH: process.env.PATH };
  const configured = await configure(content, { root: project, trusted: true, env, packageRoot: root });
  expect(configured.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const asked = await configure(content, { root: project, trusted: true, env, packageRoot });
  const call = { tool: 'Write', input: { file_path: path.join(project, 'a.ts'), content: '' }, cwd: project };
  return asked.decide({ ...call, sessionId: null, agentId: null, agentType: null, permissionMode: null } as never, null);
}

describe('policies that cannot decide anything in the mode', () => {
  /** A package without the worker: whatever asks a policy is denied. */
  const threadless = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-threadless-'));
  for (const part of ['dist', 'opa', 'policies']) fs.symlinkSync(path.join(root, part), path.join(threadless, part));
  afterAll(() => fs.rmSync(threadless, { recursive: true }));

  test.each([
    ['of another mode', LIMITED('other'), 'deny contains "no"'],
    ['with nothing but a condition of a way out', '', 'gate contains {"name": "g", "met": true, "missing": ""}'],
  ])('%s are not evaluated', async (_, head, rules) => {
    expect((await decided(head, rules, threadless)).decision).toBe('allow');
  });

  test.each([
    ['of this mode', LIMITED('m'), 'deny contains "no"', 'deny'],
    ['that say nothing', '', 'deny contains "no" if input.tool.name == "Read"', 'allow'],
    ['that ask', '', 'ask contains "sure?"', 'ask'],
  ])('and those %s are', async (_, head, rules, expected) => {
    expect((await decided(head, rules, root)).decision).toBe(expected);
  });
});
