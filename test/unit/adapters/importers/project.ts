// A project of another system, taken over: what was written, and how it then decides.
import fs from 'node:fs';
import path from 'node:path';
import type { NotImported, Transfer } from '../../../../src/adapters/importers/types.ts';
import { configure } from '../../../../src/app/dry-run.ts';
import { loadConfiguration } from '../../../../src/config/load.ts';
import { readSources } from '../../../../src/config/sources.ts';
import { writtenCall } from '../../../../src/facts/written.ts';
import type { Configuration } from '../../../../src/model/configuration.ts';
import type { Problem } from '../../../../src/model/problem.ts';
import { repository } from '../../../support/plugin.ts';
import { makeProject, type Project } from '../../../support/project.ts';

export interface TakenOver {
  project: Project;
  transfer: Transfer;
  configuration: Configuration;
  problems: Problem[];
  /** What is decided of a call, once a person has approved the content. */
  decide(call: string, mode: string): string;
}

export function projectWith(files: Readonly<Record<string, string>>): Project {
  const project = makeProject({ example: null });
  for (const [name, text] of Object.entries(files)) project.put(name, text);
  return project;
}

/** Writes what an import gives, and makes it ready to decide. */
export async function takeOver(project: Project, take: (root: string) => Transfer | NotImported): Promise<TakenOver> {
  const transfer = take(project.root);
  if ('error' in transfer) throw new Error(transfer.error);
  for (const { name, text } of transfer.files) project.put(name, text);
  const content = [readSources(project.root)];
  const env = { HOME: project.home, PATH: '/usr/bin:/bin' };
  const configured = await configure(content, { root: project.root, trusted: true, env, packageRoot: repository });
  return {
    project,
    transfer,
    configuration: loadConfiguration(project.root),
    problems: configured.problems,
    decide: (call, mode) => configured.decide(writtenCall(call, project.root), mode).decision,
  };
}

/** What could not be taken over, a line each. */
export const leftOf = ({ left }: Transfer): string[] => left.map(({ at, what, instead }) => `${at}: ${what}. ${instead}`);

export const textOf = ({ files }: Transfer, name: string): string => files.find((file) => file.name === name)?.text ?? '';

export const filesIn = (root: string): string[] =>
  fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(root, name)).isFile())
    .sort();
