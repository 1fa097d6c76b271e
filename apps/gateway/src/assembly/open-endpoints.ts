import type { ServeExchange } from '@meridian/http';

import type { AppDependencies } from '../app.ts';
import { createApp } from '../app.ts';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { openExplorer } from '../explorer/open-explorer.ts';
import { withExplorer } from '../explorer/with-explorer.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { openMcp as OpenMcp } from '../mcp/open-mcp.ts';
import type { ProcessParts } from './process-parts.ts';

export interface EndpointOptions {
  readonly dependencies: AppDependencies;
  /** Absent where persisted queries are off. */
  readonly manifest: (() => Manifest) | undefined;
  /** Absent where the tools are off. */
  readonly openMcp: typeof OpenMcp | undefined;
}

/** Opens the GraphQL endpoint, and the others in front of it. */
export function openEndpoints(
  config: GatewayConfig,
  { verifierOf, observation: { findExplanations }, responseCaches, logger }: ProcessParts,
  { dependencies, manifest, openMcp }: EndpointOptions,
): ServeExchange {
  const { explorer } = config;
  const { graph } = dependencies;
  let app = createApp(dependencies);
  if (openMcp !== undefined && manifest !== undefined) {
    app = openMcp(app, { dependencies, config, manifest, verifierOf });
  }
  if (explorer !== undefined) {
    app = withExplorer(app, openExplorer({ config, explorer, graph, manifest, findExplanations, logger }));
  }
  return config.responseCache === undefined ? app : responseCaches.inFront(app, config.responseCache);
}
