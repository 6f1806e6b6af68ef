// Before all: the pinned client, tmux, and a copy of the plugin as a clone would hold it.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { installClient } from './client.ts';
import { exportRepository } from './marketplace.ts';
import { requireTmux } from './pane.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The plugin under test. */
    plugin: string;
  }
}

export default function setup(project: TestProject): () => void {
  requireTmux();
  installClient();
  const folder = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'modes-plugin-'));
  project.provide('plugin', process.env.MODES_E2E_PLUGIN || exportRepository(path.join(folder, 'modes')));
  return () => fs.rmSync(folder, { recursive: true, force: true });
}
