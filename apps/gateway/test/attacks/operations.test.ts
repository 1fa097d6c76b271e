import { beforeAll, describe, expect, it } from '@jest/globals';

import { requestErrorKinds } from '../../src/errors/error-codes.ts';
import type { ClientSideResponse } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { attackedConfig, createRsaIssuer } from './attacked-gateway.ts';
import type { Attack } from './operation-attacks.ts';
import { operationAttacks } from './operation-attacks.ts';

const issuer = useInSuite(createRsaIssuer);
const gateway = useTestGateway();

beforeAll(() =>
  gateway.start({
    config: attackedConfig,
    env: { NODE_ENV: 'development', JWKS_URL: issuer.jwksUrl, JWT_ISSUER: issuer.issuer },
    manifest: { listed: 'query Listed { time }' },
  }),
);

async function send({
  method,
  request,
  headers = {},
}: Omit<Attack, 'name' | 'code'>): Promise<ClientSideResponse> {
  const authorized = {
    authorization: `Bearer ${issuer.sign()}`,
    accept: 'application/graphql-response+json',
    ...headers,
  };
  return method === 'GET' && typeof request === 'object'
    ? await gateway.get(request, authorized)
    : await gateway.post(request, authorized);
}

describe('A hostile operation', () => {
  it.each(operationAttacks.map((attack) => [attack.name, attack] as const))(
    'is answered with its error code, in few words, and reaches no subgraph: %s',
    async (_name, attack) => {
      gateway.products.reset();
      gateway.reviews.reset();
      const { status, body, code } = await send(attack);
      expect(code).toBe(attack.code);
      expect(status).toBe(requestErrorKinds[attack.code].status);
      // Neither the whole request, nor a name of the schema that the request does not have.
      expect(JSON.stringify(body).length).toBeLessThan(20_000);
      expect(JSON.stringify(body)).not.toContain('Did you mean');
      expect([...gateway.products.received, ...gateway.reviews.received]).toEqual([]);
    },
  );
});

describe('A harmless operation that looks like an attack', () => {
  it('is answered with data when its aliases and variables have the names of object members', async () => {
    const query = `query Odd($constructor: Int! = 1) {
      __proto__: topProducts(first: $constructor) { constructor: id toString: name __proto__: price }
    }`;
    const { body } = await send({
      request: `{"query": ${JSON.stringify(query)}, "variables": {"__proto__": {"polluted": true}}}`,
    });
    expect(JSON.stringify(body.data)).toBe(
      '{"__proto__":[{"constructor":"1","toString":"Product 1","__proto__":100}]}',
    );
    expect({}).not.toHaveProperty('polluted');
  });
});
