// Runs a command so that its runner writes a report for Modes into a folder outside of the project.

import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, projectFolder } from '../../../platform/data-folder.ts';
import { readRegularText } from '../../../platform/read-file.ts';
import { type ReportRequest, type RunnerSearch, runnerNamed, withArguments } from './runners.ts';

/** A command with the report that its runner is asked for. */
export interface RequestedReport extends Pick<ReportRequest, 'format' | 'from'> {
  /** The command, with the arguments for the report. */
  command: string;
  /** The variables for the report. */
  env: ReportRequest['env'];
  /** The reports that the runner wrote. It may write several, each with an ending of its own. */
  read(): string[];
  /** Removes the folder of the report. */
  end(): void;
}

/** Where the folders of a project's reports are. */
export interface ReportPlace {
  dataFolder: string;
  /** Real path of the project. */
  project: string;
}

/** Largest report that is read, in bytes. */
const maxReportBytes = 64 * 1_048_576;

/** Milliseconds after which the folder of a report is removed if its run has not ended. */
const maxAge = 24 * 3_600_000;

/** Whether the runner of a command can be asked for a report in a run of the agent, where its output has to stay as it is. */
export function takesRequest(command: string, search: RunnerSearch): boolean {
  const asked = requestFor(command, search, '/report');
  return asked !== null && (asked.request.from === 'file' || asked.request.format === null);
}

/** Makes the folder for a report. null: the runner cannot be asked for one. */
export function requestReport(
  command: string,
  search: RunnerSearch,
  { dataFolder, project }: ReportPlace,
): RequestedReport | null {
  if (requestFor(command, search, '/report') === null) return null;
  const folder = path.join(projectFolder(dataFolder, project), 'gates');
  makeFolder(folder);
  removeOld(folder);
  const place = fs.mkdtempSync(path.join(folder, reportFolder));
  const file = path.join(place, 'report');
  const { request, text } = requestFor(command, search, file) as AskedCommand;
  for (const [name, content] of Object.entries(request.files ?? {})) fs.writeFileSync(path.join(place, name), content);
  return {
    ...{ command: text, env: request.env, format: request.format, from: request.from },
    read: () => textsOf(file),
    end: () => fs.rmSync(place, { recursive: true, force: true }),
  };
}

export interface RequestedCall extends RequestedReport {
  /** The text of a Bash call that runs the command with its variables. */
  call: string;
}

/** Puts the report into a Bash call of one simple command. A trailing `2>&1` stays at its end. */
export function requestInCall(text: string, search: RunnerSearch, place: ReportPlace): RequestedCall | null {
  const [, bare = text, end = ''] = /^(.*?)([ \t]+2>&1\s*)$/s.exec(text) ?? [];
  if (!takesRequest(bare, search)) return null;
  const asked = requestReport(bare.trim(), search, place);
  if (asked === null) return null;
  const variables = Object.entries(asked.env).map(([name, value]) => {
    const before = optionVariable.test(name) ? `"$${name} "` : '';
    return `${name}=${before}'${value.replaceAll("'", `'\\''`)}' `;
  });
  return { ...asked, call: `${variables.join('')}${asked.command}${end}` };
}

/** Variables with options for a runner. What they had before stays in them. */
const optionVariable = /OPTS$|_OPTIONS$/;

const reportFolder = 'report-';

/** Removes folders of runs whose end nobody reported. */
function removeOld(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((one) => one.startsWith(reportFolder))) {
    const stat = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false });
    if (stat !== undefined && Date.now() - stat.mtimeMs > maxAge)
      fs.rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}

interface AskedCommand {
  request: ReportRequest;
  text: string;
}

function requestFor(command: string, search: RunnerSearch, file: string): AskedCommand | null {
  const ask = search.runner === null ? null : (runnerNamed(search.runner)?.ask ?? null);
  if (search.runner === null || ask === null) return null;
  const request = ask(file, search.words);
  // The command's own value would replace that of the request.
  const isSet = search.words.some((word) => Object.keys(request.env).some((name) => word.startsWith(`${name}=`)));
  const text = isSet ? null : withArguments(command, search, request.args);
  // Otherwise, appended words would not reach the runner.
  return text === null ? null : { request, text };
}

function textsOf(file: string): string[] {
  const [folder, start] = [path.dirname(file), path.basename(file)];
  let left = maxReportBytes;
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(start));
  return names.sort().map((name) => {
    const text = readRegularText(path.join(folder, name), left);
    left -= Buffer.byteLength(text);
    return text;
  });
}
