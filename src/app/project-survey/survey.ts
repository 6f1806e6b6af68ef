// The survey of a project: its package managers, commands, packages, sources and tests. Pure: it reads a list of files.
import { sharedServersIn } from '../mcp-servers.ts';
import { type CommandKind, commandKinds, findCommands, type ProjectCommand } from './commands.ts';
import type { ProjectFiles } from './files.ts';
import { type Ecosystem, type FoundManager, findManagers } from './managers.ts';
import { findPlaces, type SurveyPlaces, sourceEndings } from './places.ts';
import { findWorkspaces, type Workspace } from './workspaces.ts';

export interface ProjectSurvey extends SurveyPlaces {
  managers: FoundManager[];
  /** Test commands first, the one to use at the top. */
  commands: ProjectCommand[];
  workspaces: Workspace[];
  /** Folders with a project of their own, if the root has none. */
  below: string[];
  /** MCP servers that the project's `.mcp.json` names, and their kinds if Modes knows them. */
  servers: { name: string; kind: string | null }[];
  /** True if there are more files than were looked at. */
  isCut: boolean;
}

export function surveyProject(files: ProjectFiles): ProjectSurvey {
  const managers = findManagers(files).sort(bySources(files));
  const workspaces = findWorkspaces(files);
  const ecosystems = managers.map(({ ecosystem }) => ecosystem);
  return {
    managers,
    commands: findCommands(files, managers, workspaces),
    workspaces,
    below: managers.length > 0 ? [] : projectsBelow(files),
    servers: sharedServersIn(files.text('.mcp.json') ?? '{}'),
    ...findPlaces(files, ecosystems, workspaces),
    isCut: files.isCut,
  };
}

const manifest =
  /^((?:[^/]+\/)?[^/]+)\/(?:package\.json|deno\.jsonc?|pyproject\.toml|setup\.py|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|mix\.exs|[^/]+\.csproj)$/;

function projectsBelow({ names }: ProjectFiles): string[] {
  return [...new Set(names.flatMap((name) => manifest.exec(name)?.[1] ?? []))].sort();
}

/** The language with the most sources first: its tests are the tests of the project. */
function bySources(files: ProjectFiles): (one: FoundManager, other: FoundManager) => number {
  const counts = new Map<Ecosystem, number>();
  const countOf = (ecosystem: Ecosystem): number => {
    const count = counts.get(ecosystem) ?? files.names.filter((name) => sourceEndings[ecosystem].test(name)).length;
    counts.set(ecosystem, count);
    return count;
  };
  return (one, other) => countOf(other.ecosystem) - countOf(one.ecosystem);
}

/** The command of a kind to use; null: none was found. */
export function commandOf({ commands }: ProjectSurvey, kind: CommandKind): ProjectCommand | null {
  return commands.find((one) => one.kind === kind) ?? null;
}

const titles: { readonly [kind in CommandKind]: string } = { test: 'tests', lint: 'lint', types: 'type check', build: 'build' };

/** The survey as lines for a person; empty if there is nothing to show. */
export function surveyLines(survey: ProjectSurvey): string[] {
  const { managers, workspaces, below, servers, sources, tests, guarded, inside, isCut } = survey;
  const command = (kind: CommandKind) =>
    survey.commands
      .filter((one) => one.kind === kind)
      .map(({ text, from, runner }) => `${text}  (${runner === null ? '' : `${runner}, `}${from})`)
      .join(', ');
  const globs = (places: readonly { glob: string }[]) => places.map(({ glob }) => glob).join(', ');
  const rows: [title: string, text: string][] = [
    ['package manager', managers.map(({ name, from }) => `${name}  (${from})`).join(', ')],
    ['packages', workspaces.map(({ pattern, folders }) => `${pattern}  (${folders.length})`).join(', ')],
    ['projects below', below.join(', ')],
    ...commandKinds.map((kind): [string, string] => [titles[kind], command(kind)]),
    ['sources', globs(sources)],
    ['test files', globs(tests)],
    ['tests in sources', inside.length === 0 ? '' : `${inside[0]}${inside.length > 1 ? ` and ${inside.length - 1} more` : ''}`],
    ['sensitive', globs(guarded)],
    ['MCP servers', servers.map(({ name }) => name).join(', ')],
    ['not complete', isCut ? 'the project has more files than were looked at' : ''],
  ];
  const shown = rows.filter(([, text]) => text !== '');
  const width = Math.max(...shown.map(([title]) => title.length));
  return shown.map(([title, text]) => `${title.padEnd(width)}  ${text}`);
}
