// A stock OPA server that a person names, in the real client: it has its say about a call, and what it denied stays denied when it is gone.
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { loadConfiguration } from '../../src/config/load.ts';
import { readEvent } from '../../src/store/log/event.ts';
import { LogFiles, logFolder } from '../../src/store/log/files.ts';
import { recordTrust } from '../../src/store/trust.ts';
import { cleanUp } from '../support/cleanup.ts';
import { bundleOf, OpaServer, program } from '../support/opa-server.ts';
import { certificate } from '../support/team-server.ts';
import { session } from './client.ts';
import { dataFolder } from './mode.ts';
import { bash, use } from './model.ts';
import { tddProject } from './project.ts';

afterEach(cleanUp);

test.skipIf(program === null)('denied by an OPA server, and denied when it was killed', async () => {
  const place = tddProject();
  const { home, project } = place;
  try {
    recordTrust(dataFolder(home), project, loadConfiguration(project).hash, 'terminal', new Date());
    const { file } = await bundleOf({ root: project, env: { HOME: home, PATH: process.env.PATH } }, 'idle');
    const server = await OpaServer.start(file);
    const user = path.join(home, '.claude');
    fs.writeFileSync(path.join(user, 'ca.pem'), certificate().cert);
    fs.writeFileSync(path.join(user, 'teams.yaml'), `evaluator: opa\nopa: {url: "${server.url}", ca: ca.pem, deadline: 1s}\n`);
    const write = () => use('Write', { file_path: `${project}/src/new.ts`, content: 'x' });
    const { calls } = await session({
      ...place,
      turns: [
        write(),
        bash('ls src'),
        () => {
          void server.kill();
          return use('Write', { file_path: `${project}/src/other.ts`, content: 'x' });
        },
        bash('ls test'),
      ],
    });
    expect(calls.map(({ refused }) => refused)).toEqual([true, false, true, false]);
    expect([place.exists('src/new.ts'), place.exists('src/other.ts')]).toEqual([false, false]);
    const files = new LogFiles(logFolder(dataFolder(home), project));
    const events = files.numbers().flatMap((number) => files.lines(number).map((line) => readEvent(line)!));
    const said = events.map(({ result }) => [result.decision, result.evaluator?.by, result.rules[0]?.text]);
    expect(said).toEqual([
      ['deny', 'both', '@edit'],
      ['pass', 'both', undefined],
      ['deny', 'local', '@edit'],
      ['pass', 'local', undefined],
    ]);
    expect(events[2]?.result.evaluator?.note).toMatch(/^it cannot be reached/);
  } finally {
    place.remove();
  }
});
