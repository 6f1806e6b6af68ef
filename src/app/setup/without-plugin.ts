// Setup without the plugin: the server in `.mcp.json`, hooks and rules in one person's settings, the command files, and a record
// in the data folder that this server is ours.
import fs from 'node:fs';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { serversFile } from '../../facts/protections/registered.ts';
import {
  hashEntry,
  manualHooks,
  manualPrefix,
  manualServer,
  packageOf,
  recordedRoot,
  recordLine,
  serverEntry,
  sharedServers,
  shortCommands,
  withoutModesEntries,
} from '../../facts/protections/without-plugin.ts';
import { makeFolder, writeWhole } from '../../platform/data-folder.ts';
import { inside } from '../../platform/path-text.ts';
import { localSettings } from './statusline.ts';
import { objectOf, refuseText, type SetupStep, textOf } from './step.ts';

export interface ManualSetup {
  steps: SetupStep[];
  /** The line to record in the data folder; null: it is already there. */
  registers: string | null;
}

interface ManualSetupRequest {
  /** Real path. */
  root: string;
  packageRoot: string;
  dataFolder: string;
  /** The program that runs Node. */
  node: string;
  /** The step that adds the status line to the person's settings; null: none. */
  line: SetupStep | null;
}

/** The text that every command file of ours contains. */
const ours = 'The server of Modes answers this command itself.';
/** More lines for .gitignore: a new `.mcp.json`, which contains paths of this machine, and copies of it. */
export function ignoredBy({ steps }: ManualSetup): string[] {
  const isNew = steps.some(({ kind, file }) => kind === 'create' && path.basename(file) === sharedServers);
  return [...(isNew ? [`/${sharedServers}`] : []), `${sharedServers}.before-*`];
}

/** The files to write besides a preset. Files of others are not overwritten. */
export function manualSetup(request: ManualSetupRequest): ManualSetup | { error: string } {
  const { root, packageRoot, dataFolder } = request;
  const refused = refusePackage(request);
  if (refused !== null) return { error: refused };
  const commands = commandTexts(packageRoot);
  for (const name of [sharedServers, localSettings, ...commands.keys()]) {
    const blocked = refuseText(root, name);
    if (blocked !== null) return { error: blocked };
  }
  const entry = serverEntry(packageRoot, root, request.node);
  const steps = [sharedStep(root, entry), localStep(request), ...[...commands].map((one) => commandStep(root, ...one))];
  const failed = steps.find((step) => step !== null && 'error' in step);
  if (failed) return failed as { error: string };
  const line = recordLine(root, entry);
  return {
    steps: steps.filter((step) => step !== null) as SetupStep[],
    registers: recordsIn(dataFolder).includes(line) ? null : line,
  };
}

/**
 * The hooks run this package, so the agent must not be able to write it. A package inside the project can be changed by the
 * installation of the project's dependencies, which an agent may start and control.
 */
