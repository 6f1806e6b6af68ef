// The table of faults as tests: what is seen under one permission mode is what docs/reliability.md says of it.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { PermissionMode } from './fault.ts';
import { play, type Seen } from './matrix.ts';
import { cellOf, expectedCell, readCells } from './report.ts';
import { scenes } from './scenes.ts';

/** Where a run is kept that writes the page; such a run tries every call. */
const kept = process.env.MODES_FAULTS_OUT;
const wanted = new RegExp(process.env.MODES_FAULTS ?? '');

export function testFaults(mode: PermissionMode): void {
  describe(`faults under ${mode}`, () => {
    test.each(scenes.map((scene) => [scene.title, scene] as const))(
      '%s: no denied call gets through, and allowed work goes on where it can [w:state.chain]',
      async (_, scene) => {
        const faults = scene.faults.filter(({ name }) => wanted.test(name));
        if (faults.length === 0) return;
        const seen = await play({ ...scene, faults }, mode, kept === undefined);
        if (kept !== undefined) keep(kept, mode, seen);
        for (const { name, says = /\w{3}/ } of faults)
          for (const told of seen.find(({ fault }) => fault === name)?.told.slice(0, 3) ?? []) expect(told, name).toMatch(says);
        let made = seen.filter(({ cannot }) => cannot === null);
        const isWrong = (one: Seen): boolean =>
          one.cannot === null && cellOf(one) !== expectedCell(faults.find(({ name }) => name === one.fault)!, mode);
        let wrong = made.filter(isWrong);
        // On a machine with much else to do a helper can be late, and work stops that could go on: such a fault is made once more. A
        // denied call that got through is never tried again.
        if (wrong.length > 0 && wrong.every((one) => cellOf(one).startsWith('refused'))) {
          const again = faults.filter(({ name }) => wrong.some(({ fault }) => fault === name));
          wrong = (await play({ ...scene, faults: again }, mode, kept === undefined)).filter(isWrong);
          made = made.filter(({ fault }) => !again.some(({ name }) => name === fault));
        }
        expect(wrong, 'a fault had another outcome than its row says').toEqual([]);
        if (kept !== undefined) return;
        const page = readCells(mode);
        const differing = made.filter((one) => page.get(one.fault) !== cellOf(one)).map(({ fault }) => fault);
        expect(differing, 'docs/reliability.md says otherwise: make faults').toEqual([]);
      },
      240_000,
    );
  });
}

function keep(folder: string, mode: PermissionMode, seen: Seen[]): void {
  for (const one of seen) fs.appendFileSync(path.join(folder, `${mode}.jsonl`), `${JSON.stringify(one)}\n`);
}
