// Every command that was seen to change something is refused the word read-only, and nearly all that were seen not to get it.
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';
import { condition } from '../../../src/shell/loads.ts';
import { context, readObserved, readRows, readTexts } from './corpora.ts';

describe('commands that change something are never read-only', () => {
  for (const file of ['bash-mutating.jsonl', 'bash-unparsable.jsonl', 'zsh-mutating.jsonl']) {
    test.each(readRows(file))(`${file}: $command`, ({ command }) => {
      const facts = analyse(command, context);
      expect(facts.class).not.toBe('read-only');
      expect(facts.why.length).toBeGreaterThan(0);
    });
  }
  test.each(readObserved().filter(([effect]) => effect === 'WRITES'))('%s: %s', (_effect, command) => {
    expect(analyse(command, context).class).not.toBe('read-only');
  });
});

describe('commands that change nothing', () => {
  const rows = readRows('bash-readonly.jsonl').filter((r) => !r.hard);
  test.each(rows)('$command is read-only', ({ command }) => {
    const facts = analyse(command, context);
    const conditions = facts.commands.flatMap((one) => one.loads?.map((load) => condition(one.name, load)) ?? []);
    const why = facts.why.map(({ text }) => text).filter((text) => !conditions.includes(text));
    expect({ class: facts.class, why }).toEqual({ class: 'read-only', why: [] });
    expect(facts.writes).toEqual([]);
  });
});

describe('our own lists', () => {
  test.each(readTexts('adversarial.jsonl'))('%j is not read-only', (command) => {
    expect(analyse(command, context).class).not.toBe('read-only');
  });

  test.each(readTexts('everyday.jsonl'))('%j is read-only', (command) => {
    expect(analyse(command, context)).toMatchObject({ class: 'read-only', writes: [], uncertain: [] });
  });

  test.each(readTexts('conditional.jsonl'))('%j is read-only unless a file on the disk changes that', (command) => {
    const facts = analyse(command, { ...context, looks: true });
    expect(facts).toMatchObject({ class: 'read-only', writes: [], uncertain: [] });
    expect(facts.commands.some(({ loads }) => loads !== undefined)).toBe(true);
  });
});
