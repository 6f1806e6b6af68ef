// A day of ordinary work in the real client, in every mode of every preset: nothing is denied but by the preset's own lines.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Call, pluginFolder, session } from './client.ts';
import { type Block, bash, use } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';
import { workday } from './workday.ts';

const examples = path.join(pluginFolder(), 'examples');
/** Every mode of every preset has its day without the client too, by what is decided. */
const presets = ['tdd-checked'];
const modesOf = (preset: string) =>
  fs
    .readdirSync(path.join(examples, preset, '.claude'))
    .filter((name) => /^settings\.(?!any\.)/.test(name))
    .filter((name) => !fs.readFileSync(path.join(examples, preset, '.claude', name), 'utf8').includes('"default"'))
    .map((name) => name.split('.')[1] as string);

function prepare(preset: string, mode: string): Place {
  const place = plainProject({ copy: path.join(examples, preset) });
  // The day begins in this mode.
  place.write('.claude/modes.yaml', (place.read('.claude/modes.yaml') as string).replace(/^default: .*$/m, `default: ${mode}`));
  place.write('package.json', '{"name":"day","version":"1.0.0","scripts":{"test":"node --test test","lint":"node -e 0"}}\n');
  place.write('vendor/dep/package.json', '{"name":"dep","version":"1.0.0"}\n');
  place.write('CLAUDE.md', '# Notes\n');
  place.write('.gitignore', 'node_modules/\n.claude/mode.sock\n.claude/mode-state.json\n.claude/worktrees/\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: place.project, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'a');
  git('config', 'user.email', 'a@example.org');
  git('add', '.');
  git('commit', '-q', '-m', 'start');
  git('branch', 'other');
  return place;
}

const helper = (place: Place): Block[][] => [
  bash(`grep -rn first ${place.project}/src`),
  bash('cat src/calc.ts | head -1'),
  [{ type: 'text', text: 'nothing found' }],
];

type Kind = 'passed' | 'asked' | 'denied' | 'failed';
const refusalOf = ({ refused, result = '' }: Call): Kind => {
  if (!refused) return 'passed';
  if (/not interactive|cannot ask|needs a person/.test(result)) return 'asked';
  return /\.claude\/settings\.|protected|is denied|start a client/.test(result) ? 'denied' : 'failed';
};

describe.each(presets)('%s', (preset) => {
  test.each(modesOf(preset))('a day in %s', async (mode) => {
    const place = prepare(preset, mode);
    try {
      let output = '';
      const turns = [
        ...workday(place.project),
        // The output of the background run is read where the client put it.
        (request: { messages: unknown[] }) => {
          output = /Output is being written to: ([^\s"\\]+\.output)/.exec(JSON.stringify(request.messages))?.[1] ?? '';
          return use('Read', { file_path: output || path.join(place.project, 'README.md') });
        },
      ];
      const { calls } = await session({ ...place, turns, agents: [{ prompt: 'HELPER:', turns: helper(place) }], limit: 90_000 });
      const counts = { passed: 0, asked: 0, denied: 0, failed: 0 };
      for (const call of calls) counts[refusalOf(call)] += 1;
      console.info(
        `${preset} ${mode}: ${calls.length} calls, ${counts.asked} asked, ${counts.denied} denied, ${counts.failed} failed`,
      );
      const denied = calls.filter((call) => refusalOf(call) === 'denied');
      const foreign = denied.filter(
        ({ result = '' }) => !/\(\.claude\/(?:settings\.[\w-]+\.json|modes\.yaml):\d+(?:, [^)]+)?\) is denied/.test(result),
      );
      expect(foreign.map(({ name, input, result }) => [name, JSON.stringify(input), result])).toEqual([]);
      expect(calls.filter((call) => refusalOf(call) === 'failed').map(({ name, result }) => [name, result])).toEqual([]);
      expect(calls.length).toBeGreaterThan(20);
      expect(
        calls.filter(({ name }) => name === 'Read' || name === 'Grep' || name === 'Glob').every(({ refused }) => !refused),
      ).toBe(true);
    } finally {
      place.remove();
    }
  });
});
