// What a version of Modes makes of files that an older one wrote, the same, or a newer one, and of none: nothing is guessed, and what is
// not understood never opens anything.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { planUndo } from '../../../src/app/setup/undo.ts';
import { projectFolder } from '../../../src/platform/data-folder.ts';
import { makeBundle } from '../../../src/policy/bundle.ts';
import { readBundle, writeBundle } from '../../../src/policy/cache.ts';
import { keepBundle, readCachedBundle, teamsFolder } from '../../../src/store/cached-bundle.ts';
import { LoggedApprovals } from '../../../src/store/log/approvals.ts';
import { eventType, readEvent } from '../../../src/store/log/event.ts';
import { readSessionOrigin, writeSessionOrigin } from '../../../src/store/session-origin.ts';
import { readPin, setPin } from '../../../src/store/session-pins.ts';
import { type ConfigSnapshot, readSnapshot, writeSnapshot } from '../../../src/store/snapshots.ts';
import { isTrusted, recordTrust, trustFile } from '../../../src/store/trust.ts';
import { authorityAfter, noAuthority } from '../../../src/workflow/grants.ts';
import { noWork, workAfter } from '../../../src/workflow/plan/work.ts';
import { putFile } from '../../support/files.ts';
import { change, makeFolder, makeProject, tdd } from '../../support/folder-project.ts';

type Version = 'older' | 'same' | 'newer' | 'none';
/** What becomes of each, as the reader of the format says it. */
interface Format {
  name: string;
  /** Writes it as this version does, changes it, and reads it. */
  read(version: Version): unknown;
  becomes: Record<Version, unknown>;
}

const at = new Date('2026-01-01T00:00:00Z');
const root = '/p';
const content: ConfigSnapshot = [
  {
    layer: 'project',
    shown: '.claude/',
    vanished: false,
    signature: '',
    root,
    files: [{ name: '.claude/modes.yaml', text: 'a' }],
    faults: [],
    strays: [],
  },
];

type Json = Record<string, unknown>;
const rewrite = (file: string, changed: (value: Json) => unknown) =>
  fs.writeFileSync(file, `${JSON.stringify(changed(JSON.parse(fs.readFileSync(file, 'utf8')) as Json))}\n`);

/** Removes the file, or writes it as another version would. `former`: what only later versions of this one's format have is left out. */
function turn(file: string, version: Version, former: (value: Json) => Json = (value) => value): void {
  if (version === 'none') fs.rmSync(file);
  if (version === 'older') rewrite(file, former);
  if (version === 'newer') rewrite(file, (value) => ({ ...value, version: 2, more: 'of a later version' }));
}

/** The state that a project is in after a change to test-dev, and what then happens to a file of it. */
function stateAfter(change_: (files: { entry: string; view: string }) => void) {
  const project = makeProject();
  project.open().change(change('idle', 'test-dev'), tdd, at);
  change_({ entry: project.entries()[0]!, view: project.view });
  const { mode, degraded: trouble } = project.open().read(tdd);
  return trouble === null ? mode : `${trouble.code}${/later version/.test(trouble.message) ? ', a later version' : ''}`;
}

