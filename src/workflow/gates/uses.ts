// The files that define what a gate's own command does. A person approves them with the configuration, and a change of one closes
// the gate.

import path from 'node:path';
import * as z from 'zod/mini';
import { definedBy } from '../../engine/lint/scripts.ts';
import { describeRequirement } from '../../engine/requirement-text.ts';
import { otherCheckoutsOf } from '../../facts/paths/worktrees.ts';
import { contents, differences, hashFiles, type Tree, type TreeScope } from '../../git/file-tree.ts';
import type { Topology } from '../../model/configuration.ts';
import type { Requirement } from '../../model/requirement.ts';
import { projectFolder } from '../../platform/data-folder.ts';
import { sha256 } from '../../platform/hash.ts';
import { belowOf, inside } from '../../platform/path-text.ts';
import { fields, pairs, RecordKind } from '../../store/record.ts';
import { globScope } from './globs.ts';
import { list } from './unmet.ts';

/** A check with a command that Modes runs itself. */
export type EngineCommand = Requirement & { check: 'run' | 'review' | 'tests' };

/** Lockfiles that a test command makes of its manifest if there are none. */
const derived = /(?:^|\/)(?:Cargo\.lock|uv\.lock|deno\.lock|Gemfile\.lock|go(?:\.work)?\.sum)$/;

/** Changed files, without a lockfile that is new. The command itself may have made it, and its manifest defines what it may contain. */
export function changesIn(before: Tree, after: Tree): string[] {
  return differences(before, after).filter((name) => before.has(name) || !derived.test(name));
}

/** Default of `uses:`, in the root and in the folders of the command: manifests, lockfiles, runners. */
const usual = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'pnpm-workspace.yaml',
  'bun.lock',
  'bun.lockb',
  'bunfig.toml',
  'deno.json',
  'deno.jsonc',
  'deno.lock',
  '.npmrc',
  '.yarnrc*',
  '.pnpmfile.*',
  '.pnp.*',
  '.yarn/{releases,plugins}/**',
  '*.config{,.*}.{js,cjs,mjs,ts,cts,mts,json}',
  'vitest.workspace.*',
  'karma.conf.*',
  'jasmine.json',
  '{jest,vitest}.setup.*',
  'setupTests.*',
  '.mocharc*',
  '.taprc',
  '.babelrc*',
  '.swcrc',
  '.c8rc*',
  '.nycrc*',
  'tsconfig*.json',
  '.eslintrc*',
  '.eslintignore',
  'biome.json*',
  '{turbo,nx,lerna}.json',
  'turbo.jsonc',
  '{M,m}akefile',
  'GNUmakefile',
  '*.mk',
  '{,.}{J,j}ustfile',
  '{T,t}askfile.y*ml',
  'pyproject.toml',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'Pipfile*',
  'requirements*.txt',
  'setup.{py,cfg}',
  'tox.ini',
  '{uv,poetry,hatch,tox}.toml',
  'noxfile.py',
  'pytest.ini',
  '.pytest.ini',
  'conftest.py',
  '.coveragerc',
  '{,.}mypy.ini',
  '{,.}ruff.toml',
  '{,.}pylintrc',
  '.flake8',
  'Cargo.{toml,lock}',
  'build.rs',
  '.cargo/config*',
  'rust-toolchain*',
  '.config/nextest.toml',
  'go.{mod,sum,work}',
  'Gemfile*',
  'Rakefile',
  '.bundle/config',
  '.rspec',
  'composer.{json,lock}',
  'phpunit.xml*',
  'pom.xml',
  '.mvn/**',
  // Gradle writes its state to the folder .gradle in every run.
  '?*.gradle*',
  'gradle.lockfile',
  'gradle.properties',
  'gradle/wrapper/**',
  'build.xml',
  'CMakeLists.txt',
  '.bazelrc',
  'WORKSPACE*',
  'MODULE.bazel',
  'Package.swift',
  'mix.{exs,lock}',
  '.env*',
];

/** Folders that contain some of these files. */
const usualFolders = ['.yarn/releases', '.yarn/plugins', '.cargo', '.bundle', '.config', '.mvn', 'gradle/wrapper'];

export function isEngineCommand(requirement: Requirement): requirement is EngineCommand {
  return requirement.check === 'run' || requirement.check === 'review' || requirement.check === 'tests';
}

/** Every check of a topology with a command that Modes runs. */
export function engineCommandsOf(topology: Topology | null): EngineCommand[] {
  const modes = [...(topology?.modes.values() ?? [])];
  return modes.flatMap((mode) => mode.transitions.flatMap(({ require }) => require.filter(isEngineCommand)));
}

