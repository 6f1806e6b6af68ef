// A yardstick: a small policy, asked by the SDK as it comes. The budgets were written on a machine where it takes as long as `usual`
// says; a machine that is slower, or has other work, is slower at this too, and at the same moment.

import * as sdk from '@open-policy-agent/opa-wasm';
import { compile } from '../../src/policy/compiler/compiler.ts';
import { installedFiles } from '../../src/policy/compiler/files.ts';
import { packageRoot } from './fixture.ts';
import { spreadOf } from './row.ts';

/** Microseconds of one evaluation where the budgets were written. */
export const usual = 7.5;
/** Evaluations of one look, and of a warm-up. */
const evaluations = 60;
const warmUp = 5_000;
const rules = 1_000;
const entrypoint = 'yardstick/answer';

const core = `package yardstick

ranks := ["deny", "ask", "allow"]

met contains id if {
	some file in input.writes
	some folder in file.above
	some id in data.index.below[folder]
}

met contains id if {
	some file in input.writes
	some id in data.index.ending[file.end]
}

met contains one.id if {
	some file in input.writes
	some one in data.index.patterns
	startswith(file.path, one.start)
	regex.match(one.expression, file.path)
}

said contains {"effect": "deny", "by": "push", "what": what} if some what in data.others.push.deny

said contains {"effect": "ask", "by": "place", "what": what} if some what in data.others.place.ask

effects contains data.index.effect[id] if some id in met

effects contains one.effect if some one in said

default answer := {"effect": "none"}

answer := {"effect": effect, "met": met, "said": said} if {
	found := [rank | some rank in ranks; rank in effects]
	effect := array.concat(found, [data.index.otherwise])[0]
}
`;

const push = `package others.push

deny contains {"reason": "by force"} if {
	some command in input.bash.commands
	command.argv[0] == "git"
	command.argv[1] == "push"
	"--force" in command.argv
}
`;

const place = `package others.place

ask contains {"reason": concat(" ", ["into", file.path])} if {
	some file in input.writes
	startswith(file.path, "infra/")
}
`;

const input = {
  writes: [{ path: 'dir4/src/a/b.ts', end: '.ts', above: ['dir4/src/a/b.ts', 'dir4/src/a', 'dir4/src', 'dir4', ''] }],
  bash: { commands: [{ argv: ['git', 'push', 'origin'] }] },
};

interface Loaded {
  setData(data: object): void;
  evaluate(input: object, entrypoint: string): unknown;
}
const { loadPolicySync } = (sdk as unknown as { default: { loadPolicySync(wasm: Uint8Array): Loaded } }).default;

function index(): object {
  const below: Record<string, string[]> = {};
  const ending: Record<string, string[]> = {};
  const effect: Record<string, string> = {};
  for (let n = 0; n < rules; n++) {
    const [table, key] = n % 4 === 1 ? [ending, `.e${n}`] : [below, n % 4 === 0 ? `dir${n}/src` : `folder${n}`];
    table[key] = [`r${n}`];
    effect[`r${n}`] = n % 3 === 0 ? 'deny' : 'allow';
  }
  const patterns = Array.from({ length: 5 }, (_, n) => ({ id: `r${n}`, start: `zz${n}`, expression: `^zz${n}[^/]*\\.ts$` }));
  return { index: { below, ending, effect, patterns, otherwise: 'pass' } };
}

/** How many times as long as usual this machine takes right now. */
export type Yardstick = () => number;

/** @throws {Error} when its policy cannot be compiled, or answers something else */
export async function openYardstick(): Promise<Yardstick> {
  const modules = { 'core.rego': core, 'push.rego': push, 'place.rego': place };
  const built = await compile({ modules, entrypoints: [entrypoint] }, { files: installedFiles(packageRoot), cacheFolder: null });
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join('\n'));
  const policy = loadPolicySync(built.wasm);
  policy.setData(index());
  const answer = JSON.stringify(policy.evaluate(input, entrypoint));
  if (!answer.includes('"effect":"allow"') || !answer.includes('["r4"]')) throw new Error(`the yardstick answers ${answer}`);
  for (let n = 0; n < warmUp; n++) policy.evaluate(input, entrypoint);
  const took = new Float64Array(evaluations);
  return () => {
    for (let n = 0; n < evaluations; n++) {
      const start = performance.now();
      policy.evaluate(input, entrypoint);
      took[n] = (performance.now() - start) * 1000;
    }
    return spreadOf(took).p50 / usual;
  };
}
