// Custom policies: what a decision takes with them, and how long an edit takes until the socket answers otherwise.

import net from 'node:net';
import path from 'node:path';
import type { Facts } from '../../src/model/facts.ts';
import { nobody } from '../../src/workflow/project.ts';
import { putFile } from '../support/files.ts';
import {
  eventOf,
  type Fixture,
  inTurn,
  makeFixture,
  manyCalls,
  refusedBashAt,
  requestOf,
  socketOf,
  startServer,
} from './fixture.ts';
import { type Bench, inTurns, micros, millis, type Row, ratio, spread, spreadOf } from './row.ts';

const counts = [0, 1, 10, 50];

/** A policy as people write them, of which the call meets none. */
const policyOf = (n: number): string => `package modes.policy.p${n}

deny contains sprintf("%s belongs to team %d", [write.path, ${n}]) if {
	some write in input.writes
	startswith(write.path, "teams/t${n}/")
}

ask contains "tool${n} is asked" if {
	some command in input.bash.commands
	command.name == "tool${n}"
}
`;

function put(fixture: Fixture, name: string, text: string): void {
  const file = path.join(fixture.root, '.claude/policies', name);
  putFile(file, text);
}

async function evaluations(say: (text: string) => void): Promise<Row[]> {
  const rows: { count: number; p50: number; p99: number }[] = [];
  for (const count of counts) {
    say(`${count} policies`);
    const fixture = makeFixture();
    try {
      for (let n = 0; n < count; n += 1) put(fixture, `p${n}.rego`, policyOf(n));
      const project = await fixture.open();
      const all = Array.from(
        { length: manyCalls },
        (_, n) => project.decideText(eventOf(fixture.root, 'Bash', refusedBashAt(n))).facts,
      );
      const policy = project.for(nobody).policyOf('test-dev');
      if (policy === null || all.includes(null)) throw new Error(`no policy with ${count} custom policies`);
      const next = inTurn(all as Facts[]);
      rows.push({ count, ...spread(4_000, () => policy.evaluate(next())) });
    } finally {
      fixture.remove();
    }
  }
  return rows.map(({ count, p50, p99 }) => ({
    what: `evaluation with ${count} custom polic${count === 1 ? 'y' : 'ies'}, p50 / p99`,
    budget: count === 1 ? '≤ 150 µs p50' : '',
    measured: `${micros(p50)} / ${micros(p99)}; ${ratio(p50 / rows[0]!.p50)} none`,
    holds: count === 1 ? p50 <= 150 : null,
    absolute: true as const,
  }));
}

const edits = 9;
/** Each with a server of its own, whose compiler has not been started. */
const coldEdits = 5;
/** Longer than the compiler's process is kept. */
const patience = 20_000;

/** Milliseconds from the file's being saved to the first answer by it. */
async function edit(fixture: Fixture, word: string): Promise<number> {
  const event = eventOf(fixture.root, 'Bash', { command: 'terraform apply' });
  const text = `package modes.policy.tf\n\ndeny contains "${word}" if {\n\tsome command in input.bash.commands\n\tcommand.name == "terraform"\n}\n`;
  put(fixture, 'tf.rego', text);
  const saved = performance.now();
  while (!(await answerOf(fixture, event)).includes(word)) {
    if (performance.now() - saved > patience) throw new Error(`the edit is not in force after ${patience} ms`);
  }
  return performance.now() - saved;
}

function answerOf(fixture: Fixture, event: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(socketOf(fixture.root), () => socket.write(requestOf(event)));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString());
    });
    socket.once('error', reject);
  });
}

async function liveEdits(say: (text: string) => void): Promise<Row[]> {
  say('edits');
  const fixture = makeFixture();
  // The compiler lies unpacked in the data folder, as on any machine where one policy was compiled before.
  put(fixture, 'tf.rego', policyOf(0));
  await fixture.open();
  const cold: number[] = [];
  const warm: number[] = [];
  try {
    for (let turn = 1; turn <= coldEdits; turn += 1) {
      const server = await startServer(fixture);
      try {
        cold.push(await edit(fixture, `cold${turn}`));
        if (turn === coldEdits) for (let n = 1; n <= edits; n += 1) warm.push(await edit(fixture, `word${n}`));
      } finally {
        await server.stop();
      }
    }
    const nothing = {
      command: process.execPath,
      args: ['-e', '0'],
      cwd: fixture.root,
      env: fixture.env,
      input: '',
      prints: /^$/,
    };
    const [bare = Number.NaN] = inTurns(9, [nothing]);
    const row = (what: string, budget: number, took: number): Row => ({
      what,
      budget: `≤ ${budget} ms`,
      measured: `${millis(took)}; ${ratio(took / bare)} \`node -e 0\``,
      holds: took <= budget,
      absolute: true,
    });
    return [
      row('Rego saved to verdict on the socket, compiler cold, median', 1000, spreadOf(cold).p50),
      row('the same, compiler warm, median', 300, spreadOf(warm).p50),
    ];
  } finally {
    fixture.remove();
  }
}

export const measure: Bench = async (say) => [...(await evaluations(say)), ...(await liveEdits(say))];
