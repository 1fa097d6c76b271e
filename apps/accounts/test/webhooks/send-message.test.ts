// The sender alone, with receivers that misbehave and names that resolve to what an attacker likes.
import { once } from 'node:events';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterEach, describe, expect, it } from '@jest/globals';

import { createSelfSignedCertificate } from '@meridian/testing';

import { createAddressPolicy, parseNetworks } from '../../src/webhooks/address-policy.ts';
import { createSender } from '../../src/dispatch/send-message.ts';
import type { Sender, SenderOptions } from '../../src/dispatch/send-message.ts';
import { newWebhookSecret } from '../../src/webhooks/webhook-secret.ts';

const message = { id: 'one', timestamp: 1, body: '{}' };
const secrets = [newWebhookSecret()];
const loopback = createAddressPolicy(parseNetworks('127.0.0.0/8'));
const never = new AbortController().signal;

describe('The sender of webhooks', () => {
  const senders: Sender[] = [];
  const servers: Server[] = [];
  const sockets: Socket[] = [];
  afterEach(async () => {
    for (const socket of sockets.splice(0)) {
      socket.destroy();
    }
    await Promise.all(senders.splice(0).map((sender) => sender.close()));
    for (const server of servers.splice(0)) {
      server.close();
    }
  });

  function sender(options: Partial<SenderOptions> = {}): Sender {
    const created = createSender({ addresses: loopback, ...options });
    senders.push(created);
    return created;
  }
  /** A peer that speaks whatever it likes once it has a request. */
  async function startPeer(speak: (socket: Socket) => void): Promise<number> {
    const server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.once('data', () => speak(socket));
    }).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n';

  describe('to an address inside', () => {
    // Resolved by a name, so that only the check of the connection is left.
    it.each([
      '127.0.0.1',
      '10.1.2.3',
      '172.31.255.255',
      '192.168.0.1',
      '169.254.169.254',
      '100.100.100.200',
      '0.0.0.0',
      '224.0.0.1',
      '203.0.113.1',
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '::127.0.0.1',
      'fe80::1',
      'fe80::1%lo',
      'fd00::1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:0:7f00:1::',
      'not an address',
    ])('does not connect: %s', async (address) => {
      const guarded = sender({ addresses: createAddressPolicy(), resolveName: async () => [address] });
      expect(await guarded.send('http://inside.example/', message, secrets, never)).toEqual({
        status: null,
        error: 'address-not-allowed',
      });
    });

    it('connects to no address of a name but the allowed ones', async () => {
      const port = await startPeer((socket) => socket.end(ok));
      const listed = sender({ resolveName: async () => ['10.0.0.1', '127.0.0.1', '::1'] });
      expect(await listed.send(`http://mixed.example:${port}/`, message, secrets, never)).toEqual({
        status: 200,
        error: null,
      });
    });

    it('does not connect when the name changes its address after the check', async () => {
      // A rebinding name: what the operator lists first, an address inside then. Each connection looks it up once.
      const port = await startPeer((socket) =>
        socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`),
      );
      const lookups: string[] = [];
      const addresses = ['127.0.0.1', '10.0.0.1'];
      const rebound = sender({
        async resolveName(name) {
          lookups.push(name);
          return [addresses.shift() ?? '10.0.0.1'];
        },
      });
      const send = () => rebound.send(`http://rebound.example:${port}/`, message, secrets, never);
      expect(await send()).toEqual({ status: 200, error: null });
      expect(lookups).toHaveLength(1);
      expect(await send()).toEqual({ status: null, error: 'address-not-allowed' });
    });

    it.each([
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::ffff:127.0.0.1]/',
      'http://localhost/',
    ])('does not connect where the URL has the address itself: %s', async (url) => {
      const guarded = sender({ addresses: createAddressPolicy() });
      expect(await guarded.send(url, message, secrets, never)).toEqual({
        status: null,
        error: 'address-not-allowed',
      });
    });
  });

  it('says when a name has no address, and when nothing listens', async () => {
    const unknown = sender({ resolveName: async () => [] });
    expect(await unknown.send('http://unknown.example/', message, secrets, never)).toEqual({
      status: null,
      error: 'name-not-found',
    });
    const port = await startPeer(() => undefined);
    servers[0]?.close();
    await once(servers[0]!, 'close');
    expect(await sender().send(`http://127.0.0.1:${port}/`, message, secrets, never)).toEqual({
      status: null,
      error: 'connection-failed',
    });
  });

  it('sends over TLS to the host that the certificate names, and to no other', async () => {
    const certificate = createSelfSignedCertificate();
    const requests: string[] = [];
    const peer = createHttpsServer({ key: certificate.key, cert: certificate.cert }, (request, response) => {
      requests.push(String(request.headers['webhook-id']));
      response.end();
    });
    peer.on('secureConnection', (socket: Socket) => sockets.push(socket));
    peer.listen(0, '127.0.0.1');
    servers.push(peer);
    await once(peer, 'listening');
    const { port } = peer.address() as AddressInfo;
    const over = (host: string) =>
      sender({ resolveName: async () => ['127.0.0.1'] }).send(
        `https://${host}:${port}/`,
        message,
        secrets,
        never,
      );

    expect(await over('127.0.0.1')).toEqual({ status: null, error: 'tls-failed' });
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, certificate.cert]);
    try {
      expect(await over('127.0.0.1')).toEqual({ status: 200, error: null });
      expect(await over('other.example')).toEqual({ status: null, error: 'tls-failed' });
    } finally {
      setDefaultCACertificates(trusted);
    }
    expect(requests).toEqual(['one']);
  });

  it('says when TLS fails: the peer speaks plain HTTP', async () => {
    const port = await startPeer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await sender().send(`https://127.0.0.1:${port}/`, message, secrets, never)).toEqual({
      status: null,
      error: 'tls-failed',
    });
  });

  it.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['drips its head', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X')],
    ['sends interim responses without end', (socket) => drip(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  ])('gives up at the deadline on a receiver that %s', async (_does, speak) => {
    const port = await startPeer(speak);
    const hasty = sender({ deadlineMs: 300 });
    expect(await hasty.send(`http://127.0.0.1:${port}/`, message, secrets, never)).toEqual({
      status: null,
      error: 'timeout',
    });
  });

  it('does not read a body of a gigabyte', async () => {
    let sent = 0;
    const port = await startPeer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n');
      const part = Buffer.alloc(16_384);
      const flood = (): void => {
        while (!socket.destroyed && sent < 1_073_741_824) {
          sent += part.length;
          if (!socket.write(part)) {
            socket.once('drain', flood);
            return;
          }
        }
      };
      flood();
    });
    expect(await sender().send(`http://127.0.0.1:${port}/`, message, secrets, never)).toEqual({
      status: 200,
      error: null,
    });
    const [socket] = sockets;
    if (socket?.closed === false) {
      await new Promise((resolve) => socket.once('close', resolve));
    }
    // The buffers of the system took some.
    expect(sent).toBeLessThan(16 * 1_048_576);
  });

  it('takes the status, and does not wait for a body that drips', async () => {
    const port = await startPeer((socket) =>
      drip(socket, 'HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
    );
    expect(await sender().send(`http://127.0.0.1:${port}/`, message, secrets, never)).toEqual({
      status: 500,
      error: 'status',
    });
  });

  it('refuses a head above 16 KiB, and a response that is not HTTP', async () => {
    const flood = await startPeer((socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`),
    );
    const other = await startPeer((socket) => socket.write('SSH-2.0-OpenSSH\r\n'));
    for (const port of [flood, other]) {
      expect(await sender().send(`http://127.0.0.1:${port}/`, message, secrets, never)).toEqual({
        status: null,
        error: 'invalid-response',
      });
    }
  });

  it('keeps no cookie, uses no proxy, and sends a body of exactly the given bytes', async () => {
    const requests: string[] = [];
    const recording = createServer((socket) => {
      sockets.push(socket);
      socket.on('data', (data) => {
        requests.push(data.toString());
        socket.write('HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n');
      });
    }).listen(0, '127.0.0.1');
    servers.push(recording);
    await once(recording, 'listening');
    const url = `http://127.0.0.1:${(recording.address() as AddressInfo).port}/hook?a=b`;
    const proxied = sender();
    process.env['http_proxy'] = 'http://127.0.0.1:9';
    try {
      await proxied.send(url, { ...message, body: '{"ä":1}' }, secrets, never);
      await proxied.send(url, message, secrets, never);
    } finally {
      delete process.env['http_proxy'];
    }
    expect(requests.join('')).toContain('POST /hook?a=b HTTP/1.1');
    expect(requests.join('')).toContain('content-length: 8\r\n');
    expect(requests.join('')).not.toMatch(/cookie/iu);
  });

  it('throws the reason of a signal that aborts, at once', async () => {
    const port = await startPeer(() => undefined);
    const controller = new AbortController();
    const sending = sender().send(`http://127.0.0.1:${port}/`, message, secrets, controller.signal);
    controller.abort(new Error('stopping'));
    await expect(sending).rejects.toThrow('stopping');
  });
});

function drip(socket: Socket, first: string, next: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write(next), 20);
  socket.on('close', () => clearInterval(timer));
}