/** The files that define a command: those in `uses:` or the defaults of its folders, and those that its words name. */
export function usesScope({ command, in: folder, uses }: EngineCommand, home: string): TreeScope {
  const { scripts: named, folders: entered, trees } = definedBy(command, folder);
  const scripts = new Set(named);
  const isNamed = (name: string): boolean =>
    scripts.has(name) || entered.includes(name) || trees.some((tree) => inside(name, tree));
  const leads = (name: string): boolean => [...scripts, ...entered, ...trees].some((one) => one !== '.' && inside(one, name));
  if (uses !== null) {
    const meant = globScope(uses, true, home);
    return { ...meant, file: (name) => isNamed(name) || meant.file(name), meant: (name) => meant.meant(name) || leads(name) };
  }
  const folders = [...new Set(['.', ...entered])];
  const manifests = globScope(
    usual.map((name) => `/${name}`),
    true,
    home,
  );
  // These are in known folders, so no other folder is searched.
  const within = folders.flatMap((one) => usualFolders.map((name) => path.posix.join(one, name)));
  const deep = [...within, ...trees];
  const paths = [...folders, ...deep, ...[...scripts, ...folders].map((name) => path.posix.dirname(name))];
  return {
    file: (name) =>
      isNamed(name) ||
      folders.some((one) => (one === '.' ? manifests.file(name) : inside(name, one) && manifests.file(belowOf(name, one)))),
    folder: (name) => paths.some((one) => one === name || one.startsWith(`${name}/`)) || deep.some((one) => inside(name, one)),
    meant: leads,
  };
}

/** The approved hash of each file, by the key of the command. */
const approvedFiles = new RecordKind({
  schema: fields({ root: z.string(), checks: pairs(pairs(z.string())) }),
  // 50,000 files take about 6 MB.
  maxBytes: 67_108_864,
});

/** The approved files of one project. */
export class UsedFiles {
  private readonly file: string;

  constructor(
    private readonly root: string,
    private readonly home: string,
    private readonly dataFolder: string,
    /** The folder whose files are compared. */
    private readonly context = root,
  ) {
    this.file = recordFile(dataFolder, root);
  }

  /** The same record, compared with the files of another folder. */
  at(context: string): UsedFiles {
    return context === this.context ? this : new UsedFiles(this.root, this.home, this.dataFolder, context);
  }

  /** Names of files that differ from the approved ones; null: no record for this check. Throws TreeError. */
  changed(check: EngineCommand): string[] | null {
    const approved = this.roots().flatMap((root) => this.read(root).get(keyOf(check)) ?? []);
    if (approved.length === 0) return null;
    const present = this.look(check);
    const changes = approved.map((one) => differences(one, present));
    return changes.find(({ length }) => length === 0) ?? (changes[0] as string[]);
  }

  /** Messages for a person: commands with unapproved or changed files, and those files. Throws TreeError. */
  describeChanges(checks: readonly EngineCommand[]): string[] {
    const lines = checks.flatMap((check) => {
      const changed = this.changed(check);
      if (changed === null) {
        const names = [...this.look(check).keys()].sort();
        return [`${describeRequirement(check)}: the engine runs it; it uses ${names.length === 0 ? 'no files' : list(names)}`];
      }
      return changed.length === 0 ? [] : [`${describeRequirement(check)}: ${list(changed)} changed`];
    });
    return [...new Set(lines)];
  }

  /**
   * Records the present files if `approvalHash` covers exactly them. Throws LaterVersion, TreeError, or if the disk refuses.
   */
  trust(hash: string, checks: readonly EngineCommand[], approvalHash: string): boolean {
    const files = this.now(checks);
    if (hashOf(hash, files) !== approvalHash) return false;
    if (checks.length === 0) return true;
    approvedFiles.refuseLater(this.file);
    approvedFiles.write(this.file, { root: this.root, checks: files });
    return true;
  }

  /** The hash that a person approves: of the configuration and, if there are such checks, of these files. Throws TreeError. */
  approvalHashOf(hash: string, checks: readonly EngineCommand[]): string {
    return hashOf(hash, this.now(checks));
  }

  private now(checks: readonly EngineCommand[]): Map<string, Tree> {
    return new Map(checks.map((check) => [keyOf(check), this.look(check)]));
  }

  private look(check: EngineCommand): Tree {
    return contents(hashFiles(this.context, usesScope(check, this.home)));
  }

  /** Folders whose approvals of the same files count. */
  private roots(): string[] {
    return [this.root, ...otherCheckoutsOf(this.root)];
  }

  /** Empty if the record is absent or damaged: then nothing is approved. */
  private read(root: string): ReadonlyMap<string, Tree> {
    const stored = approvedFiles.read(recordFile(this.dataFolder, root));
    return stored?.root === root ? stored.checks : new Map();
  }
}

function recordFile(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'uses.json');
}

function hashOf(hash: string, files: ReadonlyMap<string, Tree>): string {
  if (files.size === 0) return hash;
  const all = [...files].map(([key, tree]) => [key, [...tree].sort()]);
  return sha256(JSON.stringify([hash, all]));
}

function keyOf({ command, in: folder, uses }: EngineCommand): string {
  return JSON.stringify([command, folder, uses]);
}
