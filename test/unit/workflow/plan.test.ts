// Plans: what a person approved binds, what the agent checks off is counted, and a complete one ends its mode.

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { statusLineOf } from '../../../src/app/statusline.ts';
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

const top = () => topOf(project.for(nobody).state().work);
const propose = (items: unknown, more: Record<string, unknown> = {}) =>
  project.for(nobody).plans.propose({ items, ...more }, asker);
const check = (item: unknown, more: Record<string, unknown> = {}) => project.for(nobody).plans.check({ item, ...more }, asker);
const done = (more: Record<string, unknown> = {}) => project.for(nobody).plans.done({ explanation: 'because', ...more }, asker);
const approve = () => project.for(nobody).plans.approve(top()?.hash ?? '', asker);
const go = (to: string) => project.for(nobody).transitions.transition(to, 'because', asker);
/** A plan that is approved, and the mode that it is for. */
const begin = async (items: unknown = ['one', 'two']) => {
  await propose(items);
  expect(approve()).toBeNull();
  expect(await go('implementation')).toMatchObject({ success: true });
};

describe('a gate that asks for an approved plan', () => {
  test.each<[string, () => Promise<unknown>, string]>([
    ['there is none', async () => undefined, 'there is no plan'],
    ['nobody approved it', () => propose(['one']), 'not approved'],
    [
      'it was changed after the approval',
      async () => {
        await propose(['one']);
        approve();
        await propose(['one', 'two']);
      },
      'not approved',
    ],
    [
      'it is complete',
      async () => {
        await propose(['one']);
        approve();
        await check(1);
      },
      'every item of the plan is done',
    ],
    [
      'it is interrupted by one that nobody approved',
      async () => {
        await propose(['one']);
        approve();
        await propose(['other'], { interrupt: true });
      },
      'not approved',
    ],
  ])('is closed if %s', async (_, prepare, missing) => {
    await prepare();
    expect(await go('implementation')).toMatchObject({
      success: false,
      unmet: [{ check: 'plan: approved', missing: expect.stringContaining(missing) }],
    });
  });

  test('opens once a person approved exactly this list, and names that step before [w:plan.approved]', async () => {
    await propose(['one']);
    expect(await go('implementation')).toMatchObject({
      unmet: [{ how: 'A person must type /modes:approve plan and confirm the list.' }],
    });
    expect(project.for(nobody).plans.approve('0'.repeat(64), asker)).toContain('Nothing was approved');
    expect(approve()).toBeNull();
    expect(await go('implementation')).toMatchObject({ success: true });
  });
});

describe('a gate that asks for a complete plan', () => {
  test('opens once every item is checked off [w:plan.complete]', async () => {
    place = makePlace(twoModes.replace('plan: approved', 'plan: complete'));
    project = await place.open();
    await propose(['one', 'two']);
    await check(2);
    expect(await go('implementation')).toMatchObject({
      unmet: [{ check: 'plan: complete (according to the agent)', missing: 'open: 1. one' }],
    });
    await check(1);
    expect(await go('implementation')).toMatchObject({ success: true });
  });
});

