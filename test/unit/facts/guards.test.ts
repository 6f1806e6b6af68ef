// Built-in protection that is not a path.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../src/model/facts.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

function guards(call: ToolCall): string[] {
  const tree = makeTree();
  return factsOf({ ...call, cwd: tree.root }, tree.place({ pluginRoot: '/plugins/modes' })).protections.map(
    ({ effect, name }) => `${effect} ${name}`,
  );
}
const bash = (command: string) => guards(callOf('Bash', { command }, '/'));

describe('a second client', () => {
  test.each([
    'claude',
    'claude -p hi',
    '/usr/local/bin/claude -p hi',
    './node_modules/.bin/claude',
    'timeout 5 claude -p hi',
    'env X=1 claude',
    'X=1 claude',
    'true && claude -p hi',
    'sh -c "claude -p hi"',
    'echo $(claude -p hi)',
    'node node_modules/@anthropic-ai/claude-code/cli.js',
    'node ./node_modules/.bin/claude',
    'bash node_modules/.bin/claude',
    'npx claude',
    'npx @anthropic-ai/claude-code -p hi',
    'npx -y @anthropic-ai/claude-code@latest',
    'npx -p @anthropic-ai/claude-code claude',
    'npx --package=@anthropic-ai/claude-code claude',
    'npx -p other claude',
    'npx -c "claude -p hi"',
    'npx $PACKAGE',
    'npx -p $PACKAGE tool',
    'npm exec @anthropic-ai/claude-code',
    'npm exec -- claude',
    'npm --prefix x exec claude',
    'npm x claude',
    'pnpm dlx @anthropic-ai/claude-code',
    'pnpm exec claude',
    'pnpm claude',
    'yarn dlx @anthropic-ai/claude-code',
    'yarn claude',
    'yarn run claude',
    'bunx @anthropic-ai/claude-code',
    'bun x @anthropic-ai/claude-code',
  ])('is not started by: %s', (command) => {
    expect(bash(command)).toContain('deny a second client');
  });

  test.each([
    'echo claude',
    'cat claude',
    'grep -r claude src',
    'ls node_modules/.bin/claude',
    'npx eslint claude',
    'npx eslint $FILES',
    'npm run claude-docs',
    'npm test -- claude',
    'npm install @anthropic-ai/claude-code',
    'git commit -m claude',
    'claude-docs build',
  ])('is not assumed in: %s', (command) => {
    expect(bash(command)).not.toContain('deny a second client');
  });
});

