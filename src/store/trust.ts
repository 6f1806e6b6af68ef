// The contents of a project that a person approved.
import path from 'node:path';
import { makeFolder, projectFolder, readDataFile, writeWhole } from '../platform/data-folder.ts';
import { LaterVersion, refuseLater } from '../platform/newer-record.ts';

export interface Approval {
  hash: string;
  at: string;
  by: 'terminal' | 'dialog' | 'init' | 'expect';
  /** The hash that the person saw, if it also covers files that gates use. */
  seal?: string;
}

export interface TrustRecord {
  version: 1;
  root: string;
  approved: Approval[];
}

const kept = 50;

/** True if a person approved exactly this content (`sha256:…`) of the project. An unreadable record approves nothing. */
export function isTrusted(dataFolder: string, root: string, hash: string): boolean {
  return readTrust(dataFolder, root)?.approved.some((entry) => entry.hash === hash) ?? false;
}

/** The approved contents, newest first; empty if the record is damaged or of a later version. */
export function readApprovals(dataFolder: string, root: string): readonly Approval[] {
  return readTrust(dataFolder, root)?.approved ?? [];
}

/** The same for code that shows or changes approvals. Throws LaterVersion if the record is of a later version. */
export function listApprovals(dataFolder: string, root: string): readonly Approval[] {
  refuseLater(trustFile(dataFolder, root), readRecord(dataFolder, root));
  return readApprovals(dataFolder, root);
}

/** Why this version cannot read the approvals, with the remedy; null if it can. */
export function laterTrust(dataFolder: string, root: string): string | null {
  try {
    refuseLater(trustFile(dataFolder, root), readRecord(dataFolder, root));
    return null;
  } catch (error) {
    if (error instanceof LaterVersion) return error.message;
    throw error;
  }
}

/** Records that a person approved this content. Throws LaterVersion, or if the data folder cannot be written. */
export function recordTrust(dataFolder: string, root: string, hash: string, by: Approval['by'], at: Date, seal = hash): void {
  const before = listApprovals(dataFolder, root).filter((entry) => entry.hash !== hash);
  writeApprovals(
    dataFolder,
    root,
    [{ hash, at: at.toISOString(), by, ...(seal !== hash && { seal }) }, ...before].slice(0, kept),
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
  const record: TrustRecord = { version: 1, root, approved };
  makeFolder(projectFolder(dataFolder, root));
  writeWhole(trustFile(dataFolder, root), `${JSON.stringify(record, null, 2)}\n`);
}

function readTrust(dataFolder: string, root: string): TrustRecord | null {
  const record = readRecord(dataFolder, root);
  return isRecord(record) && record.root === root ? record : null;
}

function readRecord(dataFolder: string, root: string): unknown {
  try {
    return JSON.parse(readDataFile(trustFile(dataFolder, root)));
  } catch {
    // Absent or damaged: nothing is approved, which is the restrictive case.
    return null;
  }
}

function isRecord(value: unknown): value is TrustRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { version, root, approved } = value as Partial<TrustRecord>;
  return (
    version === 1 &&
    typeof root === 'string' &&
    Array.isArray(approved) &&
    approved.every((entry) => typeof entry?.hash === 'string')
  );
}

export function trustFile(dataFolder: string, root: string): string {
  return path.join(projectFolder(dataFolder, root), 'trust.json');
}
