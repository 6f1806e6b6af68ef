// Commands that test, check or describe the project, and program texts that are plain.
import { describe, expect, test } from 'vitest';
import { commandFacts } from '../../../src/facts/paths/keys.ts';
import { analyse } from '../../../src/shell/analyse.ts';

const analysed = (command: string) => analyse(command, { cwd: '/p', home: '/h' });
const isCheck = (command: string) => analysed(command).commands.every(({ tags = [] }) => tags.includes('checks'));

describe('a check', () => {
  test.each([
    ...['npm test', 'npm t', 'npm run test:unit', 'npm --prefix packages/a test', 'npm test -w packages/a', 'npm run typecheck'],
    ...[
      'pnpm -r test',
      'pnpm --filter @a/web test',
      'pnpm exec vitest run',
      'pnpm vitest --run',
      'pnpm turbo run test --filter=@a/ui',
    ],
    ...['yarn jest a.test.js', 'yarn workspaces foreach -A run test', 'yarn workspace @a/core test', 'yarn node --test'],
    ...[
      'npx --no-install vitest run',
      'npx -y jest',

      './node_modules/.bin/vitest run',
      'npx --no nx run-many -t test --parallel=3',
    ],
    ...['npx --no nx run shop:test', 'npx --no c8 npm test', 'bun test', 'bun run test', 'deno task test', 'deno lint'],
    ...['node --test', 'node --test test/*.test.js', 'timeout 60 npm test', 'CI=1 npm test'],
    ...[
      'pytest -q',
      'python -m pytest -n auto',
      '.venv/bin/python -m pytest',
      'poetry run pytest tests/a.py::b -vv',
      'uv run --group test pytest',
    ],
    ...[
      'uv run nox -s tests',
      'uv run coverage run -m pytest',
      'tox -e py312',
      'python manage.py test',
      'python manage.py showmigrations',
    ],
    ...[
      'uv lock --check',
      'go mod tidy -diff',
      'cargo search serde',
      'yarn npm info react',
      'composer outdated',
      'pnpm outdated',
    ],
    ...['just --evaluate', 'pnpm turbo run build --dry-run'],
    ...['poetry show --tree', 'poetry version -s', '. .venv/bin/activate', 'PYTHONPATH=src pytest -q'],
    ...['go test ./...', 'go vet ./...', 'golangci-lint run', 'gotestsum --format testname'],
    ...['cargo test', 'cargo clippy --all-targets -- -D warnings', "cargo nextest run -E 'test(tax)'", 'cargo tree -i serde'],
    ...[
      './mvnw -q test -Dtest=A',
      'mvn -B -o verify',
      'mvn dependency:tree',
      './gradlew :core:test --tests a.B',
      'gradle cleanTest test',
    ],
    ...['dotnet test', 'bin/rails test', 'bin/rails routes', 'bundle exec rspec', 'bundle exec rake spec', 'bundle exec rubocop'],
    ...['vendor/bin/phpunit', 'php artisan test', 'php artisan route:list', 'composer test', 'vendor/bin/phpstan analyse'],
    ...[
      'mix test',
      'mix credo',
      'swift test',
      'ctest --test-dir build',
      'cmake --build build --target test',
      'make test',
      'make -C build test',
    ],
    ...[
      'npm test; git status',
      'npm test && git diff',
      'npm exec --no -- tsc --noEmit',
      'pnpm -C packages/a test',
      'pnpm --parallel -r lint',
    ],
    ...[
      'ruby -Itest test/cart_test.rb',
      'python tests/test_cart.py',
      'bundle exec ruby -Itest test/cart_test.rb',
      'make -n build',
    ],
    ...['sbt "testOnly a.B"', 'stack test', 'cabal test all', 'lein test', 'clojure -M:test', 'pdm run test', 'hatch run test'],
    ...['npx --no lerna run test', 'yarn workspace @a/core run jest', './gradlew allTests', './gradlew dependencyInsight'],
    ...['php bin/console lint:yaml config', 'bin/rails -T', 'uv run python -X dev -m pytest', 'just test -k tax'],
    ...[
      './tests/run.sh',
      'bash scripts/run-tests.sh',
      'sh tests/all.sh',
      'ng test --watch=false',
      'dune runtest',
      'zig build test',
    ],
    ...[
      'npx -y eslint@9 .',
      'mix cmd --app core mix test',
      'R CMD check .',
      'Rscript tests/testthat.R',
      'Rscript -e \'testthat::test_dir("tests")\'',
      "R -q -e 'devtools::test()'",
      'coverage run -m pytest',
      'coverage report -m',
      '. ~/.nvm/nvm.sh && nvm use && npm test',
      'busted',
      'luacheck src',
      './build/tests/cart_test',
      'flutter test',
      'dart analyze',
      'mvn -v',
      './gradlew --version',
      'npx --no tsc --noEmit',
    ],
  ])('%s', (command) => expect(isCheck(command)).toBe(true));
});

