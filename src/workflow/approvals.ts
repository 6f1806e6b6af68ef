// A person's approval of exactly the present content and of the files that its gates' commands use, and its revocation.

import type { LoadedConfig } from '../engine/loaded-config.ts';
import { TreeError } from '../git/file-tree.ts';
import type { ConfigSnapshot } from '../store/snapshots.ts';
import type { Approval } from '../store/trust.ts';
import { engineCommandsOf, type UsedFiles } from './gates/uses.ts';
import type { Granting } from './granting.ts';
import type { LoadedConfigs } from './loaded-configs.ts';
import type { Asker } from './mode-transitions.ts';

/**
 * `approvalHash`: covers the present content and the files that its gates' commands use. `changes`: the
 * files among them that are not approved yet.
 */
export interface Wanted {
  approvalHash: string;
  changes: string[];
}

export class Approvals {
  constructor(
    private readonly contents: LoadedConfigs,
    private readonly used: UsedFiles,
    private readonly granting: Granting,
    /** The content that the calling session is pinned to. */
    private readonly pinned: () => LoadedConfig,
  ) {}

  /** The content that a person trusted last, loaded; null if there is no such content. */
  async last(): Promise<LoadedConfig | null> {
    const snapshot = this.contents.lastTrusted();
    return snapshot === null ? null : this.contents.open(snapshot);
  }

  /** Loads a content for display as it would apply after a person's approval. It does not apply yet. */
  open(snapshot: ConfigSnapshot): Promise<LoadedConfig> {
    return this.contents.open(snapshot, true);
  }

  /**
   * The content to show before an approval, and the content that the person knows, for comparison. The present content is shown
   * as it would apply once approved. The known content is `running`, or the session's own if it differs from the present one.
   * Both count as known only if they or the present content are approved. Otherwise the last approved content is used.
   */
  async toShow(running: LoadedConfig | null = null): Promise<{ config: LoadedConfig; before: LoadedConfig | null }> {
    const { present } = this.contents;
    const pinned = this.pinned();
    const known = running ?? (pinned.id === present.id ? null : pinned);
    const isKnown = known !== null && (present.trusted || known.trusted);
    return { config: await this.open(present.content), before: isKnown ? known : await this.last() };
  }

  /** Throws TreeError. */
  wanted(): Wanted {
    const { present } = this.contents;
    return {
      approvalHash: this.approvalHashOf(present),
      changes: this.used.describeChanges(engineCommandsOf(present.known.topology)),
    };
  }

  /** The hash that an approval of this content would cover, with the present files. Throws TreeError. */
  approvalHashOf({ known: { hash, topology } }: LoadedConfig): string {
    return this.used.approvalHashOf(hash, engineCommandsOf(topology));
  }

  /** The same to show it. If a file cannot be read, the hash covers the configuration alone, and `changes` gives the reason. */
  shown(): Wanted {
    try {
      return this.wanted();
    } catch (error) {
      if (!(error instanceof TreeError)) throw error;
      return { approvalHash: this.contents.present.known.hash, changes: [error.message] };
    }
  }

  /**
   * Records a person's approval of exactly the present content and of what its gates run. If that does not match `approvalHash`,
   * returns false and records nothing. Throws LaterVersion, or if the disk refuses.
   */
  give(by: Approval['by'], approvalHash = this.wanted().approvalHash): boolean {
    const { hash, topology } = this.contents.present.known;
    if (!this.used.trust(hash, engineCommandsOf(topology), approvalHash)) return false;
    this.contents.trust(by, approvalHash);
    return true;
  }

  /** A person's approvals for this project, newest first. */
  all(): readonly Approval[] {
    return this.contents.approvedSnapshots();
  }

  /**
   * Revokes the approval of one content, or of all (null), and returns the revoked ones. The journal records it. Throws if the
   * disk refuses.
   */
  revoke(hash: string | null, asker: Asker): Approval[] {
    const revoked = this.contents.revoke(hash);
    for (const approval of revoked) this.granting.note('revoke', approval.seal ?? approval.hash, asker);
    return revoked;
  }
}
