// Every tool in modes of presets of each kind: a stock OPA server gives the verdict that this machine gives.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { decideBy, Layered, packageRoot } from '../../support/layered-project.ts';
import { bundleOf, naming, OpaServer, program } from '../../support/opa-server.ts';
import { calls, places } from '../workflow/every-call.ts';

/** A project of a preset that begins in this mode, approved. */
function beginning(preset: string, mode: string): Promise<Layered> {
  const layered = new Layered();
  fs.cpSync(path.join(packageRoot, 'examples', preset, '.claude'), path.dirname(layered.at('project', 'x')), { recursive: true });
  const yaml = fs.readFileSync(layered.at('project', 'modes.yaml'), 'utf8');
  layered.put('project', 'modes.yaml', yaml.replace(/^default: .*$/m, `default: ${mode}`));
  for (const file of ['src/a.js', 'test/a.test.js', 'docs/a.md', 'package.json', '.env'])
    layered.put('project', `../${file}`, '');
  return layered.trust();
}

describe.skipIf(program === null)('a stock OPA server', () => {
  test.each(places)(
    'in %s, mode %s, gives the verdicts of this machine',
    async (preset, mode) => {
      const layered = await beginning(preset, mode);
      const local = await layered.open();
      const said = calls.map(({ tool, input }) => decideBy(local, tool, input));
      const server = await OpaServer.start((await bundleOf(layered, mode)).file);
      naming(layered, server.url);
      const asking = await layered.open();
      const different: unknown[] = [];
      let asked = 0;
      for (const [at, { tool, input }] of calls.entries()) {
        const { decision, by, rules } = said[at]!;
        const there = decideBy(asking, tool, input);
        if (there.evaluator !== undefined) asked++;
        const isSame = JSON.stringify([there.decision, there.by, there.rules]) === JSON.stringify([decision, by, rules]);
        if (!isSame || (there.evaluator !== undefined && (there.evaluator.by !== 'opa' || there.evaluator.note !== undefined)))
          different.push({ tool, input, here: [decision, by], there: [there.decision, there.by, there.evaluator] });
      }
      expect(different).toEqual([]);
      expect(asked).toBeGreaterThan(calls.length / 2);
    },
    120_000,
  );
});
