// While the configuration is compiled, the sender keeps its event: whoever gives up waiting decides by it in another way.
import http from 'node:http';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SocketKeeper, socketName } from '../../../../src/adapters/socket/socket.ts';
import { makeFolder } from '../../../support/folder-project.ts';

test('the server reads an event once a configuration is loaded', async () => {
  const folder = makeFolder();
  const happened: string[] = [];
  let becomeReady = (): void => undefined;
  const compiled = new Promise<void>((resolve) => {
    becomeReady = resolve;
  });
  let asked = (): void => undefined;
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const keeper = new SocketKeeper(
    folder,
    {
      build: 'b',
      ready: () => {
        asked();
        return compiled;
      },
      checkTool: () => '{"decided":true}',
      tooLarge: () => '{}',
      context: () => '{}',
      status: () => '{}',
      health: () => '{}',
    },
    (message) => happened.push(message),
  );
  await keeper.start();
  try {
    const answered = new Promise<string>((resolve, reject) => {
      const headers = { expect: '100-continue', 'x-modes-build': 'b' };
      const request = http.request({ socketPath: path.join(folder, socketName), path: '/check-tool', method: 'POST', headers });
      request.on('continue', () => {
        happened.push('taken');
        request.end('{}');
      });
      request.on('response', (response) => response.on('data', (data) => resolve(String(data))));
      request.on('error', reject);
      request.flushHeaders();
    });
    await isAsked;
    happened.push('compiled');
    becomeReady();
    expect(await answered).toBe('{"decided":true}');
    expect(happened).toEqual(['compiled', 'taken']);
  } finally {
    await keeper.stop();
  }
});
