// Made-up runs of Gradle with JUnit.
import path from 'node:path';
import { cache, type Files } from '../test-suites.ts';
import { changedGuard, type ForgedSuite, noEvidence, notReported, otherRuns } from './forgery.ts';

const junitTest = (...methods: string[]): Files => ({
  'src/test/java/a/ATest.java': `package a;\nimport org.junit.*;\npublic class ATest {\n${methods.join('')}}\n`,
});
const javaSource = (code: string): Files => ({ 'src/main/java/a/A.java': `package a;\npublic class A { ${code} }\n` });
const junitOne = '  @Test public void one() { Assert.assertEquals(2, A.add(1, 1)); }\n';
const junitTwo = '  @Test public void two() { Assert.assertEquals(4, A.add(2, 2)); }\n';
const wrongAdd = 'public static int add(int a, int b) { return 0; }';
const gradleBuild =
  "apply plugin: 'java'\nrepositories { flatDir { dirs '/usr/share/java' } }\ndependencies { testCompile ':junit4', ':hamcrest-core' }\n";

export const gradleSuite: ForgedSuite = {
  runner: 'gradle',
  command: 'gradle cleanTest test',
  env: { GRADLE_USER_HOME: path.join(cache, 'gradle') },
  files: { 'build.gradle': gradleBuild, 'settings.gradle': '', ...javaSource(wrongAdd) },
  failing: junitTest(junitOne, junitTwo),
  fix: javaSource('public static int add(int a, int b) { return a + b; }'),
  title: 'one',
  forgeries: [
    {
      what: 'a halt when the class is loaded',
      files: javaSource(`static { Runtime.getRuntime().halt(0); } ${wrongAdd}`),
      missing: noEvidence,
    },
    {
      what: 'a halt in the function',
      files: javaSource('public static int add(int a, int b) { Runtime.getRuntime().halt(0); return 0; }'),
      missing: noEvidence,
    },
    {
      what: 'an exit in the function',
      files: javaSource('public static int add(int a, int b) { System.exit(0); return 0; }'),
      missing: noEvidence,
    },
    {
      what: 'output that imitates the runner',
      files: javaSource(
        'static { System.out.println("a.ATest > one PASSED\\nBUILD SUCCESSFUL in 1s"); Runtime.getRuntime().halt(0); } '.concat(
          wrongAdd,
        ),
      ),
      missing: noEvidence,
    },
    { what: 'an ignored test', files: junitTest(junitOne.replace('@Test', '@Ignore @Test'), junitTwo), missing: /was skipped/ },
    { what: 'a removed test', files: junitTest(junitTwo), missing: notReported },
    { what: 'a renamed test', files: junitTest(junitOne.replace('one', 'uno'), junitTwo), missing: notReported },
    {
      what: 'a test file out of the source set',
      files: { 'src/test/java/a/ATest.java': null, 'src/tests/ATest.txt': junitOne },
      missing: noEvidence,
    },
    {
      what: 'failures that build.gradle ignores',
      files: { 'build.gradle': `${gradleBuild}test { ignoreFailures = true }\n` },
      missing: changedGuard('build.gradle'),
    },
    { what: 'properties of Gradle', files: { 'gradle.properties': 'a=b\n' }, missing: changedGuard('gradle.properties') },
    ...otherRuns({
      'tests that are left out': 'gradle cleanTest test -x test',
      'a filter': 'gradle cleanTest test --tests a.ATest.two',
      'a script of its own': 'gradle -I src/init.gradle cleanTest test',
    }),
  ],
  failures: [
    {
      what: 'a test that throws',
      files: junitTest('  @Test public void throwing() { throw new IllegalStateException(); }\n'),
      missing: /by an error/,
    },
    { what: 'a file that does not compile', files: junitTest('  nothing\n'), missing: noEvidence },
    { what: 'a test that passes', files: junitTest('  @Test public void passing() {}\n'), missing: /no test fails/ },
  ],
};
