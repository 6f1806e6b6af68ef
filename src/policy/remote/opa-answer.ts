// Reads the answer of an OPA server as a verdict, or as the reason why it is not usable. Only an answer from exactly the same
// bundle is usable.

import type { Verdict } from '../../model/verdict.ts';
import { parseObject } from '../../platform/json-object.ts';
import { EvaluationError } from '../fault.ts';
import { readVerdict } from '../verdict.ts';

/** An answer, as the thread reports it. `fault` follows the name of the server. */
export type Reply = { status: number; text: string; location: string } | { fault: string };

export type OpaReply = { verdict: Verdict } | { why: string };

/** `revision`: of the bundle that the verdict must come from. */
export function readAnswer(reply: Reply, revision: string): OpaReply {
  if ('fault' in reply) return { why: reply.fault };
  const { status, text, location } = reply;
  if (location !== '') return { why: `it redirects to ${location.slice(0, 200)}, which is not followed` };
  if (status !== 200) return { why: `it answers ${status}` };
  const answer = parseObject(text);
  if (answer === null) return { why: 'its answer is not a JSON object' };
  const had = revisionsOf(answer.provenance);
  if (had.length === 0) return { why: 'it does not name its bundle' };
  if (!had.includes(revision)) return { why: `it has another bundle (${had.join(', ').slice(0, 200)}, here ${revision})` };
  if (answer.result === undefined) return { why: 'it has no document at modes/verdict' };
  try {
    return { verdict: readVerdict(answer.result) };
  } catch (error) {
    if (error instanceof EvaluationError) return { why: error.message };
    throw error;
  }
}

function revisionsOf(provenance: unknown): string[] {
  const { bundles } = (provenance ?? {}) as { bundles?: unknown };
  if (typeof bundles !== 'object' || bundles === null) return [];
  const revisions = Object.values(bundles).map((one) => (one as { revision?: unknown } | null)?.revision);
  return revisions.filter((one): one is string => typeof one === 'string' && one !== '');
}
