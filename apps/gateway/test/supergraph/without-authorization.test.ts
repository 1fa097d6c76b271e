import { describe, expect, it } from '@jest/globals';
import { createTestIdentity } from '@meridian/testing';

import { startTestGateway } from '../support/test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';

describe('A gateway that authenticates callers', () => {
  const identity = useInSuite(createTestIdentity);

  /** The log of a gateway's start with these rules of `headers`. */
  async function toldOf(rules: string): Promise<unknown[]> {
    const jwks = `{ url: "${identity.jwksUrl.href}", issuers: ["${identity.issuer}"] }`;
    return await startWith(`
      authentication: { router: { jwt: { jwks: [ ${jwks} ] } } }
      ${rules}
    `);
  }

  it('logs the subgraphs that no header rule sends Authorization to, each once', async () => {
    expect(await toldOf('')).toEqual([['products', 'reviews']]);
    const other = '{ request: { operations: [ { propagate: { named: x-one } } ] } }';
    const own = '{ request: { operations: [ { propagate: { named: Authorization } } ] } }';
    expect(await toldOf(`headers: { subgraphs: { products: ${own}, reviews: ${other} } }`)).toEqual([
      ['reviews'],
    ]);
  });

  it.each([
    'propagate: { named: authorization }',
    'propagate: { matching: "^auth" }',
    'propagate: { named: x-token, rename: Authorization }',
    'insert: { name: authorization, value: "Bearer of-the-gateway" }',
    'remove: { named: authorization }',
  ])('logs no subgraph when there is the rule %s', async (rule) => {
    expect(await toldOf(`headers: { all: { request: { operations: [ { ${rule} } ] } } }`)).toEqual([]);
  });

  it('logs no subgraph when authentication is off', async () => {
    expect(await startWith('')).toEqual([]);
  });
});

async function startWith(config: string): Promise<unknown[]> {
  const gateway = await startTestGateway({ config, env: { NODE_ENV: 'development' } });
  await gateway.close();
  return gateway.log.flatMap(({ anonymousSubgraphs }) =>
    anonymousSubgraphs === undefined ? [] : [anonymousSubgraphs],
  );
}
