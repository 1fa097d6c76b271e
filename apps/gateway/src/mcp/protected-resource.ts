// The endpoint as a protected resource of OAuth 2.1. MCP 2025-11-25, "Authorization".
import type { IncomingHttpHeaders } from 'node:http';

import type { Caller } from '@meridian/auth';
import type { HttpResponse } from '@meridian/http';

import type { GatewayConfig } from '../config/gateway-config.ts';
import { createOriginCheck, isOwnOrigin } from '../interceptors/cors.ts';
import type { Requirement } from '../operation/requirement.ts';

const wellKnown = '/.well-known/oauth-protected-resource';
const loopback = /^(?:localhost|127\.0\.0\.1|\[::1\])$/u;

/** Creates the protected resource, as clients know it. */
export function createProtectedResource(
  config: Pick<GatewayConfig, 'file' | 'isSecure' | 'issuers' | 'introspection'>,
) {
  const { mcp } = config.file.meridian;
  const configured = mcp.resource === undefined ? undefined : new URL(mcp.resource);
  const scheme = config.isSecure ? 'https' : 'http';
  const resourceFor = ({ host = '' }: IncomingHttpHeaders): URL => {
    const base = `${scheme}://${host}`;
    return configured ?? new URL(mcp.path, URL.canParse(base) ? base : `${scheme}://localhost`);
  };
  const metadataUrl = (resource: URL): string =>
    `${resource.origin}${wellKnown}${resource.pathname === '/' ? '' : resource.pathname}`;
  const known = [...config.issuers, ...(config.introspection === undefined ? [] : [config.introspection])];
  const servers = mcp.authorization_servers ?? [
    ...new Set(known.map(({ issuer }) => issuer).filter((issuer) => URL.canParse(issuer))),
  ];
  const allowedByCors = createOriginCheck(config.file.cors);
  return {
    /** The paths of its metadata. */
    metadataPaths: [
      ...new Set([
        wellKnown,
        `${wellKnown}${mcp.path}`,
        ...(configured === undefined ? [] : [`${wellKnown}${configured.pathname}`]),
      ]),
    ],
    /** Its metadata (RFC 9728 §3.2). */
    metadata: (headers: IncomingHttpHeaders, scopes: readonly string[]): HttpResponse => ({
      status: 200,
      headers: { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
      body: JSON.stringify({
        resource: mcp.resource ?? resourceFor(headers).href,
        ...(servers.length > 0 && { authorization_servers: servers }),
        ...(scopes.length > 0 && { scopes_supported: scopes }),
        bearer_methods_supported: ['header'],
      }),
    }),
    /**
     * The value of `WWW-Authenticate` for a caller without a sufficient token (RFC 6750 §3, RFC 9728 §5.1).
     *
     * @param scopes to ask for
     */
    challenge: (
      headers: IncomingHttpHeaders,
      error: 'invalid_token' | 'insufficient_scope' | undefined,
      scopes: readonly string[] = [],
    ): string =>
      [
        `Bearer resource_metadata="${metadataUrl(resourceFor(headers))}"`,
        ...(error === undefined ? [] : [`error="${error}"`]),
        ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
      ].join(', '),
    /** True for an origin whose pages may call. A page that has rebound its name to this address is of none. */
    allowsOrigin: ({ origin, host }: IncomingHttpHeaders): boolean =>
      origin === undefined ||
      origin === configured?.origin ||
      (isOwnOrigin(origin, host) && loopback.test(new URL(origin).hostname)) ||
      allowedByCors(origin),
  };
}

export type ProtectedResource = ReturnType<typeof createProtectedResource>;

/**
 * The scopes to ask for, where a caller lacks one that the operation of a tool needs: those that lack least, and the
 * ones that the caller has for it already. Undefined where none is missing.
 */
export function missingScopes(
  requirements: readonly Requirement[],
  caller: Caller | undefined,
): readonly string[] | undefined {
  const held = (names: readonly string[]): boolean =>
    caller !== undefined && names.every((name) => caller.scopes.has(name));
  const lack = (names: readonly string[]): number =>
    names.filter((name) => caller?.scopes.has(name) !== true).length;
  const ofScopes = requirements.filter(({ of, sets }) => of === 'scopes' && sets.length > 0);
  if (ofScopes.every(({ sets }) => sets.some(held))) {
    return undefined;
  }
  const requested = ofScopes.flatMap(
    ({ sets }) => sets.find(held) ?? sets.toSorted((one, other) => lack(one) - lack(other))[0] ?? [],
  );
  return [...new Set(requested)];
}
