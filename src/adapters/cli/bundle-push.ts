// modes bundle push.
import { isAddress } from '../../config/team-server.ts';
import { BundleRefused } from '../../teams/refusal.ts';
import { putBundle } from '../../teams/remote.ts';
import { SIGNATURES } from '../../teams/signature.ts';
import { unpackArchive } from '../../teams/unpack.ts';
import { refusing } from './bundle-sign.ts';
import { insideClient } from './inside.ts';
import { readNamed } from './open.ts';
import { toJson } from './outputs/json.ts';
import { type Terminal, UsageError } from './terminal.ts';

interface PushOptions {
  token?: string;
  ca?: string;
  json?: boolean;
}

export async function bundlePush(file: string, url: string, options: PushOptions, terminal: Terminal): Promise<number> {
  const inside = insideClient(process.env);
  if (inside !== null)
    throw new UsageError(`only a person may run modes bundle push, in their own terminal, but ${inside}`, 'E_INSIDE_CLIENT');
  if (!isAddress(url)) throw new UsageError('write the address as https://…; http:// is allowed only for this machine');
  const at = new URL(url);
  return refusing(options, terminal, async () => {
    const bytes = readNamed(file, 'bundle');
    if (!unpackArchive(bytes).has(SIGNATURES))
      throw new BundleRefused('E_BUNDLE_UNSIGNED', 'The bundle is not signed.', 'Sign it: modes bundle sign.');
    const etag = await putBundle(at, bytes, {
      ...(options.token && { token: readNamed(options.token, 'key').toString('utf8').trim() }),
      ...(options.ca && { ca: readNamed(options.ca, 'key').toString('utf8') }),
    });
    if (options.json) terminal.out(toJson<'bundle-push'>({ url: at.href, bytes: bytes.length, etag }));
    else terminal.out(`${at.href}: ${Math.ceil(bytes.length / 1024)} KB`);
  });
}