describe('a protected file that a command names', () => {
  const asked = (command: string) => {
    const tree = makeTree();
    const { writes } = factsOf({ ...callOf('Bash', { command }, tree.root) }, tree.place({ pluginRoot: '/plugins/modes' }));
    return writes.filter(({ protection }) => protection?.effect === 'ask');
  };

  test.each([
    "perl -pi -e 's/a/b/' .claude/*.yaml",
    "cd .claude && perl -pi -e 's/a/b/' modes.yaml",
    'cd "$x" && vim sub/.claude/settings.json',
    'npx prettier --check .claude/modes/modes.yaml',
    'npx prettier --write --config=.claude/modes.yaml src',
    'docker run -v .claude:/x alpine sh',
    'find .claude -exec frob {} +',
    'timeout 5 vim .claude/settings.json',
    'frob .git/config',
    'frob ~/.claude/settings.json',
    'frob ~/.bashrc',
    './tool .claude/modes.yaml',
    'node --build-snapshot --snapshot-blob .claude/modes.yaml x.js',
    'docker build --output type=local,dest=.claude .',
    'docker run --mount type=bind,source=.claude,target=/x alpine',
    // In the commands of a program with a dialog, and in patches.
    "sqlite3 x.db '.output .claude/modes.yaml' 'select 1'",
    'sqlite3 x.db "vacuum into \'.claude/modes.yaml\'"',
    'duckdb -c "copy (select 1) to \'.claude/modes.yaml\'"',
    "psql -c '\\o .claude/modes.yaml' -c 'select 1'",
    "vim -es -c 'w .claude/modes.yaml' -c q a.txt",
    "ed -s a.txt <<< 'w .claude/modes.yaml'",
    'curl -K- <<< "output=.claude/modes.yaml"',
    "gdb -batch -ex 'set logging file .claude/modes.yaml'",
    'patch -p1 <<< "+++ b/.claude/modes.yaml"',
    'git apply <<< "+++ b/.claude/modes.yaml"',
  ])('may be written by: %s', (command) => {
    expect(asked(command)).not.toEqual([]);
  });

  test.each([
    "perl -pi -e 's/a/b/' .claude/modes/modes.yaml",
    "f=.claude/modes.yaml; perl -pi -e 's/a/b/' $f",
    "ruby -i -pe '1' src/../.mcp.json",
    'perl -pi -e 1 .claude/skills/../modes.yaml',
  ])('is written by: %s', (command) => {
    const tree = makeTree();
    const { writes } = factsOf({ ...callOf('Bash', { command }, tree.root) }, tree.place({ pluginRoot: '/plugins/modes' }));
    expect(writes.filter(({ protection }) => protection?.effect === 'deny')).not.toEqual([]);
  });

  test.each([
    'cat .claude/modes/modes.yaml',
    'git diff -- .claude/modes/modes.yaml',
    'git add .claude/settings.json',
    'jq . .claude/settings.json',
    'bash .claude/hooks/check.sh',
    'python3 .claude/hooks/check.py a',
    '.claude/hooks/check.sh a',
    'python3 ~/.claude/skills/x/run.py a',
    'npx tool --with ~/.claude/plugins/x/a.json',
    'modes validate .claude/modes.yaml',
    'npm test -- src/claude.test.ts',
    'npx prettier --check .',
    "frob 'see .claude/modes.yaml'",
    'frob .claude/skills/x/SKILL.md',
  ])('is not assumed in: %s', (command) => {
    expect(asked(command)).toEqual([]);
  });
});

