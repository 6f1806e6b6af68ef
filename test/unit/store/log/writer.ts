// A process that logs decisions as fast as it can: `count` of its own, and the same `shared` ones as every other.

import type { Decision } from '../../../../src/model/decision.ts';
import { DecisionLog } from '../../../../src/store/log/log.ts';

const [dataFolder, root, name, count, shared, maxBytes] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const limits = { maxBytes: Number(maxBytes), maxFiles: 1_000 };
// However busy the machine is.
const log = new DecisionLog({ dataFolder, root, build: 'build-1', limits, patienceMs: 60_000 });

function note(id: string, number: number): void {
  const decision: Decision = {
    decision_id: `${name}-${id}`,
    decision: 'deny',
    mode: 'm',
    tool: 'Write',
    by: 'rule',
    rules: [],
    also: [],
    policies: [],
    protections: [],
    reason: `No ${id}. ${'x'.repeat(number % 90)}`,
    remedy: '',
    facts: null,
    bundle: null,
    took_us: 1,
  };
  const event = { session_id: 's', cwd: root, tool_use_id: id, tool_name: 'Write', tool_input: { file_path: 'a' } };
  log.note({ event, decision, channel: 'pipe', answered: 'deny', at: new Date(), hides: () => false });
}

for (let i = 0; i < Number(count); i++) {
  note(`${name}-${i}`, i);
  if (i < Number(shared)) note(`shared-${i}`, 3);
  if (i % 7 === 0) log.flush();
  // Now and then others get their turn, and the timer of the log too.
  if (i % 50 === 0) await new Promise((next) => setTimeout(next, 12));
}
log.flush();
