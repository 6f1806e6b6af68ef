// /modes:why: why a call was decided as it was, from the log of this session's server.

import { type Explanation, explainCall, explainLogged } from '../../../app/log/explain.ts';
import { renderExplanation } from '../../../app/log/render.ts';
import { writtenCall } from '../../../facts/written.ts';
import { LogFiles, logFolder } from '../../../store/log/files.ts';
import type { DecisionLog } from '../../../store/log/log.ts';
import { findDecision, isId, lastDecision } from '../../../store/log/query.ts';
import type { Project, Where } from '../../../workflow/project.ts';
import { longestAnswer } from './asking.ts';

/** `args`: nothing for the last call of this session that was refused, a decision's id, or a call. */
export async function why(project: Project, log: DecisionLog, where: Where, args: string): Promise<string> {
  const what = args.trim();
  await project.ready(where.session);
  log.flush();
  const explanation = what === '' || isId(what) ? await logged(project, where, what) : await asked(project, where, what);
  project.ask(where);
  const text = typeof explanation === 'string' ? explanation : renderExplanation(explanation);
  return text.length > longestAnswer ? `${text.slice(0, longestAnswer)}…\n(modes explain shows all.)` : text;
}

async function logged(project: Project, where: Where, id: string): Promise<Explanation | string> {
  const files = new LogFiles(logFolder(project.place.dataFolder, project.root));
  const event = id === '' ? lastDecision(files, where.session) : findDecision(files, id);
  if (event === 'several') return `Several decisions begin with ${id}; type more of the id.`;
  if (event === null) return id === '' ? 'Nothing was decided in this session yet.' : `No decision ${id} is in the log.`;
  return explainLogged(event, project.ask(where), where.session);
}

async function asked(project: Project, where: Where, text: string): Promise<Explanation> {
  return explainCall({ ...writtenCall(text, where.cwd ?? project.root), sessionId: where.session }, null, project.ask(where));
}
