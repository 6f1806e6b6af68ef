// Notices changes on disk while the server runs at once, and compiles changed policies before the next call needs them.
import fs from 'node:fs';
import path from 'node:path';
import type { CallerProject, Project } from '../../workflow/project.ts';

/** Milliseconds that a save may take after its first event. */
const settleMs = 20;

/** Watches the folders of the configuration, so that no decision has to check files for changes. */
export function watch(project: CallerProject, changed: (file: string) => void, note: (message: string) => void): fs.FSWatcher[] {
  return [project.folder, path.join(project.folder, 'policies'), path.join(project.folder, 'modes')].flatMap((folder) => {
    try {
      const watcher = fs.watch(folder, (_, name) => {
        if (name === 'mode.sock') return;
        project.touch();
        if (name === 'mode-state.json') project.keepView();
        changed(path.join(folder, name ?? ''));
      });
      watcher.on('error', () => project.touch());
      return [watcher.unref()];
    } catch (error) {
      // The periodic check finds changes in a folder that cannot be watched. Usually such a folder does not exist.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') note(`${folder} is not watched: ${(error as Error).message}`);
      return [];
    }
  });
}

/** Starts the compiler at the first event, even for an editor's temporary file, and then compiles the change. */
export class ChangedPolicies {
  private readonly folder: string;
  private soon: NodeJS.Timeout | null = null;

  constructor(
    private readonly project: Pick<Project, 'folder' | 'ready'>,
    private readonly expectPolicy: () => void,
    private readonly note: (message: string) => void,
  ) {
    this.folder = path.join(project.folder, 'policies');
  }

  changed(file: string): void {
    if (path.dirname(file) !== this.folder || !file.includes('.rego')) return;
    this.expectPolicy();
    if (this.soon !== null) clearTimeout(this.soon);
    this.soon = setTimeout(() => this.compile(), settleMs).unref();
  }

  private compile(): void {
    this.soon = null;
    this.project.ready().catch((error: unknown) => {
      this.note(`a changed policy cannot be prepared: ${String((error as Error).message ?? error)}`);
    });
  }
}