describe('a client inside another program', () => {
  test.each([
    'script -qc "claude -p x" /dev/null',
    'script -c claude',
    'script -q /dev/null claude -p x',
    'script /dev/null --command "claude -p x"',
    'script -q /dev/null -c "claude"',
    "tmux new -d 'claude -p x'",
    'tmux new-session -d -s work claude -p x',
    'tmux new -d \\; send-keys "claude -p x" Enter',
    'tmux send-keys -t work:0 claude Enter',
    'tmux send-keys -t work c l a u d e Enter',
    "tmux neww 'cd x && claude'",
    "tmux split-window -h 'claude'",
    "tmux respawn-pane -k 'claude'",
    "tmux run-shell 'claude -p x'",
    'tmux if-shell true \'run-shell "claude -p x"\'',
    "tmux pipe-pane -t x 'claude -p x'",
    'screen -dmS x claude -p x',
    'screen -dm claude',
    "screen -S x -X stuff 'claude\\n'",
    'unbuffer claude -p x',
    "expect -c 'spawn claude -p x; interact'",
    "expect <<'E'\nspawn claude\nE",
    "su -c 'claude -p x'",
    "su - me -c 'claude'",
    'runuser -u me -- claude -p x',
    "runuser -l me -c 'claude'",
    'parallel claude -p ::: a b',
    "parallel ::: 'claude -p a'",
    'parallel -j 2 claude -p {} ::: a',
    'xvfb-run claude -p x',
    'xvfb-run -a claude',
    'dbus-run-session -- claude',
    'systemd-run --user --pty claude -p x',
    'systemd-run -p A=b --user claude',
    'chroot / claude',
    'unshare -r claude -p x',
    'nsenter -t 1 -m claude',
    'busybox sh -c "claude -p x"',
    "fish -c 'claude -p x'",
    'dtach -n sock claude',
    'abduco -n name claude',
    'tsp claude -p x',
    "at now <<< 'claude -p x'",
    "at now <<'E'\nclaude -p x\nE",
    "echo 'claude -p x' | at now",
    'batch <<< claude',
    'ssh host claude -p x',
    "ssh -t host 'claude'",
    'gdb --args claude -p x',
    'valgrind claude',
    'valgrind --tool=none claude -p x',
    'socat - EXEC:claude',
    "socat - EXEC:'claude -p x',pty",
    'find . -exec claude -p {} \\;',
    'find . -name a -exec sh -c "claude -p x" \\;',
    `awk 'BEGIN { system("claude -p x") }'`,
    "sed '1e claude -p x' f",
    "vim -c '!claude -p x'",
    "vim '+!claude'",
    "nvim -c 'terminal claude'",
    "git -c alias.x='!claude -p x' x",
    "git rebase -x 'claude -p x' main",
    'git bisect run claude -p x',
    "git submodule foreach 'claude -p x'",
    'EDITOR=claude git commit',
    "GIT_EDITOR='claude -p x' git commit",
    'echo claude | sh',
    "printf 'claude -p x\\n' | bash",
    "echo 'claude -p x' | bash -s",
    "cat <<'E' | sh\ntrue; claude -p x\nE",
    "make -f- <<'E'\nall:\n\tclaude -p x\nE",
    `python3 -c 'import pty; pty.spawn(["claude", "-p", "x"])'`,
    `python3 -c 'import os; os.system("claude -p x")'`,
    `python3 - <<'E'\nimport subprocess\nsubprocess.run(["claude"])\nE`,
    `node -e 'require("child_process").spawnSync("claude", ["-p", "x"])'`,
    `perl -e 'system("claude", "-p", "x")'`,
    `perl -e 'exec qw(claude -p x)'`,
    'ruby -e \'system "claude -p x"\'',
    "ruby -e '`claude -p x`'",
    'doppler run -- claude -p x',
    "sometool --exec 'claude -p x'",
    'uvx claude',
    'some-runner @anthropic-ai/claude-code',
    'ksh node_modules/.bin/claude -p x',
    'nodejs node_modules/.bin/claude',
  ])('is not started by: %s [s:protect.client]', (command) => {
    expect(bash(command)).toContain('deny a second client');
  });

  test.each([
    'git commit -m "thanks claude"',
    'git commit -m "claude -p x is denied now"',
    'grep -rn claude docs',
    'rg "claude -p" src',
    'echo claude',
    'echo claude | cat',
    "echo 'claude -p x' | grep claude",
    'gh pr create --title x --body "written by claude; run claude -p"',
    'gh pr view 5',
    'cat claude.md',
    'ls .claude',
    'ls ~/.claude',
    'cat .claude/settings.json | head',
    'git checkout claude',
    'git checkout -b claude/fix',
    'git rebase claude',
    'git log --author claude',
    'git config user.name claude',
    'npm view @anthropic-ai/claude-code version',
    'which claude',
    'vim claude',
    'vim claude.md',
    'tmux ls',
    'tmux new -s claude',
    'tmux attach -t claude',
    'tmux kill-session -t claude',
    'screen -ls',
    'ssh host',
    `python3 -c 'print("claude")'`,
    `python3 -c 'import json; print(json.load(open(".claude/settings.json")))'`,
    `node -e 'console.log(require("./claude.json").name)'`,
    "sed 's/claude/x/' f",
    "awk '/claude/ {print $1}' f",
    'find . -name claude',
    'find . -path ./claude -prune',
    'make claude',
    'npm run claude-docs',
    'NAME=claude npm test',
    'mkdir claude && cd claude',
    './node_modules/.bin/vitest claude',
    'pytest -k claude',
    'docker build -t claude .',
    'jq .claude package.json',
    'man claude',
    'sometool --topic claude-code --path docs/claude/x.md',
    'sometool --message "what claude said"',
  ])('is not assumed in: %s', (command) => {
    expect(bash(command)).not.toContain('deny a second client');
  });

  test('deny rules match the program that is started there', () => {
    const texts = [
      "script -qc 'npm publish' /dev/null",
      "tmux new -d 'npm publish'",
      'screen -dm npm publish',
      'systemd-run --user npm publish',
      "su -c 'npm publish'",
      "echo 'npm publish' | sh",
      "at now <<< 'npm publish'",
      'unshare -r npm publish',
    ];
    const open = texts.filter((command) => judgeBash(makeTree(), { deny: ['Bash(npm publish:*)'] }, command) !== 'deny rule');
    expect(open).toEqual([]);
  });
});

