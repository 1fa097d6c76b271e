import { describe, expect, it } from '@jest/globals';

import type { ExecutionError } from '../../src/index.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { depot } from './depot.ts';
import { useFederation } from '../support/federation.ts';
import { executors } from '../support/reference/reference-executor.ts';

describe.each(executors)('%s', (_name, create) => {
  const federation = useFederation(depot, { create });

  const depotResponds = (httpResponse: unknown): void =>
    federation.subgraphs.depot.misbehave((response) => respondJson(response, httpResponse));

  describe('reports an error without a path', () => {
    it.each([
      ['without data', { data: null }],
      ['with null for the entities', { data: { _entities: null } }],
      ['with null for each entity', { data: { _entities: [null, null] } }],
      ['with an empty field of each', { data: { _entities: [{ level: null }, {}] } }],
    ])('of entities at every field that it leaves empty, %s', async (_case, response) => {
      depotResponds({ ...response, errors: [{ message: 'no' }] });

      const { data, errors } = await federation.run('{ all: products { id at: level { name } } }');

      expect(data).toEqual({
        all: [
          { id: 'p1', at: null },
          { id: 'p2', at: null },
        ],
      });
      expect(errors).toEqual([
        { ...reported('no'), path: ['all', 0, 'at'] },
        { ...reported('no'), path: ['all', 1, 'at'] },
      ]);
    });

    it('of entities only at empty positions, when there are some', async () => {
      depotResponds({
        data: { _entities: [{ level: { name: 'full' } }, { level: null }] },
        errors: [{ message: 'no' }],
      });

      expect((await federation.run('{ products { level { name } } }')).errors).toMatchObject([
        { path: ['products', 1, 'level'] },
      ]);
    });

    it('of entities at the entities, when none is empty', async () => {
      const level = { name: 'full' };
      depotResponds({ data: { _entities: [{ level }, { level }] }, errors: [{ message: 'stale' }] });

      expect((await federation.run('{ products { level { name } } }')).errors).toMatchObject([
        { path: ['products', 0] },
        { path: ['products', 1] },
      ]);
    });

    it('of root fields at every one that it leaves empty', async () => {
      depotResponds({ data: { at: null, other: { name: 'full' } }, errors: [{ message: 'no' }] });

      expect(
        await federation.run('{ ping at: level { name } other: level { name } more: level { name } }'),
      ).toMatchObject({
        data: { ping: 'pong', at: null, other: { name: 'full' }, more: null },
        errors: [{ path: ['at'] }, { path: ['more'] }],
      });
    });

    it('of a mutation at its field', async () => {
      depotResponds({ data: null, errors: [{ message: 'no' }] });

      expect(await federation.run('mutation { restock(id: "p1") { name } }')).toMatchObject({
        data: { restock: null },
        errors: [{ path: ['restock'] }],
      });
    });

    it('like an error whose path does not exist', async () => {
      depotResponds({ data: { level: null }, errors: [{ message: 'no', path: ['nowhere', 7] }] });
      expect((await federation.run('{ level { name } }')).errors).toMatchObject([{ path: ['level'] }]);

      depotResponds({ data: null, errors: [{ message: 'no', path: ['_entities', 7, 'level'] }] });
      expect((await federation.run('{ products { level { name } } }')).errors).toMatchObject([
        { path: ['products', 0, 'level'] },
        { path: ['products', 1, 'level'] },
      ]);
    });
  });

  describe('for an entity that does not exist', () => {
    const nothingThere = { data: { _entities: [null] } };

    it('returns null in a nullable position, without an error', async () => {
      depotResponds(nothingThere);

      expect(await federation.dataOf('{ shelf { label front { place } } }')).toEqual({
        shelf: { label: 'A', front: null },
      });
    });

    it.each([
      ['a query', '{ shelf { label back { place } } }', 'shelf'],
      ['a mutation', 'mutation { shelf: place(id: "p1") { label back { place } } }', 'shelf'],
    ])('reports an error in a non-null position, and its null propagates: %s', async (_kind, text, name) => {
      depotResponds(nothingThere);

      expect(await federation.run(text)).toMatchObject({
        data: { [name]: null },
        errors: [{ code: 'SUBREQUEST_MALFORMED_RESPONSE', path: [name, 'back'] }],
      });
    });

    it('reports no error for its nullable fields', async () => {
      depotResponds(nothingThere);

      expect(await federation.dataOf('{ shelf { back { id level { name } } } }')).toEqual({
        shelf: { back: { id: 'p2', level: null } },
      });
    });

    it('reports no error of another entity', async () => {
      depotResponds({
        data: { _entities: [null, null] },
        errors: [{ message: 'broken', path: ['_entities', 1, 'place'] }],
      });

      expect(await federation.run('{ fronts { place } }')).toMatchObject({
        data: { fronts: [null, null] },
        errors: [{ path: ['fronts', 1, 'place'] }],
      });
    });
  });
});

function reported(message: string): ExecutionError {
  return { kind: 'reported', subgraph: 'depot', message, extensions: {} };
}
