// The --json output of the verbs of `modes bundle`.
import { z } from 'zod';
import { count } from './shapes.ts';
import type { Output } from './verbs.ts';

const one = (means: string, shape: z.ZodType): Output => ({ forms: [[means, shape]] });
const FILE = z.string().describe('Absolute.');
const TIME = z.string().nullable().describe('ISO 8601, UTC; null: the signature says none.');

/** By the verb's name after `bundle`. */
export const BUNDLE_OUTPUTS: Readonly<Record<string, Output>> = {
  build: one(
    'The bundle that was written.',
    z.strictObject({
      mode: z.string(),
      file: FILE,
      bytes: count,
      revision: z.string(),
      layer: z.array(z.string()).describe('Files of the layer, by name.'),
    }),
  ),
  sign: one('The bundle with its signature.', z.strictObject({ file: FILE, algorithm: z.string(), files: count, expires: TIME })),
  verify: one(
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
  push: one(
    'What was sent.',
    z.strictObject({
      url: z.string(),
      bytes: count,
      etag: z.string().nullable().describe('What the server calls it; null: it does not say.'),
    }),
  ),
};
