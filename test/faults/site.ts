// A project for faults: its mode closes src and opens test, for Write, Bash and an MCP tool alike. The mode it would fall back to opens all.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { recordTrust } from '../../src/store/trust.ts';
import { StateStore } from '../../src/workflow/state.ts';
import { clientEnvironment } from '../e2e/client.ts';
import { dataFolder } from '../e2e/mode.ts';
import { type Block, bash, use } from '../e2e/model.ts';
import { makePlace, type Place } from '../e2e/place.ts';
import { copyPlugin, hurry } from '../e2e/plugin.ts';
import { topologyOf } from '../support/topology.ts';

export const modesFile = '.claude/modes.yaml';
export const viewFile = '.claude/mode-state.json';
export const settingsFile = '.claude/settings.tests.json';

const modes = `name: faults
default: free
arguments: {mcp__files__write_file: {path: write}}
modes:
  free: {transitions: [{to: tests}]}
  tests: {transitions: [{to: free}]}
`;
const settings = {
  free: { allow: ['Write(**)', 'Bash(echo:*)', 'mcp__files__write_file'] },
  tests: { allow: ['Write(test/**)', 'Bash(echo:*)', 'mcp__files__write_file'], deny: ['Write(src/**)'] },
};
const map = topologyOf({ free: ['tests'], tests: ['free'] });

/** How a call is made; every fault tries each, once below src and once below test. */
export const tools = ['Write', 'Bash', 'MCP'] as const;
export type Tool = (typeof tools)[number];
export const fileOf = (folder: 'src' | 'test', tool: Tool): string => `${folder}/${tool}.txt`;

export interface Site extends Place {
  data: string;
  plugin: string;
  /** Found in the environment of every process of its session. */
  mark: string;
  /** The file that tells the client of the MCP server `files`. */
  servers: string;
  /** Things to be undone when the session has ended, the latest first. */
  after: (() => void)[];
}

/** A server that hangs is waited for by every call: a second each. */
function hurryMore(folder: string): void {
  hurry(folder);
  const file = path.join(folder, 'hooks/hooks.json');
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('"timeout": 3,', '"timeout": 1,'));
}

/** The project, trusted and in the mode `tests`, with a plugin of its own that waits shorter. */
export function makeSite(mark: string, { name, plugin = 'plugin' }: { name?: string; plugin?: string } = {}): Site {
  const place = makePlace({ name });
  place.write(modesFile, modes);
  for (const [mode, permissions] of Object.entries(settings))
    place.write(`.claude/settings.${mode}.json`, JSON.stringify({ permissions }));
  for (const folder of ['src', 'test']) place.write(`${folder}/README.md`, 'x\n');
  const site: Site = {
    ...place,
    data: dataFolder(place.home),
    plugin: copyPlugin(path.join(place.root, plugin), hurryMore),
    mark,
    servers: path.join(place.root, 'servers.json'),
    after: [],
  };
  const command = process.execPath;
  const args = [path.join(import.meta.dirname, 'files.mjs')];
  fs.writeFileSync(site.servers, JSON.stringify({ mcpServers: { files: { command, args } } }));
  recordTrust(site.data, site.project, contentHash(site), 'terminal', new Date());
  enter(site, new Date());
  return site;
}

/** Records that a person put the project into the mode `tests`. */
export const enter = (site: Site, at: Date): void => go(site, 'free', 'tests', at);
/** … and back. */
export const leave = (site: Site, at: Date): void => go(site, 'tests', 'free', at);

function go({ project, data }: Site, from: string, to: string, at: Date): void {
  const store = new StateStore(project, path.join(project, '.claude'), data);
  const more = { actor: 'person', session: null, permissionMode: null, explanation: 'by hand' } as const;
  if (store.change({ kind: 'force', from, to, ...more }, map, at) === null) throw new Error(`the mode is not ${from}`);
}

function contentHash({ project, home, plugin }: Site): string {
  const run = spawnSync(process.execPath, [path.join(plugin, 'dist/modes.mjs'), 'trust', '--json'], {
    cwd: project,
    encoding: 'utf8',
    env: clientEnvironment(home, '', 'by-hand'),
  });
  const [hash] = /sha256:[0-9a-f]{64}/.exec(run.stdout) ?? [];
  if (hash === undefined) throw new Error(`no hash: ${run.stdout}${run.stderr}`);
  return hash;
}

/** The calls of a fault: those that the mode denies, then those of `tried` that it allows. */
export function callsOf(site: Site, tried: readonly Tool[] = tools): Block[] {
  return (['src', 'test'] as const).flatMap((folder) =>
    (folder === 'src' ? tools : tried).flatMap((tool) => {
      const file = path.join(site.project, fileOf(folder, tool));
      if (tool === 'Write') return use('Write', { file_path: file, content: 'written' });
      if (tool === 'MCP') return use('mcp__files__write_file', { path: file, content: 'written' });
      return bash(`echo written > ${quote(file)}`);
    }),
  );
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
