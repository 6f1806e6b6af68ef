// The dashboard as a person sees it: in a real Chromium, with a keyboard, light and dark, and by nobody else.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBrowser } from './browser.ts';
import { pluginFolder, SYSTEM_PATH } from './client.ts';
import { makePlace, type Place } from './place.ts';

let browser: Browser | undefined;
let place: Place;
let served: ChildProcess;
let url: URL;
const asked: string[] = [];

/** Where no browser can be had, .ci/run says so, and what needs none is tested all the same. */
const hasBrowser = !process.env.MODES_E2E_NO_BROWSER;
const seen = test.skipIf(!hasBrowser);

beforeAll(async () => {
  place = makePlace({ copy: path.join(pluginFolder(), 'examples/tdd-checked') });
  place.write('src/a.js', 'export {};\n');
  served = spawn(process.execPath, [path.join(pluginFolder(), 'dist/modes.mjs'), 'dashboard', '--json'], {
    cwd: place.project,
    env: env(),
  });
  url = new URL(
    await new Promise<string>((resolve) => served.stdout?.once('data', (text) => resolve(JSON.parse(String(text)).url))),
  );
  if (hasBrowser) browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  served?.kill();
  place?.remove();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

const opened = (): Browser => browser as Browser;
const env = () => ({ HOME: place.home, PATH: SYSTEM_PATH, MODES_PLUGIN_ROOT: pluginFolder() });

/** A call that the one-shot process decides and logs. */
function decide(tool: string, input: object): void {
  const event = { hook_event_name: 'PreToolUse', session_id: 's', cwd: place.project, tool_name: tool, tool_input: input };
  const ended = spawnSync(process.execPath, [path.join(pluginFolder(), 'dist/hook.cjs'), 'PreToolUse', place.project], {
    input: JSON.stringify({ ...event, tool_use_id: `toolu_${Math.random()}`, permission_mode: 'default' }),
    env: env(),
    encoding: 'utf8',
  });
  expect([ended.status, ended.stderr]).toEqual([0, '']);
}
const file = (name: string) => path.join(place.project, name);

async function open(options: { colorScheme?: 'light' | 'dark' } = {}): Promise<Page> {
  const context = await opened().newContext({ viewport: { width: 1100, height: 900 }, ...options });
  const page = await context.newPage();
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => asked.push(`error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && asked.push(`error: ${message.text()}`));
  await page.goto(url.href);
  await page.getByText('Mode idle').waitFor();
  return page;
}

seen('shows the machine with the present mode lit, and decisions as they come', async () => {
  const page = await open();
  expect(await page.locator('svg .now').getAttribute('data-mode')).toBe('idle');
  expect(await page.locator('svg .state').count()).toBe(3);
  await page.setViewportSize({ width: 500, height: 700 });
  const scale = await page.locator('#machine svg').evaluate((svg: SVGSVGElement) => svg.clientWidth / svg.width.baseVal.value);
  expect(scale).toBeGreaterThan(0.7);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(500);
  decide('Write', { file_path: file('src/a.js'), content: '<img src=x onerror=alert(1)>' });
  await page.getByRole('button', { name: 'Write src/a.js' }).waitFor();
  decide('Bash', { command: 'echo "<b>bold</b>" > src/a.js' });
  const row = page.getByRole('row', { name: /<b>bold<\/b>/ });
  await row.waitFor();
  expect(await row.getByRole('cell').nth(1).textContent()).toBe('deny');
  expect(await page.getByRole('row').nth(1).textContent()).toContain('bold');
});

seen('explains a decision on a click and by the keyboard, and finds it by words', async () => {
  decide('Read', { file_path: file('src/a.js') });
  const page = await open();
  await page.getByRole('button', { name: 'Read src/a.js' }).first().waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('WRITE src/a.js');
  await expect.poll(() => page.getByRole('button', { name: 'Read src/a.js' }).count()).toBe(0);
  const found = page.getByRole('button', { name: 'Write src/a.js' });
  await found.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Why' });
  await dialog.waitFor();
  await expect.poll(() => dialog.textContent()).toMatch(/settings\.idle\.json:\d+/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  expect(await found.evaluate((element) => element === document.activeElement)).toBe(true);
  // What is shown besides does not take it away.
  await page.getByLabel('Search').evaluate((search: HTMLInputElement) => {
    search.value = '';
    search.dispatchEvent(new Event('input', { bubbles: true }));
  });
  await page.getByRole('button', { name: 'Read src/a.js' }).first().waitFor();
  expect(await found.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByRole('combobox', { name: 'Decision' }).selectOption('pass');
  await expect.poll(() => page.locator('#decisions td.deny').count()).toBe(0);
  expect(await page.locator('#decisions td.pass').count()).toBeGreaterThan(0);
});

seen('shows which rules never matched', async () => {
  decide('Write', { file_path: file('src/a.js'), content: '' });
  const page = await open();
  const fired = page.locator('#rules tr', { hasText: '@edit' });
  await expect.poll(() => fired.first().locator('td').nth(4).textContent()).toMatch(/^[1-9]\d*$/);
  const all = await page.locator('#rules tbody tr').count();
  await page.getByLabel('only rules that never matched').check();
  const silent = await page.locator('#rules tbody tr').count();
  expect(silent).toBeLessThan(all);
  expect(await page.locator('#rules tbody tr', { hasText: 'never' }).count()).toBe(silent);
  await expect.poll(() => page.locator('#coverage').textContent()).toContain(`${all - silent} of ${all} rules`);
});

seen.each(['light', 'dark'] as const)('is readable by everybody, %s', async (colorScheme) => {
  decide('Bash', { command: 'sed -i s/a/b/ src/a.js' });
  const page = await open({ colorScheme });
  await page.locator('#decisions tbody tr').first().waitFor();
  await page.waitForTimeout(1_800);
  await page.evaluate(fs.readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } };
    return (await axe.run()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
  });
  expect(violations).toEqual([]);
  const [red] = /\d+/.exec(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)) ?? [];
  expect(Number(red) > 128).toBe(colorScheme === 'light');
});

seen('a page without the token is told nothing', async () => {
  const context = await opened().newContext();
  const page = await context.newPage();
  await page.goto(`${url.origin}/`);
  await page.getByText('Open the address that modes dashboard printed.').waitFor();
  expect(await page.locator('svg').count()).toBe(0);
});

seen('asks nobody but its own program, and nothing in it fails', () => {
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((one) => !one.startsWith(`${url.origin}/`))).toEqual([]);
});

test.each<[string, Record<string, string>, string, number]>([
  ['the page', {}, '/', 200],
  ['data without a token', {}, '/api/state', 403],
  ['data with another token', { authorization: `Bearer ${'a'.repeat(43)}` }, '/api/state', 403],
  ['data with the token', { authorization: 'Bearer TOKEN' }, '/api/state', 200],
  ['a name that leads here', { host: 'modes.example:PORT', authorization: 'Bearer TOKEN' }, '/api/state', 421],
  ['another page', { origin: 'http://evil.example', authorization: 'Bearer TOKEN' }, '/api/state', 403],
  ['an element of another page', { 'sec-fetch-site': 'cross-site' }, '/', 403],
  ['another port of this machine', { 'sec-fetch-site': 'same-site', authorization: 'Bearer TOKEN' }, '/api/rules', 403],
  ['what is not there', { authorization: 'Bearer TOKEN' }, '/api/nothing', 404],
  ['a folder above', { authorization: 'Bearer TOKEN' }, '/../../etc/passwd', 404],
])('%s gets the expected answer', async (_, given, target, status) => {
  const token = url.hash.slice(1);
  const headers = Object.fromEntries(
    Object.entries({ host: url.host, ...given }).map(([name, text]) => [
      name,
      text.replace('TOKEN', token).replace('PORT', url.port),
    ]),
  );
  expect(await ask('GET', target, headers)).toBe(status);
  if (status === 200) expect(await ask('POST', target, headers)).toBe(405);
});

function ask(method: string, target: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.request({ host: '127.0.0.1', port: url.port, method, path: target, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject);
    request.end();
  });
}

seen('the emergency stop is told at once', async () => {
  const page = await open();
  const stopped = spawnSync(process.execPath, [path.join(pluginFolder(), 'dist/modes.mjs'), 'stop'], {
    cwd: place.project,
    env: env(),
  });
  expect(stopped.status).toBe(0);
  await page.getByText('Mode not known').waitFor();
  expect(await page.locator('#notices').textContent()).toMatch(/stop/i);
});

seen('a signal ends the program, and its page says so', async () => {
  const page = await (await opened().newContext()).newPage();
  await page.goto(url.href);
  await page.getByText('Mode not known').waitFor();
  const ended = once(served, 'exit');
  served.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
  await page.getByText(/The dashboard (has ended|does not answer)\./).waitFor();
});
