// The subgraphs of a soak, in a process of their own: `fork`ed, it says its port, answers each request as that asks
// for, and says on any message how many connections it has.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { gzipSync } from 'node:zlib';

import type { FaultName } from './fault-name.ts';
import { faultNames } from './fault-name.ts';

const level = { name: 'full', code: 'c1', anything: 'x'.repeat(2000) };
const products = [
  { __typename: 'Product', id: 'p1' },
  { __typename: 'Product', id: 'p2' },
];

/** Data in which every operation of a soak finds its own fields. */
const data = { products, level, restock: level, _entities: products.map(() => ({ level })) };
const sound = JSON.stringify({ data });
const zipped = gzipSync(sound);
const reported = JSON.stringify({ data: null, errors: [{ message: 'no', extensions: { code: 'NO' } }] });

const responses: Readonly<Record<FaultName, (response: ServerResponse) => void>> = {
  none: (response) => void response.end(sound),
  gzip: (response) => void response.setHeader('Content-Encoding', 'gzip').end(zipped),
  error: (response) => void response.end(reported),
  status: (response) => void response.writeHead(500).end(sound),
  reset: ({ req }) => void req.socket.resetAndDestroy(),
  truncated: ({ req }) => void req.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'),
  garbage: ({ req }) => void req.socket.end('garbage\r\n\r\n'),
  silence: () => {},
  'silence in the body': (response) => void response.write('{'),
};

const server = createServer((request, response) => {
  request.resume().on('end', () => responses[faultOf(request)](response));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('message', () => server.getConnections((_error, count) => process.send?.(count)));
process.on('disconnect', () => process.exit());

function faultOf({ headers, url }: IncomingMessage): FaultName {
  // The catalog is what the others are reached through: it always works.
  const fault = url === '/catalog' ? 'none' : headers['x-fault'];
  return faultNames.find((name) => name === fault) ?? 'none';
}
