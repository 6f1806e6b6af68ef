// Built-in protection that is not a path.
import { describe, expect, test } from 'vitest';
import type { ToolCall } from '../../../src/tools/types.ts';
import { callOf, factsOf } from './asked.ts';
import { makeTree } from './tree.ts';

function guards(call: ToolCall): string[] {
  const tree = makeTree();
  return factsOf({ ...call, cwd: tree.root }, tree.place({ pluginRoot: '/plugins/modes' })).protections.map(
    ({ effect, name }) => `${effect} ${name}`,
  );
}
const bash = (command: string) => guards(callOf('Bash', { command }, '/'));

describe('a client of its own', () => {
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
  ])('is not meant by: %s', (command) => {
    expect(bash(command)).not.toContain('deny a second client');
  });
});

describe('our own command line', () => {
  test.each([
    'modes trust',
    'modes init --yes',
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
    'sh -c "modes trust"',
    'env -u CLAUDECODE modes trust',
  ])('changes nothing by: %s', (command) => {
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
  ])('is open or not meant by: %s', (command) => {
    expect(bash(command).join()).not.toMatch(/deny modes/);
  });
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
  ])('takes no request that is not a read: %s', (command) => {
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

describe('texts that act later', () => {
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
  test.each(rows)('%s does not carry our commands: %j', (tool, input) => {
    expect(guards(callOf(tool, input, '/')).join()).toMatch(/deny .* with a line starting \/modes:/);
  });

  test.each<[string, Record<string, unknown>]>([
    ['CronCreate', { cron: '* * * * *', prompt: 'look at docs/modes:mode and /modes' }],
    ['SendMessage', { to: 'main', message: 'type /modes:mode idle when you are done' }],
    ['Agent', { description: 'x', prompt: '/modes:mode x', subagent_type: 'general-purpose' }],
  ])('%s may speak of them: %j', (tool, input) => {
    expect(guards(callOf(tool, input, '/')).join()).not.toContain('/modes:');
  });
});

describe('what leaves this session asks', () => {
  test.each<[string, Record<string, unknown>]>([
    ['Agent', { description: 'x', prompt: 'x', isolation: 'remote' }],
    ['RemoteTrigger', { action: 'run' }],
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

describe('our typed commands as skills', () => {
  test.each(['modes:mode', '/modes:mode', ' modes:trust', 'Modes:mode'])('Skill(%s) is not for the model', (skill) => {
    expect(guards(callOf('Skill', { skill }, '/'))).toEqual([expect.stringMatching(/^deny Skill/)]);
  });
  test('another plugin is', () => {
    expect(guards(callOf('Skill', { skill: 'mymodes:mode' }, '/'))).toEqual([]);
  });
});
