// Which faults share a session of the client: those that can be mended while it runs.
import fs from 'node:fs';
import { seedHome, session } from '../e2e/client.ts';
import { say } from '../e2e/model.ts';
import { health } from '../e2e/probe.ts';
import { signal, until } from '../e2e/processes.ts';
import { isServed, killing } from './break.ts';
import type { Fault, Scene } from './fault.ts';
import { openPipe, type Pipe } from './pipe.ts';
import {
  cacheFaults,
  configFaults,
  diskFaults,
  journalFaults,
  movedFaults,
  oneShotFaults,
  servedProgramFaults,
  viewFaults,
} from './rows-files.ts';
import { askingFaults, killedFaults, serverFaults, socketFaults, unservedSocketFaults } from './rows-server.ts';
import { callsOf } from './site.ts';

const ODD = `-rf it's "quoted"\n$(touch made) \`touch made\` Проект 项目`;
/** A folder's name may have 255 bytes: two of them. */
const odd = `${'d'.repeat(300 - Buffer.byteLength(ODD) - 1)}/${ODD}`;

/** Servers of other sessions that start and end in an order of their own while the calls are made. */
function others(count: number): Pick<Fault, 'make' | 'mend'> {
  const pipes: Pipe[] = [];
  const random = <T>(list: T[]) => list.splice(Math.floor(Math.random() * list.length), 1)[0];
  const end = async () => {
    const pipe = random(pipes);
    if (pipe === undefined) return;
    if (Math.random() < 0.5) signal(pipe.process.pid!, 'SIGKILL');
    await pipe.stop();
  };
  let busy = Promise.resolve();
  return {
    make: async (site) => {
      const start = async (at: number) => {
        const id = `${String(at).padStart(8, '0')}-0000-4000-8000-000000000000`;
        pipes.push(await openPipe(site, { CLAUDE_CODE_SESSION_ID: id }, site.plugin));
      };
      const half = Math.ceil(count / 2);
      await Promise.all(Array.from({ length: half }, (_, at) => start(at)));
      site.after.push(() => {
        for (const { process } of pipes.splice(0)) signal(process.pid!, 'SIGKILL');
      });
      busy = (async () => {
        for (let at = half; at < count; at++) await Promise.all([start(at), end()]);
      })();
    },
    mend: async () => {
      await busy;
      while (pipes.length > 0) await end();
    },
  };
}

const sessions: Fault[] = [
  {
    name: 'a second session starts and ends',
    how: 'another client in the project, whose denied calls are refused too',
    make: async (site) => {
      const second = await session({ ...site, mark: undefined, turns: [callsOf(site).slice(0, 3), say('bye')] });
      if (second.calls.length !== 3 || second.calls.some(({ refused }) => !refused))
        throw new Error('the second session was not held');
      await until('the socket', () => health(site));
    },
    goesOn: true,
  },
  {
    name: 'eight sessions',
    how: 'seven servers of others start and end, or are killed, in any order',
    ...others(7),
    goesOn: true,
    lean: 'acceptEdits',
  },
  {
    name: 'twenty sessions',
    how: 'nineteen servers of others, in the same way',
    ...others(19),
    goesOn: true,
    lean: 'bypassPermissions',
  },
];

const without = ['--strict-mcp-config'];
const moved = 'a copied or moved folder has no state: reads only, until a person names the mode';

export const scenes: Scene[] = [
  { title: 'The server and its socket', file: 'server', faults: [...serverFaults, ...socketFaults, ...killedFaults] },
  {
    title: 'Programs, disks and files while the server lives',
    file: 'files',
    faults: [...askingFaults, ...servedProgramFaults, ...viewFaults, ...diskFaults, ...configFaults, ...movedFaults],
  },
  {
    title: 'Without a server',
    file: 'files',
    args: without,
    faults: [...oneShotFaults, ...unservedSocketFaults, ...cacheFaults],
  },
  {
    title: 'State, without a server',
    file: 'state',
    args: without,
    faults: [
      ...journalFaults,
      ...[
        ...diskFaults,
        ...viewFaults.filter(({ name }) => /gone|FIFO|by hand/.test(name)),
        ...configFaults.filter(({ name }) => /yaml gone|FIFO/.test(name)),
      ].map((fault) => ({ ...fault, name: `${fault.name}, no server` })),
    ],
  },
  {
    title: 'Where the project lies',
    file: 'state',
    name: odd,
    plugin: `plug in 'with' "quotes" star*`,
    faults: [
      {
        name: 'path of 300 bytes',
        how: 'with spaces, quotes, a newline, `$(…)`, a leading dash, other alphabets; the plugin’s with spaces, quotes, a star',
        make: isServed,
        goesOn: true,
        apart: true,
      },
      { name: 'the same, without a server', how: 'killed whenever it starts', ...killing(), goesOn: true, apart: true },
    ],
  },
  {
    title: 'A project that was moved before the session',
    file: 'files',
    before: (site) => {
      const target = `${site.project}-moved`;
      fs.renameSync(site.project, target);
      site.project = target;
      seedHome(site.home, [target]);
    },
    faults: [{ name: 'project moved between sessions', how: 'its folder renamed', goesOn: moved }],
  },
  { title: 'Sessions side by side', file: 'state', faults: sessions },
];
