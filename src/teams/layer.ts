// The files of a layer in a bundle. They are in a folder that has no meaning for OPA.
import { isUtf8 } from 'node:buffer';
import { isPolicyName, parseInstructionsName, parseSettingsName } from '../config/names.ts';
import { readConfiguration } from '../config/read.ts';
import type { ConfigFile } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { BUNDLE_SHOWN } from '../store/cached-bundle.ts';
import { BundleRefused } from './refusal.ts';
import type { BundleFiles } from './unpack.ts';

/** Their folder in the bundle. */
export const LAYER = 'layer/';

/** Maximum bytes of all files together, as stored. */
const MAX_LAYER = 16 * 1024 * 1024;

const REMEDY = 'Build the bundle with modes bundle build.';

/**
 * The files under the names that the configuration uses.
 * @throws {Refused} E_BUNDLE_CONTENT if there are no files, a file does not belong to a layer, or a file has an error
 */
export function layerOf(files: BundleFiles): ConfigFile[] {
  const layer: ConfigFile[] = [];
  for (const [name, bytes] of files) {
    if (!name.startsWith(LAYER)) continue;
    const shown = `${BUNDLE_SHOWN}${name.slice(LAYER.length)}`;
    if (!isOfLayer(shown)) throw refuse(`${name} is not a file of a layer`, REMEDY);
    if (!isUtf8(bytes)) throw refuse(`${name} is not UTF-8`, REMEDY);
    layer.push({ name: shown, text: bytes.toString('utf8') });
  }
  if (layer.length === 0) throw refuse(`it contains no files in ${LAYER}`, REMEDY);
  if (Buffer.byteLength(JSON.stringify(layer)) > MAX_LAYER)
    throw refuse(`its files are larger than ${MAX_LAYER / 1024 / 1024} MB in total`, 'Leave out files that configure nothing.');
  const wrong = errorsOf(layer)[0];
  if (wrong !== undefined) throw refuse(`${wrong.file}:${wrong.line ?? 1} ${wrong.message}`, wrong.remedy);
  return layer;
}

function isOfLayer(name: string): boolean {
  return (
    name === `${BUNDLE_SHOWN}modes.yaml` ||
    parseSettingsName(name, BUNDLE_SHOWN)?.isLocal === false ||
    parseInstructionsName(name, BUNDLE_SHOWN) !== null ||
    isPolicyName(name, BUNDLE_SHOWN)
  );
}

/** Errors in the files alone. Missing modes are not an error, since a layer may only add to the modes of other layers. */
function errorsOf(files: ConfigFile[]): Problem[] {
  const { problems } = readConfiguration([{ layer: 'managed', shown: BUNDLE_SHOWN, root: '/', files }]);
  return problems.filter(({ severity, code }) => severity === 'error' && code !== 'E_NO_MODES');
}

function refuse(why: string, remedy: string): BundleRefused {
  return new BundleRefused('E_BUNDLE_CONTENT', `The bundle contains no usable layer: ${why.replace(/\.$/, '')}.`, remedy);
}
