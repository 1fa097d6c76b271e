import { isSocketPath } from '@meridian/http';
import type { RouterConfig } from '@meridian/router-config';

import type { GatewayEnvironment } from './gateway-environment.ts';

export interface Address {
  /** An IP address, a host name, or the path of a Unix socket. */
  readonly host: string;
  readonly port: number;
}

/** The default of `supergraph.listen`. */
const defaultListen: Address = { host: '127.0.0.1', port: 4000 };
/** The default of `health_check.listen`. */
const defaultAdmin: Address = { host: '127.0.0.1', port: 8088 };

/**
 * The addresses of router.yaml, unless the environment says otherwise. The admin listener shows more than clients may
 * see, so it never has their address: only the health check does.
 */
export function listenAddresses(
  { supergraph, health_check: health, telemetry }: RouterConfig,
  { HOST, PORT, ADMIN_HOST, ADMIN_PORT }: GatewayEnvironment,
) {
  const { enabled, listen, path } = telemetry.exporters.metrics.prometheus;
  const isHealthPublic = isSameAddress(supergraph.listen, health.listen);
  const admin = isHealthPublic ? defaultAdmin : health.listen;
  const adminAddress = withVariables(admin, defaultAdmin, ADMIN_HOST, ADMIN_PORT);
  // The admin listener has the metrics at that path itself.
  const isAtAdmin = listen !== undefined && path === '/metrics' && isSameAddress(listen, adminAddress);
  return {
    listen: withVariables(supergraph.listen, defaultListen, HOST, PORT),
    admin: adminAddress,
    /** True when router.yaml puts the health check on the address for clients, as Apollo Router allows. */
    isHealthPublic,
    /** One more listener, for scrapes of the metrics. */
    scrapes: enabled && listen !== undefined && !isAtAdmin ? { ...listen, path } : undefined,
  };
}

/** Router's default path is `/`, the specification's is `/graphql`. Without a setting, both serve GraphQL requests. */
export function graphPaths({ supergraph: { path } }: RouterConfig): readonly string[] {
  return path === undefined ? ['/', '/graphql'] : [path];
}

/** The address of a key, unless the environment has another: one of its variables is enough in place of a Unix socket. */
function withVariables(
  address: Address,
  byDefault: Address,
  host: string | undefined,
  port: number | undefined,
): Address {
  const isReplaced = isSocketPath(address.host) && (host !== undefined || port !== undefined);
  const other = isReplaced ? byDefault : address;
  return { host: host ?? other.host, port: port ?? other.port };
}

/** True when a second listener would find its port or its path taken by the first. */
export function isSameAddress(one: Address, other: Address): boolean {
  if (isSocketPath(one.host)) {
    return one.host === other.host;
  }
  const isEveryHost = [one, other].some(({ host }) => host === '0.0.0.0' || host === '::');
  // Port 0 is any free port.
  return one.port !== 0 && one.port === other.port && (isEveryHost || one.host === other.host);
}
