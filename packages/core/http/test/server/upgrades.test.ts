import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runService, sendResponse } from '@meridian/http';
import type { RunningService, UpgradeListener } from '@meridian/http';
import { problem } from '@meridian/problem-details';
import { createMetrics } from '@meridian/telemetry';

import { renderProblem } from '../fixtures/example-app.ts';
import { parseResponse, received } from '../fixtures/example-server.ts';
import { certificate } from '../fast-path/exchange-server.ts';
import { memoryLogger } from '../fixtures/memory-logger.ts';

/** Takes a connection, and sends back what it gets. */
const echo: UpgradeListener = ({ url }, socket, head) => {
  if (url !== '/echo') {
    throw problem('route-not-found', 'There is no WebSocket.');
  }
  socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  socket.write(head);
  socket.pipe(socket);
};

const upgrade = (path: string, fields = 'Host: a\r\n', to = 'websocket') =>
  `GET ${path} HTTP/1.1\r\n${fields}Connection: Upgrade\r\nUpgrade: ${to}\r\n\r\n`;

describe.each(['TCP', 'TLS'])('A server with an upgrade listener over %s', (transport) => {
  let service: RunningService;
  beforeEach(async () => {
    service = await runService({
      name: 'echo',
      logger: memoryLogger().logger,
      metrics: createMetrics({ service: 'echo' }),
      renderProblem,
      listen: { host: '127.0.0.1', port: 0 },
      admin: { host: '127.0.0.1', port: 0 },
      shutdownGraceMs: 400,
      tls: transport === 'TLS' ? { certificate: certificate.cert, key: certificate.key } : undefined,
      open: () => ({
        handler: (request, response) => sendResponse(request, response, { status: 200, body: 'hello' }),
        upgrade: echo,
        isReady: () => Promise.resolve(),
        close: () => Promise.resolve(),
      }),
    });
  });
  afterEach(() => service.stop());

  const open = (): Socket => {
    const to = { port: service.address.port, host: '127.0.0.1' };
    return transport === 'TLS' ? connectSecurely({ ...to, ca: certificate.cert }) : connect(to);
  };

  it('passes a request for a WebSocket on, with the bytes after it', async () => {
    const socket = open();
    socket.write(`${upgrade('/echo')}first`);
    let text = '';
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (!text.endsWith('first')) {
      await once(socket, 'data');
    }
    expect(text).toMatch(/^HTTP\/1\.1 101 /);
    socket.destroy();
  });

  it.each([
    ['a path that it does not serve', upgrade('/other'), 404],
    ['two Host fields', upgrade('/echo', 'Host: a\r\nHost: b\r\n'), 400],
    ['no Host field', upgrade('/echo', ''), 400],
  ])('responds to %s with a problem, and closes', async (_what, bytes, expected) => {
    const socket = open();
    const response = received(socket);
    socket.write(bytes);
    const { status, headers, body } = parseResponse(await response);
    expect(status).toBe(expected);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(JSON.parse(body)).toMatchObject({ status: expected });
  });

  it('ignores an upgrade to anything else', async () => {
    const socket = open();
    const response = received(socket);
    socket.write(
      upgrade('/echo', 'Host: a\r\n', 'h2c').replace('Connection: Upgrade', 'Connection: Upgrade, close'),
    );
    expect(parseResponse(await response)).toMatchObject({ status: 200, body: 'hello' });
  });

  it('keeps such a connection until it ends, and ends it at the end of the grace', async () => {
    const socket = open();
    socket.write(upgrade('/echo'));
    await once(socket, 'data');
    const closed = once(socket, 'close');
    const startedMs = performance.now();
    await service.stop();
    await closed;
    // Four fifths of the grace.
    expect(performance.now() - startedMs).toBeGreaterThan(300);
  });
});
