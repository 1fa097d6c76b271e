import { BlockList, isIPv6 } from 'node:net';

import type { Exchange } from '@meridian/http';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * True when a request comes from this machine and is addressed to it: both the peer and the `Host` are on loopback. A
 * foreign page whose name resolves to loopback cannot have such a `Host`. A proxy on this machine forwards requests
 * of others.
 */
export function isFromThisMachine({ peer = '', headers }: Pick<Exchange, 'peer' | 'headers'>): boolean {
  return (
    loopback.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4') &&
    loopbackHost.test(headers.host ?? '') &&
    headers.forwarded === undefined &&
    headers['x-forwarded-for'] === undefined
  );
}
