// A person sees which tests a gate waits for: in the client, in a terminal and on the dashboard. And the client shows that the engine
// runs them.
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { approve } from './approve.ts';
import { openBrowser } from './browser.ts';
import { pluginFolder, SYSTEM_PATH } from './client.ts';
import { go } from './mode.ts';
import { bash, say, type Turn } from './model.ts';
import { makePlace } from './place.ts';
import { until } from './processes.ts';
import { startTerminal, submit } from './terminal.ts';
import { changed, gatesFor } from './test-suites.ts';

const testFile = (wait: number): string => `const { test } = require('node:test');
const assert = require('node:assert');
const { add, subtract } = require('../src/sum.js');
test('adds', async () => { await new Promise((go) => setTimeout(go, ${wait})); assert.equal(add(1, 1), 2); });
test('subtracts', () => assert.equal(subtract(3, 1), 2));
`;
const source = (add: string, subtract: string): string =>
  `exports.add = (a, b) => ${add};\nexports.subtract = (a, b) => ${subtract};\n`;
const modes = path.join(pluginFolder(), 'dist/modes.mjs');

/** A project whose gates ask for tests by name. */
function projectWith(where: string) {
  const place = makePlace();
  place.write('.claude/modes.yaml', gatesFor('npm test', where));
  for (const mode of ['red', 'green', 'done'])
    place.write(`.claude/settings.${mode}.json`, JSON.stringify({ permissions: { allow: ['Bash(**)'] } }));
  place.write('package.json', '{"name":"sum","scripts":{"test":"node --test"}}\n');
  place.write('src/sum.js', source('0', '0'));
  return place;
}

test('`modes gates`, /modes:mode and the dashboard show each test that a gate waits for, with ✓ or ✗ [w:tests.shown]', async () => {
  const place = projectWith('');
  await approve(place);
  const env = { HOME: place.home, PATH: SYSTEM_PATH, MODES_PLUGIN_ROOT: pluginFolder() };
  const terminal = await startTerminal({
    ...place,
    turns: [
      bash('npm test'),
      changed(place, { 'test/sum.test.js': testFile(0) }, bash('npm test')),
      ...go('green'),
      changed(place, { 'src/sum.js': source('a + b', '0') }, bash('npm test')),
      ...go('done'),
      say('finished'),
    ],
    rows: 100,
  });
  const served = spawn(process.execPath, [modes, 'dashboard', '--json'], { cwd: place.project, env });
  const browser = process.env.MODES_E2E_NO_BROWSER ? null : await openBrowser();
  try {
    const url = await new Promise<string>((resolve) =>
      served.stdout.once('data', (text) => resolve(JSON.parse(String(text)).url)),
    );
    await submit(terminal, 'go on');
    await terminal.waitFor(/● finished/, 120_000);
    await submit(terminal, '/modes:mode');
    const screen = await terminal.waitFor(/✓ adds[\s\S]*✗ subtracts/, 30_000);
    expect(screen).toMatch(/✗ tests: npm test, passing: all/);
    // The session stores what it saw after a short while without calls.
    const gates = (...more: string[]) =>
      spawnSync(process.execPath, [modes, 'gates', ...more], { cwd: place.project, env, encoding: 'utf8' }).stdout;
    await until('the list of gates', () => gates().includes('✗ subtracts'), 20_000, 500);
    expect(gates()).toMatch(
      /✗ tests: npm test, passing: all\n.*2 tests were failing .*`subtracts` failed.*\n.*\n +✓ adds\n +✗ subtracts\n/,
    );
    expect(gates('--json')).toMatch(/"title": ?"adds",\s*"holds": ?true/);
    if (browser === null) return;
    const page = await browser.newPage();
    await page.goto(url);
    await page.locator('li.met', { hasText: /^adds$/ }).waitFor();
    await page.locator('li.unmet', { hasText: /^subtracts$/ }).waitFor();
  } finally {
    await browser?.close();
    served.kill();
    await terminal.stop();
    place.remove();
  }
}, 240_000);

test('while the engine runs the tests, the client shows it, and the answer names the tests [w:run.answers] [w:tests.source]', async () => {
  const place = projectWith(', by: engine');
  await approve(place);
  const [green, done] = go('green', 'done');
  const turns = [changed(place, { 'test/sum.test.js': testFile(7_000) }, green as Turn), done as Turn, say('finished')];
  const terminal = await startTerminal({ ...place, turns, rows: 100 });
  try {
    await submit(terminal, 'go on');
    await terminal.waitFor(/npm test: \d+ s of at most 600 s/, 60_000);
    await terminal.waitFor(/● finished/, 90_000);
    const asked = JSON.stringify(terminal.requests.at(-1));
    expect(asked).toContain('2 tests were failing when you entered this mode; `adds`, `subtracts` failed in the last run');
  } finally {
    await terminal.stop();
    place.remove();
  }
}, 240_000);
