// Keys of a mode in the real client: groups, enforcement, agents, and what of them the model is told.
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { session } from './client.ts';
import { contentsBelow, dataFolder, go } from './mode.ts';
import { bash, type ModelRequest, say, type Turn, textOf, use } from './model.ts';
import type { Place } from './place.ts';
import { plainProject } from './project.ts';
import { startTerminal, submit, type Terminal } from './terminal.ts';

let place: Place;
beforeEach(() => {
  place = plainProject();
});
afterEach(() => place.remove());

/** A project in the mode `build`, whose keys these are; approved by a person. */
function modes(keys: string, settings: Record<string, object> = {}): void {
  place.write(
    '.claude/modes.yaml',
    `name: keys\ndefault: build\nmodes:\n  build:\n${keys}    transitions: [{to: other}]\n  other:\n`,
  );
  for (const [mode, permissions] of Object.entries(settings))
    place.write(`.claude/settings.${mode}.json`, JSON.stringify({ permissions }));
  trust();
}

/** A person approves the project as it is. */
const trust = () =>
  recordTrust(dataFolder(place.home), place.project, loadConfiguration(place.project).hash, 'terminal', new Date());

const write = (file: string) => use('Write', { file_path: `${place.project}/${file}`, content: 'new\n' });
/** A terminal whose session has its server: before a call the client waits for it, before a prompt it does not. */
async function startServed(turns: Turn[]): Promise<Terminal> {
  const look = use('Read', { file_path: `${place.project}/README.md` });
  const terminal = await startTerminal({ ...place, turns: [look, say('ready'), ...turns] });
  await submit(terminal, 'look');
  await terminal.waitFor('● ready');
  return terminal;
}

/** The newest messages: the prompt or the result of a call, and what hooks say of it. */
const newest = (request: ModelRequest | undefined) => JSON.stringify(request?.messages.slice(-2) ?? '');

describe('groups', () => {
  test('deny every tool that they do not list, with a reason', async () => {
    modes(
      '    groups:\n      - read\n      - command\n      - [edit, {fileRegex: "^test/.*\\\\.ts$", description: test files only}]\n      - agent\n',
    );
    const { calls } = await session({
      ...place,
      turns: [
        write('test/new.ts'),
        write('src/new.ts'),
        bash('echo x > src/calc.ts'),
        bash('cat src/calc.ts'),
        use('WebFetch', { url: 'http://127.0.0.1:9/', prompt: 'p' }),
        say('done'),
      ],
    });
    expect(calls.map(({ name, refused }) => [name, refused])).toEqual([
      ['Write', false],
      ['Write', true],
      ['Bash', true],
      ['Bash', false],
      ['WebFetch', true],
    ]);
    expect(calls[1]?.result).toContain(
      'Write outside /^test/.*\\.ts$/ (.claude/modes.yaml:8, test files only) is denied in build: Write would change src/new.ts.',
    );
    expect(calls[2]?.result).toContain('(.claude/modes.yaml:8, test files only)');
    expect(calls[4]?.result).toContain('@web (.claude/modes.yaml:5, the groups here do not include web) is denied in build');
    expect(place.read('test/new.ts')).toBe('new\n');
    expect(place.exists('src/new.ts')).toBe(false);
    expect(place.read('src/calc.ts')).toBe('export const first = 1;\n');
  });
});

