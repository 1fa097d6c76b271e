import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { loadSupergraph } from '@meridian/executor';

import { publicHints } from '../../src/supergraph/cache-hints.ts';
import { startTestGateway } from '../support/test-gateway.ts';

const shipped = readFileSync(new URL('../../../../supergraph.graphql', import.meta.url), 'utf8');

describe('The supergraph.graphql of this repository', () => {
  it('has no public cache hint, because all its data belongs to a tenant', () => {
    expect(publicHints(loadSupergraph(shipped))).toEqual([]);
  });

  it.each([
    [
      'a field',
      'priceMinorUnits: Int! @join__field(graph: PRODUCTS) @cacheControl(maxAge: 10, scope: PRIVATE)',
      'Product.priceMinorUnits',
    ],
    ['a type', '@cacheControl(maxAge: 300, scope: PRIVATE)', 'Cancellation.actor'],
  ])('would have a public cache hint if %s had one', (_place, hint, field) => {
    const changed = shipped.replaceAll(hint, hint.replace(', scope: PRIVATE', ''));
    expect(changed).not.toBe(shipped);
    expect(publicHints(loadSupergraph(changed))).toContain(field);
  });
});

describe('A gateway with public cache hints', () => {
  it('logs them at the load of the supergraph when only authenticated callers reach it', async () => {
    expect(await toldOf(true)).toEqual([expect.arrayContaining(['Query.topProducts', 'Product.price'])]);
  });

  it('does not log them when anonymous callers reach it', async () => {
    expect(await toldOf(false)).toEqual([]);
  });
});

/** The fields that a gateway tells of when it starts. */
async function toldOf(isAuthenticationRequired: boolean): Promise<unknown[]> {
  const gateway = await startTestGateway({
    config: `
authentication: { router: { jwt: { jwks: [ { url: "https://issuer.example/jwks", issuers: [a] } ] } } }
authorization: { require_authentication: ${isAuthenticationRequired} }
`,
  });
  await gateway.close();
  return gateway.log.flatMap(({ publicFields }) => (publicFields === undefined ? [] : [publicFields]));
}
