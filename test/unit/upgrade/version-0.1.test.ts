// Files that version 0.1 wrote are read as they are. `fixtures/data-0.1` is a data folder that its demo left: one project at /tmp/modes-0.1/shop,
// with three changes of mode and 25 decisions.
import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { planUndo } from '../../../src/app/setup/undo.ts';
import { readBundle } from '../../../src/policy/cache.ts';
import { readLastKnownGood } from '../../../src/store/last-known-good.ts';
import { LogFiles, logFolder } from '../../../src/store/log/files.ts';
import { findDecisions } from '../../../src/store/log/query.ts';
import { readSessionOrigin } from '../../../src/store/session-origin.ts';
import { readPin } from '../../../src/store/session-pins.ts';
import { readSnapshot, readTrusted } from '../../../src/store/snapshots.ts';
import { isTrusted, listApprovals, recordTrust } from '../../../src/store/trust.ts';
import { StateStore } from '../../../src/workflow/state.ts';
import { change, makeFolder, tdd } from '../../support/folder-project.ts';
import { repository } from '../../support/plugin.ts';

const root = '/tmp/modes-0.1/shop';
const session = '00000000-0000-4000-8000-000000000001';
const approved = 'sha256:fe34abda4a2260d5006eeb9d129df28b5b2a710d3442db3a9c892854bf508220';
const pinned = '89176937a613f4afa314aedeb100c0157355f3dcca479984cb0afd259fa619fb';
const at = new Date('2026-12-01T00:00:00Z');

let data: string;
let claude: string;

beforeEach(() => {
  const top = makeFolder();
  data = path.join(top, 'data');
  claude = path.join(top, '.claude');
  fs.cpSync(path.join(repository, 'test/unit/upgrade/fixtures/data-0.1'), data, { recursive: true });
  fs.mkdirSync(claude);
  fs.renameSync(path.join(data, 'mode-state.json'), path.join(claude, 'mode-state.json'));
});

const state = () => new StateStore(root, claude, data);

test('the journal gives the mode and its history, and takes the next change', () => {
  expect(state().read(tdd)).toMatchObject({ mode: 'idle', degraded: null });
  expect(state().change(change('idle', 'test-dev'), tdd, at)).toMatchObject({ number: 4, from: 'idle', to: 'test-dev' });
  expect(state().read(tdd)).toMatchObject({ mode: 'test-dev', degraded: null });
  const view = JSON.parse(fs.readFileSync(path.join(claude, 'mode-state.json'), 'utf8'));
  expect(view).toMatchObject({ currentMode: 'test-dev' });
  expect(view.history.map(({ to }: { to: string }) => to)).toEqual(['test-dev', 'feature-dev', 'idle', 'test-dev']);
});

test('a changed entry of the journal breaks its chain', () => {
  const journal = path.join(data, 'projects/893e14bd1f5bd008/journal');
  const entry = path.join(journal, '00000002.json');
  fs.writeFileSync(entry, fs.readFileSync(entry, 'utf8').replace('"to":"feature-dev"', '"to":"anything"'));
  fs.rmSync(path.join(journal, 'newest'));
  expect(state().read(tdd)).toMatchObject({ mode: null, degraded: { code: 'E_JOURNAL_BROKEN' } });
});

test('earlier approvals stay valid, and a further approval joins them', () => {
  expect([isTrusted(data, root, approved), isTrusted(data, root, 'sha256:other')]).toEqual([true, false]);
  recordTrust(data, root, 'sha256:other', 'terminal', at);
  expect(listApprovals(data, root).map(({ hash, by }) => [hash, by])).toEqual([
    ['sha256:other', 'terminal'],
    [approved, 'init'],
  ]);
  expect(readTrusted(data, root, approved)).toMatchObject({ layer: 'project', root });
});

test('a session keeps its pinned configuration', () => {
  expect(readPin(data, root, session)).toMatchObject({ content: pinned });
  const content = readSnapshot(data, root, pinned);
  expect(content?.flatMap(({ files }) => files.map(({ name }) => name))).toContain('.claude/settings.test-dev.json');
  expect(readLastKnownGood(data, root)).toEqual(content);
  expect(readSessionOrigin(data, session)).toMatchObject({ root, layer: 'project' });
});

test('a bundle in the cache is found by its key', () => {
  const [key] = fs.readdirSync(path.join(data, 'cache')).flatMap((name) => /^(.{64})\.json$/.exec(name)?.[1] ?? []);
  const { manifest } = JSON.parse(fs.readFileSync(path.join(data, 'cache', `${key}.json`), 'utf8'));
  const core = { hash: manifest.metadata.files['policy.wasm'], bytes: new Uint8Array([1]) };
  expect(readBundle(path.join(data, 'cache'), key as string, core)).toMatchObject({ found: true, bundle: { manifest } });
});

test('the decision log lists each decision', () => {
  const { events } = findDecisions(new LogFiles(logFolder(data, root)), () => true, 100);
  expect(events).toHaveLength(25);
  const counts = ['allow', 'ask', 'deny'].map((decision) => events.filter(({ result }) => result.decision === decision).length);
  expect(counts).toEqual([9, 1, 15]);
  expect(events.every(({ result }) => result.reason !== '')).toBe(true);
});

test('a setup can be undone', () => {
  expect(planUndo(data, root)).toMatchObject({ root });
});
