// Faults of programs, disks and files: of the one-shot process, the data folder, the configuration, the state.
import fs from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../src/platform/data-folder.ts';
import {
  both,
  cannotMount,
  damages,
  each,
  effect,
  filesBelow,
  inPlaceOf,
  isServed,
  mounted,
  program,
  run,
  script,
} from './break.ts';
import { type Fault, inTurn } from './fault.ts';
import { enter, leave, modesFile, type Site, settingsFile, viewFile } from './site.ts';

const nodeFile = ({ data }: Site) => path.join(data, 'node');
const noNode = script((text) => text.replace(/^PATH=\S+$/m, 'PATH=/nonexistent'));
const noRecord = inPlaceOf(nodeFile, (file) => fs.writeFileSync(file, '/nonexistent/node\n'));
/** The recorded Node is this one. */
const nodeIs = (text: string | ((site: Site) => string)) =>
  inPlaceOf(nodeFile, (file, site) => {
    fs.writeFileSync(file, `${program(site, 'node', typeof text === 'string' ? text : text(site))}\n`);
  });
const refused = 'nothing can decide: refused with the reason';

/** Of a session without a server. */
export const oneShotFaults: Fault[] = [
  { name: 'server never up', how: '`--strict-mcp-config` keeps it out', goesOn: true },
  {
    name: 'Node missing',
    how: 'neither recorded nor on the search path',
    ...both(noNode, noRecord),
    goesOn: refused,
    says: /node is not found.*Node 20/s,
  },
  {
    name: 'Node too old',
    how: 'a Node that says it is 18.20',
    ...nodeIs((site) => {
      const old = path.join(site.root, 'old.cjs');
      fs.writeFileSync(old, "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });\n");
      return `exec '${process.execPath}' --require '${old}' "$@"`;
    }),
    goesOn: refused,
    says: /Node 18\.20\.8 is too old; 20\.11 or newer/,
  },
  { name: 'Node crashing', how: 'a Node that is killed by SIGSEGV', ...nodeIs('kill -SEGV $$'), goesOn: refused },
  { name: 'Node answering `{}` and failing', how: 'prints it and exits 1', ...nodeIs('echo {}; exit 1'), goesOn: refused },
  { name: 'Node answering text', how: 'prints it and exits 0', ...nodeIs('echo fine'), goesOn: refused },
  {
    name: 'one-shot process missing',
    how: 'dist/hook.cjs removed',
    ...inPlaceOf(
      ({ plugin }) => path.join(plugin, 'dist/hook.cjs'),
      (file) => fs.rmSync(file),
    ),
    goesOn: refused,
  },
];

/** Of a session whose server lives: it decides without the one-shot process. */
const noOneShot = both(
  { make: isServed },
  inPlaceOf(
    ({ plugin }) => path.join(plugin, 'dist/hook.cjs'),
    (file) => fs.writeFileSync(file, 'process.exit(1);'),
  ),
);
export const servedProgramFaults: Fault[] = [
  { name: 'one-shot process broken, perl asks', how: 'only the server can decide', ...noOneShot, goesOn: true },
  {
    name: 'one-shot process broken, curl asks',
    how: 'the same without perl',
    ...both(
      noOneShot,
      script((text) => text.replace(/^perl=\S+$/m, 'perl=')),
    ),
    goesOn: true,
  },
  {
    name: 'Node missing, server up',
    how: 'neither recorded nor on the search path: curl asks',
    ...both(
      { make: isServed },
      script((text, site) =>
        text.replace(/^PATH=\S+$/m, `PATH='${path.dirname(program(site, 'curl-alone/curl', 'exec /usr/bin/curl "$@"'))}'`),
      ),
      noRecord,
    ),
    goesOn: true,
  },
  {
    name: 'Node and curl missing, server up',
    how: 'the same with an empty search path',
    ...both(noNode, noRecord),
    goesOn: refused,
  },
];

const cacheFolder = ({ data }: Site) => path.join(data, 'cache');
/** Every file gets the bytes of the next one of its kind. */
const swap = (folder: string) => {
  const files = filesBelow(folder);
  const bytes = files.map((file) => fs.readFileSync(file));
  for (const [at, file] of files.entries()) {
    const kin = files.flatMap((other, index) => (path.extname(other) === path.extname(file) && other !== file ? [index] : []));
    const next = kin.find((index) => index > at) ?? kin[0];
    if (next !== undefined) fs.writeFileSync(file, bytes[next]!);
  }
};

export const cacheFaults = inTurn([
  ...damages.map(
    ([name, how]): Fault => ({ name: `caches ${name}`, how: 'every file', ...inPlaceOf(cacheFolder, each(how)), goesOn: true }),
  ),
  {
    name: 'caches swapped',
    how: 'each file has the bytes of another of its kind',
    ...inPlaceOf(cacheFolder, swap),
    goesOn: true,
  },
  {
    name: 'caches of another version',
    how: 'every number 1 after `version` is 9',
    ...inPlaceOf(
      cacheFolder,
      each((file) => {
        const text = fs.readFileSync(file, 'latin1');
        fs.writeFileSync(file, text.replaceAll(/("version"\s*:\s*)1/g, '$19'), 'latin1');
      }),
    ),
    goesOn: true,
  },
]);

