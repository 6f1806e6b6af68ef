import { writeFileSync } from 'node:fs';
import { test } from 'vitest';
import { dataOf } from './core.ts';
import { access, bash, command, edit, write, read, grep } from './facts.ts';
test('dump', () => {
  const bashFacts = bash([command('sed -i s/a/b/ src/a.ts', {class: 'writes'})], {writes: [access('src/a.ts', {command: 0, via: 'sed -i'})], reads: [access('src/a.ts', {command: 0, via: 'sed'})]});
  const s = { deny: ['Write(src/**)', 'Read(.env)', 'Bash(git push:*)', 'Bash(rm -rf:*)'], allow: ['Read(**)', 'Write(test/**)', 'Write(**/*.test.ts)', 'Bash(npm test:*)', 'Bash(sed:*)'], ask: ['WebFetch'] };
  writeFileSync('/tmp/rules-opa/b/inputs.json', JSON.stringify({ data: { rules: dataOf(s) }, inputs: { bash: bashFacts, npm: bash([command('npm test -- x', {class:'runs'})]), edit: edit('src/a/b.test.ts'), write: write('lib/a.ts'), read: read('lib/a.ts') } }));
});
