// An organisation whose developers work on copies of one project: their calls, and the bundle that their server has.

import { configure } from '../../../src/app/dry-run.ts';
import { toolCall } from '../../../src/facts/call.ts';
import type { Facts } from '../../../src/model/facts.ts';
import { coreInput } from '../../../src/rules/core-input.ts';
import type { RulesData } from '../../../src/rules/index-data.ts';
import type { Team } from '../../bench/developers.ts';
import { type Fixture, makeFixture } from '../../bench/fixture.ts';
import { afterTest } from '../../support/cleanup.ts';
import { bundleOf, contentOf, packageRoot } from '../../support/opa-server.ts';

const mode = 'test-dev';

const calls: [string, Record<string, unknown>][] = [
  ['Read', { file_path: 'src/a.ts' }],
  ['Grep', { pattern: 'export', path: 'src' }],
  ['Bash', { command: 'npm test -- --run src/a.test.ts' }],
  ['Bash', { command: 'git status && git diff --stat' }],
  ['Write', { file_path: 'src/a.ts', content: 'x' }],
  ['Edit', { file_path: 'docs/a.md', old_string: 'a', new_string: 'b' }],
  ['Bash', { command: 'git push origin main' }],
  ['Bash', { command: 'sed -i s/a/b/ src/a.ts' }],
  ['WebFetch', { url: 'https://example.org/a', prompt: 'x' }],
  ['Bash', { command: 'cd src && ls -la && cat a.ts | head -20' }],
];

export async function officeOf(
  developers: number,
  thinkMs: number,
  comingMs: number,
): Promise<{ team: Omit<Team, 'ca'>; bundle: string; fixture: Fixture }> {
  const fixture = makeFixture({
    permissions: {
      deny: ['Write(src/**)', 'Bash(git push:*)'],
      ask: ['WebFetch(domain:example.org)'],
      allow: ['Bash(npm test:*)'],
    },
  });
  afterTest(() => fixture.remove());
  const { root, env } = fixture;
  const configured = await configure(contentOf(fixture), { root, trusted: true, env, packageRoot });
  const { file, revision } = await bundleOf(fixture, mode);
  const { rules } = JSON.parse(new TextDecoder().decode(configured.bundles().get(mode)!.data)) as { rules: RulesData };
  const policy = configured.config.policies.of(mode)!;
  const event = { hook_event_name: 'PreToolUse', cwd: root };
  const facts = calls.map(
    ([tool_name, tool_input]) => configured.decide(toolCall({ ...event, tool_name, tool_input }), mode).facts as Facts,
  );
  return {
    bundle: file,
    fixture,
    team: {
      mode,
      developers,
      thinkMs,
      comingMs,
      pin: { url: '', deadline: 250, fallback: 'local', check: false },
      revision,
      calls: facts,
      input: coreInput(rules),
      local: policy.evaluate,
    },
  };
}
