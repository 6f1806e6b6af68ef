// Everything that is fuzzed, by name.
import { bashTarget } from './bash.ts';
import { configTarget } from './config.ts';
import { eventTarget } from './events.ts';
import { readsTarget } from './reads.ts';
import { rulesTarget } from './rules.ts';
import { sequenceTarget } from './sequences.ts';
import { socketTarget } from './socket.ts';
import type { Opens } from './target.ts';

export { fuzz } from './run.ts';

export const targets: ReadonlyMap<string, Opens> = new Map<string, Opens>([
  ['bash', bashTarget],
  ['config', configTarget],
  ['events', () => eventTarget()],
  ['reads', readsTarget],
  ['rules', () => rulesTarget()],
  ['sequences', sequenceTarget],
  ['socket', socketTarget],
]);