describe('a verb of Modes inside another program', () => {
  test.each([
    'script -qc "modes trust" /dev/null',
    'script -qc "node /plugins/modes/dist/modes.mjs trust" /dev/null',
    "tmux new -d 'modes trust'",
    'tmux send-keys -t x "modes trust" Enter',
    'unbuffer modes trust',
    'expect -c \'spawn modes trust; expect "?"; send y\'',
    'echo "modes trust" | sh',
    `python3 -c 'import subprocess; subprocess.run(["modes", "trust"])'`,
    `node -e 'require("child_process").spawnSync("node", ["/plugins/modes/dist/modes.mjs", "trust"])'`,
    'sometool run -- modes init --yes',
    'sometool run -- modes import roo --write',
    `python3 -c 'import os; os.system("modes grant")'`,
    `python3 -c 'import subprocess; subprocess.run(["modes", "accept"])'`,
    `node -e 'require("child_process").execSync("modes restore")'`,
    `perl -e 'system "modes grant 1234"'`,
    'xterm -e modes accept',
    "expect -c 'spawn modes grant'",
    'sometool run -- modes grant',
    "at now <<< 'modes trust'",
  ])('cannot change anything with: %s [s:protect.cli]', (command) => {
    expect(bash(command).join()).toMatch(/deny modes /);
  });

  test.each([
    'sometool modes',
    `python3 -c 'print("the modes accept it")'`,
    `python3 -c 'open("src/modes")'`,
    `node -e 'console.log("modes are listed", "modes")'`,
    'python3 -c "from modes import x; x.run()"',
    'script -qc "modes status" /dev/null',
    'tmux new -s modes',
    'git commit -m "modes trust asks now"',
    'grep -rn "modes trust" docs',
  ])('is allowed or not involved in: %s', (command) => expect(bash(command).join()).not.toMatch(/deny modes/));
});

describe('our own command line', () => {
  test.each([
    'modes trust',
    'modes init --yes',
    'modes import roo --write',
    'modes',
    'modes mcp',
    'modes bundle sign',
    'modes $VERB',
    'modes --project . trust',
    '/plugins/modes/bin/modes trust',
    'node /plugins/modes/bin/modes trust',
    'node /plugins/modes/dist/modes.mjs trust',
    'node /plugins/modes/bin/../dist/modes.mjs trust',
    'node --no-warnings /plugins/modes/dist/modes.mjs trust',
    'cd /plugins/modes && node dist/modes.mjs trust',
    'npx claude-modes-mcp',
    'npx -y -p claude-modes-mcp modes trust',
    'npx --package=claude-modes-mcp modes trust',
    'npx claude-modes-mcp@1.0.0 trust',
    'npm exec claude-modes-mcp trust',
    'yarn modes trust',
    'pnpm --dir x modes trust',
    'bun x claude-modes-mcp trust',
    'node node_modules/.bin/modes trust',
    'nodejs node_modules/.bin/modes trust',
    'vite-node node_modules/.bin/modes trust',
    'zx node_modules/.bin/modes.mjs trust',
    'sh -c "modes trust"',
    'env -u CLAUDECODE modes trust',
    'node -r ./x.cjs /plugins/modes/dist/modes.mjs trust',
    'node --import=/plugins/modes/dist/modes.mjs x.js',
    'deno run -A /plugins/modes/dist/modes.mjs trust',
    'tsx /plugins/modes/bin/modes trust',
    'npx tsx /plugins/modes/bin/modes trust',
    'yarn node /plugins/modes/dist/server.mjs',
    'cd /plugins && node modes/dist/server.mjs',
    'yarn run modes trust',
    'bun run modes trust',
  ])('cannot change anything with: %s', (command) => {
    expect(bash(command).join()).toMatch(/deny modes /);
  });

  test.each([
    "modes check 'Bash(ls)'",
    'modes validate --json',
    'modes status',
    'modes stop',
    'modes --version',
    '/plugins/modes/bin/modes status',
    'npx -p claude-modes-mcp modes status',
    'echo modes trust',
    'cat modes',
    'git checkout modes',
    'grep modes trust',
    'mkdir modes',
    'npm install modes',
    'npm install claude-modes-mcp',
    'yarn add claude-modes-mcp',
    'pnpm --filter modes build',
    'npm run modes',
    'ls /plugins/modes/dist/modes.mjs',
    'node -r ./x.cjs /plugins/modes/dist/modes.mjs status',
    'node scripts/dist/modes.js trust',
    'cp /plugins/modes/LICENSE .',
  ])('is allowed or not involved in: %s', (command) => {
    expect(bash(command).join()).not.toMatch(/deny modes/);
  });
});

