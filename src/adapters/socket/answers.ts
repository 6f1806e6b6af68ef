// The answers of the socket for a project.

import { randomUUID } from 'node:crypto';
import { everyProblem, startProblems } from '../../app/problems.ts';
import { answerText, contextText, hookAnswer, isHeadless } from '../../engine/answer.ts';
import { denyEvent } from '../../engine/decide.ts';
import { callerOf, parseEvent } from '../../facts/call.ts';
import { MalformedInput } from '../../facts/table.ts';
import { notedOf } from '../../store/log/event.ts';
import type { DecisionLog } from '../../store/log/log.ts';
import type { Project } from '../../workflow/project.ts';
import { markOf } from './record.ts';
import type { Answers } from './socket.ts';

/** The answers for one project. A decision is rendered for the entrypoint that the client sent, not for the server's own. */
export function answersOf(project: Project, build: string, log: DecisionLog): Answers {
  const mark = markOf(project.place.dataFolder);
  return {
    build: mark === null ? build : `${build}-${mark}`,
    ready: () => project.ready(),
    async checkTool(text, { explain, entrypoint }) {
      const event = eventOf(text);
      if (event === null) return null;
      // A dry run: nothing is recorded.
      if (explain) return JSON.stringify(await project.fully(() => project.decideEvent(event)));
      const decision = await project.decideAndBegin(event);
      const answer = hookAnswer(decision, isHeadless(entrypoint ?? undefined));
      if (!project.released) log.note(notedOf(event, decision, 'socket', answer, project.for(callerOf(event)).hiding()));
      return answerText(answer);
    },
    tooLarge() {
      const decision = denyEvent('it is larger than 32 MB', randomUUID);
      const answer = hookAnswer(decision, false);
      log.note(notedOf({}, decision, 'socket', answer, () => true));
      return answerText(answer);
    },
    async context(event, asker) {
      const problems = event === 'SessionStart' ? await startProblems(project.for(asker)) : '';
      const context = project.for(asker).context('whole', { subagent: event === 'SubagentStart' });
      return contextText(event, [context, problems].filter((text) => text !== '').join('\n\n'));
    },
    async status(asker) {
      const problems = await everyProblem(project.for(asker));
      return JSON.stringify(project.for(asker).status(problems));
    },
    health: () => JSON.stringify({ ok: true, build, pid: process.pid, project: project.root }),
  };
}

/** null: the text is not a JSON object. */
function eventOf(text: string): Record<string, unknown> | null {
  try {
    return parseEvent(text);
  } catch (error) {
    if (error instanceof MalformedInput) return null;
    throw error;
  }
}
