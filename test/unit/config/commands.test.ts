// `commands:` of modes.yaml: the project's own commands, for the analyser of Bash.
import { describe, expect, test } from 'vitest';
import { readTopology } from '../../../src/config/topology.ts';

const read = (commands: string) =>
  readTopology({ name: '.claude/modes.yaml', text: `name: t\ndefault: a\ncommands:\n${commands}\nmodes:\n  a:\n` });

describe('commands', () => {
  test('are read as written', () => {
    const { topology, problems } = read(
      '  - {match: "mytool  show *", class: read-only, reads: all}\n  - {match: gen, class: writes, writes: [1, 3], network: true}',
    );
    expect(problems).toEqual([]);
    expect(topology?.commands).toEqual([
      { match: 'mytool show *', class: 'read-only', reads: 'all' },
      { match: 'gen', class: 'writes', writes: [1, 3], network: true },
    ]);
  });

  test('none is an empty list', () => {
    expect(readTopology({ name: '.claude/modes.yaml', text: 'name: t\ndefault: a\nmodes:\n  a:\n' }).topology?.commands).toEqual(
      [],
    );
    expect(read('').topology?.commands).toEqual([]);
  });

  test.each([
    ['- {class: read-only}', 'E_MISSING_KEY'],
    ['- {match: x}', 'E_MISSING_KEY'],
    ['- {match: "* x", class: runs}', 'E_COMMAND_MATCH'],
    ['- {match: "my*tool", class: runs}', 'E_COMMAND_MATCH'],
    ['- {match: x, class: readonly}', 'E_UNKNOWN_VALUE'],
    ['- {match: x, class: writes}', 'E_COMMAND_TARGETS'],
    ['- {match: x, class: read-only, writes: [1]}', 'E_COMMAND_TARGETS'],
    ['- {match: x, class: read-only, reads: [0]}', 'E_WRONG_TYPE'],
    ['- {match: x, class: read-only, reads: [1.5]}', 'E_WRONG_TYPE'],
    ['- {match: x, class: read-only, reads: ["1"]}', 'E_WRONG_TYPE'],
    ['- {match: x, class: read-only, reads: every}', 'E_UNKNOWN_VALUE'],
    ['- {match: x, class: read-only, reads: {a: 1}}', 'E_WRONG_TYPE'],
    ['- {match: x, class: read-only, network: "yes"}', 'E_WRONG_TYPE'],
    ['- {match: x, class: read-only, clas: runs}', 'E_UNKNOWN_KEY'],
    ['- mytool', 'E_WRONG_TYPE'],
  ])('%s is %s', (item, code) => {
    const { topology, problems } = read(`  ${item}`);
    expect(problems.map((problem) => problem.code)).toContain(code);
    expect(topology).toBeNull();
  });
});
