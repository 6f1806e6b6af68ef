// Verified runs in the real client: a program runs without a question, and what it changes among guarded files closes the gates.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { session } from './client.ts';
import { dataFolder, go, viewedMode } from './mode.ts';
import { bash, type Turn, textOf, use } from './model.ts';
import { makePlace, type Place } from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
  place.write(
    '.claude/modes.yaml',
    `name: verified
default: work
modes:
  work:
    transitions: [{to: done, constraint: the work is done}]
  done:
    transitions: [{to: work, constraint: there is more to do}]
`,
  );
  govern('verify');
  place.write('src/a.js', 'one\n');
  place.write('build.js', "require('fs').writeFileSync('out.txt', 'built');\n");
  place.write('harm.js', "require('fs').writeFileSync('src/a.js', 'harm');\n");
  trust();
});
afterEach(() => place.remove());

function govern(uncertain: string): void {
  place.write(
    '.claude/settings.work.json',
    JSON.stringify({ permissions: { deny: ['Write(src/**)'], uncertain, allow: ['Bash(git status)'] } }),
  );
}

function trust(): void {
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
}

/** In a session without a person: what asks is refused. */
const run = (turns: Turn[]) => session({ ...place, turns });

describe('uncertain: verify', () => {
  test('a program runs without a person, and the next mode is open', async () => {
    const { calls } = await run([bash('node build.js'), ...go('done')]);
    expect(calls.map(({ refused }) => refused)).toEqual([false, false]);
    expect(place.read('out.txt')).toBe('built');
    expect(viewedMode(place)).toBe('done');
  });

  test('the model learns at once of a changed guarded file, and the gate stays closed until it is restored', async () => {
    const { calls, requests } = await run([
      bash('node harm.js'),
      ...go('done'),
      bash('node build.js'),
      () => {
        place.write('src/a.js', 'one\n');
        return go('done')[0] ?? [];
      },
    ]);
    expect(calls.map(({ refused }) => refused)).toEqual([false, true, false, false]);
    expect(calls[1]?.result).toContain('src/a.js changed although the mode guards it (Write(src/**)');
    expect(textOf(requests[1] as never)).toContain('src/a.js was changed: Write(src/**)');
    expect(viewedMode(place)).toBe('done');
  });

  test.each(['npm run deploy', 'node -e "eval(1)"', 'npm publish', 'frobnicate'])('%s is not verified', async (command) => {
    const { calls } = await run([bash(command)]);
    expect(calls.map(({ refused }) => refused)).toEqual([true]);
  });

  test('a write by a tool stays denied', async () => {
    const { calls } = await run([
      bash('node build.js'),
      use('Write', { file_path: `${place.project}/src/a.js`, content: 'x' }),
      bash('echo x > src/a.js'),
    ]);
    expect(calls.map(({ refused }) => refused)).toEqual([false, true, true]);
    expect(place.read('src/a.js')).toBe('one\n');
  });
});

test.each(['ask', 'deny'])('uncertain: %s stops the program', async (uncertain) => {
  govern(uncertain);
  trust();
  const { calls } = await run([bash('node build.js')]);
  expect(calls.map(({ refused }) => refused)).toEqual([true]);
});
