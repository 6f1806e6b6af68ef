// A process that sends a project's decision log until it is ended: `node sending.ts DATA ROOT URL CA`.
import { connect, post } from '../../../src/teams/remote.ts';
import { LogSender } from '../../../src/teams/sender.ts';

const [dataFolder = '', root = '', url = '', caFile = ''] = process.argv.slice(2);
const server = { url, tokenFile: null, caFile, proxy: null };
const connection = connect(server);
const sender = new LogSender({ dataFolder, root });
for (;;) {
  const { next } = await sender.turn({ ...server, every: 20, mask: [] }, (body, headers) =>
    post(url, connection, body, headers, new AbortController().signal),
  );
  await new Promise((resolve) => setTimeout(resolve, Math.min(next, 50)));
}
