// Calls decided as they are in use: real files, facts of the real collector and analyser, the compiled policy, `decide`.
import { beforeAll } from 'vitest';
import type { DecisionContext } from '../../../src/engine/context.ts';
import { decide } from '../../../src/engine/decide.ts';
import type { DeclaredTool } from '../../../src/facts/arguments.ts';
import type { Place } from '../../../src/facts/paths/place.ts';
import type { DeclaredCommand } from '../../../src/model/command.ts';
import type { Decision } from '../../../src/model/decision.ts';
import type { ToolCall } from '../../../src/model/facts.ts';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { coreInput } from '../../../src/rules/core-input.ts';
import { rulePathFilter } from '../../../src/rules/path-filter.ts';
import { rolesOf } from '../../../src/rules/reading.ts';
import { readGrant } from '../../../src/workflow/grant-text.ts';
import { callOf } from '../../support/call.ts';
import { named } from '../../support/named.ts';
import { dataOf, loadCore, rulesOf, type Settings } from '../../support/policy.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

let core: Evaluator;

/** Call at the top of a test file. */
export function useCore(): void {
  beforeAll(async () => {
    core = await loadCore();
  }, 60_000);
}

export interface Given extends Omit<Settings, 'arguments'> {
  declared?: DeclaredTool[];
  /** `commands:` of modes.yaml. */
  commands?: DeclaredCommand[];
  place?: Partial<Place>;
  /** As typed behind /modes:grant. */
  grant?: string;
  /** After /modes:off. */
  off?: boolean;
  /** Called with the tree before the call is decided. */
  ready?: (tree: Tree) => void;
}

/** A call: tool, input, what else the event says. `TREE` in a text is the top of the tree, `HOME` the home folder, `ROOT` the project. */
export type Call = [tool: string, input: Record<string, unknown>, event?: Partial<ToolCall>];

export const bash = (command: string): Call => ['Bash', { command }];
export const read = (file_path: string): Call => ['Read', { file_path }];
export const write = (file_path: string): Call => ['Write', { file_path, content: 'x' }];
export const edit = (file_path: string): Call => ['Edit', { file_path, old_string: 'a', new_string: 'b' }];
export const grep = (path?: string): Call => ['Grep', { pattern: 'x', ...(path === undefined ? {} : { path }) }];
export const fetched = (url: string): Call => ['WebFetch', { url, prompt: 'p' }];

const files = [
  'src/a.ts',
  'src/deep/b.ts',
  'test/a.test.ts',
  'docs/a.md',
  'packages/app/src/c.ts',
  'lib/l.ts',
  '.env',
  'node_modules/x/package.json',
];

function inTree<T>(value: T, tree: Tree): T {
  const text = JSON.stringify(value).replaceAll('TREE', tree.top).replaceAll('HOME', tree.home).replaceAll('ROOT', tree.root);
  return JSON.parse(text) as T;
}

/** The decision on a call in a project of its own, under these rules. Rules with `~/` mean `/home/ann`, which is no folder here. */
export function ask(given: Given, [tool, input, event]: Call): Decision {
  const tree = makeTree();
  for (const name of files) tree.file(name, 'a');
  given.ready?.(tree);
  const { ready: _, place, declared = [], commands = [], grant, off = false, ...lists } = given;
  const settings: Settings = { ...inTree(lists, tree), arguments: rolesOf(declared) };
  const data = dataOf(settings);
  const rules = new Map(rulesOf(settings).map((rule) => [rule.id, rule]));
  core.setData({ rules: data });
  const inputOf = coreInput(data);
  const fixture: DecisionContext = {
    mode: 'm',
    degraded: null,
    policy: {
      bundle: 'sha256:b',
      evaluate: (facts) => core.evaluateVerdict(inputOf(facts)),
      rule: (id) => {
        const rule = rules.get(id);
        return rule === undefined ? null : { id, effect: rule.effect, text: rule.text, source: rule.source };
      },
      explainStep: (step, effect) => [
        ...Object.entries(settings.defaults ?? {}).flatMap(([layer, value]) =>
          value === effect && (value === 'deny' || (value === 'ask' && step === 'default'))
            ? [
                {
                  id: 'default',
                  effect: value,
                  text: `default: ${value}`,
                  source: { file: layer, line: 1, column: 1, length: 1 },
                },
              ]
            : [],
        ),
      ],
      lifting: {
        isLiftable: (id) => rules.get(id)?.layer !== 'managed',
        deniesByDefault: data.lifts.deny !== undefined,
      },
    },
    remaining: [],
    grantState: grant === undefined && !off ? null : { off, grants: grant === undefined ? [] : [granted(inTree(grant, tree))] },
    facts: {
      place: tree.place(place === undefined ? {} : inTree(place, tree)),
      pathFilter: rulePathFilter(data),
      mode: 'm',
      state: { since: null, enteredBy: null },
      wantsInput: false,
      commands,
      arguments: declared,
    },
    remedy: '',
  };
  const decision = decide(
    callOf(
      tool,
      inTree(input, tree),
      event?.cwd === undefined ? tree.root : inTree(event.cwd, tree),
      inTree({ ...event, cwd: undefined }, tree) as never,
    ),
    fixture,
    () => 'id',
  );
  return named(decision);
}

function granted(text: string) {
  const read = readGrant(text, { home: '/home/ann' });
  if ('error' in read) throw new Error(read.error);
  return { id: 'g1', rules: read.rules, counted: read.bounds.count !== null };
}

/** One row of a table: what it shows, the rules, the call, what it gives. */
export type Row = [what: string, given: Given, call: Call, decision: Decision['decision']];
