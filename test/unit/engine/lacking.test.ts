// What lacks an allow, where the default denies.
import { describe, expect, test } from 'vitest';
import { ask, bash, useCore } from '../semantics/fixture.ts';

useCore();

describe('a default that denies names the parts that no allow covers, and their lines [s:remedy.lacking]', () => {
  const base = ['Read(**)', 'Bash(@read-only)', 'Write(/docs/**)'];
  test.each<[command: string, parts: string, remedy: string]>([
    ['npm run build', 'npm run build', 'add Bash(npm run build) under allow'],
    ['cd src && ls && npm run build', 'npm run build', 'add Bash(npm run build) under allow'],
    ['ls | grep x | npm run lint', 'npm run lint', 'add Bash(npm run lint) under allow'],
    ['cat a > out.txt', 'cat a, writing out.txt', 'add Write(/out.txt), Bash(cat a) under allow'],
    ['touch out.txt', 'touch out.txt, writing out.txt', 'add Write(/out.txt), Bash(touch out.txt) under allow'],
    ['npm run a; npm run b', 'npm run a, npm run b', 'add Bash(npm run a), Bash(npm run b) under allow'],
    ['bash -c "npm run a"', 'npm run a', 'No allow rule can match exactly "npm run a"'],
  ])('%s', (command, parts, remedy) => {
    const decided = ask({ defaults: { project: 'deny' }, allow: base }, bash(command));
    expect(decided.reason).toContain(`covers ${parts}, and its default is deny`);
    expect(decided.remedy).toContain(remedy);
  });
});