describe('enforcement', () => {
  const rules = { deny: ['Write(src/**)'] };

  test('enforce denies the call; ask denies it without a person, and gives that reason; advise lets it run and gives the model the reason against it', async () => {
    place.write(
      '.claude/modes.yaml',
      'name: keys\ndefault: build\nmodes:\n  build:\n    enforcement: enforce\n    transitions: [{to: careful}]\n  careful:\n    enforcement: ask\n    transitions: [{to: free}]\n  free:\n    enforcement: advise\n',
    );
    for (const mode of ['build', 'careful', 'free'])
      place.write(`.claude/settings.${mode}.json`, JSON.stringify({ permissions: rules }));
    trust();
    const { calls, requests } = await session({
      ...place,
      turns: [write('src/one.ts'), ...go('careful'), write('src/two.ts'), ...go('free'), write('src/three.ts'), say('done')],
    });
    expect(calls.map(({ refused }) => refused)).toEqual([true, false, true, false, false]);
    expect(calls[0]?.result).toContain('is denied in build');
    expect(calls[2]?.result).toContain("needs a person's approval in careful");
    expect(calls[2]?.result).toContain('no one can approve');
    expect(['one', 'two', 'three'].map((name) => place.exists(`src/${name}.ts`))).toEqual([false, false, true]);
    expect(newest(requests[5])).toContain('free advises against this call: Write(src/**) (.claude/settings.free.json:1)');
  });

  test('ask: a person is asked, and an approval lets the call run', async () => {
    modes('    enforcement: ask\n', { build: { deny: ['Bash(touch:*)'] } });
    const terminal = await startTerminal({ ...place, turns: [bash('touch src/new.ts'), say('written')] });
    try {
      await submit(terminal, 'write');
      await terminal.waitFor(/needs a person's approval in build/);
      await terminal.press('Enter', '● written');
      expect(place.exists('src/new.ts')).toBe(true);
    } finally {
      await terminal.stop();
    }
  });

  test('advise: a person sees the reason too', async () => {
    modes('    enforcement: advise\n', { build: { deny: ['Bash(touch:*)'] } });
    const terminal = await startTerminal({
      ...place,
      permissionMode: 'bypassPermissions',
      turns: [bash('touch src/new.ts'), say('touched')],
    });
    try {
      await submit(terminal, 'touch');
      await terminal.waitFor('● touched');
      await terminal.waitFor(/build advises against this call/);
      expect(place.exists('src/new.ts')).toBe(true);
    } finally {
      await terminal.stop();
    }
  });

  test('advise has no effect in an untrusted project', async () => {
    modes('    enforcement: enforce\n', { build: rules });
    place.write('.claude/modes.yaml', place.read('.claude/modes.yaml')!.replace('enforcement: enforce', 'enforcement: advise'));
    const { calls } = await session({ ...place, turns: [write('src/new.ts'), say('done')] });
    expect(calls[0]?.refused).toBe(true);
  });
});

describe('agents', () => {
  const start = (type: string, prompt: string) =>
    use('Agent', { description: 'helper', prompt, subagent_type: type, run_in_background: false });

  test('restrict a subagent but not the main thread, and the subagent sees the restrictions [w:subagent.mode] [w:subagent.agents]', async () => {
    modes('    agents:\n      general-purpose: {mode: other, canEdit: "test/**"}\n', { other: { deny: ['Bash(touch:*)'] } });
    const { calls, requests } = await session({
      ...place,
      turns: [start('general-purpose', 'SUBAGENT: write'), write('src/main.ts'), bash('touch src/touched'), say('done')],
      agents: [
        {
          prompt: 'SUBAGENT:',
          turns: [write('src/sub.ts'), write('test/sub.ts'), bash('echo x > src/sub2.ts'), bash('touch test/t'), say('seen')],
        },
      ],
    });
    const inside = calls.filter(({ parent }) => parent !== null);
    expect(inside.map(({ name, refused }) => [name, refused])).toEqual([
      ['Write', true],
      ['Write', false],
      ['Bash', true],
      ['Bash', true],
    ]);
    expect(inside[0]?.result).toContain('(.claude/modes.yaml:6, for subagents of type general-purpose) is denied in build');
    expect(inside[3]?.result).toContain('Bash(touch:*) (.claude/settings.other.json:1) is denied in other');
    expect(place.exists('src/sub.ts')).toBe(false);
    expect(place.exists('src/sub2.ts')).toBe(false);
    expect(place.read('test/sub.ts')).toBe('new\n');
    expect(place.read('src/main.ts')).toBe('new\n');
    expect(place.exists('src/touched')).toBe(true);
    const first = requests.find((request) => JSON.stringify(request.messages[0]).includes('SUBAGENT:'));
    expect(textOf(first!)).toContain('SUBAGENTS OF TYPE general-purpose');
    expect(textOf(first!)).toContain('MODE: build');
  });

  test('of another type have the permissions of their parent', async () => {
    modes('    agents:\n      Explore: {canEdit: "test/**"}\n');
    const { calls } = await session({
      ...place,
      turns: [start('general-purpose', 'SUBAGENT: write'), say('done')],
      agents: [{ prompt: 'SUBAGENT:', turns: [write('src/sub.ts'), say('seen')] }],
    });
    expect(calls.find(({ parent }) => parent !== null)?.refused).toBe(false);
  });

  test('that are restricted cannot start a less restricted one [w:subagent.agents]', async () => {
    modes('    agents:\n      general-purpose: {canEdit: "test/**"}\n');
    const skill = '---\nname: forked\ndescription: forks\ncontext: fork\nagent: Explore\n---\nNESTED: write\n';
    place.write('.claude/skills/forked/SKILL.md', skill);
    const { calls } = await session({
      ...place,
      turns: [start('general-purpose', 'SUBAGENT: start'), say('done')],
      agents: [
        { prompt: 'SUBAGENT:', turns: [start('Explore', 'NESTED: write'), use('Skill', { skill: 'forked' }), say('seen')] },
        { prompt: 'NESTED:', turns: [bash('echo x > src/nested.ts'), say('seen')] },
      ],
    });
    const nested = calls.filter(({ parent }) => parent !== null);
    expect(nested.map(({ name, refused }) => [name, refused])).toEqual([
      ['Agent', true],
      ['Skill', true],
    ]);
    expect(nested[0]?.result).toContain('so Explore is denied');
    expect(place.exists('src/nested.ts')).toBe(false);
  });
});

describe('the model receives', () => {
  test('role, modes with their whenToUse, and the prefix with every prompt [w:context.extra]', async () => {
    modes(
      '    title: Building\n    role: You build.\n    whenToUse: Something is to be built.\n    promptPrefix: Think twice.\n    permissionMode: acceptEdits\n',
    );
    const terminal = await startServed([say('one'), say('two')]);
    const told = () => newest(terminal.requests.at(-1));
    try {
      await submit(terminal, 'hello');
      await terminal.waitFor('● one');
      const first = textOf(terminal.requests.at(-1)!);
      expect(first).toContain('MODE: build (Building)');
      expect(first).toContain('permission mode for it: acceptEdits');
      expect(first).toContain('INSTRUCTIONS:\\nYou build.');
      expect(first).toContain('- build (Building), now: Something is to be built.');
      expect(told()).toContain('Think twice.');
      await submit(terminal, 'hello again');
      await terminal.waitFor('● two');
      expect(textOf(terminal.requests.at(-1)!)).toContain('MODE: build. Transitions: other.');
      expect(told()).not.toContain('You build.');
      expect(told()).toContain('Think twice.');
    } finally {
      await terminal.stop();
    }
  });

  test('the use of its context window, once for each threshold [w:context.warnings]', async () => {
    modes('    context: {warn: [10, 90], window: 100}\n');
    const terminal = await startServed([say('one'), say('two')]);
    const told = () => newest(terminal.requests.at(-1));
    try {
      // The client writes its transcript behind the answer.
      await expect
        .poll(() => contentsBelow(path.join(place.home, '.claude/projects')), { timeout: 10_000 })
        .toContain('"output_tokens":5');
      await submit(terminal, 'hello');
      await terminal.waitFor('● one');
      expect(told()).toContain('CONTEXT WINDOW: 15 % is used (warning at 10 %).');
      await submit(terminal, 'hello again');
      await terminal.waitFor('● two');
      expect(told()).toContain('hello again');
      expect(told()).not.toContain('CONTEXT WINDOW');
    } finally {
      await terminal.stop();
    }
  });

  test('the unmet gates, in the line [w:context.line]', async () => {
    place.write(
      '.claude/modes.yaml',
      'name: k\ndefault: build\nmodes:\n  build:\n    transitions: [{to: other, require: [{fails: npm test}]}]\n  other:\n',
    );
    const terminal = await startServed([say('one'), say('two')]);
    try {
      await submit(terminal, 'hello');
      await terminal.waitFor('● one');
      await submit(terminal, 'hello again');
      await terminal.waitFor('● two');
      expect(textOf(terminal.requests.at(-1)!)).toContain('Transitions: other (not met: fails: npm test).');
    } finally {
      await terminal.stop();
    }
  });

  test('the messages of policies [w:context.extra]', async () => {
    place.write(
      '.claude/policies/say.rego',
      '# METADATA\n# title: Says\npackage modes.policy.say\n\ncontext contains "Policies speak." if input.mode == "build"\n',
    );
    modes('');
    const { requests } = await session({ ...place, turns: [say('hello')] });
    expect(textOf(requests[0]!)).toContain('Policies speak.');
  });
});
