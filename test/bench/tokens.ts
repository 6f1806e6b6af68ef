// What the plugin adds to the context of a session, by the request bodies that the client sends: the last request contains the whole
// conversation. Each session makes the same calls as one without the plugin.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadConfiguration } from '../../src/config/load.ts';
import type { ModelRequest, Turn } from '../e2e/model.ts';
import { packageRoot } from './fixture.ts';
import { type Bench, notMeasured, type Options, type Row } from './row.ts';
import { type Client, findClient } from './session.ts';
import { trust } from './setups.ts';

const prompts = 20;
const callsPerPrompt = 5;
/** English characters of a token, by Anthropic's glossary. */
const charactersPerToken = 3.5;
const budgets: Record<string, number> = { 'tdd-checked, without instructions': 1_500 };

export const measure: Bench = async (say, options) => {
  const found = await findClient();
  if ('missing' in found) return [notMeasured('tokens that the plugin adds', found.missing)];
  const presets = fs.readdirSync(path.join(packageRoot, 'examples')).filter((name) => fs.existsSync(configurationOf(name)));
  const variants = [...presets.map((preset) => ({ preset, isStripped: false })), { preset: 'tdd-checked', isStripped: true }];
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-bench-tokens-'));
  // Folders of the same name, since the client names them in its requests.
  const sizesAt = async (preset: string, isStripped: boolean, plugin: string | null): Promise<Sizes> => {
    const at = path.join(folder, 'place');
    try {
      const place = makePlace(at, preset, isStripped);
      found.client.seedHome(place.home, [place.project]);
      trust(place.home, place.project);
      return await sizesIn(found.client, { ...place, plugin }, options);
    } finally {
      fs.rmSync(at, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  try {
    say('without the plugin');
    const without = await sizesAt('tdd', false, null);
    const rows: Row[] = [];
    for (const { preset, isStripped } of variants) {
      const variant = isStripped ? 'without instructions' : 'as shipped';
      say(`${preset}, ${variant}`);
      rows.push(rowOf(preset, variant, await sizesAt(preset, isStripped, packageRoot), without));
    }
    return rows;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

const configurationOf = (preset: string): string => path.join(packageRoot, 'examples', preset, '.claude/modes.yaml');

function makePlace(folder: string, preset: string, isStripped: boolean): { project: string; home: string; next: string } {
  const project = path.join(folder, 'project');
  fs.cpSync(path.dirname(configurationOf(preset)), path.join(project, '.claude'), { recursive: true });
  fs.mkdirSync(path.join(project, 'src'));
  fs.writeFileSync(path.join(project, 'src/a.ts'), 'export const a = 1;\n');
  if (isStripped)
    for (const name of fs.readdirSync(path.join(project, '.claude')))
      if (/^CLAUDE\..*\.md$/.test(name)) fs.rmSync(path.join(project, '.claude', name));
  const { topology } = loadConfiguration(project);
  if (topology === null) throw new Error(`${preset} has no modes`);
  const next = topology.modes.get(topology.default)?.transitions[0]?.to ?? topology.default;
  return { project, home: path.join(folder, 'home'), next };
}

/** Characters of the parts of a request. */
interface Sizes {
  system: number;
  tools: number;
  messages: number;
}

async function sizesIn(
  client: Client,
  { project, home, plugin, next }: { project: string; home: string; plugin: string | null; next: string },
  { cancel }: Options,
): Promise<Sizes> {
  const { Steering } = await import('../e2e/steering.ts');
  const file = path.join(project, 'src/a.ts');
  const look = { name: 'Read', input: { file_path: file } };
  const list = { name: 'Bash', input: { command: 'ls src', description: 'List files' } };
  const find = { name: 'Grep', input: { pattern: 'a', path: path.join(project, 'src') } };
  const move = { name: 'mcp__plugin_modes_modes__transition', input: { target: next, explanation: 'The user described a bug.' } };
  const calls = [look, list, find, look, list].slice(0, callsPerPrompt);
  const turns = Array.from({ length: prompts }, (_, prompt): Turn[] => [
    ...calls.map((call, at): Turn => {
      // One change of mode in the second prompt.
      const isMove = plugin !== null && prompt === 1 && at === 0;
      return [{ type: 'tool_use', ...(isMove ? move : call) }];
    }),
    [{ type: 'text', text: 'done' }],
  ]).flat();
  const more = Array.from({ length: prompts - 1 }, (_, n) => `Go on with part ${n + 2} of the work.`);
  const {
    code,
    requests,
    calls: made,
    stderr,
  } = await client.session({
    project,
    home,
    plugin,
    turns,
    prompt: 'Go on with part 1 of the work.',
    steering: new Steering({ prompts: more }),
    reportsHooks: false,
    limit: 300_000,
    cancel,
  });
  const last = requests.findLast(({ tools }) => tools?.length);
  if (code !== 0 || made.length !== prompts * callsPerPrompt || last === undefined)
    throw new Error(`the client ended with ${code} after ${made.length} calls: ${stderr}`);
  return sizesOf(last);
}

const sizesOf = ({ system, tools, messages }: ModelRequest): Sizes => ({
  system: JSON.stringify(system ?? '').length,
  tools: JSON.stringify(tools).length,
  messages: JSON.stringify(messages).length,
});

function rowOf(preset: string, variant: string, mine: Sizes, without: Sizes): Row {
  const tokensOf = (part: keyof Sizes) => Math.round((mine[part] - without[part]) / charactersPerToken);
  const parts = { system: tokensOf('system'), tools: tokensOf('tools'), messages: tokensOf('messages') };
  const total = parts.system + parts.tools + parts.messages;
  const name = `${preset}, ${variant}`;
  const most = budgets[name];
  return {
    what: `tokens added to a session of ${prompts} prompts and ${prompts * callsPerPrompt} calls: ${name}`,
    budget: most === undefined ? '' : `≤ ${most.toLocaleString('en')}`,
    measured: `${total.toLocaleString('en')}: tools ${parts.tools}, messages ${parts.messages}, system ${parts.system}`,
    holds: most === undefined ? null : total <= most,
    labels: { preset, variant },
    figures: { total, ...parts },
  };
}
