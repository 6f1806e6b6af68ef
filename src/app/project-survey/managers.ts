// Package managers and build tools: which files show them, and how a command of the project is written with each.
import type { ProjectFiles } from './files.ts';
import { findSign, type Sign } from './signs.ts';

/** A language with its tools. */
export type Ecosystem =
  | 'node'
  | 'deno'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'dotnet'
  | 'ruby'
  | 'php'
  | 'elixir'
  | 'c'
  | 'swift'
  | 'dart';

export interface Manager {
  name: string;
  ecosystem: Ecosystem;
  /** A statement of the project about its manager. It counts more than a lock file. */
  declared: readonly Sign[];
  locks: readonly Sign[];
  manifests: readonly Sign[];
  /** Words before a program that the manager installs, such as `uv run`; '' if it is called by its own name. */
  run: string;
}

const packageManager = (name: string): Sign => ({
  file: 'package.json',
  holds: new RegExp(`"packageManager"\\s*:\\s*"${name}@`),
});
const sign = (file: string): Sign => ({ file });
/** A table of its own, or its package as the build backend. */
const section = (name: string): Sign => ({
  file: 'pyproject.toml',
  holds: new RegExp(`^\\[+tool\\.${name}[.\\]]|^build-backend\\s*=\\s*"${name}[._]`, 'm'),
});

/** In one ecosystem the first match counts: by statement, then by lock file, then by manifest. */
export const managers = [
  {
    name: 'pnpm',
    ecosystem: 'node',
    declared: [packageManager('pnpm')],
    locks: ['pnpm-lock.yaml', 'pnpm-workspace.yaml'].map(sign),
    manifests: [],
    run: 'pnpm exec',
  },
  {
    name: 'yarn',
    ecosystem: 'node',
    declared: [packageManager('yarn')],
    locks: ['yarn.lock', '.yarnrc.yml'].map(sign),
    manifests: [],
    run: 'yarn run',
  },
  {
    name: 'bun',
    ecosystem: 'node',
    declared: [packageManager('bun')],
    locks: ['bun.lock', 'bun.lockb', 'bunfig.toml'].map(sign),
    manifests: [],
    run: 'bunx',
  },
  {
    name: 'npm',
    ecosystem: 'node',
    declared: [packageManager('npm')],
    locks: ['package-lock.json', 'npm-shrinkwrap.json'].map(sign),
    manifests: [sign('package.json')],
    run: 'npx',
  },
  { name: 'deno', ecosystem: 'deno', declared: [], locks: [sign('deno.lock')], manifests: [sign('deno.json*')], run: '' },
  { name: 'uv', ecosystem: 'python', declared: [section('uv')], locks: [sign('uv.lock')], manifests: [], run: 'uv run' },
  {
    name: 'poetry',
    ecosystem: 'python',
    declared: [section('poetry')],
    locks: [sign('poetry.lock')],
    manifests: [],
    run: 'poetry run',
  },
  {
    name: 'pipenv',
    ecosystem: 'python',
    declared: [],
    locks: [sign('Pipfile.lock')],
    manifests: [sign('Pipfile')],
    run: 'pipenv run',
  },
  { name: 'pdm', ecosystem: 'python', declared: [section('pdm')], locks: [sign('pdm.lock')], manifests: [], run: 'pdm run' },
  {
    name: 'pip',
    ecosystem: 'python',
    declared: [],
    locks: [],
    manifests: ['requirements*.txt', 'requirements/*.txt', 'pyproject.toml', 'setup.py', 'setup.cfg', 'manage.py'].map(sign),
    run: '',
  },
  { name: 'go', ecosystem: 'go', declared: [], locks: [], manifests: ['go.mod', 'go.work'].map(sign), run: '' },
  { name: 'cargo', ecosystem: 'rust', declared: [], locks: [], manifests: [sign('Cargo.toml')], run: '' },
  { name: 'maven', ecosystem: 'java', declared: [], locks: [], manifests: [sign('pom.xml')], run: '' },
  {
    name: 'gradle',
    ecosystem: 'java',
    declared: [],
    locks: [],
    manifests: ['build.gradle*', 'settings.gradle*'].map(sign),
    run: '',
  },
  {
    name: 'dotnet',
    ecosystem: 'dotnet',
    declared: [],
    locks: [],
    manifests: ['*.sln', '*.slnx', '*.csproj', '*.fsproj', '*/*.csproj', '*/*.fsproj', '*/*/*.csproj'].map(sign),
    run: '',
  },
  {
    name: 'bundler',
    ecosystem: 'ruby',
    declared: [],
    locks: [sign('Gemfile.lock')],
    manifests: ['Gemfile', '*.gemspec'].map(sign),
    run: 'bundle exec',
  },
  {
    name: 'composer',
    ecosystem: 'php',
    declared: [],
    locks: [sign('composer.lock')],
    manifests: [sign('composer.json')],
    run: '',
  },
  { name: 'mix', ecosystem: 'elixir', declared: [], locks: [sign('mix.lock')], manifests: [sign('mix.exs')], run: '' },
  { name: 'cmake', ecosystem: 'c', declared: [], locks: [], manifests: [sign('CMakeLists.txt')], run: '' },
  { name: 'meson', ecosystem: 'c', declared: [], locks: [], manifests: [sign('meson.build')], run: '' },
  { name: 'swift', ecosystem: 'swift', declared: [], locks: [], manifests: [sign('Package.swift')], run: '' },
  { name: 'pub', ecosystem: 'dart', declared: [], locks: [], manifests: [sign('pubspec.yaml')], run: '' },
] as const satisfies readonly Manager[];

export type ManagerName = (typeof managers)[number]['name'];

export interface FoundManager {
  name: ManagerName;
  ecosystem: Ecosystem;
  run: string;
  /** The file that shows it. */
  from: string;
}

/** At most one manager for each ecosystem. */
export function findManagers(files: ProjectFiles): FoundManager[] {
  const ecosystems = [...new Set(managers.map(({ ecosystem }) => ecosystem))];
  return ecosystems.flatMap((ecosystem) => {
    const own = managers.filter((one) => one.ecosystem === ecosystem);
    for (const strength of ['declared', 'locks', 'manifests'] as const)
      for (const { name, run, ...signs } of own) {
        const from = findSign(files, signs[strength]);
        if (from !== null) return [{ name, ecosystem, run, from }];
      }
    return [];
  });
}
