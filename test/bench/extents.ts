// What a call about a whole folder costs: each name below it is looked at, for rules and protection, by every name that it goes by.
import fs from 'node:fs';
import path from 'node:path';
import { eventOf, makeGround } from './ground.ts';
import { type Bench, median, millis, type Row, ratio } from './row.ts';

const folders = 450;
const perFolder = 100;
const commands = ['rm -rf big', 'cp -r big copy', 'mv big moved'];

export const measure: Bench = async (say) => {
  const ground = makeGround();
  try {
    const big = path.join(ground.root, 'big');
    for (let folder = 0; folder < folders; folder++) {
      fs.mkdirSync(path.join(big, `d${folder}`), { recursive: true });
      for (let file = 0; file < perFolder; file++) fs.writeFileSync(path.join(big, `d${folder}/f${file}.ts`), '');
    }
    say(`${folders * perFolder} names below a folder`);
    const project = await ground.open();
    const list = median(() => void fs.readdirSync(big, { recursive: true, withFileTypes: true }));
    return commands.map((command): Row => {
      const event = eventOf(ground.root, 'Bash', { command });
      const took = median(() => void project.decideText(event));
      return {
        what: `decide, \`${command}\`, 45,000 names below it`,
        budget: '',
        measured: `${millis(took)}; ${ratio(took / list)} listing the names`,
        holds: null,
      };
    });
  } finally {
    ground.remove();
  }
};
