// The analyser's one public verb: a command text and where it runs in, what it does out.
import { followAliases } from './aliases.ts';
import { worse } from './effects.ts';
import { settleOwnWrites } from './loads.ts';
import { State } from './state.ts';
import type { BashClass, BashContext, BashFacts, BashTarget, Skips } from './types.ts';
import { Walk } from './walk.ts';

const FEW = 16;

/**
 * Says what a command text does, without running it or looking at the file system.
 * Never throws: whatever is not understood is of class `unknown`.
 */
export function analyse(command: string, context: BashContext): BashFacts {
  try {
    const walk = new Walk(context);
    walk.run(command, new State([context.cwd]));
    resolveAliases(walk);
    return settleOwnWrites(summarise(walk));
  } catch (error) {
    // A fault of the analyser must never open anything.
    const text = `could not be analysed (${error instanceof Error ? error.message : String(error)})`;
    return {
      class: 'unknown',
      network: false,
      hosts: [],
      commands: [],
      writes: [],
      reads: [],
      uncertain: [{ command: null, class: 'unknown', why: text }],
      why: [{ text, pos: 0, end: typeof command === 'string' ? command.length : 0 }],
    };
  }
}

/** A link that the text makes is not there yet when its targets are looked at. */
function resolveAliases(walk: Walk): void {
  const { aliases, writes, reads } = walk.effects;
  if (aliases.length === 0) return;
  const [read, written] = [followAliases(reads, aliases), followAliases(writes, aliases)];
  if (read === 'too many' || written === 'too many')
    walk.effects.worsen(null, 'unknown', 'reaches more files through its own links than are followed', { pos: 0, end: 0 });
  else if (written === 'unknown')
    walk.effects.worsen(null, 'unknown', 'writes through a link of which the end is not known', { pos: 0, end: 0 });
}

/** A file that a command names again and again is one target. */
function onlyOnce(targets: BashTarget[]): BashTarget[] {
  if (targets.length <= FEW) return targets;
  // What a search leaves out may be long, and is shared by all that it reads.
  const skipped = new Map<Skips, string>();
  const keyOf = ({ skips, ...rest }: BashTarget) => {
    if (skips !== undefined && !skipped.has(skips)) skipped.set(skips, JSON.stringify(skips));
    return JSON.stringify(rest) + (skips === undefined ? '' : skipped.get(skips));
  };
  return [...new Map(targets.map((target) => [keyOf(target), target])).values()];
}

function summarise(walk: Walk): BashFacts {
  const { commands, hosts, uncertain, why } = walk.effects;
  const [writes, reads] = [onlyOnce(walk.effects.writes), onlyOnce(walk.effects.reads)];
  let cls: BashClass = writes.length > 0 ? 'writes' : 'read-only';
  for (const c of commands) cls = worse(cls, c.class);
  for (const u of uncertain) cls = worse(cls, u.class);
  return { class: cls, network: commands.some((c) => c.network), hosts, commands, writes, reads, uncertain, why };
}
