// modes doctor --harness: runs the registered hook commands of another coding agent in a temporary project whose modes deny every
// write, with an event in the agent's own form.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPackageRoot } from '../../app/own-package.ts';
import { objectOf, textOf } from '../../app/setup/step.ts';
import { type Finding, type FindingCode, findingOf } from '../../workflow/findings/types.ts';
import { commandOf, pluginText, syntaxProblem } from '../harnesses/setup.ts';
import type { Harness, HarnessOutput } from '../harnesses/types.ts';
import type { HookProof, ProofName } from './doctor-run.ts';
import { launcherOf } from './init-harness.ts';

/** Milliseconds for one hook. */
const patience = 60_000;

const proofs: Readonly<Record<Exclude<ProofName, 'allowed'>, string>> = {
  denied: 'its hook command denies a call that the modes deny',
  closed: 'it also denies an event that cannot be read',
};

export interface HarnessProofs {
  proofs: HookProof[];
  findings: Finding[];
}

/** Runs the hooks that are registered in this project. */
export function proveHarness(root: string, harness: Harness): HarnessProofs {
  const { setup, title, events } = harness;
  const launcher = launcherOf(findPackageRoot());
  const file = setup?.file ?? 'AGENTS.md';
  const missing = (what: string): HarnessProofs => ({
    proofs: Object.entries(proofs).map(([name, is]) => ({
      name: name as ProofName,
      what: is,
      held: null,
      detail: what,
      code: null,
    })),
    findings: [findingOf('F_HARNESS_ABSENT', { file, what })],
  });
  if (setup === null) return tried(harness, [commandOf(launcher, harness, harness.sample.event)], 'sh');
  const text = textOf(path.join(root, setup.file));
  if (text === null) return missing(`no file with hooks for ${title}`);
  if (setup.kind === 'plugin')
    return text === pluginText(setup, launcher)
      ? tried(harness, [path.join(root, setup.file)], 'plugin')
      : missing(`a plugin for ${title} that this version did not write`);
  const problem = syntaxProblem(harness, text);
  if (problem !== null) return missing(problem);
  const calls = setup.events.filter((event) => events.get(event)?.kind === 'before');
  const hooks = (objectOf(text)?.hooks ?? {}) as Record<string, unknown>;
  const commands = calls.map((event) => ({ event, command: commandOf(launcher, harness, event) }));
  const absent = commands.filter(({ event, command }) => !JSON.stringify(hooks[event] ?? []).includes(JSON.stringify(command)));
  if (absent.length > 0) return missing(`no hook of Modes for ${absent.map(({ event }) => event).join(', ')}`);
  return tried(
    harness,
    commands.filter(({ event }) => event === harness.sample.event).map(({ command }) => command),
    'sh',
  );
}

function tried(harness: Harness, commands: readonly string[], by: keyof typeof runners): HarnessProofs {
  const lab = makeLab();
  try {
    const event = harness.sample.write(lab.project, 'closed.txt');
    const found = (Object.keys(proofs) as (keyof typeof proofs)[]).map((name): HookProof => {
      const input = name === 'denied' ? event : null;
      const printed = commands.map((command) => runners[by](command, input, lab));
      const open = printed.find((one) => !harness.denies(one));
      const detail = JSON.stringify(open ?? printed[0]);
      const passed =
        open === undefined && (name !== 'denied' || printed.every((one) => `${one.out}${one.err}`.includes('Write(**)')));
      const code: FindingCode = name === 'denied' ? 'F_HARNESS_NOT_DENIED' : 'F_HARNESS_NOT_CLOSED';
      return { name, what: proofs[name], held: passed, detail, code: passed ? null : code };
    });
    const findings = found.flatMap(({ code, detail }) =>
      code === null ? [] : [findingOf(code, { file: harness.setup?.file ?? 'hooks/harness.sh', what: detail.slice(0, 300) })],
    );
    return { proofs: found, findings };
  } finally {
    fs.rmSync(lab.top, { recursive: true, force: true });
  }
}

interface HarnessLab {
  top: string;
  project: string;
  env: NodeJS.ProcessEnv;
}

/** A home and a project in which every write is denied. A rule that denies needs no approval. */
function makeLab(): HarnessLab {
  const top = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-doctor-'));
  const project = path.join(fs.realpathSync(top), 'project');
  const data = path.join(top, '.claude/modes-data');
  fs.mkdirSync(path.join(project, '.claude'), { recursive: true });
  fs.mkdirSync(data, { recursive: true });
  fs.writeFileSync(path.join(project, '.claude/modes.yaml'), 'name: doctor\ndefault: closed\nmodes: {closed: {}}\n');
  fs.writeFileSync(path.join(project, '.claude/settings.closed.json'), '{"permissions":{"deny":["Write(**)"]}}\n');
  // The launcher of the user finds the Node that is recorded in the user's data folder.
  fs.writeFileSync(path.join(data, 'node'), `${process.execPath}\n`, { mode: 0o600 });
  return { top, project, env: { PATH: process.env.PATH, HOME: top, LANG: process.env.LANG } };
}

type RunHook = (what: string, event: Record<string, unknown> | null, lab: HarnessLab) => HarnessOutput;

const runners: Readonly<Record<'sh' | 'plugin', RunHook>> = {
  sh: (command, event, lab) => run('/bin/sh', ['-c', command], event === null ? 'garbage' : JSON.stringify(event), lab),
  plugin: (file, event, lab) => run(process.execPath, ['--input-type=module', '-e', pluginRun(file, event, lab)], '', lab),
};

function run(program: string, words: string[], input: string, { project, env }: HarnessLab): HarnessOutput {
  const { status, stdout, stderr } = spawnSync(program, words, { cwd: project, env, input, timeout: patience, encoding: 'utf8' });
  return { out: stdout ?? '', err: stderr ?? '', code: status ?? 1 };
}

/** Calls the plugin's hook as the harness does. A hook that throws denies. */
function pluginRun(file: string, event: Record<string, unknown> | null, { project }: HarnessLab): string {
  const { tool, sessionID, callID, args } = event ?? {};
  return `const { Modes } = await import(${JSON.stringify(pathToFileURL(file).href)});
const hooks = await Modes({ directory: ${JSON.stringify(project)} });
try {
  await hooks['tool.execute.before'](${JSON.stringify({ tool, sessionID, callID })}, ${JSON.stringify({ args })});
  console.log('{"decision":"allow"}');
} catch (error) {
  console.log(JSON.stringify({ decision: 'deny', reason: error.message }));
  process.exitCode = 2;
}`;
}
