// What is remembered of a command text is what the analyser says of it now, whatever was asked in between.
import { expect, test } from 'vitest';
import { analysed } from '../../../src/facts/analysed.ts';
import { commandFacts } from '../../../src/facts/paths/keys.ts';
import type { BashContext } from '../../../src/model/command.ts';
import { analyse } from '../../../src/shell/analyse.ts';

const declared = [{ match: 'mytool *', class: 'read-only', trusted: true }] as const;
const contexts: BashContext[] = [
  { cwd: '/p', home: '/h' },
  { cwd: '/p/sub', home: '/h' },
  { cwd: '/p', home: '/other' },
  { cwd: '/p', home: '/h', temp: '/t' },
  { cwd: '/p', home: '/h', commands: declared },
  { cwd: '/p', home: '/h', commands: [{ ...declared[0], class: 'writes' }] },
];
const texts = [
  'mytool x',
  'rm a',
  'echo x > ~/a',
  'mktemp',
  'cd sub && sed -i s/a/b/ c',
  'a\0b',
  'if',
  '',
  'x'.repeat(3_000),
  `rm ${'a '.repeat(2_000)}~/b`,
];

test.each([1, 2])('by each text and all that it is read with, asked for the %d. time', () => {
  for (const context of [...contexts, ...contexts.toReversed()])
    for (const text of texts) {
      const { bash: said, commands } = analysed(text, context);
      expect(said).toEqual(analyse(text, context));
      expect(commands).toEqual(said.commands.map((one) => commandFacts(one, context.cwd)));
    }
});

test('after more texts than are remembered too', () => {
  const context = contexts[0] as BashContext;
  for (let n = 0; n < 400; n++) expect(analysed(`rm a${n}`, context).bash.writes[0]?.path).toBe(`/p/a${n}`);
  expect(analysed('rm a0', context).bash).toEqual(analyse('rm a0', context));
});
