// A server of Node as it comes, in a process of its own: the yardstick for what a connection costs.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import process from 'node:process';

import { createSelfSignedCertificate } from '../self-signed-certificate.ts';

const listener = (_request: unknown, response: { statusCode: number; end(body: string): unknown }): void => {
  response.statusCode = 404;
  response.end('{"title":"Not Found"}');
};
const options = { maxHeaderSize: 65_536 + 1, keepAliveTimeout: 65_000 };
const http2Options = { allowHTTP1: true, maxHeaderListPairs: 1000, settings: { maxHeaderListSize: 131_072 } };
const server =
  process.env['WITH_TLS'] === 'true'
    ? createSecureServer({ ...options, ...createSelfSignedCertificate(), ...http2Options }, listener)
    : createServer(options, listener);
Object.assign(server, { maxHeadersCount: 0 });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const bound = server.address();
const port = typeof bound === 'object' ? bound?.port : undefined;
const address = { host: '127.0.0.1', port };
process.stdout.write(`${JSON.stringify({ address, adminAddress: address })}\n`);
