// Where the client keeps what belongs to this very session.
import { describe, expect, test } from 'vitest';
import { sessionFolders } from '../../../src/facts/protections/session-files.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const session = '0c0ffee0-1111-2222-3333-444455556666';
const call = (tree: Tree, changes: Record<string, unknown> = {}) =>
  callOf('Read', { file_path: 'x' }, tree.root, {
    sessionId: session,
    transcriptPath: `${tree.home}/.claude/projects/-home-work/${session}.jsonl`,
    ...changes,
  });
const uid = process.getuid?.() ?? 0;

describe('ownFolders', () => {
  const rows: [string, 'read' | 'write' | 'none'][] = [
    ['~/.claude/plans/a-b-c.md', 'write'],
    ['~/.claude/projects/-home-work/memory/MEMORY.md', 'write'],
    [`//tmp/claude-${uid}/-home-work/${session}/scratchpad/a`, 'write'],
    [`~/.claude/projects/-home-work/${session}/tool-results/a.txt`, 'read'],
    [`//tmp/claude-${uid}/-home-work/${session}/tasks/a.output`, 'read'],
    [`~/.claude/projects/-home-work/${session}.jsonl`, 'none'],
    [`~/.claude/projects/-home-other/memory/MEMORY.md`, 'none'],
    [`~/.claude/projects/-home-work/other-session/tool-results/a.txt`, 'none'],
    ['~/.claude/settings.json', 'none'],
    ['~/.claude/modes-data/node', 'none'],
    ['~/.claude/plans', 'none'],
  ];
  test.each(rows)('%s belongs to the session: %s', (name, own) => {
    const tree = makeTree();
    const file = name.replace('~', tree.home).replace(/^\/\//, `${tree.top}/`);
    const of = (tool: string) => factsOf({ ...call(tree), tool, input: { file_path: file, content: 'x' } }, tree.place());
    expect(of('Read').reads[0]?.own !== null).toBe(own !== 'none');
    expect(of('Write').writes[0]?.own !== null).toBe(own === 'write');
  });

  test.each<[string, Record<string, unknown>]>([
    ['no transcript', { transcriptPath: null }],
    ['no session', { sessionId: null }],
    ['a session that is a path', { sessionId: '../..' }],
    ['a transcript elsewhere', { transcriptPath: '/tmp/x/session.jsonl' }],
    ['a transcript in the projects folder itself', { transcriptPath: '~/.claude/projects/session.jsonl' }],
    ['a transcript too deep', { transcriptPath: '~/.claude/projects/a/b/session.jsonl' }],
    ['a transcript that leaves by dots', { transcriptPath: '~/.claude/projects/../x/session.jsonl' }],
    ['a relative transcript', { transcriptPath: 'projects/a/session.jsonl' }],
  ])('with %s no file belongs to the session', (_, changes) => {
    const tree = makeTree();
    const at = changes.transcriptPath;
    const own = sessionFolders(
      call(tree, { ...changes, ...(typeof at === 'string' ? { transcriptPath: at.replace('~', tree.home) } : {}) }),
      tree.place(),
    );
    expect(own).toEqual({ read: [], write: [] });
  });
});
