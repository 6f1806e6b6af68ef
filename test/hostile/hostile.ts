// Copies the hostile clone to a place of a test, where its names get their dots, and makes what cannot be kept in a repository.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const clone = path.join(path.dirname(fileURLToPath(import.meta.url)), 'clone');

/** Below `project`, which exists. `elsewhere` is a folder outside that the forged worktrees name. */
export function copyHostile(project: string, elsewhere: string): void {
  copy(clone, project);
  const tree = path.join(project, '.claude/worktrees/forged');
  fs.mkdirSync(tree, { recursive: true });
  fs.writeFileSync(path.join(tree, '.git'), `gitdir: ${elsewhere}/.git/worktrees/forged\n`);
  fs.writeFileSync(path.join(project, '.git'), `gitdir: ${elsewhere}/.git/worktrees/project\n`);
}

/** Puts modes.yaml outside and a link to it in its place. */
export function linkModesOut(project: string, elsewhere: string): void {
  const inside = path.join(project, '.claude/modes.yaml');
  fs.mkdirSync(elsewhere, { recursive: true });
  fs.renameSync(inside, path.join(elsewhere, 'modes.yaml'));
  fs.symlinkSync(path.join(elsewhere, 'modes.yaml'), inside);
}

function copy(from: string, to: string): void {
  for (const entry of fs.readdirSync(from, { withFileTypes: true })) {
    const target = path.join(to, entry.name.replace(/^dot-/, '.'));
    if (entry.isDirectory()) {
      fs.mkdirSync(target, { recursive: true });
      copy(path.join(from, entry.name), target);
    } else fs.copyFileSync(path.join(from, entry.name), target);
  }
}