const formats: Format[] = [
  {
    name: 'the journal',
    read: (version) => stateAfter(({ entry }) => turn(entry, version, ({ evidence: _, ...rest }) => rest)),
    becomes: {
      older: 'test-dev',
      same: 'test-dev',
      newer: 'E_JOURNAL_BROKEN, a later version',
      none: 'E_JOURNAL_BROKEN',
    },
  },
  {
    name: 'the view, which nobody decides by',
    read: (version) => stateAfter(({ view }) => turn(view, version, () => ({ currentMode: 'feature-dev', history: [] }))),
    becomes: { older: 'test-dev', same: 'test-dev', newer: 'test-dev', none: 'test-dev' },
  },
  {
    name: 'what a person trusted',
    read: (version) => {
      const data = makeFolder();
      recordTrust(data, root, 'sha256:a', 'terminal', at);
      turn(trustFile(data, root), version, (value) => ({ ...value, approved: [{ hash: 'sha256:a' }] }));
      return isTrusted(data, root, 'sha256:a');
    },
    becomes: { older: true, same: true, newer: false, none: false },
  },
  {
    name: 'what a session began with',
    read: (version) => {
      const data = makeFolder();
      setPin(data, root, 's', content, at);
      turn(path.join(projectFolder(data, root), 'pins/s.json'), version, ({ at: _, ...rest }) => rest);
      const pin = readPin(data, root, 's');
      return pin === null || pin === 'damaged' ? pin : 'pinned';
    },
    // "damaged" is E_PIN_LOST, which a person answers with /modes:trust.
    becomes: { older: 'pinned', same: 'pinned', newer: 'damaged', none: null },
  },
  {
    name: 'a copy of a content',
    read: (version) => {
      const data = makeFolder();
      const id = writeSnapshot(data, root, content);
      const file = path.join(projectFolder(data, root), 'contents', `${id}.json`);
      // A later version finds the identity by more than we know of.
      if (version === 'newer') rewrite(file, (value) => [{ ...(value as unknown as Json[])[0], shown: 'elsewhere' }]);
      else turn(file, version, (value) => value);
      return readSnapshot(data, root, id) === null ? 'lost' : 'found';
    },
    becomes: { older: 'found', same: 'found', newer: 'lost', none: 'lost' },
  },
  {
    name: 'where a session began',
    read: (version) => {
      const data = makeFolder();
      writeSessionOrigin(data, 's', { root, folder: `${root}/.claude`, layer: 'project' });
      turn(path.join(data, 'begun/s.json'), version);
      return readSessionOrigin(data, 's')?.root ?? null;
    },
    // It only ever says where to look; a later version may say more.
    becomes: { older: root, same: root, newer: root, none: null },
  },
  {
    name: 'a bundle in the cache',
    read: (version) => {
      const folder = makeFolder();
      const bundle = makeBundle({ mode: 'idle', data: {}, wasm: Buffer.from('w'), entrypoints: ['modes/verdict'] });
      writeBundle(folder, 'a'.repeat(64), bundle);
      turn(path.join(folder, `${'a'.repeat(64)}.json`), version === 'newer' ? 'same' : version);
      // What a bundle is made from is in its key: a later version has another one.
      const read = readBundle(folder, version === 'newer' ? 'b'.repeat(64) : 'a'.repeat(64));
      return read.found ? 'found' : (read.problem?.code ?? 'made again');
    },
    becomes: { older: 'found', same: 'found', newer: 'made again', none: 'made again' },
  },
  {
    name: 'a grant',
    read: (version) => {
      const act = {
        did: version === 'newer' ? 'grant more' : 'grant',
        text: 'Bash(git push)',
        rules: ['Bash(git push)'],
        bounds: {},
      };
      const entry = { kind: 'authority', number: 2, session: 's', timestamp: at.toISOString() };
      const given = version === 'none' ? entry : { ...entry, authority: act };
      return authorityAfter(noAuthority, given as never).grants.length;
    },
    becomes: { older: 1, same: 1, newer: 0, none: 0 },
  },
  {
    name: 'a plan',
    read: (version) => {
      const plan = { title: 'p', items: ['one'] };
      const work = { did: version === 'newer' ? 'begin more' : 'begin', plan };
      return workAfter(noWork, { kind: 'plan', ...(version === 'none' ? {} : { work }) } as never).plans.length;
    },
    becomes: { older: 1, same: 1, newer: 0, none: 0 },
  },
  {
    name: 'a line of the decision log',
    read: (version) => {
      const line = {
        type: version === 'newer' ? 'decision of a later version' : eventType,
        decision_id: 'd',
        timestamp: at.toISOString(),
        labels: {},
        bundles: {},
        input: {},
        result: { decision: 'deny', mode: 'm', tool: 'Read', by: 'default', rules: [], reason: '', remedy: '' },
      };
      return readEvent(version === 'none' ? '' : JSON.stringify(line)) === null ? 'left out' : 'read';
    },
    becomes: { older: 'read', same: 'read', newer: 'left out', none: 'left out' },
  },
  {
    name: 'the bundle of an organisation',
    read: (version) => {
      const data = makeFolder();
      const kept = {
        version: 1 as const,
        pins: 'p',
        url: 'u',
        revision: '1',
        issuedAt: null,
        expires: null,
        archive: 'a',
        files: [],
      };
      keepBundle(data, kept, { checked: 0, until: 1, stale: 'narrow', etag: null });
      turn(path.join(teamsFolder(data), 'fresh.json'), version);
      return readCachedBundle(data)?.revision ?? 'E_BUNDLE_MISSING';
    },
    becomes: { older: '1', same: '1', newer: 'E_BUNDLE_MISSING', none: 'E_BUNDLE_MISSING' },
  },
  {
    name: 'what a setup wrote',
    read: (version) => {
      const data = makeFolder();
      const file = path.join(projectFolder(data, root), 'setups.json');
      putFile(file, JSON.stringify({ version: 1, setups: [] }));
      turn(file, version);
      try {
        const plan = planUndo(data, root);
        return 'error' in plan ? plan.error.split(':')[0] : 'taken back';
      } catch (error) {
        return (error as Error).message.replace(file, 'it');
      }
    },
    becomes: {
      older: 'Nothing to undo',
      same: 'Nothing to undo',
      newer: 'it was written by a later version of Modes. Use that version, or move the file.',
      none: 'Nothing to undo',
    },
  },
  {
    name: 'what a person approved in the client',
    read: (version) => {
      const data = makeFolder();
      const log = new LoggedApprovals(data, root);
      if (version !== 'none') log.note('s', 't');
      const folder = path.join(projectFolder(data, root), 'approved');
      if (version === 'newer') for (const name of fs.readdirSync(folder)) turn(path.join(folder, name), version);
      return log.read().size;
    },
    becomes: { older: 1, same: 1, newer: 0, none: 0 },
  },
];

describe.each(formats)('$name', ({ read, becomes }) => {
  test.each(['older', 'same', 'newer', 'none'] as const)('%s', (version) => {
    expect(read(version)).toEqual(becomes[version]);
  });
});
