// The facts that the analyser needs from the disk. Only this file requests them, so a caller without a disk requests nothing.
import type { ShellDisk } from '../model/command.ts';

/** The disk for one walk, with a record of the paths that were read. */
export class DiskView {
  /** Absolute paths that the results depend on. */
  readonly used = new Set<string>();
  /** @param isSure false if the text may change the files that were read, so that results are possible but not certain */
  constructor(
    private readonly disk: ShellDisk | null,
    readonly isSure: boolean,
  ) {}

  text(path: string): string | null {
    return this.ask(path, (disk) => disk.text(path));
  }

  real(path: string): string | null {
    return this.ask(path, (disk) => disk.real(path));
  }

  repository(folder: string): string | null {
    return this.ask(folder, (disk) => disk.repository(folder));
  }

  /** The texts of an alias of git in a folder. Null if they are not known. */
  gitAlias(name: string, folder: string): readonly string[] | null {
    return this.ask(`${folder}/.git/config`, (disk) => disk.gitAlias(name, folder));
  }

  private ask<T>(path: string, query: (disk: ShellDisk) => T | null): T | null {
    if (this.disk === null) return null;
    // A missing result counts too, because the next read may find the file.
    this.used.add(path);
    return query(this.disk);
  }
}
