// From the text of an event to the text of the answer, inside a running process.
import path from 'node:path';
import { answerText, hookAnswer } from '../../src/decide/answer.ts';
import { eventOf, makeGround, typicalBash } from './ground.ts';
import { type Bench, micros, ratio, spread } from './row.ts';

export const measure: Bench = async (say) => {
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
