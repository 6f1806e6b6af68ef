// A governed project on disk with its own home, asked through any session.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Decision } from '../../src/model/decision.ts';
import { nobody, openProject, type Project } from '../../src/workflow/project.ts';
import { afterTest } from './cleanup.ts';
import { putFile, temporaryFolder } from './files.ts';
import { named } from './named.ts';
import { prepare } from './prepare.ts';

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
export interface World {
  home: string;
  root: string;
  /** Writes a file of the project, or of the home folder (`~/…`). */
  put(name: string, text: string): void;
  remove(name: string): void;
  /** The settings of the mode `one`, of the project or another folder (`~/`). */
  settings(permissions: object, folder?: string): void;
  /** As another process would see it. */
  open(): Promise<Project>;
  trust(): Promise<void>;
  /** What a session is told; by a process that lives on, unless another is named. */
  decide(session: string, tool: string, input: Record<string, unknown>, by?: Project): Promise<Decision['decision']>;
}

export const topology = (edges: string): string =>
  `name: t\ndefault: one\nmodes:\n  one:\n    transitions: [${edges}]\n  two:\n    transitions: [{to: one}]\n  three:\n    transitions: [{to: one}]\n`;

/** A project with three modes, in the first of them, with no settings. */
export function makeWorld(): World {
  const home = temporaryFolder('modes-world-');
  afterTest(() => fs.rmSync(home, { recursive: true, force: true }));
  const root = path.join(home, 'project');
  const env = { HOME: home, PATH: process.env.PATH };
  const at = (name: string) => (name.startsWith('~/') ? path.join(home, name.slice(2)) : path.join(root, name));
  let living: Project | null = null;
  const world: World = {
    home,
    root,
    put(name, text) {
      putFile(at(name), text);
    },
    remove: (name) => fs.rmSync(at(name), { recursive: true, force: true }),
    settings: (permissions, folder = '.claude') => world.put(`${folder}/settings.one.json`, JSON.stringify({ permissions })),
    async open() {
      const project = openProject({ start: root, env, packageRoot, prepare });
      if (project === null) throw new Error('not governed');
      await project.ready();
      return project;
    },
    async trust() {
      (await world.open()).for(nobody).approvals.give('terminal');
    },
    async decide(session, tool, input, by) {
      living ??= await world.open();
      const project = by ?? living;
      project.touch();
      await project.ready(session);
      const event = { hook_event_name: 'PreToolUse', session_id: session, cwd: root, tool_name: tool, tool_input: input };
      return named(project.decideText(JSON.stringify(event))).decision;
    },
  };
  world.put('.claude/modes.yaml', topology('{to: two}'));
  world.settings({});
  return world;
}
