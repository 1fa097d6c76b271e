import { graphql } from 'graphql';

import { stubSchema } from '@meridian/testing/stub-subgraph';

import * as definitions from '../../support/shop-subgraphs.ts';
import type { Misbehaviour } from '../../support/stub-subgraph.ts';
import type { TestGateway } from '../../support/test-gateway.ts';

const schemas = { products: stubSchema(definitions.products), reviews: stubSchema(definitions.reviews) };

/** The rest of a subgraph's response, besides its data. */
export interface Responding {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Further members of the response. */
  readonly members?: object;
  /** Called before the response is sent. */
  readonly before?: () => Promise<void>;
}

/** A subgraph's own response, with header fields. */
export function responding(
  name: keyof typeof schemas,
  { headers = {}, members = {}, before }: Responding,
): Misbehaviour {
  return async (response, { body }) => {
    const result = await graphql({
      schema: schemas[name],
      source: body.query,
      variableValues: body.variables ?? {},
    });
    await before?.();
    response.writeHead(200, {
      'Content-Type': 'application/json',
      ...Object.fromEntries(
        Object.entries(headers).map(([field, value]) => [
          field,
          typeof value === 'string' ? value : [...value],
        ]),
      ),
    });
    response.end(JSON.stringify({ ...result, ...members }));
  };
}

/** Both subgraphs respond so. */
export function respond({ products, reviews }: TestGateway, how: Responding): void {
  products.misbehave(responding('products', how));
  reviews.misbehave(responding('reviews', how));
}

/** The representations of each request to a subgraph, by their `id`. */
export function requestedIds({ received }: TestGateway['reviews']): readonly (readonly string[])[] {
  return received.map(({ body }) =>
    (body.variables?.representations ?? []).map((item) => (item as { readonly id: string }).id),
  );
}
