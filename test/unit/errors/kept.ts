// State, pins and caches: what a call, a verb and a server say of each.

import fs from 'node:fs';
import path from 'node:path';
import { makeBundle } from '../../../src/policy/bundle.ts';
import { bundleKey, obtainBundle } from '../../../src/policy/cache.ts';
import { readCore } from '../../../src/policy/core.ts';
import { pinsFolder } from '../../../src/store/session-pins.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { remedyOf } from '../../../src/workflow/state.ts';
import { makeFolder } from '../../support/folder-project.ts';
import { Layered, modesYaml } from '../../support/layered-project.ts';
import { metIn } from './compiled.ts';
import { shareCompiled, type Way, type Ways } from './way.ts';

/** What a write is told after something happened to the project's state. */
const told = (what: string, advice: RegExp, happens: (at: Layered) => unknown, topology = modesYaml()): Way => ({
  what,
  async meets() {
    const at = new Layered().put('project', 'modes.yaml', topology);
    shareCompiled(at.data);
    await happens(at);
    return [metIn(await at.decide('Write', { file_path: path.join(at.root, 'a'), content: '' }))];
  },
  at: null,
  advice,
});

const person = { session: null, permissionMode: null };
const journalOf = (at: Layered) => {
  const projects = path.join(at.data, 'projects');
  const [name = ''] = fs.readdirSync(projects).filter((one) => fs.existsSync(path.join(projects, one, 'journal')));
  return path.join(projects, name, 'journal');
};

export const kept: Ways = {
  E_STOPPED: told('work that was stopped', /\/modes:mode NAME/, async (at) =>
    (await at.open()).for(nobody).transitions.stop('modes stop', person),
  ),
  E_JOURNAL_BROKEN: told('a journal that was cut', /\/modes:mode NAME/, async (at) => {
    (await at.open()).for(nobody).transitions.force('two', 'x', person);
    for (const name of fs.readdirSync(journalOf(at))) fs.truncateSync(path.join(journalOf(at), name), 9);
  }),
  E_VIEW_WITHOUT_JOURNAL: told('a folder that was copied', /\/modes:mode NAME/, (at) =>
    at.put('project', 'mode-state.json', '{"currentMode":"two","history":[]}'),
  ),
  E_NO_SESSION: told('a call of no session', /CLAUDE_CODE_SESSION_ID/, () => undefined, `scope: session\n${modesYaml()}`),
  E_NO_TOPOLOGY: {
    what: 'modes that cannot be used',
    async meets() {
      const { degraded: trouble } = (await new Layered().put('project', 'modes.yaml', '[').open()).for(nobody).state();
      return trouble === null ? [] : [{ ...trouble, remedy: remedyOf(trouble) }];
    },
    at: null,
    advice: /modes validate/,
  },
  E_PIN_LOST: {
    what: 'a session whose record is damaged',
    async meets() {
      const at = new Layered().put('project', 'modes.yaml', modesYaml());
      shareCompiled(at.data);
      await at.write('a', 's1');
      fs.writeFileSync(path.join(pinsFolder(at.data, at.root), 's1.json'), 'null');
      return [metIn(await at.decide('Write', { file_path: path.join(at.root, 'a'), content: '' }, 's1'))];
    },
    at: null,
    advice: /\/modes:trust/,
  },
  E_CORE_DAMAGED: {
    what: 'a core that is not what was shipped',
    meets() {
      const folder = makeFolder();
      fs.mkdirSync(path.join(folder, 'dist'));
      fs.writeFileSync(path.join(folder, 'dist/core.json'), '{"wasm":"sha256:0"}');
      fs.writeFileSync(path.join(folder, 'dist/core.wasm'), 'x');
      const read = readCore(folder);
      return read.ok ? [] : read.problems;
    },
    at: null,
    advice: /Install the plugin again/,
  },
  W_BUNDLE_CACHE: {
    what: 'a bundle in the cache that was damaged',
    async meets() {
      const folder = path.join(makeFolder(), 'cache');
      const bundle = makeBundle({ mode: 'm', wasm: Buffer.from('x'), entrypoints: ['modes/verdict'], data: {} });
      const key = bundleKey({ mode: 'm' });
      await obtainBundle(folder, key, async () => ({ ok: true, bundle }));
      fs.writeFileSync(path.join(folder, `${key}.json`), '{');
      const again = await obtainBundle(folder, key, async () => ({ ok: true, bundle }));
      return again.ok ? again.warnings : again.problems;
    },
    at: null,
    advice: /./,
  },
};