describe('an approved list that is changed', () => {
  test('loses its approval, the mode returns, and the difference is shown [w:plan.changed]', async () => {
    await begin(['one', 'two', 'three']);
    const answer = await propose(['three', 'one', { text: 'four', files: ['src/**'] }]);
    expect(answer).toMatchObject({
      success: true,
      mode: 'discussion',
      difference: ['− 2. two', '→ 1 → 2. one', '+ 3. four (files: src/**)'],
      plan: { approved: false },
    });
    expect(project.for(nobody).state().mode).toBe('discussion');
    expect(await go('implementation')).toMatchObject({ success: false });
  });

  test('is the same entry of the journal as the return, which the engine makes', async () => {
    await begin();
    await propose(['other']);
    expect(project.for(nobody).state().entries.at(-1)).toMatchObject({
      actor: 'engine',
      to: 'discussion',
      work: { did: 'change' },
    });
  });

  test('the same list again changes nothing', async () => {
    await begin();
    expect(await propose([' one', 'two\n'])).toMatchObject({ success: true, note: expect.any(String), plan: { approved: true } });
    expect(project.for(nobody).state().mode).toBe('implementation');
  });

  test('keeps the done marks of remaining items', async () => {
    await propose(['one', 'two', 'two']);
    await check([1, 3]);
    await propose(['zero', 'two', 'two', 'one']);
    expect(top()?.done).toEqual([false, false, true, true]);
  });

  test.each<[string, unknown[], unknown[], string[]]>([
    ['another text', ['a', 'b'], ['a', 'c'], ['− 2. b', '+ 2. c']],
    ['a new first item', ['a', 'b'], ['x', 'a', 'b'], ['+ 1. x']],
    ['another order', ['a', 'b', 'c'], ['c', 'a', 'b'], ['→ 3 → 1. c']],
    ['other files', [{ text: 'a', files: ['src/**'] }], ['a'], ['→ 1. a: files src/** → any']],
    ['an item twice', ['a'], ['a', 'a'], ['+ 2. a']],
  ])('the difference of %s', async (_, before, after, lines) => {
    await propose(before);
    expect(await propose(after)).toMatchObject({ difference: lines });
  });

  test('another title is another list', async () => {
    await propose(['a'], { title: 'x' });
    expect(approve()).toBeNull();
    expect(await propose(['a'], { title: 'y' })).toMatchObject({ difference: ['→ title: x → y'], plan: { approved: false } });
  });
});

describe('a complete plan', () => {
  test('ends its mode, and the next plan starts fresh [w:plan.return]', async () => {
    await begin();
    expect(await check(1)).toMatchObject({ success: true, plan: { complete: false, done: '1 of 2, according to the agent' } });
    expect(await check(2)).toMatchObject({ success: true, complete: true, mode: 'discussion', plan: null });
    expect(project.for(nobody).state()).toMatchObject({ mode: 'discussion', work: { plans: [] } });
    expect(project.for(nobody).state().entries.at(-1)).toMatchObject({ kind: 'transition', actor: 'engine' });
  });

  const gated = twoModes.replace('- {to: discussion}', '- {to: discussion, require: [{file: done.txt}]}');

  test('waits if the gate of the transition does not hold, and plan_done tries again [w:plan.return]', async () => {
    place = makePlace(gated);
    project = await place.open();
    await begin(['one']);
    expect(await check(1)).toMatchObject({
      success: true,
      complete: true,
      unmet: [{ check: 'file: done.txt' }],
      stays: expect.stringContaining('plan_done'),
    });
    expect(project.for(nobody).state().mode).toBe('implementation');
    expect(await done()).toMatchObject({ unmet: [{ check: 'file: done.txt' }] });
    place.put('done.txt', '');
    expect(await done()).toMatchObject({ success: true, mode: 'discussion', plan: null });
  });

  test.each<[string, () => Promise<unknown>]>([
    ['another list', () => propose(['other'])],
    ['an interruption', () => propose(['other'], { interrupt: true })],
    ['giving it up', () => done({ give_up: true })],
  ])('%s does not bypass that gate', async (_, act) => {
    place = makePlace(gated);
    project = await place.open();
    await begin(['one', 'two']);
    expect(await act()).toMatchObject({ success: false, unmet: [{ check: 'file: done.txt' }] });
    expect(project.for(nobody).state()).toMatchObject({
      mode: 'implementation',
      work: { plans: [{ approved: true, items: [{}, {}] }] },
    });
    await check([1, 2]);
    expect(await act()).toMatchObject({ success: false });
    expect(project.for(nobody).state().mode).toBe('implementation');
  });

  test('stays visible in a mode that does not end', async () => {
    await propose(['one']);
    expect(await check(1)).toMatchObject({ complete: true, plan: { complete: true } });
    expect(await propose(['next'])).toMatchObject({ success: true, plan: { items: [{ text: 'next' }] } });
    expect(project.for(nobody).state().work.plans).toHaveLength(1);
  });

  test('is open again if an item is', async () => {
    await propose(['one']);
    await check(1);
    expect(await check(1, { done: false })).toMatchObject({ plan: { complete: false } });
  });

  test('plan_done names what is open', async () => {
    await propose(['one', 'two']);
    await check(1);
    expect(await done()).toMatchObject({ success: false, reason: expect.stringContaining('open: 2. two') });
  });
});

