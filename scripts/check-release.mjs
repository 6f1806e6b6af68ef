// Checks that a release is consistent: one version everywhere, a matching changelog, and an archive with exactly the files that
// it must contain.
//
//   node scripts/check-release.mjs             at any time
//   node scripts/check-release.mjs --release   also that this version has its dated section in the changelog, and that everything
// is committed
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Maximum bytes of the archive, packed and unpacked. */
const maxPacked = 9_000_000;
const maxUnpacked = 15_100_000;

/** Without one of these files something does not start, or a license is violated. */
export const NEEDED = [
  '.claude-plugin/icon.png',
  '.claude-plugin/marketplace.json',
  '.claude-plugin/plugin.json',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
  'README.md',
  'SECURITY.md',
  'bin/claude-modes-mcp',
  'bin/modes',
  'commands/mode.md',
  'dist/build',
  'dist/core.json',
  'dist/core.wasm',
  'dist/hook.cjs',
  ...['library', 'sdk'].flatMap((name) => ['mjs', 'cjs', 'd.mts', 'd.cts'].map((kind) => `dist/${name}.${kind}`)),
  'dist/modes.mjs',
  'dist/server.mjs',
  'examples/tdd/.claude/modes.yaml',
  'hooks/client.sh',
  'hooks/hooks.json',
  'opa/opa.wasm.br',
  'opa/opa.wasm.sha256',
  'package.json',
  'policies/verdict.rego',
  'sbom.cdx.json',
  'schemas/modes.schema.json',
];

/** Permitted places for files in the archive. */
const OPEN = /^(\.claude-plugin|bin|commands|dist|examples|hooks|opa|policies|schemas)\/|^[^/]+$/;
/** Files that must never be in the archive. */
const CLOSED = [
  /(^|\/)node_modules\//,
  /^(src|test|scripts|docs|coverage)\//,
  /(^|\/)\.(git|cache|npmrc|env|DS_Store)/,
  /(^|\/)(mode-state\.json|mode\.sock|settings\.local\.json)$/,
  /\.(map|tgz|log|pem|key|before-modes.*)$/,
  /^opa\/(?!opa\.wasm\.(br|sha256)$)/,
  /^(package-lock|tsconfig|biome|knip)\.json$/,
];

/** Problems with the names of an archive's files. */
export function wrongNames(names) {
  const present = new Set(names);
  return [
    ...NEEDED.filter((name) => !present.has(name)).map((name) => `the archive lacks ${name}`),
    ...names
      .filter((name) => !OPEN.test(name) || CLOSED.some((pattern) => pattern.test(name)))
      .map((name) => `the archive holds ${name}`),
  ];
}

const HEADING = /^## \[(.+?)\](?: - (\d{4}-\d{2}-\d{2}))?$/;
const KINDS = new Set(['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']);

/** Problems with a changelog of this version, in the format of keepachangelog.com 1.1. */
export function wrongChangelog(text, version, isRelease) {
  const wrong = [];
  const lines = text.split('\n');
  const sections = lines.flatMap((line) => (line.startsWith('## ') ? [HEADING.exec(line) ?? [line]] : []));
  for (const [line, name, date] of sections) {
    if (name === undefined) wrong.push(`CHANGELOG.md: ${line} is no heading of a version`);
    else if ((name === 'Unreleased') === (date !== undefined))
      wrong.push(`CHANGELOG.md: ${name} ${date === undefined ? 'has no' : 'has a'} date`);
  }
  for (const line of lines.filter((one) => one.startsWith('### ')))
    if (!KINDS.has(line.slice(4))) wrong.push(`CHANGELOG.md: ${line.slice(4)} is no kind of change`);
  const names = sections.map(([, name]) => name);
  const versions = names.filter((name) => name !== 'Unreleased');
  if (names.indexOf('Unreleased') > 0) wrong.push('CHANGELOG.md: Unreleased does not come first');
  for (const [at, name] of versions.entries())
    if (at > 0 && compare(versions[at - 1], name) <= 0) wrong.push(`CHANGELOG.md: ${versions[at - 1]} stands above ${name}`);
  if (versions.length > 0 && compare(versions[0], version) > 0)
    wrong.push(`CHANGELOG.md knows ${versions[0]}, and this is ${version}`);
  if (isRelease && versions[0] !== version)
    wrong.push(`CHANGELOG.md has no section of ${version}: give Unreleased its name and date`);
  if (!isRelease && versions[0] !== version && names[0] !== 'Unreleased') wrong.push(`CHANGELOG.md says nothing of ${version}`);
  return wrong;
}

/** Negative if the first version is older. */
function compare(one, other) {
  const [left, right] = [one, other].map((version) => String(version).split('.').map(Number));
  return left.map((part, at) => part - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** Places with a version that differs from package.json. */
export function wrongVersions(version, others) {
  return Object.entries(others)
    .filter(([, other]) => other !== version)
    .map(([place, other]) => `${place} says ${other}, package.json ${version}`);
}

/** Packed files that a tag would not contain. */
export function uncommitted(root) {
  const { status, stdout, stderr, error } = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (status !== 0) return [`git status: ${(error?.message ?? stderr).trim()}`];
  return stdout === '' ? [] : [`not committed: ${stdout.trimEnd().split('\n').join(', ')}`];
}

function main(root, isRelease) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const json = (file) => JSON.parse(read(file));
  const { version, name } = json('package.json');
  const plugin = json('.claude-plugin/plugin.json');
  const entry = json('.claude-plugin/marketplace.json').plugins.find((one) => one.name === plugin.name);
  const lock = json('package-lock.json');
  const problems = [
    ...wrongVersions(version, {
      '.claude-plugin/plugin.json': plugin.version,
      '.claude-plugin/marketplace.json': entry?.version,
      'package-lock.json': lock.packages[''].version,
      'sbom.cdx.json': json('sbom.cdx.json').metadata.component.version,
    }),
    ...(existsSync(join(root, 'CHANGELOG.md'))
      ? wrongChangelog(read('CHANGELOG.md'), version, isRelease)
      : ['CHANGELOG.md is missing']),
  ];
  if (isRelease) problems.push(...uncommitted(root));
  const pack = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
    cwd: root,
    encoding: 'utf8',
  });
  if (pack.status !== 0) problems.push(`npm pack: ${pack.stderr || pack.error?.message}`);
  else {
    const [{ files, size, unpackedSize }] = JSON.parse(pack.stdout);
    problems.push(...wrongNames(files.map(({ path }) => path)));
    if (size > maxPacked || unpackedSize > maxUnpacked) problems.push(`the archive has ${size} bytes, unpacked ${unpackedSize}`);
    console.log(
      `${name} ${version}: ${files.length} files, ${(size / 1e6).toFixed(1)} MB packed, ${(unpackedSize / 1e6).toFixed(1)} MB unpacked`,
    );
  }
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  main(dirname(dirname(fileURLToPath(import.meta.url))), process.argv.includes('--release'));
