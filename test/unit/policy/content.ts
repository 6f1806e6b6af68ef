// A content with nothing but a project's own layer.
import type { ConfigSnapshot } from '../../../src/store/snapshots.ts';

export function contentOf(files: { name: string; text: string }[]): ConfigSnapshot {
  return [{ layer: 'project', shown: '.claude/', root: '.claude', vanished: true, signature: '', files, faults: [], strays: [] }];
}
