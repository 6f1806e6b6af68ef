// Files that a command line is defined by.
import { expect, test } from 'vitest';
import { definedBy } from '../../../src/engine/lint/scripts.ts';

test.each<[string, string[]]>([
  ['./check.sh', ['check.sh']],
  ['tools/check', ['tools/check']],
  ['npm test', ['package.json']],
  ['true && ./a.sh; ./b.sh || ./c.sh | ./d.sh', ['a.sh', 'b.sh', 'c.sh', 'd.sh']],
  ['X=1 ./a.sh', ['a.sh']],
  ['FORCE_COLOR=0 node tools/x.js src/a.js', ['tools/x.js']],
  ['timeout 60 env A=1 ./a.sh', ['a.sh']],
  ['sh -c "./a.sh && python3 tools/y.py"', ['a.sh', 'tools/y.py']],
  ['$(./a.sh)', ['a.sh']],
  ['for one in 1 2; do ./a.sh; done', ['a.sh']],
  ['node -r ./setup.js --import=./hook.mjs x.js', ['setup.js', 'hook.mjs', 'x.js']],
  ['sh run', ['run']],
  ['/usr/bin/node x.js', ['x.js']],
  ['npx tsx tools/x.ts', ['tools/x.ts']],
  ['./node_modules/.bin/tsx tools/x.ts', ['node_modules/.bin/tsx', 'tools/x.ts']],
  ['cross-env A=1 node x.js', ['x.js']],
  ['uv run tools/x.py', ['tools/x.py']],
  ['deno run -A x.ts', ['x.ts']],
  ['vitest run --config tools/v.ts src/a.test.ts', ['tools/v.ts']],
  ['make -f build/x.mk', ['Makefile', 'build/x.mk']],
  ['npx eslint src/a.js', []],
  ['python -m pytest tests/a.py', []],
  ['node -e "1" x.js', []],
  ['grep -r node src/a.js', []],
  ['/abs/x.sh', []],
  ['../out.sh', []],
  ['$SCRIPT', []],
])('%j: %j', (line, scripts) => {
  expect(definedBy(line, null).scripts.sort()).toEqual([...scripts].sort());
});

test.each<[string, string]>([
  ['tsc -p conf/x.json', 'conf/x.json'],
  ['npx -p typescript tsc -p conf/x.json', 'conf/x.json'],
  ['eslint -c x.js src', 'x.js'],
  ['npx eslint --rulesdir rules src', 'rules/**'],
  ['jest --config=conf/j.js', 'conf/j.js'],
  ['jest -c conf/j.js --setupFiles ./s.js', 's.js'],
  ['vitest run -c conf/v.ts', 'conf/v.ts'],
  ['npm test -- -c conf/v.ts', 'conf/v.ts'],
  ['pytest -c conf/p.ini', 'conf/p.ini'],
  ['pytest --rootdir conf', 'conf/'],
  ['pytest -p tools.hook', 'tools/hook.py'],
  ['python3.12 -m pytest -p tools.hook', 'tools/hook.py'],
  ['python -m pytest', 'pytest.py'],
  ['python -m tools.check -c x', 'tools/check/**'],
  ['mocha --require ./setup.js --opts test/m.opts', 'test/m.opts'],
  ['go test -overlay o.json ./...', 'o.json'],
  ['go test -modfile=alt.mod ./...', 'alt.mod'],
  ["go test -toolexec 'sh tools/x.sh' ./...", 'tools/x.sh'],
  ['cargo --config conf/c.toml test', 'conf/c.toml'],
  ['cargo test --manifest-path=a/Cargo.toml', 'a/Cargo.toml'],
  ['make -I mk test', 'mk/**'],
  ['npm --script-shell ./sh.sh test', 'sh.sh'],
  ['npm -w packages/a test', 'packages/a/package.json'],
  ['node --env-file=.env.test --import ./h.mjs x.js', '.env.test'],
  ['tox -c conf/t.ini', 'conf/t.ini'],
  ['./gradlew -b b.gradle -I i.gradle test', 'i.gradle'],
  ['mvn -f sub/pom.xml verify', 'sub/pom.xml'],
  ['mvn -f sub verify', 'sub/'],
  ['phpunit -c conf/u.xml', 'conf/u.xml'],
  ['bundle exec rspec -O conf/o -r ./h.rb', 'conf/o'],
  ['bazel --bazelrc=conf/rc test //...', 'conf/rc'],
  ['just -f recipes test', 'recipes'],
  ['task -t T.yml test', 'T.yml'],
  ["NODE_OPTIONS='--require ./h.cjs' npm test", 'h.cjs'],
  ['PYTEST_ADDOPTS="-c conf/p.ini" pytest', 'conf/p.ini'],
  ['BASH_ENV=./e.sh bash x.sh', 'e.sh'],
])('%j is defined by %s too', (line, name) => {
  const { scripts, folders, trees } = definedBy(line, null);
  const all = [...scripts, ...folders.map((one) => `${one}/`), ...folders, ...trees, ...trees.map((one) => `${one}/**`)];
  expect(all).toContain(name);
});

test.each([
  'eslint --quiet src/a.js',
  'vitest --run test/a.test.ts',
  'pytest -x tests/a.py',
  'tsc --noEmit src/a.ts',
  'mocha --reporter dot test/a.js',
  'OUT=dist/a.json eslint src/a.js',
])('%j is not defined by its operand files', (line) => {
  const { scripts, trees } = definedBy(line, null);
  expect([...scripts, ...trees]).toEqual([]);
});

test.each<[string, string | null, string[], string[]]>([
  ['cd sub && ./a.sh', null, ['a.sh', 'sub/a.sh'], ['.', 'sub']],
  ['cd a && cd b && ./c.sh', null, ['c.sh', 'a/c.sh', 'b/c.sh', 'a/b/c.sh'], ['.', 'a', 'b', 'a/b']],
  ['make -C sub', null, ['Makefile', 'sub/Makefile'], ['.', 'sub']],
  ['npm --prefix=sub test', null, ['package.json', 'sub/package.json'], ['.', 'sub']],
  ['./a.sh', 'pkg/', ['pkg/a.sh'], ['pkg']],
  ['cd .. && ./a.sh', 'pkg', ['pkg/a.sh', 'a.sh'], ['pkg', '.']],
  ['cd ../.. && ./a.sh', 'pkg', ['pkg/a.sh'], ['pkg']],
])('%j in %j: %j, in %j', (line, folder, scripts, folders) => {
  expect(definedBy(line, folder)).toEqual({ scripts, folders, trees: [] });
});
