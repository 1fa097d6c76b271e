import { createServer } from 'node:http';

import { afterEach, describe, expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';
import type { LoopbackServer } from '@meridian/testing';
import { listenOnLoopback } from '@meridian/testing';

import type { Sender } from '../../../src/soak/load/http-sender.ts';
import { createSender } from '../../../src/soak/load/http-sender.ts';

let server: LoopbackServer | undefined;
let sender: Sender | undefined;

afterEach(async () => {
  sender?.close();
  await server?.close();
  server = undefined;
});

const get = (url: string | URL) => ({ method: 'GET', url: new URL(url), headers: {} });

describe('A request of a soak', () => {
  it('is sent again when the connection is refused, until the service is back', async () => {
    const port = await findFreePort();
    let refusedConnections = 0;
    const late = createServer((_request, response) => response.end('there'));
    sender = createSender({
      onRefused() {
        refusedConnections += 1;
        if (!late.listening) {
          late.listen(port, '127.0.0.1');
        }
      },
    });
    await expect(sender.send(get(`http://127.0.0.1:${port}`))).resolves.toMatchObject({ body: 'there' });
    expect(refusedConnections).toBeGreaterThan(0);
    sender.close();
    await new Promise((resolve) => void late.close(resolve));
  });

  it('is never sent again when the connection was lost later', async () => {
    let requests = 0;
    server = await listenOnLoopback((request) => {
      requests += 1;
      request.socket.destroy();
    });
    sender = createSender({ onRefused: () => undefined });
    await expect(sender.send(get(server.url))).rejects.toMatchObject({ failure: 'broken' });
    expect(requests).toBe(1);
  });

  it('has no response when its client has hung up', async () => {
    server = await listenOnLoopback(() => undefined);
    sender = createSender({ onRefused: () => undefined });
    await expect(sender.send(get(server.url), 20)).rejects.toMatchObject({ failure: 'hung up' });
  });

  it('has no response when the server refuses connections for too long', async () => {
    sender = createSender({ onRefused: () => undefined, maxRefusedMs: 1 });
    await expect(sender.send(get(`http://127.0.0.1:${await findFreePort()}`))).rejects.toMatchObject({
      failure: 'refused',
    });
  });
});
