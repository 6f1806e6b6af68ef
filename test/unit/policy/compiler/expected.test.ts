// A compiler that is started ahead of its first question.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Compiler } from '../../../../src/policy/compiler/compiler.ts';
import { sourceFiles } from '../../../../src/policy/compiler/files.ts';
import { root } from '../../../support/compiler.ts';

const cacheFolder = path.join(root, '.cache');

/** Process ids of compilers that this process started. */
const compilers = (): string[] =>
  fs
    .readdirSync('/proc/self/task')
    .flatMap((thread) => fs.readFileSync(`/proc/self/task/${thread}/children`, 'utf8').trim().split(' '))
    .filter((id) => id !== '' && commandOf(id).includes('src/policy/compiler/child.mjs'));

function commandOf(id: string): string {
  try {
    return fs.readFileSync(`/proc/${id}/cmdline`, 'utf8');
  } catch {
    // Gone since it was listed.
    return '';
  }
}

const small = { 'a.rego': 'package a\n' };

test.skipIf(process.platform !== 'linux')('it answers from the started process, and ends when it is idle', async () => {
  const compiler = new Compiler({ files: sourceFiles(root), cacheFolder, idleMs: 500 });
  const before = compilers();
  const ours = () => compilers().filter((id) => !before.includes(id));
  compiler.warm();
  compiler.warm();
  await expect.poll(ours).toHaveLength(1);
  const [started] = ours();
  expect(await compiler.inspect(small)).toMatchObject({ ok: true });
  expect(ours()).toEqual([started]);
  await expect.poll(ours, { timeout: 10_000 }).toEqual([]);
  compiler.warm();
  await expect.poll(ours, { timeout: 10_000 }).toEqual([]);
  expect(await compiler.inspect(small)).toMatchObject({ ok: true });
  compiler.close();
});

test('a process that failed to start is started again by the request, which gets the reason', async () => {
  const files = { ...sourceFiles(root), asset: '/nonexistent/opa.wasm.br' };
  const broken = new Compiler({ files, cacheFolder: null });
  broken.warm();
  expect(await broken.inspect(small)).toMatchObject({ ok: false, problems: [{ code: 'E_COMPILER_START' }] });
  expect(await broken.inspect(small)).toMatchObject({ ok: false, problems: [{ code: 'E_COMPILER_START' }] });
  broken.close();
});
