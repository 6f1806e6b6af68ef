// What goes to another host: no word of which the value is not known goes along in a command that is said to change nothing.
import { expect, test } from 'vitest';
import { analyse } from '../../../src/shell/analyse.ts';
import { allEntries } from '../../../src/shell/registry.ts';
import { context, readJson, readRows } from './corpora.ts';

/** Every command of the tables, of the restrictions and of the everyday corpus that reaches a host and changes nothing here. */
function asking(): string[] {
  const texts = [
    ...allEntries().flatMap(({ names, verbs = {}, examples = {} }) => [
      ...Object.keys(examples),
      ...Object.keys(verbs).flatMap((verb) => verb.split('|').map((one) => `${names.split(' ')[0]} ${one.replaceAll('*', 'x')}`)),
    ]),
    ...(readJson('restrictions.jsonl') as { command: string }[]).map(({ command }) => command),
    ...['bash-readonly.jsonl', 'bash-mutating.jsonl'].flatMap((name) => readRows(name).map(({ command }) => command)),
  ];
  return [...new Set(texts)].filter((text) => {
    const { network, class: cls, commands } = analyse(text, context);
    return network && cls === 'read-only' && commands.length === 1;
  });
}

const unknown = ['"$(cat f)"', '$X', '"x$(cat f)"', '--x="$(cat f)"', '$(cat f)', '-x"$X"'];

test('an unknown word makes any of them unknown', () => {
  const commands = asking();
  expect(commands.length).toBeGreaterThan(40);
  const open = commands.flatMap((text) =>
    unknown.map((word) => `${text} ${word}`).filter((one) => analyse(one, context).class === 'read-only'),
  );
  expect(open).toEqual([]);
});

test.each(['npm search "x$(cat f)"', 'git ls-remote origin "$(cat f)"', 'git fetch origin "x$(cat f)"', 'npm view "$p"'])(
  '%s is unknown',
  (command) => expect(analyse(command, context)).toMatchObject({ class: 'unknown', network: true }),
);

test.each(['for p in a b; do npm view $p; done', 'p=a; npm view "$p"', 'npm view a > out.json'])(
  '%s: one of a few known words sends nothing',
  (command) =>
    expect(
      analyse(command, context)
        .commands.filter(({ network }) => network)
        .map((one) => one.class),
    ).not.toContain('unknown'),
);
