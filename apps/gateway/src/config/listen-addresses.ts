import type { RouterConfig } from '@meridian/router-config';

import type { GatewayEnvironment } from './gateway-environment.ts';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ListenAddresses {
  readonly listen: Address;
  readonly admin: Address;
}

/** The addresses of router.yaml, unless the environment says otherwise. */
export function listenAddresses(
  { supergraph, health_check: health }: RouterConfig,
  { HOST, PORT, ADMIN_HOST, ADMIN_PORT }: GatewayEnvironment,
): ListenAddresses {
  return {
    listen: { host: HOST ?? supergraph.listen.host, port: PORT ?? supergraph.listen.port },
    admin: { host: ADMIN_HOST ?? health.listen.host, port: ADMIN_PORT ?? health.listen.port },
  };
}

/** True when a second listener would find its port taken by the first. */
export function isSameAddress(one: Address, other: Address): boolean {
  const isEveryHost = [one, other].some(({ host }) => host === '0.0.0.0' || host === '::');
  // Port 0 is any free port.
  return one.port !== 0 && one.port === other.port && (isEveryHost || one.host === other.host);
}
