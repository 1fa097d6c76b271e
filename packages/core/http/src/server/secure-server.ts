import type { Server, ServerOptions } from 'node:http';
import { createServer } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContextOptions } from 'node:tls';
import { Server as TlsServer } from 'node:tls';

/** The event of a server with which a connection is ready for HTTP: `secureConnection` where there is TLS. */
export type ConnectionEvent = 'connection' | 'secureConnection';

/** The certificate that a server shows its clients, in PEM. */
export interface ServerCertificate {
  /** The server's own certificate, then those up to its authority. */
  readonly certificate: string;
  readonly key: string;
}

export interface TlsOptions extends ServerCertificate {
  /** The longest time for a handshake, in milliseconds. Default: 10000. */
  readonly maxHandshakeMs?: number | undefined;
}

const defaultMaxHandshakeMs = 10_000;

/**
 * Authenticated encryption with fresh keys for each connection, as in Apollo Router. RFC 9113 §9.2.2 requires it of
 * HTTP/2.
 */
const ciphers = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_AES_128_GCM_SHA256',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** The options of a TLS context that has a certificate. */
export function secureContextOptions({ certificate, key }: ServerCertificate): SecureContextOptions {
  return { cert: certificate, key, ciphers, honorCipherOrder: true, minVersion: 'TLSv1.2' };
}

/** Creates a server of HTTP/1.1 over TLS. It also offers HTTP/2 to its clients (RFC 7301) if something else serves that. */
export function createSecureServer(
  options: ServerOptions,
  { maxHandshakeMs = defaultMaxHandshakeMs, ...certificate }: TlsOptions,
  offersHttp2: boolean,
): Server {
  return createServer({
    ...options,
    ...secureContextOptions(certificate),
    handshakeTimeout: maxHandshakeMs,
    ALPNProtocols: offersHttp2 ? ['h2', 'http/1.1'] : ['http/1.1'],
    // As `node:http` itself has it.
    allowHalfOpen: true,
    noDelay: true,
  });
}

/** From now on, new connections get this certificate. @throws {Error} when it is not usable */
export function replaceCertificate(server: Server, certificate: ServerCertificate): void {
  if (!(server instanceof TlsServer)) {
    throw new Error('Cannot replace the certificate of a server without TLS');
  }
  server.setSecureContext(secureContextOptions(certificate));
}

/** Follows the connections of a server. The returned function ends all, also those in their handshake. */
export function trackSockets(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
}
