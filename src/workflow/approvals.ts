// What a person says yes to: exactly the present content, with the files that its gates' commands use; and taking that yes back.
import type { Content } from '../store/snapshots.ts';
import type { Approval } from '../store/trust.ts';
import type { Contents } from './content.ts';
import { ownRunsOf, type UsedFiles } from './gates/uses.ts';
import type { Granting } from './granting.ts';
import type { Asker } from './moves.ts';
import type { View } from './view.ts';

export class Approvals {
  constructor(
    private readonly contents: Contents,
    private readonly used: UsedFiles,
    private readonly granting: Granting,
    /** What the session that asks began with. */
    private readonly begun: () => View,
  ) {}

  /** The content that a person trusted last, loaded; null where there is none. */
  async last(): Promise<View | null> {
    const content = this.contents.lastTrusted();
    return content === null ? null : this.contents.open(content);
  }

  /** A content made ready beside those that count, to be looked at as it will count once a person said yes to it. */
  open(content: Content): Promise<View> {
    return this.contents.open(content, true);
  }

  /**
   * What a person is shown before they say yes: the present content as it will count then, and what they know of it. That is what the
   * session began with, or another that runs, only where it is approved itself, or the present one is; else what was approved last.
   */
  async toShow(running: View | null = null): Promise<{ view: View; before: View | null }> {
    const { present } = this.contents;
    const begun = this.begun();
    const known = running ?? (begun.id === present.id ? null : begun);
    const isKnown = known !== null && (present.trusted || known.trusted);
    return { view: await this.open(present.content), before: isKnown ? known : await this.last() };
  }

  /** What is approved by a yes: the hash of the present content and of the files that its gates' commands use; `news`: those not approved. */
  wanted(): { seal: string; news: string[] } {
    const { hash, topology } = this.contents.present.known;
    const checks = ownRunsOf(topology);
    return { seal: this.used.seal(hash, checks), news: this.used.news(checks) };
  }

  /**
   * Records a person's yes to exactly the present content, and to what its gates run. False, and nothing is recorded, where that is not
   * `seal` any more. Throws LaterVersion, or where the disk refuses.
   */
  give(by: Approval['by'], seal = this.wanted().seal): boolean {
    const { hash, topology } = this.contents.present.known;
    if (!this.used.trust(hash, ownRunsOf(topology), seal)) return false;
    this.contents.trust(by);
    return true;
  }

  /** What a person approved of this project, the newest first. */
  all(): readonly Approval[] {
    return this.contents.approvedContents();
  }

  /** Takes back the yes to one content, or to all; gives what was taken back, and the journal keeps it. Throws where the disk refuses. */
  revoke(hash: string | null, asker: Asker): Approval[] {
    const revoked = this.contents.revoke(hash);
    for (const approval of revoked) this.granting.note('revoke', approval.hash, asker);
    return revoked;
  }
}
