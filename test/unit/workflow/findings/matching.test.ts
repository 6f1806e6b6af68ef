// Hooks of others that see the calls of a tool.
import path from 'node:path';
import { expect, test } from 'vitest';
import { hookOn } from '../../../../src/workflow/findings/matching.ts';
import { makeTree } from '../../../support/tree.ts';

const settings = (event: string, matcher?: string): string =>
  JSON.stringify({
    hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command: 'x' }] }] },
  });

test.each<[string, string, boolean]>([
  ['every tool', settings('PreToolUse', '*'), true],
  ['no matcher', settings('PreToolUse'), true],
  ['an empty matcher', settings('PermissionRequest', ''), true],
  ['the name', settings('PreToolUse', 'ExitPlanMode'), true],
  ['one of several', settings('PermissionRequest', 'Bash|ExitPlanMode'), true],
  ['an expression', settings('PreToolUse', '^Exit.*'), true],
  ['an expression that cannot be read', settings('PreToolUse', '('), true],
  ['settings with a comment', `// PreToolUse\n${settings('Stop')}`, true],
  ['another tool', settings('PreToolUse', 'Bash'), false],
  ['another event', settings('UserPromptSubmit'), false],
  ['no hooks', '{}', false],
])('%s', (_, text, found) => {
  const tree = makeTree();
  const file = path.join(tree.root, '.claude/settings.json');
  tree.file('.claude/settings.json', text);
  expect(hookOn('ExitPlanMode', { place: tree.place(), start: tree.root })).toBe(found ? file : null);
});
