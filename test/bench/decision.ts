// From the text of an event to the text of the answer, inside a running process.
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { answerText, hookAnswer } from '../../src/decide/answer.ts';
import type { Project } from '../../src/workflow/project.ts';
import { eventOf, makeGround, typicalBash } from './ground.ts';
import { type Bench, micros, type Row, ratio, spread, spreadOf } from './row.ts';

export const measure: Bench = async (say) => [...(await alone(say)), await layered(say)];

/** What the layers of a user and of one person add, call by call in turns. */
async function layered(say: (text: string) => void): Promise<Row> {
  say('layers');
  const grounds = [makeGround(), makeGround(null, true)];
  try {
    const sides: { project: Project; event: string; took: number[] }[] = [];
    for (const ground of grounds)
      sides.push({
        project: await ground.open(),
        event: eventOf(ground.root, 'Read', { file_path: path.join(ground.root, 'src/a.ts') }),
        took: [],
      });
    const secret = { file_path: path.join(grounds[1]!.root, 'secrets/a') };
    if (sides[1]!.project.decideText(eventOf(grounds[1]!.root, 'Read', secret)).decision !== 'deny')
      throw new Error('the layers are not there');
    for (let round = -1_000; round < 10_000; round += 1)
      for (const { project, event, took } of sides) {
        const start = performance.now();
        answerText(hookAnswer(project.decideText(event), false));
        if (round >= 0) took.push((performance.now() - start) * 1000);
      }
    const [one, more] = sides.map(({ took }) => spreadOf(took).p50) as [number, number];
    return {
      what: 'decide, a Read, with user and local layers beside the project, p50 more',
      budget: '≤ 15 µs',
      measured: `${micros(Math.max(0, more - one))}; ${ratio(more / one)}`,
      holds: more - one <= 15,
      absolute: true,
    };
  } finally {
    for (const ground of grounds) ground.remove();
  }
}

const alone: Bench = async (say) => {
  const ground = makeGround();
  try {
    const project = await ground.open();
    const calls: [string, string][] = [
      ['a typical Bash call', eventOf(ground.root, 'Bash', typicalBash)],
      [
        'a Write',
        eventOf(ground.root, 'Write', { file_path: path.join(ground.root, 'test/a.test.ts'), content: 'x'.repeat(2000) }),
      ],
      ['a Read', eventOf(ground.root, 'Read', { file_path: path.join(ground.root, 'src/a.ts') })],
    ];
    return calls.map(([name, event]) => {
      say(name);
      const parse = spread(20_000, () => JSON.parse(event)).p50;
      const { p50, p99 } = spread(20_000, () => void answerText(hookAnswer(project.decideText(event), false)));
      return {
        what: `decide, ${name}, p50 / p99`,
        budget: '≤ 40 / 150 µs',
        measured: `${micros(p50)} / ${micros(p99)}; ${ratio(p50 / parse)} JSON.parse of the event`,
        holds: p50 <= 40 && p99 <= 150,
        absolute: true as const,
      };
    });
  } finally {
    ground.remove();
  }
};
