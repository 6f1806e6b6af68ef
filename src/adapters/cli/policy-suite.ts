// A suite: the policies of a project, or of a standalone folder, with their tests and cases.
import fs from 'node:fs';
import path from 'node:path';
import { readConfigFile } from '../../config/disk.ts';
import { readSources } from '../../config/sources.ts';
import { placeOf } from '../../facts/paths/place.ts';
import type { ConfigFile } from '../../model/configuration.ts';
import type { Problem } from '../../model/problem.ts';
import { layerFolders, PROJECT_SHOWN, projectLayer } from '../../platform/layer-folders.ts';
import type { Modules } from '../../policy/compiler/types.ts';
import { cachedLayers } from '../../store/cached-bundle.ts';
import type { ConfigSnapshot } from '../../store/snapshots.ts';
import { CASES_FILE, type Case, readCases } from './policy-cases.ts';
import { UsageError } from './terminal.ts';

const POLICIES = `${PROJECT_SHOWN}policies/`;
const MAX_DEPTH = 12;
/** Root of the empty project for tests of standalone policies, wherever their folder is. */
const NOWHERE = '/nonexistent/project';

export interface Suite {
  /** Name as a person sees it; file names begin with it. */
  name: string;
  /** Absolute: the working folder of the calls in the cases. */
  root: string;
  content: ConfigSnapshot;
  /** Custom policies by name, without tests. */
  custom: Modules;
  tests: Modules;
  cases: Case[];
  problems: Problem[];
  /** The policies belong to no project, so its modes are unknown. */
  isAlone: boolean;
  /** Name of a configuration file as a person sees it. */
  shown(name: string): string;
}

export interface SuiteOptions {
  env: NodeJS.ProcessEnv;
  packageRoot: string;
  /** Include the user's and the organization's layers. */
  layers?: boolean;
}

/**
 * The suite of a path. The path is a project with `.claude/modes.yaml`, tests and cases somewhere in it (then only those count),
 * or a standalone folder of policies. Throws `UsageError` if the path does not exist.
 */
export function openSuite(named: string, options: SuiteOptions): Suite {
  const given = path.resolve(named);
  if (!fs.existsSync(given)) throw new UsageError(`there is no ${named}`);
  const real = fs.realpathSync.native(given);
  const root = projectOf(real);
  return root === null ? openAlone(real, path.relative('.', given) || '.') : openProjectSuite(root, real, options);
}

/**
 * The project that a path is, or is in. null for a folder with policies of its own outside of `.claude`, and if no project
 * contains the path.
 */
function projectOf(given: string): string | null {
  let root = given;
  while (!fs.existsSync(path.join(root, '.claude/modes.yaml'))) {
    if (root === path.dirname(root)) return null;
    root = path.dirname(root);
  }
  const isOwn = given === root || `${given}/`.startsWith(`${root}/.claude/`);
  return isOwn || !filesBelow(given).some((file) => isPolicy(file, '')) ? root : null;
}

function openProjectSuite(root: string, given: string, { env, packageRoot, layers = false }: SuiteOptions): Suite {
  const place = placeOf(root, env, packageRoot);
  const counted = layers ? layerFolders(root, place) : [projectLayer(root)];
  const own = counted.map((layer) => readSources(layer));
  const content = layers ? [...own, ...cachedLayers(place.dataFolder, own, Date.now())] : own;
  const { folder, within } = projectLayer(root);
  const beside = given === root || given === folder ? path.join(folder, 'policies') : given;
  const at = { base: root, shown: '', within };
  const found = filesBelow(beside).map((file) => readConfigFile(at, path.relative(root, file)));
  const custom = Object.fromEntries(
    content.flatMap(({ files, shown }) => files.filter(({ name }) => isPolicy(name, `${shown}policies/`))).map(pair),
  );
  return { name: path.relative(root, beside), root, content, custom, ...sort(found), isAlone: false, shown: (name) => name };
}

/** Opens a folder outside any project: its policies are put into the project layer of an otherwise empty project. */
function openAlone(folder: string, name: string): Suite {
  const base = fs.statSync(folder).isDirectory() ? folder : path.dirname(folder);
  const prefix = base === folder ? (name === '.' ? '' : `${name}/`) : name.slice(0, name.length - path.basename(folder).length);
  const at = { base, shown: prefix, within: base };
  const files = filesBelow(base);
  const policies = files.filter((file) => isPolicy(file, `${base}/`));
  const rest = files.filter((file) => !policies.includes(file) && (file === folder || folder === base));
  const read = (file: string) => readConfigFile(at, `${prefix}${path.relative(base, file)}`);
  const custom = sort([...policies].map(read), true);
  const { tests, cases, problems } = sort(rest.map(read));
  const inside = (name: string) => `${POLICIES}${name.slice(prefix.length)}`;
  const modes = [...new Set(['work', ...cases.flatMap(({ mode }) => (mode === null ? [] : [mode]))])];
  const topology = `name: policies\ndefault: work\nmodes:\n${modes.map((mode) => `  ${JSON.stringify(mode)}: {}\n`).join('')}`;
  const snapshot: ConfigSnapshot = [
    {
      layer: 'project',
      shown: PROJECT_SHOWN,
      vanished: false,
      signature: '',
      root: NOWHERE,
      files: [
        { name: `${PROJECT_SHOWN}modes.yaml`, text: topology },
        { name: `${PROJECT_SHOWN}settings.any.json`, text: '{}' },
        ...Object.entries(custom.tests).map(([file, text]) => ({ name: inside(file), text })),
      ],
      faults: [],
      strays: [],
    },
  ];
  return {
    name,
    root: NOWHERE,
    content: snapshot,
    custom: custom.tests,
    tests,
    cases,
    problems: [...custom.problems, ...problems],
    isAlone: true,
    shown: (file) => (file.startsWith(POLICIES) ? `${prefix}${file.slice(POLICIES.length)}` : file),
  };
}

/** Sorts the files into Rego and cases, with their problems. `policies`: Rego files of any name count. */
function sort(found: ReturnType<typeof readConfigFile>[], policies = false): Pick<Suite, 'tests' | 'cases' | 'problems'> {
  const files: ConfigFile[] = found.flatMap((one) => (one !== null && 'file' in one ? [one.file] : []));
  const faults = found.flatMap((one) => (one !== null && 'fault' in one ? [one.fault] : []));
  const rego = files.filter(({ name }) => name.endsWith(policies ? '.rego' : '_test.rego'));
  const read = files.filter(({ name }) => CASES_FILE.test(name)).map(({ name, text }) => readCases(name, text));
  return {
    tests: Object.fromEntries(rego.map(pair)),
    cases: read.flatMap(({ cases }) => cases),
    problems: [...faults, ...read.flatMap(({ problems }) => problems)],
  };
}

const pair = ({ name, text }: ConfigFile): [string, string] => [name, text];

function isPolicy(name: string, folder: string): boolean {
  return name.startsWith(folder) && name.endsWith('.rego') && !name.endsWith('_test.rego');
}

/** A file, or all files in a folder and its subfolders, sorted, without hidden ones. Links to folders are not followed. */
function filesBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH || !fs.existsSync(folder)) return [];
  if (!fs.statSync(folder).isDirectory()) return [folder];
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const file = path.join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(file, depth + 1) : [file];
    });
}
