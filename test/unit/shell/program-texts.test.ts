// Deny and ask rules also match commands in the words of a program that is not understood.
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../support/cleanup.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const settings = { deny: ['Bash(git push:*)'], allow: ['Bash(*)'] };
let tree: Tree;
beforeAll(async () => {
  tree = await forFile(makeTree);
});

describe('a denied command is found [s:bash.contained]', () => {
  test.each([
    `python3 -c 'import os; os.system("git push")'`,
    `python3 -c "import os; os.system('git push origin')"`,
    `python3 -c 'import subprocess; subprocess.run(["git", "push"])'`,
    `python3 <<'E'\nimport os\nos.system("cd x && git push")\nE`,
    `node -e 'require("child_process").execSync("git push")'`,
    `node -e 'require("child_process").spawn("git", ["push"])'`,
    `node -e 'x.execSync("bash -c \\'git push\\'")'`,
    "perl -e '`git push`'",
    `ruby -e 'system("git push")'`,
    `php -r 'system("git push");'`,
    `bun -e 'x("git push")'`,
    'pnpm exec git push',
    'yarn exec git push',
    'mise exec -- git push',
    'conda run git push',
    'devbox run git push',
    'nix develop -c git push',
    "nix-shell --run 'git push'",
    'parallel git ::: push',
    '/lib64/ld-linux-x86-64.so.2 /usr/bin/git push',
  ])('%s', (command) => expect(judgeBash(tree, settings, command)).toBe('deny rule'));
});

test.each([
  'docker run image git push',
  'ssh host git push',
  `gh pr create --body 'Say "git push" first'`,
  `git commit -m 'Say "git push" first'`,
  `python3 -c 'print("push git")'`,
  'npm run push',
  'frobnicate git push',
])('%s contains none [s:bash.contained]', (command) => expect(judgeBash(tree, settings, command)).not.toBe('deny rule'));
