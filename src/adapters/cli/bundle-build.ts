// modes bundle build: a mode for a stock OPA, together with the files of its layer.
import path from 'node:path';
import { parseSettingsName } from '../../config/names.ts';
import { packArchive } from '../../policy/archive.ts';
import { LAYER } from '../../teams/layer.ts';
import { toJson } from './outputs/json.ts';
import { type BuiltMode, type ModeOptions, modulesOf, openMode, wholeBundle, withSources } from './policy-build.ts';
import { refuseInside, writeOutput } from './policy-output.ts';
import { showProgress } from './progress.ts';
import { refuseBroken } from './refuse.ts';
import { exits, type Terminal, UsageError } from './terminal.ts';

interface BuildOptions extends ModeOptions {
  output?: string;
  revision?: string;
  rulesOnly?: boolean;
}

export async function bundleBuild(options: BuildOptions, terminal: Terminal): Promise<number> {
  refuseInside('modes bundle build');
  const { revision } = options;
  if (revision !== undefined && !/^[\w.+:-]{1,100}$/.test(revision))
    throw new UsageError('--revision must be a number or a word');
  const opening = showProgress('building');
  const built = await openMode(options).finally(opening.end);
  if ('problems' in built) return refuseBroken(built.problems, options, terminal);
  const output = path.resolve(options.output ?? `${built.mode}.tar.gz`);
  const packing = showProgress('compiling');
  const made = await pack(built, options).finally(packing.end);
  writeOutput(output, made.bytes);
  const { bytes, layer } = made;
  if (options.json)
    terminal.out(toJson<'bundle-build'>({ mode: built.mode, file: output, bytes: bytes.length, revision: made.revision, layer }));
  else
    terminal.out(
      `${path.relative('.', output)}: ${built.mode}, ${Math.ceil(bytes.length / 1024)} KB, revision ${made.revision}, ${layer.length} files of a layer`,
    );
  return exits.fine;
}

async function pack({ configured, bundle }: BuiltMode, { revision, rulesOnly }: BuildOptions) {
  const whole = await wholeBundle(configured, bundle);
  const manifest = revision === undefined ? whole.manifest : { ...whole.manifest, revision };
  const joined = await modulesOf(configured);
  if (!joined.ok) throw new Error(joined.problems.map(({ message }) => message).join('\n'));
  const custom = configured.custom();
  const core = Object.entries(joined.modules).filter(([name]) => !Object.hasOwn(custom, name));
  const files = withSources({ ...whole, manifest }, Object.fromEntries(core));
  const layer = layerOf(configured.config.content, rulesOnly === true);
  for (const { name, text } of layer) files.set(`/${LAYER}${name}`, Buffer.from(text));
  return { bytes: packArchive(files), revision: manifest.revision, layer: layer.map(({ name }) => name) };
}

/** The project's own files by their names relative to its folder, without personal files. */
function layerOf(snapshot: BuiltMode['configured']['config']['content'], rulesOnly: boolean): { name: string; text: string }[] {
  return snapshot
    .filter(({ layer }) => layer === 'project')
    .flatMap(({ files, shown }) =>
      files
        .filter(({ name }) => parseSettingsName(name, shown)?.isLocal !== true)
        .map(({ name, text }) => ({ name: name.slice(shown.length), text })),
    )
    .filter(({ name }) => !(rulesOnly && name === 'modes.yaml'));
}
