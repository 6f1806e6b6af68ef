// Texts about a plan: for the model, for a person, for the status line.

import { filesText } from './plan-list.ts';
import { countItems, isComplete, type OpenPlan, topOf, type Work } from './work.ts';

/** Number of digits of a hash that a person types. */
const shownDigits = 12;

/** The plans in the status tools, with the one on top in full. */
export function describePlan(work: Work) {
  const top = topOf(work);
  const task = work.task === null ? {} : { task: work.task };
  if (top === null) return { plan: null, ...task };
  const { done, of } = countItems(top);
  const plan = {
    ...(top.title === '' ? {} : { title: top.title }),
    items: top.items.map(({ text, files }, at) => ({
      number: at + 1,
      text,
      done: top.done[at] ?? false,
      ...(files.length > 0 && { files }),
    })),
    done: `${done} of ${of}, according to the agent`,
    complete: isComplete(top),
    approved: top.approved,
    ...(top.approved ? {} : { approve: 'A person must type /modes:approve plan and confirm the list.' }),
    ...(top.protocol === null ? {} : { protocol: top.protocol }),
  };
  const waiting = work.plans.slice(0, -1).reverse().map(nameOf);
  return { plan, ...(waiting.length > 0 && { waiting }), ...task };
}

/** Numbers and texts of the open items. */
export function openItems({ items, done }: OpenPlan): string {
  return items.flatMap(({ text }, at) => (done[at] ? [] : [`${at + 1}. ${text}`])).join('; ');
}

/** The whole list for a person to read. */
export function planText(plan: Pick<OpenPlan, 'title' | 'items'> & Partial<Pick<OpenPlan, 'done'>>): string {
  const lines = plan.items.map((item, at) => `${plan.done?.[at] ? '[x]' : '[ ]'} ${at + 1}. ${item.text}${filesText(item)}`);
  return [...(plan.title === '' ? [] : [plan.title]), ...lines].join('\n');
}

export function shortHash({ hash }: OpenPlan): string {
  return hash.slice(0, shownDigits);
}

export function nameOf({ title, items }: OpenPlan): string {
  return title || (items[0]?.text ?? '');
}

/**
 * For the context. `whole`: the list without its progress, so that it is sent again only when it changes. `line`: one line with
 * the progress.
 */
export function contextOf({ plans, task }: Work, exit: string | null): { whole: string; line: string } | null {
  const top = topOf({ plans, task });
  const its =
    task === null ? [] : [`Task: ${task.name}${task.branch === null ? '' : ` (writes only on its branch, ${task.branch})`}`];
  if (top === null && task === null) return null;
  if (top === null) return { whole: its.join('\n'), line: `${its.join('. ')}.` };
  const { done, of } = countItems(top);
  const status = isComplete(top) ? 'complete' : top.approved ? 'approved' : 'not approved';
  const list = top.items.map((item, at) => `${at + 1}. ${item.text}${filesText(item)}`);
  const waiting = plans.length === 1 ? [] : [`It interrupts ${plans.length - 1} other${plans.length === 2 ? '' : 's'}.`];
  return {
    whole: [
      ...its,
      ...(top.title === '' ? [] : [top.title]),
      ...list,
      top.approved ? 'A person approved this list. A changed list must be approved again.' : 'This list is not approved yet.',
      ...waiting,
      'plan_status shows the items; plan_check checks them off.',
      ...(exit === null ? [] : [`When the plan is complete, the mode changes to ${exit}.`]),
    ].join('\n'),
    line: `Plan: ${done} of ${of} done, ${status}.${its.map((one) => ` ${one}.`).join('')}`,
  };
}
