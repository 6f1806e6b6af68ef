// modes suggest --project: what was found in a folder, and the files that modes init would write for it. Nothing is written.
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { readProject } from '../../app/project-survey/files.ts';
import { commandOf, type ProjectSurvey, surveyLines, surveyProject } from '../../app/project-survey/survey.ts';
import { planSetup, type SetupPlan, setupText } from '../../app/setup/setup.ts';
import { configFolderOf, homeOf } from '../../facts/paths/place.ts';
import { requirePreset } from './init.ts';
import { startFolder } from './open.ts';
import { toJson } from './outputs/json.ts';
import { refuse } from './refuse.ts';
import { exits, type Terminal } from './terminal.ts';

export interface SuggestProjectOptions {
  json?: boolean;
  preset?: string;
}

export function suggestProject(options: SuggestProjectOptions, terminal: Terminal): number {
  const root = startFolder(undefined);
  const packageRoot = findPackageRoot();
  const survey = surveyProject(readProject(root));
  // Tests whose results can be read are worth gates that check them.
  const preset = options.preset ?? ((commandOf(survey, 'test')?.runner ?? null) === null ? 'tdd-words' : 'tdd-checked');
  requirePreset(preset, packageRoot);
  const configFolder = configFolderOf(process.env);
  const plan = planSetup({ root, preset, packageRoot, configFolder, home: homeOf(process.env), survey });
  if ('error' in plan) return refuse({ code: 'E_IN_THE_WAY', message: plan.error, remedy: null }, options, terminal);
  terminal.out(options.json ? toJson<'suggest'>(plain(plan, survey), 2) : textOf(plan, survey));
  return exits.fine;
}

function textOf(plan: SetupPlan, survey: ProjectSurvey): string {
  if (plan.fit !== null) return `${setupText(plan)}\nTo write them: modes init --preset ${plan.preset}`;
  const found = surveyLines(survey).map((line) => `  ${line}`);
  const rest = plan.steps.length === 0 ? 'Everything is already set up.' : `A setup would still write:\n${setupText(plan)}`;
  return ['Found in this project:', ...found, 'This project has modes already (.claude/modes.yaml).', rest].join('\n');
}

function plain({ root, preset, steps, fit }: SetupPlan, survey: ProjectSurvey) {
  const { managers, commands, workspaces, servers, sources, tests, inside, guarded, isCut } = survey;
  return {
    version: 1 as const,
    project: root,
    preset,
    found: {
      managers: managers.map(({ name, from }) => ({ name, from })),
      commands: commands.map(({ kind, text, runner, why, from }) => ({ kind, text, runner, why, from })),
      packages: workspaces,
      sources: sources.map(({ glob }) => glob),
      tests: tests.map(({ glob, kind }) => ({ glob, kind })),
      tests_in_sources: inside,
      sensitive: guarded.map(({ glob, group }) => ({ glob, group })),
      mcp_servers: servers,
      complete: !isCut,
    },
    fitted: fit === null ? null : { commands: fit.replaced, added: fit.added },
    notes: fit?.notes ?? [],
    instead: fit?.instead ?? null,
    files: steps.map(({ file, kind, what }) => ({ file: path.relative(root, file), kind, what })),
  };
}
