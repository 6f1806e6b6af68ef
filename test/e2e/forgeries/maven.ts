// Made-up runs of Maven with JUnit.
import path from 'node:path';
import { cache, type Files, mavenProject } from '../test-suites.ts';
import { changedGuard, type ForgedSuite, noEvidence, notReported, otherRuns } from './forgery.ts';

const testFile = (...methods: string[]): Files => ({
  'src/test/java/a/ATest.java': `package a;\nimport static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.*;\nimport org.junit.jupiter.params.*;\nimport org.junit.jupiter.params.provider.*;\nclass ATest {\n${methods.join('')}}\n`,
});
const source = (code: string): Files => ({ 'src/main/java/a/A.java': `package a;\npublic class A { ${code} }\n` });
const one = '  @Test void one() { assertEquals(2, A.add(1, 1)); }\n';
const two = '  @Test void two() { assertEquals(4, A.add(2, 2)); }\n';
const sums = '  @ParameterizedTest @ValueSource(ints = {1, 2}) void sums(int a) { assertEquals(a + 1, A.add(a, 1)); }\n';
const wrong = 'public static int add(int a, int b) { return 0; }';
const report = (name: string): string => `<testcase name=\\"${name}\\" classname=\\"a.ATest\\" time=\\"0\\"/>`;

export const mavenSuite: ForgedSuite = {
  runner: 'maven',
  command: 'mvn -ntp test',
  env: { MAVEN_OPTS: `-Dmaven.repo.local=${path.join(cache, 'maven')}` },
  files: { 'pom.xml': mavenProject(), ...source(wrong) },
  failing: testFile(one, two, sums),
  fix: source('public static int add(int a, int b) { return a + b; }'),
  title: 'one',
  forgeries: [
    {
      what: 'a halt when the class is loaded',
      files: source(`static { Runtime.getRuntime().halt(0); } ${wrong}`),
      missing: noEvidence,
    },
    {
      what: 'an exit in the function',
      files: source('public static int add(int a, int b) { System.exit(0); return 0; }'),
      missing: noEvidence,
    },
    {
      what: 'source that writes the report file and ends the process',
      files: source(
        `static { try { new java.io.File("target/surefire-reports").mkdirs(); java.nio.file.Files.writeString(java.nio.file.Path.of("target/surefire-reports/TEST-a.ATest.xml"), "<testsuite name=\\"a.ATest\\" tests=\\"4\\">${report('one')}${report('two')}${report('sums(int)[1]')}${report('sums(int)[2]')}</testsuite>"); } catch (java.io.IOException e) { } Runtime.getRuntime().halt(0); } ${wrong}`,
      ),
      missing: /exit code|no evidence|not reported/,
    },
    {
      what: 'output that imitates the runner',
      files: source(
        `static { System.out.println("[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 0\\n[INFO] BUILD SUCCESS"); Runtime.getRuntime().halt(0); } ${wrong}`,
      ),
      missing: noEvidence,
    },
    {
      what: 'source that knows when it is tested',
      files: source(
        'public static int add(int a, int b) { return System.getProperty("surefire.test.class.path") != null || System.getProperty("basedir") != null ? a + b : 0; }',
      ),
      missing: null,
    },
    {
      what: 'an assertion library that is patched by the source or a test',
      files: {
        ...source(wrong),
        'src/main/java/org/junit/jupiter/api/Assertions.java':
          'package org.junit.jupiter.api;\npublic class Assertions { public static void assertEquals(int a, int b) {} }\n',
      },
      missing: null,
    },
    {
      what: 'a plugin or an extension that a test file loads',
      files: {
        ...source(wrong),
        ...testFile(
          '  @org.junit.jupiter.api.extension.RegisterExtension static org.junit.jupiter.api.extension.TestExecutionExceptionHandler all = (context, error) -> {};\n',
          ...[one, two, sums],
        ),
      },
      missing: null,
    },
    { what: 'a disabled test', files: testFile(one, two.replace('@Test', '@Disabled @Test'), sums), missing: /was skipped/ },
    { what: 'a removed test', files: testFile(one, sums), missing: notReported },
    { what: 'a renamed test', files: testFile(one, two.replace('two', 'deux'), sums), missing: notReported },
    { what: 'a parameter that was removed', files: testFile(one, two, sums.replace('{1, 2}', '{1}')), missing: notReported },
    {
      what: 'a test class of another name',
      files: { 'src/test/java/a/ATest.java': null, 'src/test/java/a/Atests.txt': one },
      missing: noEvidence,
    },
    {
      what: 'failures that pom.xml ignores',
      files: {
        'pom.xml': mavenProject().replace(
          '<properties>',
          '<properties><maven.test.failure.ignore>true</maven.test.failure.ignore>',
        ),
      },
      missing: changedGuard('pom.xml'),
    },
    {
      what: 'options for the virtual machine',
      files: { '.mvn/jvm.config': '-Xmx512m\n' },
      missing: changedGuard('.mvn/jvm.config'),
    },
    {
      what: 'settings in the home folder',
      files: { '../home/.m2/settings.xml': '<settings/>\n' },
      missing: changedGuard('~/.m2/settings.xml'),
    },
    { what: 'another version of Java', files: { '.sdkmanrc': 'java=8\n' }, missing: changedGuard('.sdkmanrc') },
    { what: 'options for Maven', files: { '.mvn/maven.config': '-DskipTests\n' }, missing: /maven\.config|no evidence/ },
    {
      what: 'extensions of Maven',
      files: { '.mvn/extensions.xml': '<extensions/>\n' },
      missing: changedGuard('.mvn/extensions.xml'),
    },
    {
      what: 'conditions of JUnit',
      files: Object.fromEntries(
        ['src/test/resources', 'target/test-classes'].map((folder) => [`${folder}/junit-platform.properties`, 'a=b\n']),
      ),
      missing: changedGuard('junit-platform.properties'),
    },
    {
      what: 'a listener of TestNG',
      files: Object.fromEntries(
        ['src/test/resources', 'target/test-classes'].map((folder) => [
          `${folder}/META-INF/services/org.testng.ITestNGListener`,
          'a.Listener\n',
        ]),
      ),
      missing: changedGuard('ITestNGListener'),
    },
    ...otherRuns({
      'tests that are skipped': 'mvn test -DskipTests',
      'a filter': 'mvn test -Dtest=ATest#two',
      'failures that are ignored': 'mvn test -Dmaven.test.failure.ignore',
      'JAVA_TOOL_OPTIONS before the command': 'JAVA_TOOL_OPTIONS=-javaagent:src/a.jar mvn test',
      'MAVEN_OPTS before the command': 'MAVEN_OPTS=-DskipTests mvn test',
      'other settings': 'mvn -s src/settings.xml test',
    }),
  ],
  failures: [
    {
      what: 'a test that throws',
      files: testFile('  @Test void throwing() { throw new IllegalStateException(); }\n'),
      missing: /by an error/,
    },
    { what: 'a file that does not compile', files: testFile('  nothing\n'), missing: noEvidence },
    { what: 'a test that passes', files: testFile('  @Test void passing() {}\n'), missing: /no test fails/ },
  ],
};
