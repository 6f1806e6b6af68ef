// The presets in the real client: what each mode closes is closed, and the gates open for the work that they ask for.
import { afterEach, describe, expect, test } from 'vitest';
import { session } from './client.ts';
import type { Place } from './place.ts';
import { expected, presetProject, run, type Step, seen, start, to, write } from './steps.ts';

let place: Place;
afterEach(() => place.remove());

const failing = `require('node:test').test('sum', () => require('node:assert').equal(require('../src/sum.js').sum(1, 2), 3));\n`;
const passing = `require('node:test').test('sum', () => require('node:assert').equal(require('../src/sum.js').sum(0, 0), 0));\n`;
const broken = 'exports.sum = () => 0;\n';
const mended = 'exports.sum = (a, b) => a + b;\n';

interface Scenario {
  /** Where it begins, if not in the default mode. */
  mode?: string;
  files?: Record<string, string>;
  steps: Step[];
  /** What a subagent says last. */
  verdict?: string;
}

const scenarios: [preset: string, name: string, Scenario][] = [
  [
    'design-first',
    'no code before a design that a person approved',
    {
      steps: [
        [write('src/a.js'), 'refused'],
        [to('design'), true],
        [write('src/a.js'), 'refused'],
        [run('echo x > src/a.js'), 'refused'],
        [to('build'), ['approve', 'changed']],
        [write('docs/design/sum.md'), true],
        [to('build'), ['approve']],
      ],
    },
  ],
  [
    'code-review',
    'nothing is pushed before a reviewer and a person said yes',
    {
      steps: [
        [write('src/sum.js', mended), true],
        [run('git push origin main'), 'refused'],
        [run("sh -c 'git push'"), 'refused'],
        [write('test/sum.test.js', failing), true],
        [run('npm test'), true],
        [to('review'), ['git']],
        [run('git add -A && git commit -q -m sum'), true],
        [run('npm test'), true],
        [to('review'), true],
        [write('src/sum.js', broken), 'refused'],
        [to('ship'), ['approve', 'agent', 'passes']],
        [start('reviewer'), true],
        [run('npm test'), true],
        [to('ship'), ['approve']],
      ],
      verdict: 'I read src/sum.js.\n\nPASS',
    },
  ],
  [
    'refactoring',
    'tests before, the same tests after',
    {
      files: { 'src/sum.js': broken },
      steps: [
        [to('cover'), true],
        [run('npm test'), true],
        [write('src/sum.js', mended), 'refused'],
        [to('refactor'), ['tests']],
        [write('test/sum.test.js', passing), true],
        [run('npm test'), true],
        [to('refactor'), true],
        [write('test/sum.test.js', failing), 'refused'],
        [run('rm test/sum.test.js'), 'refused'],
        [write('src/sum.js', mended), true],
        [to('idle'), ['tests']],
        [run('npm test'), true],
        [to('idle'), true],
      ],
    },
  ],
  [
    'security-sensitive',
    'security-sensitive code and secrets are denied',
    {
      files: { '.env': 'TOKEN=1\n', 'src/auth/login.js': 'x\n' },
      steps: [
        [write('src/sum.js', mended), true],
        [write('src/auth/login.js'), 'refused'],
        [run('cat .env'), 'refused'],
        [run("sed -i 's/x/y/' src/auth/login.js"), 'refused'],
        [to('sensitive'), ['approve']],
      ],
    },
  ],
  [
    'security-sensitive',
    "an audit changes nothing, and needs a person's approval to end",
    {
      mode: 'audit',
      files: { 'src/sum.js': mended, 'test/sum.test.js': failing },
      steps: [
        [write('src/sum.js', broken), 'refused'],
        [to('work'), ['approve', 'agent', 'tests']],
        [start('security-reviewer'), true],
        [run('npm test'), true],
        [to('work'), ['approve', 'tests']],
      ],
      verdict: 'PASS',
    },
  ],
  [
    'database-migration',
    'no database changes while a migration is drafted',
    {
      files: { 'src/sum.js': mended, 'test/sum.test.js': failing },
      steps: [
        [to('draft'), true],
        [run('npm run db:migrate'), 'refused'],
        [run("sqlite3 shop.db 'drop table a'"), 'refused'],
        [to('backup'), ['changed', 'passes']],
        [write('migrations/1.sql'), true],
        [run('npm test'), true],
        [to('backup'), true],
        [write('migrations/1.sql', 'y\n'), 'refused'],
        [run('npm run db:migrate'), 'refused'],
        [to('apply'), ['approve', 'passes', 'changed']],
        [run('npm run db:backup'), true],
        [to('apply'), ['approve']],
      ],
    },
  ],
  [
    'docs-driven',
    'the documentation comes first and cannot change later',
    {
      steps: [
        [to('document'), true],
        [write('src/sum.js', mended), 'refused'],
        [to('implement'), ['changed']],
        [write('docs/sum.md', 'Adds two numbers.\n'), true],
        [to('implement'), true],
        [run('echo not > docs/sum.md'), 'refused'],
        [write('src/sum.js', mended), true],
        [to('idle'), ['passes', 'changed']],
        [write('test/sum.test.js', failing), true],
        [run('npm test'), true],
        [to('idle'), true],
      ],
    },
  ],
  [
    'bug-triage',
    'reproduced, diagnosed, fixed',
    {
      files: { 'src/sum.js': broken },
      steps: [
        [to('reproduce'), true],
        [write('src/sum.js', mended), 'refused'],
        [write('test/sum.test.js', failing), true],
        [run('npm test'), true],
        [to('diagnose'), true],
        [write('test/sum.test.js', passing), 'refused'],
        [to('fix'), ['changed']],
        [write('triage/sum.md', 'It never adds.\n'), true],
        [to('fix'), true],
        [write('test/sum.test.js', passing), 'refused'],
        [write('src/sum.js', mended), true],
        [run('npm test'), true],
        [to('idle'), true],
      ],
    },
  ],
];

describe.each(scenarios)('%s', (preset, name, scenario) => {
  test(name, async () => {
    place = presetProject(preset, scenario);
    const { calls } = await session({
      ...place,
      turns: scenario.steps.map(([turn]) => turn(place)),
      agents: [{ prompt: 'HELPER:', turns: [[{ type: 'text', text: scenario.verdict ?? '' }]] }],
      args: ['--allowedTools', 'Bash,Write,Agent'],
      limit: 90_000,
    });
    const own = calls.filter(({ parent }) => parent === null);
    expect(seen(own, scenario.steps)).toEqual(expected(own, scenario.steps));
  });
});
