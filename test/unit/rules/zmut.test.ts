import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'vitest';
import { Evaluator } from '../../../src/policy/evaluator.ts';
import capabilities from '../../../src/rego/capabilities.json' with { type: 'json' };
import { Compiler } from '../../../src/rego/compiler.ts';
import { compilerFiles } from '../../../src/rego/files.ts';
import { dataOf } from './core.ts';
import { facts, settings } from './generate.ts';
import { decideDirectly } from './model.ts';
import { metBy } from '../../../src/rules/direct.ts';
import { rulesOf } from './core.ts';
test('mutants', async () => {
  const compiler = new Compiler({ files: compilerFiles('/work/main'), cacheFolder: '/work/main/.cache', timeoutMs: 60000 });
  const names = readdirSync('policies').filter((n) => n.endsWith('.rego') && !n.endsWith('_test.rego') && n !== 'custom.rego' && n !== 'policies.rego');
  const src = Object.fromEntries(readdirSync('policies').filter((n) => n.endsWith('.rego') && !n.endsWith('_test.rego')).map((n) => [n, readFileSync('policies/' + n, 'utf8')]));
  const cases = fc.sample(fc.tuple(settings, facts), { numRuns: 5000, seed: 7 }).flatMap(([g, c]) => { try { return [{ d: dataOf(g), c, want: decideDirectly(g, c), ids: metBy(rulesOf(g), c).sort().join() }]; } catch { return []; } });
  let n = 0, killed = 0;
  for (const f of names) {
    const lines = src[f]!.split('\n');
    for (let i = 0; i < lines.length; i++) {
      const l = lines[i]!;
      if (!/^\t/.test(l) || /^\t(some|table :=|ids :=|"|\}|\]|components|needed|access :=|met :=|on :=)/.test(l) || /[{[(,]$/.test(l)) continue;
      const mutated = { ...src, [f]: [...lines.slice(0, i), '\ttrue', ...lines.slice(i + 1)].join('\n') };
      const built = await compiler.build({ modules: mutated, entrypoints: ['modes/verdict'], capabilities });
      if (!built.ok) continue;
      n++;
      const e = new Evaluator(built.wasm);
      let dead = false;
      for (const { d, c, want, ids } of cases) { try { e.setData({ rules: d }); const v = e.evaluateVerdict(c); if (v.verdict !== want.verdict || v.by !== want.by || (!c.reads.concat(c.writes).some((a) => a.unseen) && [...new Set(v.hits.filter((h) => h.via !== 'an unknown word').map((h) => h.id))].sort().join() !== ids)) { dead = true; break; } } catch { dead = true; break; } }
      if (dead) killed++; else console.log('SURVIVED', f, i + 1, l.trim());
    }
  }
  console.log(`killed ${killed} of ${n}`);
  compiler.close();
}, 900000);
