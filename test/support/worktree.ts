// A worktree of a project's repository, at the place where the client creates them.
import fs from 'node:fs';
import path from 'node:path';

export function addTree(root: string, name: string): string {
  const tree = path.join(root, '.claude/worktrees', name);
  const record = path.join(root, '.git/worktrees', name);
  for (const folder of [path.join(tree, 'src'), record]) fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(tree, '.git'), `gitdir: ${record}\n`);
  fs.writeFileSync(path.join(record, 'gitdir'), `${path.join(tree, '.git')}\n`);
  return tree;
}
