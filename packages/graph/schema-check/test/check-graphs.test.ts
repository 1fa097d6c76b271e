import { describe, expect, it } from '@jest/globals';

import type { CompositionIssue } from '@meridian/composition';
import type { Graph } from '../src/changes/graph.ts';
import { checkSmall, smallGraph } from './support/small-graph.ts';
import { checkEdits, replacing } from './support/shipped-graph.ts';

describe('checkGraphs', () => {
  it('passes an unchanged graph, with no changes', async () => {
    expect(await checkEdits({})).toMatchObject({ verdict: 'passes', changes: [] });
  });

  it('names the kind, place and owner of a removed field, and the operations and clients that select it', async () => {
    const { verdict, changes } = await checkEdits({
      products: replacing(/ {2}"The name that it is sold under."\n {2}name: String!\n/u, ''),
    });
    expect(verdict).toBe('fails');
    expect(changes).toEqual([
      expect.objectContaining({
        kind: 'FIELD_REMOVED',
        level: 'breaking',
        coordinate: 'Product.name',
        places: [
          {
            subgraph: 'products',
            owners: ['@meridian/products'],
            file: 'apps/products/schema.graphql',
            line: 49,
            column: 6,
          },
        ],
        verdict: 'fails',
        reason: '6 known operations would break',
        operations: expect.arrayContaining([
          expect.objectContaining({
            name: 'TopProducts',
            how: 'invalid',
            isCertain: true,
            clients: [{ name: 'storefront', version: null, requests: null, lastDay: null, owners: [] }],
          }),
        ]),
      }),
    ]);
  });

  it('takes a hint of composition as seriously as Apollo does, and leaves those about descriptions out', async () => {
    const hint = (code: string, isWarning: boolean): CompositionIssue => ({
      code,
      message: `${code}.`,
      locations: [],
      isWarning,
    });
    const [before, after] = [
      smallGraph({ a: 'type Query { a: Int }' }),
      smallGraph({ a: 'type Query { a: Int b: Int }' }),
    ];
    const addedHints = [hint('ODD', true), hint('DONE', false), hint('INCONSISTENT_DESCRIPTION', true)];
    const { changes } = await checkSmall(before, after, {}, { sides: { before, after, addedHints } });
    expect(changes.map(({ level, message }) => [level, message])).toEqual([
      ['dangerous', 'ODD is a new hint of composition: ODD.'],
      ['safe', 'DONE is a new hint of composition: DONE.'],
      ['safe', 'Query.b is added: Int'],
    ]);
  });

  it('names an argument whose type has another name, beside the type that is gone', async () => {
    const graph = (name: string): Graph =>
      smallGraph({ a: `type Query { a(by: ${name}): Int } input ${name} { id: ID }` });
    const { changes } = await checkSmall(graph('One'), graph('Two'), { A: '($by: One) { a(by: $by) }' });
    expect(changes).toMatchObject([
      { kind: 'TYPE_REMOVED', verdict: 'fails' },
      { kind: 'FIELD_ARGUMENT_TYPE_CHANGED', verdict: 'fails', operations: [{ name: 'A', how: 'invalid' }] },
      { kind: 'TYPE_ADDED' },
    ]);
  });

  it('names a renamed subgraph once, and no operation', async () => {
    const depot = `type Query { parcel: Parcel } type Parcel @key(fields: "id") { id: ID! note: String @shareable }`;
    const stock = `type Parcel @key(fields: "id") { id: ID! note: String @shareable size: Int }`;
    const urls = { depot: 'http://127.0.0.1/depot', warehouse: 'http://127.0.0.1/depot' };
    const { verdict, changes, plans } = await checkSmall(
      smallGraph({ depot, stock }, urls),
      smallGraph({ warehouse: depot, stock }, urls),
      { Sizes: '{ parcel { note size } }' },
    );
    expect(verdict).toBe('passes');
    expect(changes.map(({ level, message }) => [level, message])).toEqual([
      ['dangerous', 'subgraph warehouse has another name: depot → warehouse'],
    ]);
    expect(plans).toEqual([]);
  });
});
