// A person at the keyboard: typed commands, the dialog before anything widens, and the client's own dialog.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pluginFolder, session } from './client.ts';
import { go, viewedMode } from './mode.ts';
import { bash, mcp, say, use } from './model.ts';
import type { Place } from './place.ts';
import { until } from './processes.ts';
import { plainProject, tddProject } from './project.ts';
import { startTerminal, submit, type Terminal } from './terminal.ts';
import { differences, readTree } from './tree.ts';

let place: Place;
let terminal: Terminal | undefined;
beforeEach(() => {
  place = tddProject();
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

const DIALOG = 'requests your input';

/** The screen with the dialog, once it listens: nothing on the screen tells that it does. */
async function drawn(terminal: Terminal): Promise<string> {
  const screen = await terminal.waitFor(DIALOG);
  await new Promise((resolve) => setTimeout(resolve, 500));
  return screen;
}
const answered = (t: Terminal) => t.waitFor('Original prompt:');

describe('typed commands', () => {
  test('/modes:mode, status and help answer without a model request [w:authority.typed] [w:authority.free]', async () => {
    terminal = await startTerminal({ ...place, turns: [] });
    await submit(terminal, '/modes:mode status');
    expect(await answered(terminal)).toMatch(/idle/);
    await submit(terminal, '/modes:mode help');
    expect(await terminal.waitFor('reset')).toContain('/modes:mode');
    terminal.type('/modes:mode');
    await terminal.waitFor('❯ /modes:mode');
    terminal.key('Escape', 'Enter');
    await terminal.waitFor(/Original prompt: \/modes:mode\s*$/m);
    expect(terminal.requests).toEqual([]);
  });

  test('an unknown mode is named, without a dialog', async () => {
    terminal = await startTerminal({ ...place, turns: [] });
    for (const name of ['tset-dev', 'constructor', '__proto__']) {
      await submit(terminal, `/modes:mode ${name}`);
      const screen = await terminal.waitFor(`Original prompt: /modes:mode ${name}`);
      expect(screen).not.toContain(DIALOG);
    }
    expect(terminal.requests).toEqual([]);
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });
});

describe('the dialog before a mode is forced', () => {
  /** A copy of the plugin whose dialogs wait three seconds instead of nine minutes. */
  const hasty = (): string => {
    const folder = path.join(path.dirname(place.home), 'hasty');
    fs.cpSync(pluginFolder(), folder, { recursive: true, verbatimSymlinks: true });
    const patience = /\b54e4\b/;
    const holders = fs.readdirSync(path.join(folder, 'dist')).map((name) => path.join(folder, 'dist', name));
    const found = holders.filter((file) => file.endsWith('.mjs') && patience.test(fs.readFileSync(file, 'utf8')));
    expect(found).toHaveLength(1);
    for (const file of found) fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(patience, '3e3'));
    return folder;
  };
  const force = async (plugin = pluginFolder()) => {
    terminal = await startTerminal({
      ...place,
      plugin,
      turns: [bash('echo typed > src/calc.ts'), say('tried')],
      permissionMode: 'bypassPermissions',
    });
    await submit(terminal, '/modes:mode feature-dev');
    const dialog = await drawn(terminal);
    expect(dialog).toContain('feature-dev');
    return terminal;
  };
  const tryToWrite = async (t: Terminal) => {
    await submit(t, 'go');
    await t.waitFor('● tried');
    return place.read('src/calc.ts');
  };

  test('accepted: the mode changes, and what it may write can be written [w:authority.dialog]', async () => {
    const t = await force();
    t.key('Space', 'Enter', 'Enter');
    await answered(t);
    await until('the view to name feature-dev', () => viewedMode(place) === 'feature-dev');
    expect(t.requests).toEqual([]);
    expect(await tryToWrite(t)).toBe('typed\n');
  });

  const refusals: [string, string[], RegExp][] = [
    ['declined', ['Down', 'Right', 'Enter'], /declined/],
    ['cancelled with Escape', ['Escape'], /stays idle/],
    ['declined although the box was ticked', ['Space', 'Down', 'Right', 'Enter'], /declined/],
  ];
  for (const [name, keys, told] of refusals) {
    test(`${name}: nothing changes`, async () => {
      const t = await force();
      t.key(...keys);
      expect(await answered(t)).toMatch(told);
      expect(t.requests).toEqual([]);
      expect(await tryToWrite(t)).toBe('export const first = 1;\n');
      expect(viewedMode(place) ?? 'idle').toBe('idle');
    });
  }

  test('not answered in its time: nothing changes, nor by a late yes', async () => {
    const t = await force(hasty());
    expect(await answered(t)).toMatch(/was not answered|nobody answered/);
    expect(t.requests).toEqual([]);
    // The client leaves the dialog on the screen; a late yes comes too late.
    t.key('Space', 'Enter', 'Enter');
    expect(await tryToWrite(t)).toBe('export const first = 1;\n');
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });

  test('a stray Enter accepts nothing', async () => {
    const t = await force();
    t.key('Enter', 'Enter', 'Enter');
    const screen = await t.waitFor(/required|Original prompt:/);
    expect(screen).not.toMatch(/Original prompt:/);
    t.key('Escape');
    await answered(t);
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });

  test('/modes:mode reset goes back to the default mode after the dialog', async () => {
    const t = await force();
    t.key('Space', 'Enter', 'Enter');
    await answered(t);
    await submit(t, '/modes:mode reset');
    await drawn(t);
    t.key('Space', 'Enter', 'Enter');
    await t.waitFor('Original prompt: /modes:mode reset');
    await until('the view to name idle', () => viewedMode(place) === 'idle');
    expect(t.requests).toEqual([]);
  });
});

describe('a repository that answers dialogs itself', () => {
  const hook = {
    type: 'command',
    command: `echo '{"hookSpecificOutput":{"hookEventName":"Elicitation","action":"accept","content":{"confirm":true}}}'`,
  };

  test('with an Elicitation hook in its settings: nothing is widened, and the file is named [w:authority.refused]', async () => {
    place.write('.claude/settings.json', JSON.stringify({ hooks: { Elicitation: [{ hooks: [hook] }] } }));
    terminal = await startTerminal({ ...place, turns: [] });
    await submit(terminal, '/modes:mode feature-dev');
    expect(await answered(terminal)).toContain('settings.json');
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });
});

describe('/modes:trust', () => {
  const allowed = async () => {
    const { calls } = await session({
      ...place,
      permissionMode: 'default',
      turns: [...go('test-dev'), use('Write', { file_path: `${place.project}/test/new.test.ts`, content: 'x' }), say('done')],
    });
    return calls.at(-1)?.refused === false && place.exists('test/new.test.ts');
  };

  /** `/modes:trust HASH` as `/modes:trust` itself says to type it. */
  const approval = async () => {
    const { result } = await session({ ...place, prompt: '/modes:trust', turns: [] });
    const [command] = /\/modes:trust [0-9a-f]{12}/.exec(result ?? '') ?? [];
    expect(command).toBeDefined();
    return command as string;
  };

  test('accepted: the allow lines of the project count', async () => {
    terminal = await startTerminal({ ...place, turns: [] });
    await submit(terminal, await approval());
    await drawn(terminal);
    terminal.key('Space', 'Enter', 'Enter');
    expect(await answered(terminal)).toMatch(/trusted/i);
    expect(await allowed()).toBe(true);
  });

  test('declined: they do not', async () => {
    terminal = await startTerminal({ ...place, turns: [] });
    await submit(terminal, await approval());
    await drawn(terminal);
    terminal.key('Down', 'Right', 'Enter');
    await answered(terminal);
    expect(await allowed()).toBe(false);
  });
});

describe('/modes:setup', () => {
  beforeEach(() => {
    place.remove();
    place = plainProject();
  });

  test('accepted: the project is set up, governed at once, and can be worked in', async () => {
    terminal = await startTerminal({
      ...place,
      turns: [bash('echo typed > src/calc.ts'), say('tried')],
      permissionMode: 'bypassPermissions',
    });
    await submit(terminal, '/modes:setup');
    await drawn(terminal);
    expect(place.exists('.claude/modes.yaml')).toBe(false);
    terminal.key('Space', 'Enter', 'Enter');
    await answered(terminal);
    expect(place.read('.claude/modes.yaml')).toContain('test-dev');
    expect(place.read('.gitignore')).toContain('mode.sock');
    expect(place.read('.claude/settings.json')).toContain('mcp__plugin_modes_modes__transition');
    expect(place.read('.claude/settings.json')).not.toContain('force_transition');
    await submit(terminal, 'go');
    await terminal.waitFor('● tried');
    expect(place.read('src/calc.ts')).toBe('export const first = 1;\n');
  });

  test('declined: nothing is written', async () => {
    const before = readTree(place.project);
    terminal = await startTerminal({ ...place, turns: [] });
    await submit(terminal, '/modes:setup');
    await drawn(terminal);
    terminal.key('Escape');
    await answered(terminal);
    expect(differences(before, readTree(place.project))).toEqual([]);
  });
});

describe('force_transition by the model', () => {
  const ask = async (permissionMode: string) => {
    const turns = [mcp('force_transition', { target: 'feature-dev', explanation: 'the person said so' }), say('ended')];
    terminal = await startTerminal({ ...place, turns, permissionMode });
    await submit(terminal, 'go');
    const dialog = await terminal.waitFor('Do you want to proceed?');
    expect(dialog).toContain('feature-dev');
    return terminal;
  };

  for (const permissionMode of ['bypassPermissions', 'auto']) {
    test(`asks a person under ${permissionMode}; yes changes the mode`, async () => {
      const t = await ask(permissionMode);
      await t.press('Enter', '● ended');
      expect(viewedMode(place)).toBe('feature-dev');
    });
  }

  test('no changes nothing [w:authority.force]', async () => {
    const t = await ask('bypassPermissions');
    await t.press('Down', '❯ 2. No');
    await t.press('Enter', 'Interrupted');
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });

  test('Escape changes nothing', async () => {
    const t = await ask('bypassPermissions');
    await t.press('Escape', 'Interrupted');
    expect(viewedMode(place) ?? 'idle').toBe('idle');
  });
});
