// The interactive client shows how long a command of a gate has been running.
import { expect, test } from 'vitest';
import { approve } from './approve.ts';
import { go } from './mode.ts';
import { say } from './model.ts';
import { makePlace } from './place.ts';
import { startTerminal, submit } from './terminal.ts';

test('while the engine runs a command, the screen shows the command and its time [w:run.answers]', async () => {
  const place = makePlace();
  place.write('slow.sh', 'sleep 12\n');
  place.write(
    '.claude/modes.yaml',
    'name: t\ndefault: a\nmodes:\n  a:\n    transitions: [{to: b, require: [{run: sh slow.sh}]}]\n  b:\n    transitions: [{to: a}]\n',
  );
  place.write('.claude/settings.a.json', '{"permissions":{"allow":["Bash(sh slow.sh)"]}}');
  await approve(place);
  const terminal = await startTerminal({ ...place, turns: [...go('b'), say('finished')] });
  try {
    await submit(terminal, 'go on');
    await terminal.waitFor(/^ +⎿ +sh slow\.sh: \d+ s of at most 600 s *$/m, 60_000);
    await terminal.waitFor(/sh slow\.sh: (?:5|10) s of at most 600 s/, 60_000);
    await terminal.waitFor(/● finished/, 60_000);
    expect(terminal.screen()).not.toContain('of at most');
  } finally {
    await terminal.stop();
    place.remove();
  }
}, 240_000);
