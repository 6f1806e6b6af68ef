// JUnit XML. Many runners write it, and they differ in where they put the file, the suites and the kind of a failure.

import type { TestResult } from '../result.ts';
import { withoutParents } from './deno.ts';
import {
  brokenFile,
  failed,
  failureOf,
  isFileName,
  passed,
  plainText,
  type Reading,
  type ResultParser,
  relativeFile,
  skipped,
  totalsOf,
} from './reading.ts';
import { attribute, type Element, elements, parseXml } from './xml.ts';

/** Deno: the message of a test whose steps failed. */
const stepsFailed = /^\d+ test steps? failed/;

interface JunitPlace {
  folder: string;
  suites: readonly string[];
  file: string | null;
}

export function readJunit(text: string, folder: string): Reading {
  const document = parseXml(text);
  if ('refused' in document) return document;
  const { root } = document;
  const suites = [...elements(root.testsuites, 'testsuite'), ...elements(root, 'testsuite')];
  const loose = elements(root.testsuites, 'testcase');
  if (root.testsuites === undefined && suites.length === 0) return { refused: 'damaged', detail: 'it is not JUnit XML' };
  const place: JunitPlace = { folder, suites: [], file: null };
  const tests: TestResult[] = loose.map((one) => readCase(one, place));
  for (const suite of suites) {
    const reading = readSuite(suite, place);
    if (!('tests' in reading)) return reading;
    tests.push(...reading.tests);
  }
  if (tests.length === 0) return { refused: 'no tests' };
  // Deno reports a test with steps, and its steps as `TEST > STEP`.
  const named = withoutParents(tests).filter(({ name, outcome }) => outcome === 'failed' || !isFileName(name));
  if (named.length === 0) return { refused: 'files only', detail: tests[0]?.name };
  return named.every(({ file, name }) => file === name) ? { refused: 'load failed', detail: named[0]?.name } : { tests: named };
}

function readSuite(suite: Element, around: JunitPlace): Reading {
  const name = attribute(suite, 'name');
  const file =
    testFile(attribute(suite, 'file')) || testFile(attribute(suite, 'filepath')) || testFile(isFileName(name) ? name : '');
  const place: JunitPlace = {
    folder: around.folder,
    suites: name === '' || isFileName(name) ? around.suites : [...around.suites, name],
    file: file === '' ? around.file : relativeFile(file, around.folder),
  };
  const cases = elements(suite, 'testcase').map((one) => readCase(one, place));
  const inner: TestResult[] = [];
  const suites = elements(suite, 'testsuite');
  for (const one of suites) {
    const reading = readSuite(one, place);
    if (!('tests' in reading)) return reading;
    inner.push(...reading.tests);
  }
  const tests = [...cases, ...inner];
  return disagreement(suite, cases.length + suites.length, tests) ?? { tests };
}

/** Most runners count the tests of inner suites, but node:test counts an inner suite as one test. */
function disagreement(suite: Element, direct: number, tests: readonly TestResult[]): Reading | null {
  const count = (name: string) => Number(attribute(suite, name) || '0');
  const { failed: failures } = totalsOf(tests);
  const name = attribute(suite, 'name');
  // pytest counts subtests, which it does not name.
  const hasMore = name === 'pytest' && count('tests') > tests.length;
  if ('@tests' in suite && count('tests') !== tests.length && count('tests') !== direct && !hasMore)
    return { refused: 'disagrees', detail: `suite ${name} announces ${count('tests')} tests and names ${tests.length}` };
  const announced = count('failures') + count('errors') + count('warnings');
  if ('@failures' in suite && announced > 0 !== failures > 0)
    return { refused: 'disagrees', detail: `suite ${name} announces ${announced} failures and names ${failures}` };
  return null;
}

function readCase(one: Element, place: JunitPlace): TestResult {
  const name = attribute(one, 'name');
  const ownClass = attribute(one, 'classname');
  const named = testFile(attribute(one, 'file')) || testFile(isFileName(ownClass) ? ownClass : '');
  const file = named === '' ? place.file : relativeFile(named, place.folder);
  const [error, failure, skip, warning] = ['error', 'failure', 'skipped', 'warning'].map((kind) => elements(one, kind)[0]);
  if (ownClass === '' && file !== null && name === moduleOf(file)) return brokenFile(file);
  if (place.suites.length === 0 && isFileName(name)) {
    const own = relativeFile(name, place.folder);
    return error === undefined && failure === undefined ? passed(own, [], own) : brokenFile(own);
  }
  const parts = name.split(/ [›>] /);
  const suite = [...suitesOf(ownClass, file, place), ...parts.slice(0, -1)];
  const last = parts.at(-1) as string;
  // PHPUnit: a class without tests, for example.
  if (error !== undefined || warning !== undefined) return failed(file, suite, last, 'error');
  if (failure !== undefined) return failed(file, suite, last, kindOf(failure));
  return skip === undefined ? passed(file, suite, last) : skipped(file, suite, last);
}

/** '' for anything other than a test file: Deno names its own code for tests of `node:test`, and .NET names the assembly. */
function testFile(name: string): string {
  return /^ext:|\.dll$/i.test(name) ? '' : name;
}

/** The class of a test case names its suites, except where a runner puts a constant, the file or the joined suites there. */
function suitesOf(ownClass: string, file: string | null, { suites }: JunitPlace): readonly string[] {
  if (ownClass === '' || ownClass === 'test' || isFileName(ownClass)) return suites;
  // Bun puts the innermost suite first.
  if (ownClass.includes(' > ') && ownClass.split(' > ').every((name) => suites.includes(name))) return suites;
  const module = file === null ? '' : moduleOf(file);
  if (ownClass === module) return [];
  // pytest: classes inside of each other.
  return module !== '' && ownClass.startsWith(`${module}.`) ? ownClass.slice(module.length + 1).split('.') : [ownClass];
}

/** `tests/test_cart.py` as the name of a module: `tests.test_cart`. */
function moduleOf(file: string): string {
  return file.replace(/\.\w+$/, '').replaceAll('/', '.');
}

function kindOf(failure: Element): TestResult['failure'] {
  const text = String(failure['#text'] ?? '');
  const type = attribute(failure, 'type');
  // node:test: the message has no name of an error, but the text has the code.
  if (type === 'testCodeFailure')
    return /^[ \t]*code: 'ERR_ASSERTION'|cause: \w*AssertionError/m.test(text) ? 'assertion' : 'error';
  const message = attribute(failure, 'message');
  // The step has a failure of its own.
  if (stepsFailed.test(message)) return 'error';
  return failureOf(type) ?? failureOf(message) ?? failureOf(text);
}

/** The printed output of a runner that names tests only in its reports. It can still report that there are none. */
export function withoutNames(none: RegExp, some: RegExp): ResultParser {
  return (text) => {
    const plain = plainText(text);
    return { refused: none.test(plain) && !some.test(plain) ? 'no tests' : 'no names' };
  };
}
