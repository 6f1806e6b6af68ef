// What the socket answers for a project.
import { answerText, contextText, hookAnswer, isHeadless } from '../decide/answer.ts';
import { denyEvent } from '../decide/decide.ts';
import type { Project } from '../workflow/project.ts';
import { randomUUID } from 'node:crypto';
import type { Answers } from './socket.ts';

/** Bound to one project; the answer of a decision is made from the entrypoint that the asking client sent, not our own. */
export function answersOf(project: Project, build: string): Answers {
  return {
    build,
    checkTool(event, { explain, entrypoint }) {
      if (!isObjectText(event)) return null;
      const decision = project.decideText(event);
      return explain ? JSON.stringify(decision) : answerText(hookAnswer(decision, isHeadless(entrypoint ?? undefined)));
    },
    tooLarge: () => answerText(hookAnswer(denyEvent('it is larger than 32 MB', randomUUID), false)),
    context: (event) => contextText(event, project.context('whole', event === 'SubagentStart')),
    status: () => JSON.stringify(project.status()),
    health: () => JSON.stringify({ ok: true, build, pid: process.pid, project: project.root }),
  };
}

function isObjectText(text: string): boolean {
  const first = text.trimStart()[0];
  return first === '{';
}
