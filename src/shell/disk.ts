// What only the disk tells the analyser. All of it is asked for here, so that a caller without a disk asks for nothing.
import type { Disk } from '../model/command.ts';

/** The disk as one walk sees it, with what it was asked about. */
export class DiskView {
  /** Absolute paths that answers rest on. */
  readonly used = new Set<string>();
  /**
   * @param isSure false: something in the text may change what was read, so that answers are possible but not certain
   */
  constructor(
    private readonly disk: Disk | null,
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

  private ask(path: string, question: (disk: Disk) => string | null): string | null {
    if (this.disk === null) return null;
    // Of no answer too: the next time there may be one.
    this.used.add(path);
    return question(this.disk);
  }
}
