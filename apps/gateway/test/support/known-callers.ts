import type { TestIdentity } from '@meridian/testing';

import type { TestGatewayOptions } from './test-gateway.ts';

/** A gateway for tokens of an issuer, which runs only operations of the manifest, by identifier. */
export function forKnownCallers(
  { jwksUrl, issuer }: TestIdentity,
  manifest: NonNullable<TestGatewayOptions['manifest']>,
  config: string,
): TestGatewayOptions {
  return {
    config: `
authentication: { router: { jwt: { jwks: [{ url: '${jwksUrl.href}', issuers: ['${issuer}'] }] } } }
apq: { enabled: false }
persisted_queries:
  enabled: true
  local_manifests: ['\${env.MANIFEST_PATH}']
  safelist: { enabled: true, require_id: true }
${config}
`,
    // In production keys come over https only.
    env: { NODE_ENV: 'development' },
    manifest,
  };
}
