// The one list of problems of a configuration. Every place that shows problems takes them from here.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { byPlace } from '../config/order.ts';
import { collectProblems } from '../config/report.ts';
import { showUnseen } from '../config/text.ts';
import { hiddenProblems } from '../engine/hidden-problems.ts';
import { lintMode } from '../engine/lint/lint.ts';
import type { LoadedConfig } from '../engine/loaded-config.ts';
import { prepare } from '../engine/prepare.ts';
import type { LoadedRules } from '../engine/prepared.ts';
import { dataFolderOf, type Place } from '../facts/paths/place.ts';
import { aliases, tools } from '../facts/table.ts';
import { TreeError } from '../git/file-tree.ts';
import type { Problem } from '../model/problem.ts';
import type { Requirement } from '../model/requirement.ts';
import capabilities from '../policy/compiler/capabilities.json' with { type: 'json' };
import { type Compiler, PATIENT_MS, sharedCompiler } from '../policy/compiler/compiler.ts';
import { compilerFiles } from '../policy/compiler/files.ts';
import type { Capabilities, Modules } from '../policy/compiler/types.ts';
import { type Core, readCore } from '../policy/core.ts';
import { checkPolicies } from '../policy/custom/check.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';
import { missingFor } from '../workflow/gates/missing.ts';
import { guardedScope } from '../workflow/gates/tests/check.ts';
import { setupFiles } from '../workflow/gates/tests/setup-files.ts';
import type { TestsCheck } from '../workflow/gates/tests/store.ts';
import type { CallerProject } from '../workflow/project.ts';
import { layeredSources } from './dry-run.ts';
import { findPackageRoot } from './own-package.ts';

interface Loaded {
  known: LoadedRules;
  content: ConfigSnapshot;
  /** Problems that were found while loading. */
  problems: readonly Problem[];
}

interface CheckWith {
  root: string;
  home: string;
  /** Holds the unpacked compiler. */
  cacheFolder: string;
}

/** Checking compiles the policies again, so each loaded content is checked once. */
const checked = new WeakMap<LoadedConfig, Promise<Problem[]>>();

/** Everything wrong with the present configuration, in the order of the files, and with the one the session started with. */
export async function everyProblem(project: CallerProject): Promise<Problem[]> {
  const { present, problems } = project.describe();
  const { config } = present;
  let found = checked.get(config);
  if (found === undefined) {
    found = listProblemsOf(
      { known: config.known, content: config.content, problems: present.problems },
      withOf(project.root, project.place),
    );
    checked.set(config, found);
    // A check that failed, for example because the disk was full, is tried again.
    found.catch(() => checked.delete(config));
  }
  const { problems: all, add } = collectProblems(config.content.flatMap(({ files }) => files));
  add(await found);
  // Policies can fail after the check, and the session may have started with another content.
  add(problems);
  return all.sort(byPlace);
}

function withOf(root: string, { home, dataFolder }: Place): CheckWith {
  return { root, home, cacheFolder: path.join(dataFolder, 'cache') };
}

/** The same for a project that is only inspected. Nothing is written into its data folder. */
export async function problemsAt({ root, home }: Place): Promise<Problem[]> {
  const packageRoot = findPackageRoot();
  const core = readCore(packageRoot);
  if (!core.ok) return core.problems;
  const snapshot = layeredSources(root, null);
  const cacheFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-doctor-'));
  try {
    const { known: rules } = await prepare(snapshot, {
      trusted: true,
      home,
      packageRoot,
      cacheFolder,
      core: core.core,
      compileMs: PATIENT_MS,
    });
    const unpacked = path.join(dataFolderOf(process.env), 'cache');
    return await listProblemsOf(
      { known: rules, content: snapshot, problems: rules.problems },
      { root, home, cacheFolder: unpacked },
    );
  } finally {
    fs.rmSync(cacheFolder, { recursive: true, force: true });
  }
}

/** The same for a content. Includes problems that a failed load did not reach. */
export async function listProblemsOf(
  { known: rules, content: snapshot, problems: loaded }: Loaded,
  { root, home, cacheFolder }: CheckWith,
): Promise<Problem[]> {
  const packageRoot = findPackageRoot();
  const core = readCore(packageRoot);
  const compiler = sharedCompiler({ files: compilerFiles(packageRoot), cacheFolder, timeoutMs: PATIENT_MS });
  const { problems, add } = collectProblems(snapshot.flatMap(({ files }) => files));
  add(loaded);
  if (core.ok) add(await hiddenProblems(rules, snapshot, { home, core: core.core, compiler }));
  add(
    core.ok
      ? await lintMode(rules, snapshot, {
          home,
          guardedBy: (check) => guardedFiles(check, root, home),
          missingFor: (check) => missingFor(check, root),
        })
      : core.problems,
  );
  // Warnings without effect on decisions, which loading does not check.
  if (core.ok && !rules.problems.some(({ severity }) => severity === 'error'))
    add(await warningsOf(rules, snapshot, core.core, compiler));
  return problems.sort(byPlace);
}

