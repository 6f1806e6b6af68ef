// The places of a project's sources, tests and files that need protection, as globs that rules and gates can use.
import type { ProjectFiles } from './files.ts';
import type { Ecosystem } from './managers.ts';
import type { Workspace } from './workspaces.ts';

/** A glob for some files of the project. It is read like the path of an allow rule: one with a slash starts at the root. */
export interface SurveyPlace {
  glob: string;
  /** Files that it was made for, at least one. */
  files: string[];
}

export interface SourcePlace extends SurveyPlace {
  /** Tests are in the same folder. */
  hasTests: boolean;
}

export interface TestPlace extends SurveyPlace {
  /** `folder`: a folder for tests; `beside`: by their names, beside the sources. */
  kind: 'folder' | 'beside';
}

/** The groups of areas in a preset: each has lists of its own. */
export type GuardedGroup = 'security' | 'migrations' | 'operations';

export interface GuardedPlace extends SurveyPlace {
  group: GuardedGroup;
}

export interface SurveyPlaces {
  sources: SourcePlace[];
  tests: TestPlace[];
  guarded: GuardedPlace[];
  /** Source files that contain tests. */
  inside: string[];
}

/** Endings of source files. */
export const sourceEndings: { readonly [name in Ecosystem]: RegExp } = {
  node: /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/,
  deno: /\.[cm]?[jt]sx?$/,
  python: /\.pyi?$/,
  go: /\.go$/,
  rust: /\.rs$/,
  java: /\.(?:java|kts?|groovy|scala)$/,
  dotnet: /\.(?:cs|fs|vb|razor|cshtml)$/,
  ruby: /\.(?:rb|rake|erb)$/,
  php: /\.php$/,
  elixir: /\.(?:exs?|heex)$/,
  c: /\.(?:c|h|cc|cpp|cxx|hh|hpp|hxx|ipp)$/,
  swift: /\.swift$/,
  dart: /\.dart$/,
};

/** Files with the ending of a source that configure tools. */
const configuring =
  /(?:^|\/)(?:\.[^/]*|[^/]+\.(?:config|conf|setup)\.[^/]+|(?:setup|conftest|manage|noxfile)\.py|build\.rs|[^/]+\.gradle\.kts|mix\.exs|Package\.swift|gulpfile\.[^/]+|artisan)$/;

/** Top folders that are not the product. */
const besides = /^(?:\.[^/]*|scripts?|tools?|examples?|docs?|bench(?:marks?|es)?|config|public|static|bin|ci)\//;

interface TestRow {
  kind: TestPlace['kind'];
  /** Of a file's name relative to the root. */
  matches: RegExp;
  /** From the match of the expression. */
  glob(match: RegExpExecArray): string;
}

const folder = (name: string): TestRow => ({
  kind: 'folder',
  matches: new RegExp(`^(.+/)?${name}/`),
  glob: ([, above]) => `${above === undefined ? '' : '**/'}${name}/**`,
});
const named = (glob: string, matches: RegExp): TestRow => ({ kind: 'beside', matches, glob: () => glob });

/** The first match counts. Folders of a wider meaning come after names. */
const testRows: readonly TestRow[] = [
  folder('__snapshots__'),
  folder('__tests__'),
  folder('__fixtures__'),
  folder('__mocks__'),
  folder('src/test'),
  folder('src/testFixtures'),
  // Source sets of Gradle: `src/commonTest`, `src/integrationTest`.
  {
    kind: 'folder',
    matches: /^(.+\/)?src\/([a-z][A-Za-z]*Test)\//,
    glob: ([, above, name]) => `${above === undefined ? '' : '**/'}src/${name}/**`,
  },
  {
    kind: 'folder',
    matches: /^(.+\/)?[^/]+\.((?:Unit|Integration)?Tests?)\//,
    glob: ([, above, end]) => `${above === undefined ? '' : '**/'}*.${end}/**`,
  },
  folder('testdata'),
  folder('tests'),
  folder('Tests'),
  folder('integration_test'),
  folder('test'),
  folder('specs'),
  folder('spec'),
  folder('e2e'),
  folder('cypress'),
  named('*.test.*', /\.test\.\w+$/),
  named('*.spec.*', /\.spec\.\w+$/),
  named('*.snap', /\.snap$/),
  named('*_test.go', /_test\.go$/),
  named('test_*.py', /(?:^|\/)test_[^/]*\.py$/),
  named('*_test.py', /_test\.py$/),
  named('tests.py', /(?:^|\/)tests\.py$/),
  named('tests.rs', /(?:^|\/)tests\.rs$/),
  named('*_test.rs', /_test\.rs$/),
  named('*_spec.rb', /_spec\.rb$/),
  named('*_test.rb', /_test\.rb$/),
  named('*_test.exs', /_test\.exs$/),
  named('*_test.ts', /_test\.ts$/),
  named('*_test.dart', /_test\.dart$/),
  named('*_test.c*', /_test\.c(?:c|pp|xx)?$/),
  named('*Tests.swift', /Tests\.swift$/),
  named('*Test.java', /Test\.java$/),
  named('*Tests.java', /Tests\.java$/),
  named('*Test.kt', /Test\.kt$/),
  named('*Test.php', /Test\.php$/),
  named('*Tests.cs', /Tests\.cs$/),
  named('*Test.cs', /Test\.cs$/),
];

