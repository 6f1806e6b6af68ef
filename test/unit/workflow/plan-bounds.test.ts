// What a plan narrows while it lasts: writes of other files than those of its open items.

import { beforeEach, describe, expect, test } from 'vitest';
import { parseRules } from '../../../src/rules/parse.ts';
import { topOf } from '../../../src/workflow/plan/work.ts';
import type { Project } from '../../../src/workflow/project.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { asker, makePlace, type Place, twoModes } from '../../support/plan-project.ts';

let place: Place;
let project: Project;
beforeEach(async () => {
  place = makePlace();
  project = await place.open();
});

const decide = (tool: string, input: Record<string, unknown>) =>
  project.decideText(
    JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 'a', cwd: place.root, tool_name: tool, tool_input: input }),
  );
const write = (name: string) =>
  decide('Write', { file_path: name.startsWith('/') ? name : `${place.root}/${name}`, content: 'x' });
const bash = (command: string) => decide('Bash', { command });
const approve = async (items: unknown[], more: Record<string, unknown> = {}) => {
  expect(await project.for(nobody).plans.propose({ items, ...more }, asker)).toMatchObject({ success: true });
  expect(project.for(nobody).plans.approve(topOf(project.for(nobody).state().work)?.hash ?? '', asker)).toBeNull();
};
const check = (item: number) => project.for(nobody).plans.check({ item }, asker);

const bounded = [{ text: 'one', files: ['src/parse/**', 'docs/*.md'] }, { text: 'two', files: ['test/**'] }, 'three'];

test.each<[string, () => { decision: string }, string]>([
  ['a file of an open item', () => write('src/parse/a.ts'), 'pass'],
  ['a file of another open item', () => write('test/a.test.ts'), 'pass'],
  ['a file by a pattern', () => write('docs/a.md'), 'pass'],
  ['another file', () => write('src/print/a.ts'), 'deny'],
  ['a file deeper than the pattern', () => write('docs/more/a.md'), 'deny'],
  ['by Bash', () => bash('echo x > src/print/a.ts'), 'deny'],
  ['by a command', () => bash('sed -i s/a/b/ src/print/a.ts'), 'deny'],
  ['a whole folder', () => bash('rm -rf src'), 'deny'],
  ['a whole folder of an open item', () => bash('rm -rf src/parse/old'), 'pass'],
  ['outside of the project', () => write('/srv/other/a.ts'), 'deny'],
  ['the temporary folder', () => bash('echo x > /tmp/modes-plan-note'), 'pass'],
  ['by what may write anywhere', () => bash('node build.js'), 'ask'],
  ['reading', () => bash('cat src/print/a.ts'), 'pass'],
])('while an approved item is open, writing %s [w:plan.files]', async (_, act, decision) => {
  await approve(bounded);
  expect(act().decision).toBe(decision);
});

test('the reason names the files, and the next step', async () => {
  await approve(bounded);
  expect(write('src/print/a.ts')).toMatchObject({
    by: 'bound',
    reason:
      "src/print/a.ts is not among the files of the plan's open items (src/parse/**, docs/*.md, test/**): Write would change it.",
    remedy: expect.stringContaining('plan_check'),
  });
});

describe('it ends', () => {
  test('with the item [w:plan.files]', async () => {
    await approve(bounded);
    await check(1);
    expect(write('src/parse/a.ts').decision).toBe('deny');
    await check(2);
    expect(write('src/parse/a.ts').decision).toBe('pass');
  });

  test('with the plan', async () => {
    await approve([{ text: 'one', files: ['src/**'] }]);
    await check(1);
    expect(write('docs/a.md').decision).toBe('pass');
  });

  test('with the emergency stop, which closes more', async () => {
    await approve(bounded);
    project.for(nobody).transitions.stop('SILENCE', asker);
    expect(write('src/parse/a.ts')).toMatchObject({ decision: 'deny', by: 'trouble' });
  });
});

test('an unapproved list restricts nothing, and ends no restriction of the list that it interrupts', async () => {
  await project.for(nobody).plans.propose({ items: [{ text: 'one', files: ['src/**'] }] }, asker);
  expect(write('docs/a.md').decision).toBe('pass');
  await approve([{ text: 'one', files: ['src/**'] }], { title: 'again' });
  await project.for(nobody).plans.propose({ items: ['other'], interrupt: true }, asker);
  expect(write('docs/a.md').decision).toBe('deny');
});

test('it allows nothing', async () => {
  place = makePlace(twoModes);
  place.put('.claude/settings.discussion.json', '{"permissions":{"deny":["Write(src/**)"]}}');
  project = await place.open();
  await approve(bounded);
  expect(write('src/parse/a.ts')).toMatchObject({ decision: 'deny', by: 'rule' });
});

test('an allow rule that names the command allows a part that may write anywhere', async () => {
  place = makePlace(twoModes);
  place.put('.claude/settings.discussion.json', '{"permissions":{"allow":["Bash(node build.js)", "Bash"]}}');
  place.put('.claude/settings.implementation.json', '{}');
  project = await place.open();
  project.for(nobody).approvals.give('terminal');
  await project.ready('b');
  const as = (command: string) =>
    project.decideText(JSON.stringify({ session_id: 'b', cwd: place.root, tool_name: 'Bash', tool_input: { command } })).decision;
  await approve(bounded);
  expect(as('node build.js')).toBe('allow');
  expect(as('node other.js')).toBe('ask');
});

test('policies see the plan', async () => {
  await approve(bounded, { title: 'A plan' });
  await check(2);
  expect(bash('ls').facts?.state).toMatchObject({
    plan: { title: 'A plan', approved: true, complete: false, done: 1, of: 3, files: ['src/parse/**', 'docs/*.md'] },
    task: null,
  });
});

test('a grant of the path overrides it, and so does /modes:off', async () => {
  await approve(bounded);
  const denied = write('src/print/a.ts');
  expect(denied.remedy).toContain('/modes:grant Write(src/print/a.ts)');
  const source = { file: 'x', line: 1, column: 0 };
  const { rules } = parseRules([{ text: 'Write(src/print/a.ts)', effect: 'allow', layer: 'user', source }], {
    home: place.home,
    arguments: new Map(),
  });
  expect(project.for(nobody).granting.give(rules, { seconds: null, count: null }, 'discussion', 'x', asker)).not.toBeNull();
  expect(write('src/print/a.ts').decision).toBe('pass');
  expect(write('src/print/b.ts').decision).toBe('deny');
  project.for(nobody).granting.off(null, 'x', asker);
  expect(write('src/print/b.ts').decision).toBe('pass');
});
