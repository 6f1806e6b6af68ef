// The shell commands that a skill or command file runs before the model sees its text.
import fs from 'node:fs';
import path from 'node:path';
import type { Place } from './place.ts';

const maxBytes = 262_144;

/** Commands in the `!` blocks of a skill; null when its file is not found or not readable whole. */
export function skillCommands(name: string, { root, configFolder }: Place): string[] | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(name)) return null;
  for (const base of [path.join(root, '.claude'), configFolder]) {
    for (const file of [path.join(base, 'skills', name, 'SKILL.md'), path.join(base, 'commands', `${name}.md`)]) {
      const text = readWhole(file);
      if (text !== undefined) return text === null ? null : blocks(text);
    }
  }
  return null;
}

/** undefined: no such file; null: there, but not to be read. */
function readWhole(file: string): string | null | undefined {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    return stat.isFile() && stat.size <= maxBytes ? fs.readFileSync(file, 'utf8') : null;
  } catch {
    // Not readable: what it would run is not known, so the caller treats it as a skill that may do anything.
    return null;
  }
}

function blocks(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/```!\s*\n([\s\S]*?)```/g)) found.push(match[1] as string);
  for (const match of text.replace(/```[\s\S]*?```/g, '').matchAll(/!`([^`]+)`/g)) found.push(match[1] as string);
  return found;
}
