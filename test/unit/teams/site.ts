// A project whose organisation pins a bundle, and what keeps that bundle for it.
import fs from 'node:fs';
import path from 'node:path';
import { layerFolders } from '../../../src/platform/layer-folders.ts';
import { BundleKeeper, type Turn } from '../../../src/teams/keeper.ts';
import { Layered, modesYaml, packageRoot } from '../../support/layered-project.ts';
import { certificate, keysOf, layerFiles, placeAt, type TestServer } from '../../support/team-server.ts';

export interface Site extends Layered {
  keeper: BundleKeeper;
}

export const teamsYaml = (server: TestServer, more = '', rest = '') =>
  `bundle:\n  url: ${server.url}/bundles/modes.tar.gz\n  key: key.pem\n  algorithm: ES256\n  ca: ca.pem\n${more}${rest}`;

/** A project, an organisation that pins a bundle, and what a server of ours keeps for them. */
export function site(server: TestServer, more = '', rest = ''): Site {
  const layered = new Layered()
    .put('project', 'modes.yaml', modesYaml())
    .put('managed', 'teams.yaml', teamsYaml(server, more, rest))
    .put('managed', 'key.pem', keysOf('ES256').public.toString())
    .put('managed', 'ca.pem', certificate().cert);
  // One compiler for all.
  const cache = path.join(packageRoot, '.cache/policies');
  fs.mkdirSync(cache, { recursive: true });
  fs.mkdirSync(layered.data, { recursive: true });
  fs.symlinkSync(cache, path.join(layered.data, 'cache'));
  return Object.assign(layered, { keeper: keeperOf(layered) });
}

export function keeperOf(layered: Layered, now: () => number = Date.now): BundleKeeper {
  const place = placeAt(layered);
  const folders = layerFolders(place.root, place).filter(({ layer }) => layer === 'managed');
  return new BundleKeeper({ dataFolder: layered.data, folders, now });
}

export const codeOf = ({ outcome, refused }: Turn): string => refused?.code ?? outcome;
export const bash = async (layered: Layered, command: string) => (await layered.decide('Bash', { command })).decision;

export const denying = layerFiles({ deny: ['Bash(curl:*)'], ask: ['Bash(git push:*)'], allow: ['Bash(npm test:*)'] });
