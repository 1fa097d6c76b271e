import { isIPv4, isIPv6 } from 'node:net';

import { scalar } from './value-type.ts';

/** An address to listen on. */
export interface SocketAddress {
  /** An IPv4 or IPv6 address, without brackets. */
  readonly host: string;
  /** 0 lets the system choose a free one. */
  readonly port: number;
}

/** `0.0.0.0:4000` or `"[::1]:4000"`. */
export const socketAddress = scalar({
  takes: 'an address and a port, such as 0.0.0.0:4000 or "[::1]:4000"',
  read: (value) => (typeof value === 'string' ? parseSocketAddress(value) : undefined),
  schema: { type: 'string', examples: ['0.0.0.0:4000'] },
});

function parseSocketAddress(text: string): SocketAddress | undefined {
  const [, bracketed, bare, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? (bare === 'localhost' ? '127.0.0.1' : bare) ?? '';
  const port = Number(digits);
  const isAddress = bracketed === undefined ? isIPv4(host) : isIPv6(host);
  return isAddress && port <= 65_535 ? { host, port } : undefined;
}
