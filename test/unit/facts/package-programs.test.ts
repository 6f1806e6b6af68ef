// Programs of packages: whether running one uses the network, and which named files it certainly rewrites.
import { describe, expect, test } from 'vitest';
import { callOf, factsOf } from '../../support/call.ts';
import { makeTree } from '../../support/tree.ts';

function factsFor(command: string) {
  const tree = makeTree();
  for (const name of ['node_modules/.bin/vitest', 'node_modules/.bin/own', 'packages/api/index.ts', 'src/a.ts', 'README.md'])
    tree.file(name);
  return factsOf(callOf('Bash', { command }, tree.root), tree.place());
}

describe('npx and similar runners', () => {
  test.each([
    'npx vitest run',
    'npx vitest',
    'cd packages/api && npx vitest run',
    'pnpm exec vitest run',
    'npm run lint; npx vitest',
    'npm exec vitest',
    'for f in a b; do echo $f; done; npx vitest',
    'for f in a b; do npx vitest run $f; done',
    'for i in 1 2 3; do npx vitest | tail -3; npx vitest; done',
  ])('%s runs an installed program without the network', (command) => {
    expect(factsFor(command).bash).toMatchObject({ class: 'runs', network: false });
  });

  test.each([
    'npx mocha',
    'npx vitest@latest run',
    'npx vitest@3.1 run',
    'npx -y vitest',
    'rm -rf node_modules && npx vitest',
    'frob; npx vitest',
    'NODE_ENV=test npx mocha',
    'pnpm dlx vitest',
    'yarn dlx eslint .',
    'bunx prettier --check .',
    'uvx ruff check',
    'pipx run black --check .',
  ])('%s runs a well-known tool, and only asks the registry for it', (command) => {
    const { commands } = factsFor(command).bash!;
    const runs = commands.filter(({ network }) => network);
    expect(runs.map(({ tags }) => tags)).toEqual(runs.map(() => expect.arrayContaining(['network-read'])));
  });

  test.each([
    'npx shopcheck',
    'npx biome check',
    'npx vitest@github:a/b',
    'npx https://a.org/vitest.tgz',
    'npx --registry=https://a.org mocha',
    'npm_config_registry=https://a.org npx mocha',
    'export npm_config_registry=https://a.org; npx mocha',
    'NODE_OPTIONS=--require=./x.js npx mocha',
    'UV_INDEX_URL=https://a.org uvx ruff check',
    'uvx --index-url https://a.org ruff check',
    'uvx --from ./x ruff',
    'npx ruff check',
    'npx --package=vitest vitest',
    'npx $x',
    'npx @scope/tool',
    'npx ../vitest',
    'rm -rf node_modules && npx own',
    'rm -rf node_modules; npx own',
    'frob; npx own',
    'for f in a b; do npx own; rm -rf node_modules; done',
    'for f in a b; do for g in c d; do npx own; done; rm -rf node_modules; done',
    'while true; do npx own; frob; done',
    'cd "$x" && npx vitest',
    'npm create vitest',
    'npm init vite',
    'pnpm dlx own',
    'uvx vitest',
  ])('%s may fetch a package', (command) => {
    expect(factsFor(command).bash?.network).toBe(true);
  });
});

describe('a formatter', () => {
  const writes = (command: string) => factsFor(command).writes.map(({ path }) => path);

  test.each<[string, string[]]>([
    ['npx eslint --fix src', ['src']],
    ['eslint src --fix', ['src']],
    ['npx eslint --fix --config eslint.config.js src/a.ts', ['src/a.ts']],
    ['node_modules/.bin/prettier --write src/a.ts README.md', ['src/a.ts', 'README.md']],
    ['npx prettier -w src', ['src']],
    ['pnpm exec biome check --write src', ['src']],
    ['npx @biomejs/biome check src', []],
    ['uv run ruff check --fix src', ['src']],
    ['ruff format src', ['src']],
    ['black src', ['src']],
    ['rubocop -A src', ['src']],
    ['npx stylelint --fix src/a.ts', ['src/a.ts']],
    ['bundle exec rubocop -A src', ['src']],
    ['yarn eslint --fix src', ['src']],
    ['python -m black src', ['src']],
    ['poetry run isort src/a.ts', ['src/a.ts']],
    ['sh -c "npx prettier --write src"', ['src']],
  ])('%s rewrites %j', (command, expected) => {
    expect(writes(command)).toEqual(expect.arrayContaining(expected));
    if (expected.length === 0) expect(writes(command)).toEqual([]);
  });

  test.each([
    'npx eslint src',
    'npx prettier --check src',
    'black --check src',
    'ruff check src',
    'rubocop src',
    'npx eslint --fix $FILES',
    'npx vitest --fix src',
  ])('%s rewrites none of the named files', (command) => {
    expect(writes(command)).toEqual([]);
  });
});
