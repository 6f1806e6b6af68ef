// A day of ordinary work in the real client, in every mode of every preset: nothing is denied but by the preset's own lines.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Call, pluginFolder, session } from './client.ts';
import { type Block, bash, mcp, use } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';

const examples = path.join(pluginFolder(), 'examples');
const settingsOf = (preset: string) =>
  fs
    .readdirSync(path.join(examples, preset, '.claude'))
    .filter((name) => name.startsWith('settings.'))
    .map((name) => `${name} ${fs.readFileSync(path.join(examples, preset, '.claude', name), 'utf8')}`)
    .join();
/** Presets with the same permissions have the same day. */
const presets = [
  ...new Map(
    fs
      .readdirSync(examples)
      .filter((name) => fs.existsSync(path.join(examples, name, '.claude/modes.yaml')))
      .map((name) => [settingsOf(name), name]),
  ).values(),
];
const modesOf = (preset: string) =>
  [...fs.readFileSync(path.join(examples, preset, '.claude/modes.yaml'), 'utf8').matchAll(/^ {2}([\w-]+):$/gm)].map(
    ([, mode]) => mode as string,
  );

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

/** What an agent does in a day. */
function day(place: Place): Block[][] {
  const file = (name: string) => path.join(place.project, name);
  return [
    use('Read', { file_path: file('src/calc.ts') }),
    bash('grep -rn first src test; find . -name "*.ts" -not -path "./node_modules/*"'),
    bash('git status --short && git log --oneline | head -5'),
    bash('git diff -- src | wc -l; ls -la'),
    mcp('status'),
    use('Write', { file_path: file('src/more.ts'), content: 'export const more = 1;\n' }),
    bash("sed -i 's/first/second/' src/calc.ts"),
    use('Write', { file_path: file('test/more.test.ts'), content: '' }),
    use('Write', {
      file_path: file('.claude/skills/tidy/SKILL.md'),
      content: '---\nname: tidy\ndescription: tidies\n---\nTidy.\n',
    }),
    use('Read', { file_path: file('CLAUDE.md') }),
    use('Edit', { file_path: file('CLAUDE.md'), old_string: '# Notes', new_string: '# Our notes' }),
    bash('npm test'),
    bash('npm run lint'),
    bash('npm test', { run_in_background: true }),
    bash('npm install --no-audit --no-fund ./vendor/dep'),
    bash('git add -A && git commit -q --allow-empty -m "more"'),
    bash('git switch -q -c topic && git switch -q main && git checkout -q other && git checkout -q main'),
    bash('git stash list; git branch -a; git show --stat HEAD | head -3'),
    bash('mkdir -p /tmp/modes-day && echo x > /tmp/modes-day/x && rm -rf /tmp/modes-day'),
    use('Agent', { description: 'look', prompt: 'HELPER: look', subagent_type: 'Explore', run_in_background: false }),
    use('EnterWorktree', { name: 'side' }),
    bash('pwd && git status --short && echo x > src/side.ts'),
    use('ExitWorktree', { action: 'keep' }),
  ];
}

const helper = (place: Place): Block[][] => [
  bash(`grep -rn first ${place.project}/src`),
  bash('cat src/calc.ts | head -1'),
  [{ type: 'text', text: 'nothing found' }],
];

type Kind = 'passed' | 'asked' | 'denied' | 'failed';
const refusalOf = ({ refused, result = '' }: Call): Kind => {
  if (!refused) return 'passed';
  if (/nobody can be asked|cannot ask|needs a person/.test(result)) return 'asked';
  return /\.claude\/settings\.|protected|is denied|start a client/.test(result) ? 'denied' : 'failed';
};

describe.each(presets)('%s', (preset) => {
  test.each(modesOf(preset))('a day in %s', async (mode) => {
    const place = prepare(preset, mode);
    try {
      let output = '';
      const turns = [
        ...day(place),
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
      const foreign = denied.filter(({ result = '' }) => !/\(\.claude\/settings\.[\w-]+\.json:\d+\) is denied/.test(result));
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
