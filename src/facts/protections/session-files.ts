// Folders where the client stores the files of the present session: plans, memory, scratchpad, outputs.
import path from 'node:path';
import type { ToolCall } from '../../model/facts.ts';
import { inside } from '../../platform/path-text.ts';
import type { Place } from '../paths/place.ts';

/** Absolute folders that the session may read and write, regardless of bare names, groups and defaults. */
export interface SessionFolders {
  read: string[];
  write: string[];
}

const none: SessionFolders = { read: [], write: [] };

let last: { place: Place | null; transcriptPath: string | null; sessionId: string | null; folders: SessionFolders } = {
  place: null,
  transcriptPath: null,
  sessionId: null,
  folders: none,
};

/**
 * The client's layout: `<config>/projects/P/<session>.jsonl` is the transcript, `…/P/memory` the memory,
 * `…/P/<session>/tool-results` large outputs, `<config>/plans` the plans, `<tmp>/claude-<uid>/P/<session>/{tasks,scratchpad}`
 * outputs of tasks and notes.
 */
export function sessionFolders(call: ToolCall, place: Place): SessionFolders {
  const { transcriptPath, sessionId } = call;
  // A session calls this repeatedly. Only /clear and another place change the result.
  if (last.place !== place || last.transcriptPath !== transcriptPath || last.sessionId !== sessionId) {
    last = { place, transcriptPath, sessionId, folders: layout(transcriptPath, sessionId, place) };
  }
  return last.folders;
}

function layout(transcriptPath: string | null, sessionId: string | null, place: Place): SessionFolders {
  if (transcriptPath === null || sessionId === null || !/^[A-Za-z0-9-]+$/.test(sessionId)) return none;
  const projects = path.join(place.configFolder, 'projects');
  const project = path.dirname(path.normalize(transcriptPath));
  if (!inside(project, projects) || path.dirname(project) !== projects) return none;
  const plans = path.join(place.configFolder, 'plans');
  const memory = path.join(project, 'memory');
  const temporary = place.temp.map((folder) =>
    path.join(folder, `claude-${process.getuid?.() ?? 0}`, path.basename(project), sessionId),
  );
  const scratchpads = temporary.map((folder) => path.join(folder, 'scratchpad'));
  return {
    write: [plans, memory, ...scratchpads],
    read: [
      plans,
      memory,
      ...scratchpads,
      path.join(project, sessionId, 'tool-results'),
      ...temporary.map((folder) => path.join(folder, 'tasks')),
    ],
  };
}
