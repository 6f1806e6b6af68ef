// What a tool call takes in the real client, from the model's answer to its next request.
import fs from 'node:fs';
import path from 'node:path';
import type { Turn } from '../e2e/model.ts';
import { type Ground, packageRoot } from './ground.ts';

const reads = 30;

/** The real client where `make e2e` has installed it; else why it is not measured. */
export async function findClient(): Promise<{ client: typeof import('../e2e/client.ts') } | { missing: string }> {
  if (process.env.CI) return { missing: 'not in CI' };
  // Read when the module is loaded; the bundle that this is part of lies elsewhere.
  process.env.MODES_E2E_CACHE ||= path.join(packageRoot, '.cache/client');
  const client = await import('../e2e/client.ts');
  const binary = path.join(process.env.MODES_E2E_CACHE, client.CLIENT_VERSION, 'node_modules/.bin/claude');
  return fs.existsSync(binary)
    ? { client }
    : { missing: `Claude Code ${client.CLIENT_VERSION} is not installed; make e2e does it` };
}

/**
 * Plays a session that reads one file after the other.
 * @returns milliseconds of each call after the first
 * @throws {Error} when a call is refused or the client fails
 */
export async function callsIn(
  { client }: { client: typeof import('../e2e/client.ts') },
  { root, env }: Ground,
  plugin: string | null,
): Promise<number[]> {
  const home = env.HOME as string;
  client.seedHome(home, [root]);
  const asked: number[] = [];
  const turns = Array.from({ length: reads + 1 }, (_, n): Turn => {
    const file = path.join(root, `src/read-${n}.ts`);
    fs.writeFileSync(file, `export const n = ${n};\n`);
    return () => {
      asked.push(performance.now());
      return n === reads ? [{ type: 'text', text: 'done' }] : [{ type: 'tool_use', name: 'Read', input: { file_path: file } }];
    };
  });
  const { code, calls, stderr } = await client.session({ project: root, home, plugin, turns });
  const refused = calls.find((call) => call.refused);
  if (code !== 0 || calls.length !== reads || refused)
    throw new Error(`the client ended with ${code} after ${calls.length} calls: ${refused?.result ?? stderr}`);
  return asked.slice(2).map((at, index) => at - (asked[index + 1] as number));
}
