// A project with a mode for discussion and a mode for work that ends when the plan is complete.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openProject, type Project } from '../../src/workflow/project.ts';
import { afterTest } from './cleanup.ts';
import { putFile, temporaryFolder } from './files.ts';
import { prepare } from './prepare.ts';

export const asker = { session: 'a', permissionMode: 'default' };

export interface Place {
  root: string;
  home: string;
  put(name: string, text: string): void;
  /** As another process would see it. */
  open(): Promise<Project>;
}

export const twoModes = `name: daic
default: discussion
stop: {phrases: [SILENCE], to: discussion}
modes:
  discussion:
    transitions:
      - {to: implementation, require: [{plan: approved}]}
  implementation:
    exit_when: {plan: complete, to: discussion}
    transitions:
      - {to: discussion}
`;

export function makePlace(modes = twoModes): Place {
  const base = temporaryFolder('modes-plan-');
  afterTest(() => fs.rmSync(base, { recursive: true, force: true }));
  const root = path.join(base, 'project');
  const put = (name: string, text: string): void => {
    putFile(path.join(root, name), text);
  };
  put('.claude/modes.yaml', modes);
  return {
    root,
    home: base,
    put,
    async open() {
      const packageRoot = fileURLToPath(new URL('../..', import.meta.url));
      const opened = openProject({ start: root, env: { HOME: base, PATH: process.env.PATH }, packageRoot, prepare });
      if (opened === null) throw new Error('not governed');
      await opened.ready('a');
      return opened.for({ session: 'a', cwd: root });
    },
  };
}
