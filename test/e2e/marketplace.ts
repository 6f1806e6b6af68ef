// The client's plugin commands: the repository as a marketplace, and what they leave behind in a home.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { clientEnvironment, installClient, REPOSITORY } from './client.ts';

export interface Outcome {
  code: number | null;
  output: string;
}

/** Runs `claude …` in a home, without a model. */
export function claude(home: string, ...args: string[]): Outcome {
  const run = spawnSync(installClient(), args, {
    encoding: 'utf8',
    timeout: 50_000,
    cwd: path.dirname(home),
    env: clientEnvironment(home, 'http://127.0.0.1:1', 'plugin-command'),
  });
  return { code: run.status, output: `${run.stdout}${run.stderr}${run.error?.message ?? ''}` };
}

/** Copies what a clone of the repository would hold now: tracked files and new ones that git does not ignore. */
export function exportRepository(target: string): string {
  const list = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: REPOSITORY,
    encoding: 'utf8',
  });
  if (list.status !== 0) throw new Error(`git ls-files: ${list.stderr}`);
  for (const file of list.stdout.split('\0').filter((name) => name !== '')) {
    const from = path.join(REPOSITORY, file);
    if (!fs.existsSync(from)) continue; // deleted in the working tree
    fs.mkdirSync(path.dirname(path.join(target, file)), { recursive: true });
    fs.cpSync(from, path.join(target, file), { verbatimSymlinks: true });
  }
  return target;
}

/** Every file below a folder, relative, sorted. */
export function filesBelow(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

/**
 * What in a home still speaks of us. Not counted is what the client keeps for any plugin that ever was: its copy of the plugin
 * (marked `.orphaned_at`, collected by the client later), its transcripts, logs, backups and use counters.
 */
export function residue(home: string): string[] {
  const own = /^\.claude\/(projects|backups|file-history|sessions|session-env|shell-snapshots)\/|^\.cache\/claude-cli-nodejs\//;
  return filesBelow(home).filter((file) => {
    if (own.test(file) || file === '.claude.json') return false;
    if (file.startsWith('.claude/plugins/cache/modes/modes/'))
      return !fs.existsSync(path.join(home, file.split('/').slice(0, 6).join('/'), '.orphaned_at'));
    return /modes/.test(file) || /modes/.test(fs.readFileSync(path.join(home, file), 'latin1'));
  });
}
