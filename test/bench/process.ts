// What the client waits for: on every tool call the hook script (with perl, and as it is without one) against a bare curl, the one-shot
// against an empty Node; and the status line's script against an empty shell.
import fs from 'node:fs';
import path from 'node:path';
import { placeScript } from '../../src/app/setup/statusline.ts';
import { dataFolderOf } from '../../src/facts/paths/place.ts';
import { eventOf, type Fixture, hookLine, makeFixture, packageRoot, type Running, socketOf, startServer } from './fixture.ts';
import { type Bench, inTurns, millis, type Program, ratio } from './row.ts';

const denied = /"permissionDecision":"deny"/;

export const measure: Bench = async (say) => {
  const fixture = makeFixture();
  let server: Running | null = null;
  try {
    const project = await fixture.open();
    server = await startServer(fixture);
    // 2 KB, denied by a rule.
    const input = eventOf(project.root, 'Write', { file_path: path.join(project.root, 'src/a.ts'), content: 'x'.repeat(1500) });
    const base = { cwd: fixture.root, env: fixture.env, input };
    const client: Program = { ...base, ...hookLine(), prints: denied };
    const withCurl: Program = { ...client, ...hookLine(placeWithoutPerl(fixture.root)) };
    const curlArgs = [
      '-q',
      '-s',
      '-f',
      '--unix-socket',
      socketOf(fixture.root),
      '--data-binary',
      '@-',
      'http://modes/check-tool',
    ];
    const curl: Program = { ...base, command: 'curl', args: curlArgs, prints: denied };
    const oneShot: Program = {
      ...base,
      command: process.execPath,
      args: [path.join(packageRoot, 'dist/hook.cjs'), 'PreToolUse', fixture.root],
      prints: denied,
    };
    const least: Program = {
      ...base,
      command: process.execPath,
      args: [path.join(packageRoot, 'test/bench/least.cjs'), packageRoot],
      prints: /"verdict":/,
    };
    const node: Program = { ...base, command: process.execPath, args: ['-e', '0'], prints: /^$/ };
    const line = await statusLine(fixture, server);
    const empty: Program = { ...line, args: ['-c', ':'], input: '', prints: /^$/ };
    say('status line and sh -c :');
    const [lineMs, emptyMs] = inTurns(100, [line, empty]) as [number, number];
    say('hook client with perl, without perl, and curl');
    const [perlMs, clientMs, curlMs] = inTurns(60, [client, withCurl, curl]) as [number, number, number];
    say('one-shot, the least that can decide, and node -e 0');
    const [oneShotMs, leastMs, nodeMs] = inTurns(40, [oneShot, least, node]) as [number, number, number];
    return [
      compare('hook client to a bare curl on the same socket', 1.25, perlMs, curlMs),
      unbudgeted('hook client without perl to a bare curl on the same socket', clientMs, curlMs),
      compare('hook client with perl to the one without', 0.7, perlMs, clientMs),
      compare('one-shot process to `node -e 0`, median', 3.2, oneShotMs, nodeMs),
      unbudgeted('a process that only verifies the core and asks it once, to `node -e 0`', leastMs, nodeMs),
      compare('status line to `sh -c :`', 5, lineMs, emptyMs),
      { what: 'status line', budget: '≤ 10 ms', measured: millis(lineMs), holds: lineMs <= 10, absolute: true },
    ];
  } finally {
    await server?.stop();
    fixture.remove();
  }
};

/** A plugin of the same build, on a machine that has no perl. @returns its folder. */
function placeWithoutPerl(root: string): string {
  const plugin = path.join(root, 'without-perl');
  fs.mkdirSync(path.join(plugin, 'hooks'), { recursive: true });
  fs.symlinkSync(path.join(packageRoot, 'dist'), path.join(plugin, 'dist'));
  const script = path.join(plugin, 'hooks/client.sh');
  const text = fs.readFileSync(path.join(packageRoot, 'hooks/client.sh'), 'utf8');
  fs.writeFileSync(script, text.replace(/^perl=\S+$/m, 'perl='));
  return plugin;
}

/** The script as it is set up, with everything to show: gates, a branch, the context window. */
async function statusLine({ root, env }: Fixture, server: Running): Promise<Program> {
  const data = dataFolderOf(env);
  placeScript(data, packageRoot);
  const ready = path.join(data, 'status', String(server.process.pid));
  while (!fs.existsSync(ready)) await new Promise((resolve) => setTimeout(resolve, 10));
  fs.mkdirSync(path.join(root, '.git'), { recursive: true });
  fs.writeFileSync(path.join(root, '.git/HEAD'), 'ref: refs/heads/feature/line\n');
  const sent = {
    session_id: 'bench',
    transcript_path: path.join(root, `${'x'.repeat(100)}.jsonl`),
    model: { id: 'model', display_name: 'Model' },
    workspace: { current_dir: root, project_dir: root, added_dirs: [] },
    cost: { total_cost_usd: 0.1, total_duration_ms: 60_000 },
    context_window: { context_window_size: 1_000_000, current_usage: { input_tokens: 1 }, used_percentage: 41 },
    prompt_cache: { warm: false, requests: 2, misses: 0, miss_causes: {}, note: 'x'.repeat(400) },
  };
  return {
    command: '/bin/sh',
    args: [path.join(data, 'statusline.sh')],
    cwd: root,
    env: { ...env, CLAUDE_PID: String(process.pid), CLAUDE_PROJECT_DIR: root },
    input: JSON.stringify(sent),
    prints: /⟪[a-z-]+⟫.* feature\/line · ▓+░+ 41%/,
  };
}

function compare(what: string, most: number, ours: number, bare: number) {
  return { what, budget: `≤ ${ratio(most)}`, measured: against(ours, bare), holds: ours / bare <= most };
}

/** What is told beside another row. */
function unbudgeted(what: string, ours: number, bare: number) {
  return { what, budget: '', measured: against(ours, bare), holds: null };
}

function against(ours: number, bare: number): string {
  return `${ratio(ours / bare)} (${millis(ours)} to ${millis(bare)})`;
}
