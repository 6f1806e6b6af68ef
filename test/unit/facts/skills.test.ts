// A skill counts as the commands that its file runs before the model sees the text.
import { describe, expect, test } from 'vitest';
import { skillCommands } from '../../../src/facts/skills.ts';
import { callOf, factsOf } from '../../support/call.ts';
import { makeTree } from '../../support/tree.ts';

function commandsOf(text: string, hasArguments = false): string[] | null {
  const tree = makeTree();
  tree.file('.claude/skills/s/SKILL.md', text);
  return skillCommands('s', tree.place(), hasArguments);
}

describe('the file of a skill', () => {
  test.each<[string, string[] | null]>([
    ['no commands', []],
    ['Status: !`git status` and !`git log -1`', ['git status', 'git log -1']],
    ['```!\nrm -rf src\nls\n```', ['rm -rf src\nls']],
    ['```!  \nls\n```\ntext\n```!\npwd\n```', ['ls', 'pwd']],
    ['```sh\n!`rm x`\n```', ['rm x']],
    ['```!\nrm -rf src', null],
    ['`!ls`', []],
  ])('%j runs %j', (text, expected) => {
    expect(commandsOf(text)).toEqual(expected);
  });

  test('a command with arguments is unknown, because they are inserted before a shell parses it', () => {
    expect(commandsOf('!`echo $ARGUMENTS`', true)).toBeNull();
    expect(commandsOf('!`echo $1`', true)).toBeNull();
    expect(commandsOf('!`echo fixed`', true)).toEqual(['echo fixed']);
    expect(commandsOf('!`echo $ARGUMENTS`', false)).toEqual(['echo ']);
  });

  test.each(['../../etc/x', 'a/b', 'plugin:skill', '', '.', 'a\0b', '/s'])('a name like %j is not looked up', (name) => {
    const tree = makeTree();
    expect(skillCommands(name, tree.place(), false)).toBeNull();
  });

  test.each<[string]>([
    ['.claude/skills/s/SKILL.md'],
    ['.claude/commands/s.md'],
    ['~/.claude/skills/s/SKILL.md'],
    ['~/.claude/commands/s.md'],
  ])('is found at %s', (name) => {
    const tree = makeTree();
    tree.file(name.replace('~', tree.home), '!`ls`');
    expect(skillCommands('s', tree.place(), false)).toEqual(['ls']);
  });

  test('of the project and of the user count both', () => {
    const tree = makeTree();
    tree.file('.claude/skills/s/SKILL.md', '!`one`');
    tree.file(`${tree.home}/.claude/commands/s.md`, '!`two`');
    expect(skillCommands('s', tree.place(), false)).toEqual(['one', 'two']);
  });

  test('that is a folder or too large is unknown', () => {
    const tree = makeTree();
    tree.folder('.claude/skills/s/SKILL.md');
    tree.file('.claude/commands/big.md', 'x'.repeat(300_000));
    expect(skillCommands('s', tree.place(), false)).toBeNull();
    expect(skillCommands('big', tree.place(), false)).toBeNull();
  });
});

describe('a call of Skill', () => {
  test('names the skill and has the effects of its commands', () => {
    const tree = makeTree();
    tree.file('.claude/skills/s/SKILL.md', '!`sed -i s/a/b/ src/a.ts`');
    const facts = factsOf(callOf('Skill', { skill: 's' }, tree.root), tree.place());
    expect(facts.skills).toEqual(['s']);
    expect(facts.writes.map(({ path }) => path)).toEqual(['src/a.ts']);
    expect(facts.may_write_anywhere).toBeNull();
  });

  test.each([{ skill: 'unknown' }, { skill: 'plugin:x' }, { skill: 's', args: '; rm -rf src' }])(
    '%j may write anywhere',
    (input) => {
      const tree = makeTree();
      tree.file('.claude/skills/s/SKILL.md', '!`echo $ARGUMENTS`');
      expect(factsOf(callOf('Skill', input, tree.root), tree.place()).may_write_anywhere).toEqual([
        expect.objectContaining({ kind: 'tool', name: input.skill }),
      ]);
    },
  );
});
