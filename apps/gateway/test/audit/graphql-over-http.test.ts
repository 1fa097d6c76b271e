// The server audit of `graphql-http`, which checks a server against the GraphQL-over-HTTP draft.
// docs/graphql-over-http.md explains its results here.
import { beforeAll, describe, expect, it } from '@jest/globals';
import { auditServer } from 'graphql-http';

import { useTestGateway } from '../support/use-test-gateway.ts';

const gateway = useTestGateway();

beforeAll(async () => {
  // The audit's operations have no names, and two of them select the schema.
  await gateway.start({
    config: `
      supergraph: { introspection: true }
      meridian: { operations: { require_name: false } }
    `,
    env: { NODE_ENV: 'development' },
  });
});
/** The ids of the failed audits, with their severity. */
async function failedAudits(fetchFn: typeof fetch): Promise<string[]> {
  const results = await auditServer({ url: gateway.url, fetchFn });
  expect(results.length).toBeGreaterThan(60);
  return results.filter(({ status }) => status !== 'ok').map(({ id, status }) => `${status} ${id}`);
}

describe('The server audit of graphql-http', () => {
  it('finds no error or warning; GETs without a header field that needs a preflight count as cross-site requests', async () => {
    expect(await failedAudits(fetch)).toEqual(['notice 5A70', 'notice D6D5', 'notice 6A70']);
  });

  it('passes in full with a client that sends such a header field', async () => {
    const withPreflight: typeof fetch = async (url, init) => {
      const headers = new Headers(init?.headers);
      headers.set('apollo-require-preflight', 'true');
      return await fetch(url, { ...init, headers });
    };
    expect(await failedAudits(withPreflight)).toEqual([]);
  });
});