/** Words in names of files and folders that need protection. */
const guardedWords: readonly { group: GuardedGroup; words: ReadonlySet<string> }[] = [
  {
    group: 'security',
    words: new Set(
      `auth authn authz authentication authorization authenticate authenticator login signin signup oauth oauth2 oidc sso saml ldap jwt
       mfa 2fa totp otp webauthn passkey passkeys captcha password passwords credential credentials secret secrets vault apikey apikeys
       accesskey accesskeys privatekey privatekeys accesstoken refreshtoken accesscontrol crypto cryptography encrypt encryption
       decrypt cipher security csrf cors csp session sessions permission permissions policies acl rbac iam devise`.split(/\s+/),
    ),
  },
  { group: 'migrations', words: new Set(['migrations', 'migration', 'migrate', 'alembic', 'flyway']) },
  {
    group: 'operations',
    words: new Set(['.github', '.circleci', 'infra', 'infrastructure', 'terraform', 'k8s', 'helm', 'deploy']),
  },
];

/** Most places of a kind; a rule for each is written into lists that a person reads. */
const mostPlaces = 12;
/** Most Rust files that are searched for tests. */
const mostTexts = 100;

export function findPlaces(
  files: ProjectFiles,
  ecosystems: readonly Ecosystem[],
  workspaces: readonly Workspace[],
): SurveyPlaces {
  const isCode = (name: string) => ecosystems.some((one) => sourceEndings[one].test(name));
  const tests = new Map<string, TestPlace>();
  const sources = new Map<string, SourcePlace>();
  const testFiles: string[] = [];
  const sourceFiles: string[] = [];
  const codeFiles = new Set<string>();
  for (const name of files.names) {
    const row = isCode(name) || /\.snap$|\.json$/.test(name) ? testRows.find(({ matches }) => matches.test(name)) : undefined;
    if (row !== undefined) {
      testFiles.push(name);
      const glob = row.glob(row.matches.exec(name) as RegExpExecArray);
      add(tests, { kind: row.kind, glob, files: [name] });
    } else if (isCode(name)) {
      codeFiles.add(name);
      if (!configuring.test(name) && !besides.test(name)) sourceFiles.push(name);
    }
  }
  for (const name of sourceFiles) add(sources, { glob: sourceGlob(name, workspaces), files: [name], hasTests: false });
  for (const place of sources.values()) place.hasTests = testFiles.some((name) => sourceGlob(name, workspaces) === place.glob);
  const inside = ecosystems.includes('rust')
    ? sourceFiles
        .filter((name) => name.endsWith('.rs'))
        .slice(0, mostTexts)
        .filter((name) => /^[ \t]*#\[cfg\(test\)\][ \t\r]*\n[ \t]*(?:pub )?mod \w+\s*\{/m.test(files.text(name) ?? ''))
    : [];
  return { sources: most(sources), tests: most(tests), guarded: most(guardedPlaces(files, codeFiles)), inside };
}

function add<P extends SurveyPlace>(places: Map<string, P>, place: P): void {
  const before = places.get(place.glob);
  if (before === undefined) places.set(place.glob, place);
  else before.files.push(...place.files);
}

/** The places with the most files, by their globs. */
function most<P extends SurveyPlace>(places: ReadonlyMap<string, P>): P[] {
  return [...places.values()]
    .sort((one, other) => other.files.length - one.files.length || (one.glob < other.glob ? -1 : 1))
    .slice(0, mostPlaces)
    .sort((one, other) => (one.glob < other.glob ? -1 : 1));
}

/** The folder of a package or of the root that contains a source file; the files with its ending if there is no folder. */
function sourceGlob(name: string, workspaces: readonly Workspace[]): string {
  const own = workspaces.flatMap(({ pattern, folders }) =>
    folders.filter((one) => name.startsWith(`${one}/`)).map((one) => ({ pattern, folder: one })),
  )[0];
  const prefix = own === undefined ? '' : `${own.pattern}/`;
  const rest = own === undefined ? name : name.slice(own.folder.length + 1);
  const [top = '', ...below] = rest.split('/');
  if (below.length > 0) return `${prefix}${top}/**`;
  const ending = top.slice(top.lastIndexOf('.'));
  return prefix === '' ? `/*${ending}` : `${prefix}*${ending}`;
}

/** Whole folders, and single files in other folders. */
function guardedPlaces({ names }: ProjectFiles, codeFiles: ReadonlySet<string>): Map<string, GuardedPlace> {
  const places = new Map<string, GuardedPlace>();
  for (const name of names) {
    if (testRows.some(({ matches }) => matches.test(name))) continue;
    const parts = name.split('/');
    for (const { group, words } of guardedWords) {
      const at = parts.findIndex((part) => wordsOf(part).some((word) => words.has(word)));
      if (at === -1) continue;
      const isFolder = at < parts.length - 1;
      if (!isFolder && !codeFiles.has(name)) continue;
      const folderName = parts.slice(0, at + 1).join('/');
      add(places, { group, glob: isFolder ? `/${folderName}/**` : `/${name}`, files: [name] });
      break;
    }
  }
  return places;
}

/** `ApiKeys.ts`: api, keys, ts, and pairs such as apikeys. A name such as `.github` is a word as it is. */
function wordsOf(part: string): string[] {
  const words = part
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const pairs = words.slice(1).map((word, at) => `${words[at]}${word}`);
  return part.startsWith('.') ? [part] : [...words, ...pairs];
}
