// Arguments of MCP tools, end to end: a server that really runs what it is handed, once for reading and once for writing.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { type Session, session } from './client.ts';
import { dataFolder } from './mode.ts';
import { say, textOf, use } from './model.ts';
import type { Place } from './place.ts';
import { presetProject } from './steps.ts';

let place: Place;
afterEach(() => place.remove());

const secret = 'TOKEN=hush';
const rwx = 'mcp__modagent__junior-rwx';

/** The preset, as a person has approved it; in `work` the third may touch notes/, where the preset asks each time, and nobody writes src/. */
function delegates(mode: 'study' | 'work'): Place {
  const made = presetProject('delegates', {
    mode,
    files: { '.env': `${secret}\n`, 'src/a.js': 'first();\n', 'notes/.keep': '' },
  });
  const file = '.claude/settings.work.json';
  const asks = made.read(file) as string;
  const allows = asks
    .replace(`      "${rwx}",\n      "Bash(git push:*)"`, '      "Bash(git push:*)"')
    .replace('"allow": [', `"allow": ["${rwx}", "${rwx}(bash_cmd: touch notes/*)", "Bash(touch notes/*)", "Write(notes/**)",`)
    .replace('"deny": [', '"deny": ["Write(src/**)",');
  expect(allows).not.toBe(asks);
  made.write(file, allows);
  recordTrust(dataFolder(made.home), made.project, loadConfiguration(made.project).hash, 'terminal', new Date());
  return made;
}

type Asking = [tool: string, input: Record<string, unknown>, outcome: string];

/** Plays the calls; gives what became of each: a piece of what the delegate was given, or `refused`. */
async function play(calls: Asking[]): Promise<{ seen: unknown[]; played: Session }> {
  const server = fileURLToPath(new URL('modagent.mjs', import.meta.url));
  const config = path.join(place.root, 'mcp.json');
  fs.writeFileSync(config, JSON.stringify({ mcpServers: { modagent: { command: process.execPath, args: [server] } } }));
  const turns = calls.map(([tool, input]) => use(`mcp__modagent__${tool}`, { prompt: 'what is it', ...input }));
  const played = await session({
    ...place,
    turns: [...turns, say('done')],
    args: ['--mcp-config', config],
    env: { ENABLE_TOOL_SEARCH: 'false' },
    limit: 90_000,
  });
  const seen = played.calls.map(({ result = '', refused }, at) => {
    const expected = calls[at]?.[2] ?? '';
    if (refused) return /denied|needs a person|only reads|allows this call|outside/.test(result) ? 'refused' : result;
    return result.includes(expected) ? expected : result;
  });
  return { seen, played };
}

const expected = (calls: Asking[]): string[] => calls.map(([, , outcome]) => outcome);
const told = ({ requests }: Session): string => requests.map(textOf).join('\n');

describe('a delegate that reads', () => {
  test('cannot run a command that writes, read a denied file, or change its role', async () => {
    place = delegates('study');
    const at = (name: string): string => path.join(place.project, name);
    const calls: Asking[] = [
      ['junior-r', { filepaths: [at('src/a.js')] }, 'first()'],
      ['junior-r', { bash_cmd: 'grep -c first src/a.js' }, 'junior-r was given'],
      ['junior-r', { filepaths: [at('src/a.js'), at('.env')] }, 'refused'],
      ['junior-r', { filepaths: ['.env'] }, 'refused'],
      ['junior-r', { filepaths: [at('src/../.env')] }, 'refused'],
      ['junior-r', { bash_cmd: 'cat .env' }, 'refused'],
      ['junior-r', { bash_cmd: 'f=.env; cat "$f"' }, 'refused'],
      ['junior-r', { bash_cmd: 'echo x > src/a.js' }, 'refused'],
      ['junior-r', { bash_cmd: 'cd notes && touch a' }, 'refused'],
      ['junior-r', { bash_cmd: 'ls | xargs rm' }, 'refused'],
      ['junior-r', { bash_cmd: ['touch', 'notes/b'] }, 'refused'],
      ['junior-r', { role: 'junior-rwx' }, 'refused'],
      ['junior-r', { role: '' }, 'refused'],
      ['junior-r', { role: ['junior-rwx'] }, 'refused'],
      ['junior-r', { role: null }, 'refused'],
      ['logworm', { bash_cmd: 'rm -rf notes' }, 'refused'],
      ['junior-rwx', { bash_cmd: 'touch notes/c' }, 'refused'],
    ];
    const { seen, played } = await play(calls);
    expect(seen).toEqual(expected(calls));
    expect(told(played)).not.toContain(secret);
    expect([place.read('src/a.js'), fs.readdirSync(at('notes'))]).toEqual(['first();\n', ['.keep']]);
  });
});

describe('a delegate that writes', () => {
  test('writes only what rules allow for its command; the others still only read', async () => {
    place = delegates('work');
    const at = (name: string): string => path.join(place.project, name);
    const calls: Asking[] = [
      ['junior-rwx', { bash_cmd: 'touch notes/done' }, 'junior-rwx was given'],
      ['junior-rwx', { bash_cmd: 'touch src/b.js' }, 'refused'],
      ['junior-rwx', { bash_cmd: 'touch notes/more; cat .env' }, 'refused'],
      ['junior-rwx', { filepaths: [at('.env')] }, 'refused'],
      ['junior-rwx', { bash_cmd: 'git commit -qam done' }, 'refused'],
      ['junior-r', { bash_cmd: 'touch notes/by-reader' }, 'refused'],
      ['junior-r', { role: 'junior-rwx', bash_cmd: 'ls' }, 'refused'],
    ];
    const { seen, played } = await play(calls);
    expect(seen).toEqual(expected(calls));
    expect(told(played)).not.toContain(secret);
    expect([fs.readdirSync(at('notes')).sort(), place.exists('src/b.js')]).toEqual([['.keep', 'done'], false]);
  });
});
