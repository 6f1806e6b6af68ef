// Plays the table of faults in the real client: for every fault three calls that the mode denies and three that it allows, under each
// permission mode. One session of the client goes through the permission modes of a scene.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { type Call, session } from '../e2e/client.ts';
import { say, type Turn } from '../e2e/model.ts';
import { Steering } from '../e2e/steering.ts';
import { type Fault, type PermissionMode, permissionModes, type Scene } from './fault.ts';
import { callsOf, fileOf, makeSite, type Site, type Tool, tools } from './site.ts';

/** What became of a fault under one permission mode. */
export interface Seen {
  fault: string;
  mode: PermissionMode;
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

/** A fault under one permission mode of the client. */
interface Round {
  fault: Fault;
  mode: PermissionMode;
  tried: readonly Tool[];
}

/**
 * Plays one scene.
 * @param lean whether time is short: of the allowed calls only one is tried, another one in each permission mode
 * @param wanted which of its faults, and under which permission modes
 */
export async function play(
  scene: Scene,
  lean: boolean,
  wanted: (fault: Fault, mode: PermissionMode) => boolean = () => true,
): Promise<Seen[]> {
  const rounds = permissionModes.flatMap((mode, inTurn) =>
    scene.faults.flatMap((fault, at): Round[] => {
      if (!wanted(fault, mode) || (lean && (fault.lean ?? mode) !== mode)) return [];
      return [{ fault, mode, tried: lean && fault.goesOn !== 'client' ? [tools[(at + inTurn) % tools.length]!] : tools }];
    }),
  );
  const reasons = new Map(rounds.map(({ fault }) => [fault, fault.cannot?.() ?? null]));
  const played = rounds.filter(({ fault }) => reasons.get(fault) === null);
  const sessions = [
    played.filter(({ fault }) => !fault.apart),
    ...permissionModes.map((mode) => played.filter((round) => round.fault.apart && round.mode === mode)),
  ];
  const seen = rounds
    .filter((round) => !played.includes(round))
    .map(({ fault, mode, tried }): Seen => ({ ...nothing(fault, mode, tried), cannot: reasons.get(fault)! }));
  for (const some of sessions) if (some.length > 0) seen.push(...(await playSession(scene, some, lean ? 400_000 : 1_200_000)));
  return seen;
}

const nothing = ({ name }: Fault, mode: PermissionMode, tried: readonly Tool[]): Seen => ({
  ...{ fault: name, mode, opened: [], tried: [...tried], wentOn: [], cannot: null, told: [], took: 0 },
});

/** Plays rounds one after the other in one session of the client, which ends after `limit` milliseconds. */
async function playSession(scene: Scene, rounds: readonly Round[], limit: number): Promise<Seen[]> {
  const site = makeSite(randomUUID(), scene);
  const steering = new Steering();
  const after: Pick<Seen, 'opened' | 'wentOn' | 'took'>[] = [];
  let since = 0;
  const settle = async (round: Round | undefined) => {
    if (round === undefined) return;
    await round.fault.mend?.(site);
    after.push({ opened: found(site, 'src'), wentOn: found(site, 'test'), took: Math.round(performance.now() - since) });
    for (const folder of ['src', 'test'] as const)
      for (const tool of tools) fs.rmSync(path.join(site.project, fileOf(folder, tool)), { force: true });
  };
  const turns = rounds.map(
    ({ fault, mode, tried }, at): Turn =>
      async () => {
        await settle(rounds[at - 1]);
        since = performance.now();
        if (rounds[at - 1]?.mode !== mode) await steering.setPermissionMode(mode);
        await fault.make?.(site);
        return callsOf(site, tried);
      },
  );
  const last: Turn = async () => {
    await settle(rounds.at(-1));
    return say('played');
  };
  const events = path.join(site.root, 'events');
  const hook = { matcher: 'Write', hooks: [{ type: 'command', command: `{ cat; echo; } >>'${events}'` }] };
  try {
    await scene.before?.(site);
    const run = await session({
      ...site,
      permissionMode: 'default',
      args: [
        ...['--mcp-config', site.servers, '--allow-dangerously-skip-permissions'],
        ...['--settings', JSON.stringify({ hooks: { PreToolUse: [hook] } })],
        ...(scene.args ?? []),
      ],
      steering,
      turns: [...turns, last],
      limit,
    });
    const expected = rounds.reduce((sum, { tried }) => sum + tools.length + tried.length, 0);
    if (run.calls.length !== expected) throw new Error(`${run.calls.length} calls of ${expected}: ${run.stderr}`);
    const inForce = readModes(events);
    const results = [...run.calls];
    return rounds.map(({ fault, mode, tried }): Seen => {
      const calls = results.splice(0, tools.length + tried.length);
      const first = inForce.get(calls[0]!.id);
      if (first !== mode) throw new Error(`${fault.name}: the client was in ${first}, not in ${mode}`);
      const ran = calls.slice(0, tools.length).flatMap(({ refused }, index) => (refused ? [] : [tools[index]!]));
      const { opened, wentOn, took } = after.shift()!;
      return { ...nothing(fault, mode, tried), opened: [...new Set([...opened, ...ran])], wentOn, told: calls.map(said), took };
    });
  } finally {
    for (const undo of site.after.splice(0).reverse()) undo();
    site.remove();
  }
}

/** Call → the permission mode that the client told a hook of. */
const readModes = (events: string): Map<string, string> =>
  new Map(
    fs
      .readFileSync(events, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { tool_use_id: string; permission_mode: string })
      .map(({ tool_use_id, permission_mode }) => [tool_use_id, permission_mode]),
  );
const found = (site: Site, folder: 'src' | 'test') =>
  tools.filter((tool) => fs.existsSync(path.join(site.project, fileOf(folder, tool))));
const said = ({ name, refused, result = '' }: Call) => `${name} ${refused ? 'refused' : 'ran'}: ${result.slice(0, 600)}`;
