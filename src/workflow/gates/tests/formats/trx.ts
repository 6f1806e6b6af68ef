// TRX, the report of `dotnet test`. It names the class of each test in the definitions, which are apart from the results.

import type { TestResult } from '../result.ts';
import { failed, failureOf, passed, type Reading, skipped, totalsOf } from './reading.ts';
import { attribute, type Element, elements, elementsAt, parseXml } from './xml.ts';

/** Outcomes of tests that did not run or did not decide. Any other than these and `Passed` is a failure. */
const undecided = new Set(['NotExecuted', 'Inconclusive', 'NotRunnable', 'Pending']);

export function isTrx(text: string): boolean {
  return /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*)*<TestRun[\s>]/s.test(text);
}

export function readTrx(text: string): Reading {
  const document = parseXml(text);
  if ('refused' in document) return document;
  const run = document.root.TestRun as Element;
  const classes = new Map(
    elementsAt(run, 'TestDefinitions', 'UnitTest').map((test) => [
      attribute(test, 'id').toLowerCase(),
      // MSTest adds the assembly and its version.
      attribute(elements(test, 'TestMethod')[0], 'className').split(',')[0] as string,
    ]),
  );
  const all = elementsAt(run, 'Results', 'UnitTestResult').flatMap(withInner);
  // MSTest: a test with rows of data has one result for each row, and one for all of them.
  const leaves = all.filter((result) => !hasInner(result));
  const tests = leaves.map((result) => readResult(result, classes.get(attribute(result, 'testId').toLowerCase()) ?? ''));
  const [summary] = elements(run, 'ResultSummary');
  const [counters] = elements(summary, 'Counters');
  if (counters === undefined) return { refused: 'unfinished' };
  const totals = totalsOf(tests);
  const announced = Number(attribute(counters, 'total'));
  if (announced !== leaves.length && announced !== all.length)
    return { refused: 'disagrees', detail: `it announces ${announced} tests and names ${leaves.length}` };
  const failures = Number(attribute(counters, 'failed')) + Number(attribute(counters, 'error'));
  if (failures > 0 !== totals.failed > 0)
    return { refused: 'disagrees', detail: `it announces ${failures} failures and names ${totals.failed}` };
  if (tests.length === 0) return { refused: 'no tests' };
  // The process of the tests ended before the last test.
  const outcome = attribute(summary, 'outcome');
  return outcome === 'Completed' || outcome === 'Passed' || totals.failed > 0 ? { tests } : { refused: 'unfinished' };
}

function hasInner(result: Element): boolean {
  return elementsAt(result, 'InnerResults', 'UnitTestResult').length > 0;
}

function withInner(result: Element): Element[] {
  return [result, ...elementsAt(result, 'InnerResults', 'UnitTestResult').flatMap(withInner)];
}

function readResult(result: Element, ownClass: string): TestResult {
  const full = attribute(result, 'testName');
  const suite = ownClass === '' ? [] : [ownClass];
  // xUnit puts the class before the name, NUnit and MSTest do not.
  const name = ownClass !== '' && full.startsWith(`${ownClass}.`) ? full.slice(ownClass.length + 1) : full;
  const outcome = attribute(result, 'outcome');
  if (outcome === 'Passed') return passed(null, suite, name);
  if (undecided.has(outcome)) return skipped(null, suite, name);
  const message = String(elementsAt(result, 'Output', 'ErrorInfo', 'Message')[0]?.['#text'] ?? '');
  return failed(null, suite, name, outcome === 'Failed' ? kindOf(message) : 'error');
}

/** A failed assertion always has a message. */
function kindOf(message: string): TestResult['failure'] {
  if (message.trim() === '') return 'error';
  // MSTest puts a sentence before an exception, and NUnit names no assertion.
  const own = message.replace(/^\s*Test method \S+ threw exception:\s*/, '');
  if (/^[ \t]*Expected: .*\n[ \t]*But was: /m.test(own)) return 'assertion';
  return failureOf(own);
}