describe('interruptions', () => {
  test('a complete plan that is replaced by an unapproved one ends the mode', async () => {
    await propose(['later'], { title: 'first' });
    await propose(['now'], { title: 'second', interrupt: true });
    expect(approve()).toBeNull();
    expect(await go('implementation')).toMatchObject({ success: true });
    expect(await check(1)).toMatchObject({ complete: true, mode: 'discussion' });
    expect(project.for(nobody).state().mode).toBe('discussion');
    expect(top()).toMatchObject({ title: 'first', approved: false });
  });

  test('wait in a stack: nothing is overwritten [w:plan.stack]', async () => {
    await propose(['one', 'two'], { title: 'first' });
    await check(1);
    expect(await propose(['x'], { title: 'second', interrupt: true })).toMatchObject({ waiting: ['first'] });
    expect(await propose(['y'], { title: 'third', interrupt: true })).toMatchObject({ waiting: ['second', 'first'] });
    expect(await check(1)).toMatchObject({ complete: true, goes_on: expect.stringContaining('second') });
    expect(await done({ give_up: true })).toMatchObject({ given_up: true, plan: { title: 'first' } });
    expect(top()).toMatchObject({ title: 'first', done: [true, false] });
  });

  test('of an approved plan by an unapproved one end the mode', async () => {
    await begin();
    expect(await propose(['x'], { interrupt: true })).toMatchObject({ mode: 'discussion', waiting: ['one'] });
    expect(await done({ give_up: true })).toMatchObject({ plan: { approved: true } });
    expect(await go('implementation')).toMatchObject({ success: true });
  });

  test('are limited in number', async () => {
    for (let at = 0; at < 10; at++) expect((await propose([`${at}`], { interrupt: true })).success).toBe(true);
    expect(await propose(['more'], { interrupt: true })).toMatchObject({ success: false });
  });
});

test('a proposal during a protocol interrupts it', async () => {
  await project.for(nobody).plans.put({ title: 'start', items: [{ text: 'propose', files: [] }] }, { asker, protocol: 'start' });
  expect(await propose(['one'])).toMatchObject({ waiting: ['start'], plan: { items: [{ text: 'one' }] } });
  expect(await propose(['one', 'two'])).toMatchObject({ waiting: ['start'], difference: ['+ 2. two'] });
});

test('the status line counts the items of the plan', async () => {
  expect(statusLineOf(project.for(nobody), null)).toMatchObject({ plan: null, task: null });
  await propose(['one', 'two', 'three']);
  await check([1, 3]);
  project.for(nobody).transitions.record({ did: 'task', task: { name: 'form', branch: null, scope: [] } }, 'person', 'x', asker);
  expect(statusLineOf(project.for(nobody), null)).toMatchObject({ plan: { done: 2, of: 3 }, task: 'form' });
});

describe('giving up', () => {
  test('an approved plan ends the mode', async () => {
    await begin();
    expect(await done({ give_up: true })).toMatchObject({ success: true, given_up: true, mode: 'discussion', plan: null });
    expect(project.for(nobody).state().mode).toBe('discussion');
  });
});

