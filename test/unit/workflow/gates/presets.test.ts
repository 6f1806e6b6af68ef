// Presets whose gates run a command: nobody writes what decides about that command without a person.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runners } from '../../../../src/workflow/gates/tests/runners.ts';
import { nobody, openProject, type Project } from '../../../../src/workflow/project.ts';
import { temporaryFolder } from '../../../support/files.ts';
import { prepare } from '../../../support/prepare.ts';

const packageRoot = fileURLToPath(new URL('../../../..', import.meta.url));
const examples = path.join(packageRoot, 'examples');
const presets = fs
  .readdirSync(examples)
  .filter((name) => fs.existsSync(path.join(examples, name, '.claude/modes.yaml')))
  .filter((name) =>
    /^\s*- ?\{?\s*(passes|fails|run|review|tests):/m.test(
      fs.readFileSync(path.join(examples, name, '.claude/modes.yaml'), 'utf8'),
    ),
  );

test('there is one', () => expect(presets).toContain('tdd-checked'));

describe.each(presets)('%s', (preset) => {
  let base: string;
  let project: Project;
  beforeAll(async () => {
    base = temporaryFolder('preset-');
    const root = path.join(base, 'project');
    fs.cpSync(path.join(examples, preset), root, { recursive: true });
    const opened = openProject({ start: root, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare });
    if (opened === null) throw new Error('not governed');
    project = opened;
    await project.ready();
    project.for(nobody).approvals.give('terminal');
    await project.ready();
  });
  afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

  const callOf = (tool: string, input: Record<string, unknown>) => ({
    ...{ event: 'PreToolUse' as const, tool, input, cwd: project.root, toolUseId: null, sessionId: null, permissionMode: null },
    ...{ agentId: null, agentType: null, mcpServer: null, transcriptPath: null },
  });
  const files = [
    'package.json',
    'package-lock.json',
    'pnpm-lock.yaml',
    '.npmrc',
    'vitest.config.ts',
    'vitest.config.mts',
    'vite.config.cts',
    'vitest.workspace.ts',
    'jest.config.js',
    'jest.config.json',
    'karma.conf.js',
    'jasmine.json',
    'spec/support/jasmine.json',
    'jest.setup.ts',
    'vitest.setup.ts',
    'setupTests.js',
    '__mocks__/lodash.js',
    'packages/a/__mocks__/lodash.js',
    '.pnp.cjs',
    'turbo.json',
    'nx.json',
    'lerna.json',
    '.taprc',
    'tsconfig.json',
    'Makefile',
    'GNUmakefile',
    'makefile',
    'pnpm-workspace.yaml',
    '.pnpmfile.cjs',
    '.yarn/releases/yarn.cjs',
    'bun.lock',
    'bunfig.toml',
    'deno.json',
    'conftest.py',
    'tests/unit/conftest.py',
    'pytest.ini',
    'setup.cfg',
    'tox.ini',
    'pyproject.toml',
    'Cargo.toml',
    'crates/a/Cargo.toml',
    'build.rs',
    '.cargo/config.toml',
    'go.mod',
    'pom.xml',
    'api/pom.xml',
    'build.gradle.kts',
    '.mvn/jvm.config',
    'gradle/libs.versions.toml',
    'Gemfile.lock',
    'phpunit.xml.dist',
  ];
  test('a write of any file that a runner reads is asked about or denied in every mode [w:gate.presets]', () => {
    const { configuration } = project.for(nobody).describe();
    const names = [...new Set(runners.flatMap(({ guarded }) => guarded).flatMap(samples))];
    const open = [...(configuration.topology?.modes.keys() ?? [])].flatMap((mode) =>
      names.flatMap((name) => {
        const { decision } = project.decide(callOf('Write', { file_path: path.join(project.root, name), content: '' }), mode);
        return decision === 'ask' || decision === 'deny' ? [] : [`${mode}: ${name}`];
      }),
    );
    expect(open).toEqual([]);
  });

  test.each(files)('a write of %s is asked about or denied in every mode [w:gate.presets]', (name) => {
    const { configuration } = project.for(nobody).describe();
    for (const mode of configuration.topology?.modes.keys() ?? []) {
      const file = path.join(project.root, name);
      expect(project.decide(callOf('Write', { file_path: file, content: '' }), mode).decision, mode).toMatch(/^(ask|deny)$/);
      expect(project.decide(callOf('Bash', { command: `echo x >> ${name}` }), mode).decision, mode).toMatch(/^(ask|deny)$/);
    }
  });
});

/** A file for each alternative of a glob. */
function samples(glob: string): string[] {
  const [, before, choices, after] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
  if (before !== undefined) return (choices as string).split(',').flatMap((one) => samples(`${before}${one}${after}`));
  return [
    glob
      .replace(/^\*\*\//, '')
      .replace(/^config\/\*\*$/, 'config/test.exs')
      .replace(/\*\*\//g, '')
      .replace(/\.\*$/, '.js')
      .replace(/\?\*|\*+/g, 'a'),
  ];
}
