import { test } from 'vitest';
import { ask, loadCore } from './core.ts';
import { bash, command, write } from './facts.ts';
test('x', async () => {
  const core = await loadCore();
  for (const n of [100, 500, 1000, 2000, 4000]) {
    for (const [p, a] of [['?', 'a'], ['[!b]', 'a'], ['[a-zà-ÿ一-龥]', 'a'], ['*a', 'a']] as const) {
      const t = performance.now();
      let v; try { v = ask(core, { deny: [`Write(x/${p.repeat(n)})`] }, write(`x/${a.repeat(n)}`)).verdict; } catch (e) { v = String(e).slice(0, 80); }
      console.log(n, p, (p.repeat(n)).length, v, (performance.now() - t).toFixed(1));
    }
    console.log(n, ask(core, { deny: [`Bash(${'a *'.repeat(n)}b)`] }, bash([command(`${'a x'.repeat(n)}b`)])).verdict);
  }
}, 100000);
