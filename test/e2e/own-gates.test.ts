// Commands that the engine runs itself for a gate, in the real client: only what a person approved, and never without an end.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approve } from './approve.ts';
import { type Call, session } from './client.ts';
import { go } from './mode.ts';
import { mcp, use } from './model.ts';
import type { Place } from './place.ts';
import { marked, until } from './processes.ts';
import { plainProject } from './project.ts';

const modes = `name: checked
default: work
modes:
  work:
    transitions:
      - to: done
        require: [{run: npm test, timeout: 5m}]
  done:
    transitions: [{to: work}]
`;

let place: Place;
beforeEach(() => {
  place = plainProject();
  place.write('.claude/modes.yaml', modes);
  place.write('package.json', '{"name":"calc","scripts":{"test":"node check.cjs"}}\n');
});
afterEach(() => place.remove());

/** A person approves, and sees what the engine will run. */
async function trust(): Promise<void> {
  expect(await approve(place)).toContain('run: npm test: the engine runs it; it uses package.json');
}

/** Notes in a file beside the project that it ran. */
const noting = (then: string) => `require('fs').appendFileSync(${JSON.stringify(path.join(place.root, 'ran'))}, 'x'); ${then}\n`;
const ran = () => fs.existsSync(path.join(place.root, 'ran'));
const last = (calls: Call[]) => {
  const text = calls.filter(({ name }) => name.endsWith('__transition')).at(-1)?.result ?? 'null';
  return JSON.parse(text.startsWith('[') ? (JSON.parse(text) as { text: string }[])[0]!.text : text);
};

describe('run', () => {
  test('of an untrusted project does not run, and the remedy is named [w:run.trust] [s:untrusted.gates]', async () => {
    place.write('check.cjs', noting(''));
    const { calls } = await session({ ...place, turns: go('done') });
    expect(last(calls).unmet).toMatchObject([{ check: 'run: npm test', how: expect.stringContaining('/modes:trust') }]);
    expect(ran()).toBe(false);
  });

  test('opens the gate when it passes, and shows the failure when it does not [w:run.holds]', async () => {
    place.write('check.cjs', noting("console.log('one is not two'); process.exit(1);"));
    await trust();
    const failed = await session({ ...place, turns: go('done') });
    expect(last(failed.calls).unmet).toMatchObject([
      { missing: expect.stringContaining('failed with exit code 1'), how: expect.stringContaining('one is not two') },
    ]);
    place.write('check.cjs', noting(''));
    const passed = await session({ ...place, turns: go('done') });
    expect(last(passed.calls)).toMatchObject({ success: true, new_state: 'done' });
    expect(fs.readFileSync(path.join(place.root, 'ran'), 'utf8')).toBe('xx');
    expect(passed.left).toEqual([]);
  });

  test('that hangs is killed at its limit with its children, and decisions continue meanwhile [w:run.limit] [w:run.answers]', async () => {
    place.write(
      'check.cjs',
      noting(
        "require('child_process').spawn('sleep', ['300'], { detached: true, stdio: 'inherit' }); setInterval(() => {}, 1000);",
      ),
    );
    place.write('.claude/modes.yaml', modes.replace('5m', '12s'));
    await trust();
    const running = session({ ...place, turns: go('done'), mark: 'own-gates-hang' });
    await until('the command to run', ran, 60_000);
    expect(await health()).toBe(200);
    const { calls, left } = await running;
    expect(last(calls).unmet).toMatchObject([{ missing: 'npm test was ended after its limit of 12 s' }]);
    expect(left).toEqual([]);
  });

  test('leaves no process when the client is killed meanwhile [w:run.fork]', async () => {
    place.write('check.cjs', noting('setInterval(() => {}, 1000);'));
    await trust();
    const mark = 'own-gates-killed';
    const running = session({ ...place, turns: go('done'), mark });
    await until('the command to run', ran, 60_000);
    const isCheck = ({ command }: { command: string[] }) => command.includes('check.cjs');
    expect(marked(mark).some(isCheck)).toBe(true);
    for (const { pid } of marked(mark).filter(({ command }) => command.some((word) => /claude|server\.mjs/.test(word))))
      process.kill(pid, 'SIGKILL');
    await until('the command to be gone', () => !marked(mark).some(isCheck));
    await running;
  });

  test('does not run again after a file that it uses changed [w:run.uses]', async () => {
    place.write('check.cjs', noting('process.exit(1)'));
    await trust();
    const easy = '{"name":"calc","scripts":{"test":"true"}}\n';
    const { calls } = await session({
      ...place,
      turns: [
        use('Read', { file_path: `${place.project}/package.json` }),
        use('Write', { file_path: `${place.project}/package.json`, content: easy }),
        ...go('done'),
        mcp('status'),
      ],
    });
    expect(place.read('package.json')).toBe(easy);
    expect(last(calls).unmet).toMatchObject([
      { missing: expect.stringContaining('package.json changed since a person approved') },
    ]);
    expect(ran()).toBe(false);
  });
});

function health(): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    http
      .get({ socketPath: path.join(place.project, '.claude/mode.sock'), path: '/health' }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject);
  });
}
