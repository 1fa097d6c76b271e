import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createIdentifier } from '@meridian/subgraph';
import { startSubgraph } from '@meridian/subgraph/test-support';
import type { StartedSubgraph } from '@meridian/subgraph/test-support';

import { createApp } from '../src/app.ts';
import { createSampleStore } from '../src/store/sample-store.ts';

// <entity>
const productId = createIdentifier();
// </entity>
const sampleNamed = (name: string) => ({
  id: createIdentifier(),
  name,
  // <entity>
  productId,
  // </entity>
});

describe('The template subgraph:', () => {
  const [first, second, foreign] = [sampleNamed('First'), sampleNamed('Second'), sampleNamed('Foreign')];
  let samples: StartedSubgraph;
  beforeAll(async () => {
    samples = await startSubgraph({
      createApp,
      migrations: new URL('../migrations/', import.meta.url),
      serviceRole: 'meridian_template',
    });
    const store = createSampleStore(samples.database);
    await store.insertMany('acme', [second, first]);
    await store.insertMany('globex', [foreign]);
  });
  afterAll(() => samples.stop());

  describe('Query.sample', () => {
    const document = 'query ($id: ID!) { sample(id: $id) { id name } }';

    it('gives a sample of the tenant', async () => {
      const { id, name } = first;
      expect(await samples.ask(document, { id })).toEqual({ data: { sample: { id, name } } });
    });

    it.each([
      ['another tenant’s identifier', foreign.id],
      ['an absent one', createIdentifier()],
      ['one that is not a UUID', 'x'],
    ])('is null without an error for %s', async (_, id) => {
      expect(await samples.ask(document, { id })).toEqual({ data: { sample: null } });
    });
  });

  describe('Query.samples', () => {
    it.each(['samples', 'samples(first: null)', 'samples(first: 100)'])(
      '%s gives the samples of the tenant by name',
      async (field) => {
        expect(await samples.ask(`{ page: ${field} { name } }`)).toEqual({
          data: { page: [{ name: 'First' }, { name: 'Second' }] },
        });
      },
    );

    it('gives so many as `first` says, and refuses more than 100', async () => {
      expect(await samples.ask('{ samples(first: 1) { name } }')).toEqual({
        data: { samples: [{ name: 'First' }] },
      });
      const { errors } = await samples.ask('{ samples(first: 101) { name } }');
      expect(errors).toMatchObject([{ extensions: { code: 'PAGE_SIZE_LIMIT' } }]);
    });
  });
  // <entity>

  describe('Product.samples', () => {
    it('gives pages of any sizes of several products with one statement', async () => {
      const keys = [{ id: productId }, { id: createIdentifier() }, { id: 'x' }];
      const { response, statements } = await samples.counting(() =>
        samples.entities(
          'Product',
          keys,
          '{ one: samples(first: 1) { name } all: samples { name product { id } } }',
        ),
      );
      const product = { id: productId };
      expect(response).toEqual({
        data: {
          _entities: [
            {
              one: [{ name: 'First' }],
              all: [
                { name: 'First', product },
                { name: 'Second', product },
              ],
            },
            { one: [], all: [] },
            { one: [], all: [] },
          ],
        },
      });
      expect(statements).toBe(1);
    });
  });
  // </entity>

  it.each(['samples'])(
    "%s uses statements that show no other tenant's rows even without a tenant condition",
    async (table) => {
      expect(await samples.tenantsSeenIn(table)).toEqual([]);
      expect(await samples.tenantsSeenIn(table, 'acme')).toEqual(['acme']);
      expect(await samples.tenantsSeenIn(table, 'globex')).toEqual(['globex']);
    },
  );

  it('_entities answers in the order of the representations, with null for a missing sample, with one statement', async () => {
    const keys = [second, foreign, first].map(({ id }) => ({ id }));
    const { response, statements } = await samples.counting(() =>
      samples.entities('Sample', keys, '{ name }'),
    );
    expect(response).toEqual({ data: { _entities: [{ name: 'Second' }, null, { name: 'First' }] } });
    expect(statements).toBe(1);
  });
});
