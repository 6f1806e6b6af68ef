// The client's own permission mode follows a mode that names one, as far as the client lets a hook set it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { session } from './client.ts';
import { dataFolder } from './mode.ts';
import { mcp, say } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';
import { startTerminal, submit, type Terminal } from './terminal.ts';

const modes = `name: pm
default: idle
modes:
  idle:
    transitions: [{to: design}, {to: build}]
  design:
    permissionMode: plan
    transitions: [{to: build}]
  build:
    permissionMode: acceptEdits
    transitions: [{to: design}, {to: careful}]
  careful:
    permissionMode: dontAsk
    transitions: [{to: build}]
`;

let place: Place;
let terminal: Terminal | undefined;
beforeEach(() => {
  place = plainProject();
  place.write('.claude/modes.yaml', modes);
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

const go = (target: string) => mcp('transition', { target, explanation: 'because' });
const follow = () => mcp('permission_mode');

/** The permission modes that the client says it is in, one after the other. */
async function headless(permissionMode: string, turns: ReturnType<typeof go>[]) {
  const { calls, lines } = await session({ ...place, permissionMode, turns: [...turns, say('done')] });
  const told = lines.flatMap((line) => [...JSON.stringify(line).matchAll(/"permissionMode":"(\w+)"/g)].map(([, mode]) => mode));
  return { results: calls.map(({ result, refused }) => `${refused ? 'refused: ' : ''}${result}`), told: [...new Set(told)] };
}

describe('without a person', () => {
  test('a stricter permission mode is set; a weaker one, or one without an exit, is refused with a remedy', async () => {
    const turns = [follow(), go('design'), follow(), go('build'), follow(), go('careful'), follow(), go('build')];
    const { results, told } = await headless('default', turns);
    expect(results[0]).toContain('refused: The mode names no valid permission mode');
    expect(results[1]).toContain('permission_mode tool');
    expect(results[2]).toContain(
      'refused: The permission mode stays default: this session is not interactive, so no one can end the plan mode.',
    );
    expect(results[4]).toContain('refused: The permission mode stays default: acceptEdits lets more happen without asking.');
    expect(results[4]).toContain('--permission-mode acceptEdits');
    expect(results[6]).toMatch(/^\[.*success\W+true.*dontAsk/);
    expect(results[7]).toMatch(/^\[.*success\W+true/);
    expect(told).toEqual(['default', 'dontAsk']);
  });

  test('a client without dialogs gets no change, and the tool reports that', async () => {
    const { results, told } = await headless('bypassPermissions', [go('design'), follow()]);
    expect(results[1]).toContain('it did not ask (permission mode bypassPermissions');
    expect(told).toEqual(['bypassPermissions']);
  });
});

describe('with a person', () => {
  test("a stricter one is set before a person answers the client's dialog", async () => {
    terminal = await startTerminal({
      ...place,
      permissionMode: 'acceptEdits',
      turns: [go('design'), follow(), say('● planned'), go('build'), follow(), say('● over')],
    });
    await submit(terminal, 'go on');
    await terminal.waitFor('● planned');
    await terminal.waitFor('Allowed by PermissionRequest hook');
    await terminal.waitFor('plan mode on');
    await submit(terminal, 'and build');
    // In plan mode the client asks about every tool that is not reading.
    await terminal.waitFor('Transition Tool');
    await terminal.press('Enter', '● over');
    expect(terminal.screen()).toContain('plan mode on');
    expect(JSON.stringify(terminal.requests.at(-1)?.messages)).toContain('The permission mode stays plan');
  });
});
