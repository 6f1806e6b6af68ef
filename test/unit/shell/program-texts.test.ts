// Deny and ask rules also match commands in the words of a program that is not understood.
import { beforeAll, describe, expect, test } from 'vitest';
import { forFile } from '../../support/cleanup.ts';
import { judge, judgeBash } from '../../support/judge.ts';
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
    `python3 -c 'import os; os.execvp("git", ["git", "push"])'`,
    `perl -e 'exec {"/usr/bin/git"} "git", "push"'`,
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
    // Programs that start a command in their words.
    'sem -j2 git push',
    'bwrap --bind / / git push',
    'npx cross-env A=b git push',
    'env-cmd git push',
    'perf record -g git push',
    'nvm exec 20 git push',
    'xterm -e git push',
    'gosu user git push',
    'cmd /c git push',
    'wsl sudo git push',
    'start-stop-daemon --start --exec git -- push',
    'nix run nixpkgs#git -- push',
    // In a container or on another host.
    'docker run image git push',
    'docker run --rm -it -v "$PWD":/w -w /w --network host node:20 git push',
    'docker run --entrypoint git image push',
    "docker exec -u root web sh -c 'git push'",
    'podman unshare git push',
    'docker compose run --rm web git push',
    "kubectl exec -it web -c app -- sh -c 'git push'",
    'oc rsh web git push',
    'apptainer exec a.sif git push',
    'multipass exec vm git push',
    'flatpak run --command=git app push',
    "vagrant ssh -c 'git push'",
    'ssh host git push',
    "ssh -t -p 22 me@host -- 'cd x && git push'",
    'ssh host <<< "git push"',
    'autossh -M 0 host git push',
    // The first words of a program that Modes does not know.
    'frobnicate git push',
    'frobnicate -v --name x git push',
    'parallel-ssh -H host git push',
    'GIT push',
    'git.exe push',
    'hub push',
    '/opt/git/libexec/git-core/git-push',
    // A word of several words.
    "npm exec --call='git push'",
    "nx run x:run-commands --command='git push'",
    "npm pkg set 'scripts.x=git push'",
    "npx concurrently 'git push'",
    "pee 'git push'",
    "nodemon --exec 'git push'",
    "cargo watch -s 'git push'",
    "sops exec-env f 'git push'",
    "start-server-and-test 'git push' 3000 x",
    'powershell -Command "git push"',
    "gnuplot -e '!git push'",
    "expect -c 'spawn git push'",
    // Lines of standard input.
    "crontab - <<< '*/5 * * * * git push'",
    "tclsh <<< 'exec git push'",
    "echo 'git push' | parallel",
    // Other forms of strings.
    "ruby -e '%x(git push)'",
    `deno eval 'new Deno.Command("git", { args: ["push"] })'`,
    `emacs --batch --eval '(call-process "git" nil nil nil "push")'`,
    // Wrappers, paths and options in the text itself.
    `python3 -c 'os.system("cd x && sudo /usr/bin/git -C . push")'`,
    'poetry run env A=b git push',
    // Programs of a package, by name.
    'yarn git push',
    'pnpm git push',
    'npx -p git git push',
    'npx git@2.40 push',
    // Programs whose words are often prose.
    'jj util exec -- git push',
    'gh extension exec x git push',
    'gh codespace ssh -c x -- git push',
    "fcrontab - <<< '@daily git push'",
    'when-changed a git push',
    "gh alias set x '!git push'",
    "jj --config ui.pager='git push' log",
    `jj --config 'ui.pager=["git", "push"]' log`,
    "sl --config alias.x='!git push' x",
    // Remotes and settings of git.
    "git fetch ext::'git push'",
    "git ls-remote 'ext::sh -c git% push'",
    "git remote add x 'ext::git push'",
    "git -c remote.x.url='ext::git push' fetch x",
    "git -c remote.x.uploadpack='git push' fetch x",
    "git -c submodule.x.update='!git push' submodule update",
  ])('%s', (command) => expect(judgeBash(tree, settings, command)).toBe('deny rule'));
});

describe('options of a contained command are a set [s:bash.contained]', () => {
  test.each([
    ['Bash(git push --force:*)', 'poetry run git push origin +main'],
    ['Bash(git push --force:*)', `node -e 'x.spawnSync("git", ["push", "-f"])'`],
    ['Bash(git push --force:*)', `python3 -c 'os.system("git push origin main --force")'`],
    ['Bash(rm -rf:*)', `perl -e 'system("rm -fr x")'`],
    ['Bash(rm -rf:*)', 'uv run -- rm -r x --force'],
    ['Bash(rm -rf:*)', 'docker exec web rm -fr x'],
    ['Bash(rm -rf:*)', 'busybox rm x -rf'],
    ['Bash(rm -rf:*)', 'npx rm -r -f x'],
    ['Bash(git push --force:*)', 'ssh host git push origin +main'],
    ['Bash(terraform apply -auto-approve:*)', "xterm -e 'terraform apply -lock=false -auto-approve'"],
    ['Bash(@secrets)', 'poetry run gh auth token'],
    ['Bash(@secrets)', 'npx wrangler auth token'],
    ['Bash(@secrets)', 'bunx wrangler@4 auth token'],
    ['Bash(@secrets)', 'pnpm dlx wrangler auth token'],
    ['Bash(@secrets)', 'npx -p wrangler wrangler auth token'],
    ['Bash(@secrets)', 'yarn wrangler auth token'],
    ['Bash(wrangler deploy:*)', 'npx wrangler@latest deploy'],
    ['Bash(@environment)', 'poetry run env'],
  ])('%s matches %s', (rule, command) => expect(judgeBash(tree, { deny: [rule] }, command)).toBe('deny rule'));
  test('an unknown word in it may be such an option', () =>
    expect(judgeBash(tree, { deny: ['Bash(git push --force:*)'] }, 'poetry run git push "$x"')).toBe('ask open'));
});

