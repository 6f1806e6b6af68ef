// Files that a command line is defined by.
import { expect, test } from 'vitest';
import { definedBy } from '../../../src/decide/scripts.ts';

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

test.each<[string, string | null, string[], string[]]>([
  ['cd sub && ./a.sh', null, ['a.sh', 'sub/a.sh'], ['.', 'sub']],
  ['cd a && cd b && ./c.sh', null, ['c.sh', 'a/c.sh', 'b/c.sh', 'a/b/c.sh'], ['.', 'a', 'b', 'a/b']],
  ['make -C sub', null, ['Makefile', 'sub/Makefile'], ['.', 'sub']],
  ['npm --prefix=sub test', null, ['package.json', 'sub/package.json'], ['.', 'sub']],
  ['./a.sh', 'pkg/', ['pkg/a.sh'], ['pkg']],
  ['cd .. && ./a.sh', 'pkg', ['pkg/a.sh', 'a.sh'], ['pkg', '.']],
  ['cd ../.. && ./a.sh', 'pkg', ['pkg/a.sh'], ['pkg']],
])('%j in %j: %j, in %j', (line, folder, scripts, folders) => {
  expect(definedBy(line, folder)).toEqual({ scripts, folders });
});
