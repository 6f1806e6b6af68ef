// What a subagent is told of its limits.
import { expect, test } from 'vitest';
import { readConfiguration } from '../../../../src/config/read.ts';
import { renderAgent } from '../../../../src/workflow/context/render.ts';

const file = (name: string, text: string) => ({ name: `.claude/${name}`, text });
const { topology, settings } = readConfiguration({
  root: '/p',
  files: [
    file(
      'modes.yaml',
      'name: n\ndefault: a\nmodes:\n  a:\n    agents:\n      x: {mode: b, canEdit: "test/**", rules: {ask: [WebSearch]}}\n      y: {groups: [read, edit, web, mcp, agent]}\n  b:\n',
    ),
    file('settings.b.json', '{"permissions":{"allow":["Read"],"deny":["Bash(git:*)"]}}'),
  ],
});
const told = (type: string, mode = 'a') => renderAgent(topology!, settings, { mode, type });

test('its type, the mode that also applies, and its asks and denies', () => {
  expect(told('x')).toBe(
    'SUBAGENTS OF TYPE x:\nThe deny and ask rules of b also apply here.\nAsked: WebSearch\nDenied: Write outside test/**, Bash(git:*)',
  );
  expect(told('y')).toBe('SUBAGENTS OF TYPE y:\nDenied: @command');
  expect(told('Y')).toBe('SUBAGENTS OF TYPE Y:\nDenied: @command');
});

test('nothing, if its type has no entry', () => {
  expect(told('z')).toBe('');
  expect(told('x', 'b')).toBe('');
});
