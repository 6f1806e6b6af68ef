// The measurements in the real client can be cancelled, and leave nothing behind.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/files.ts';
import { REPOSITORY } from './client.ts';

/** Command lines of processes whose environment or arguments name a folder. */
function processesOf(folder: string): string[] {
  const read = (pid: string, name: string): string => {
    try {
      return fs.readFileSync(`/proc/${pid}/${name}`, 'latin1');
    } catch {
      return '';
    }
  };
  return fs
    .readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && `${read(name, 'environ')}${read(name, 'cmdline')}`.includes(folder))
    .map((pid) => read(pid, 'cmdline').replaceAll('\0', ' '));
}

test.runIf(process.platform === 'linux').each([
  ['client', 'installs other guards'],
  ['start', 'turn 0 of 1: Modes'],
])('%s, cancelled while it shows "%s", ends with 130 and leaves no process, no file and no result', async (bench, moment) => {
  const folder = temporaryFolder('modes-cancelled-');
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  const page = path.join(REPOSITORY, 'docs/benchmarks.json');
  const before = fs.readFileSync(page, 'utf8');
  const args = ['scripts/bench.mjs', bench, '--write', '--turns', '1', '--calls', '2'];
  const { CI: _, ...env } = process.env;
  const child = spawn(process.execPath, args, { cwd: REPOSITORY, env: { ...env, TMPDIR: folder }, stdio: 'pipe' });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    const isNew = !said.includes(moment);
    said += text;
    if (isNew && said.includes(moment)) child.kill('SIGINT');
  });
  const code = await new Promise((ended) => child.once('close', ended));
  expect(said).toContain('cancelled by SIGINT: nothing was written');
  expect(code).toBe(130);
  expect(fs.readdirSync(folder)).toEqual([]);
  expect(processesOf(folder)).toEqual([]);
  expect(fs.readFileSync(page, 'utf8')).toBe(before);
});
