// The examples that stand in the tables beside each command.
import { describe, expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';
import { allEntries } from '../../../src/shell/registry.ts';
import { context } from './corpora.ts';

const examples = allEntries().flatMap((entry) => Object.entries(entry.examples ?? {}));

describe('examples of the tables', () => {
  test.each(examples)('%s is %s', (command, cls) => {
    expect(analyse(command, context).class).toBe(cls);
  });
});

describe('every known command', () => {
  const names = allEntries().flatMap((e) => e.names.split(' '));

  test('is listed once', () => {
    expect(new Set(names).size).toBe(names.length);
  });

  // true, false, echo and the like take any words.
  const ANY_WORDS =
    /^(?::|true|false|echo|printf|test|\[|shift|popd|exit|logout|return|break|continue|set|let|cd|pushd|getopts)$/;
  test.each(names.filter((n) => !ANY_WORDS.test(n)))('%s with an unlisted option is not read-only', (name) => {
    expect(analyse(`${name} --no-such-option-anywhere=x a b`, context).class).not.toBe('read-only');
  });

  const LOOSE = new Set(
    allEntries()
      .filter((e) => e.traits?.includes('any-option'))
      .flatMap((e) => e.names.split(' ')),
  );
  // Judged by what they do with a word that may be anything.
  const TEXT_ONLY = /^(?:(?!pgrep)\w*grep|jq|gojq|jaq|dpkg|cd|pushd|trap|unalias|builtin)$/;
  test.each(names.filter((n) => !ANY_WORDS.test(n) && !LOOSE.has(n) && !TEXT_ONLY.test(n)))(
    '%s with unknown words is not read-only',
    (name) => {
      expect(analyse(`${name} $x`, context).class).not.toBe('read-only');
    },
  );
});