describe('our command line through a link', () => {
  const linked = (command: string): string => {
    const tree = makeTree();
    fs.symlinkSync('/plugins/modes/bin/modes', path.join(tree.root, 'tool'));
    fs.symlinkSync('/plugins/modes/dist', path.join(tree.root, 'folder'));
    fs.mkdirSync(path.join(tree.root, 'below'));
    const call = { ...callOf('Bash', { command }, tree.root), cwd: tree.root };
    return factsOf(call, tree.place({ pluginRoot: '/plugins/modes' }))
      .protections.map(({ effect, name }) => `${effect} ${name}`)
      .join();
  };

  test.each([
    './tool trust',
    'node tool trust',
    'node folder/server.mjs',
    "sh -c './tool trust'",
    'cd below && node ../tool trust',
    'script -qc "./tool trust" /dev/null',
    'env -i setsid ./tool trust',
  ])('cannot change anything with: %s', (command) => expect(linked(command)).toMatch(/deny modes /));

  test.each(['./tool status', 'ls tool', 'cat folder/modes.mjs', './other trust'])(
    'is allowed or not involved in: %s',
    (command) => expect(linked(command)).not.toMatch(/deny modes/),
  );
});

describe('the socket', () => {
  test.each([
    'curl --unix-socket .claude/mode.sock -X POST http://modes/check-tool',
    'curl --unix-socket .claude/mode.sock -d x http://modes/',
    'curl --unix-socket .claude/mode.sock --data-binary @x http://modes/',
    'curl --unix-socket .claude/mode.sock -T x http://modes/',
    'curl -K x --unix-socket .claude/mode.sock http://modes/status',
    'curl $X --unix-socket .claude/mode.sock http://modes/status',
    'nc -U .claude/mode.sock',
    'python3 -c "connect(\'.claude/mode.sock\')"',
    'rm .claude/mode.sock',
  ])('accepts only read requests: %s', (command) => {
    expect(bash(command)).toContain('deny a request to the socket of Modes');
  });

  test.each([
    'curl --unix-socket .claude/mode.sock http://modes/status',
    'curl -s --unix-socket .claude/mode.sock http://modes/health',
    'ls -l .claude/mode.sock',
    'curl http://example.com',
  ])('may be read: %s', (command) => {
    expect(bash(command)).not.toContain('deny a request to the socket of Modes');
  });
});

