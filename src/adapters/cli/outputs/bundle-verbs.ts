// The --json output of the verbs of `modes bundle`.
import * as z from 'zod';
import { count, one } from './shapes.ts';

const FILE = z.string().describe('Absolute.');
const TIME = z.string().nullable().describe('ISO 8601, UTC; null: the signature says none.');

export const BUNDLE_OUTPUTS = {
  'bundle-build': one(
    'The bundle that was written.',
    z.strictObject({
      mode: z.string(),
      file: FILE,
      bytes: count,
      revision: z.string(),
      layer: z.array(z.string()).describe('Files of the layer, by name.'),
    }),
  ),
  'bundle-sign': one(
    'The bundle with its signature.',
    z.strictObject({ file: FILE, algorithm: z.string(), files: count, expires: TIME }),
  ),
  'bundle-verify': one(
    'What the key vouches for.',
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
    'What was sent.',
    z.strictObject({
      url: z.string(),
      bytes: count,
      etag: z.string().nullable().describe('What the server calls it; null: it does not say.'),
    }),
  ),
} satisfies Readonly<Record<string, z.ZodType>>;
