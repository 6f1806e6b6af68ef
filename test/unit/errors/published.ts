// Bundles and teams.yaml: what is refused of a bundle, and what a project then says.

import fs from 'node:fs';
import path from 'node:path';
import { layerFolders } from '../../../src/platform/layer-folders.ts';
import { BundleKeeper } from '../../../src/teams/keeper.ts';
import type { Algorithm } from '../../../src/teams/keys.ts';
import { verifyingKey } from '../../../src/teams/keys.ts';
import { BundleRefused } from '../../../src/teams/refusal.ts';
import { verifyBundle } from '../../../src/teams/signature.ts';
import { unpackArchive } from '../../../src/teams/unpack.ts';
import { nobody } from '../../../src/workflow/project.ts';
import { Layered, modesYaml, permissions } from '../../support/layered-project.ts';
import {
  archiveOf,
  bundleOf,
  certificate,
  type Files,
  keysOf,
  layerFiles,
  placeAt,
  signed,
  TestServer,
} from '../../support/team-server.ts';
import { type Met, shareCompiled, type Way, type Ways } from './way.ts';

const hour = 3_600_000;
const denying = layerFiles({ deny: ['Bash(curl:*)'] });

async function refusedBy(act: () => unknown): Promise<Met[]> {
  try {
    await act();
    return [];
  } catch (error) {
    if (error instanceof BundleRefused) return [error.problem()];
    throw error;
  }
}

const verified = (what: string, make: () => Promise<Buffer> | Buffer, advice: RegExp, more: object = {}): Way => ({
  what,
  meets: () =>
    refusedBy(async () =>
      verifyBundle(unpackArchive(await make()), { algorithm: 'ES256', key: keysOf('ES256').public, ...more }),
    ),
  at: null,
  advice,
});

/** A project whose organisation pins a bundle of a server. */
function pinned(server: TestServer, more = ''): Layered & { turn(at?: number): Promise<Met[]> } {
  const layered = new Layered()
    .put('project', 'modes.yaml', modesYaml())
    .put(
      'managed',
      'teams.yaml',
      `bundle:\n  url: ${server.url}/modes.tar.gz\n  key: key.pem\n  algorithm: ES256\n  ca: ca.pem\n${more}`,
    )
    .put('managed', 'key.pem', keysOf('ES256').public.toString())
    .put('managed', 'ca.pem', certificate().cert);
  shareCompiled(layered.data);
  const place = placeAt(layered);
  const folders = layerFolders(place.root, place).filter(({ layer }) => layer === 'managed');
  return Object.assign(layered, {
    async turn(at = 0) {
      const { refused } = await new BundleKeeper({ dataFolder: layered.data, folders, now: () => Date.now() + at }).turn(true);
      return refused === undefined || refused === null ? [] : [refused as Met];
    },
  });
}

/** A server that gave a good bundle and now gives another. */
const given = (what: string, make: () => Promise<Buffer>, advice: RegExp): Way => ({
  what,
  async meets() {
    let bytes = await signed(denying);
    const server = (await TestServer.start()).serve(() => bytes);
    const site = pinned(server);
    await site.turn();
    bytes = await make();
    return site.turn();
  },
  at: null,
  advice,
});

/** What a project says of its organisation's files. */
const said = (what: string, make: () => Layered | Promise<Layered>, at: string | null, advice: RegExp): Way => ({
  what,
  async meets() {
    const layered = await make();
    const problems = (await layered.open()).for(nobody).problems();
    return problems.map((one) => ({ ...one, ...(one.file && { file: one.file.replace(layered.base, '…') }) }));
  },
  at,
  advice,
});

const plain = () => new Layered().put('project', 'modes.yaml', modesYaml());

export const published: Ways = {
  E_BUNDLE_ARCHIVE: verified('a page for a bundle', () => Buffer.from('<html>'), /Build/),
  E_BUNDLE_KEY: {
    what: 'a key on another curve',
    meets: () => refusedBy(() => verifyingKey(keysOf('ES384').public, 'ES256' as Algorithm)),
    at: null,
    advice: /[Kk]ey/,
  },
  E_BUNDLE_UNSIGNED: verified('no signature', () => archiveOf(bundleOf(denying)), /modes bundle sign/),
  E_BUNDLE_SIGNATURE: verified('another key', () => signed(denying, { key: keysOf('ES256', 'another').private }), /key/),
  E_BUNDLE_ALTERED: verified(
    'a file that was changed',
    async () => {
      const files = unpackArchive(await signed(denying));
      return archiveOf(new Map(files).set('layer/settings.any.json', Buffer.from('{}')));
    },
    /Publish|sign/,
  ),
  E_BUNDLE_SCOPE: verified('another scope', () => signed(denying, { scope: 'write' }), /scope/, { scope: 'read' }),
  E_BUNDLE_EXPIRED: verified(
    'a signature that is over',
    () => signed(denying, { expires: new Date(Date.now() - hour) }),
    /Sign it again/,
  ),
  E_BUNDLE_ROLLBACK: given('an older one', () => signed(denying, { now: new Date(Date.now() - hour) }), /revision/),
  E_BUNDLE_CONTENT: given(
    'one without a layer',
    () => signed({ '.manifest': '{"revision":"2"}' } as Files),
    /modes bundle build/,
  ),
  E_BUNDLE_FETCH: given('one that is too large', async () => Buffer.alloc(17 * 1024 * 1024), /teams\.yaml|Check/),
  E_BUNDLE_MISSING: said('a bundle that never came', async () => pinned(await TestServer.start()), 'bundle', /modes doctor/),
  E_BUNDLE_STALE: said(
    'a server that was not reached for a day',
    async () => {
      const bytes = await signed(denying, { now: new Date(Date.now() - 72 * hour) });
      const site = pinned(
        (await TestServer.start()).serve(() => bytes),
        '  good_for: 2h\n  stale: refuse\n',
      );
      await site.turn(-24 * hour);
      return site;
    },
    'bundle',
    /Reconnect to the server/,
  ),
  E_TEAMS_LAYER: said(
    'a person who speaks for the organisation',
    () => plain().put('user', 'teams.yaml', 'enforcement: advise\n'),
    '~/.claude/teams.yaml:1:1',
    /organisation's|managed folder/,
  ),
  E_REQUIRED_MODE: said(
    'a mode that is required and not there',
    () => plain().put('managed', 'teams.yaml', 'modes: [one, review]\n'),
    '…/etc/modes/teams.yaml:1:14',
    /Add the mode/,
  ),
  W_TRUST_FORBIDDEN: said(
    'an approval that the organisation lets nobody give',
    async () => {
      const at = await plain()
        .put('project', 'settings.one.json', permissions({ allow: ['Write(a)'] }))
        .trust();
      return at.put('managed', 'teams.yaml', 'authority: {trust: false}\n');
    },
    '.claude',
    /modes\.keys\.pem/,
  ),
  E_FOREIGN_OWNER: said(
    'a folder of somebody else',
    () => {
      const at = plain().put('user', 'settings.any.json', '{}');
      fs.chownSync(path.dirname(at.at('user', 'x')), 12_345, 12_345);
      return at;
    },
    '~/.claude',
    /own|root/,
  ),
};