describe('texts that run later', () => {
  const rows: [string, Record<string, unknown>][] = [
    ['CronCreate', { cron: '* * * * *', prompt: '/modes:mode feature-dev' }],
    ['CronCreate', { cron: '* * * * *', prompt: 'first\n/modes:mode feature-dev' }],
    ['CronCreate', { cron: '* * * * *', prompt: 'first\r/modes:mode x' }],
    ['CronCreate', { cron: '* * * * *', prompt: ' \t/modes:trust' }],
    ['CronCreate', { cron: '* * * * *', prompt: '/MODES:trust' }],
    ['ScheduleWakeup', { delaySeconds: 60, prompt: 'a\n\n  /modes:trust', reason: 'x' }],
    ['SendMessage', { to: 'main', message: '/modes:mode x' }],
    ['SendMessage', { to: 'main', message: { text: ['hello', '\t/modes:mode x'] } }],
    ['Workflow', { script: 'await prompt("/modes:mode x")' }],
    ['Workflow', { script: 'await prompt(`\n/modes:mode x`)' }],
    ['Workflow', { script: "send('a\\n/modes:mode x')" }],
  ];
  test.each(rows)('%s may not contain our commands: %j', (tool, input) => {
    expect(guards(callOf(tool, input, '/')).join()).toMatch(/deny .* with a line starting \/modes:/);
  });

  test.each<[string, Record<string, unknown>]>([
    ['CronCreate', { cron: '* * * * *', prompt: 'look at docs/modes:mode and /modes' }],
    ['SendMessage', { to: 'main', message: 'type /modes:mode idle when you are done' }],
    ['Agent', { description: 'x', prompt: '/modes:mode x', subagent_type: 'general-purpose' }],
  ])('%s may mention them: %j', (tool, input) => {
    expect(guards(callOf(tool, input, '/')).join()).not.toContain('/modes:');
  });
});

describe('text that a program types into a terminal', () => {
  test.each([
    "tmux send-keys -t 0 '/modes:mode feature-dev' Enter",
    'tmux send -l /modes:trust',
    "tmux set-buffer '/modes:trust' ';' paste-buffer",
    "screen -S x -X stuff '/modes:trust\n'",
    "xdotool type '/modes:mode feature-dev'",
    "kitty @ send-text '/modes:trust'",
    "sleep 5; wezterm cli send-text '/modes:trust'",
    'expect -c \'spawn tmux attach; send "/modes:trust\\r"\'',
    `python3 -c 'import pyautogui; pyautogui.write("/modes:trust")'`,
  ])('may not be a command of ours: %s [s:protect.text]', (command) =>
    expect(bash(command)).toContain('deny Bash with a line starting /modes:'),
  );

  test.each([
    "tmux send-keys -t 0 'npm test' Enter",
    'grep -rn "/modes:trust" docs',
    'git commit -m "/modes:trust asks"',
    'echo "/modes:trust" > notes.md',
    'npm test -- docs/modes:mode',
  ])('may be: %s', (command) => expect(bash(command).join()).not.toContain('/modes:'));
});

