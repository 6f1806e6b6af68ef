// Common parts of the sections of teams.yaml that name a server.
import path from 'node:path';
import { readDuration } from '../platform/duration.ts';
import { getEntry, getText, type Node } from './node.ts';
import type { Report } from './report.ts';
import { quote, type SourceText } from './text.ts';

/** How to reach a server. Names of files are absolute. */
export interface Server {
  url: string;
  /** A file with the value that is sent as `Authorization: Bearer`. */
  tokenFile: string | null;
  /** A file with certificates, PEM; null for those that Node has. */
  caFile: string | null;
  proxy: string | null;
}

/** A file that is being read. */
export interface ServerReading {
  source: SourceText;
  /** Names of files in it are relative to this folder. */
  folder: string;
  isManaged: boolean;
  report: Report;
}

/** Makes names of files absolute, and reports an address that may not be used. */
export function readServer(node: Node, { folder, report }: ServerReading): Server {
  for (const key of ['url', 'proxy']) {
    const entry = getEntry(node, key);
    const text = getText(node, key);
    if (entry !== null && text !== null && !isAddress(text))
      report(
        'E_UNKNOWN_VALUE',
        `${quote(text)} is not an allowed address.`,
        'Write https://…; http:// is allowed only for this machine.',
        entry.value.span,
      );
  }
  return { url: getText(node, 'url') ?? '', ...readFiles(node, folder), proxy: getText(node, 'proxy') };
}

/** Files that are sent or trusted; null for one that is not named. */
export function readFiles(node: Node, folder: string): Pick<Server, 'tokenFile' | 'caFile'> {
  const fileOf = (key: string): string | null => {
    const written = getText(node, key);
    return written === null ? null : path.resolve(folder, written);
  };
  return { tokenFile: fileOf('token'), caFile: fileOf('ca') };
}

/** Names of this machine itself. */
export const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Without TLS, anybody on the network path could read the traffic and hold it back. So only this machine may be reached by http.
 */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname));
}

/** Milliseconds. */
export function timeOf(node: Node, key: string, absent: number, report: Report): number {
  const entry = getEntry(node, key);
  if (entry === null) return absent;
  const time = readDuration(getText(node, key) ?? '');
  if (time !== null) return time;
  report('E_UNKNOWN_VALUE', `${quote(key)} is not a time.`, 'Write a number with its unit: 30s, 10m, 7d.', entry.value.span);
  return absent;
}
