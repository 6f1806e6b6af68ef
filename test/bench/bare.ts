// A process that serves HTTP on a Unix socket and does nothing else: what a decision is compared with.
import { spawn } from 'node:child_process';
import fs from 'node:fs';

/** Starts one that reads each request and answers a constant deny; ready when this resolves. */
export async function startBare(socket: string): Promise<{ stop(): void }> {
  const answer =
    '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":""}}';
  const program = `require('http').createServer((q, r) => q.resume().on('end', () => {
    r.setHeader('Content-Length', ${answer.length}); r.end('${answer}') })).listen(${JSON.stringify(socket)}, () => console.log('up'))`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve());
    child.once('close', (code) => reject(new Error(`the bare server ended with ${code}`)));
  });
  return {
    stop() {
      child.kill();
      fs.rmSync(socket, { force: true });
    },
  };
}
