// Suggests the option that keeps a search away from a file that it must not read.
import type { Facts, PathAccess } from '../model/facts.ts';

/** How each search tool excludes a file and a folder. */
const forms: ReadonlyMap<string, { file: (name: string) => string; folder: (name: string) => string }> = new Map([
  ...['grep', 'egrep', 'fgrep', 'rgrep'].map(
    (name) =>
      [
        name,
        { file: (one: string) => `--exclude=${quoted(one)}`, folder: (one: string) => `--exclude-dir=${quoted(one)}` },
      ] as const,
  ),
  ['rg', { file: (name) => `-g '!${name}'`, folder: (name) => `-g '!${name}'` }],
  ['Grep', { file: (name) => `glob "!${name}"`, folder: (name) => `glob "!${name}"` }],
]);

/**
 * Returns what to add to a search that was denied because of a file below its folder. Returns '' if the read is not such a
 * search, or if the denied file is the one that the search named.
 * @param rule the text of the rule that matched
 * @param on the name that it matched
 */
export function exclusion(rule: string, on: string, access: PathAccess | undefined, facts: Facts): string {
  const { tool } = facts;
  if (access !== undefined && takesPathspecs.test(access.via)) return excludedByGit(rule, on, access, facts);
  const form = access?.deep ? forms.get(access.command === null ? tool.name : access.via) : undefined;
  if (form === undefined || !access?.below.some((name) => name.path === on)) return '';
  const parts = on.split('/');
  const folder = folderOf(rule, parts);
  const name = folder ?? (parts.at(-1) as string);
  return /^[\w.@+ -]+$/.test(name) ? `Leave it out: ${folder === null ? form.file(name) : form.folder(name)}.` : '';
}

/** Git commands that print contents and accept pathspecs. */
const takesPathspecs =
  /^git (?:log|show|diff|diff-tree|diff-index|diff-files|whatchanged|reflog|range-diff|format-patch|archive|grep|fast-export|difftool)$/;

/** The pathspec that excludes a tracked file from the output of git. */
function excludedByGit(rule: string, on: string, access: PathAccess, { bash }: Facts): string {
  if (!access.implied || on.startsWith('/') || !access.below.some((name) => name.path === on)) return '';
  const parts = on.split('/');
  const folder = folderOf(rule, parts);
  const name = folder === null ? on : parts.slice(0, parts.indexOf(folder) + 1).join('/');
  if (!/^[\w.@+ /-]+$/.test(name)) return '';
  const spec = access.path === '.' ? `':!${name}'` : `':(top,exclude)${name}'`;
  const isDashed = bash?.commands[access.command ?? -1]?.argv.includes('--') ?? false;
  return isDashed ? `Leave it out: add the pathspec ${spec}.` : `Leave it out: add -- . ${spec}.`;
}

/** The folder that a rule covers whole (`secrets/`, `secrets/**`), if its name is literal. */
function folderOf(rule: string, parts: string[]): string | null {
  const inner = /\((.*)\)$/s.exec(rule)?.[1] ?? '';
  const last = /(?<![^/*?[\]{}])([^/*?[\]{}]+)\/(?:\*\*?(?:\/\*)?)?$/.exec(inner)?.[1];
  return last !== undefined && parts.slice(0, -1).includes(last) ? last : null;
}

function quoted(name: string): string {
  return /\s/.test(name) ? `'${name}'` : name;
}
