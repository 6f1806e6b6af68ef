// What the client waits for on every tool call: the hook script against a bare curl, the one-shot against an empty Node.
import path from 'node:path';
import { eventOf, makeGround, packageRoot, type Running, socketOf, startServer } from './ground.ts';
import { type Bench, inTurns, millis, type Program, ratio } from './row.ts';

const denied = /"permissionDecision":"deny"/;

export const measure: Bench = async (say) => {
  const ground = makeGround();
  let server: Running | null = null;
  try {
    const project = await ground.open();
    server = await startServer(ground);
    // 2 KB, denied by a rule.
    const input = eventOf(project.root, 'Write', { file_path: path.join(project.root, 'src/a.ts'), content: 'x'.repeat(1500) });
    const base = { cwd: ground.root, env: ground.env, input };
    const client: Program = {
      ...base,
      command: '/bin/sh',
      args: [path.join(packageRoot, 'hooks/client.sh'), 'PreToolUse'],
      prints: denied,
    };
    const curlArgs = ['-q', '-s', '-f', '--unix-socket', socketOf(ground.root), '--data-binary', '@-', 'http://modes/check-tool'];
    const curl: Program = { ...base, command: 'curl', args: curlArgs, prints: denied };
    const oneShot: Program = {
      ...base,
      command: process.execPath,
      args: [path.join(packageRoot, 'dist/hook.cjs'), 'PreToolUse', ground.root],
      prints: denied,
    };
    const node: Program = { ...base, command: process.execPath, args: ['-e', '0'], prints: /^$/ };
    say('hook client and curl');
    const [clientMs, curlMs] = inTurns(60, [client, curl]) as [number, number];
    say('one-shot and node -e 0');
    const [oneShotMs, nodeMs] = inTurns(40, [oneShot, node]) as [number, number];
    return [
      compare('hook client to a bare curl on the same socket', 1.25, clientMs, curlMs),
      compare('one-shot process to `node -e 0`', 1.6, oneShotMs, nodeMs),
    ];
  } finally {
    await server?.stop();
    ground.remove();
  }
};

function compare(what: string, most: number, ours: number, bare: number) {
  const times = ours / bare;
  return {
    what,
    budget: `≤ ${ratio(most)}`,
    measured: `${ratio(times)} (${millis(ours)} to ${millis(bare)})`,
    holds: times <= most,
  };
}
