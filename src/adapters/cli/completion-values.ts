// Known values: modes of the project, presets, words that an option accepts. Each is looked up only when it is needed.
import path from 'node:path';
import type { CompletionRequest, Fitting, ValuesOf } from './completion-words.ts';

type Source = (asked: CompletionRequest) => Promise<readonly string[]>;

const times: Source = async () => ['10m', '1h', '1d', '7d', '30d'];

/** By option or argument; `VERB NAME` if it means something else for that verb. */
export const values: Readonly<Record<string, Source>> = {
  '--mode': modesOf,
  '--preset': async () => {
    const [{ listPresets }, { packageRoot }] = await Promise.all([
      import('../../app/setup/setup.ts'),
      import('../../platform/package.ts'),
    ]);
    return listPresets(packageRoot(import.meta.url));
  },
  '--decision': async () => (await import('./log.ts')).decisions,
  '--tool': async () => [...(await import('../../facts/table.ts')).tools.keys()],
  '--since': times,
  '--until': times,
  '--fail-on': async () => (await import('../../app/log/changes.ts')).classes,
  '--theme': async () => (await import('./graph.ts')).themes,
  '--format': async () => (await import('./policy-coverage.ts')).formats,
  '--alg': async () => Object.keys((await import('../../teams/keys.ts')).ALGORITHMS),
  '--target': async () => (await import('./policy-build.ts')).targets,
  '--harness': async () => [...(await import('../harnesses/table.ts')).harnesses.keys()],
  'hook event': async () => (await import('./one-shot.ts')).events,
  'completion shell': async () => (await import('./completion-scripts.ts')).shells,
};

/** Kind of file name by placeholder, for values that the shell itself completes. */
const ofDisk: Readonly<Record<string, 'files' | 'folders'>> = {
  folder: 'folders',
  file: 'files',
  program: 'files',
  paths: 'files',
  before: 'folders',
  after: 'folders',
};

export const valuesOf: ValuesOf = async (asked): Promise<Fitting | null> => {
  const { verb, name, placeholder } = asked;
  const key = [`${verb} ${name}`, name].find((one) => Object.hasOwn(values, one));
  if (key !== undefined)
    return { kind: 'words', words: (await (values[key] as Source)(asked)).map((value) => ({ value, about: '' })) };
  return Object.hasOwn(ofDisk, placeholder) ? { kind: ofDisk[placeholder] as 'files' | 'folders' } : null;
};

/** Names that modes.yaml permits; anything else is not a mode. */
const modeName = /^[A-Za-z][A-Za-z0-9_-]*$/;

/** Read only from modes.yaml: nothing is compiled, and no trust is needed. */
async function modesOf({ given }: CompletionRequest): Promise<readonly string[]> {
  const [{ readConfigFile }, { findProject }, { layerFolders }, { packageRoot }, { readTopology }, { placeOf }] =
    await Promise.all([
      import('../../config/disk.ts'),
      import('../../store/find-project.ts'),
      import('../../platform/layer-folders.ts'),
      import('../../platform/package.ts'),
      import('../../config/topology.ts'),
      import('../../facts/paths/place.ts'),
    ]);
  const start = path.resolve(given.get('--project') || process.env.CLAUDE_PROJECT_DIR || '.');
  const place = placeOf(start, process.env, packageRoot(import.meta.url));
  const found = findProject(start, place);
  const layer = found && layerFolders(found.root, place).find(({ layer }) => layer === found.layer);
  if (!found || !layer) return [];
  const reading = readConfigFile(
    { base: path.dirname(found.folder), shown: '', within: null },
    `${path.basename(found.folder)}/modes.yaml`,
  );
  if (reading === null || 'fault' in reading) return [];
  return [...(readTopology(reading.file, found.layer).names ?? [])].filter((name) => modeName.test(name));
}
