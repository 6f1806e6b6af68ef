// Links that give a closed file a name in an open folder, so that a later call, decided before the link is there, would write it.
import { bash } from '../model.ts';
import { type Row, run } from './row.ts';

export const links: Row[] = [
  run('denied', 'ln -s ../src test/l9', { after: [bash('echo taken > test/l9/calc.ts')] }),
  run('denied', 'mkdir -p test/l && (sleep 4; rmdir test/l; ln -s ../src test/l) >/dev/null 2>&1 &', {
    after: [bash('sleep 7; echo taken > test/l/calc.ts')],
  }),
  run('denied', 'rm test/one.ts; (sleep 2; ln -s ../src/calc.ts test/one.ts) &', {
    after: [bash('sleep 4; echo taken > test/one.ts')],
  }),
  run('denied', 'cp -P test/linked test/l', { after: [bash('echo taken > test/l/calc.ts')] }),
  run('denied', 'cp -a test/one.ts test/two.ts', { after: [bash('echo taken > test/two.ts')] }),
  run('denied', 'mv test/linked test/l', { after: [bash('echo taken > test/l/calc.ts')] }),
  run('asked', 'rsync -l test/linked test/l/', { after: [bash('echo taken > test/l/linked/calc.ts')] }),
  run('denied', 'git checkout -- test/linked', { after: [bash('echo taken > test/linked/calc.ts')] }),
  run('denied', 'link src/calc.ts test/l.ts', { after: [bash('echo taken > test/l.ts')] }),
  run('denied', 'find test -maxdepth 0 -exec ln -s ../src test/l \\;', { after: [bash('echo taken > test/l/calc.ts')] }),
  run('asked', 'ln -s "$(cat where)" test/l'),
  run('denied', 'tar xf test/a.tar -C test'),
  run('denied', 'ln -s /etc/hostname test/out'),
];
