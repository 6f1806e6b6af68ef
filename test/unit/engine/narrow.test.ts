// The allow lines that a refusal proposes open exactly the call, and none of these.
import { describe, expect, test } from 'vitest';
import { allowLines, unsayable } from '../../../src/engine/settle.ts';
import { parseCommandPattern } from '../../../src/rules/command.ts';
import { whyWide } from '../../../src/rules/wide.ts';
import { judge, judged } from '../../support/judge.ts';
import { makeTree } from '../../support/tree.ts';

const asking = { defaults: { project: 'ask' as const }, deny: ['Write(secret/**)'] };

/** Calls that an agent is refused, each with a way to misuse the program that it names. */
const REFUSED: readonly string[] = [
  'npm run build',
  'npm test',
  'npm ci',
  'npx vitest run',
  'npx prettier --check .',
  'pnpm lint',
  'yarn build',
  'bunx tsc',
  'node scripts/build.mjs',
  'python manage.py test',
  'python3 -m pytest -q',
  'uv run pytest',
  'ruby bin/check',
  'perl -c a.pl',
  'make build',
  'cargo build',
  'go build ./...',
  'docker compose up -d',
  'docker ps',
  'kubectl get pods',
  'git status',
  'git commit -m "fix: a thing"',
  'git push origin topic',
  'gh pr view 3',
  'bash scripts/x.sh',
  'env CI=1 npm test',
  'find . -name "*.ts"',
  'sed -n 1,5p a.ts',
  'awk "{print $1}" a.txt',
  'tar -czf out.tgz docs',
  'kill 3',
  'terraform plan',
];

/** What no proposed line may allow. */
const DANGEROUS: readonly string[] = [
  'npm exec -- rm -rf src',
  'npm exec rimraf src',
  'npm run evil',
  'npm run build -- --out src',
  'npm test -- --config evil.js',
  'npm install evil',
  'npm publish',
  'npm explore x -- rm -rf src',
  'npm config set script-shell ./evil',
  'npx rimraf src',
  'npx -c "rm -rf src"',
  'npx vitest run --config evil.js',
  'pnpm dlx evil',
  'pnpm exec rm -rf src',
  'yarn dlx evil',
  'yarn exec rm -rf src',
  'bunx evil',
  'node -e "process.exit(1)"',
  'node evil.js',
  'node --require ./evil.js scripts/build.mjs',
  'python -c "import os"',
  'python manage.py flush',
  'python3 -m http.server',
  'python3 evil.py',
  'uv run evil.py',
  'uv pip install evil',
  'ruby -e "exit"',
  'perl -e "unlink 1"',
  'make SHELL=./evil build',
  'make clean',
  'cargo run --bin evil',
  'cargo install evil',
  'go run evil.go',
  'go generate ./...',
  'docker run -v /:/host alpine rm -rf /host',
  'docker exec web rm -rf /',
  'docker compose down -v',
  'docker system prune -af',
  'kubectl delete pod x',
  'kubectl exec web -- rm -rf /',
  'kubectl apply -f evil.yaml',
  'git push --force origin main',
  'git push origin :main',
  'git reset --hard',
  'git clean -fdx',
  'git -c alias.x=!rm x',
  'git commit --amend --no-verify -m x',
  'git config core.hooksPath evil',
  'gh pr merge 3',
  'gh api -X DELETE /repos/a/b',
  'gh repo delete a/b',
  'bash -c "rm -rf src"',
  'bash evil.sh',
  'env PATH=evil npm test',
  'env rm -rf src',
  'find . -delete',
  'find . -exec rm {} +',
  'sed -i s/a/b/ a.ts',
  'sed 1e a.ts',
  'awk "BEGIN{system(\\"rm\\")}"',
  'tar -xf evil.tar',
  'tar --to-command=evil -xf a.tar',
  'kill -9 1',
  'terraform apply -auto-approve',
  'terraform destroy',
];

test('the table has enough rows', () => {
  expect(DANGEROUS.length).toBeGreaterThanOrEqual(60);
  expect(new Set(DANGEROUS).size).toBe(DANGEROUS.length);
});

describe.each(REFUSED)('%s', (command) => {
  const tree = makeTree();
  const { said, facts } = judged(tree, asking, 'Bash', { command });
  const lines = allowLines(facts);
  const settings = { ...asking, allow: lines };

  test('is refused, with an allow line or a command that no line can name', () => {
    expect(said).toMatch(/^ask /);
    expect(lines.length + unsayable(facts).length).toBeGreaterThan(0);
  });

  test('passes with the lines if they cover the whole call', () => {
    if (unsayable(facts).length === 0) expect(judge(tree, settings, 'Bash', { command })).toMatch(/^allow /);
    else expect(judge(tree, settings, 'Bash', { command })).toMatch(/^ask /);
  });

  test('has no line with a wildcard [s:remedy.narrow]', () => {
    for (const line of lines) {
      const text = /^Bash\((?!@)(.*)\)$/.exec(line)?.[1];
      if (text === undefined) continue;
      const parsed = parseCommandPattern(text, false);
      const patterns = 'commands' in parsed ? (parsed.commands ?? []) : [];
      expect(patterns.map(({ form }) => form)).toEqual(['exact']);
      expect(patterns.map(whyWide)).toEqual([null]);
    }
  });

  test('allows nothing dangerous', () => {
    const opened = DANGEROUS.filter((one) => judge(tree, settings, 'Bash', { command: one }).startsWith('allow'));
    expect(opened).toEqual([]);
  });
});
