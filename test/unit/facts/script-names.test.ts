// A rule about a script matches runs of it by a link, and asks about an interpreter with an unknown file.
import { expect, test } from 'vitest';
import { judgeBash } from '../../support/judge.ts';
import { makeTree, type Tree } from '../../support/tree.ts';

const settings = { deny: ['Bash(./deploy.sh:*)'] };

function tree(): Tree {
  const made = makeTree();
  made.file('deploy.sh', 'echo deploy\n');
  made.file('other.sh', 'echo other\n');
  made.link('bin/d.sh', '../deploy.sh');
  made.link('linked', '.');
  return made;
}

test.each([
  ['bin/d.sh', 'deny rule'],
  ['bash bin/d.sh', 'deny rule'],
  ['cd bin && ./d.sh prod', 'deny rule'],
  ['. bin/d.sh', 'deny rule'],
  ['linked/deploy.sh', 'deny rule'],
  ['bash d*.sh', 'ask open'],
  ['bash -x ./d?ploy.sh', 'ask open'],
  ['source *.sh', 'ask open'],
  ["bash -c '. ./[d]eploy.sh'", 'ask open'],
  ['bash other.sh', 'pass default'],
  ['bash other.sh *.txt', 'pass default'],
  ['ls *.sh', 'pass default'],
])('%s: %s [s:bash.scripts]', (command, said) => expect(judgeBash(tree(), settings, command)).toBe(said));

test('a rule about a script of a package does not ask about other files [s:bash.scripts]', () => {
  expect(judgeBash(tree(), { deny: ['Bash(npm run deploy:*)'] }, 'bash d*.sh')).toBe('pass default');
});
