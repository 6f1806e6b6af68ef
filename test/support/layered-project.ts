// A project with the folders of a user and an organization, opened as our processes open it.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { placeOf } from '../../src/facts/paths/place.ts';
import type { Decision } from '../../src/model/decision.ts';
import { findProject } from '../../src/store/find-project.ts';
import { makeProject, nobody, type Project, type ProjectOptions } from '../../src/workflow/project.ts';
import { afterTest } from './cleanup.ts';
import { putFile, temporaryFolder } from './files.ts';
import { prepare } from './prepare.ts';

export const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

export const modesYaml = (more = '') =>
  `name: t\ndefault: one\n${more}modes:\n  one:\n    transitions: [{to: two}]\n  two:\n    transitions: [{to: one}]\n`;
export const permissions = (given: object) => JSON.stringify({ permissions: given });

export type Folder = 'project' | 'user' | 'managed';

export class Layered {
  readonly base = temporaryFolder('modes-layers-');
  readonly home = path.join(this.base, 'home');
  readonly root = path.join(this.home, 'work');
  readonly env: NodeJS.ProcessEnv;
  private readonly folders: Record<Folder, string>;

  constructor(config = '.claude') {
    afterTest(() => fs.rmSync(this.base, { recursive: true, force: true }));
    fs.mkdirSync(path.join(this.root, 'src'), { recursive: true });
    this.folders = {
      project: path.join(this.root, '.claude'),
      user: path.join(this.home, config),
      managed: path.join(this.base, 'etc/modes'),
    };
    this.env = { HOME: this.home, PATH: process.env.PATH, CLAUDE_CONFIG_DIR: this.folders.user };
  }

  at(folder: Folder, name: string): string {
    return path.join(this.folders[folder], name);
  }

  put(folder: Folder, name: string, text: string): this {
    putFile(this.at(folder, name), text);
    return this;
  }

  drop(folder: Folder, name: string): this {
    fs.rmSync(this.at(folder, name), { recursive: true });
    return this;
  }

  get data(): string {
    return path.join(this.folders.user, 'modes-data');
  }

  /** A fresh look, as another process has it. */
  async open(session: string | null = null, more: Pick<ProjectOptions, 'isOnce'> = {}): Promise<Project> {
    const start = placeOf(this.root, this.env, packageRoot);
    const place = { ...start, managedFolders: [path.dirname(this.folders.managed)] };
    const found = findProject(this.root, place);
    if (found === null) throw new Error('not governed');
    const project = makeProject(found, place, { start: this.root, env: this.env, packageRoot, prepare, ...more });
    await project.ready(session);
    return project;
  }

  /** A person approves the present content. */
  async trust(): Promise<this> {
    (await this.open()).for(nobody).approvals.give('terminal');
    return this;
  }

  /** The whole decision about a call of a session, by a process that starts for it. */
  async decide(tool: string, input: Record<string, unknown>, session: string | null = null): Promise<Decision> {
    return decideBy(await this.open(session), tool, input, session);
  }

  /** The verdict on writing a file of the project. */
  async write(name: string, session: string | null = null): Promise<Decision['decision']> {
    return (await this.decide('Write', { file_path: path.join(this.root, name), content: '' }, session)).decision;
  }
}

export function decideBy(
  project: Project,
  tool: string,
  input: Record<string, unknown>,
  session: string | null = null,
): Decision {
  const event = { hook_event_name: 'PreToolUse', session_id: session ?? undefined, cwd: project.root, tool_name: tool };
  return project.decideText(JSON.stringify({ ...event, tool_input: input }));
}

/** The same for writing a file, by a process that goes on. */
export async function writeBy(project: Project, name: string, session: string | null = null): Promise<Decision> {
  await project.ready(session);
  return decideBy(project, 'Write', { file_path: path.join(project.root, name), content: '' }, session);
}