function refusePackage({ packageRoot, root, node }: ManualSetupRequest): string | null {
  const real = fs.realpathSync.native(packageRoot);
  const instead = 'Install it elsewhere, such as by npm install --global claude-modes-mcp, and start modes from there.';
  for (const [what, file] of [
    ['this package', real],
    ['Node', node],
  ] as const)
    if (inside(file, root)) return `The hooks would run ${what} in ${file}, which is inside the project. ${instead}`;
  if (real.split(path.sep).includes('_npx'))
    return `The hooks would run from the npx cache, which npm replaces: ${real}. ${instead}`;
  for (const name of ['', 'hooks', 'hooks/client.sh', 'hooks/client.pl', 'dist']) {
    const file = path.join(real, name);
    const { mode, uid } = fs.statSync(file);
    if ((mode & 0o022) !== 0 || (uid !== 0 && uid !== process.getuid?.()))
      return `The hooks would run a file that another user can change: ${file}. ${instead}`;
  }
  // The client expands variables in `.mcp.json`, and a record must be a single line.
  const odd = [real, root, node].find((name) => /\$\{|[\r\n]/.test(name));
  return odd === undefined ? null : `${JSON.stringify(odd)} cannot be written into ${sharedServers}: rename the folder.`;
}

function sharedStep(root: string, entry: unknown): SetupStep | { error: string } | null {
  const file = path.join(root, sharedServers);
  const before = textOf(file);
  const value = strict(before);
  const servers = value === null ? null : (value.mcpServers ?? {});
  if (servers === null || typeof servers !== 'object' || Array.isArray(servers))
    return { error: `${file} is not a JSON object with mcpServers; fix it first.` };
  const present = (servers as Record<string, unknown>)[manualServer];
  if (present !== undefined) {
    if (hashEntry(present) === hashEntry(entry)) return null;
    // The entry is from another machine, another worktree or an earlier version.
    if (packageOf(present) === null || !namesFolder(present))
      return { error: `${file} has another server called ${manualServer}; rename or remove it first.` };
  }
  const text = put(before ?? '{}\n', ['mcpServers', manualServer], entry);
  return { kind: before === null ? 'create' : 'change', file, what: 'starts the server of Modes', before, text };
}

function namesFolder(entry: unknown): boolean {
  return typeof (entry as { env?: Record<string, unknown> }).env?.CLAUDE_MODES_CONFIG_DIR === 'string';
}

/** Paths of this machine belong in one person's settings, which git ignores. */
function localStep({ root, packageRoot, line }: ManualSetupRequest): SetupStep | { error: string } | null {
  const file = path.join(root, localSettings);
  const before = line === null ? textOf(file) : line.before;
  const initialText = line === null ? before : line.text;
  const value = strict(initialText);
  if (value === null) return { error: `${file} is not plain JSON; fix it first.` };
  const { permissions = {}, hooks = {}, enabledMcpjsonServers: enabled = [], disabledMcpjsonServers: disabled = [] } = value;
  const { allow = [] } = (permissions ?? {}) as { allow?: unknown };
  if (![allow, enabled, disabled].every(Array.isArray) || typeof hooks !== 'object' || hooks === null || Array.isArray(hooks))
    return { error: `hooks, permissions.allow or a list of servers in ${file} has an unexpected form; fix it first.` };
  if ((disabled as unknown[]).includes(manualServer))
    return { error: `disabledMcpjsonServers of ${file} names ${manualServer}; remove it first.` };
  let text = initialText ?? '{}\n';
  const list = (at: string[], present: unknown, wanted: readonly string[]): void => {
    const missing = wanted.filter((name) => !(present as unknown[]).includes(name));
    if (missing.length > 0) text = put(text, at, [...(present as unknown[]), ...missing]);
  };
  list(['permissions', 'allow'], allow, [`${manualPrefix}status`, `${manualPrefix}transition`]);
  list(['enabledMcpjsonServers'], enabled, [manualServer]);
  const wanted = joined(hooks as Record<string, unknown>, packageRoot);
  if (JSON.stringify(wanted) !== JSON.stringify(hooks)) text = put(text, ['hooks'], wanted);
  if (text === before) return null;
  const what = ['hooks, allow rules and the server for you', ...(line === null ? [] : [line.what])].join('; ');
  return { kind: before === null ? 'create' : 'change', file, what, before, text };
}

/** The hooks of others, followed by ours. Ours of an earlier setup are removed. */
function joined(hooks: Record<string, unknown>, packageRoot: string): Record<string, unknown> {
  const own = manualHooks(packageRoot);
  const others = withoutModesEntries(hooks, own);
  for (const [event, groups] of Object.entries(others)) {
    if (!Array.isArray(groups)) continue;
    others[event] = groups.flatMap((group) => {
      const { hooks: handlers } = group as { hooks?: unknown };
      if (!Array.isArray(handlers)) return [group];
      const remaining = handlers.filter((handler) => !isEarlier(handler));
      return remaining.length === 0 && handlers.length > 0 ? [] : [{ ...group, hooks: remaining }];
    });
  }
  for (const [event, groups] of Object.entries(own)) {
    const present = others[event];
    others[event] = [...(Array.isArray(present) ? present : []), ...groups];
  }
  return others;
}

/** A handler that another version of this package wrote. */
function isEarlier(handler: unknown): boolean {
  const { type, server, tool, args } = handler as { type?: unknown; server?: unknown; tool?: unknown; args?: unknown };
  if (type === 'mcp_tool') return server === manualServer && tool === 'hook';
  return (
    type === 'command' &&
    Array.isArray(args) &&
    args.some((word) => typeof word === 'string' && word.endsWith('/hooks/client.sh'))
  );
}

/** File texts by name relative to the root: every command as `/modes:NAME`, and some also under a short name. */
function commandTexts(packageRoot: string): Map<string, string> {
  const folder = path.join(packageRoot, 'commands');
  const names = fs.readdirSync(folder).filter((name) => name.endsWith('.md'));
  const texts = names.map((name): [string, string] => [name, fs.readFileSync(path.join(folder, name), 'utf8')]);
  const short = texts.filter(([name]) => shortCommands.some((one) => name === `${one}.md`));
  return new Map([
    ...texts.map(([name, text]): [string, string] => [`.claude/commands/modes/${name}`, text]),
    ...short.map(([name, text]): [string, string] => [`.claude/commands/${name}`, text]),
  ]);
}

function commandStep(root: string, name: string, text: string): SetupStep | { error: string } | null {
  const file = path.join(root, name);
  const before = textOf(file);
  if (before === text) return null;
  if (before !== null && !before.includes(ours))
    return { error: `This file already exists and is not overwritten: ${name}. Move it first.` };
  return { kind: before === null ? 'create' : 'change', file, what: 'a command of Modes', before, text };
}

/** Records a line, replacing the project's earlier line. Throws if the disk refuses. */
export function register(dataFolder: string, line: string): void {
  const root = recordedRoot(line);
  writeRecords(dataFolder, [...recordsIn(dataFolder).filter((one) => recordedRoot(one) !== root), line]);
}

/** Removes a line from the record. Throws if the disk refuses. */
export function unregister(dataFolder: string, line: string): void {
  const lines = recordsIn(dataFolder);
  if (lines.includes(line))
    writeRecords(
      dataFolder,
      lines.filter((one) => one !== line),
    );
}

function writeRecords(dataFolder: string, lines: readonly string[]): void {
  makeFolder(dataFolder);
  writeWhole(serversFile(dataFolder), lines.map((line) => `${line}\n`).join(''));
}

function recordsIn(dataFolder: string): string[] {
  return (textOf(serversFile(dataFolder)) ?? '').split(/\r?\n/).filter((line) => line !== '');
}

/** The object in plain JSON text, {} if there is no file; null for anything else. */
function strict(text: string | null): Record<string, unknown> | null {
  if (text === null) return {};
  try {
    JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  return objectOf(text);
}

function put(text: string, at: string[], value: unknown): string {
  return applyEdits(text, modify(text, at, value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
}