test.each([
  "pytest -k 'git push or pull'",
  "npx vitest run -t 'git push fails'",
  'cargo test git',
  'npm test -- src/git-push',
  `gh pr create --body 'Say "git push" first'`,
  `git commit -m 'Say "git push" first'`,
  `python3 -c 'print("push git")'`,
  'npm run push',
  'frobnicate add git push',
  'docker compose up git push',
])('%s contains none [s:bash.contained]', (command) => expect(judgeBash(tree, settings, command)).not.toBe('deny rule'));

describe('nothing is left out because there is much of it', () => {
  const many = (count: number, text: (at: number) => string, between = ' '): string =>
    Array.from({ length: count }, (_, at) => text(at)).join(between);
  const names = (count: number, between?: string): string => many(count, (at) => `n${at}`, between);
  const reads = { deny: ['Read(.env)'], allow: ['Bash(*)'] };

  test.each([
    ['deny rule', `frobnicate -v git push ${'a'.repeat(310)}`],
    ['deny rule', `ssh host git push ${'a'.repeat(310)}`],
    ['deny rule', `npx concurrently 'git push ${'a'.repeat(310)}'`],
    ['deny rule', `python3 -c '${many(40, (at) => `print("a${at}")`, ';')}; os.system("git push")'`],
    ['deny rule', `python3 <<'E'\n${many(400, (at) => `print(${at})`, '\n')}\nos.system("git push")\nE`],
    ['deny rule', `parallel <<'E'\n${many(40, (at) => `echo ${at}`, '\n')}\ngit push\nE`],
    ['deny rule', `frobnicate ${many(15, (at) => `exec a${at}`)} exec git push`],
    ['deny rule', `bwrap ${many(10, (at) => `--bind /a${at} /a${at}`)} git push`],
    ['deny rule', `mise exec ${many(45, (at) => `t${at}@1`)} -- git push`],
    ['deny rule', `concurrently ${many(45, (at) => `'echo ${at}'`)} 'git push'`],
    ['ask open', `concurrently ${many(600, (at) => `'echo ${at}'`)} 'git push'`],
    ['allow rule', `concurrently ${many(45, (at) => `'echo ${at}'`)} 'git pull'`],
    ['allow rule', `python3 -c 'x = [${many(120, (at) => `"name-${at}"`, ', ')}]'`],
  ])('among the commands that a command contains: %s, %s [s:bash.contained]', (said, command) => {
    expect(judgeBash(tree, settings, command)).toBe(said);
  });

  test.each([
    ['ask open', `python3 -c '${many(450, (at) => `a${at}=${at}`, ';')};print(open(".env").read())'`],
    ['allow rule', `python3 -c '${many(450, (at) => `a${at}=${at}`, ';')};print(1)'`],
    ['ask open', `python3 x.py ${names(210)} .env`],
    ['ask open', `python3 x.py ${names(1_000)} .env`],
    ['ask open', `sqlite3 x.db '${many(210, (at) => `.print ./a${at}`, '\n')}\n.read .env'`],
    ['deny rule', `xargs cat <<'E'\n${names(250, '\n')}\n.env\nE`],
    ['deny rule', `xargs cat <<'E'\n${names(750, '\n')}\n.env\nE`],
    ['deny rule', `while read f; do cat "$f"; done <<'E'\n${names(750, '\n')}\n.env\nE`],
    ['deny rule', `IFS=: read -a x <<< "${names(12, ':')}:.env"; cat "\${x[12]}"`],
    ['deny rule', `IFS=: read -a x <<< "${names(60, ':')}:.env"; cat "\${x[60]}"`],
    ['deny rule', `patch --dry-run -p0 <<'E'\n${many(101, (at) => `--- n${at}\n+++ n${at}`, '\n')}\n--- .env\n+++ .env\nE`],
  ])('among the names that a command may open: %s, %s [s:uncertain.printed-names]', (said, command) => {
    const own = makeTree();
    own.file('.env', 'TOP=1\n');
    expect(judgeBash(own, reads, command)).toBe(said);
  });

  test.each([
    ['ask open', { paths: `${names(1_100, '\n')}\n.env` }],
    ['ask open', { paths: `${names(20_000, '\n')}\n.env` }],
    ['pass default', { paths: names(1_100, '\n') }],
    ['ask open', { code: `${many(500, (at) => `a${at}=1`, ';')};open(".env")` }],
    ['ask open', { code: `${many(4_500, (at) => `a${at}=1`, ';')};open(".env")` }],
  ])('among the paths in an argument of an MCP tool: %s [s:read.mcp-any]', (said, input) => {
    const own = makeTree();
    own.file('.env', 'TOP=1\n');
    expect(judge(own, { deny: ['Read(.env)'] }, 'mcp__x__y', input)).toBe(said);
  });
});