describe('a call with effects outside this session asks', () => {
  test.each<[string, Record<string, unknown>]>([
    ['Agent', { description: 'x', prompt: 'x', isolation: 'remote' }],
    ['RemoteTrigger', { action: 'run' }],
    ['SendToProject', { project_name: 'x', attach_git_remote: false }],
    ['PublishPlugin', { path: 'plugin' }],
    ['self_hosted_runner_spawn_local', {}],
    ['enable__mcp__claude-in-chrome', {}],
    ['CronCreate', { cron: '* * * * *', prompt: 'x', durable: true }],
  ])('%s %j', (tool, input) => {
    expect(guards(callOf(tool, input, '/'))).toEqual([expect.stringMatching(/^ask /)]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['Agent', { description: 'x', prompt: 'x', isolation: 'worktree' }],
    ['CronCreate', { cron: '* * * * *', prompt: 'x', durable: false }],
  ])('%s %j does not', (tool, input) => {
    expect(guards(callOf(tool, input, '/'))).toEqual([]);
  });
});

describe('our own tools', () => {
  const plugin = { name: 'plugin:modes:modes', source: 'plugin' };
  const own = (name: string, changes: Partial<ToolCall> = {}) =>
    callOf(`mcp__plugin_modes_modes__${name}`, {}, '/', { mcpServer: plugin, ...changes });

  test.each<[string, string | null, string[]]>([
    ['status', null, ['allow']],
    ['status', 'agent-1', ['allow']],
    ['transition', null, ['allow']],
    ['transition', 'agent-1', ['deny']],
    ['force_transition', null, []],
    ['force_transition', 'agent-1', ['deny']],
    ['permission_mode', null, []],
    ['permission_mode', 'agent-1', ['deny']],
    ['hook', null, ['deny']],
    ['constructor', null, ['deny']],
  ])('%s by agent %s: %j', (name, agentId, effects) => {
    const tree = makeTree();
    const facts = factsOf({ ...own(name, { agentId }), cwd: tree.root }, tree.place());
    expect(facts.tool.group).toBe('own');
    expect(facts.protections.map(({ effect }) => effect)).toEqual(effects);
    expect(facts.may_write_anywhere).toBeNull();
  });

  test.each([
    null,
    { name: 'modes', source: 'project' },
    { name: 'plugin:modes:modes', source: 'project' },
    { name: 'plugin:other:modes', source: 'plugin' },
  ])('the same tool name of the server %j is like any other', (mcpServer) => {
    const tree = makeTree();
    const facts = factsOf({ ...own('transition', { mcpServer }), cwd: tree.root }, tree.place());
    expect(facts.tool.group).toBe('mcp');
    expect(facts.protections).toEqual([]);
    expect(facts.may_write_anywhere).toHaveLength(1);
  });
});

describe('our server under another name', () => {
  const asked = (tree: Tree, name: string, source: string, tool = 'transition') =>
    factsOf(
      callOf(`mcp__${name.replaceAll(':', '_')}__${tool}`, {}, tree.root, { mcpServer: { name, source } }),
      tree.place({ managedFolders: [path.join(tree.top, 'managed')] }),
    );
  const records: [string, (tree: Tree) => string][] = [
    ['the user', (tree) => path.join(tree.home, '.claude/modes-data/servers')],
    ['the organisation', (tree) => path.join(tree.top, 'managed/modes-servers')],
  ];

  test.each(records)('is recognized if the record of %s names it with its source [s:own.registered]', (_, record) => {
    const tree = makeTree();
    expect(asked(tree, 'my-modes', 'user').tool.group).toBe('mcp');
    tree.file(record(tree), 'local other\nuser my-modes\nproject my-modes\n');
    const facts = asked(tree, 'my-modes', 'user');
    expect(facts.tool.group).toBe('own');
    expect(facts.protections.map(({ effect }) => effect)).toEqual(['allow']);
    expect(asked(tree, 'my-modes', 'user', 'force_transition').protections).toEqual([]);
    expect(asked(tree, 'my-modes', 'user', 'hook').protections.map(({ effect }) => effect)).toEqual(['deny']);
    for (const [name, source] of [
      ['my-modes', 'local'],
      ['my-modes', 'project'],
      ['modes', 'user'],
      ['my-mode', 'user'],
      ['local other', 'user'],
    ] as const)
      expect(asked(tree, name, source).tool.group).toBe('mcp');
  });

  test('is not recognized by files of the project [s:own.registered]', () => {
    const tree = makeTree();
    for (const name of ['.claude/servers', '.claude/modes-servers', '.claude/modes-data/servers', 'servers', 'modes-servers'])
      tree.file(name, 'user my-modes\nproject my-modes\n');
    for (const source of ['user', 'project', 'local', 'dynamic', 'sdk'])
      expect(asked(tree, 'my-modes', source).tool.group).toBe('mcp');
  });
});

describe('our typed commands as skills', () => {
  test.each(['modes:mode', '/modes:mode', ' modes:trust', 'Modes:mode'])('Skill(%s) is denied to the model', (skill) => {
    expect(guards(callOf('Skill', { skill }, '/'))).toEqual([expect.stringMatching(/^deny Skill/)]);
  });
  test('another plugin is allowed', () => {
    expect(guards(callOf('Skill', { skill: 'mymodes:mode' }, '/'))).toEqual([]);
  });
  test.each([
    { skill: 'other', command: 'modes:trust' },
    { skill: '', name: 'modes:trust' },
    { command: 'other', name: '/modes:off' },
  ])('Skill with %j is denied to the model', (input) => {
    expect(guards(callOf('Skill', input, '/'))).toEqual([expect.stringMatching(/^deny Skill\(\/?modes:/)]);
  });
});
