// What a program that an allow rule names does by itself. A change of a guarded file is reported. SECURITY.md names the rest and what
// closes it.
import { bash } from '../model.ts';
import { type Row, write } from './row.ts';

const does = (text: string) => `require('node:test').test('x', () => { ${text} });\n`;
const ALLOWED = 'out of reach: A program you allowed';

export const programs: Row[] = [
  {
    name: 'a test that writes the source',
    before: [write('test/x.test.cjs', does("require('fs').writeFileSync('src/calc.ts', 'taken')"))],
    call: bash('npm test'),
    expect: 'reported',
    changes: ['~project/src/calc.ts'],
  },
  {
    name: 'a test that turns hooks off for the next session',
    before: [
      write('test/x.test.cjs', does("require('fs').writeFileSync('.claude/settings.local.json', '{\"disableAllHooks\":true}')")),
    ],
    call: bash('npm test'),
    after: [write('src/calc.ts')],
    expect: 'reported',
    changes: ['+project/.claude/settings.local.json'],
  },
  {
    name: 'an option of the runner that names a file',
    call: bash('npm test -- --test-reporter=tap --test-reporter-destination=src/calc.ts'),
    expect: 'reported',
    changes: ['~project/src/calc.ts'],
  },
  {
    name: 'an option of the runner that names a shell',
    before: [write('test/x.sh', 'echo taken > src/calc.ts\n'), bash('chmod +x test/x.sh')],
    call: bash('npm test --script-shell=./test/x.sh'),
    expect: 'reported',
    changes: ['~project/src/calc.ts'],
  },
  {
    name: 'a test that loosens the permissions',
    before: [write('test/x.test.cjs', does("require('fs').writeFileSync('.claude/settings.test-dev.json', '{}')"))],
    call: bash('npm test'),
    after: [write('src/calc.ts'), bash('echo taken > src/calc.ts')],
    expect: 'reported',
    changes: ['~project/.claude/settings.test-dev.json'],
  },
  {
    name: 'a test that ends the server',
    before: [
      write(
        'test/x.test.cjs',
        does(
          "for (const name of require('fs').readdirSync('HOME/.claude/modes-data/sessions')) if (/^pid-/.test(name)) process.kill(parseInt(require('fs').readFileSync('HOME/.claude/modes-data/sessions/' + name, 'utf8')), 'SIGKILL')",
        ),
      ),
    ],
    call: bash('npm test'),
    after: [write('src/calc.ts'), bash('echo taken > src/calc.ts')],
    expect: ALLOWED,
    changes: [],
  },
];