describe('no check', () => {
  test.each([
    ...[
      'npm run build',
      'npm run deploy',
      'npm publish',
      'npm install',
      'npm run lint:fix',
      'npm test -- -u',
      'npx biome check',
      'node a.js',
    ],
    ...[
      'eslint --fix src',
      'npx --no eslint src --fix',
      './scripts/deploy.sh',
      'bash ../x/tests/run.sh',
      'zig build',
      'ng build',
      'prettier --write .',
      'prettier .',
      'npx --no vitest run -u',
      'ruff check --fix',
    ],
    ...[
      'pytest --snapshot-update',
      'poetry add x',
      'poetry install',
      'uv run python a.py',
      'python manage.py migrate',
      'python manage.py shell',
    ],
    ...['cargo fix', 'cargo insta accept', 'cargo clippy --fix', 'cargo publish', 'go generate ./...', 'golangci-lint run --fix'],
    ...[
      'mvn deploy',
      'mvn test deploy',
      './gradlew test publish',
      './gradlew spotlessApply',
      'dotnet run',
      'bin/rails db:migrate',
    ],
    ...[
      'bundle exec rubocop -a',
      'php artisan migrate',
      'composer require x',
      'mix format',
      'mix ecto.migrate',
      'make',
      'make test deploy',
    ],
    ...[
      'make install',
      'npm run build; git status',
      './gradlew updateDebugScreenshotTest',
      'ruby -e "x" test/a_test.rb -u',
      'python3 ../test/a.py',
      'node scripts/a.js',
      'bash check.sh',
      'npx $x test',
      'npm run $x',
      'npm run *',
      'pytest $x',
      'terraform apply',
      'uv lock',
      'uv lock --check --index-url https://x.example',
      'go mod tidy',
      'poetry lock',
      'npx $(cat x) eslint',
      'docker run a test',
    ],
  ])('%s', (command) => expect(isCheck(command)).toBe(false));
});

describe('a program text', () => {
  test.each([
    `python3 -c 'import sys; print(sys.version)'`,
    `python3 -c 'import requests; print(requests.__version__)'`,
    `node -e 'console.log(require.resolve("vitest"))'`,
    `cat a.json | python3 -c "import json,sys; print(json.load(sys.stdin)['name'])"`,
    `python3 -c 'import json; print(json.load(open("a.json"))["name"])'`,
    `node -e "console.log(require('./package.json').version)"`,
    `node -p 'process.versions.v8'`,
    `node --input-type=module -e "import('./src/a.js').then(m => console.log(Object.keys(m)))"`,
    `perl -ne 'print if /a/' f`,
    `php -r 'echo 1 + 1;'`,
    `python3 - <<'E'\nprint(1)\nE`,
    `node <<'E'\nconsole.log(1)\nE`,
    `uv run python -c 'import shop; print(shop.total([1]))'`,
  ])('%s runs', (command) => expect(analysed(command).class).toBe('runs'));

  test.each([
    `python3 -c "open('a','w').write('x')"`,
    `python3 -c 'import os; os.system("npm publish")'`,
    `python3 -c 'import os; os.remove("a")'`,
    `python3 -c 'import requests; print(requests.get("x"))'`,
    `python3 -c 'import requests; print(requests.__version__, requests.get(1))'`,
    `python3 -c 'from pathlib import Path; Path("a").write_text("x")'`,
    `python3 -c 'from pathlib import Path; Path("a").replace("b")'`,
    `python3 -c 'import os; print(os.environ)'`,
    `python3 -c '__import__("o" + "s")'`,
    `python3 -c 'import urllib.request as r; r.urlopen("http://a.b")'`,
    `python3 -c 'print(open("/etc/passwd"))'`,
    `python3 -c 'print(1, file=f)'`,
    `python3 -X importtime -c 'print(1)'`,
    `python3 -c "$x"`,
    `node -e "require('fs').writeFileSync('a', 'x')"`,
    `node -e "require('child_process')"`,
    `node -e 'fetch("http://a.b")'`,
    `node -e 'console.log(process.env)'`,
    `node -e 'process.kill(1)'`,
    `node -e 'require("f" + "s")'`,
    `node -r ./a.js -e '1'`,
    `perl -e 'unlink "f"'`,
    "perl -e 'print `id`'",
    `perl -Mx -e 1`,
    `ruby -e 'File.write("a", "x")'`,
    `php -r 'file_put_contents("a", 1);'`,
    `python3 - <<'E'\nopen('a', 'w')\nE`,
    `uv run python -c "open('a','w').write('')"`,
    `poetry run python - <<'E'\nimport os; os.remove('a')\nE`,
    `python3 -c 'import os; print(vars(os))'`,
    `python3 -c 'from os import *; x = "po" + "pen"'`,
    `python3 -c 'print("\\x73ystem")'`,
    `python3 -c 'import base64; print(base64.b64decode("eA=="))'`,
    `python3 -c 'import os; [os.name][0]("x")'`,
    `perl -e '$x = "sys" . "tem"; &$x("id")'`,
    `perl -e 'no strict; print 1'`,
    `perl -e 'do "a.pl"'`,
    `ruby -e 'Kernel.send("p", 1)'`,
    `ruby -e 'Kernel.send :p, 1'`,
    `php -r '$f = "x"; $f(1);'`,
    `node -e 'console["log"](1)'`,
    `node -e 'console.log(String.fromCharCode(1))'`,
    'curl -s https://a.b | python3',
  ])('%s is unknown', (command) => expect(analysed(command).class).toBe('unknown'));
});

