// The decision log in the real client: a line a call, whatever of the server and its socket is there; /modes:why without the model.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LogEvent, readEvent } from '../../src/store/log/event.ts';
import { LogFiles, logFolder } from '../../src/store/log/files.ts';
import { type Call, session } from './client.ts';
import { dataFolder, serversOf } from './mode.ts';
import { type Block, bash, use } from './model.ts';
import type { Place } from './place.ts';
import { signal } from './processes.ts';
import { tddProject } from './project.ts';

let place: Place;
beforeEach(() => {
  place = tddProject();
});
afterEach(() => place.remove());

function logged(): LogEvent[] {
  const files = new LogFiles(logFolder(dataFolder(place.home), place.project));
  return files.numbers().flatMap((number) =>
    files.lines(number).map((line) => {
      const event = readEvent(line);
      if (event === null) throw new Error(`no event: ${line}`);
      return event;
    }),
  );
}

const secret = 'hunter2hunter2';
const calls = (): Block[][] => [
  use('Read', { file_path: `${place.project}/src/calc.ts` }),
  bash(`PASSWORD=${secret} cat src/calc.ts`),
  use('Write', { file_path: `${place.project}/src/new.ts`, content: 'x' }),
  bash('sed -i s/first/second/ src/calc.ts'),
  bash('ls'),
];

/** A line for each call, in order, that says what came of it, and no secret. */
function expectOneEach(made: Call[], events: LogEvent[]): void {
  expect(made).toHaveLength(calls().length);
  expect(events.map(({ labels }) => labels.tool_use_id)).toEqual(made.map(({ id }) => id));
  const refused = events.map(({ result, labels }) => (labels.answered ?? result.decision) === 'deny');
  expect(refused).toEqual(made.map((call) => call.refused));
  for (const { result } of events.filter((event) => event.result.decision === 'deny'))
    expect(result.rules[0]?.source).toMatchObject({ file: expect.stringMatching(/^\.claude\//), line: expect.any(Number) });
  expect(JSON.stringify(events)).not.toContain(secret);
}

const socket = () => path.join(place.project, '.claude/mode.sock');

test('with a healthy server, with the socket deleted before each call, and with the server killed before every call but the first', async () => {
  const mark = randomUUID();
  const deleted = calls().map((blocks) => () => {
    fs.rmSync(socket(), { force: true });
    return blocks;
  });
  const killed = calls().map((blocks, at) => () => {
    // The client starts a new one by and by.
    if (at >= 1) for (const pid of serversOf(mark)) signal(pid, 'SIGKILL');
    return blocks;
  });
  const { calls: made } = await session({ ...place, turns: [...calls(), ...deleted, ...killed], mark, limit: 90_000 });
  const events = logged();
  const third = calls().length;
  for (const at of [0, 1, 2]) expectOneEach(made.slice(at * third, (at + 1) * third), events.slice(at * third, (at + 1) * third));
  expect(made).toHaveLength(3 * third);
  expect(events).toHaveLength(3 * third);
  expect(events.slice(0, third).every(({ requested_by }) => requested_by !== 'one-shot')).toBe(true);
  expect(events[2 * third + 1]?.requested_by).toBe('one-shot');
});

test('/modes:why answers without a model request', async () => {
  const { calls: made, sessionId } = await session({ ...place, turns: calls().slice(2, 3) });
  expect(made[0]?.refused).toBe(true);
  const why = await session({ ...place, turns: [], prompt: '/modes:why', args: ['--resume', sessionId as string] });
  expect(why.requests.filter(({ tools }) => (tools?.length ?? 0) > 0)).toEqual([]);
  const told = JSON.stringify(why.lines);
  expect(told).toMatch(/deny {2}Write {2}in idle/);
  expect(told).toMatch(/\.claude\/settings\.idle\.json:\d+:\d+ deny @edit {2}matched src\/new\.ts/);
});
