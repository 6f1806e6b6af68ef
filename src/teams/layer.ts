// The files of a layer that a bundle carries, below a folder that OPA has no name for.
import { isUtf8 } from 'node:buffer';
import { isPolicyName, parseInstructionsName, parseSettingsName } from '../config/names.ts';
import { readConfiguration } from '../config/read.ts';
import type { ConfigFile } from '../model/configuration.ts';
import type { Problem } from '../model/problem.ts';
import { BUNDLE_SHOWN } from '../store/kept-bundle.ts';
import { Refused } from './refusal.ts';
import type { BundleFiles } from './unpack.ts';

/** Where they are in the bundle. */
export const LAYER = 'layer/';

/** Bytes of the files together, as they are kept. */
const MAX_LAYER = 16 * 1024 * 1024;

const REMEDY = 'Build the bundle with modes bundle build.';

/**
 * The files as the configuration names them.
 * @throws {Refused} E_BUNDLE_CONTENT when there is none, one is none of a layer's, or one has an error
 */
export function layerOf(files: BundleFiles): ConfigFile[] {
  const layer: ConfigFile[] = [];
  for (const [name, bytes] of files) {
    if (!name.startsWith(LAYER)) continue;
    const shown = `${BUNDLE_SHOWN}${name.slice(LAYER.length)}`;
    if (!isOfLayer(shown)) throw refuse(`${name} is no file of a layer`, REMEDY);
    if (!isUtf8(bytes)) throw refuse(`${name} is not UTF-8`, REMEDY);
    layer.push({ name: shown, text: bytes.toString('utf8') });
  }
  if (layer.length === 0) throw refuse(`there is nothing below ${LAYER}`, REMEDY);
  if (Buffer.byteLength(JSON.stringify(layer)) > MAX_LAYER)
    throw refuse(`its files are larger than ${MAX_LAYER / 1024 / 1024} MB together`, 'Leave out what configures nothing.');
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

/** Of the files alone; that there are no modes is none, since a layer may be for the modes of others. */
function errorsOf(files: ConfigFile[]): Problem[] {
  const { problems } = readConfiguration([{ layer: 'managed', shown: BUNDLE_SHOWN, root: '/', files }]);
  return problems.filter(({ severity, code }) => severity === 'error' && code !== 'E_NO_MODES');
}

function refuse(why: string, remedy: string): Refused {
  return new Refused('E_BUNDLE_CONTENT', `The bundle holds no layer that can be used: ${why.replace(/\.$/, '')}.`, remedy);
}
