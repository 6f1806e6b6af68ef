// The check of the form of docs/decisions/.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';

const script = path.join(import.meta.dirname, '../../../scripts/check-decisions.mjs');
const { decisionProblems } = (await import(/* @vite-ignore */ pathToFileURL(script).href)) as {
  decisionProblems(files: [string, string][]): string[];
};

const sections = '## Context\n\na\n\n## Decision\n\nb\n\n## Consequences\n\nc\n';
const one: [string, string] = ['001-use-it.md', `# 001 Use it\n\nStatus: accepted\n\n${sections}`];
const two = (status: string): [string, string] => ['002-do-it.md', `# 002 Do it\n\nStatus: ${status}\n\n${sections}`];

test.each(['accepted', 'superseded by 001', 'accepted, amended by 001'])('the status may be "%s"', (status) =>
  expect(decisionProblems([one, two(status)])).toEqual([]),
);

test.each([
  ['another status', [one, two('Accepted')], '002-do-it.md has the status "Accepted"'],
  ['itself as successor', [one, two('superseded by 002')], '002-do-it.md refers to decision 002'],
  ['a missing successor', [one, two('superseded by 009')], '002-do-it.md refers to decision 009'],
  ['no status', [['001-a.md', `# 001 A\n\n${sections}`]], '001-a.md has no status line'],
  ['a status further down', [['001-a.md', `# 001 A\n\n${sections}\nStatus: accepted\n`]], '001-a.md has no status line'],
  ['a period after the title', [['001-a.md', `# 001 A.\n\nStatus: accepted\n\n${sections}`]], '001-a.md does not begin with'],
  ['another number in the title', [['001-a.md', `# 002 A\n\nStatus: accepted\n\n${sections}`]], '001-a.md does not begin with'],
  ['other sections', [['001-a.md', '# 001 A\n\nStatus: accepted\n\n## What\n']], '001-a.md has the sections What, not'],
  ['another name', [['a.md', one[1]]], 'a.md is not named'],
  ['a number twice', [one, ['001-b.md', one[1]]], '001-b.md has the number 001'],
  ['a gap', [one, ['003-c.md', `# 003 C\n\nStatus: accepted\n\n${sections}`]], 'there is no decision 002'],
] as [string, [string, string][], string][])('%s is a problem', (_, files, problem) =>
  expect(decisionProblems(files)).toContainEqual(expect.stringContaining(problem)),
);
