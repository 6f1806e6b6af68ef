// Decisions to log: real facts of a call in a project folder, and what was decided of it.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { collectFacts } from '../../../../src/facts/collect.ts';
import type { Decision } from '../../../../src/model/decision.ts';
import { type LogEvent, type Noted, readEvent } from '../../../../src/store/log/event.ts';
import { LogFiles, logFolder } from '../../../../src/store/log/files.ts';
import { callOf, noInterest } from '../../../support/call.ts';
import { makeFolder } from '../../../support/folder-project.ts';
import { makeTree } from '../../../support/tree.ts';

export const source = { file: '.claude/settings.m.json', line: 9, column: 7 };

/** A decision about a call; `fields` are of the hook event. */
export function noted(
  tool: string,
  input: Record<string, unknown>,
  {
    fields = {},
    decided = {},
    hides = () => false,
  }: { fields?: Record<string, unknown>; decided?: Partial<Decision>; hides?: Noted['hides'] } = {},
): Noted {
  const tree = makeTree();
  const facts = collectFacts(callOf(tool, input, tree.root), {
    place: tree.place(),
    pathFilter: noInterest,
    mode: 'm',
    state: { since: null, enteredBy: null },
    wantsInput: false,
    commands: [],
  });
  const decision: Decision = {
    decision_id: randomUUID(),
    decision: 'deny',
    mode: 'm',
    tool,
    by: 'rule',
    rules: [{ id: 'r0', effect: 'deny', text: 'Write(src/**)', matched: 'src/a.ts', source }],
    also: [],
    policies: [],
    protections: [],
    reason: 'Write(src/**) is denied in m.',
    remedy: 'Elsewhere.',
    facts,
    bundle: 'sha256:b',
    took_us: 31,
    ...decided,
  };
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 's-1',
    cwd: tree.root,
    tool_name: tool,
    tool_input: input,
    ...fields,
  };
  return { event, decision, channel: 'pipe', answered: decision.decision, at: new Date('2026-11-22T07:00:00.123Z'), hides };
}

export const write = { file_path: 'src/a.ts', content: 'x' };

export interface Kept {
  dataFolder: string;
  root: string;
  build: string;
  files: LogFiles;
  events(): LogEvent[];
}

/** Where a project's log is kept, and what stands in it. */
export function makeKept(): Kept {
  const top = makeFolder();
  const root = path.join(top, 'project');
  const dataFolder = path.join(top, 'data');
  fs.mkdirSync(root);
  const files = new LogFiles(logFolder(dataFolder, root));
  return {
    dataFolder,
    root,
    build: 'build-1',
    files,
    events: () =>
      files.numbers().flatMap((number) =>
        files.lines(number).map((line) => {
          const event = readEvent(line);
          if (event === null) throw new Error(`no event: ${line.slice(0, 200)}`);
          return event;
        }),
      ),
  };
}
