// The contents of a project that a person approved.
import path from 'node:path';
import * as z from 'zod/mini';
import { projectFolder } from '../platform/data-folder.ts';
import { fields, LaterVersion, RecordKind, type RecordOf } from './record.ts';

const trust = new RecordKind({
  schema: fields({
    root: z.string(),
    approved: z.array(
      fields({
        hash: z.string(),
        /** ISO 8601. */
        at: z._default(z.string(), ''),
        // Only displayed, so an unknown value does not invalidate the approval.
        by: z.catch(z.enum(['terminal', 'dialog', 'init', 'expect']), 'terminal'),
        /** The hash that the person saw, if it also covers files that gates use. */
        seal: z.optional(z.string()),
      }),
    ),
  }),
  indent: 2,
});

/** A person's approval of one content. */
export type Approval = RecordOf<typeof trust>['approved'][number];

const maxApprovals = 50;

/** True if a person approved exactly this content (`sha256:…`) of the project. An unreadable record approves nothing. */
export function isTrusted(dataFolder: string, root: string, hash: string): boolean {
  return readApprovals(dataFolder, root).some((entry) => entry.hash === hash);
}

/** The approved contents, newest first; empty if the record is damaged or of a later version. */
export function readApprovals(dataFolder: string, root: string): readonly Approval[] {
  const record = trust.read(trustFile(dataFolder, root));
  return record?.root === root ? record.approved : [];
}

/** The same for code that shows or changes approvals. Throws LaterVersion if the record is of a later version. */
export function listApprovals(dataFolder: string, root: string): readonly Approval[] {
  trust.refuseLater(trustFile(dataFolder, root));
  return readApprovals(dataFolder, root);
}

/** Why this version cannot read the approvals, with the remedy; null if it can. */
export function laterTrust(dataFolder: string, root: string): string | null {
  const file = trustFile(dataFolder, root);
  return trust.state(file).state === 'later' ? new LaterVersion(file).message : null;
}

/** Records that a person approved this content. Throws LaterVersion, or if the data folder cannot be written. */
export function recordTrust(
  dataFolder: string,
  root: string,
  hash: string,
  by: Approval['by'],
  at: Date,
  approvalHash = hash,
): void {
  const before = listApprovals(dataFolder, root).filter((entry) => entry.hash !== hash);
  writeApprovals(
    dataFolder,
    root,
    [{ hash, at: at.toISOString(), by, ...(approvalHash !== hash && { seal: approvalHash }) }, ...before].slice(0, maxApprovals),
  );
}

/**
 * Revokes the approval of one content, or of all (null), and returns the revoked ones. Throws LaterVersion, or if the data folder
 * cannot be written.
 */
export function revokeTrust(dataFolder: string, root: string, hash: string | null): Approval[] {
  const before = listApprovals(dataFolder, root);
  const revoked = before.filter((entry) => hash === null || entry.hash === hash);
  if (revoked.length > 0)
    writeApprovals(
      dataFolder,
      root,
      before.filter((entry) => !revoked.includes(entry)),
    );
  return revoked;
}

function writeApprovals(dataFolder: string, root: string, approved: Approval[]): void {
  trust.write(trustFile(dataFolder, root), { root, approved });
}

export function trustFile(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'trust.json');
}
