// Globs and commands of `require:` that mean nothing are errors with their place.
import { expect, test } from 'vitest';
import { readTopology } from '../../../src/config/topology.ts';
import { findUnreadableRequirements } from '../../../src/engine/requirements.ts';

const find = (item: string) => {
  const text = `name: t\ndefault: a\nmodes:\n  a:\n    transitions:\n      - to: b\n        require: [${item}]\n  b:\n    transitions: [{to: a}]\n`;
  const { topology, problems } = readTopology({ name: '.claude/modes.yaml', text });
  expect(problems).toEqual([]);
  return findUnreadableRequirements(topology, '/home/user');
};

test.each([
  '{fails: npm test}',
  '{passes: "npm test *", watch: ["src/**"], outputs: "*.log"}',
  '{changed: "test/**"}',
  '{after: 10m}',
  '{run: npm test && npm run lint, uses: [package.json, "tools/**"]}',
  '{unchanged: "**/__tests__/**/*.test.*"}',
])('%s is read', (item) => expect(find(item)).toEqual([]));

test.each([
  ['{fails: npm test && true}', 'joins commands'],
  ['{passes: "npm test > out"}', 'redirects'],
  ['{passes: "*"}', 'every command'],
  ['{changed: "!src/**"}', 'negated'],
  ['{unchanged: ["a", "src/{a"]}', ''],
  ['{fails: npm test, watch: "!a"}', 'negated'],
  ['{fails: npm test, outputs: "!a"}', 'negated'],
  ['{run: npm test, uses: "!a"}', 'negated'],
  ['{changed: "*a*a*a*a*b"}', 'too many wildcards'],
])('%s is not', (item, message) => {
  expect(find(item)).toEqual([
    expect.objectContaining({ code: 'E_REQUIRE_FORM', severity: 'error', line: 7, message: expect.stringContaining(message) }),
  ]);
});
