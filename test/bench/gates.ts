// What a gate costs in a large project: its files looked at when a mode is entered, and again when the gate is asked.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hashFiles, markFiles } from '../../src/git/file-tree.ts';
import { unignored } from '../../src/git/ignored.ts';
import { takeBaseline } from '../../src/workflow/gates/baseline.ts';
import { globScope } from '../../src/workflow/gates/globs.ts';
import { type Bench, median, millis, ratio } from './row.ts';

const folders = 500;
const perFolder = 100;

export const measure: Bench = async (say) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-bench-tree-'));
  try {
    say(`${folders * perFolder} files`);
    fs.writeFileSync(path.join(root, '.gitignore'), '*.log\nbuild/\n');
    for (let folder = 0; folder < folders; folder++) {
      fs.mkdirSync(path.join(root, `d${folder}`));
      for (let file = 0; file < perFolder; file++)
        fs.writeFileSync(path.join(root, `d${folder}`, `f${file}.ts`), `export const n = ${folder * file};\n`.repeat(20));
    }
    const globs = ['**/*.ts'];
    const home = os.homedir();
    const list = median(() => void fs.readdirSync(root, { recursive: true }));
    const scope = globScope(globs, true, home);
    const entered = median(() => void takeBaseline(root, home, globs, null));
    // Settled: nothing was written within the clock's grain.
    const later = new Date(Date.now() - 60_000);
    for (const name of fs.readdirSync(root))
      if (name.startsWith('d')) fs.utimesSync(path.join(root, name, 'f0.ts'), later, later);
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const { files } = takeBaseline(root, home, globs, null);
    const asked = median(() => void hashFiles(root, scope, files));
    const run = median(() => void markFiles(root, unignored(root)));
    const row = (what: string, took: number, budget: number | null) => ({
      what,
      budget: budget === null ? '' : `≤ ${budget / 1000} s`,
      measured: `${millis(took)}; ${ratio(took / list)} listing the names`,
      holds: budget === null ? null : took <= budget,
      absolute: true as const,
    });
    return [
      row('gate, 50,000 files, contents when a mode is entered', entered, 1_000),
      row('gate, 50,000 files, `changed` or `unchanged`', asked, 1_000),
      row('gate, 50,000 files, marks around a run', run, 1_000),
    ];
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
};
