// Makes a test of `make test-fast` fail if it starts a process. The compiler of policies is the exception: workers start it once.
import processes from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';

const { spawn } = processes;

const refuse = (program: unknown): never => {
  throw new Error(`A fast test started ${program}. Add its file to the list "slow" in vitest.config.ts.`);
};

const isCompiler = (words: unknown): boolean =>
  Array.isArray(words) && words.some((word) => String(word).endsWith('policy/compiler/child.mjs'));

Object.assign(processes, {
  exec: refuse,
  execFile: refuse,
  execFileSync: refuse,
  execSync: refuse,
  fork: refuse,
  spawn: (...given: Parameters<typeof spawn>) => (isCompiler(given[1]) ? spawn(...given) : refuse(given[0])),
  spawnSync: refuse,
});
syncBuiltinESMExports();
