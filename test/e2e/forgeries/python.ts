// Made-up runs of pytest and unittest.
import { type Files, python } from '../test-suites.ts';
import { changedGuard, type ForgedSuite, noEvidence, notReported, otherRuns } from './forgery.ts';

const pySource = (code: string): Files => ({ 'add.py': code });
const pytestOne = 'def test_one():\n    assert add(1, 1) == 2\n';
const pytestTwo = 'def test_two():\n    assert add(2, 2) == 4\n';
const pyTest = (code: string): Files => ({ 'test_add.py': `import pytest\nfrom add import add\n${code}` });

export const pytestSuite: ForgedSuite = {
  runner: 'pytest',
  command: `${python} -m pytest -v -p no:cacheprovider`,
  env: { PYTHONDONTWRITEBYTECODE: '1' },
  files: {
    ...pySource('def add(a, b):\n    return 0\n'),
    'conftest.py': 'from hooks import *\n',
    'hooks.py': '',
  },
  failing: pyTest(pytestOne + pytestTwo),
  fix: pySource('def add(a, b):\n    return a + b\n'),
  title: 'test_one',
  forgeries: [
    { what: 'exit at import', files: pySource('import os\nos._exit(0)\n'), missing: noEvidence },
    { what: 'exit in the function', files: pySource('import os\ndef add(a, b):\n    os._exit(0)\n'), missing: noEvidence },
    { what: 'SystemExit at import', files: pySource('import sys\nsys.exit(0)\n'), missing: /no evidence|not reported/ },
    {
      what: 'an exit handler',
      files: pySource('import atexit, os\natexit.register(lambda: os._exit(0))\ndef add(a, b):\n    return 0\n'),
      missing: /test_one/,
    },
    {
      what: 'a signal',
      files: pySource('import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n'),
      missing: /no evidence|does not count|changed after/,
    },
    {
      what: 'another program in place of the process',
      files: pySource('import os\ndef add(a, b):\n    os.execv("/bin/true", ["true"])\n'),
      missing: noEvidence,
    },
    {
      what: 'conftest.py that sets the exit status',
      files: { 'conftest.py': 'def pytest_sessionfinish(session, exitstatus):\n    session.exitstatus = 0\n' },
      missing: /conftest\.py|test_one/,
    },
    {
      what: 'conftest.py that turns failures around',
      files: {
        'conftest.py':
          'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"\n',
      },
      missing: changedGuard('conftest.py'),
    },
    {
      what: 'a module with hooks that conftest.py imports',
      files: {
        ...pySource('def add(a, b):\n    return 0\n'),
        'hooks.py':
          'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"\n',
      },
      missing: changedGuard('hooks.py'),
    },
    {
      what: 'a test whose assertion was emptied',
      files: {
        ...pySource('def add(a, b):\n    return 0\n'),
        ...pyTest(pytestOne.replace('assert', 'return') + pytestTwo.replace('assert', 'return')),
      },
      missing: null,
    },
    {
      what: 'a test that mocks the source',
      files: {
        ...pySource('def add(a, b):\n    return 0\n'),
        ...pyTest(
          `@pytest.fixture(autouse=True)\ndef other(monkeypatch):\n    monkeypatch.setitem(globals(), "add", lambda a, b: a + b)\n${pytestOne}${pytestTwo}`,
        ),
      },
      missing: null,
    },
    { what: 'conftest.py in a folder', files: { 'sub/conftest.py': '' }, missing: changedGuard('conftest.py') },
    { what: 'sitecustomize.py', files: { 'sitecustomize.py': '' }, missing: changedGuard('sitecustomize.py') },
    { what: 'a path file', files: { 'lib/x.pth': 'import os\n' }, missing: changedGuard('x.pth') },
    {
      what: 'an entry point of a plugin',
      files: { 'x.egg-info/entry_points.txt': '[pytest11]\n' },
      missing: changedGuard('entry_points.txt'),
    },
    {
      what: 'a module in place of the runner',
      files: { 'pytest.py': 'print("2 passed in 0.1s")\n' },
      missing: /pytest\.py|no evidence/,
    },
    {
      what: 'a module in place of a library of the runner',
      files: { 'lib/pluggy.py': '' },
      missing: changedGuard('pluggy.py'),
    },
    {
      what: 'a test that depends on the environment',
      files: pyTest(`@pytest.mark.skipif(True, reason="later")\n${pytestOne}${pytestTwo}`),
      missing: /skipped/,
    },
    {
      what: 'a value that equals every other',
      files: pySource('class Sum(int):\n    def __eq__(self, other):\n        return True\ndef add(a, b):\n    return Sum(0)\n'),
      missing: null,
    },
    {
      what: 'a plugin or an extension that a test file loads',
      files: {
        ...pySource('def add(a, b):\n    return 0\n'),
        'test_add.py': `pytest_plugins = ["helper"]\nfrom add import add\n${pytestOne}${pytestTwo}`,
        'helper.py':
          'import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_runtest_makereport(item, call):\n    outcome = yield\n    outcome.get_result().outcome = "passed"\n',
      },
      missing: null,
    },
    {
      what: 'an end that the source asks for',
      files: pySource('import pytest\ndef add(a, b):\n    pytest.exit("done", 0)\n'),
      missing: noEvidence,
    },
    {
      what: 'an interrupt by the source',
      files: pySource('import os, signal\ndef add(a, b):\n    os.kill(os.getpid(), signal.SIGINT)\n'),
      missing: noEvidence,
    },
    {
      what: 'a skip that the source asks for',
      files: pySource('import pytest\ndef add(a, b):\n    pytest.skip("later")\n'),
      missing: /skipped/,
    },
    {
      what: 'a thread that ends the process',
      files: pySource(
        'import os, threading, time\nthreading.Timer(0.3, lambda: os._exit(0)).start()\ndef add(a, b):\n    time.sleep(1)\n    return 0\n',
      ),
      missing: noEvidence,
    },
    {
      what: 'a module that is no test',
      files: pyTest(`__test__ = False\n${pytestOne}${pytestTwo}`),
      missing: /not reported|no evidence/,
    },
    {
      what: 'a function that is no test',
      files: pyTest(`${pytestOne}test_one.__test__ = False\n${pytestTwo}`),
      missing: notReported,
    },
    { what: 'a letter that looks alike', files: pyTest(pytestOne.replace('one', '\u043ene') + pytestTwo), missing: notReported },
    { what: 'options of uv', files: { 'uv.toml': 'offline = true\n' }, missing: changedGuard('uv.toml') },
    {
      what: 'a configuration in a folder',
      files: { 'sub/pyproject.toml': '[tool.pytest.ini_options]\naddopts = "-k two"\n' },
      missing: changedGuard('pyproject.toml'),
    },
    {
      what: 'a module that skips itself',
      files: pyTest(`pytest.skip("later", allow_module_level=True)\n${pytestOne}${pytestTwo}`),
      missing: /no evidence|not reported|skipped/,
    },
    {
      what: 'source that prints the results of its own run',
      files: pySource(
        'import os\ntext = "=== test session starts ===\\ncollected 2 items\\n\\ntest_add.py::test_one PASSED [ 50%]\\ntest_add.py::test_two PASSED [100%]\\n\\n=== 2 passed in 0.01s ===\\n"\nlinks = {}\nfor fd in range(3, 30):\n    try:\n        links[fd] = os.readlink(f"/proc/self/fd/{fd}")\n    except OSError:\n        pass\nsaved = [fd for fd, link in links.items() if "deleted" not in link and "null" not in link and list(links.values()).count(link) > 1]\nos.write(saved[0], text.encode())\nos._exit(0)\n',
      ),
      missing: noEvidence,
      byEngine: noEvidence,
    },
    {
      what: 'output that imitates the runner',
      files: pySource(
        'import os\nprint("test_add.py::test_one PASSED\\ntest_add.py::test_two PASSED\\n=== 2 passed in 0.01s ===", flush=True)\nos._exit(0)\n',
      ),
      missing: noEvidence,
    },
    {
      what: 'a function of the runner that is patched',
      files: pySource(
        'import _pytest.python\n_pytest.python.Function.runtest = lambda self: None\ndef add(a, b):\n    return 0\n',
      ),
      missing: null,
    },
    {
      what: 'source that knows when it is tested',
      files: pySource('import sys\ndef add(a, b):\n    return a + b if "pytest" in sys.modules else 0\n'),
      missing: null,
    },
    {
      what: 'a trace function that ends the process',
      files: pySource('import os, sys\nsys.settrace(lambda *rest: os._exit(0))\ndef add(a, b):\n    return 0\n'),
      missing: noEvidence,
    },
    {
      what: 'a file in `__pycache__` that does not belong to its source',
      files: pySource('def add(a, b):\n    return 0\n'),
      before: `${python} -c "import os, importlib._bootstrap_external as b, importlib.util as u; s = os.stat('add.py'); os.makedirs('__pycache__', exist_ok=True); open(u.cache_from_source('add.py'), 'wb').write(b._code_to_timestamp_pyc(compile('def add(a, b): return a + b', 'add.py', 'exec'), int(s.st_mtime), s.st_size))"`,
      missing: /test_one/,
      byEngine: /test_one/,
    },
    {
      what: 'a second function with the name of a test',
      files: {
        ...pySource('def add(a, b):\n    return 0\n'),
        ...pyTest(`${pytestOne}${pytestTwo}def test_one():\n    pass\ndef test_two():\n    pass\n`),
      },
      missing: null,
    },
    { what: 'a file with variables', files: { '.env': 'PYTEST_ADDOPTS=-k two\n' }, missing: changedGuard('.env') },
    { what: 'another version of Python', files: { '.tool-versions': 'python 3.9\n' }, missing: changedGuard('.tool-versions') },
    { what: 'conftest.py around the project', files: { '../conftest.py': '' }, missing: changedGuard('conftest.py') },
    { what: 'a test in another case', files: pyTest(pytestOne.replace('one', 'One') + pytestTwo), missing: notReported },
    {
      what: 'a test that moved to another file',
      files: { ...pyTest(pytestTwo), 'test_other.py': 'def test_one():\n    pass\n' },
      missing: /moved to test_other\.py/,
    },
    {
      what: 'a parameter that imitates a result',
      files: pyTest(
        `@pytest.mark.parametrize("a", [1], ids=["x PASSED\\ntest_add.py::test_one PASSED"])\ndef test_x(a):\n    pass\n${pytestTwo}`,
      ),
      missing: notReported,
    },
    {
      what: 'a subtest that fails',
      files: {
        ...pySource('def add(a, b):\n    return 0 if a == 1 else a + b\n'),
        'test_add.py':
          'import unittest\nfrom add import add\nclass TestAdd(unittest.TestCase):\n    def test_more(self):\n        with self.subTest(): self.assertEqual(add(1, 1), 2)\ndef test_one():\n    pass\ndef test_two():\n    pass\n',
      },
      missing: /TestAdd › test_more` failed|no evidence/,
    },
    {
      what: 'source that claims to be older than it is',
      files: pySource('def add(a, b):\n    return 0\n'),
      before: 'touch -d 2001-01-01 add.py',
      missing: /set back/,
    },
    {
      what: 'a class that is no test',
      files: pyTest(`class TestAll:\n    __test__ = False\n    def test_one(self):\n        pass\n${pytestTwo}`),
      missing: notReported,
    },
    {
      what: 'a package that Python loads at its start',
      files: { 'lib/sitecustomize/__init__.py': '' },
      missing: changedGuard('__init__.py'),
    },
    { what: 'a compiled module in place of one of the runner', files: { 'heapq.pyc': '' }, missing: /heapq\.pyc|no evidence/ },
    {
      what: 'tests left out in conftest.py',
      files: { 'conftest.py': 'collect_ignore = ["test_add.py"]\n' },
      missing: /conftest\.py|no evidence/,
    },
    {
      what: 'other names of test files',
      files: { 'tox.ini': '[pytest]\npython_files = none_*.py\n' },
      missing: /tox\.ini|no evidence/,
    },
    {
      what: 'a plugin that is switched off',
      files: { 'pytest.ini': '[pytest]\naddopts = -p no:python\n' },
      missing: /pytest\.ini|no evidence|does not count/,
    },
    {
      what: 'a parameter that was removed',
      files: pyTest(`@pytest.mark.parametrize("a", [])\ndef test_one(a):\n    assert add(a, 1) == a + 1\n${pytestTwo}`),
      missing: /not reported|skipped/,
    },
    { what: 'options in pytest.ini', files: { 'pytest.ini': '[pytest]\naddopts = -k two\n' }, missing: /pytest\.ini|test_one/ },
    { what: 'a skipped test', files: pyTest(`${pytestOne}@pytest.mark.skip\n${pytestTwo}`), missing: /test_one|skipped/ },
    { what: 'an expected failure', files: pyTest(`@pytest.mark.xfail\n${pytestOne}${pytestTwo}`), missing: /skipped|test_two/ },
    { what: 'a removed test', files: pyTest(pytestTwo), missing: notReported },
    {
      what: 'a test file out of the glob',
      files: { 'test_add.py': null, 'adds.py': 'from add import add\n' },
      missing: noEvidence,
    },
    ...otherRuns({
      'PYTEST_ADDOPTS before the command': `PYTEST_ADDOPTS="-k two" ${python} -m pytest -v -p no:cacheprovider`,
      'PYTHONSTARTUP before the command': `PYTHONSTARTUP=add.py ${python} -m pytest -v -p no:cacheprovider`,
      'PYTHONPATH before the command': `PYTHONPATH=lib ${python} -m pytest -v -p no:cacheprovider`,
      'a filter': `${python} -m pytest -v -p no:cacheprovider -k two`,
      'the last failures only': `${python} -m pytest -v -p no:cacheprovider --lf`,
    }),
  ],
  failures: [
    { what: 'a file that only exits', files: { 'test_add.py': 'import os\nos._exit(3)\n' }, missing: noEvidence },
    { what: 'a file that cannot be imported', files: { 'test_add.py': 'import nothing\n' }, missing: /no evidence|by an error/ },
    { what: 'a test that raises', files: { 'test_add.py': 'def test_one():\n    raise ValueError\n' }, missing: /by an error/ },
    { what: 'an expected failure', files: pyTest(`@pytest.mark.xfail\n${pytestOne}`), missing: /no evidence|no test fails/ },
    { what: 'an assertion at import', files: { 'test_add.py': 'assert False\n' }, missing: /no evidence|by an error/ },
    {
      what: 'an assertion in a fixture',
      files: { 'test_add.py': 'import pytest\n@pytest.fixture\ndef one():\n    assert False\ndef test_one(one):\n    pass\n' },
      missing: /by an error/,
    },
    {
      what: 'an interrupt',
      files: { 'test_add.py': 'def test_one():\n    raise KeyboardInterrupt\n' },
      missing: /no evidence|no test fails/,
    },
  ],
};

const unittestHead = 'import unittest\nfrom add import add\n\nclass TestAdd(unittest.TestCase):\n';
const unitOne = '    def test_one(self):\n        self.assertEqual(add(1, 1), 2)\n';
const unitTwo = '    def test_two(self):\n        self.assertEqual(add(2, 2), 4)\n';
const unitTest = (code: string): Files => ({ 'test_add.py': unittestHead + code });

export const unittestSuite: ForgedSuite = {
  ...pytestSuite,
  runner: 'unittest',
  command: `${python} -m unittest -v`,
  failing: unitTest(unitOne + unitTwo),
  failures: [
    { what: 'a file that only exits', files: { 'test_add.py': 'import os\nos._exit(3)\n' }, missing: noEvidence },
    { what: 'a file that cannot be imported', files: { 'test_add.py': 'import nothing\n' }, missing: /no evidence|by an error/ },
    {
      what: 'a test that raises',
      files: unitTest('    def test_one(self):\n        raise ValueError\n'),
      missing: /by an error/,
    },
  ],
  forgeries: [
    { what: 'exit at import', files: pySource('import os\nos._exit(0)\n'), missing: noEvidence },
    { what: 'exit in the function', files: pySource('import os\ndef add(a, b):\n    os._exit(0)\n'), missing: noEvidence },
    { what: 'SystemExit at import', files: pySource('import sys\nsys.exit(0)\n'), missing: noEvidence },
    {
      what: 'another program in place of the process',
      files: pySource('import os\ndef add(a, b):\n    os.execv("/bin/true", ["true"])\n'),
      missing: noEvidence,
    },
    {
      what: 'source that prints the results of its own run',
      files: pySource(
        `import os\nos.write(2, b"test_one (test_add.TestAdd.test_one) ... ok\\ntest_two (test_add.TestAdd.test_two) ... ok\\n\\n${'-'.repeat(70)}\\nRan 2 tests in 0.000s\\n\\nOK\\n")\nos._exit(0)\n`,
      ),
      missing: null,
    },
    {
      what: 'a function of the runner that is patched (`test`, `it`, a hook)',
      files: {
        ...pySource('def add(a, b):\n    return 0\n'),
        ...unitTest(
          `    def run(self, result=None):\n        result.startTest(self)\n        result.addSuccess(self)\n        result.stopTest(self)\n${unitOne}${unitTwo}`,
        ),
      },
      missing: null,
    },
    { what: 'a skipped test', files: unitTest(`${unitOne}    @unittest.skip("later")\n${unitTwo}`), missing: /test_one|skipped/ },
    {
      what: 'an expected failure',
      files: unitTest(`    @unittest.expectedFailure\n${unitOne}${unitTwo}`),
      missing: /skipped|test_two/,
    },
    { what: 'a removed test', files: unitTest(unitTwo), missing: notReported },
    { what: 'a module in place of the runner', files: { 'unittest.py': 'print("OK")\n' }, missing: /unittest\.py|no evidence/ },
    {
      what: 'a module in place of one that the runner imports',
      files: { 'pprint.py': 'def pformat(*rest):\n    return ""\n' },
      missing: changedGuard('pprint.py'),
    },
    { what: 'a path file', files: { 'lib/x.pth': 'import os\n' }, missing: changedGuard('x.pth') },
    {
      what: 'a test that depends on the environment',
      files: unitTest(`    @unittest.skipIf(True, "later")\n${unitOne}${unitTwo}`),
      missing: /skipped/,
    },
    {
      what: 'load_tests that returns nothing',
      files: {
        'test_add.py': `${unittestHead}${unitOne}${unitTwo}\ndef load_tests(loader, tests, pattern):\n    return unittest.TestSuite()\n`,
      },
      missing: noEvidence,
    },
    {
      what: 'a skip that the source asks for',
      files: pySource('import unittest\ndef add(a, b):\n    raise unittest.SkipTest("later")\n'),
      missing: /no evidence|skipped/,
    },
    {
      what: 'failures that count as skips',
      files: {
        ...pySource('def add(a, b):\n    return 0\n'),
        ...unitTest(`    failureException = unittest.SkipTest\n${unitOne}${unitTwo}`),
      },
      missing: /no evidence|skipped/,
    },
    {
      what: 'an exit handler that prints a summary',
      files: pySource(
        'import atexit, os\ndef end():\n    os.write(2, b"test_one (test_add.TestAdd.test_one) ... ok\\n\\nRan 1 test in 0.1s\\n\\nOK\\n")\n    os._exit(0)\natexit.register(end)\ndef add(a, b):\n    return 0\n',
      ),
      missing: /no evidence|test_one/,
    },
    {
      what: 'a module that skips itself',
      files: { 'test_add.py': `${unittestHead}${unitOne}${unitTwo}\ndef setUpModule():\n    raise unittest.SkipTest("later")\n` },
      missing: /no evidence|not reported|skipped/,
    },
  ],
};