describe('invalid plans', () => {
  test.each<[string, Record<string, unknown>, RegExp]>([
    ['nothing', {}, /items must be a list/],
    ['an empty list', { items: [] }, /at least one item/],
    ['a text', { items: 'one' }, /items must be a list/],
    ['an empty item', { items: ['one', '  '] }, /item 2: text/],
    ['a long item', { items: ['x'.repeat(501)] }, /item 1: text/],
    ['a number', { items: [1] }, /item 1: text/],
    ['an unknown key', { items: ['a'], steps: [] }, /"steps" is not a parameter/],
    ['an unknown key of an item', { items: [{ text: 'a', file: 'x' }] }, /item 1: "file" is not a parameter/],
    ['files that are no list', { items: [{ text: 'a', files: 'src/**' }] }, /item 1: files/],
    ['a glob that means nothing', { items: [{ text: 'a', files: ['src/[z-a]'] }] }, /item 1: files/],
    ['a glob with too many wildcards', { items: [{ text: 'a', files: ['*a*a*a*a*a*a*a*b'] }] }, /item 1: files/],
    ['an empty glob', { items: [{ text: 'a', files: [''] }] }, /item 1: files/],
    ['a text that cannot be seen', { items: ['a\u202eb'] }, /item 1: text/],
    ['a hundred and one items', { items: Array(101).fill('a') }, /at most 100/],
    ['a title that is none', { items: ['a'], title: 3 }, /title/],
    ['an interruption that is neither yes nor no', { items: ['a'], interrupt: 'yes' }, /interrupt/],
  ])('%s is refused with a reason', async (_, input, reason) => {
    expect(await project.for(nobody).plans.propose(input, asker)).toMatchObject({
      success: false,
      reason: expect.stringMatching(reason),
    });
    expect(top()).toBeNull();
  });

  test.each<[unknown]>([[0], [3], [1.5], ['1'], [[]], [[1, 3]], [undefined]])('item %j is invalid', async (item) => {
    await propose(['one', 'two']);
    expect(await check(item)).toMatchObject({ success: false, reason: expect.stringContaining('1 to 2') });
    expect(top()?.done).toEqual([false, false]);
  });

  test('nothing is checked off or ended without a plan', async () => {
    expect(await check(1)).toMatchObject({ success: false, reason: expect.stringContaining('plan_propose') });
    expect(await done()).toMatchObject({ success: false, reason: expect.stringContaining('plan_propose') });
  });
});

describe('stored plans', () => {
  test('another process sees the same', async () => {
    await propose(['one', 'two']);
    approve();
    await check(1);
    const other = await place.open();
    expect(topOf(other.for(nobody).state().work)).toMatchObject({ approved: true, done: [true, false] });
  });

  test('a changed entry is a broken chain', async () => {
    await propose(['one']);
    const folder = path.join(place.home, '.claude/modes-data/projects');
    const [file] = fs
      .readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(({ name }) => name === '00000001.json')
      .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));
    fs.writeFileSync(file as string, fs.readFileSync(file as string, 'utf8').replace('"text":"one"', '"text":"two"'));
    const other = await place.open();
    expect(other.for(nobody).state().degraded).toMatchObject({ code: 'E_JOURNAL_BROKEN' });
  });

  test('the emergency stop clears the stack, and the journal keeps it [w:stop.clears]', async () => {
    await begin();
    await propose(['x'], { interrupt: true });
    expect(project.for(nobody).transitions.stop('SILENCE', asker)).toBe(true);
    expect(project.for(nobody).state().work.plans).toEqual([]);
    expect(await propose(['one'])).toMatchObject({ success: false, reason: expect.stringContaining('frozen') });
    expect(project.for(nobody).transitions.force('discussion', 'a person', asker)).toMatchObject({ success: true });
    expect(project.for(nobody).state().work.plans).toEqual([]);
  });

  test('changes of the plan are no changes of the mode', async () => {
    await propose(['one']);
    await check(1);
    expect(project.for(nobody).state()).toMatchObject({ mode: 'discussion', entries: [], since: null });
    expect(project.for(nobody).takeModeNotice('')).toBeNull();
  });
});
