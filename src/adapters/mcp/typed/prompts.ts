// Prompts that change something: one that begins a protocol pushes its plan on the stack; one that is only a trigger makes a
// transition after the person agreed and its gate passed.
import { changedText, gateText } from '../../../app/transition-question.ts';
import { describeRequirement } from '../../../engine/requirement-text.ts';
import type { Protocol } from '../../../model/configuration.ts';
import type { Requirement } from '../../../model/requirement.ts';
import { triggeredTransition } from '../../../workflow/phrases.ts';
import { planText } from '../../../workflow/plan/show.ts';
import { isComplete, type OpenPlan, topOf } from '../../../workflow/plan/work.ts';
import { instructionsOf, planOf, startedProtocol } from '../../../workflow/protocols.ts';
import type { ModeState } from '../../../workflow/state.ts';
import { forbidden } from '../../../workflow/team.ts';
import { bindingText } from './approvals.ts';
import type { TypedRequest } from './dialogs.ts';

export interface StartedProtocol {
  /** The message for the person. */
  message: string;
  /** The context for the model. */
  text: string;
}

/** null if the prompt begins no protocol. Protocols of an unapproved configuration do not count. */
export async function beginProtocol(request: TypedRequest, prompt: string, source: string): Promise<StartedProtocol | null> {
  const { project } = request;
  const { configuration, trusted } = project.describe();
  const { topology, topologyLayer } = configuration;
  if (topology === null || (topologyLayer === 'project' && !trusted)) return null;
  const started = startedProtocol(prompt, source, topology.protocols.values());
  if (started === null) return null;
  const { protocol, phrase } = started;
  const refused = await begin(protocol, phrase, request);
  if (refused !== null) return { message: refused, text: refused };
  const message = `The protocol ${protocol.name} started.`;
  const instructions = instructionsOf(protocol, project.state().work, project.root);
  return { message, text: instructions === '' ? message : `${message}\n\n${instructions}` };
}

/**
 * The reason why it did not begin, or null. A protocol with a mode adds permissions, so a person is asked, and approves the plan
 * with it.
 */
async function begin(protocol: Protocol, phrase: string, { project, asker, ask }: TypedRequest): Promise<string | null> {
  const { name, mode } = protocol;
  const before = project.state();
  const to = mode !== before.mode ? mode : null;
  if (mode !== null) {
    const why = forbidden(project.place, 'approve');
    if (why !== null) return `The protocol ${name} did not start: ${why}`;
    const answer = await ask(
      `"${phrase}" starts the protocol ${name} in the mode ${mode}. Start it, with its plan approved?`,
      `Yes, start ${name}`,
      'Type it in a session on a terminal.',
      [{ title: 'Plan', lines: planText(planOf(protocol)).split('\n') }],
    );
    if (!answer.confirmed) return `The protocol ${name} did not start: ${answer.why}`;
    await project.ready(project.caller.session);
    // Other events were answered while the dialog was open.
    if (project.state().mode !== before.mode) return 'The mode was changed during the dialog.';
  }
  const put = await project.plans.put(planOf(protocol), { asker, interrupts: true, approved: mode !== null, protocol: name });
  if (!put.success) return `The protocol ${name} did not start: ${put.reason}`;
  if (to === null) return null;
  const done = await project.transitions.transition(to, `${phrase} in a prompt`, asker, { actor: 'person' });
  return done.success
    ? null
    : `The plan of ${name} is waiting, and the mode stays ${before.mode}: ${done.reason}. A person can change it without the gate: /modes:mode ${to}.`;
}

/**
 * The message for the person and the model; null if the prompt is no trigger. Triggers of
 * an unapproved configuration do not count.
 */
export async function trigger({ project, asker, ask }: TypedRequest, prompt: string, source: string): Promise<string | null> {
  const { mode, configuration, trusted } = project.describe();
  const from = mode === null ? undefined : configuration.topology?.modes.get(mode);
  if (from === undefined || (configuration.topologyLayer === 'project' && !trusted)) return null;
  const match = triggeredTransition(prompt, source, from.transitions);
  if (match === null) return null;
  const { transition, phrase } = match;
  const plan = planToApprove(transition.require, project.state());
  if (typeof plan === 'string') return `The mode stays ${mode}: ${plan}`;
  const why = transition.approve === 'human' || plan !== null ? forbidden(project.place, 'approve') : null;
  if (why !== null) return `The mode stays ${mode}: ${why}`;
  const snapshot = transition.approve === 'human' ? project.transitions.takeApprovalSnapshot() : null;
  const details = [
    { title: 'Plan', lines: plan === null ? [] : planText(plan).split('\n') },
    { title: 'Gate', lines: await gateText(project, transition.to, ['approve: human', ...(plan === null ? [] : [planCheck])]) },
    { title: 'Files', lines: snapshot === null ? [] : [changedText(project)] },
    { title: 'Yes', lines: snapshot === null ? [] : [bindingText(transition.to)] },
  ];
  const answer = await ask(
    plan === null
      ? `"${phrase}" requests the change from ${mode} to ${transition.to}. Make it?`
      : `"${phrase}" approves the plan below and requests the change from ${mode} to ${transition.to}. Do both?`,
    plan === null ? `Yes, to ${transition.to}` : `Yes, approve this list, to ${transition.to}`,
    'Type it in a session on a terminal.',
    details,
  );
  if (!answer.confirmed) return `The mode stays ${mode}: ${answer.why}`;
  await project.ready(project.caller.session);
  // Other events were answered while the dialog was open.
  if (project.describe().mode !== mode) return 'The mode was changed during the dialog.';
  const unapproved = plan === null ? null : project.plans.approve(plan.hash, asker);
  if (unapproved !== null) return `The mode stays ${mode}: ${unapproved}`;
  if (snapshot !== null) {
    const refused = project.transitions.approve(transition.to, snapshot);
    if (refused !== null) return refused.reason;
    project.granting.note('approve', transition.to, asker);
  }
  const done = await project.transitions.transition(transition.to, `${phrase} in a prompt`, asker, { actor: 'person' });
  const approved = plan === null ? '' : 'approved the plan';
  if (done.success) return `The person ${approved === '' ? '' : `${approved} and `}changed the mode to ${done.new_state}.`;
  const stays = `The mode stays ${mode}: ${done.reason}. A person can change it without the gate: /modes:mode ${transition.to}.`;
  return approved === '' ? stays : `The person ${approved}. ${stays}`;
}

const planCheck = 'plan: approved';

/** The open plan, if the gate needs its approval. null: it needs none. A text: it needs one, and nothing can be approved. */
function planToApprove(require: readonly Requirement[], { work }: ModeState): OpenPlan | string | null {
  if (!require.some((one) => describeRequirement(one) === planCheck)) return null;
  const plan = topOf(work);
  if (plan === null) return 'there is no plan to approve. Ask the agent to propose one.';
  if (plan.approved) return null;
  return isComplete(plan) ? 'every item of the plan is done, so there is nothing to approve.' : plan;
}
