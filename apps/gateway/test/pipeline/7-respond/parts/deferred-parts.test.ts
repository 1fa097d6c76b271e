import { describe, expect, it } from '@jest/globals';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { gql } from '@apollo/client/core';
import type { DeferredFragment } from '@meridian/executor';
import { ClientDisconnected, DeadlineExceeded } from '@meridian/http';

import type { DeferFormat } from '../../../../src/http/media-types.ts';
import type { RunBatch } from '../../../../src/operation/run.ts';
import { failedFragments, maskBatches } from '../../../../src/pipeline/6-mask/mask-parts.ts';
import { deferredParts } from '../../../../src/pipeline/7-respond/parts/deferred-parts.ts';

const fragment = (label: string | undefined, ...path: (string | number)[]): DeferredFragment => ({
  label,
  path,
});
const price = fragment('price', 'product');
const reviews = fragment(undefined, 'product', 'offers', 1);
const author = fragment('author', 'product', 'offers', 1, 'review');

const broken = { kind: 'internal', cause: undefined } as const;
const batches: readonly RunBatch[] = [
  { completed: [{ fragment: price, data: '{"price":1,"cost":null}', errors: [] }], pending: [] },
  {
    completed: [{ fragment: reviews, data: '{"review":{"id":"r1"}}', errors: [] }],
    pending: [author],
  },
  {
    completed: [{ fragment: author, data: 'null', errors: [{ ...broken, path: [...author.path, 'name'] }] }],
    pending: [],
  },
];

async function* inTurn(values: readonly RunBatch[], reason?: unknown): AsyncGenerator<RunBatch, void, void> {
  yield* values;
  if (reason !== undefined) {
    throw await Promise.resolve(reason);
  }
}

interface IncrementalRequest {
  readonly hasNext: boolean;
  handle(cached: undefined, part: never): unknown;
}

/** The parts as JSON values, after a first one with a product and two offers. */
async function partsOf(
  format: DeferFormat,
  given: readonly RunBatch[],
  reason?: unknown,
): Promise<unknown[]> {
  const show = (errors: readonly { readonly kind: string; readonly path?: unknown }[]) =>
    errors.map(({ kind, path }) => ({ message: kind, path: path as string[] }));
  const parts = [];
  for await (const part of deferredParts(format, {
    data: '{"product":{"id":"1","offers":[{"id":"o1"},{"id":"o2"}]}}',
    errors: [],
    pending: [price, reviews],
    batches: maskBatches(inTurn(given, reason), show),
    failed: (why, open) => failedFragments(why, open, show),
    onPart: () => {},
  })) {
    parts.push(part);
  }
  expect(parts.map(({ isLast }) => isLast)).toEqual(parts.map((_, index) => index === parts.length - 1));
  return parts.map(({ json }) => JSON.parse(json) as unknown);
}

const data = { product: { id: '1', offers: [{ id: 'o1' }, { id: 'o2' }] } };
const nameError = { message: 'internal', path: ['product', 'offers', 1, 'review', 'name'] };

describe('deferredParts', () => {
  it('writes deferSpec=20220824: an entry for each fragment of each object', async () => {
    expect(await partsOf('defer-20220824', batches)).toEqual([
      { data, hasNext: true },
      { hasNext: true, incremental: [{ label: 'price', path: ['product'], data: { price: 1, cost: null } }] },
      { hasNext: true, incremental: [{ path: ['product', 'offers', 1], data: { review: { id: 'r1' } } }] },
      {
        hasNext: false,
        incremental: [{ label: 'author', path: author.path, data: null, errors: [nameError] }],
      },
    ]);
  });

  it('writes incrementalSpec=v0.2: fragments are announced, delivered and completed', async () => {
    expect(await partsOf('defer-v0.2', batches)).toEqual([
      {
        data,
        pending: [
          { id: '0', label: 'price', path: ['product'] },
          { id: '1', path: ['product', 'offers', 1] },
        ],
        hasNext: true,
      },
      { hasNext: true, incremental: [{ id: '0', data: { price: 1, cost: null } }], completed: [{ id: '0' }] },
      {
        hasNext: true,
        pending: [{ id: '2', label: 'author', path: author.path }],
        incremental: [{ id: '1', data: { review: { id: 'r1' } } }],
        completed: [{ id: '1' }],
      },
      { hasNext: false, completed: [{ id: '2', errors: [nameError] }] },
    ]);
  });

  it.each([
    ['defer-20220824', Defer20220824Handler],
    ['defer-v0.2', GraphQL17Alpha9Handler],
  ] as const)('writes %s so that Apollo Client merges it', async (format, Handler) => {
    const query = gql`
      query A {
        product {
          id
          ... @defer(label: "price") {
            price
          }
        }
      }
    `;
    const handler: { startRequest: (opts: { query: typeof query }) => IncrementalRequest } = new Handler();
    const request = handler.startRequest({ query });
    let merged: unknown;
    for (const part of await partsOf(format, batches)) {
      merged = request.handle(undefined, part as never);
    }
    expect(merged).toEqual({
      data: {
        product: {
          id: '1',
          price: 1,
          cost: null,
          offers: [{ id: 'o1' }, { id: 'o2', review: { id: 'r1' } }],
        },
      },
      errors: [nameError],
    });
    expect(request.hasNext).toBe(false);
  });

  it.each(['defer-20220824', 'defer-v0.2'] as const)(
    'ends %s with an error for each open fragment at the deadline, and where the rest fails',
    async (format) => {
      for (const [reason, message] of [
        [new DeadlineExceeded(1), 'subrequest'],
        [new Error('broken'), 'internal'],
      ] as const) {
        const last = JSON.stringify((await partsOf(format, batches.slice(0, 1), reason)).at(-1));
        expect(last).toContain('"hasNext":false');
        expect(last).toContain(JSON.stringify({ message, path: reviews.path }));
        expect(last).not.toContain(JSON.stringify({ message, path: price.path }));
      }
    },
  );

  it('ends with an error for a fragment that never completes', async () => {
    expect(await partsOf('defer-20220824', batches.slice(0, 1))).toHaveLength(3);
  });

  it('ends without a part when the client has left', async () => {
    const gone = new ClientDisconnected();
    await expect(partsOf('defer-v0.2', batches.slice(0, 1), gone)).rejects.toBe(gone);
  });
});
