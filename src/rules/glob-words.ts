// Lists of globs in words, for messages. The presets guard dozens of names, too many to read one by one.

import { EXCEPTION } from '../config/rule-quota.ts';
import { hasTooManyStars } from '../platform/glob-cost.ts';
import { parsePathPattern } from './pattern.ts';
import { pathExpression, toRegExp } from './regex.ts';

/** Kinds of files that long lists name. A glob is of a kind if it matches one of the examples and no ordinary file. */
const kinds: readonly { words: string; examples: readonly string[] }[] = [
  {
    words: 'files that decide how tests, builds and CI run',
    examples: [
      ...['package.json', 'package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'pnpm-workspace.yaml'],
      ...[
        '.npmrc',
        '.yarnrc.yml',
        'bun.lockb',
        'bunfig.toml',
        'deno.json',
        'turbo.json',
        'nx.json',
        'lerna.json',
        'tsconfig.json',
      ],
      ...['vite.config.js', 'vitest.workspace.ts', 'karma.conf.js', 'jest.setup.js', '__mocks__/a.js', 'node_modules/a/index.js'],
      ...['.mocharc.json', '.babelrc', '.swcrc', '.c8rc.json', '.nycrc', '.taprc', '.eslintrc.json', 'Makefile', 'justfile'],
      ...['conftest.py', 'pytest.ini', 'setup.cfg', 'tox.ini', 'pyproject.toml', 'requirements.txt', 'Cargo.toml', 'Cargo.lock'],
      ...['.cargo/config.toml', 'build.rs', 'go.mod', 'go.sum', 'pom.xml', 'build.gradle', 'gradle/a.xml', '.mvn/a.xml'],
      ...['Gemfile', 'Rakefile', '.rspec', 'composer.json', 'phpunit.xml', 'mix.exs', 'CMakeLists.txt', 'Dockerfile', 'a.csproj'],
      ...['.github/workflows/a.yml', '.gitlab-ci.yml', '.circleci/config.yml', 'Jenkinsfile', '.husky/pre-commit'],
      ...['.nvmrc', 'turbo.jsonc', 'uv.toml', 'go.work.sum', 'junit-platform.properties', 'a.runsettings', 'mix.lock'],
    ],
  },
  {
    words: 'test files',
    examples: [
      ...[
        'test/a.js',
        'tests/a.py',
        '__tests__/a.js',
        'spec/a.rb',
        'e2e/a.js',
        'cypress/a.js',
        'a.test.js',
        'a.spec.ts',
        'a_test.go',
      ],
      ...['test_a.py', 'ATest.java', 'a.snap', 'a.feature', '__fixtures__/a.json', 'fixtures/a.json', 'testdata/a.json'],
    ],
  },
  {
    words: 'files with secrets',
    examples: [
      ...[
        '.env',
        '.env.local',
        '.env.production',
        '.envrc',
        'secrets/a',
        'secrets.yml',
        'credentials.json',
        'a-service-account.json',
        'a-adminsdk-b.json',
      ],
      ...[
        'a.pem',
        'a.key',
        'a.p12',
        'a.jks',
        'id_rsa',
        'id_ed25519',
        '.netrc',
        '.npmrc',
        '.pgpass',
        '.git-credentials',
        'a.tfstate',
      ],
      ...['.aws/credentials', '/.ssh/a', '/.aws/credentials', '/.kube/config', '/.netrc', '/.bash_history'],
    ],
  },
  { words: 'files named after security', examples: ['auth/a.js', 'auth.js', 'AuthService.java', 'session.rb', 'password.py'] },
  { words: 'migrations', examples: ['migrations/a.sql', 'alembic/a.py', 'prisma/schema.prisma', 'drizzle/a.ts', 'a.sql'] },
];

/** A list matches more than one of these kinds only if it matches an ordinary file. */
const ordinary = ['src/a.js', 'docs/a.md', 'README.md', 'a.py'];
/** A shorter list is shown as it is written. */
const mostWritten = 2;

/** The globs as written if they are few, else the kinds of files that they match, and a few of the others. */
export function describeGlobs(globs: readonly string[], separator = ', '): string {
  if (globs.length <= mostWritten && globs.join(separator).length <= longest) return globs.join(separator);
  const words = new Set<string>();
  const rest: string[] = [];
  for (const glob of globs) {
    const kind = kindOf(glob);
    if (kind === null) rest.push(glob);
    else words.add(kind);
  }
  return [...words, ...fewTexts(rest)].join(separator);
}

/** The first texts of a list, shortened, and the number of the others. */
export function fewTexts(texts: readonly string[], most = mostWritten): string[] {
  const shown = texts.slice(0, most).map((text) => (text.length > longest ? `${text.slice(0, longest - 1)}…` : text));
  const left = texts.length - shown.length;
  return left === 0 ? shown : [...shown.slice(0, -1), `${shown.at(-1)} and ${left} more`];
}

/** Longest glob or rule in a list, in characters. */
const longest = 48;

const known = new Map<string, string | null>();
const maxKnown = 500;

function kindOf(glob: string): string | null {
  const before = known.get(glob);
  if (before !== undefined) return before;
  const [main = glob] = glob.split(EXCEPTION);
  const read = parsePathPattern(main, { home: '/', restricts: true });
  const isSlow = 'problem' in read || read.patterns.some(({ text }) => hasTooManyStars(text));
  const tests = isSlow ? [] : read.patterns.map((pattern) => toRegExp(pathExpression(pattern)));
  const matches = (name: string): boolean => tests.some((test) => test.test(name));
  const found = ordinary.some(matches) ? undefined : kinds.find(({ examples }) => examples.some(matches));
  if (known.size >= maxKnown) known.clear();
  known.set(glob, found?.words ?? null);
  return found?.words ?? null;
}
