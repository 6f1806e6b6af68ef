// Plays the table of faults in the real client: a session a scene, and for every fault three calls that the mode denies and three that it allows.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Call, session } from '../e2e/client.ts';
import { say, type Turn } from '../e2e/model.ts';
import { type Fault, type PermissionMode, permissionModes, type Scene } from './fault.ts';
import { callsOf, fileOf, makeSite, type Site, tools } from './site.ts';

/** What became of a fault under one permission mode. */
export interface Seen {
  fault: string;
  /** Tools whose denied call happened, or was said to. */
  opened: string[];
  /** Tools whose allowed call was tried, and of them those whose call happened. */
  tried: string[];
  wentOn: string[];
  /** Why it could not be made here. */
  cannot: string | null;
  told: string[];
  /** Milliseconds. */
  took: number;
}

/**
 * Plays one scene under one permission mode of the client.
 * @param lean whether time is short: of the allowed calls only one is tried, another one in each permission mode
 */
export async function play(scene: Scene, permissionMode: PermissionMode, lean: boolean): Promise<Seen[]> {
  const mark = randomUUID();
  const site = makeSite(mark, scene);
  const inTurn = permissionModes.indexOf(permissionMode);
  const made = scene.faults
    .filter((fault) => !lean || fault.lean === undefined || fault.lean === permissionMode)
    .map((fault, at) => ({
      fault,
      cannot: fault.cannot?.() ?? null,
      tried: lean && fault.goesOn !== 'client' ? [tools[(at + inTurn) % tools.length]!] : [...tools],
    }));
  const played = made.filter(({ cannot }) => cannot === null);
  const after: { opened: string[]; wentOn: string[]; took: number }[] = [];
  let since = 0;
  const settle = async (one: { fault: Fault } | undefined) => {
    if (one === undefined) return;
    await one.fault.mend?.(site);
    after.push({ opened: found(site, 'src'), wentOn: found(site, 'test'), took: Math.round(performance.now() - since) });
    for (const folder of ['src', 'test'] as const)
      for (const tool of tools) fs.rmSync(path.join(site.project, fileOf(folder, tool)), { force: true });
  };
  const turns = played.map(
    ({ fault, tried }, at): Turn =>
      async () => {
        await settle(played[at - 1]);
        since = performance.now();
        await fault.make?.(site);
        return callsOf(site, tried);
      },
  );
  const last: Turn = async () => {
    await settle(played.at(-1));
    return say('played');
  };
  try {
    await scene.before?.(site);
    const run = await session({
      ...site,
      permissionMode,
      args: ['--mcp-config', site.servers, ...(scene.args ?? [])],
      turns: [...turns, last],
      limit: 200_000,
    });
    const expected = played.reduce((sum, { tried }) => sum + tools.length + tried.length, 0);
    if (run.calls.length !== expected) throw new Error(`${run.calls.length} calls of ${expected}: ${run.stderr}`);
    const results = [...run.calls];
    return made.map(({ fault, cannot, tried }): Seen => {
      if (cannot !== null) return { fault: fault.name, opened: [], tried, wentOn: [], cannot, told: [], took: 0 };
      const calls = results.splice(0, tools.length + tried.length);
      const ran = calls.slice(0, tools.length).flatMap(({ refused }, index) => (refused ? [] : [tools[index]!]));
      const { opened, wentOn, took } = after.shift()!;
      return { fault: fault.name, opened: [...new Set([...opened, ...ran])], tried, wentOn, cannot, told: calls.map(said), took };
    });
  } finally {
    for (const undo of site.after.splice(0).reverse()) undo();
    site.remove();
  }
}

const found = (site: Site, folder: 'src' | 'test') =>
  tools.filter((tool) => fs.existsSync(path.join(site.project, fileOf(folder, tool))));
const said = ({ name, refused, result = '' }: Call) => `${name} ${refused ? 'refused' : 'ran'}: ${result.slice(0, 300)}`;
