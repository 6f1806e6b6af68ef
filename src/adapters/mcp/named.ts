// Variables in the registration of the server: CLAUDE_MODES_CONFIG_DIR, the folder with modes.yaml, and CLAUDE_MODES_SOCKET.
import fs from 'node:fs';
import path from 'node:path';
import { startOf } from '../../facts/paths/place.ts';
import { inside } from '../../platform/path-text.ts';
import { realOr } from '../../platform/stat.ts';
import { type Finding, findingOf } from '../../workflow/findings/types.ts';
import { socketName } from '../socket/socket.ts';

const folderVariable = 'CLAUDE_MODES_CONFIG_DIR';
const socketVariable = 'CLAUDE_MODES_SOCKET';
/** Maximum bytes of a socket's name that a client can reach; a longer name is truncated. */
const maxSocket = 107;

/** The start folder of the session: from the client, else the parent of the named folder, else this process's own. */
export function startFolder(env: NodeJS.ProcessEnv): string {
  const named = setTo(env, folderVariable);
  const around = named !== null && path.isAbsolute(named) && path.basename(named) === '.claude' ? path.dirname(named) : null;
  return startOf(env) ?? around ?? process.cwd();
}

export interface RegistrationNames {
  /** An additional address of the server besides `.claude/mode.sock`, or null. */
  socket: { folder: string; name: string } | null;
  /** Variables that are ignored, each with the reason. */
  refused: Finding[];
}

/**
 * The settings that apply to a project. The folder setting can only confirm the default: the hooks always read the project's own
 * `.claude`, and no other folder is protected from the agent.
 */
export function readNamed(env: NodeJS.ProcessEnv, { root, folder }: { root: string; folder: string }): RegistrationNames {
  const refused: Finding[] = [];
  const refuse = (name: string, why: string): void => {
    refused.push(findingOf('F_SERVER_SETTING', { file: name, what: `an unsupported value: ${why}` }));
  };
  const claude = setTo(env, folderVariable);
  const why = claude === null ? null : refuseFolder(claude, folder);
  if (why !== null) refuse(folderVariable, why);
  const socket = setTo(env, socketVariable);
  if (socket === null) return { socket: null, refused };
  const unsafe = refuseSocket(socket, root, folder);
  if (unsafe !== null) refuse(socketVariable, unsafe);
  const own = { folder: realOr(path.dirname(socket)), name: path.basename(socket) };
  const isUsual = own.folder === realOr(folder) && own.name === socketName;
  return { socket: unsafe !== null || isUsual ? null : own, refused };
}

/** null if it is not set, or if it names a variable that the client did not expand. */
function setTo(env: NodeJS.ProcessEnv, name: string): string | null {
  const value = env[name];
  return value === undefined || value === '' || value.includes('${') ? null : value;
}

function refuseFolder(named: string, folder: string): string | null {
  if (!path.isAbsolute(named)) return `${named} is relative`;
  return realOr(named) === realOr(folder) ? null : `the modes of this session are in ${folder}, not in ${named}`;
}

function refuseSocket(named: string, root: string, folder: string): string | null {
  if (!path.isAbsolute(named)) return `${named} is relative`;
  const within = realOr(path.dirname(named));
  if (within === realOr(folder) && path.basename(named) === socketName) return null;
  if (Buffer.byteLength(named) > maxSocket) return `${named} is longer than ${maxSocket} bytes`;
  if (!inside(within, root)) return `${named} is outside the project`;
  const stat = fs.statSync(within, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return `there is no folder ${within}`;
  if ((process.getuid !== undefined && stat.uid !== process.getuid()) || (stat.mode & 0o022) !== 0)
    return `others can change ${within}`;
  return null;
}
