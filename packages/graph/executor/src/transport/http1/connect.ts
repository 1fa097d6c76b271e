import { connect as connectPlainly, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

import type { Connect } from './connection.ts';

/**
 * Creates the function that connects to an origin. Over TLS, a connection resumes the last session, which saves the
 * exchange of certificates.
 *
 * @param buffer where all connections read: what one read brings is taken before the next one begins
 */
export function createConnect({ protocol, hostname, port }: URL, buffer: Buffer): Connect {
  const isSecure = protocol === 'https:';
  // A URL has brackets around an IPv6 address.
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const address = { host, port: Number(port || (isSecure ? 443 : 80)) };
  let session: Buffer | undefined;

  return (onBytes) => {
    const reading = { ...address, onread: readInto(buffer, onBytes) };
    if (!isSecure) {
      return connectPlainly(reading);
    }
    const socket = connectSecurely({
      ...reading,
      servername: isIP(host) === 0 ? host : '',
      ALPNProtocols: ['http/1.1'],
      ...(session !== undefined && { session }),
    });
    socket.on('session', (latest) => void (session = latest));
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
