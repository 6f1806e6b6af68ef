// Side by side: a tool call through our hook, against the hooks that one would write instead and against the closest peer's way.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { startBare } from './bare.ts';
import { eventOf, hookLine, makeFixture, packageRoot, type Running, startServer } from './fixture.ts';
import { type Bench, inTurns, millis, notMeasured, type Program, type Row, ratio } from './row.ts';

/** Milliseconds of a call through the closest peer's hook, when it was looked at: 2 cores, 30 calls, whole process, median. */
const peerMs = 250;
const timesFaster = 15;
const rounds = 40;

/** Another hook; a reason where there is none on this machine. */
type Rival = { name: string } & ({ program: Program } | { missing: string });

const denied = /"permissionDecision":"deny"/;
const nothing = /^$/;

export const measure: Bench = async (say) => {
  const fixture = makeFixture();
  let server: Running | null = null;
  let bare: { stop(): void } | null = null;
  try {
    const project = await fixture.open();
    server = await startServer(fixture);
    const place = path.join(fixture.root, '../rivals');
    fs.mkdirSync(place);
    const socket = path.join(place, 'bare.sock');
    bare = await startBare(socket);
    // 2 KB; ours and the peer's way deny it by a rule.
    const input = eventOf(project.root, 'Write', { file_path: path.join(project.root, 'src/a.ts'), content: 'x'.repeat(1500) });
    const base = { cwd: fixture.root, env: fixture.env, input };
    const ours: Program = { ...base, ...hookLine(), prints: denied };
    const peer = peersWay(base, place);
    const rivals: Rival[] = [
      { name: 'a curl hook, answered at once', program: curlHook(base, place, socket) },
      { name: 'a `node -e 0` hook', program: { ...base, command: process.execPath, args: ['-e', '0'], prints: nothing } },
      pythonHook(base, place),
      peer,
    ];
    say('our hook client, a curl, a Node and a Python hook, a policy compiled for each call');
    const present = rivals.flatMap((rival) => ('program' in rival ? [rival] : []));
    const [oursMs, ...took] = inTurns(rounds, [ours, ...present.map(({ program }) => program)]) as [number, ...number[]];
    const msOf = new Map<Rival, number>(present.map((rival, index) => [rival, took[index] as number]));
    return [
      ...rivals.map((rival) => compare(rival, oursMs, msOf.get(rival))),
      fasterThanThen(oursMs),
      fasterThanHere(oursMs, msOf.get(peer) ?? missingOf(peer)),
    ];
  } finally {
    bare?.stop();
    await server?.stop();
    fixture.remove();
  }
};

type Base = Pick<Program, 'cwd' | 'env' | 'input'>;

function curlHook(base: Base, place: string, socket: string): Program {
  const script = path.join(place, 'hook.sh');
  fs.writeFileSync(script, `#!/bin/sh\nexec curl -s --unix-socket '${socket}' --data-binary @- http://localhost/\n`);
  return { ...base, command: '/bin/sh', args: [script], prints: denied };
}

/** Only what a DAIC hook loads before it looks at the event: nothing is decided. */
function pythonHook(base: Base, place: string): Rival {
  const name = 'a Python hook with the imports of DAIC';
  // The program itself: a version manager's script in front of it would count against Python.
  const { stdout } = spawnSync('python3', ['-c', 'import sys; print(sys.executable)'], { encoding: 'utf8' });
  const python = stdout?.trim();
  if (!python) return { name, missing: 'no python3' };
  const modules =
    'contextlib, dataclasses, enum, importlib.metadata, json, os, pathlib, platform, re, shlex, shutil, subprocess, sys, tempfile, time, typing';
  const script = path.join(place, 'hook.py');
  fs.writeFileSync(script, `import ${modules}\njson.load(sys.stdin)\n`);
  return { name, program: { ...base, command: python, args: [script], prints: nothing } };
}

const policies = {
  'system.rego': `package peer.system

evaluate := {"deny": [found | some name; some found in data.peer.policies[name].deny]}
`,
  'sources.rego': `package peer.policies.sources

deny contains {"rule_id": "SRC-1", "severity": "HIGH", "reason": "Sources stay as they are."} if {
	input.hook_event_name == "PreToolUse"
	input.tool_name in {"Write", "Edit", "NotebookEdit"}
	contains(input.tool_input.file_path, "/src/")
}
`,
  'push.rego': `package peer.policies.push

deny contains {"rule_id": "GIT-1", "severity": "HIGH", "reason": "No push by force."} if {
	input.hook_event_name == "PreToolUse"
	input.tool_name == "Bash"
	contains(input.tool_input.command, "git push")
	contains(input.tool_input.command, "--force")
}
`,
};

function peersWay(base: Base, place: string): Rival {
  const name = "the closest peer's way: a policy of 20 lines compiled for each call";
  const { stdout } = spawnSync(process.execPath, ['scripts/stock-opa.mjs'], {
    cwd: packageRoot,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const opa = stdout.trim();
  if (!opa) return { name, missing: 'no Go to build a stock opa with' };
  const folder = path.join(place, 'policies');
  fs.mkdirSync(folder);
  for (const [file, text] of Object.entries(policies)) fs.writeFileSync(path.join(folder, file), text);
  const flags = ['--no-liftoff', '--no-wasm-lazy-compilation'];
  const args = [...flags, path.join(packageRoot, 'test/bench/peer.cjs'), opa, folder, 'peer/system/evaluate'];
  return { name, program: { ...base, command: process.execPath, args, prints: denied } };
}

const missingOf = (rival: Rival): string => ('missing' in rival ? rival.missing : '');

function compare(rival: Rival, ours: number, theirs: number | undefined): Row {
  const what = `hook client to ${rival.name}`;
  const budget = `≤ ${ratio(1)}`;
  if (theirs === undefined) return { ...notMeasured(what, missingOf(rival)), budget };
  return { what, budget, measured: `${ratio(ours / theirs)} (${millis(ours)} to ${millis(theirs)})`, holds: ours <= theirs };
}

function fasterThanThen(ours: number): Row {
  return {
    what: `hook client per call to the ${peerMs} ms that the closest peer was measured at`,
    budget: `≥ ${timesFaster} × faster`,
    measured: faster(ours, peerMs),
    holds: peerMs / ours >= timesFaster,
    absolute: true,
  };
}

/** Of its way alone, on this machine: a figure, since nothing was promised of it. A text says why it was not measured. */
function fasterThanHere(ours: number, theirs: number | string): Row {
  const what = "hook client per call to the peer's way in this run";
  return typeof theirs === 'string'
    ? notMeasured(what, theirs)
    : { what, budget: '', measured: faster(ours, theirs), holds: null };
}

const faster = (ours: number, theirs: number): string => `${ratio(theirs / ours)} (${millis(ours)} to ${millis(theirs)})`;
