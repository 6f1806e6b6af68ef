// Copies of the plugin with something broken in them, or with shorter limits.
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { pluginFolder } from './client.ts';

/** Copies the plugin into a new folder and changes the copy. @returns the folder. */
export function copyPlugin(folder: string, change: (folder: string) => void = () => undefined): string {
  fs.cpSync(pluginFolder(), folder, { recursive: true, verbatimSymlinks: true });
  change(folder);
  return folder;
}

/** Replaces the one place that a file of the copy has of a text. @throws when there is none, or more. */
export function replaceOnce(file: string, text: string, by: string): void {
  const parts = fs.readFileSync(file, 'utf8').split(text);
  expect(parts, `${text} in ${file}`).toHaveLength(2);
  fs.writeFileSync(file, parts.join(by));
}

/** Seconds that a hook waits for the socket, and seconds of processor time of its one-shot process, as shipped and in a test. */
const hookLimits: [string, string][] = [
  ['\npatience=4\n', '\npatience=1\n'],
  ['\ncpu=10\n', '\ncpu=2\n'],
];

/** Has the copy's hook ask its server as where the system has no perl: by curl. */
export function withoutPerl(folder: string): void {
  replaceOnce(path.join(folder, 'hooks/client.sh'), '\nperl=/usr/bin/perl\n', '\nperl=\n');
}

/** Shortens what the copy waits for: the socket, the one-shot process, and a server that holds its private pipe (10 seconds as shipped). */
export function hurry(folder: string): void {
  for (const [shipped, short] of hookLimits) replaceOnce(path.join(folder, 'hooks/client.sh'), shipped, short);
  const file = path.join(folder, 'hooks/hooks.json');
  const text = fs.readFileSync(file, 'utf8');
  const short = text.replaceAll(/"timeout": 10,/g, '"timeout": 3,');
  expect(short).not.toBe(text);
  fs.writeFileSync(file, short);
}
