// docs/rego.md: its files are written as they stand there, its commands run, and what they print is what stands there.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../../../support/plugin.ts';
import { makePolicies, policy } from './policies.ts';

interface Block {
  /** What stands behind the backticks. */
  head: string;
  text: string;
  line: number;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\S.*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    head: match[1]!,
    text: match[2]!,
    line: markdown.slice(0, match.index).split('\n').length,
  }));
}

/** Files that show a mistake, which the rest of the guide goes on without. */
const MISTAKES = ['wrong_test.rego', 'typo.rego'];

test('every example of the guide has its documented result', { timeout: 400_000 }, async () => {
  const blocks = blocksOf(fs.readFileSync(path.join(repository, 'docs/rego.md'), 'utf8'));
  const project = makePolicies({}, { whole: true });
  let run = 0;
  for (const { head, text, line } of blocks) {
    const [kind, file] = head.split(' ');
    if (kind === 'rego' || kind === 'yaml') {
      expect(file, `line ${line} names no file`).toMatch(/^\.claude\/policies\//);
      project.put(file!, text);
      continue;
    }
    expect(kind).toBe('console');
    for (const part of text.split(/^(?=\$ )/m)) {
      const [command = '', ...printed] = part.trimEnd().split('\n');
      const [, words = '', code = '0'] = /^\$ modes policy (.*?)(?:\s+# exits with (\d+))?$/.exec(command) ?? [];
      const ended = await policy(project, ...words.split(' '));
      const said = ended.out + ended.err;
      expect(ended.code, `line ${line}: ${command}\n${said}`).toBe(Number(code));
      for (const one of printed)
        expect(
          said.split('\n').some((each) => each.startsWith(one)),
          `line ${line}: ${one}\n${said}`,
        ).toBe(true);
      run += 1;
    }
    for (const name of MISTAKES) fs.rmSync(path.join(project.root, '.claude/policies', name), { force: true });
  }
  expect(run).toBeGreaterThan(6);
});
