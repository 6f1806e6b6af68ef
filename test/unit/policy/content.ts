// A content with nothing but a project's own layer.
import type { Content } from '../../../src/store/snapshots.ts';

export function contentOf(files: { name: string; text: string }[]): Content {
  return [{ layer: 'project', shown: '.claude/', root: '.claude', vanished: true, signature: '', files, faults: [], strays: [] }];
}
