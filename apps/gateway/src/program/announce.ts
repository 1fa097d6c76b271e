import { isSocketPath } from '@meridian/http';
import type { ListenAddress } from '@meridian/http';

import type { SubgraphUrls } from '../composition/subgraph-urls.ts';
import type { StartedGateway } from './start-gateway.ts';

/** Tells the person at the terminal the served graph and its URL. */
export function announce(
  { config, address, adminAddress }: StartedGateway,
  { version, subgraphs }: { readonly version: string; readonly subgraphs: SubgraphUrls | undefined },
): string {
  const origin = originOf(address, config.isSecure ? 'https' : 'http');
  const [graphPath = ''] = config.graphPaths;
  const served = subgraphs === undefined ? config.supergraphName : [...subgraphs.keys()].join(', ');
  return [
    `meridian-gateway ${version} serves ${served} at ${origin}${graphPath}${overSocket(address)}`,
    ...(config.explorer === undefined ? [] : [`explorer: ${origin}/explorer${overSocket(address)}`]),
    ...(config.explain === undefined || config.explorer === undefined || isSocketPath(adminAddress.host)
      ? []
      : [
          `explain a request: EXPLAIN_SECRET=${config.explain.secret} meridian-gateway explain <trace id> --admin-url ${originOf(adminAddress)}`,
        ]),
    `admin: ${originOf(adminAddress)} (/livez, /readyz, /metrics)${overSocket(adminAddress)}`,
    '',
  ].join('\n');
}

function originOf({ host, port }: ListenAddress, scheme = 'http'): string {
  return isSocketPath(host)
    ? `${scheme}://localhost`
    : `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function overSocket({ host }: ListenAddress): string {
  return isSocketPath(host) ? ` over the Unix socket ${host}` : '';
}
