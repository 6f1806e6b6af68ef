// Long workflows of the presets in the interactive client, where it accepts edits by itself: how often a person is asked.
import { afterEach, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { dataFolder, viewedMode } from './mode.ts';
import { type Block, type ModelRequest, mcp, say, use } from './model.ts';
import type { Place } from './place.ts';
import { presetProject, run, to, write } from './steps.ts';
import { accept, answers, drawn, startTerminal, submit, type Terminal } from './terminal.ts';

let place: Place;
let terminal: Terminal | undefined;
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

type Act = (at: Place) => Block[];
/** What the agent does in answer to one prompt, or what the person does: a prompt alone, or one that opens a dialog. */
type Part = { says: string; does: Act[] } | { types: string; opens: 'dialog' };

const look =
  (name: string): Act =>
  (at) =>
    use('Read', { file_path: `${at.project}/${name}` });
const change =
  (name: string, before: string, after: string): Act =>
  (at) =>
    use('Edit', { file_path: `${at.project}/${name}`, old_string: before, new_string: after });
const plan =
  (name: string, input: Record<string, unknown>): Act =>
  () =>
    mcp(`plan_${name}`, input);

const broken = 'exports.sum = () => 0;\n';
const mended = 'exports.sum = (a, b) => a + b;\n';
const testOfSum = `require('node:test').test('sum', () => require('node:assert').equal(require('../src/sum.js').sum(1, 2), 3));\n`;
const scripts = JSON.stringify({
  name: 'sum',
  scripts: {
    test: 'node --test test',
    lint: 'node lint.js',
    'db:backup': 'mkdir -p backups && date > backups/shop.dump',
    'db:migrate': 'node migrate.js',
    'db:verify': 'node migrate.js --verify',
  },
});
const files = {
  'package.json': `${scripts}\n`,
  'src/sum.js': broken,
  'lint.js': "require('node:fs').readFileSync('src/sum.js');\n",
  'migrate.js': 'process.exit(0);\n',
};

interface Workflow {
  preset: string;
  asked: number;
  parts: Part[];
  ends: string;
}

const reading = [
  look('src/sum.js'),
  run('grep -rn sum src'),
  run('git status --short && git log --oneline | head -5'),
  run('ls -la src && wc -l src/*.js'),
];

const workflows: Workflow[] = [
  {
    preset: 'tdd-checked',
    asked: 0,
    ends: 'idle',
    parts: [
      { says: 'sum adds nothing', does: [...reading, to('test-dev')] },
      {
        says: 'write a test',
        does: [run('mkdir -p test'), write('test/sum.test.js', testOfSum), run('npm test'), to('feature-dev')],
      },
      {
        says: 'make it pass',
        does: [
          look('src/sum.js'),
          change('src/sum.js', '() => 0', '(a, b) => a + b'),
          run('npm run lint'),
          run('npm test'),
          run('git diff'),
          to('idle'),
        ],
      },
    ],
  },
  {
    preset: 'daic',
    asked: 1,
    ends: 'discussion',
    parts: [
      {
        says: 'how would you mend sum?',
        does: [...reading, run('npm test'), plan('propose', { title: 'sum', items: ['write a test', 'mend sum'] })],
      },
      { types: 'yert', opens: 'dialog' },
      {
        says: 'begin',
        does: [
          write('test/sum.test.js', testOfSum),
          run('npm test'),
          plan('check', { item: 1 }),
          look('src/sum.js'),
          change('src/sum.js', '() => 0', '(a, b) => a + b'),
          run('npm run lint && npm test'),
          plan('check', { item: 2 }),
        ],
      },
    ],
  },
  {
    preset: 'design-first',
    asked: 1,
    ends: 'idle',
    parts: [
      {
        says: 'we need sums',
        does: [
          ...reading,
          to('design'),
          run('mkdir -p docs/design'),
          write('docs/design/sum.md', '# Sums\n'),
          run('cat docs/design/sum.md'),
          to('build'),
        ],
      },
      { types: '/modes:approve build', opens: 'dialog' },
      {
        says: 'build it',
        does: [
          to('build'),
          write('src/sum.js', mended),
          write('test/sum.test.js', testOfSum),
          run('npm run lint'),
          run('npm test'),
          to('idle'),
        ],
      },
    ],
  },
  {
    preset: 'database-migration',
    asked: 1,
    ends: 'idle',
    parts: [
      {
        says: 'orders need a date',
        does: [
          ...reading,
          to('draft'),
          run('mkdir -p migrations'),
          write('migrations/001.sql', 'alter table orders add column placed date;\n'),
          write('test/sum.test.js', testOfSum.replace('3)', '0)')),
          run('npm test'),
          to('backup'),
          run('npm run db:backup'),
          run('ls -l backups'),
          to('apply'),
        ],
      },
      { types: '/modes:approve apply', opens: 'dialog' },
      { says: 'apply it', does: [to('apply'), run('npm run db:migrate'), to('verify'), run('npm run db:verify'), to('idle')] },
    ],
  },
];

/** Results of calls that did not go through, but for tests that fail. */
function refusals(request: ModelRequest | undefined): string[] {
  const blocks = (request?.messages ?? []).flatMap(({ content }) => (typeof content === 'string' ? [] : (content as Result[])));
  return blocks
    .filter(({ type, is_error: failed }) => type === 'tool_result' && failed === true)
    .map(({ content }) => JSON.stringify(content))
    .filter((text) => !/Exit code 1/.test(text));
}
interface Result {
  type: string;
  is_error?: boolean;
  content?: unknown;
}

test.each(workflows)(
  '$preset: a person is asked $asked times',
  async ({ preset, asked, parts, ends }) => {
    place = presetProject(preset, { files });
    recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
    const turns = parts.flatMap((part, at) =>
      'says' in part
        ? [...part.does.map((act) => () => act(place)), say(`part ${at} is done`)]
        : part.types.startsWith('/')
          ? []
          : [say(`part ${at} is done`)],
    );
    terminal = await startTerminal({ ...place, turns, permissionMode: 'acceptEdits', rows: 60 });
    let dialogs = 0;
    for (const [at, part] of parts.entries()) {
      const done = `● part ${at} is done`;
      if ('says' in part) {
        await submit(terminal, part.says);
        const screen = await terminal.waitFor(new RegExp(`${done}|Do you want|requests your input`), 90_000);
        expect(screen, `${preset}, part ${at}`).toContain(done);
        continue;
      }
      const before = answers(terminal);
      await submit(terminal, part.types);
      await drawn(terminal);
      dialogs += 1;
      await accept(terminal);
      if (part.types.startsWith('/'))
        await expect.poll(() => answers(terminal as Terminal), { timeout: 20_000 }).toBeGreaterThan(before);
      else await terminal.waitFor(done);
    }
    expect(refusals(terminal.requests.at(-1))).toEqual(
      preset === 'daic' || preset === 'tdd-checked' ? [] : [expect.stringContaining('approve')],
    );
    expect(dialogs).toBe(asked);
    expect(viewedMode(place)).toBe(ends);
  },
  240_000,
);
