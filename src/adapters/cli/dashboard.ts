// modes dashboard: the project in a browser, until it is interrupted.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { findPackageRoot } from '../../app/own-package.ts';
import { serveDashboard } from '../dashboard/server.ts';
import { requireProject } from './open.ts';
import { toJson } from './outputs/json.ts';
import { exits, interrupted, type Terminal, UsageError } from './terminal.ts';

export interface DashboardVerbOptions {
  project?: string;
  json?: boolean;
  port?: string;
  open?: boolean;
}

export async function dashboard(options: DashboardVerbOptions, terminal: Terminal): Promise<number> {
  const port = Number(options.port ?? 0);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new UsageError(`${options.port} is not a port`);
  const project = await requireProject(options.project);
  const page = fs.readFileSync(path.join(findPackageRoot(), 'dist/dashboard.html'), 'utf8');
  const end = interrupted();
  const served = await serveDashboard({ project, page, port, note: (message) => terminal.err(`modes: ${message}`) });
  terminal.out(options.json ? toJson<'dashboard'>({ url: served.url, pid: process.pid }) : served.url);
  if (!options.json) terminal.err('Open this address in a browser, and do not share it. Ctrl-C stops the dashboard.');
  if (options.open) show(served.url, terminal);
  if (!end.aborted) await once(end, 'abort');
  await served.close();
  return exits.fine;
}

function show(url: string, terminal: Terminal): void {
  const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const child = spawn(program, [url], { stdio: 'ignore', detached: true });
  child.on('error', (error) => terminal.err(`modes: no browser was opened: ${error.message}`));
  child.unref();
}
