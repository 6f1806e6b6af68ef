// The line of hooks/hooks.json that starts the shell client: what a shell takes from the environment before the client's first line.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { Fixture, fallback, shells } from './fixture.ts';

interface Handler {
  command?: string;
  args?: string[];
}
const { hooks } = JSON.parse(fs.readFileSync('hooks/hooks.json', 'utf8')) as {
  hooks: Record<string, { hooks: Handler[] }[]>;
};
const line = (hooks.PreToolUse ?? []).flatMap((group) => group.hooks).find(({ args }) => args !== undefined) as Required<Handler>;

/** The line with a shell in the place of /bin/sh, under the name by which it takes itself for one. */
function lineWith(fixture: Fixture, shell: string): (typeof shells)[number] {
  const sh = path.join(fixture.top, 'sh');
  fs.symlinkSync(shell, sh);
  const words = [line.command, ...line.args.slice(0, -2)];
  expect(words.at(-1)).toBe('/bin/sh');
  const [command = sh, ...args] = [...words.slice(0, -1), sh];
  return ['line', command, args];
}

describe.each(shells)('with %s as /bin/sh', (_, command) => {
  test.each<NodeJS.ProcessEnv>([
    { SHELLOPTS: 'noexec' },
    { SHELLOPTS: 'onecmd' },
    { SHELLOPTS: 'history:histexpand' },
    { SHELLOPTS: 'verbose' },
    { SHELLOPTS: 'xtrace', PS4: '$(printf spoken >&2)' },
    { SHELLOPTS: 'errexit:noglob:keyword:allexport' },
    { BASHOPTS: 'nocasematch:extdebug:failglob' },
    { BASH_COMPAT: 'junk' },
    { BASH_XTRACEFD: '0' },
    { EXECIGNORE: '*' },
    { OPTIND: 'junk' },
  ])('%j in the environment changes nothing, and prints nothing', async (env) => {
    const fixture = new Fixture().govern();
    const result = await fixture.run({ shell: lineWith(fixture, command), env });
    expect(result).toMatchObject({ code: 0, out: `${fallback}\n`, err: '', ran: [{ args: ['PreToolUse', fixture.project] }] });
  });

  test('a refusal keeps its code and its reason', async () => {
    const fixture = new Fixture().govern();
    fixture.oneShot({ answer: 'half' });
    const { code, err } = await fixture.run({ shell: lineWith(fixture, command), env: { SHELLOPTS: 'noexec' } });
    expect([code, err]).toEqual([2, expect.stringContaining('E_HOOK_CHECK')]);
  });
});
