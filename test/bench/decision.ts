// From the text of an event to the text of the answer, inside a running process.
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { answerText, hookAnswer } from '../../src/engine/answer.ts';
import type { Project } from '../../src/workflow/project.ts';
import { eventOf, inTurn, makeFixture, manyCalls, refusedBashAt } from './fixture.ts';
import { mixedEvents } from './mix.ts';
import {
  type Bench,
  heldBy,
  micros,
  type Paced,
  paced,
  pacedText,
  type Row,
  ratio,
  type Spread,
  spread,
  spreadOf,
} from './row.ts';
import { openYardstick } from './yardstick.ts';

export const measure: Bench = async (say) => [...(await alone(say)), await layered(say)];

/** What the layers of a user and of one person add, call by call in turns. */
async function layered(say: (text: string) => void): Promise<Row> {
  say('layers');
  const fixtures = [makeFixture(), makeFixture(null, true)];
  try {
    const sides: { project: Project; event: string; took: number[] }[] = [];
    for (const fixture of fixtures)
      sides.push({
        project: await fixture.open(),
        event: eventOf(fixture.root, 'Read', { file_path: path.join(fixture.root, 'src/a.ts') }),
        took: [],
      });
    const secret = { file_path: path.join(fixtures[1]!.root, 'secrets/a') };
    if (sides[1]!.project.decideText(eventOf(fixtures[1]!.root, 'Read', secret)).decision !== 'deny')
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
    for (const fixture of fixtures) fixture.remove();
  }
}

async function alone(say: (text: string) => void): Promise<Row[]> {
  const fixture = makeFixture();
  try {
    const [project, look] = [await fixture.open(), await openYardstick()];
    const kinds: [name: string, tool: string, input: (n: number) => object][] = [
      [refused, 'Bash', refusedBashAt],
      ['a Write', 'Write', (n) => ({ file_path: path.join(fixture.root, `test/a${n}.test.ts`), content: 'x'.repeat(2000) })],
      ['a Read', 'Read', (n) => ({ file_path: path.join(fixture.root, `src/a${n}.ts`) })],
    ];
    const bash = mixedEvents(fixture.root, manyCalls).filter((event) => event.includes('"Bash"'));
    const answer = (event: string): void => void answerText(hookAnswer(project.decideText(event), false));
    const rows = kinds.flatMap(([name, tool, input]) => {
      say(name);
      const events = Array.from({ length: manyCalls }, (_, n) => eventOf(fixture.root, tool, input(n)));
      const next = inTurn(events);
      const event = events[0] as string;
      const parse = spread(20_000, () => JSON.parse(event)).p50;
      const row = (what: string, took: Paced): Row =>
        rowOf(what, took, `; ${ratio(took.here.p50 / parse)} JSON.parse of the event`, name !== refused);
      return [
        row(
          `${name}, each another`,
          paced(20_000, () => answer(next()), look),
        ),
        row(
          `${name}, asked about again by the second handler`,
          paced(20_000, () => answer(event), look),
        ),
      ];
    });
    say('Bash calls of a session');
    const next = inTurn(bash);
    return [
      ...rows,
      rowOf(
        "a typical Bash call: those of a session's mix",
        paced(20_000, () => answer(next()), look),
      ),
    ];
  } finally {
    fixture.remove();
  }
}

const isHeld = ({ p50, p99 }: Spread): boolean => p50 <= 150 && p99 <= 500;

/** Larger than what is typical, and shown for that: the budget is one of typical calls. */
const refused = 'a Bash call of four commands that is refused';

const rowOf = (what: string, took: Paced, more = '', isBound = true): Row => ({
  what: `decide, ${what}, p50 / p99`,
  budget: isBound ? '≤ 150 / 500 µs' : '',
  measured: `${pacedText(took)}${more}`,
  ...(isBound ? heldBy(isHeld(took.usual), isHeld(took.here)) : { holds: null }),
});
