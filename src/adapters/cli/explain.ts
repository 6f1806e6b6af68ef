// modes explain: the reasons for the decision about a call.
import { explainCall, explainLogged } from '../../app/log/explain.ts';
import { renderExplanation } from '../../app/log/render.ts';
import { tools } from '../../facts/table.ts';
import { LogFiles, logFolder } from '../../store/log/files.ts';
import { findDecision, isId, lastDecision } from '../../store/log/query.ts';
import { readCall } from './check.ts';
import { requireMode, requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

export interface ExplainOptions {
  project?: string;
  json?: boolean;
  mode?: string;
}

export async function explain(what: string | undefined, options: ExplainOptions, terminal: Terminal): Promise<number> {
  const isCall = what !== undefined && !isId(what);
  if (options.mode !== undefined && !isCall) throw new UsageError("--mode needs a call such as 'Write(src/a.js)'");
  const project = await requireProject(options.project);
  if (options.mode !== undefined) requireMode(options.mode, project.describe().configuration.topology?.modes ?? null);
  const show = (explanation: Awaited<ReturnType<typeof explainCall>>): number => {
    terminal.out(options.json ? toJson<'explain'>(explanation, 2) : renderExplanation(explanation, terminal.colour));
    return exits.fine;
  };
  if (isCall) {
    if (!what.includes('(') && !tools.has(what))
      throw new UsageError(`${JSON.stringify(what)} is neither an id from modes log nor a call: write 'Write(src/a.js)'`);
    return show(await explainCall(readCall(what, project.root), options.mode ?? null, project));
  }
  const files = new LogFiles(logFolder(project.place.dataFolder, project.root));
  const event = what === undefined ? lastDecision(files) : findDecision(files, what);
  if (event === 'several') throw new UsageError(`several decisions start with ${what}; write more characters of the id`);
  if (event !== null) return show(await explainLogged(event, project, null));
  const message = what === undefined ? 'No decision was logged yet.' : `No decision ${what} is in the log.`;
  const remedy =
    what === undefined
      ? "To explain a call that was not made, run modes explain 'Bash(…)'."
      : 'modes log lists the logged decisions.';
  return refuse({ code: 'E_NOT_FOUND', message, remedy }, options, terminal);
}
