// A process that keeps the socket of a folder until it is killed.
import fs from 'node:fs';
import { SocketKeeper } from '../../../../src/adapters/socket/socket.ts';

const [folder, name] = process.argv.slice(2) as [string, string];
const keeper = new SocketKeeper(
  folder,
  {
    build: 'build-1',
    ready: async () => undefined,
    checkTool: () => '{}',
    tooLarge: () => '{}',
    context: () => '{}',
    status: () => '{}',
    health: () => `{"health":"${name}"}`,
  },
  (message) => void fs.writeSync(2, `${message}\n`),
);
await keeper.start();
fs.writeSync(1, 'ready\n');
setInterval(() => undefined, 60_000);