const fill = (folder: string) => {
  const file = fs.openSync(path.join(folder, 'full'), 'w');
  try {
    for (const size of [1 << 20, 4_096, 1]) {
      for (;;) if (fs.writeSync(file, Buffer.alloc(size)) < size) break;
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    fs.closeSync(file);
  }
};

export const diskFaults: Fault[] = [
  {
    name: 'data folder full',
    how: 'a tmpfs of 8 MB, filled',
    ...mounted(fill, '-t', 'tmpfs', '-o', 'size=8m'),
    goesOn: true,
    cannot: cannotMount,
  },
  {
    name: 'data folder read-only',
    how: 'a file system mounted read-only',
    ...mounted((folder) => run('mount', '-o', 'remount,ro', folder), '-t', 'tmpfs', '-o', 'size=8m'),
    goesOn: true,
    cannot: cannotMount,
  },
];

const view = (site: Site) => path.join(site.project, viewFile);
const written = (text: string) => (file: string) => {
  fs.rmSync(file, { recursive: true, force: true });
  fs.writeFileSync(file, text);
};
export const viewFaults = inTurn(
  [
    ...damages,
    ...(
      [
        ['null', 'null'],
        ['rewritten by hand', '{"currentMode":"free","history":[]}'],
        ['naming the mode constructor', '{"currentMode":"constructor","history":[]}'],
      ] as [string, string][]
    ).map(([name, text]): [string, (file: string) => void] => [name, written(text)]),
  ].map(([name, how]) => ({
    name: `mode-state.json ${name}`,
    how: 'the view; the journal is whole',
    ...inPlaceOf(view, how),
    goesOn: true as const,
  })),
);

const readOnly = 'the mode is not known: reads only, until a person names it';
const journal = (site: Site) => path.join(projectFolder(site.data, site.project), 'journal');
const entry = (folder: string, number: number) => path.join(folder, `${String(number).padStart(8, '0')}.json`);
export const journalFaults: Fault[] = [
  ...inTurn(
    damages.map(([name, how]) => ({
      name: `journal ${name}`,
      how: 'its newest entry',
      ...inPlaceOf(journal, (folder) => how(entry(folder, 1))),
      goesOn: readOnly,
    })),
  ),
  {
    name: 'journal with a forged entry',
    how: 'an entry that opens everything, without its hash',
    ...inPlaceOf(journal, (folder) => {
      const text = fs.readFileSync(entry(folder, 1), 'utf8');
      fs.writeFileSync(entry(folder, 2), text.replace('"number":1', '"number":2').replace('"to":"tests"', '"to":"free"'));
    }),
    goesOn: readOnly,
  },
  {
    name: 'journal gone with its folder',
    how: 'the view still names the mode',
    ...inPlaceOf(journal, (folder) => fs.rmSync(folder, { recursive: true })),
    goesOn: readOnly,
  },
  {
    name: 'clock set back',
    how: 'the newest entries of the journal are of the year 2099',
    ...inPlaceOf(journal, (_, site) => {
      leave(site, new Date('2099-01-01'));
      enter(site, new Date('2099-01-02'));
    }),
    goesOn: true,
  },
  ...inTurn(
    damages.slice(1).map(([name, how]) => ({
      name: `data folder, every file ${name}`,
      how: 'journal, trust, pins, caches',
      ...inPlaceOf(({ data }) => data, each(how)),
      goesOn: readOnly,
    })),
  ),
  {
    name: 'data folder gone',
    how: 'removed altogether, trust included',
    ...inPlaceOf(
      ({ data }) => data,
      (folder) => fs.rmSync(folder, { recursive: true }),
    ),
    goesOn: readOnly,
  },
];

export const configFaults = inTurn([
  ...damages
    .filter(([name]) => !/overwritten|bit/.test(name))
    .map(
      ([name, how]): Fault => ({
        name: `modes.yaml ${name}`,
        how: 'during the session',
        ...inPlaceOf(({ project }) => path.join(project, modesFile), how, effect),
        goesOn: true,
      }),
    ),
  ...damages
    .filter(([name]) => /gone|cut|FIFO/.test(name))
    .map(
      ([name, how]): Fault => ({
        name: `settings of the mode ${name}`,
        how: 'during the session',
        ...inPlaceOf(({ project }) => path.join(project, settingsFile), how, effect),
        goesOn: name === 'gone' ? 'client' : true,
      }),
    ),
]);

export const movedFaults: Fault[] = [
  {
    name: 'project moved during the session',
    how: 'its folder renamed; calls name the old place',
    make: (site) => {
      fs.renameSync(site.project, `${site.project}-moved`);
    },
    mend: (site) => {
      fs.rmSync(site.project, { recursive: true, force: true });
      fs.renameSync(`${site.project}-moved`, site.project);
    },
    goesOn: 'its configuration is gone',
  },
];
