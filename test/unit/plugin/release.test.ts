// What is published: the checks of a release find what they are for, and the same sources give the same bytes anywhere.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { afterTest } from '../../support/cleanup.ts';
import { builtPlugin, repository } from '../../support/plugin.ts';

interface Checks {
  NEEDED: string[];
  wrongNames(names: readonly string[]): string[];
  wrongChangelog(text: string, version: string, isRelease: boolean): string[];
  wrongVersions(version: string, others: Record<string, string | undefined>): string[];
  uncommitted(folder: string): string[];
}
const script = pathToFileURL(path.join(repository, 'scripts/check-release.mjs')).href;
const { NEEDED, wrongNames, wrongChangelog, wrongVersions, uncommitted } = (await import(/* @vite-ignore */ script)) as Checks;

describe('the archive', () => {
  test('is complete with its required files', () =>
    expect(wrongNames([...NEEDED, 'examples/roo/.claude/modes/test/how.md'])).toEqual([]));

  test.each(NEEDED.filter((name) => /^(dist|hooks|NOTICE)/.test(name)))('is incomplete without %s', (name) => {
    expect(wrongNames(NEEDED.filter((one) => one !== name))).toEqual([`the archive lacks ${name}`]);
  });

  test.each([
    ...[
      'src/adapters/cli/main.ts',
      'test/support/setup.ts',
      'node_modules/a/index.js',
      'opa/main.go',
      'package-lock.json',
      'scripts/build.mjs',
    ],
    ...[
      '.npmrc',
      'examples/tdd/.claude/mode-state.json',
      'examples/tdd/.claude/settings.local.json',
      'dist/a.map',
      'dist/key.pem',
      'notes/a',
    ],
  ])('does not contain %s', (name) => expect(wrongNames([...NEEDED, name])).toEqual([`the archive holds ${name}`]));
});

test('uncommitted files are not released', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-release-'));
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  expect(uncommitted(folder)).toEqual([expect.stringMatching(/^git status: .*not a git repository/)]);
  spawnSync('git', ['init', '-q'], { cwd: folder });
  expect(uncommitted(folder)).toEqual([]);
  fs.writeFileSync(path.join(folder, 'late.txt'), '');
  expect(uncommitted(folder)).toEqual(['not committed: ?? late.txt']);
});

describe('the changelog', () => {
  const good =
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a\n\n## [1.2.0] - 2030-01-02\n\n### Fixed\n\n- b\n\n## [1.1.9] - 2029-01-02\n';
  test.each<[text: string, version: string, isRelease: boolean, wrong: string[]]>([
    [good, '1.2.0', true, []],
    [good, '1.3.0', false, []],
    [good, '1.3.0', true, ['CHANGELOG.md has no section of 1.3.0: give Unreleased its name and date']],
    [good, '1.1.9', false, ['CHANGELOG.md knows 1.2.0, and this is 1.1.9']],
    [good.replace(' - 2030-01-02', ''), '1.2.0', false, ['CHANGELOG.md: 1.2.0 has no date']],
    [good.replace('[Unreleased]', '[Unreleased] - 2030-01-02'), '1.2.0', false, ['CHANGELOG.md: Unreleased has a date']],
    [good.replace('### Fixed', '### Mended'), '1.2.0', false, ['CHANGELOG.md: Mended is no kind of change']],
    [good.replace('1.1.9', '1.10.0'), '1.2.0', false, ['CHANGELOG.md: 1.2.0 stands above 1.10.0']],
    [good.replace('## [1.2.0]', '## 1.2.0'), '1.2.0', false, ['CHANGELOG.md: ## 1.2.0 - 2030-01-02 is no heading of a version']],
    [good.replace('## [Unreleased]', ''), '1.3.0', false, ['CHANGELOG.md says nothing of 1.3.0']],
  ])('%#', (text, version, isRelease, wrong) => expect(wrongChangelog(text, version, isRelease)).toEqual(wrong));
});

test('one version everywhere', () => {
  expect(wrongVersions('1.0.0', { a: '1.0.0', b: '0.9.0', c: undefined })).toEqual([
    'b says 0.9.0, package.json 1.0.0',
    'c says undefined, package.json 1.0.0',
  ]);
});

/** Ten years on, and with a Node whose modules have more in them, for every program of Node that is started with it. */
const LATER = `const now = Date.now;
globalThis.Date = class extends Date {
  constructor(...given) { given.length === 0 ? super(now() + 315_360_000_000) : super(...given); }
  static now() { return now() + 315_360_000_000; }
};
const { keys } = Object;
Object.keys = (given) => (given?.[Symbol.toStringTag] === 'Module' ? [...keys(given), 'ofALaterNode'] : keys(given));
`;

/** What is bundled is copied, since esbuild goes by real paths; the rest is linked. */
function layModules(folder: string): void {
  const sbom = JSON.parse(fs.readFileSync(path.join(repository, 'sbom.cdx.json'), 'utf8')) as { components: { name: string }[] };
  const bundled = new Set(sbom.components.map(({ name }) => name));
  const from = path.join(repository, 'node_modules');
  const below = (name: string): string[] =>
    name.startsWith('@') ? fs.readdirSync(path.join(from, name)).map((one) => `${name}/${one}`) : [name];
  for (const name of fs
    .readdirSync(from)
    .filter((one) => !one.startsWith('.'))
    .flatMap(below)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    if (bundled.has(name)) fs.cpSync(path.join(from, name), path.join(folder, name), { recursive: true });
    else fs.symlinkSync(path.join(from, name), path.join(folder, name));
  }
}

/** The bundles and the compiled core, by name. */
const HASHES = `import { createHash } from 'node:crypto';
import { bundleSources } from './scripts/build.mjs';
import { buildCore } from './scripts/build-core.mjs';
if (new Date().getFullYear() < 2035) throw new Error('the clock is that of now');
const { files } = await bundleSources();
const all = [...files, ...(await buildCore())];
process.stdout.write(JSON.stringify(all.map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')])));
`;

test('in another folder, at another time, of another language, by another Node: the same bytes', {
  timeout: 300_000,
}, async () => {
  const plugin = await builtPlugin();
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes elsewhere ü-'));
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  for (const name of ['src', 'scripts', 'policies', 'schemas', 'package.json', 'tsconfig.json'])
    fs.cpSync(path.join(repository, name), path.join(folder, name), { recursive: true });
  fs.mkdirSync(path.join(folder, 'opa'));
  for (const name of ['opa.wasm.br', 'opa.wasm.sha256'])
    fs.symlinkSync(path.join(repository, 'opa', name), path.join(folder, 'opa', name));
  layModules(path.join(folder, 'node_modules'));
  fs.writeFileSync(path.join(folder, 'later.mjs'), LATER);
  fs.writeFileSync(path.join(folder, 'hashes.mjs'), HASHES);
  const built = spawnSync(process.execPath, ['--import', './later.mjs', 'hashes.mjs'], {
    cwd: folder,
    encoding: 'utf8',
    env: { HOME: folder, PATH: process.env.PATH, TZ: 'Pacific/Kiritimati', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  });
  expect(built.stderr).toBe('');
  const there = new Map(JSON.parse(built.stdout) as [string, string][]);
  expect(there.size).toBeGreaterThan(50);
  const hash = (name: string) =>
    createHash('sha256')
      .update(fs.readFileSync(path.join(plugin, 'dist', name)))
      .digest('hex');
  expect([...there.keys()].filter((name) => hash(name) !== there.get(name))).toEqual([]);
});
