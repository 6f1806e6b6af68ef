// What is changed on disk while the server runs: seen at once, and policies compiled before anyone asks by them.
import fs from 'node:fs';
import path from 'node:path';
import type { CallerProject, Project } from '../../workflow/project.ts';

/** Milliseconds that a save may go on after its first sign. */
const settleMs = 20;

/** Watches the folders of the configuration, so that no decision has to look at files for it. */
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
      // The periodic look finds changes in what cannot be watched; a folder that is not there is the usual case.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') note(`${folder} is not watched: ${(error as Error).message}`);
      return [];
    }
  });
}

/** Has the compiler come up at the first sign of a change, even of a file that an editor keeps beside it, and the change compiled. */
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
      this.note(`a changed policy cannot be made ready: ${String((error as Error).message ?? error)}`);
    });
  }
}
