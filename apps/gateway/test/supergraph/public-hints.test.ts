import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';
import { loadSupergraph } from '@meridian/executor';

import { publicHints } from '../../src/supergraph/public-hints.ts';
import { startTestGateway } from '../support/test-gateway.ts';

const shipped = readFileSync(new URL('../../../../supergraph.graphql', import.meta.url), 'utf8');

describe('the supergraph.graphql of this repository', () => {
  it('has no public cache hint: all that it holds is the data of a tenant', () => {
    expect(publicHints(loadSupergraph(shipped))).toEqual([]);
  });

  it.each([
    [
      'a field',
      'priceMinorUnits: Int! @join__field(graph: PRODUCTS) @cacheControl(maxAge: 10, scope: PRIVATE)',
      'Product.priceMinorUnits',
    ],
    ['a type', '@cacheControl(maxAge: 300, scope: PRIVATE)', 'Cancellation.actor'],
  ])('would have one if %s said so', (_place, hint, field) => {
    const changed = shipped.replaceAll(hint, hint.replace(', scope: PRIVATE', ''));
    expect(changed).not.toBe(shipped);
    expect(publicHints(loadSupergraph(changed))).toContain(field);
  });
});

describe('a gateway', () => {
  it('that only known callers reach tells of public hints in the log when it loads the supergraph', async () => {
    expect(await toldOf(true)).toEqual([expect.arrayContaining(['Query.topProducts', 'Product.price'])]);
  });

  it('that anybody reaches does not', async () => {
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
