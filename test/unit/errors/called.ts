// The command line and the hook client: what each says when it gives no answer.

import fs from 'node:fs';
import path from 'node:path';
import { refuse } from '../../../src/adapters/cli/refuse.ts';
import { projectFolder } from '../../../src/platform/data-folder.ts';
import { logFolder } from '../../../src/store/log/files.ts';
import { trustFile } from '../../../src/store/trust.ts';
import { forbidden } from '../../../src/workflow/team.ts';
import { modesHere } from '../../support/command-line.ts';
import { putFile } from '../../support/files.ts';
import { Layered, modesYaml } from '../../support/layered-project.ts';
import { makeProject, type Project } from '../../support/project.ts';
import { placeAt } from '../../support/team-server.ts';
import { Fixture, shells } from '../hooks/fixture.ts';
import { metIn } from './compiled.ts';
import { type Met, shareCompiled, type Way, type Ways } from './way.ts';

interface Call {
  env?: NodeJS.ProcessEnv;
  /** What is typed at the terminal. */
  types?: string;
  happens?(project: Project): unknown;
}

/** What a verb says with `--json`. */
const called = (what: string, words: string, advice: RegExp, { env = {}, types, happens }: Call = {}): Way => ({
  what,
  async meets() {
    const project = makeProject({ trusted: false });
    shareCompiled(project.data);
    happens?.(project);
    const { out } = await modesHere([...words.split(' '), '--json'], { cwd: project.root, env: project.env(env), types });
    return [(JSON.parse(out.trim().split('\n').at(-1) ?? '') as { error: Met }).error];
  },
  at: null,
  advice,
});

/** What the hook client says on stderr, for the model and whoever reads along. */
const hooked = (what: string, advice: RegExp, happens: (fixture: Fixture) => unknown): Way => ({
  what,
  async meets() {
    const fixture = new Fixture().govern();
    happens(fixture);
    const { err } = await fixture.run({ shell: shells[0]! });
    const [, code = '', message = ''] = /^Modes: (E_\w+) (.*)$/s.exec(err) ?? [];
    return [{ code, message, remedy: message }];
  },
  at: null,
  advice,
});

export const asked: Ways = {
  E_USAGE: called('a flag that is none', 'status --zzz', /--help/),
  E_INPUT_TOO_LARGE: called('an event that never ends', 'check --event /dev/zero', /Name the right file/),
  E_INSIDE_CLIENT: called('a person’s verb in the client', 'trust', /\/modes:/, { env: { CLAUDECODE: '1' } }),
  E_NOBODY: called('a question without a terminal', 'trust', /modes trust --expect/),
  E_DECLINED: called('a no', 'trust', /and confirm/, { types: 'no' }),
  E_FORBIDDEN: {
    what: 'what the organisation lets nobody do',
    meets() {
      const at = new Layered()
        .put('project', 'modes.yaml', modesYaml())
        .put('managed', 'teams.yaml', 'authority: {trust: false}\n');
      let said = '';
      const terminal = { out: (text: string) => (said = text), err: () => undefined, colour: false, ask: async () => null };
      refuse({ code: 'E_FORBIDDEN', message: forbidden(placeAt(at), 'trust') ?? '' }, { json: true }, terminal as never);
      return [(JSON.parse(said) as { error: Met }).error];
    },
    at: null,
    advice: /Ask the maintainer/,
  },
  E_OTHER_CONTENT: called('another content than was looked at', 'trust --expect sha256:0', /give the hash that you reviewed/),
  E_NOT_FOUND: called('a decision that was never made', 'explain 0000', /modes log/),
  E_NOT_STOPPED: called('sessions that never began', 'stop', /modes validate/, {
    happens: (project) => project.put('.claude/modes.yaml', `scope: session\n${project.get('.claude/modes.yaml')}`),
  }),
  E_SERVER_SILENT: called('a server that ends at once', 'servers quiet --yes', /\/mcp/, {
    happens: (project) => project.put('.mcp.json', '{"mcpServers": {"quiet": {"command": "true"}}}'),
  }),
  E_IN_THE_WAY: called('nothing to take back', 'init --undo --yes', /Move, fix or add/),
  E_LOG_DAMAGED: called('a log that is a file', 'log', /disk/, {
    happens({ data, root }) {
      const folder = logFolder(data, root);
      putFile(folder, '');
    },
  }),
  E_LATER_VERSION: called('approvals of a later version', 'trust --revoke', /Use that version, or move the file/, {
    happens({ data, root }) {
      fs.mkdirSync(projectFolder(data, root), { recursive: true });
      fs.writeFileSync(trustFile(data, root), '{"version":2}');
    },
  }),
  E_DISK: called('a data folder that is a link to itself', 'stop', /Free some space/, {
    happens: ({ data }) => {
      fs.rmSync(data, { recursive: true });
      fs.symlinkSync(path.basename(data), data);
    },
  }),
  E_UNFORESEEN: called('a data folder that is a file', 'stop', /modes doctor/, {
    happens: ({ data }) => {
      fs.rmSync(data, { recursive: true });
      fs.writeFileSync(data, '');
    },
  }),
  E_HOOK_NODE: hooked('no Node anywhere', /Install Node/, (fixture) => {
    fs.rmSync(path.join(fixture.data, 'node'));
    fixture.without('perl', 'curl');
  }),
  E_HOOK_CHECK: hooked('a process that fails', /modes validate/, (fixture) => fixture.oneShot({ code: 1, answer: '' })),
  E_CALL: {
    what: 'an event that is nested too deeply',
    async meets() {
      const at = new Layered().put('project', 'modes.yaml', modesYaml());
      shareCompiled(at.data);
      return [metIn(await at.decide('Write', { file_path: 'a', more: JSON.parse('['.repeat(300) + ']'.repeat(300)) }))];
    },
    at: null,
    advice: /^Simplify /,
  },
};
