// Shipped parts must fit together across apps that do not know each other (Spec: Limits, rule 3).
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseDuration } from '@meridian/settings/values';
import { parse } from 'yaml';

const root = resolve(import.meta.dirname, '../..');

interface RouterFile {
  readonly traffic_shaping: {
    readonly router: { readonly timeout: string };
    readonly all: { readonly timeout: string };
    readonly subgraphs: Readonly<Record<string, { readonly timeout?: string }>>;
  };
}

interface SubgraphConfig {
  readonly statementTimeoutMs: number;
  readonly requestDeadlineMs: number;
}

const { traffic_shaping: traffic }: RouterFile = parse(readFileSync(`${root}/router.yaml`, 'utf8'));
const { subgraphs }: { subgraphs: object } = parse(readFileSync(`${root}/supergraph.yaml`, 'utf8'));

describe('The shipped deadlines', () => {
  const environment = process.env;
  beforeAll(() => {
    process.env = {
      DATABASE_URL: 'postgres://127.0.0.1/any',
      JWKS_URL: 'https://issuer.example/jwks.json',
      JWT_ISSUER: 'https://issuer.example',
      PRODUCTS_URL: 'http://products.example/graphql',
      PROBLEM_BASE_URL: 'https://api.example',
      ETAG_KEYS: 'a key of the tests that is as long as it has to be',
      CURSOR_KEYS: 'a key of the tests that is as long as it has to be',
    };
  });
  afterAll(() => {
    process.env = environment;
  });

  it.each(Object.keys(subgraphs))(
    'shrink at every hop from the gateway to the database of %s',
    async (subgraph) => {
      const { readConfig }: { readConfig: () => SubgraphConfig } = await import(
        `${root}/apps/${subgraph}/src/config.ts`
      );
      const { statementTimeoutMs, requestDeadlineMs } = readConfig();
      const deadlinesMs = [
        parseDuration(traffic.router.timeout) ?? 0,
        parseDuration(traffic.subgraphs[subgraph]?.timeout ?? traffic.all.timeout) ?? 0,
        requestDeadlineMs,
        statementTimeoutMs,
      ];
      expect(deadlinesMs).toEqual(deadlinesMs.toSorted((a, b) => b - a));
      expect(new Set(deadlinesMs).size).toBe(4);
    },
  );

  it('leave reviews time to write after products has responded', async () => {
    const { readConfig }: { readConfig: () => SubgraphConfig & { products: { timeoutMs: number } } } =
      await import(`${root}/apps/reviews/src/config.ts`);
    const { products, requestDeadlineMs } = readConfig();
    expect(products.timeoutMs).toBeGreaterThan(0);
    expect(products.timeoutMs).toBeLessThanOrEqual(requestDeadlineMs / 2);
  });
});
