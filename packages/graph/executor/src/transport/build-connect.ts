import type { SecureContext } from 'node:tls';

import { buildConnector } from 'undici';

import type { Peer } from './subgraph-client.ts';

/** Creates undici's function that connects to a peer. Other certificates are other connectors, and no session is resumed with them. */
export function buildConnect(
  { socketPath, tls }: Peer,
  options: buildConnector.BuildOptions,
): buildConnector.connector {
  const build = (secureContext: SecureContext | undefined): buildConnector.connector =>
    buildConnector({
      ...options,
      ...(socketPath !== undefined && { socketPath }),
      ...(secureContext !== undefined && { secureContext }),
    });
  let latest = tls?.current;
  let connect = build(latest);
  return (target, callback) => {
    if (tls !== undefined && tls.current !== latest) {
      latest = tls.current;
      connect = build(latest);
    }
    connect(target, callback);
  };
}
