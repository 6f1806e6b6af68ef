// A hook of the project that answers what is asked about a call: the client takes its yes, which is told; what is denied stays so.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { mcp, say, use } from './model.ts';
import type { Place } from './place.ts';
import { tddProject } from './project.ts';
import { startTerminal, submit, type Terminal } from './terminal.ts';

let place: Place;
let terminal: Terminal | undefined;
beforeEach(() => {
  place = tddProject();
});
afterEach(async () => {
  await terminal?.stop();
  terminal = undefined;
  place.remove();
});

test('a PermissionRequest hook answers an ask and is named, but cannot override a deny or force a mode', async () => {
  place.write('.claude/settings.idle.json', '{"permissions":{"ask":["Write(docs/**)"],"deny":["Write(src/**)"]}}');
  const answer = { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } };
  const hook = { type: 'command', command: `echo '${JSON.stringify(answer)}'` };
  place.write('.claude/settings.json', JSON.stringify({ hooks: { PermissionRequest: [{ hooks: [hook] }] } }));
  const told: string[] = [];
  terminal = await startTerminal({
    ...place,
    turns: [
      use('Write', { file_path: `${place.project}/src/new.ts`, content: 'x' }),
      use('Write', { file_path: `${place.project}/docs/new.md`, content: 'x' }),
      mcp('status'),
      (request) => {
        told.push(JSON.stringify(request.messages));
        return mcp('force_transition', { target_state: 'test-dev' });
      },
      say('● ended'),
    ],
  });
  await submit(terminal, 'go');
  await terminal.waitFor('Do you want to proceed?');
  expect([place.exists('src/new.ts'), place.exists('docs/new.md')]).toEqual([false, true]);
  expect(told[0]).toContain('F_PERMISSION_HOOK');
  await terminal.press('Escape', /No|Interrupted|rejected/);
});
