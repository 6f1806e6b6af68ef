// A stock OPA server on this machine over TLS, and an organization that names it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { stockBundle, wholeBundle } from '../../src/adapters/cli/policy-build.ts';
import { configure } from '../../src/app/dry-run.ts';
import { readSources } from '../../src/config/sources.ts';
import { placeOf } from '../../src/facts/paths/place.ts';
import { layerFolders } from '../../src/platform/layer-folders.ts';
import type { ConfigSnapshot } from '../../src/store/snapshots.ts';
import { afterTest } from './cleanup.ts';
import type { Layered } from './layered-project.ts';
import { certificate, makeFolder } from './team-server.ts';

/** Tests and benchmarks are started there. */
export const packageRoot = process.cwd();

const { keptOpa } = (await import(path.join(packageRoot, 'scripts/stock-opa.mjs'))) as { keptOpa(): string | null };

/** null: it was never built on this machine, and what needs it is not checked. */
export const program = keptOpa();
if (program === null) console.error('NOT CHECKED: no stock opa is kept here; make conformance builds one, with Go');

export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** What counts in a project of this home, without an organisation. */
export function contentOf({ root, env }: Pick<Layered, 'root' | 'env'>): ConfigSnapshot {
  const place = { ...placeOf(root, env, packageRoot), managedFolders: [] };
  return layerFolders(root, place).map((layer) => readSources(layer));
}

/** The bundle of a mode, as `modes policy build` makes it. */
export async function bundleOf(
  { root, env }: Pick<Layered, 'root' | 'env'>,
  mode: string,
): Promise<{ file: string; revision: string }> {
  const configured = await configure(contentOf({ root, env }), { root, trusted: true, env, packageRoot });
  const whole = await wholeBundle(configured, configured.bundles().get(mode)!);
  const file = path.join(makeFolder(), `${mode}.tar.gz`);
  fs.writeFileSync(file, await stockBundle(configured, whole));
  return { file, revision: whole.manifest.revision };
}

export class OpaServer {
  private child: ChildProcess | null = null;
  private readonly folder = makeFolder();

  private constructor(
    private readonly opa: string,
    readonly port: number,
  ) {
    const { key, cert } = certificate();
    fs.writeFileSync(this.at('key.pem'), key);
    fs.writeFileSync(this.at('cert.pem'), cert);
    afterTest(() => this.kill());
  }

  static async start(bundle: string): Promise<OpaServer> {
    if (program === null) throw new Error('no stock opa is kept here');
    const server = new OpaServer(program, await freePort());
    await server.start(bundle);
    return server;
  }

  get url(): string {
    return `https://localhost:${this.port}`;
  }

  at(name: string): string {
    return path.join(this.folder, name);
  }

  async start(bundle: string): Promise<void> {
    const tls = ['--tls-cert-file', this.at('cert.pem'), '--tls-private-key-file', this.at('key.pem')];
    const args = ['run', '--server', '--log-level', 'error', '--addr', `127.0.0.1:${this.port}`, ...tls, '-b', bundle];
    this.child = spawn(this.opa, args, { stdio: 'ignore', cwd: this.folder });
    for (let tries = 0; !(await this.isUp()); tries++) {
      if (this.child.exitCode !== null || tries > 600) throw new Error('opa run --server does not come up');
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Killed outright. */
  async kill(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  /** It keeps its connections and answers nothing. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.child?.kill('SIGCONT');
  }

  private isUp(): Promise<boolean> {
    return new Promise((resolve) => {
      const options = { ca: certificate().cert, agent: false };
      https
        .get(`${this.url}/health?bundles`, options, (answer) => {
          answer.resume();
          resolve(answer.statusCode === 200);
        })
        .on('error', () => resolve(false));
    });
  }
}

/** teams.yaml of an organisation that names a server. */
export function naming(layered: Layered, url: string, more = ''): Layered {
  const ca = path.join(layered.base, 'ca.pem');
  fs.writeFileSync(ca, certificate().cert);
  return layered.put('managed', 'teams.yaml', `evaluator: opa\nopa:\n  url: ${url}\n  ca: ${ca}\n  deadline: 1s\n${more}`);
}
