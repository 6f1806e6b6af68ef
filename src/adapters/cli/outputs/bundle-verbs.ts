// The --json output of the verbs of `modes bundle`.
import * as z from 'zod';
import { count, one } from './shapes.ts';

const FILE = z.string().describe('Absolute path.');
const TIME = z.string().nullable().describe('ISO 8601, UTC; null: the signature has none.');

export const BUNDLE_OUTPUTS = {
  'bundle-build': one(
    'The bundle that was written.',
    z.strictObject({
      mode: z.string(),
      file: FILE,
      bytes: count,
      revision: z.string(),
      layer: z.array(z.string()).describe('Names of the files in the layer.'),
    }),
  ),
  'bundle-sign': one(
    'The bundle with its signature.',
    z.strictObject({ file: FILE, algorithm: z.string(), files: count, expires: TIME }),
  ),
  'bundle-verify': one(
    'The bundle, verified with the key.',
    z.strictObject({
      file: FILE,
      algorithm: z.string(),
      revision: z.string(),
      signed: TIME,
      expires: TIME,
      files: z.array(z.string()),
    }),
  ),
  'bundle-push': one(
    'The bundle that was sent.',
    z.strictObject({
      url: z.string(),
      bytes: count,
      etag: z.string().nullable().describe('ETag of the server; null: it sent none.'),
    }),
  ),
} satisfies Readonly<Record<string, z.ZodType>>;
