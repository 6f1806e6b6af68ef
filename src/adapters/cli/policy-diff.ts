// modes policy diff: lists calls of the cases and of the decision log that two configurations decide differently.
import fs from 'node:fs';
import path from 'node:path';
import { configure } from '../../app/dry-run.ts';
import { findPackageRoot } from '../../app/own-package.ts';
import type { Decision } from '../../model/decision.ts';
import { toJson } from './outputs/json.ts';
import { callsLogged, selectedCases } from './policy-questions.ts';
import { describeProblems } from './policy-report.ts';
import { openSuite } from './policy-suite.ts';
import { showProgress } from './progress.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

interface DiffOptions {
  json?: boolean;
  layers?: boolean;
}

interface Changed {
  call: string;
  mode: string | null;
  source: string;
  before: CaseOutcome;
  after: CaseOutcome;
}
interface CaseOutcome {
  decision: Decision['decision'];
  reason: string;
}

export async function policyDiff(named: string[], options: DiffOptions, terminal: Terminal): Promise<number> {
  const { layers = false } = options;
  const suites = named.map((name) =>
    openSuite(projectFolder(name), { env: process.env, packageRoot: findPackageRoot(), layers }),
  );
  for (const [at, { isAlone, cases, custom }] of suites.entries())
    if (isAlone && cases.length === 0 && Object.keys(custom).length === 0)
      throw new UsageError(`${named[at]} has no modes and no policies; name a project, or its .claude folder`);
  const [before, after] = suites as [(typeof suites)[number], (typeof suites)[number]];
  const problems = suites.flatMap((suite) => suite.problems);
  const logged = callsLogged([before.root, after.root], after.root, process.env);
  const questions = [...selectedCases([...before.cases, ...after.cases], after.root), ...logged.questions];
  const progress = showProgress('preparing the policies');
  const configured = await Promise.all(
    // Both use the second one's root, so that the same calls access the same files.
    [before, after].map(async ({ content: snapshot }) =>
      Object.fromEntries(
        await Promise.all(
          [true, false].map(async (trusted) => [
            String(trusted),
            await configure(snapshot, { root: after.root, trusted, env: process.env, packageRoot: findPackageRoot() }),
          ]),
        ),
      ),
    ),
  ).finally(progress.end);
  problems.push(...configured.flatMap(({ true: one }) => one.problems));
  const deciding = showProgress('comparing');
  const changed = questions.flatMap(({ shown, call, mode, trusted, source }, at): Changed[] => {
    deciding.at(at, questions.length);
    const [was, is] = configured.map((by): CaseOutcome => {
      const { decision, reason } = by[String(trusted)].decide(call, mode);
      return { decision, reason };
    }) as [CaseOutcome, CaseOutcome];
    return was.decision === is.decision ? [] : [{ call: shown, mode, source, before: was, after: is }];
  });
  deciding.end();
  const isBroken = problems.some(({ severity }) => severity === 'error');
  if (options.json) terminal.out(toJson<'policy-diff'>({ compared: questions.length, cut: logged.cut, changed, problems }, 2));
  else {
    if (problems.length > 0) terminal.err(describeProblems(problems, terminal.errColour));
    for (const { call, mode, source, before: was, after: is } of changed) {
      terminal.out(`${was.decision} → ${is.decision}  ${call}${mode === null ? '' : `  in ${mode}`}  (${source})`);
      for (const { reason } of [was, is]) if (reason !== '') terminal.out(`    ${reason}`);
    }
    terminal.out(`${changed.length} of ${questions.length} calls are decided differently`);
    if (logged.cut > 0) terminal.out(`${logged.cut} calls are incomplete in the log and were left out`);
  }
  return changed.length > 0 || isBroken ? exits.wrong : exits.fine;
}

/** A project, or its `.claude`. Throws `UsageError` if there is none. */
function projectFolder(name: string): string {
  const folder = path.resolve(name);
  if (!fs.existsSync(folder)) throw new UsageError(`there is no ${name}`);
  return path.basename(folder) === '.claude' ? path.dirname(folder) : folder;
}
