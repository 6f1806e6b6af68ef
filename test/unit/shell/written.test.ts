// Files that a program certainly writes, although the analysis does not understand the program.
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';

const writesOf = (command: string): string[] =>
  [
    ...new Set(
      analyse(command, { cwd: '/w', home: '/h' }).writes.map(({ path, extent }) => path + (extent === 'deep' ? '/**' : '')),
    ),
  ].sort();

describe('an output option', () => {
  test.each([
    ['go build -o out', ['/w/out']],
    ['go test -coverprofile=c.out ./...', ['/w/c.out']],
    ['psql -o out -c x', ['/w/out']],
    ['gpg -o out -d a.gpg', ['/w/out']],
    ['ssh-keygen -f key', ['/w/key']],
    ['valgrind --log-file=out ./a', ['/w/out']],
    ['npx terser a.js -o out', ['/w/out']],
    ['jupyter nbconvert --to script a.ipynb --output-dir out', ['/w/out/**']],
    ['npx jscpd -o out', ['/w/out/**']],
  ])('%s', (command, writes) => expect(writesOf(command)).toEqual(expect.arrayContaining(writes)));
});

test('the value of an option is not a program', () => {
  expect(writesOf('jupyter nbconvert --to script a.ipynb --stdout')).toEqual([]);
});

describe('an operand', () => {
  test.each([
    ["perl -pi -e 's/a/b/' f", ['/w/f']],
    ["perl -i.bak -pe 's/a/b/' f g", ['/w/f', '/w/g']],
    ["ruby -i -pe '' f", ['/w/f']],
    ['sponge f < a', ['/w/f']],
    ['script -c ls f', ['/w/f']],
    ['ffmpeg -i a f', ['/w/f']],
    ['convert a f', ['/w/f']],
    ["rename 's/a/b/' f g", ['/w/f', '/w/g']],
    ["vim -es -c 'wq' f", ['/w/f']],
    ["ed f <<< 'w'", ['/w/f']],
    ["sqlite3 f 'insert into t values(1)'", ['/w/f']],
  ])('%s', (command, writes) => expect(writesOf(command)).toEqual(writes));
});

test.each([
  'docker run image go build -o out',
  'perl -MList::Util=sum -ne print f',
  'perl -ne print f',
  'go build ./a',
  'tsc --noEmit -p a',
  'cmake -B out',
  'npm --prefix a test',
  'code f',
])('%s names no such file', (command) => expect(writesOf(command)).toEqual([]));

describe('a subcommand or script that names no file', () => {
  test.each([
    ...['cargo fmt', 'go fmt ./...', 'mix format', 'deno fmt', 'dotnet format', 'npx nx format:write', './gradlew spotlessApply'],
    ...[
      'mvn spotless:apply',
      'vendor/bin/pint',
      'vendor/bin/php-cs-fixer fix',
      'bin/rails generate model Tax',
      'go generate ./...',
    ],
    ...['npm run format', 'pnpm run lint:fix', 'make fmt', 'cargo clippy --fix', 'golangci-lint run --fix', 'swiftlint --fix'],
    ...['bundle exec rubocop -a', 'dart run build_runner build', 'php artisan make:model Tax', 'bin/console make:entity'],
    ...['npm run lint -- --fix', 'pnpm -r lint --fix', 'npx prisma format', 'sqlc generate', 'buf generate', 'hatch fmt'],
    ...['sbt scalafmtAll', './gradlew apiDump', 'bin/rails app:update', 'protoc --go_out=. a.proto'],
  ])('%s rewrites the folder', (command) => expect(writesOf(command)).toEqual(['/w/.any-file']));

  test.each([
    ...[
      'npx vitest run -u',
      'npm test -- -u',
      'npx jest --updateSnapshot',
      'bun test --update-snapshots',
      'go test ./... -update',
    ],
    ...[
      'npx playwright test --update-snapshots',
      'cargo insta accept',
      'flutter test --update-goldens',
      'pytest --snapshot-update',
      './gradlew recordPaparazziDebug',
    ],
  ])('%s rewrites expectations', (command) => expect(writesOf(command)).toEqual(['/w/__snapshots__/.any-file']));

  test.each([
    ...['cargo fmt --check', 'mix format --check-formatted', 'dotnet format --verify-no-changes', 'npm run format:check'],
    ...[
      'vendor/bin/pint --test',
      'isort --check-only .',
      'npx nx format:check',
      'hatch fmt --check',
      'poetry version --short',
      'npx prisma format --check',
      'npx vitest run',
      'go test ./...',
      'npm run lint',
    ],
  ])('%s rewrites nothing', (command) => expect(writesOf(command)).toEqual([]));

  test.each([
    ['tsc --outDir out', ['/w/out/**']],
    ['npx vite build --outDir src', ['/w/src/**']],
    ['node --test --test-reporter-destination=src/a.js', ['/w/src/a.js']],
    ['npx vitest init', ['/w/vitest.config.ts']],
    ['npx eslint --init', ['/w/eslint.config.js']],
    ['go work init', ['/w/go.work']],
    ['poetry version patch', ['/w/pyproject.toml']],
    ['./gradlew wrapper --gradle-version 8.10', ['/w/gradle/wrapper/gradle-wrapper.properties']],
  ])('%s writes there', (command, writes) => expect(writesOf(command)).toEqual(writes));
});

describe('the output of an awk program', () => {
  test.each([
    [`awk '{print > "f"}' a`, ['/w/f']],
    [`awk -v f=out '{print > f}' a`, ['/w/out']],
    [`awk 'BEGIN {f = "o" "ut"} {print >> f}' a`, ['/w/out']],
  ])('%s', (command, writes) => expect(writesOf(command)).toEqual(writes));

  test.each([
    [`awk '{print > $1}' a`, ['', '']],
    [`awk '{print > ("src/" $2 ".ts")}' a`, ['/w/src/', '.ts']],
    [`awk '{print > ("src/" $(NF-1))}' a`, ['/w/src/', '']],
  ])('is partly known: %s', (command, outline) =>
    expect(analyse(command, { cwd: '/w', home: '/h' }).open).toMatchObject([{ kind: 'write', outline }]),
  );

  test('a source with a known name is read', () =>
    expect(analyse(`awk -v f=key 'BEGIN {while ((getline l < f) > 0) print l}'`, { cwd: '/w', home: '/h' }).reads).toMatchObject([
      { path: '/w/key' },
    ]));
});