async function warningsOf(
  { policies, topology }: LoadedRules,
  snapshot: ConfigSnapshot,
  core: Core,
  compiler: Compiler,
): Promise<Problem[]> {
  if (policies.length === 0) return [];
  const files = snapshot.flatMap((layer) => layer.files.filter(({ name }) => policies.includes(name)));
  const custom: Modules = Object.fromEntries(files.map(({ name, text }) => [name, text]));
  const problems = await checkPolicies(
    { core: core.modules, custom, tests: {} },
    {
      compiler,
      capabilities: capabilities as Capabilities,
      vocabulary: {
        modes: topology === null ? null : new Set(topology.modes.keys()),
        tools: new Set(tools.keys()),
        oldTools: aliases,
      },
    },
  );
  return problems.filter(({ severity }) => severity === 'warning');
}

/** Problems that the start of a session shows with their place: the model reads this text in every session. */
const maxShown = 3;
const maxMessage = 200;
/** Milliseconds that the start of a session waits for the check. */
const maxWait = 5_000;

/** The report of problems at the start of a session: their number, their codes, the first few. '' without problems. */
export async function startProblems(project: CallerProject): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), maxWait);
  });
  try {
    const problems = await Promise.race([everyProblem(project), late]);
    return problems === null
      ? 'PROBLEMS: The check of the configuration is not finished yet. Run modes validate to see what it finds.'
      : summarize(problems);
  } catch (error) {
    return `PROBLEMS: The configuration could not be checked: ${(error as Error).message}. Run modes validate.`;
  } finally {
    clearTimeout(timer);
  }
}

function summarize(problems: readonly Problem[]): string {
  if (problems.length === 0) return '';
  const byCode = new Map<string, number>();
  // Errors first, because they affect decisions.
  const ordered = [...problems].sort((one, other) => Number(other.severity === 'error') - Number(one.severity === 'error'));
  for (const { code } of ordered) byCode.set(code, (byCode.get(code) ?? 0) + 1);
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const counts = [count(errors, 'error'), count(problems.length - errors, 'warning')].filter((text) => text !== '');
  const codes = [...byCode].map(([code, times]) => (times === 1 ? code : `${code} ${times} times`));
  const first = ordered.slice(0, maxShown).map(({ code, message, file, line }) => {
    const text = message.length > maxMessage ? `${message.slice(0, maxMessage)}…` : message;
    return showUnseen(`- ${file === undefined ? '' : `${file}:${line ?? 1} `}${code} ${text}`.replace(/[\r\n]+/g, ' '));
  });
  return `PROBLEMS: The configuration has ${counts.join(' and ')} (${codes.join(', ')}). Run modes validate to see all of them with the fix for each.\n${first.join('\n')}`;
}

function count(number: number, noun: string): string {
  return number === 0 ? '' : `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Folders of tests that have configurations of their own, such as `tests/conftest.py`. */
const testFolders = ['test', 'tests', 'spec'];
/** A warning names one file, so a few are enough. */
const maxNames = 50;

/**
 * The present files that affect the meaning of a run of a check, in the usual places, relative to the root. None for a check that
 * does not read test results.
 */
function guardedFiles(check: Requirement, root: string, home: string): string[] {
  if (check.check !== 'tests') return [];
  try {
    return presentGuards(check, root, home);
  } catch (error) {
    // The gate stays closed then, and gives the reason.
    if (error instanceof TreeError) return [];
    throw error;
  }
}

function presentGuards(check: TestsCheck, root: string, home: string): string[] {
  const scope = guardedScope(check, root, home);
  const folders = new Set([
    '',
    ...testFolders,
    ...(check.in === null ? [] : [check.in, ...testFolders.map((name) => `${check.in}/${name}`)]),
  ]);
  const found = [...folders].flatMap((folder) =>
    filesIn(path.join(root, folder)).map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
  return [...new Set([...found.filter((name) => scope.file(name)), ...setupFiles(root, check)])].slice(0, maxNames);
}

function filesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  } catch {
    // The project has no such folder.
    return [];
  }
}
