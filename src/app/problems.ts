// The one list of problems of a project, which every verb that shows problems draws on.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { byPlace } from '../config/order.ts';
import { collectProblems } from '../config/report.ts';
import { furtherProblems } from '../engine/further.ts';
import { surprisesIn } from '../engine/lint/lint.ts';
import { prepare } from '../engine/prepare.ts';
import type { Known } from '../engine/prepared.ts';
import type { Place } from '../facts/paths/place.ts';
import { aliases, tools } from '../facts/table.ts';
import type { Problem } from '../model/problem.ts';
import capabilities from '../policy/compiler/capabilities.json' with { type: 'json' };
import { PATIENT_MS } from '../policy/compiler/compiler.ts';
import type { Capabilities, Modules } from '../policy/compiler/types.ts';
import { type Core, readCore } from '../policy/core.ts';
import { checkPolicies } from '../policy/custom/check.ts';
import type { Content } from '../store/snapshots.ts';
import type { CallerProject } from '../workflow/project.ts';
import { layeredContent } from './dry-run.ts';
import { openCompiler, ownRoot } from './own-package.ts';

interface Loaded {
  known: Known;
  content: Content;
  /** What loading it found. */
  problems: readonly Problem[];
  home: string;
}

/** Everything wrong with the present configuration, in the order of the files: also what a load that failed did not come to. */
export function everyProblem(project: CallerProject): Promise<Problem[]> {
  const { configuration, view, problems } = project.describe().present;
  return listed({ known: configuration, content: view.content, problems, home: project.place.home });
}

/** The same of a project that is only looked at: nothing is written beside it. */
export async function problemsAt({ root, home }: Place): Promise<Problem[]> {
  const packageRoot = ownRoot();
  const core = readCore(packageRoot);
  if (!core.ok) return core.problems;
  const content = layeredContent(root, null);
  const cacheFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-doctor-'));
  try {
    const { known } = await prepare(content, {
      trusted: true,
      home,
      packageRoot,
      cacheFolder,
      core: core.core,
      compileMs: PATIENT_MS,
    });
    return await listed({ known, content, problems: known.problems, home });
  } finally {
    fs.rmSync(cacheFolder, { recursive: true, force: true });
  }
}

async function listed({ known, content, problems: loaded, home }: Loaded): Promise<Problem[]> {
  const core = readCore(ownRoot());
  const { problems, add } = collectProblems(content.flatMap(({ files }) => files));
  add(loaded);
  if (core.ok) add(await furtherProblems(known, content, { home, core: core.core, compiler: openCompiler() }));
  add(core.ok ? surprisesIn(known, content, home) : core.problems);
  // Warnings that change no decision, which a load does not look for.
  if (core.ok && !known.problems.some(({ severity }) => severity === 'error')) add(await warningsOf(known, content, core.core));
  return problems.sort(byPlace);
}

async function warningsOf({ policies, topology }: Known, content: Content, core: Core): Promise<Problem[]> {
  if (policies.length === 0) return [];
  const files = content.flatMap((layer) => layer.files.filter(({ name }) => policies.includes(name)));
  const custom: Modules = Object.fromEntries(files.map(({ name, text }) => [name, text]));
  const found = await checkPolicies(
    { core: core.modules, custom, tests: {} },
    {
      compiler: openCompiler(),
      capabilities: capabilities as Capabilities,
      vocabulary: {
        modes: topology === null ? null : new Set(topology.modes.keys()),
        tools: new Set(tools.keys()),
        oldTools: aliases,
      },
    },
  );
  return found.filter(({ severity }) => severity === 'warning');
}
