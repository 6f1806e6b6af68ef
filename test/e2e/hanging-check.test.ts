// A check that never ends, in the real client: the model reads one sentence and not the hook's command line.
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { session } from './client.ts';
import { bash } from './model.ts';
import { copyPlugin, replaceOnce } from './plugin.ts';
import { tddProject } from './project.ts';

test.each([
  ['waits', 'setInterval(() => {}, 1000);'],
  ['is stopped', "process.kill(process.pid, 'SIGSTOP');"],
  ['is in an endless loop', 'for (;;);'],
])('a check that %s denies the call with a remedy', async (_, hang) => {
  const place = tddProject();
  try {
    const plugin = copyPlugin(path.join(place.root, 'plugin'), (folder) => {
      fs.rmSync(path.join(folder, 'dist/server.mjs'));
      fs.writeFileSync(path.join(folder, 'dist/hook.cjs'), hang);
      replaceOnce(path.join(folder, 'hooks/client.sh'), '\nlimit=14\n', '\nlimit=5\n');
      replaceOnce(path.join(folder, 'hooks/client.sh'), '\ncpu=10\n', '\ncpu=2\n');
    });
    const { calls } = await session({ ...place, plugin, turns: [bash('touch made')] });
    expect(calls).toMatchObject([{ refused: true }]);
    expect(calls[0]?.result).toMatch(/Modes did not decide this call within its limits .* run modes doctor in a terminal/);
    expect(calls[0]?.result).not.toMatch(/\/usr\/bin\/env|client\.sh/);
    expect(place.exists('made')).toBe(false);
  } finally {
    place.remove();
  }
});
