// A call in a real folder tree, judged by rules through the compiled core.

import type { FactsContext } from '../../src/facts/collect.ts';
import type { Place } from '../../src/facts/paths/place.ts';
import type { Facts, ToolCall } from '../../src/model/facts.ts';
import { coreInput } from '../../src/rules/core-input.ts';
import { rulePathFilter } from '../../src/rules/path-filter.ts';
import { callOf, factsOf } from './call.ts';
import { dataOf, loadCore, type Settings } from './policy.ts';
import type { Tree } from './tree.ts';

const core = await loadCore();

export interface Asked {
  place?: Partial<Place>;
  call?: Partial<ToolCall>;
  context?: Partial<FactsContext>;
}

/** The verdict and the step of the order that said it, such as `deny rule`; with the facts it rests on. */
export function judged(
  tree: Tree,
  settings: Settings,
  tool: string,
  input: Record<string, unknown>,
  { place, call, context }: Asked = {},
): { said: string; facts: Facts } {
  const data = dataOf(settings);
  const facts = factsOf(callOf(tool, input, tree.root, call), tree.place(place), {
    pathFilter: rulePathFilter(data),
    ...context,
  });
  core.setData({ rules: data });
  const { verdict, by } = core.evaluateVerdict(coreInput(data)(facts));
  return { said: `${verdict} ${by}`, facts };
}

export const judge = (...given: Parameters<typeof judged>): string => judged(...given).said;

/** The same for a Bash command. */
export const judgeBash = (tree: Tree, settings: Settings, command: string, asked?: Asked): string =>
  judge(tree, settings, 'Bash', { command }, asked);
