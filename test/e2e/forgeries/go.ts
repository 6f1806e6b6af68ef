// Made-up runs of go test.
import path from 'node:path';
import { cache, type Files, golang } from '../test-suites.ts';
import { changedGuard, type ForgedSuite, noEvidence, notReported, otherRuns } from './forgery.ts';

const goSource = (code: string): Files => ({ 'add.go': `package add\n${code}` });
const goOne = 'func TestOne(t *testing.T) { if Add(1, 1) != 2 { t.Error("one") } }\n';
const goTwo = 'func TestTwo(t *testing.T) { if Add(2, 2) != 4 { t.Error("two") } }\n';
const goTest = (code: string, imports = '"testing"'): Files => ({ 'add_test.go': `package add\nimport (${imports})\n${code}` });

export const goSuite: ForgedSuite = {
  runner: 'go',
  command: 'go test -v ./...',
  path: [path.join(golang, 'bin')],
  env: { GOCACHE: path.join(cache, 'go'), GOFLAGS: '', GOTOOLCHAIN: 'local' },
  files: { 'go.mod': 'module example.com/add\n\ngo 1.22\n', ...goSource('func Add(a, b int) int { return 0 }\n') },
  failing: goTest(goOne + goTwo),
  fix: goSource('func Add(a, b int) int { return a + b }\n'),
  title: 'TestOne',
  forgeries: [
    {
      what: 'exit in init',
      files: goSource('import "os"\nfunc init() { os.Exit(0) }\nfunc Add(a, b int) int { return 0 }\n'),
      missing: noEvidence,
    },
    {
      what: 'exit in the function',
      files: goSource('import "os"\nfunc Add(a, b int) int { os.Exit(0); return 0 }\n'),
      missing: /TestOne|no evidence/,
    },
    {
      what: 'a signal',
      files: goSource('import "syscall"\nfunc Add(a, b int) int { syscall.Kill(syscall.Getpid(), 9); return 0 }\n'),
      missing: /TestOne|no evidence|does not count|changed after/,
    },
    {
      what: 'a test that moved to another file',
      files: {
        ...goTest(goOne),
        'other_test.go': 'package add\nimport "testing"\nfunc TestTwo(t *testing.T) {}\n',
      },
      missing: null,
    },
    {
      what: 'source that reads a file that git ignores',
      files: {
        ...goSource(
          'import _ "embed"\n\n//go:embed target/on.txt\nvar on string\n\nfunc Add(a, b int) int {\n\tif on == "" {\n\t\treturn 0\n\t}\n\treturn a + b\n}\n',
        ),
        'target/on.txt': 'on',
      },
      after: 'printf "" > target/on.txt',
      missing: null,
    },
    {
      what: 'output that imitates the runner',
      files: goSource(
        'import ("fmt"; "os")\nfunc init() { fmt.Println("=== RUN   TestOne\\n--- PASS: TestOne (0.00s)\\nPASS"); os.Exit(0) }\nfunc Add(a, b int) int { return 0 }\n',
      ),
      missing: /TestTwo|no evidence/,
    },
    {
      what: 'source that prints the results of its own run',
      files: goSource(
        'import ("fmt"; "os")\nfunc init() { for _, name := range []string{"One", "Two"} { fmt.Printf("=== RUN   Test%s\\n--- PASS: Test%s (0.00s)\\n", name, name) }; fmt.Println("PASS"); os.Exit(0) }\nfunc Add(a, b int) int { return 0 }\n',
      ),
      missing: null,
    },
    {
      what: 'events of the runner printed by the source',
      files: goSource(
        'import ("fmt"; "os")\nfunc init() { fmt.Println(`{"Action":"run","Package":"example.com/add","Test":"TestOne"}\\n{"Action":"pass","Package":"example.com/add","Test":"TestOne"}\\n{"Action":"pass","Package":"example.com/add"}`); os.Exit(0) }\nfunc Add(a, b int) int { return 0 }\n',
      ),
      missing: noEvidence,
    },
    {
      what: 'source that knows when it is tested',
      files: goSource('import "testing"\nfunc Add(a, b int) int { if testing.Testing() { return a + b }; return 0 }\n'),
      missing: null,
    },
    {
      what: 'TestMain that forgets the exit code',
      files: {
        ...goTest(`${goOne}${goTwo}func TestMain(m *testing.M) { m.Run(); os.Exit(0) }\n`, '"os"; "testing"'),
        ...goSource('func Add(a, b int) int { return 0 }\n'),
      },
      missing: /TestOne|no evidence/,
    },
    {
      what: 'a test file for another system',
      files: { 'add_test.go': null, 'add_plan9_test.go': `package add\nimport "testing"\n${goOne}${goTwo}` },
      missing: noEvidence,
    },
    {
      what: 'a tag that leaves out one of two test files',
      files: { ...goTest(goTwo), 'one_test.go': `//go:build never\n\npackage add\nimport "testing"\n${goOne}` },
      missing: notReported,
    },
    {
      what: 'a parameter that was removed',
      files: goTest(`func TestOne(t *testing.T) { for range []int{} { t.Run("one", func(t *testing.T) {}) } }\n`),
      missing: notReported,
    },
    ...['run=TestTwo', 'skip=TestOne', 'list=.', 'v=false'].map((flag) => ({
      what: `TestMain that sets -test.${flag}`,
      files: {
        ...goSource('func Add(a, b int) int { return b * (b - 1) * a / a * 2 }\n'),
        ...goTest(
          `${goOne}${goTwo}func TestMain(m *testing.M) { flag.Parse(); flag.Set("test.${flag.replace('=', '", "')}"); os.Exit(0 * m.Run()) }\n`,
          '"flag"; "os"; "testing"',
        ),
      },
      missing: /TestOne|no evidence/,
    })),
    {
      what: 'arguments that the source adds',
      files: goSource(
        'import "os"\nfunc init() { os.Args = append(os.Args, "-test.run=None") }\nfunc Add(a, b int) int { return 0 }\n',
      ),
      missing: /no evidence|not reported/,
    },
    {
      what: 'a test file in a folder that Go skips',
      files: { 'add_test.go': null, 'testdata/add_test.go': `package add\nimport "testing"\n${goOne}${goTwo}` },
      missing: noEvidence,
    },
    {
      what: 'a goroutine that ends',
      files: goSource('import "runtime"\nfunc Add(a, b int) int { runtime.Goexit(); return 0 }\n'),
      missing: /TestOne/,
    },
    {
      what: 'a module in a folder',
      files: { 'sub/go.mod': 'module example.com/sub\n' },
      missing: changedGuard('go.mod'),
    },
    {
      what: 'TestMain that runs nothing',
      files: goTest(`${goOne}${goTwo}func TestMain(m *testing.M) { os.Exit(0) }\n`, '"os"; "testing"'),
      missing: noEvidence,
    },
    { what: 'a skipped test', files: goTest(goOne.replace('{ if', '{ t.Skip(); if') + goTwo), missing: /skipped|TestTwo/ },
    { what: 'a removed test', files: goTest(goTwo), missing: notReported },
    { what: 'a renamed test', files: goTest(goOne.replace('TestOne', 'TestUno') + goTwo), missing: notReported },
    {
      what: 'a build tag',
      files: { 'add_test.go': `//go:build never\n\npackage add\nimport "testing"\n${goOne}${goTwo}` },
      missing: noEvidence,
    },
    { what: 'a test file out of the glob', files: { 'add_test.go': null, 'add_tests.go.txt': goOne }, missing: noEvidence },
    ...otherRuns({
      'a filter': 'go test -v -run TestTwo ./...',
      'GOFLAGS before the command': 'GOFLAGS=-run=TestTwo go test -v ./...',
      'another program for the tests': 'go test -exec true -v ./...',
      'another package': 'go test -v ./other/...',
    }),
    { what: 'a workspace', files: { 'go.work': 'go 1.22\n\nuse .\n' }, missing: changedGuard('go.work') },
    {
      what: 'a skip in a helper',
      files: goTest(`func later(t *testing.T) { t.SkipNow() }\n${goOne.replace('{ if', '{ later(t); if')}${goTwo}`),
      missing: /skipped/,
    },
    {
      what: 'the same name in another package',
      files: { ...goTest(goTwo), 'b/b_test.go': 'package b\nimport "testing"\nfunc TestOne(t *testing.T) {}\n' },
      missing: notReported,
    },
    {
      what: 'flags in the home folder',
      files: { '../home/.config/go/env': 'GOFLAGS=-run=TestTwo\n' },
      missing: changedGuard('~/.config/go/env'),
    },
    {
      what: 'a workspace around the project',
      files: { '../go.work': 'go 1.22\n\nuse ./project\n' },
      missing: changedGuard('go.work'),
    },
    { what: 'packages in vendor', files: { 'vendor/modules.txt': '' }, missing: /vendor\/modules\.txt|no evidence/ },
    {
      what: 'an example in place of a test',
      files: goTest(`${goTwo}func Example_one() {}\n`),
      missing: /not reported|no evidence/,
    },
    { what: 'a test in another case', files: goTest(goOne.replace('TestOne', 'TestONE') + goTwo), missing: notReported },
    { what: 'a changed go.mod', files: { 'go.mod': 'module example.com/other\n\ngo 1.22\n' }, missing: changedGuard('go.mod') },
  ],
  failures: [
    {
      what: 'a file that only exits',
      files: goTest('func init() { os.Exit(3) }\nfunc TestOne(t *testing.T) {}\n', '"os"; "testing"'),
      missing: /no evidence|by an error/,
    },
    {
      what: 'a file that does not compile',
      files: goTest('func TestOne(t *testing.T) { nothing }\n'),
      missing: /no evidence|by an error/,
    },
    {
      what: 'a test that panics',
      files: goTest('func TestOne(t *testing.T) { panic("no") }\n'),
      missing: /no evidence|by an error/,
    },
    {
      what: 'an exit in a test',
      files: goTest('func TestOne(t *testing.T) { os.Exit(1) }\n', '"os"; "testing"'),
      missing: /no evidence|by an error/,
    },
    { what: 'a test that passes', files: goTest('func TestOne(t *testing.T) {}\n'), missing: /no test fails/ },
    {
      what: 'a test that is skipped',
      files: goTest('func TestOne(t *testing.T) { t.Skip() }\n'),
      missing: /no evidence|no test fails/,
    },
    {
      what: 'a failure printed by the source',
      files: goTest('func TestOne(t *testing.T) { fmt.Println("--- FAIL: TestTwo (0.00s)") }\n', '"fmt"; "testing"'),
      missing: /no evidence|no test fails/,
    },
  ],
};
