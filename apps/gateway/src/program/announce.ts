import type { ListenAddress } from '@meridian/http';

import type { StartedGateway } from '../start-gateway.ts';

/** Says, for the person at the terminal, what is served where. */
export function announce({ config, address, adminAddress }: StartedGateway, version: string): string {
  const origin = originOf(address);
  const [graphPath = ''] = config.http.graphPaths;
  return [
    `meridian-gateway ${version} serves ${config.supergraphPath} at ${origin}${graphPath}`,
    ...(config.explorer === undefined ? [] : [`explorer: ${origin}/explorer`]),
    `admin: ${originOf(adminAddress)} (/livez, /readyz, /metrics)`,
    '',
  ].join('\n');
}

function originOf({ host, port }: ListenAddress): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
