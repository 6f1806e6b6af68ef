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
  ['ln -s deploy.sh x.sh && bash x.sh', 'deny rule'],
  ['ln -s . here && here/deploy.sh', 'deny rule'],
  ['cp deploy.sh /tmp/d.sh && bash /tmp/d.sh', 'deny rule'],
  ['cp deploy.sh x; chmod +x x; ./x prod', 'deny rule'],
  ['mkdir -p out && cp deploy.sh out/ && (cd out && sh deploy.sh)', 'deny rule'],
  ['cp deploy.sh a.sh && mv a.sh b.sh && sh b.sh', 'deny rule'],
  ['install -m 755 deploy.sh /tmp/d && /tmp/d', 'deny rule'],
  ['bash -O extglob -O dotglob -O nullglob -O failglob -O globstar deploy.sh', 'deny rule'],
  ['bash other.sh a b c deploy.sh', 'pass default'],
  ['cp other.sh x.sh && bash x.sh', 'pass default'],
  ['cp deploy.sh x.sh && bash other.sh', 'pass default'],
  ['bash d*.sh', 'ask open'],
  ['bash -x ./d?ploy.sh', 'ask open'],
  ['source *.sh', 'ask open'],
  ["bash -c '. ./[d]eploy.sh'", 'ask open'],
  ['bash other.sh', 'pass default'],
  ['bash other.sh *.txt', 'pass default'],
  ['ls *.sh', 'pass default'],
])('%s: %s [s:bash.scripts]', (command, said) => expect(judgeBash(tree(), settings, command)).toBe(said));

test('a copy of a copy and so on may be any script [s:bash.scripts]', () => {
  const copies = Array.from({ length: 60 }, (_, at) => `cp c${at} c${at + 1}`).join('; ');
  expect(judgeBash(tree(), settings, `cp deploy.sh c0; ${copies}; bash c60`)).toBe('ask open');
});

test('a rule about a script of a package does not ask about other files [s:bash.scripts]', () => {
  expect(judgeBash(tree(), { deny: ['Bash(npm run deploy:*)'] }, 'bash d*.sh')).toBe('pass default');
});
