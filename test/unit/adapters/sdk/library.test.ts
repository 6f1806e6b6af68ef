// The library as it is built and installed: by ESM and by CommonJS, with the same answers.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type * as library from '../../../../src/adapters/sdk/library.ts';
import type * as sdk from '../../../../src/adapters/sdk/sdk.ts';
import { builtPlugin } from '../../../support/plugin.ts';
import { type Hosted, hostedProject, removeProjects } from './fixture.ts';

type Library = typeof library & typeof sdk;
const found = new Map<string, Library>();
let hosted: Hosted;
beforeAll(async () => {
  const dist = path.join(await builtPlugin(), 'dist');
  const load = async (name: string) => import(/* @vite-ignore */ pathToFileURL(path.join(dist, name)).href) as Promise<Library>;
  const require = createRequire(import.meta.url);
  found.set('ESM', { ...(await load('library.mjs')), ...(await load('sdk.mjs')) });
  found.set('CommonJS', { ...require(path.join(dist, 'library.cjs')), ...require(path.join(dist, 'sdk.cjs')) } as Library);
  hosted = hostedProject();
}, 120_000);
afterAll(removeProjects);

describe.each(['ESM', 'CommonJS'])('%s', (kind) => {
  const lib = (): Library => found.get(kind) as Library;
  const options = () => ({ env: hosted.given.env });
  const load = async () => (await lib().loadProject(path.join(hosted.root, 'notes'), options())) as library.LoadedProject;

  test('exports the same', () => {
    expect(Object.keys(lib()).sort()).toEqual(['analyseBash', 'decide', 'loadProject', 'openModes', 'parseRule']);
  });

  test('decides calls as a person writes them, and as the client sends them', async () => {
    const project = await load();
    expect([project.root, project.mode, project.modes, project.problems]).toEqual([hosted.root, 'idle', ['idle', 'work'], []]);
    const { decide } = lib();
    expect(decide(`Write(${hosted.root}/src/a.ts)`, project)).toMatchObject({
      decision: 'deny',
      mode: 'idle',
      rules: [{ text: 'Write(src/**)' }],
    });
    expect(decide({ tool: 'Write', input: { file_path: 'a.md', content: '' } }, project, 'work')).toMatchObject({
      decision: 'allow',
      mode: 'work',
    });
    expect(decide({ tool: 'Write', input: { file_path: 'a.md', content: '' }, cwd: hosted.root }, project).decision).toBe('pass');
    const helper = { tool: 'WebSearch', input: { query: 'x' }, agentId: 'a', agentType: 'helper' };
    expect(decide(helper, project).decision).toBe('deny');
    expect(() => decide('Bash(ls)', project, 'nope')).toThrow(RangeError);
    expect(() => decide('((', project)).toThrow(/is not a call/);
  });

  test('detects a change when it is asked to check', async () => {
    const project = await load();
    const call = 'Bash(npm --version)';
    const narrowed = JSON.stringify({ permissions: { default: 'deny' } });
    expect(lib().decide(call, project).decision).toBe('ask');
    const before = hosted.get('.claude/settings.idle.json');
    hosted.put('.claude/settings.idle.json', narrowed);
    await project.refresh();
    expect(lib().decide(call, project).decision).toBe('deny');
    hosted.put('.claude/settings.idle.json', before);
  });

  test('a folder without modes has none', async () => {
    expect(await lib().loadProject(hosted.home, options())).toBeNull();
    expect(await lib().openModes(hosted.home, options())).toBeNull();
  });

  test('reads rules', () => {
    const { parseRule } = lib();
    expect(parseRule('Read(~/x/**)', 'deny', { home: '/h' })).toMatchObject({
      rule: { kind: 'read', effect: 'deny' },
      warnings: [],
    });
    expect(parseRule('Bash(npm', 'allow')).toMatchObject({ problem: { severity: 'error', column: expect.any(Number) } });
  });

  test('explains what a command would do', () => {
    const facts = lib().analyseBash('cat a | tee b > "c d"', { cwd: '/p', home: '/h' });
    expect([facts.class, facts.writes.map((write) => write.path).sort()]).toEqual(['writes', ['/p/b', '/p/c d']]);
  });
});
