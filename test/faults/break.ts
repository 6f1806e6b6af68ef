// How things are broken: files, programs, mounts, sockets. Each gives what makes and what mends a fault.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type net from 'node:net';
import path from 'node:path';
import { serversOf } from '../e2e/mode.ts';
import { Foreign, health, socketOf } from '../e2e/probe.ts';
import { signal, until } from '../e2e/processes.ts';
import { putFile } from '../support/files.ts';
import type { Fault } from './fault.ts';
import type { Site } from './site.ts';

type Pair = Pick<Fault, 'make' | 'mend'>;

/** Runs a program of the system. @throws when it fails. */
export function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** The promised time for an edit of the configuration to take effect. */
export const effect = () => new Promise<void>((next) => setTimeout(next, 300));

/** Copies a file or folder that somebody may be writing in: where a file of it goes away meanwhile, once more. */
function copyAll(from: string, to: string): void {
  for (let tries = 0; ; tries++) {
    try {
      fs.cpSync(from, to, { recursive: true, preserveTimestamps: true });
      return;
    } catch (error) {
      if (tries > 50 || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      fs.rmSync(to, { recursive: true, force: true });
    }
  }
}

const nothing = () => Promise.resolve();
let asides = 0;
/** Puts a file or folder aside, lets something else take its place, and puts it back. */
export function inPlaceOf(
  at: (site: Site) => string,
  put: (file: string, site: Site) => void,
  settle: () => Promise<void> = nothing,
): Pair {
  const name = `aside-${asides++}`;
  const aside = (site: Site) => path.join(site.root, name);
  return {
    make: async (site) => {
      if (fs.existsSync(at(site))) copyAll(at(site), aside(site));
      put(at(site), site);
      await settle();
    },
    mend: async (site) => {
      fs.rmSync(at(site), { recursive: true, force: true, maxRetries: 5 });
      if (fs.existsSync(aside(site))) fs.renameSync(aside(site), at(site));
      await settle();
    },
  };
}

/** Somebody who keeps the file may put it back in between: then once more, at another moment than that one is used to. */
export function replaced(file: string, make: (file: string) => void): void {
  for (let tries = 0; ; tries++) {
    fs.rmSync(file, { recursive: true, force: true });
    try {
      make(file);
      return;
    } catch (error) {
      if (tries > 100 || !/exist/i.test(String(error))) throw error;
      Atomics.wait(asleep, 0, 0, tries * 3);
    }
  }
}

const asleep = new Int32Array(new SharedArrayBuffer(4));

/** What can become of one file. */
export const damages: [string, (file: string) => void][] = [
  ['gone', (file) => fs.rmSync(file, { force: true })],
  ['emptied', (file) => fs.writeFileSync(file, '')],
  ['cut in the middle', (file) => fs.truncateSync(file, Math.floor(fs.statSync(file).size / 2))],
  ['overwritten', (file) => fs.writeFileSync(file, 'x'.repeat(fs.statSync(file).size))],
  [
    'with one bit turned',
    (file) => {
      const bytes = fs.readFileSync(file);
      bytes[bytes.length >> 1]! ^= 1;
      fs.writeFileSync(file, bytes);
    },
  ],
  ['replaced by a folder', (file) => replaced(file, () => fs.mkdirSync(file))],
  [
    'replaced by a FIFO',
    (file) => {
      run('mkfifo', `${file}.fifo`);
      fs.renameSync(`${file}.fifo`, file);
    },
  ],
];

/** Every file below a folder. */
export const filesBelow = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name));

/** The same damage to every file of a folder that has some. */
export const each = (how: (file: string) => void) => (folder: string) => {
  const files = filesBelow(folder);
  if (files.length === 0) throw new Error(`${folder} holds no file`);
  for (const file of files) how(file);
};

/** Changes the plugin's hook script for a while. */
export function script(change: (text: string, site: Site) => string): Pair {
  return inPlaceOf(
    ({ plugin }) => path.join(plugin, 'hooks/client.sh'),
    (file, site) => {
      const before = fs.readFileSync(file, 'utf8');
      const after = change(before, site);
      if (after === before) throw new Error('the hook script is as before');
      fs.writeFileSync(file, after);
    },
  );
}

/** Writes a program beside the project. @returns its path. */
export function program(site: Site, name: string, text: string): string {
  const file = path.join(site.root, 'bin', name);
  putFile(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return file;
}

/** Both, one after the other; mended the other way round. */
export function both(...pairs: Pair[]): Pair {
  return {
    make: async (site) => {
      for (const { make } of pairs) await make?.(site);
    },
    mend: async (site) => {
      for (const { mend } of pairs.toReversed()) await mend?.(site);
    },
  };
}

/** The session's server is up and holds the socket. */
export async function isServed(site: Site): Promise<void> {
  await until('the socket', () => health(site));
}

/** Puts another server on the project's socket. */
export function foreign(answer: (socket: net.Socket) => void): Pair {
  let server: Foreign | undefined;
  return {
    make: async (site) => {
      server = new Foreign(answer);
      await server.bind(site);
    },
    mend: (site) => {
      server?.close();
      fs.rmSync(socketOf(site), { force: true });
    },
  };
}

/** Ends every server of the session as soon as it is there, until it is mended. */
export function killing(): Pair {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearInterval(timer);
  return {
    make: (site) => {
      timer = setInterval(() => {
        for (const pid of serversOf(site.mark)) signal(pid, 'SIGKILL');
      }, 60);
      site.after.push(stop);
    },
    mend: stop,
  };
}

/** Mounts something over the data folder, which then holds the same. */
export function mounted(fill: (folder: string) => void, ...how: string[]): Pair {
  let unmount: (() => void) | null = null;
  return {
    make: (site) => {
      const copy = path.join(site.root, 'data-copy');
      copyAll(site.data, copy);
      run('mount', ...how, 'modes-faults', site.data);
      unmount = () => {
        unmount = null;
        run('umount', '-l', site.data);
        fs.rmSync(copy, { recursive: true });
      };
      site.after.push(() => unmount?.());
      fs.cpSync(copy, site.data, { recursive: true });
      fill(site.data);
    },
    mend: () => unmount?.(),
  };
}

/** Why nothing can be mounted here; null: it can. */
export function cannotMount(): string | null {
  const here = fs.mkdtempSync(path.join(fs.realpathSync('/tmp'), 'modes-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'modes-faults', here]);
  if (status === 0) run('umount', here);
  fs.rmdirSync(here);
  return status === 0 ? null : 'needs the right to mount';
}
