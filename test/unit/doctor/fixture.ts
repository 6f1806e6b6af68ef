// A home with the plugin installed in it, clients that only pretend, and modes doctor as from a terminal of its own.

import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { putFile } from '../../support/files.ts';
import { builtPlugin } from '../../support/plugin.ts';
import { type Ended, makeProject, type Project, run } from '../../support/project.ts';

export interface Health extends Project {
  /** The plugin as it is installed for this user. */
  plugin: string;
  /** Writes a file of the user's own `.claude`. */
  putHome(name: string, text: string): string;
}

/** Everything as it should be. `copy`: a plugin folder of its own, to be damaged. */
export async function makeHealthy({ copy = false, example = 'tdd' as string | null } = {}): Promise<Health> {
  const project = makeProject({ example });
  const built = await builtPlugin();
  const plugin = copy ? path.join(path.dirname(project.home), 'plugin') : built;
  if (copy) fs.cpSync(built, plugin, { recursive: true });
  fs.chmodSync(project.data, 0o700);
  const putHome = (name: string, text: string): string => {
    const file = path.join(project.home, '.claude', name);
    putFile(file, text);
    return file;
  };
  putHome('settings.json', '{"enabledPlugins":{"modes@modes":true}}');
  putHome(
    'plugins/installed_plugins.json',
    JSON.stringify({ version: 2, plugins: { 'modes@modes': [{ installPath: plugin }] } }),
  );
  return { ...project, plugin, putHome };
}

/** A program that says it is the client of a version, and does this else; `$HERE` is its folder. */
export function makeClient(folder: string, version: string, body = 'exit 3'): string {
  const file = path.join(folder, 'claude');
  fs.mkdirSync(folder, { recursive: true });
  const says = `if [ "$1" = --version ]; then echo '${version}'; exit 0; fi`;
  fs.writeFileSync(file, `#!/bin/sh\nHERE=\${0%/*}\n${says}\n${body}\n`, { mode: 0o755 });
  return file;
}

/** A child of nobody, as from a terminal: whoever runs these tests may be a client. */
export async function doctor(project: Health, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const program = path.join(await builtPlugin(), 'dist/modes.mjs');
  const script = '( "$@" >"$OUT.out" 2>"$OUT.err" </dev/null; echo $? >"$OUT.rc.new"; mv "$OUT.rc.new" "$OUT.rc" ) &';
  const out = path.join(path.dirname(project.home), `out-${Math.random()}`);
  await run('/bin/sh', ['-c', script, 'sh', process.execPath, program, 'doctor', ...args], {
    cwd: project.root,
    env: { HOME: project.home, PATH: '/usr/bin:/bin', OUT: out, ...env },
  });
  await expect.poll(() => fs.existsSync(`${out}.rc`), { timeout: 60_000 }).toBe(true);
  const read = (end: string) => fs.readFileSync(`${out}.${end}`, 'utf8');
  return { code: Number(read('rc')), out: read('out'), err: read('err') };
}
