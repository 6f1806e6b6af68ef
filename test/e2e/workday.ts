// A day of ordinary work, call by call.
import path from 'node:path';
import { type Block, bash, mcp, use } from './model.ts';

/** What an agent does in a day in this project, but for reading what its background run wrote. */
export function workday(project: string): Block[][] {
  const file = (name: string) => path.join(project, name);
  return [
    use('Read', { file_path: file('src/calc.ts') }),
    bash('grep -rn first src test; find . -name "*.ts" -not -path "./node_modules/*"'),
    bash('git status --short && git log --oneline | head -5'),
    bash('git diff -- src | wc -l; ls -la'),
    mcp('status'),
    use('Write', { file_path: file('src/more.ts'), content: 'export const more = 1;\n' }),
    bash("sed -i 's/first/second/' src/calc.ts"),
    use('Write', { file_path: file('test/more.test.ts'), content: '' }),
    use('Write', {
      file_path: file('.claude/skills/tidy/SKILL.md'),
      content: '---\nname: tidy\ndescription: tidies\n---\nTidy.\n',
    }),
    use('Read', { file_path: file('CLAUDE.md') }),
    use('Edit', { file_path: file('CLAUDE.md'), old_string: '# Notes', new_string: '# Our notes' }),
    bash('npm test'),
    bash('npm run lint'),
    bash('npm test', { run_in_background: true }),
    bash('npm install --no-audit --no-fund ./vendor/dep'),
    bash('git add -A && git commit -q --allow-empty -m "more"'),
    bash('git switch -q -c topic && git switch -q main && git checkout -q other && git checkout -q main'),
    bash('git stash list; git branch -a; git show --stat HEAD | head -3'),
    bash('mkdir -p /tmp/modes-day && echo x > /tmp/modes-day/x && rm -rf /tmp/modes-day'),
    use('Agent', { description: 'look', prompt: 'HELPER: look', subagent_type: 'Explore', run_in_background: false }),
    use('EnterWorktree', { name: 'side' }),
    bash('pwd && git status --short && echo x > src/side.ts'),
    use('ExitWorktree', { action: 'keep' }),
  ];
}
