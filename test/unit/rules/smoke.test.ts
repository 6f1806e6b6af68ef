import { beforeAll, expect, test } from 'vitest';
import type { Evaluator } from '../../../src/policy/evaluator.ts';
import { ask, loadCore } from './core.ts';
import { bash, command, write, edit, access } from './facts.ts';
let core: Evaluator;
beforeAll(async () => { core = await loadCore(); }, 60000);
test('x', () => {
  console.log(JSON.stringify(ask(core, { deny: ['Write(src/**)'], allow: ['Write(test/**)'] }, write('src/a.ts'))));
  console.log(JSON.stringify(ask(core, { deny: ['Write(src/**)'], allow: ['Write(test/**)'] }, write('test/a.ts'))));
  console.log(JSON.stringify(ask(core, { deny: ['Write(src/**)'], allow: ['Bash(npm test:*)'] }, bash([command('npm test x', {class: 'runs'})]))));
  console.log(JSON.stringify(ask(core, { deny: ['Write(src/**)'], allow: ['Bash(sed:*)'] }, bash([command('sed -i s/a/b/ src/a.ts', {class: 'writes'})], {writes: [access('src/a.ts', {command: 0, via: 'sed -i'})]}))));
  const facts = bash([command('sed -i s/a/b/ src/a.ts', {class: 'writes'})], {writes: [access('src/a.ts', {command: 0, via: 'sed -i'})], reads: [access('src/a.ts', {command: 0, via: 'sed'})]});
  ask(core, { deny: ['Write(src/**)'], allow: ['Bash(sed:*)'] }, facts);
  console.log(JSON.stringify(facts).length);
  const w = edit('src/a/b.test.ts'); console.log(JSON.stringify(w).length);
  for (const [n, f] of [['bash', facts], ['edit', w]] as const) {
    const t: number[] = [];
    for (let i = 0; i < 20000; i++) { const a = process.hrtime.bigint(); core.evaluate(f); t.push(Number(process.hrtime.bigint() - a)); }
    t.sort((a, b) => a - b); console.log(n, t[10000]! / 1000, t[19800]! / 1000);
  }
});
