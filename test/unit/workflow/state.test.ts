// The mode of a project: the journal is the truth, the view follows it.
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { StateStore } from '../../../src/workflow/state.ts';
import { change, makeProject, tdd, topologyOf, walk } from '../../support/folder-project.ts';

const viewOf = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'));

describe('the mode', () => {
  test('is the default before the first change', () => {
    expect(makeProject().open().read(tdd)).toMatchObject({
      mode: 'idle',
      degraded: null,
      since: null,
      enteredBy: null,
      entries: [],
    });
  });

  test('is the target of the last change, with its time and author', () => {
    const project = makeProject();
    project.open().change(change('idle', 'test-dev', { actor: 'person' }), tdd, new Date(7));
    expect(project.open().read(tdd)).toMatchObject({
      mode: 'test-dev',
      degraded: null,
      since: '1970-01-01T00:00:00.007Z',
      enteredBy: 'person',
    });
  });

  test('is seen by another session at once', () => {
    const project = makeProject();
    const [one, other] = [project.open(), project.open()];
    expect(other.read(tdd).mode).toBe('idle');
    walk(one, 1);
    expect(other.read(tdd).mode).toBe('test-dev');
  });

  test('is detected even if the first change happens between the checks of the journal and the state file', () => {
    const project = makeProject();
    const reader = project.open();
    const { lstatSync } = fs;
    const look = vi.spyOn(fs, 'lstatSync').mockImplementation(((...given: Parameters<typeof lstatSync>) => {
      if (given[0] === reader.viewFile) {
        look.mockRestore();
        walk(project.open(), 1);
      }
      return lstatSync(...given);
    }) as typeof lstatSync);
    expect(reader.read(tdd)).toMatchObject({ mode: 'test-dev', degraded: null });
  });

  test.each(['gone', 'constructor', '__proto__', 'toString', 'hasOwnProperty', ''])(
    'is unknown if the journal names %j, which modes.yaml does not have',
    (mode) => {
      const project = makeProject();
      project.open().change(change('idle', mode), tdd, new Date());
      expect(project.open().read(tdd)).toMatchObject({ mode: null, degraded: { code: 'E_UNKNOWN_MODE' } });
    },
  );

  test('may have the name of an object property', () => {
    const modes = topologyOf({ constructor: ['toString'], toString: [] });
    const project = makeProject();
    expect(project.open().read(modes).mode).toBe('constructor');
    expect(project.open().change(change('constructor', 'toString'), modes, new Date())).not.toBeNull();
    expect(project.open().read(modes).mode).toBe('toString');
  });

  test('is unknown if modes.yaml cannot be used', () => {
    const project = makeProject();
    expect(project.open().read(null)).toMatchObject({ mode: null, degraded: { code: 'E_NO_TOPOLOGY' } });
  });

  test('is unknown with a broken journal [w:state.chain]', () => {
    const project = makeProject();
    walk(project.open(), 2);
    fs.truncateSync(project.entries()[1] as string, 9);
    expect(project.open().read(tdd)).toMatchObject({
      mode: null,
      degraded: { code: 'E_JOURNAL_BROKEN' },
      entries: { length: 1 },
    });
  });
});

describe('a state file without a journal', () => {
  test.each([
    ['a seed installation', '{"currentMode":"feature-dev","history":[]}'],
    ['nothing in it', ''],
    ['null', 'null'],
  ])('(%s) means that the mode is unknown', (_, text) => {
    const project = makeProject();
    fs.writeFileSync(project.view, text);
    expect(project.open().read(tdd)).toMatchObject({ mode: null, degraded: { code: 'E_VIEW_WITHOUT_JOURNAL' } });
    expect(project.open().refreshView(tdd)).toBe(false);
    expect(fs.readFileSync(project.view, 'utf8')).toBe(text);
  });

  test('is the state of a copied folder [w:state.copied]', () => {
    const project = makeProject();
    walk(project.open(), 1);
    const copy = `${project.root}-copy`;
    fs.cpSync(project.root, copy, { recursive: true });
    expect(new StateStore(copy, path.join(copy, '.claude'), project.data).read(tdd).degraded?.code).toBe(
      'E_VIEW_WITHOUT_JOURNAL',
    );
  });

  test('also counts as a broken link or a folder', () => {
    for (const make of [(file: string) => fs.symlinkSync('gone', file), (file: string) => fs.mkdirSync(file)]) {
      const project = makeProject();
      make(project.view);
      expect(project.open().read(tdd).degraded?.code).toBe('E_VIEW_WITHOUT_JOURNAL');
    }
  });

  test('ends when a person names the mode [w:state.copied]', () => {
    const project = makeProject();
    fs.writeFileSync(project.view, '{"currentMode":"feature-dev","history":[]}');
    expect(project.open().change(change(null, 'idle', { kind: 'force', actor: 'person' }), tdd, new Date())).not.toBeNull();
    expect(project.open().read(tdd)).toMatchObject({ mode: 'idle', degraded: null });
    expect(viewOf(project.view)).toMatchObject({ currentMode: 'idle', history: [{ from: '', to: 'idle' }] });
  });
});

