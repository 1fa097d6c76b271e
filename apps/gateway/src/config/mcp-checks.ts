import type { RouterConfig } from '@meridian/router-config';

import type { GatewayEnvironment } from './gateway-environment.ts';
import { trustedKeys, verifiesTokens } from './issuers.ts';
import { manifestFiles } from './remote-files.ts';

/** The faults of `meridian.mcp`. */
export function mcpFaults(file: RouterConfig, environment: GatewayEnvironment): readonly string[] {
  const { mcp } = file.meridian;
  if (!mcp.enabled) {
    return [];
  }
  const trusted = trustedKeys(file, environment);
  const { issuers, openKeySets, introspection } = trusted;
  const hasTokens = verifiesTokens(trusted);
  const takesAnyAudience = [...issuers, ...openKeySets, ...(introspection ? [introspection] : [])].some(
    ({ audience }) => audience === undefined,
  );
  return [
    ...(manifestFiles(file) === undefined
      ? [
          'meridian.mcp.enabled: its tools are the operations of the manifest; set persisted_queries.enabled: true',
        ]
      : []),
    ...((file.supergraph.path === undefined ? ['/', '/graphql'] : [file.supergraph.path]).includes(mcp.path)
      ? ['meridian.mcp.path: is the path of the graph; the endpoint needs its own, such as /mcp']
      : []),
    ...(hasTokens && mcp.audiences === undefined && takesAnyAudience
      ? [
          'meridian.mcp.audiences: is needed, because a token of another service must not be accepted here, and authentication names no audience',
        ]
      : []),
    ...(hasTokens && mcp.resource === undefined && environment.mode === 'production'
      ? [
          'meridian.mcp.resource: is needed in production: the public URL of the endpoint, such as https://api.example/mcp',
        ]
      : []),
    ...(!hasTokens && !mcp.allow_anonymous
      ? [
          'meridian.mcp.enabled: needs authentication.router.jwt; without it, callers are anonymous, which meridian.mcp.allow_anonymous: true confirms',
        ]
      : []),
  ];
}
