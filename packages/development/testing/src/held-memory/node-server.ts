// A server of Node as it comes, in a process of its own: the yardstick for what a connection costs.
import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';

const server = createServer({ maxHeaderSize: 65_536 + 1, keepAliveTimeout: 65_000 }, (_request, response) => {
  response.statusCode = 404;
  response.end('{"title":"Not Found"}');
});
server.maxHeadersCount = 0;
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const bound = server.address();
const port = typeof bound === 'object' ? bound?.port : undefined;
const address = { host: '127.0.0.1', port };
process.stdout.write(`${JSON.stringify({ address, adminAddress: address })}\n`);
