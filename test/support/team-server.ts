// Keys, bundles, and a server on this machine that serves them over TLS.

import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import fs from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { placeOf } from '../../src/facts/paths/place.ts';
import { packArchive } from '../../src/policy/archive.ts';
import type { Algorithm } from '../../src/teams/keys.ts';
import { type SigningOptions, signBundle } from '../../src/teams/signature.ts';
import { afterTest } from './cleanup.ts';
import { temporaryFolder } from './files.ts';
import { type Layered, packageRoot } from './layered-project.ts';

export interface Keys {
  private: Buffer;
  public: Buffer;
}

const pem = { privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } } as const;
const bytesOf = (pair: { privateKey: unknown; publicKey: unknown }): Keys => ({
  private: Buffer.from(String(pair.privateKey)),
  public: Buffer.from(String(pair.publicKey)),
});

const makers: Record<string, () => Keys> = {
  Ed: () => bytesOf(generateKeyPairSync('ed25519', pem)),
  ES256: () => bytesOf(generateKeyPairSync('ec', { namedCurve: 'prime256v1', ...pem })),
  ES384: () => bytesOf(generateKeyPairSync('ec', { namedCurve: 'secp384r1', ...pem })),
  RS: () => bytesOf(generateKeyPairSync('rsa', { modulusLength: 2048, ...pem })),
  PS: () => bytesOf(generateKeyPairSync('rsa', { modulusLength: 2048, ...pem })),
  HS: () => {
    const secret = Buffer.from(randomBytes(48).toString('base64'));
    return { private: secret, public: secret };
  },
};
const made = new Map<string, Keys>();

/** Keys of an algorithm; `another`: not the usual ones. */
export function keysOf(algorithm: Algorithm, another = ''): Keys {
  const kind = Object.keys(makers).find((one) => algorithm.startsWith(one))!;
  const keys = made.get(kind + another) ?? makers[kind]!();
  made.set(kind + another, keys);
  return keys;
}

/** Files of a bundle by name. */
export type Files = Record<string, string>;

export const layerFiles = (settings: object, more: Files = {}): Files => ({
  '.manifest': JSON.stringify({ revision: '1', roots: ['modes', 'rules'] }),
  'layer/settings.any.json': JSON.stringify({ permissions: settings }),
  ...more,
});

export const bundleOf = (files: Files) => new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]));

export const archiveOf = (files: ReadonlyMap<string, Buffer>): Buffer =>
  Buffer.from(packArchive(new Map([...files].map(([name, bytes]) => [`/${name}`, bytes]))));

/** The archive of signed files. */
export async function signed(files: Files, options: Partial<SigningOptions> = {}): Promise<Buffer> {
  const algorithm = options.algorithm ?? 'ES256';
  return archiveOf(await signBundle(bundleOf(files), { algorithm, key: keysOf(algorithm).private, ...options }));
}

/** A folder that is removed after the test. */
export function makeFolder(): string {
  const folder = temporaryFolder('modes-teams-');
  afterTest(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

let authority: { key: string; cert: string } | null = null;

/** A certificate for localhost that vouches for itself. */
export function certificate(): { key: string; cert: string } {
  if (authority !== null) return authority;
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'modes-teams-ca-'));
  try {
    const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
    execFileSync(
      'openssl',
      [
        ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost'.split(' '),
        ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1', '-keyout', key, '-out', cert],
      ],
      { stdio: 'ignore' },
    );
    authority = { key: fs.readFileSync(key, 'utf8'), cert: fs.readFileSync(cert, 'utf8') };
    return authority;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

export interface Request {
  method: string;
  url: string;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** What a server answers; `hang`: nothing at all. */
export interface Answer {
  status: number;
  headers?: http.OutgoingHttpHeaders;
  body?: Uint8Array | string;
}

export class TestServer {
  readonly requests: Request[] = [];
  answer: (request: Request) => Answer | 'hang' | Promise<Answer | 'hang'> = () => ({ status: 404 });
  private readonly server: https.Server;

  private constructor() {
    this.server = https.createServer(certificate(), async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { method = '', url = '', headers } = request;
      const asked = { method, url, headers, body: Buffer.concat(parts) };
      this.requests.push(asked);
      const answer = await this.answer(asked);
      if (answer === 'hang') return;
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body);
    });
  }

  static async start(): Promise<TestServer> {
    const one = new TestServer();
    await new Promise<void>((resolve) => one.server.listen(0, '127.0.0.1', resolve));
    afterTest(() => one.stop());
    return one;
  }

  /** As a bundle server: what is there now with its ETag, 304 where that is known. */
  serve(bytes: () => Uint8Array): this {
    this.answer = ({ headers }) => {
      const body = bytes();
      const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 12)}"`;
      return headers['if-none-match'] === etag
        ? { status: 304, headers: { etag } }
        : { status: 200, headers: { etag, 'content-type': 'application/gzip' }, body };
    };
    return this;
  }

  get url(): string {
    return `https://localhost:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }
}

/** The place of a project with an organisation's folder of its own. */
export function placeAt(layered: Layered) {
  return {
    ...placeOf(layered.root, layered.env, packageRoot),
    managedFolders: [path.dirname(path.dirname(layered.at('managed', 'x')))],
  };
}
