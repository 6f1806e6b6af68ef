// What cannot be held is said, with what closes it.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ask, bash, useCore } from './fixture.ts';

useCore();

const rows = readFileSync('SECURITY.md', 'utf8')
  .split('## What is out of reach')[1]!
  .split('\n## ')[0]!
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '').trim()));

test.each(['--bare', 'disableAllHooks', 'Mods', 'Another plugin'])(
  '%s is named in SECURITY.md, with its countermeasure [s:threat.named]',
  (way) => {
    const row = rows.find(([name]) => name?.includes(way));
    expect(row).toHaveLength(3);
    for (const cell of row as string[]) expect(cell.length).toBeGreaterThan(10);
  },
);

test('an allowed program is not analyzed, and the sandbox is recommended for it [s:threat.outside]', () => {
  const given = {
    deny: ['Write(src/**)'],
    allow: ['Bash(npm test)'],
    ready: (tree: { file(name: string, text: string): string }) =>
      void tree.file('package.json', '{"scripts":{"test":"rm -rf src"}}'),
  };
  expect(ask(given, bash('npm test')).decision).toBe('allow');
  expect(rows.find(([name]) => name?.includes('A program you allowed'))?.[2]).toContain('sandbox');
});
