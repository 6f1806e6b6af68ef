// What a call about a whole folder costs: each name below it is looked at, for rules and protection, by every name that it goes by.
import fs from 'node:fs';
import path from 'node:path';
import { eventOf, type Fixture, makeFixture } from './fixture.ts';
import { type Bench, median, millis, type Row, ratio } from './row.ts';

const folders = 450;
const perFolder = 100;
const changes = ['rm -rf big', 'cp -r big copy', 'mv big moved'].map((command): Call => ['Bash', { command }]);
/** What is read counts only where something may not be read. */
const hidden = { permissions: { deny: ['Read(.env*)', 'Read(**/secrets/**)', 'Read(*.pem)'] } };
const searches: Call[] = [
  ['Bash', { command: 'grep -rn x .' }],
  ['Grep', { pattern: 'x' }],
];

type Call = [tool: string, input: Record<string, unknown>];

export const measure: Bench = async (say) => {
  say(`${folders * perFolder} names below a folder`);
  return [...(await rowsOf(makeFixture(), changes)), ...(await rowsOf(makeFixture(hidden), searches))];
};

async function rowsOf(fixture: Fixture, calls: readonly Call[]): Promise<Row[]> {
  try {
    const big = path.join(fixture.root, 'big');
    for (let folder = 0; folder < folders; folder++) {
      fs.mkdirSync(path.join(big, `d${folder}`), { recursive: true });
      for (let file = 0; file < perFolder; file++) fs.writeFileSync(path.join(big, `d${folder}/f${file}.ts`), '');
    }
    const project = await fixture.open();
    const list = median(() => void fs.readdirSync(big, { recursive: true, withFileTypes: true }));
    return calls.map(([tool, input]): Row => {
      const event = eventOf(fixture.root, tool, input);
      const took = median(() => void project.decideText(event));
      return {
        what: `decide, ${tool === 'Bash' ? `\`${input.command}\`` : tool}, 45,000 names below it`,
        budget: '',
        measured: `${millis(took)}; ${ratio(took / list)} listing the names`,
        holds: null,
      };
    });
  } finally {
    fixture.remove();
  }
}
