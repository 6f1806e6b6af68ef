// The shell commands that a skill or command file runs before the model sees its text.

import fs from 'node:fs';
import path from 'node:path';
import { readRegularText } from '../platform/read-file.ts';
import type { Input } from './input.ts';
import type { Place } from './paths/place.ts';

const maxBytes = 262_144;

/** Names of the skill in a call, as the client reads them. Versions of the client use different parameters, so all count. */
export function skillNames(input: Input): string[] {
  const names = ['skill', 'command', 'name'].flatMap((word) => input.maybe(word) || []);
  return (names.length === 0 ? [input.text('skill')] : names).map((name) => name.trim().replace(/^\//, ''));
}

/**
 * Commands in the `!` blocks of a skill. null if they are unknown: its file is missing or cannot be read completely, or the
 * client inserts arguments into a command before a shell parses it. If both the project and the user have a skill of this name,
 * both count.
 */
export function skillCommands(name: string, { root, configFolder }: Place, hasArguments: boolean): string[] | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name)) return null;
  const bases = [path.join(root, '.claude'), configFolder];
  const declared = projectSkills({ root, configFolder }).filter((skill) => skill.declared === name && skill.folder !== name);
  const files = [
    ...bases.flatMap((base) => [path.join(base, 'skills', name, 'SKILL.md'), path.join(base, 'commands', `${name}.md`)]),
    ...declared.map(({ file }) => file),
  ];
  const found: string[] = [];
  let known = false;
  for (const file of files) {
    const text = readWhole(file);
    if (text === undefined) continue;
    const commands = text === null ? null : blocks(text);
    if (commands === null) return null;
    known = true;
    found.push(...commands);
  }
  if (!known || (hasArguments && found.some((command) => command.includes('$')))) return null;
  return hasArguments ? found : found.map((command) => command.replaceAll('$ARGUMENTS', ''));
}

/** A skill of the project or the user: the name of its folder, and the name that its file declares. */
interface ProjectSkill {
  file: string;
  folder: string;
  declared: string | null;
}

/** Maximum number of folders to read. */
const maxSkills = 500;

function projectSkills({ root, configFolder }: Pick<Place, 'root' | 'configFolder'>): ProjectSkill[] {
  return [path.join(root, '.claude/skills'), path.join(configFolder, 'skills')].flatMap((base) =>
    foldersIn(base).map((folder) => {
      const file = path.join(base, folder, 'SKILL.md');
      const head = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---/.exec(readWhole(file) ?? '')?.[1] ?? '';
      return { file, folder, declared: declaredName(head) };
    }),
  );
}

/** The value of `name:`, with or without quotes. */
function declaredName(head: string): string | null {
  const value = /^name:([^#\r\n]*)/m.exec(head)?.[1]?.trim() ?? '';
  const name = (/^(["'])(.*)\1$/.exec(value)?.[2] ?? value).trim();
  return name === '' || /["']/.test(name) ? null : name;
}

function foldersIn(base: string): string[] {
  try {
    return fs.readdirSync(base).slice(0, maxSkills);
  } catch {
    // If the folder is missing or unreadable, no skill is found in it. A skill that is not found may do anything.
    return [];
  }
}

/** The client's other names for the project's and the user's skills with this folder name or declared name. */
export function namesBeside(name: string, place: Pick<Place, 'root' | 'configFolder'>): string[] {
  const others = projectSkills(place).flatMap(({ folder, declared }) =>
    declared === null || (folder !== name && declared !== name) ? [] : [folder, declared],
  );
  return [...new Set(others)].filter((one) => one !== name);
}

/** undefined: there is no such file; null: it exists but cannot be read. */
function readWhole(file: string): string | null | undefined {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isFile() && stat.size <= maxBytes ? readRegularText(file, maxBytes) : null;
  } catch {
    // The commands of an unreadable skill are unknown, so the caller assumes that it may do anything.
    return null;
  }
}

/** Both forms at any place, also inside other code blocks. null if a block has no end. */
function blocks(text: string): string[] | null {
  const fenced = [...text.matchAll(/```!([\s\S]*?)```/g)];
  if (fenced.length !== text.split('```!').length - 1) return null;
  return [...fenced, ...text.matchAll(/!`([^`]+)`/g)].map((match) => (match[1] as string).trim());
}
