// The --json output of the verbs of `modes bundle`.
import { about, list, nullable, number, object, text } from '../../../config/json-schema.ts';
import type { Output } from './verbs.ts';

const one = (means: string, shape: Output['forms'][number][1]): Output => ({ forms: [[means, shape]] });
const FILE = about('Absolute.', text);
const TIME = about('ISO 8601, UTC; null: the signature says none.', nullable(text));

/** By the verb's name after `bundle`. */
export const BUNDLE_OUTPUTS: Readonly<Record<string, Output>> = {
  build: one(
    'The bundle that was written.',
    object({ mode: text, file: FILE, bytes: number, revision: text, layer: about('Files of the layer, by name.', list(text)) }),
  ),
  sign: one('The bundle with its signature.', object({ file: FILE, algorithm: text, files: number, expires: TIME })),
  verify: one(
    'What the key vouches for.',
    object({ file: FILE, algorithm: text, revision: text, signed: TIME, expires: TIME, files: list(text) }),
  ),
  push: one(
    'What was sent.',
    object({ url: text, bytes: number, etag: about('What the server calls it; null: it does not say.', nullable(text)) }),
  ),
};
