import { connect as connectPlainly, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import type { Peer } from '../subgraph-client.ts';
import type { Connect } from './connection.ts';

/**
 * Creates the function that connects to an origin. Over TLS, a connection resumes the last session, which saves the
 * exchange of certificates, unless other certificates have taken effect since.
 *
 * @param buffer where all connections read: what one read brings is taken before the next one begins
 */
export function createConnect(
  { protocol, hostname, port }: URL,
  { socketPath, tls }: Peer,
  buffer: Buffer,
): Connect {
  const isSecure = protocol === 'https:';
  // A URL has brackets around an IPv6 address.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const address =
    socketPath === undefined ? { host, port: Number(port || (isSecure ? 443 : 80)) } : { path: socketPath };
  let session: Buffer | undefined;
  let secureContext = tls?.current;

  return (onBytes) => {
    const reading = { ...address, onread: readInto(buffer, onBytes) };
    if (!isSecure) {
      return connectPlainly(reading);
    }
    if (tls?.current !== secureContext) {
      secureContext = tls?.current;
      session = undefined;
    }
    const context = secureContext;
    const socket = connectSecurely({
      ...reading,
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      ...(context !== undefined && { secureContext: context }),
      ...(session !== undefined && { session }),
    });
    socket.on('session', (latest) => {
      if (context === secureContext) {
        session = latest;
      }
    });
    // The other side may have rejected the session.
    socket.on('error', () => void (session = undefined));
    return socket;
  };
}

/** Reads everything into one buffer. A stream would allocate a new one of this size for each read. */
function readInto(buffer: Buffer, onBytes: (bytes: Buffer) => void) {
  return {
    buffer,
    callback(size: number): boolean {
      onBytes(buffer.subarray(0, size));
      return true;
    },
  };
}
