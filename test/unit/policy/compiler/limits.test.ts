// A compiler that does not come to an end: the answer comes in time, and names where to look.
import { expect, test } from 'vitest';
import { Compiler, DEFAULT_TIMEOUT_MS } from '../../../../src/policy/compiler/compiler.ts';
import { sourceFiles } from '../../../../src/policy/compiler/files.ts';
import { root } from '../../../support/compiler.ts';

test('policies that take too long to compile are reported with the largest file', async () => {
  const rules = Array.from({ length: 12_000 }, (_, n) => `deny contains "rule ${n}" if input.a[_].name == "tool${n}"`);
  const hasty = new Compiler({ files: sourceFiles(root), cacheFolder: null, timeoutMs: 100 });
  const modules = { 'a.rego': 'package a\n', 'large.rego': `package b\n\n${rules.join('\n\n')}\n`, 'z.rego': 'package z\n' };
  const built = await hasty.build({ modules, entrypoints: ['b/deny'] });
  hasty.close();
  expect(built).toMatchObject({ ok: false, problems: [{ code: 'E_COMPILER_TIMEOUT', file: 'large.rego' }] });
});

test('a compiler that cannot start is not blamed on a policy', async () => {
  const files = { ...sourceFiles(root), asset: '/nonexistent/opa.wasm.br' };
  const broken = new Compiler({ files, cacheFolder: null });
  const built = await broken.inspect({ 'a.rego': 'package a\n' });
  broken.close();
  expect(built).toMatchObject({ ok: false, problems: [{ code: 'E_COMPILER_START' }] });
  expect(!built.ok && built.problems[0]?.file).toBeUndefined();
});

test('the limit is shorter than the wait of a call', async () => {
  const hooks = await import('../../../../hooks/hooks.json', { with: { type: 'json' } });
  const { timeout } = hooks.default.hooks.PreToolUse[0]!.hooks[0]!;
  // The server is waited for first, and then a process of its own reads, compiles and decides.
  expect(DEFAULT_TIMEOUT_MS / 1000 + 4).toBeLessThan(timeout);
});
