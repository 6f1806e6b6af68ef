// The client's own permission rules and a mode with the same rules, asked about the same calls.
import fs from 'node:fs';
import path from 'node:path';
import { loadConfiguration } from '../../src/config/load.ts';
import { prepare } from '../../src/engine/prepare.ts';
import { toolCall } from '../../src/facts/call.ts';
import type { Effect } from '../../src/model/configuration.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { openProject } from '../../src/workflow/project.ts';
import { pluginFolder, SYSTEM_PATH, session } from './client.ts';
import { dataFolder } from './mode.ts';
import { type Block, say } from './model.ts';
import type { Place } from './place.ts';
import { Steering } from './steering.ts';

/** `pass`: no rule of the list matches the call. */
export type Said = Effect | 'pass';

export type Layer = 'user' | 'project' | 'local';
export type Lists = Partial<Record<Effect, string[]>>;
export type Layers = Partial<Record<Layer, Lists>>;

/** Writes the lists into files that are called `settings.json`, or `settings.MODE.json`. */
function put(place: Place, layers: Layers, mode = ''): void {
  const names = { user: `settings${mode}.json`, project: `settings${mode}.json`, local: `settings${mode}.local.json` };
  for (const [layer, permissions] of Object.entries(layers) as [Layer, Lists][]) {
    const folder = path.join(layer === 'user' ? place.home : place.project, '.claude');
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(path.join(folder, names[layer]), JSON.stringify({ permissions }));
  }
}

/** What the client does with the calls under its own rules, `together` of them in one answer of the model. It runs what they allow. */
export async function clientSays(
  place: Place,
  layers: Layers,
  asked: Block[][],
  { together = 1, args = [] }: { together?: number; args?: string[] } = {},
): Promise<Said[]> {
  put(place, layers);
  const steering = new Steering({ person: true });
  const parts = Array.from({ length: Math.ceil(asked.length / together) }, (_, at) => at * together);
  const turns = [...parts.map((from) => asked.slice(from, from + together).flat()), say('done')];
  const { calls } = await session({ ...place, plugin: null, permissionMode: 'default', turns, steering, args, limit: 300_000 });
  fs.rmSync(path.join(place.project, '.claude'), { recursive: true, force: true });
  fs.rmSync(path.join(place.home, '.claude/settings.json'), { force: true });
  return calls.map(({ id, refused, result }) => {
    if (result === undefined) throw new Error(`the client ended before the call ${id} had a result`);
    const reason = steering.refused.get(id);
    if (reason !== undefined) return reason === 'rule' ? 'ask' : 'pass';
    return refused && /denied|permission|No such tool/i.test(result) ? 'deny' : 'allow';
  });
}

/** What a mode with the same rules decides by them: what may write anywhere it asks about besides. */
export async function modeSays(place: Place, layers: Layers, calls: Block[][]): Promise<Said[]> {
  place.write('.claude/modes.yaml', 'name: rules\ndefault: work\nmodes:\n  work: {}\n');
  put(place, layers, '.work');
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
  const env = { HOME: place.home, PATH: SYSTEM_PATH, CLAUDE_PROJECT_DIR: place.project };
  const project = openProject({ start: place.project, env, packageRoot: pluginFolder(), prepare });
  if (project === null) throw new Error('the project is not governed');
  await project.ready(null);
  const asked = project.for({ session: null, cwd: place.project });
  return calls.map(([block]) => {
    if (block?.type !== 'tool_use') throw new Error('no call');
    const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd: place.project, tool_use_id: 't' };
    const { by, decision } = asked.decide(toolCall({ ...event, tool_name: block.name, tool_input: block.input }), null);
    return by === 'rule' ? decision : 'pass';
  });
}
