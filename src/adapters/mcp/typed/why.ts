// /modes:why: explains the decision about a call, from the log of this session's server.

import { type Explanation, explainCall, explainLogged } from '../../../app/log/explain.ts';
import { renderExplanation } from '../../../app/log/render.ts';
import { writtenCall } from '../../../facts/written.ts';
import { LogFiles, logFolder } from '../../../store/log/files.ts';
import type { DecisionLog } from '../../../store/log/log.ts';
import { findDecision, isId, lastDecision } from '../../../store/log/query.ts';
import type { CallerProject } from '../../../workflow/project.ts';
import { longestAnswer } from './asking.ts';

/** `args`: empty for the last refused call of this session, a decision's id, or a call. */
export async function why(project: CallerProject, log: DecisionLog, args: string): Promise<string> {
  const what = args.trim();
  await project.ready(project.caller.session);
  log.flush();
  const explanation = what === '' || isId(what) ? await logged(project, what) : await asked(project, what);
  const text = typeof explanation === 'string' ? explanation : renderExplanation(explanation);
  return text.length > longestAnswer ? `${text.slice(0, longestAnswer)}…\n(modes explain shows all.)` : text;
}

async function logged(project: CallerProject, id: string): Promise<Explanation | string> {
  const files = new LogFiles(logFolder(project.place.dataFolder, project.root));
  const event = id === '' ? lastDecision(files, project.caller.session) : findDecision(files, id);
  if (event === 'several') return `Several decisions begin with ${id}; type more of the id.`;
  if (event === null) return id === '' ? 'No call was decided in this session yet.' : `No decision ${id} is in the log.`;
  return explainLogged(event, project, project.caller.session);
}

async function asked(project: CallerProject, text: string): Promise<Explanation> {
  return explainCall(
    { ...writtenCall(text, project.caller.cwd ?? project.root), sessionId: project.caller.session },
    null,
    project,
  );
}
