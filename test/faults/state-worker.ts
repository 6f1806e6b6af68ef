// A process that changes the mode in a loop and says each change on its pipe once it is made; for whoever kills it in between.
import fs from 'node:fs';
import { StateStore } from '../../src/workflow/state.ts';
import { change, tdd } from '../support/topology.ts';

const [root, claude, data, name, count] = process.argv.slice(2) as [string, string, string, string, string];
const store = new StateStore(root, claude, data);
const ring = [...tdd.modes.keys()];

for (let done = 0; done < Number(count); ) {
  const mode = store.read(tdd).mode as string;
  const explanation = `${name} ${done}`;
  const next = ring[(ring.indexOf(mode) + 1) % ring.length] as string;
  const entry = store.change(change(mode, next, { explanation }), tdd, new Date());
  if (entry === null) continue;
  done++;
  fs.writeSync(1, `${JSON.stringify({ number: entry.number, explanation })}\n`);
}
