import { BlockList, isIP, isIPv4 } from 'node:net';

/** Decides which addresses webhooks may be sent to. */
export interface AddressPolicy {
  /** True for an address of the public internet, and for one that the operator lists. False for any other text. */
  isAllowed(address: string): boolean;
}

/** @param allowed the addresses that are allowed though they are not public */
export function createAddressPolicy(allowed: BlockList = new BlockList()): AddressPolicy {
  return {
    isAllowed(address) {
      // A zone names an interface of this machine: only link-local addresses have one.
      if (isIP(address) === 0 || address.includes('%')) {
        return false;
      }
      const family = isIPv4(address) ? 'ipv4' : 'ipv6';
      return allowed.check(address, family) || isPublic(address, family);
    },
  };
}

function isPublic(address: string, family: 'ipv4' | 'ipv6'): boolean {
  return family === 'ipv4'
    ? !notPublic.check(address, family)
    : globalUnicast.check(address, family) && !notPublic.check(address, family);
}

/**
 * The networks that are not of the public internet: the special-purpose registries of IANA (RFC 6890), and addresses in
 * which an IPv4 address is wrapped. In RFC 6890's order.
 */
const notPublic = networks(
  '0.0.0.0/8', // this host
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carriers' NAT; has the metadata service of Alibaba
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local; has the metadata services of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; has the metadata service of Oracle
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '168.63.129.16/32', // the platform of Azure
  '2001::/23', // protocol assignments, with Teredo and ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4
  '3fff::/20', // documentation
);

/**
 * All that IPv6 assigns to public hosts. Outside of it are loopback, the unspecified address, IPv4-mapped and
 * IPv4-compatible addresses, NAT64, unique local, link-local, site-local, multicast and discard-only ones.
 */
const globalUnicast = networks('2000::/3');

function networks(...list: readonly string[]): BlockList {
  const found = parseNetworks(list.join());
  if (found === undefined) {
    throw new Error('a network of the list is malformed');
  }
  return found;
}

/** Networks in CIDR notation, separated by commas; a single address is a network. Undefined for another text. */
export function parseNetworks(text: string): BlockList | undefined {
  const list = new BlockList();
  for (const item of text.split(',')) {
    const [, address = '', digits] = /^([\da-f.:]+)(?:\/(\d{1,3}))?$/iu.exec(item.trim()) ?? [];
    const family = isIP(address);
    const bits = family === 4 ? 32 : 128;
    const prefix = digits === undefined ? bits : Number(digits);
    if (family === 0 || prefix > bits) {
      return undefined;
    }
    list.addSubnet(address, prefix, family === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
