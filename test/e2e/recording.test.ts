// The session that the README shows.
import { expect, test } from 'vitest';
import { recordSession } from './recording.ts';

test('the recorded session shows the refusal, the failing test and the allowed edit', async () => {
  const screens = (await recordSession(104, 34)).map(({ screen }) => screen.replaceAll(/\x1b\[[\d;]*m/g, ''));
  const first = (pattern: RegExp): number => screens.findIndex((screen) => pattern.test(screen));
  const shown = [
    first(/Update\(src\/price\.js\)[\s\S]*is denied in idle/),
    first(/Write\(test\/price\.test\.js\)/),
    first(/1 failed/),
    first(/net\) => net \* 1\.19/),
    first(/● The test passes\./),
  ];
  expect(shown).not.toContain(-1);
  expect(shown).toEqual([...shown].sort((one, other) => one - other));
}, 150_000);
