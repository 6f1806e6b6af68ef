// Calls that must not happen in test-dev and calls that may, tried while something is broken.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { expect } from 'vitest';
import { openPipe } from '../faults/pipe.ts';
import { type Session, type SessionOptions, session } from './client.ts';
import { go, viewedMode } from './mode.ts';
import { type Block, bash, say, type Turn, use } from './model.ts';
import type { Place } from './place.ts';
import { differences, readTree } from './tree.ts';

export const SOURCE = 'export const first = 1;\n';
export const closed = { opened: [], goesOn: true, reads: true };

/** Takes the project to test-dev, for scenarios whose session has no server: by the plugin's server, without a client. */
export async function inTestDev(place: Place): Promise<void> {
  const pipe = await openPipe(place);
  const { result } = await pipe.call('transition', { target: 'test-dev', explanation: 'because' }, place.project);
  expect(result?.content?.[0]?.text).toContain('"success": true');
  await pipe.stop();
  expect(viewedMode(place)).toBe('test-dev');
}

/** The call that a session starts with: to test-dev, unless the project is there. */
export const opening = (place: Place): Block[] => (viewedMode(place) === 'test-dev' ? bash('ls') : go('test-dev')[0]!);

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
/** Calls that must not happen in test-dev, one that may, and one that reads. */
export const probes = (project: string): Block[][] => [
  use('Write', { file_path: path.join(project, 'src/calc.ts'), content: 'probe' }),
  bash(`sed -i s/first/probe/ ${quote(path.join(project, 'src/calc.ts'))}`),
  bash(`echo probe > ${quote(path.join(project, 'src/new.ts'))}`),
  use('Write', { file_path: path.join(project, 'test/new.test.ts'), content: 'probe' }),
  use('Read', { file_path: path.join(project, 'README.md') }),
];

export interface Probed {
  /** What the file system shows of the calls that must not happen. */
  opened: string[];
  /** The permitted write happened. */
  goesOn: boolean;
  /** Undefined when reading was not tried. */
  reads: boolean | undefined;
  /** The mode that the view names afterwards. */
  view: string | undefined;
  told: string[];
}

export interface Fault {
  name: string;
  break?: (mark: string) => void | Promise<void>;
  /** Makes it whole again, before the next one. */
  mend?: () => void | Promise<void>;
  /** Tries only a write that must not happen and one that may. */
  brief?: boolean;
}

/**
 * Runs one session in test-dev: the opening call, then for each fault what breaks, the probes, and what mends it. Each starts
 * from the same files.
 * @returns what became of the probes, by the fault's name.
 */
export async function probeAll(
  place: Place,
  faults: Fault[],
  options: Partial<SessionOptions> = {},
): Promise<{ found: Record<string, Probed>; run: Session }> {
  const mark = randomUUID();
  const after: { changed: string[]; view: string | undefined }[] = [];
  let before = readTree(place.project);
  const settle = async (fault: Fault) => {
    after.push({ changed: differences(before, readTree(place.project)), view: viewIfWhole(place) });
    place.write('src/calc.ts', SOURCE);
    for (const file of ['src/new.ts', 'test/new.test.ts']) fs.rmSync(path.join(place.project, file), { force: true });
    await fault.mend?.();
  };
  const triedIn = ({ brief }: Fault) => probes(place.project).filter((_, at) => !brief || at === 0 || at === 3);
  const turns = faults.flatMap((fault, at): Turn[] => {
    const [first, ...rest] = triedIn(fault);
    const breaking = async () => {
      if (at > 0) await settle(faults[at - 1]!);
      await fault.break?.(mark);
      before = readTree(place.project);
      return first!;
    };
    return [breaking, ...rest];
  });
  const last: Turn = async () => {
    await settle(faults.at(-1)!);
    return say('probed');
  };
  const run = await session({ ...place, turns: [opening(place), ...turns, last], mark, limit: 55_000, ...options });
  expect(run.calls, run.stderr).toHaveLength(1 + turns.length);
  const results = run.calls.slice(1);
  const found = faults.map((fault, at): [string, Probed] => {
    const probed = results.splice(0, triedIn(fault).length);
    const { changed, view } = after[at]!;
    const read = probed.findIndex(({ name }) => name === 'Read');
    const mayWrite = fault.brief ? 1 : 3;
    const ran = probed.slice(0, mayWrite).filter(({ refused }) => !refused);
    return [
      fault.name,
      {
        opened: [...changed.filter((file) => /^.src/.test(file)), ...ran.map(({ name }) => `${name} ran`)],
        goesOn: changed.includes('+test/new.test.ts') && probed[mayWrite]?.refused === false,
        reads: read === -1 ? undefined : probed[read]?.refused === false,
        view,
        told: probed.map(({ result }) => result ?? ''),
      },
    ];
  });
  return { found: Object.fromEntries(found), run };
}

/** The same with one fault, or none. */
export async function probe(place: Place, options: Partial<SessionOptions> = {}, breaks?: Fault['break']): Promise<Probed> {
  const { found } = await probeAll(place, [{ name: 'it', break: breaks }], options);
  return found.it!;
}

function viewIfWhole(place: Place): string | undefined {
  try {
    return viewedMode(place);
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'torn';
  }
}

export const socketOf = (place: Place) => path.join(place.project, '.claude/mode.sock');

/** A server of somebody else, for the project's socket. */
export class Foreign {
  private readonly open = new Set<net.Socket>();
  private readonly server: net.Server;

  constructor(answer: (socket: net.Socket) => void) {
    this.server = net.createServer((socket) => {
      this.open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('data', () => answer(socket));
    });
  }

  /** Takes the place of whatever is there. The project's own server may take the name back in between, so this tries again. */
  async bind(place: Place, tries = 20): Promise<void> {
    fs.rmSync(socketOf(place), { force: true });
    try {
      await new Promise<void>((ready, failed) => {
        this.server.once('error', failed);
        this.server.listen(socketOf(place), () => {
          this.server.off('error', failed);
          ready();
        });
      });
    } catch (error) {
      if (tries === 1 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
      await this.bind(place, tries - 1);
    }
  }

  close(): void {
    for (const socket of this.open) socket.destroy();
    this.server.close();
  }
}

/** The health answer of whoever serves the socket, reached as the hook does: relative to `.claude`. */
export function health(place: Place): Promise<unknown> {
  const before = process.cwd();
  return new Promise((resolve) => {
    process.chdir(path.join(place.project, '.claude'));
    const request = http.get({ socketPath: 'mode.sock', path: '/health' }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    request.on('error', () => resolve(undefined));
    process.chdir(before);
  });
}