describe('a change', () => {
  test('is refused with null if the mode has changed', () => {
    const project = makeProject();
    const store = project.open();
    expect(store.change(change('test-dev', 'feature-dev'), tdd, new Date())).toBeNull();
    expect(store.change(change(null, 'feature-dev'), tdd, new Date())).toBeNull();
    walk(project.open(), 1);
    expect(store.change(change('idle', 'test-dev'), tdd, new Date())).toBeNull();
    expect(project.open().read(tdd).entries).toHaveLength(1);
  });

  test('with a broken journal keeps the old one and starts a new one', () => {
    const project = makeProject();
    walk(project.open(), 3);
    fs.writeFileSync(project.entries()[1] as string, 'broken');
    const store = project.open();
    expect(store.change(change('idle', 'test-dev'), tdd, new Date())).toBeNull();
    expect(store.change(change(null, 'test-dev', { kind: 'force', actor: 'person' }), tdd, new Date())?.number).toBe(1);
    expect(store.read(tdd)).toMatchObject({ mode: 'test-dev', degraded: null, entries: { length: 1 } });
    const beside = fs.readdirSync(path.dirname(path.dirname(project.entries()[0] as string)));
    expect(beside.filter((name) => name.startsWith('journal.broken-'))).toHaveLength(1);
  });

  test('of a session that knew the old journal is refused after a person repaired it', () => {
    const project = makeProject();
    walk(project.open(), 2);
    const other = project.open();
    expect(other.read(tdd).mode).toBe('feature-dev');
    fs.writeFileSync(project.entries()[0] as string, 'broken');
    project.open().change(change(null, 'idle', { kind: 'force', actor: 'person' }), tdd, new Date());
    expect(other.change(change('feature-dev', 'idle'), tdd, new Date())).toBeNull();
    expect(other.read(tdd)).toMatchObject({ mode: 'idle', degraded: null });
  });

  test('of two persons who repair at once may be refused for both, but no acknowledged one is lost', () => {
    const project = makeProject();
    walk(project.open(), 2);
    fs.writeFileSync(project.entries()[0] as string, 'broken');
    const [one, other] = [project.open(), project.open()];
    expect(one.read(tdd).degraded?.code).toBe('E_JOURNAL_BROKEN');
    expect(other.read(tdd).degraded?.code).toBe('E_JOURNAL_BROKEN');
    expect(one.change(change(null, 'idle', { kind: 'force' }), tdd, new Date())).not.toBeNull();
    expect(other.change(change(null, 'feature-dev', { kind: 'force' }), tdd, new Date())).toBeNull();
    expect(project.open().read(tdd).mode).toBe('idle');
  });

  test('is made even if the state file cannot be written, and that is reported', () => {
    const project = makeProject();
    fs.mkdirSync(project.view);
    const store = project.open();
    expect(store.change(change(null, 'idle', { kind: 'force' }), tdd, new Date())).not.toBeNull();
    expect(store.stateFileFault).toMatch(/is not a file/);
    expect(store.refreshView(tdd)).toBe(false);
    fs.rmdirSync(project.view);
    walk(store, 1);
    expect(store.stateFileFault).toBeNull();
    fs.rmSync(project.claude, { recursive: true });
    expect(store.change(change('test-dev', 'feature-dev'), tdd, new Date())).not.toBeNull();
    expect(store.stateFileFault).toMatch(/ENOENT/);
  });
});

describe('the state file', () => {
  test('has the shape of the source document [w:state.shape]', () => {
    const project = makeProject();
    project.open().change(change('idle', 'test-dev', { explanation: 'a bug' }), tdd, new Date(0));
    expect(viewOf(project.view)).toEqual({
      currentMode: 'test-dev',
      history: [{ from: 'idle', to: 'test-dev', timestamp: '1970-01-01T00:00:00.000Z', explanation: 'a bug' }],
    });
  });

  test('shows the newest fifty changes [w:state.shape]', () => {
    const project = makeProject();
    walk(project.open(), 53);
    const { history } = viewOf(project.view);
    expect(history).toHaveLength(50);
    expect(history.at(-1).to).toBe(project.open().read(tdd).mode);
  });

  test('is not created before the first change', () => {
    const project = makeProject();
    expect(project.open().refreshView(tdd)).toBe(false);
    expect(fs.existsSync(project.view)).toBe(false);
  });

  const ways: [string, (file: string) => void][] = [
    ['edited by hand', (file) => fs.writeFileSync(file, '{"currentMode":"feature-dev","history":[]}')],
    ['torn', (file) => fs.truncateSync(file, 20)],
    ['null', (file) => fs.writeFileSync(file, 'null')],
    ['empty', (file) => fs.truncateSync(file, 0)],
    ['gone', (file) => fs.rmSync(file)],
    ['very large', (file) => fs.truncateSync(file, 3_000_000)],
    ['a link to another view', (file) => fs.renameSync(file, `${file}.x`) ?? fs.symlinkSync(`${file}.x`, file)],
    ['a link to nothing', (file) => fs.rmSync(file) ?? fs.symlinkSync('gone', file)],
    ['a link to a file that never ends', (file) => fs.rmSync(file) ?? fs.symlinkSync('/dev/zero', file)],
  ];
  test.each(ways)(
    '%s is rewritten from the journal, which decides meanwhile [s:threat.chained] [w:state.journal] [w:state.view-rewritten]',
    (_, damage) => {
      const project = makeProject();
      walk(project.open(), 1);
      const before = fs.readFileSync(project.view, 'utf8');
      damage(project.view);
      expect(project.open().read(tdd).mode).toBe('test-dev');
      expect(project.open().refreshView(tdd)).toBe(true);
      expect(fs.lstatSync(project.view).isFile()).toBe(true);
      expect(fs.readFileSync(project.view, 'utf8')).toBe(before);
      expect(project.open().refreshView(tdd)).toBe(false);
    },
  );

  test('is not written through a link', () => {
    const project = makeProject();
    walk(project.open(), 1);
    fs.writeFileSync(`${project.root}/target`, 'mine');
    fs.rmSync(project.view);
    fs.symlinkSync('../target', project.view);
    project.open().refreshView(tdd);
    expect(fs.readFileSync(`${project.root}/target`, 'utf8')).toBe('mine');
  });
});
