// The packages of a project that has several, as its manifests list them.

import { parse as parseYaml } from 'yaml';
import { parseObject } from '../../platform/json-object.ts';
import type { ProjectFiles } from './files.ts';
import { namesLike, starPattern } from './signs.ts';

export interface Workspace {
  /** As the manifest has it, such as `packages/*`; without `./` and a final slash. */
  pattern: string;
  /** Folders that exist, relative to the root. */
  folders: string[];
}

/** Manifests that list packages. `read` returns folders or patterns of folders. */
const manifests: readonly { file: string; read(text: string): readonly string[] }[] = [
  { file: 'package.json', read: (text) => stringsIn(jsonOf(text).workspaces) },
  { file: 'pnpm-workspace.yaml', read: (text) => stringsIn((yamlOf(text) as { packages?: unknown } | null)?.packages) },
  { file: 'lerna.json', read: (text) => stringsIn(jsonOf(text).packages) },
  { file: 'Cargo.toml', read: (text) => listOf(text, 'workspace', 'members') },
  { file: 'pyproject.toml', read: (text) => listOf(text, 'tool.uv.workspace', 'members') },
  {
    file: 'go.work',
    read: (text) =>
      [...text.matchAll(/^use\s*(?:\(([^)]*)\)|(\S+))/gm)].flatMap(([, block, one]) => (one ?? block ?? '').split(/\s+/)),
  },
  { file: 'pom.xml', read: (text) => [...text.matchAll(/<module>\s*([^<\s]+)\s*<\/module>/g)].map(([, name = '']) => name) },
  { file: 'settings.gradle*', read: gradleProjects },
  {
    file: '*.sln',
    read: (text) =>
      [...text.matchAll(/^Project\([^)]*\)\s*=\s*"[^"]*",\s*"([^"]+)[\\/][^"\\/]+\.\w+proj"/gm)].map(([, name = '']) =>
        name.replaceAll('\\', '/'),
      ),
  },
];

export function findWorkspaces(files: ProjectFiles): Workspace[] {
  const patterns = manifests.flatMap(({ file, read }) => namesLike(files, file).flatMap((name) => read(files.text(name) ?? '')));
  const plain = patterns.map((text) => text.replace(/^\.\//, '').replace(/\/+(?:\*\*)?$/, '')).filter(isFolder);
  const folders = foldersOf(files);
  return [...new Set(plain)]
    .map((pattern) => {
      const expression = starPattern(pattern);
      return { pattern, folders: folders.filter((folder) => expression.test(folder)) };
    })
    .filter((one) => one.folders.length > 0);
}

/** Not the root, nothing outside of it, and no exclusion. */
function isFolder(pattern: string): boolean {
  return pattern !== '' && pattern !== '.' && !/^[!/]|(?:^|\/)\.\.(?:\/|$)/.test(pattern);
}

function foldersOf({ names }: ProjectFiles): string[] {
  const folders = new Set<string>();
  for (const name of names)
    for (let end = name.lastIndexOf('/'); end > 0; end = name.lastIndexOf('/', end - 1)) folders.add(name.slice(0, end));
  return [...folders].sort();
}

/** `include 'a', ':b:c'` */
function gradleProjects(text: string): string[] {
  return [...text.matchAll(/^[ \t]*include\b\s*\(?((?:\s*["'][^"']+["'](?:\s*,)?)+)/gm)].flatMap(([, list = '']) =>
    [...list.matchAll(/["']:?([^"']+)["']/g)].map(([, name = '']) => name.replaceAll(':', '/')),
  );
}

/** A list of strings in a table of a TOML file. */
function listOf(text: string, table: string, key: string): string[] {
  const [, body = ''] = text.split(new RegExp(`^\\[${table.replaceAll('.', '\\.')}\\]\\s*$`, 'm'));
  const [own = ''] = body.split(/^\[/m);
  const [, list = ''] = new RegExp(`^${key}\\s*=\\s*\\[([^\\]]*)\\]`, 'm').exec(own) ?? [];
  return [...list.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => double ?? single ?? '');
}

/** `["a"]` or `{"packages": ["a"]}` */
function stringsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((one) => typeof one === 'string');
  return typeof value === 'object' && value !== null ? stringsIn((value as { packages?: unknown }).packages) : [];
}

/** {} for anything but an object. */
export function jsonOf(text: string): Record<string, unknown> {
  return parseObject(text) ?? {};
}

function yamlOf(text: string): unknown {
  try {
    return parseYaml(text);
  } catch {
    return null;
  }
}
