// Connections of webhooks: to allowed addresses only. A name is resolved once for each connection, and the connection goes
// to an address that was checked, so a name that changes its addresses between the check and the connection gains nothing.
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIPv4 } from 'node:net';
import process from 'node:process';

import { buildConnector } from 'undici';

import type { AddressPolicy } from '../webhooks/address-policy.ts';
import { addressOf } from '../webhooks/webhook-url.ts';

/** All addresses of the host are refused by the policy. */
export class AddressNotAllowed extends Error {
  override readonly name = 'AddressNotAllowed';
}

/** The host has no address. */
export class NameNotFound extends Error {
  override readonly name = 'NameNotFound';
}

/** The addresses of a host name; rejects, or resolves with none, when it has no address. */
export type ResolveName = (name: string) => Promise<readonly string[]>;

export interface PublicConnectorOptions {
  readonly addresses: AddressPolicy;
  readonly resolveName?: ResolveName;
  readonly timeoutMs: number;
}

/** Connects for an undici `Agent`; the error of a connection may be `AddressNotAllowed` or `NameNotFound`. */
export function createPublicConnector({
  addresses,
  resolveName = resolveByDns,
  timeoutMs,
}: PublicConnectorOptions): buildConnector.connector {
  const connect = buildConnector({
    // Of the type of a plain connection: a TLS connection takes the same.
    port: 0,
    lookup: allowedAddresses(addresses, resolveName),
    timeout: timeoutMs,
    allowH2: false,
  });
  return (options, callback) => {
    // Node looks no address up: it would connect to it unchecked.
    const address = addressOf(options.hostname);
    if (address !== undefined && !addresses.isAllowed(address)) {
      callback(new AddressNotAllowed('the address is not allowed'), null);
      return;
    }
    connect(options, (...result) => {
      const [error, socket] = result;
      // A second barrier: the address that the connection really has.
      if (error === null && !addresses.isAllowed(socket.remoteAddress ?? '')) {
        socket.destroy();
        callback(new AddressNotAllowed('the connection is to an address that is not allowed'), null);
        return;
      }
      callback(...result);
    });
  };
}

function allowedAddresses(policy: AddressPolicy, resolveName: ResolveName): LookupFunction {
  return (name, { all, family }, callback) => {
    const report = async (): Promise<() => void> => {
      try {
        const allowed = (await addressesOf(name, policy, resolveName)).filter(
          (found) => family === undefined || family === 0 || found.family === family,
        );
        const [first] = allowed;
        if (first === undefined) {
          throw new NameNotFound('the name has no address of the family');
        }
        return all === true
          ? () => callback(null, allowed)
          : () => callback(null, first.address, first.family);
      } catch (error) {
        const failure = error instanceof Error ? error : new Error(String(error));
        return () => callback(failure, []);
      }
    };
    // Outside of the promise: an error that the callback throws is not one of the name.
    void report().then((call) => process.nextTick(call));
  };
}

/** Of a name with more, the rest is not tried: it could have us knock at as many doors as it likes. */
const maxAddresses = 4;

/** The addresses of a host that are allowed; rejects with NameNotFound or AddressNotAllowed when there is none. */
async function addressesOf(
  name: string,
  policy: AddressPolicy,
  resolveName: ResolveName,
): Promise<LookupAddress[]> {
  const found = addressOf(name) === undefined ? await lookUp(name, resolveName) : ['127.0.0.1', '::1'];
  const allowed = found.filter((address) => policy.isAllowed(address));
  if (allowed.length === 0) {
    throw new AddressNotAllowed('no address of the name is allowed');
  }
  return allowed.slice(0, maxAddresses).map((address) => ({ address, family: isIPv4(address) ? 4 : 6 }));
}

async function lookUp(name: string, resolveName: ResolveName): Promise<readonly string[]> {
  const found = await resolveName(name).catch((error: unknown) => {
    throw new NameNotFound('the name has no address', { cause: error });
  });
  if (found.length === 0) {
    throw new NameNotFound('the name has no address');
  }
  return found;
}

/**
 * Asks the DNS servers directly. `dns.lookup` takes a thread of a pool of four, which names whose servers do not respond
 * would keep from everything else in the process; and it knows the names of this machine.
 */
async function resolveByDns(name: string): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  if (ipv4.status === 'rejected' && ipv6.status === 'rejected') {
    throw ipv4.reason;
  }
  return [ipv4, ipv6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
}
