import type { ListenAddress } from '@meridian/http';

import type { StartedGateway } from '../start-gateway.ts';

/** Tells the person at the terminal the served graph and its URL. */
export function announce({ config, address, adminAddress }: StartedGateway, version: string): string {
  const origin = originOf(address);
  const [graphPath = ''] = config.http.graphPaths;
  return [
    `meridian-gateway ${version} serves ${config.supergraphName} at ${origin}${graphPath}`,
    ...(config.explorer === undefined ? [] : [`explorer: ${origin}/explorer`]),
    `admin: ${originOf(adminAddress)} (/livez, /readyz, /metrics)`,
    '',
  ].join('\n');
}

function originOf({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
