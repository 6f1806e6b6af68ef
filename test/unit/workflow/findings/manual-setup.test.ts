// Without the plugin our own hooks and server are no findings; whatever differs from them is.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { manualHooks, recordLine, serverEntry } from '../../../../src/facts/protections/without-plugin.ts';
import { find } from '../../../../src/workflow/findings/find.ts';
import { findUnhooked } from '../../../../src/workflow/findings/manual-setup.ts';
import { hookOn } from '../../../../src/workflow/findings/matching.ts';
import { makeTree, type Tree } from '../../../support/tree.ts';

const packageRoot = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../../..');
const local = '.claude/settings.local.json';
const around = (tree: Tree) => ({ place: tree.place({ pluginRoot: packageRoot }), start: tree.root });
const codes = (tree: Tree) => find(around(tree)).map(({ code }) => code);
const settings = (changes: object = {}) => JSON.stringify({ hooks: { ...manualHooks(packageRoot), ...changes } });

function handTree(): Tree {
  const tree = makeTree();
  const entry = serverEntry(packageRoot, tree.root, '/usr/bin/node');
  tree.file('.claude/modes.yaml', 'name: x');
  tree.file('.mcp.json', JSON.stringify({ mcpServers: { modes: entry } }));
  tree.file(local, settings());
  tree.file(path.join(tree.home, '.claude/modes-data/servers'), `${recordLine(tree.root, entry)}\n`);
  return tree;
}

test('an unchanged registration has no finding', () => {
  const tree = handTree();
  expect(find(around(tree))).toEqual([]);
  expect(hookOn('Bash', around(tree))).toBeNull();
  expect(findUnhooked(around(tree))).toEqual([]);
});

test('hooks of others beside ours are still found', () => {
  const tree = handTree();
  const lint = { matcher: 'Bash', hooks: [{ type: 'command', command: 'lint' }] };
  tree.file(local, settings({ PreToolUse: [...(manualHooks(packageRoot).PreToolUse ?? []), lint] }));
  expect(codes(tree)).toEqual([]);
  expect(hookOn('Bash', around(tree))).toBe(path.join(tree.root, local));
  expect(hookOn('Write', around(tree))).toBeNull();
});

describe('a foreign hook that uses our server', () => {
  const speaks = { hooks: [{ type: 'mcp_tool', server: 'modes', tool: 'hook', input: { hook_event_name: 'Stop' } }] };
  test.each([
    ['in the same file', local, settings({ Notification: [speaks] })],
    ['in shared settings', '.claude/settings.json', JSON.stringify({ hooks: { Stop: [speaks] } })],
    [
      'by the name that the plugin has',
      '.claude/settings.json',
      JSON.stringify({ hooks: { Stop: [{ ...speaks, hooks: [{ server: 'plugin:modes:modes' }] }] } }),
    ],
    [
      'by a matcher',
      '.claude/settings.json',
      '{"hooks":{"PreToolUse":[{"matcher":"mcp__modes__.*","hooks":[{"type":"command","command":"x"}]}]}}',
    ],
    [
      'in the front matter of a command',
      '.claude/commands/x.md',
      '---\nhooks:\n  Stop:\n    - hooks:\n        - {type: mcp_tool, server: modes, tool: hook}\n---\n',
    ],
  ])('%s ends evidence and authority', (_, file, text) => {
    const tree = handTree();
    tree.file(file, text);
    expect(codes(tree)).toContain('F_FOREIGN_HOOK');
  });

  test('is no finding if no server is registered', () => {
    const tree = makeTree();
    tree.file('.claude/settings.json', JSON.stringify({ hooks: { Stop: [speaks] } }));
    expect(codes(tree)).toEqual([]);
  });
});

describe('a changed registration', () => {
  test.each<[string, string, string, string[]]>([
    ['hooks that are gone', local, '{}', ['F_HAND_CHANGED']],
    ['hooks but for one event', local, settings({ ConfigChange: [] }), ['F_HAND_CHANGED']],
    ['another entry', '.mcp.json', '{"mcpServers":{"modes":{"command":"x"}}}', ['F_SAME_NAME', 'F_HAND_CHANGED']],
    ['no entry', '.mcp.json', '{"mcpServers":{}}', ['F_HAND_CHANGED']],
  ])('%s', (_, file, text, expected) => {
    const tree = handTree();
    tree.file(file, text);
    expect(codes(tree)).toEqual(expected);
  });
});

test('a task that types the short name is found', () => {
  const tree = handTree();
  tree.file('.claude/scheduled_tasks.json', '{"tasks":[{"prompt":"/mode feature-dev"}]}');
  expect(codes(tree)).toEqual(['F_SCHEDULED_COMMAND']);
});
