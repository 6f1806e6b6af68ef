// The table of faults as tests: what is seen is what docs/reliability.md says of it.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Scene } from './fault.ts';
import { play, type Seen } from './matrix.ts';
import { cellOf, expectedCell, readCells } from './report.ts';
import { scenes } from './scenes.ts';

/** Where a run is kept that writes the page; such a run tries every call. */
const kept = process.env.MODES_FAULTS_OUT;
const wanted = new RegExp(process.env.MODES_FAULTS ?? '');

/** Plays the scenes of one file. */
export function testFaults(file: Scene['file']): void {
  const ours = scenes.filter((scene) => scene.file === file);
  describe('faults', () => {
    test.each(ours.map((scene) => [scene.title, scene] as const))(
      '%s: no denied call runs, and allowed work continues where possible [w:state.chain]',
      async (_, scene) => {
        const faults = new Map(scene.faults.filter(({ name }) => wanted.test(name)).map((fault) => [fault.name, fault]));
        if (faults.size === 0) return;
        const lean = kept === undefined;
        const seen = await play(scene, lean, ({ name }) => faults.has(name));
        if (kept !== undefined) keep(kept, seen);
        for (const { fault, told } of seen)
          for (const text of told.slice(0, 3)) expect(text, fault).toMatch(faults.get(fault)!.says ?? /\w{3}/);
        let made = seen.filter(({ cannot }) => cannot === null);
        const isWrong = (one: Seen): boolean =>
          one.cannot === null && cellOf(one) !== expectedCell(faults.get(one.fault)!, one.mode);
        let wrong = made.filter(isWrong);
        // On a machine with much else to do a helper can be late, and work stops that could go on: such a fault is made once more. A
        // denied call that got through is never tried again.
        if (wrong.length > 0 && wrong.every((one) => cellOf(one).startsWith('refused'))) {
          const again = new Set(wrong.map(({ fault, mode }) => `${mode} ${fault}`));
          wrong = (await play(scene, lean, ({ name }, mode) => again.has(`${mode} ${name}`))).filter(isWrong);
          made = made.filter(({ fault, mode }) => !again.has(`${mode} ${fault}`));
        }
        expect(wrong, 'a fault had another outcome than its row says').toEqual([]);
        if (kept !== undefined) return;
        const differing = made.filter((one) => readCells(one.mode).get(one.fault) !== cellOf(one));
        expect(
          differing.map(({ fault, mode }) => [fault, mode]),
          'docs/reliability.md says otherwise: make faults',
        ).toEqual([]);
      },
      kept === undefined ? 480_000 : 1_500_000,
    );
  });
}

function keep(folder: string, seen: Seen[]): void {
  for (const one of seen) fs.appendFileSync(path.join(folder, 'seen.jsonl'), `${JSON.stringify(one)}\n`);
}