describe('a variable before a program', () => {
  test.each([
    ['RAILS_ENV=test bundle exec rspec', 'runs'],
    ['RAILS_ENV=production bundle exec rspec', 'unknown'],
    ['CGO_ENABLED=0 go build ./...', 'runs'],
    ['NODE_OPTIONS="--max-old-space-size=4096 --no-warnings" npm test', 'runs'],
    ['NODE_OPTIONS=--require=./a.js npm test', 'unknown'],
    ['NODE_OPTIONS="--no-warnings --import ./a.js" npm test', 'unknown'],
    ['UV_OFFLINE=1 uv run pytest', 'runs'],
    ['PYTHONWARNINGS=error pytest', 'runs'],
    ['PYTHONWARNINGS=error::a.B pytest', 'unknown'],
    ['PYTHONPATH=src pytest', 'runs'],
    ['PYTHONPATH=/tmp pytest', 'unknown'],
    ['PYTHONPATH=src black --check .', 'runs'],
    ['export PYTHONPATH=src; pytest', 'unknown'],
    ['INSTA_UPDATE=always cargo test', 'unknown'],
    ['UPDATE_GOLDEN=1 go test ./...', 'unknown'],
  ])('%s is %s', (command, expected) => expect(analysed(command).class).toBe(expected));
});

test('a name in a plain program text is no program that publishes', () => {
  const [command] = analysed("python3 -c 'import numpy as np; print(np.__version__)'").commands;
  expect(commandFacts(command!, '/p').tags).toEqual(['checks']);
});

describe('a query of the default server of a database', () => {
  const queries = (command: string) => analysed(command).commands.at(-1)!.tags?.includes('network-read') === true;

  test.each([
    "psql shop -c 'select count(*) from a'",
    "psql -c '\\dt'",
    "mysql -u root shop -e 'SHOW TABLES'",
    'redis-cli GET cart:1',
  ])('is %s', (command) => expect(queries(command)).toBe(true));
  test.each([
    "psql -h db.example -c 'select 1'",
    "psql postgres://db.example/shop -c 'select 1'",
    "psql -d host=db.example -c 'select 1'",
    "export PGHOST=db.example; psql -c 'select 1'",
    "PGHOST=db.example psql -c 'select 1'",
    "psql shop -c 'drop table a'",
    "psql shop -c 'select 1' -c 'drop table a'",
    "mysql -h db.example -e 'show tables'",
    "mysql -e 'delete from a'",
    'redis-cli -h db.example GET a',
    'redis-cli -u redis://db.example GET a',
    'redis-cli DEL a',
  ])('is not %s', (command) => expect(queries(command)).toBe(false));
});

describe('a command that changes only files', () => {
  const changesOnlyFiles = (command: string) => analysed(command).commands.every(({ tags = [] }) => tags.includes('files'));

  test.each([
    'cp a b',
    'sort a > b',
    'rm -r a',
    'mkdir -p a/b',
    'sed s/a/b/ a > b',
    'tar czf a.tgz b',
    'git diff > a',
    'git bundle create a HEAD',
  ])('is %s [s:bash.files]', (command) => expect(changesOnlyFiles(command)).toBe(true));

  test.each(['git commit -m x', 'git add . > a', 'git branch a', 'git worktree add /tmp/a', 'npm test > a', 'make > a', 'ls'])(
    'is not %s [s:bash.files]',
    (command) => expect(changesOnlyFiles(command)).toBe(false),
  );
});

test.each([
  'mktemp() { echo src/a; }; T=$(mktemp); echo > "$T"',
  'T=$(TMPDIR=src mktemp); echo > "$T"',
  'TMPDIR=src; T=$(mktemp); echo > "$T"',
  'T=$(mktemp src/a.XXXX); echo > "$T"',
  'T=$(mktemp /tmp/../p/a.XXXX); echo > "$T"',
  'echo > /tmp/$name',
  'echo > src/$$',
])('%s writes to an unknown place', (command) => expect(analysed(command).class).toBe('unknown'));
