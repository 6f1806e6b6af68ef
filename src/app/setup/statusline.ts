// The status line in one person's settings of one project, and its script in the data folder.

import fs from 'node:fs';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { quote } from 'shell-quote';
import { makeFolder, writeWhole } from '../../platform/data-folder.ts';
import { readRegular } from '../../platform/read-file.ts';
import { readText } from '../../workflow/findings/settings.ts';
import { objectOf, type SetupStep, textOf } from './step.ts';

const maxBytes = 262_144;

/** Seconds after which the client redraws the line without an event. A server that is gone cannot send one. */
const refreshSeconds = 5;

export const localSettings = '.claude/settings.local.json';

interface StatusLineRequest {
  root: string;
  configFolder: string;
  home: string;
}

/** The path of the script. A new version of the plugin does not change it. */
function scriptOf(dataFolder: string): string {
  return path.join(dataFolder, 'statusline.sh');
}

/** Writes the script of this version. Throws if the disk refuses. */
export function placeScript(dataFolder: string, packageRoot: string): void {
  makeFolder(dataFolder);
  writeWhole(scriptOf(dataFolder), fs.readFileSync(path.join(packageRoot, 'hooks/statusline.sh')));
}

/**
 * Writes the script if another version is present. Also if it is missing but the project's settings name it, because they were
 * written under another home.
 */
export function refreshScript(dataFolder: string, packageRoot: string, root: string): void {
  const script = scriptOf(dataFolder);
  const ours = fs.readFileSync(path.join(packageRoot, 'hooks/statusline.sh'));
  const isWanted = fs.existsSync(script) ? !readRegular(script, maxBytes).equals(ours) : isNamed(dataFolder, root);
  if (isWanted) placeScript(dataFolder, packageRoot);
}

function isNamed(dataFolder: string, root: string): boolean {
  const name = path.join(path.basename(dataFolder), path.basename(scriptOf(dataFolder)));
  const text = readText(path.join(root, localSettings));
  return typeof text === 'string' && text.includes(name);
}

/**
 * Adds the status line to the project's settings that git ignores. Our script also runs the earlier status line. null: ours is
 * already present, or there is one that cannot be run and is kept.
 */
export function statusLineStep(request: StatusLineRequest): SetupStep | { error: string } | null {
  const file = path.join(request.root, localSettings);
  const before = textOf(file);
  const local = before === null ? {} : objectOf(before);
  if (local === null) return { error: `${file} is not a JSON object; fix it first.` };
  const others = [path.join(request.root, '.claude/settings.json'), path.join(request.configFolder, 'settings.json')];
  // The client ignores unreadable settings of others, too.
  const all = [local, ...others.map((name) => objectOf(textOf(name) ?? '{}') ?? {})];
  const earlier = all.map(({ statusLine }) => statusLine).find((one) => one !== undefined && one !== null);
  const command = earlierCommand(earlier);
  if (command === null || command.includes(scriptName(request))) return null;
  const value = {
    ...(earlier as object | undefined),
    type: 'command',
    command: `/bin/sh ${scriptName(request)}${command === '' ? '' : ` ${quote([command])}`}`,
    refreshInterval: (earlier as { refreshInterval?: unknown } | undefined)?.refreshInterval ?? refreshSeconds,
  };
  const text = before ?? '{}\n';
  const edits = modify(text, ['statusLine'], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  return {
    kind: before === null ? 'create' : 'change',
    file,
    what: command === '' ? 'shows the mode in the status line' : 'shows the mode in the status line, above the one from before',
    before,
    text: applyEdits(text, edits),
  };
}

/** The command of a status line; '' if there is no status line, null if it cannot be run. */
function earlierCommand(statusLine: unknown): string | null {
  if (statusLine === undefined) return '';
  if (typeof statusLine !== 'object') return null;
  const { type, command } = statusLine as { type?: unknown; command?: unknown };
  return type === 'command' && typeof command === 'string' && command.trim() !== '' ? command : null;
}

/**
 * The path of the script as shell text. A path below HOME is written with `$HOME`, so that the settings work under another home.
 */
function scriptName({ configFolder, home }: StatusLineRequest): string {
  const script = scriptOf(path.join(configFolder, 'modes-data'));
  return script.startsWith(`${home}/`) ? `"$HOME"${quote([script.slice(home.length)])}` : quote([script]);
}
