import { readFileSync } from 'node:fs';

import { describe, expect, it } from '@jest/globals';

import { readGraphTypes } from '../../../packages/graph/composition/src/graph-types.ts';
import { composeSupergraph } from '../../../packages/graph/composition/src/index.ts';
import { lossesWithout } from '../../subgraphs/losses-without.ts';
import { pathOf, shippedSubgraphs } from '../graph/shipped-subgraphs.ts';

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@shareable"])\n';

/** The losses without a subgraph, as `subgraph extends Type: fields`. */
function losses(leaving: string, schemas: Readonly<Record<string, string>>): string[] {
  const { supergraphSdl, errors } = composeSupergraph(
    Object.entries(schemas).map(([name, sdl]) => ({ name, routingUrl: `http://${name}`, sdl: link + sdl })),
  );
  expect(errors).toBeUndefined();
  return lossesWithout(leaving, readGraphTypes(supergraphSdl ?? '')).map(
    ({ type, subgraph, isExtended, fields }) =>
      `${subgraph} ${isExtended ? 'extends' : 'refers to'} ${type}: ${fields.join(' ')}`,
  );
}

// As `pnpm create-subgraph vouchers --entity Warehouse` makes them.
const inventory = `
  type Query { warehouse(id: ID!): Warehouse  warehouses: [Warehouse!] }
  type Warehouse @key(fields: "id") { id: ID!  name: String! }`;
const vouchers = `
  type Query { vouchers: [Voucher!] }
  type Voucher @key(fields: "id") { id: ID!  warehouse: Warehouse }
  type Warehouse @key(fields: "id") { id: ID!  vouchers: [Voucher!]  voucherCount: Int }`;

describe('lossesWithout', () => {
  it('finds a type that another subgraph extends, where the owner leaves', () => {
    expect(losses('inventory', { inventory, vouchers })).toEqual(['vouchers extends Warehouse: name']);
  });

  it('finds none where a subgraph leaves that has only added fields', () => {
    expect(losses('vouchers', { inventory, vouchers })).toEqual([]);
  });

  it('finds the owner of objects that a connection or an interface leads to', () => {
    for (const query of [
      'type Query { page: Page }  type Page { nodes: [Warehouse!]! }',
      'type Query { place: Place }  interface Place { id: ID! }',
    ]) {
      const implemented = query.includes('interface') ? 'implements Place ' : '';
      const schemas = {
        inventory: `${query} type Warehouse ${implemented}@key(fields: "id") { id: ID!  name: String! }`,
        vouchers,
      };
      expect(losses('inventory', schemas)).toEqual(['vouchers extends Warehouse: name']);
      expect(losses('vouchers', schemas)).toEqual([]);
    }
  });

  it('finds the owner by its scalars, where no query leads to the type', () => {
    const schemas = {
      products: 'type Query { top: Product }  type Product @key(fields: "id") { id: ID!  name: String }',
      inventory: `
        type Product @key(fields: "id") { id: ID!  stock: Stock }
        type Stock @key(fields: "id") { id: ID!  count: Int }`,
      alerts: `
        type Alert @key(fields: "id") { id: ID!  stock: Stock }
        type Stock @key(fields: "id") { id: ID!  alerts: [Alert!] }`,
    };
    expect(losses('inventory', schemas)).toEqual(['alerts extends Stock: count']);
    expect(losses('alerts', schemas)).toEqual([]);
    expect(losses('products', schemas)).toEqual(['inventory extends Product: name']);
  });

  it('finds a type that another subgraph only refers to', () => {
    const schemas = {
      inventory,
      orders: `
        type Query { order: Order }
        type Order @key(fields: "id") { id: ID!  from: Warehouse }
        type Warehouse @key(fields: "id", resolvable: false) { id: ID! }`,
    };
    expect(losses('inventory', schemas)).toEqual(['orders refers to Warehouse: name']);
  });

  it('finds none where another subgraph has the data too', () => {
    const shared = 'type Warehouse @key(fields: "id") { id: ID!  name: String! @shareable }';
    const schemas = {
      inventory: `type Query { warehouses: [Warehouse!] } ${shared}`,
      copy: `type Query { copies: [Warehouse!] } ${shared}`,
      vouchers,
    };
    expect(losses('inventory', schemas)).toEqual([]);
  });

  it('finds the owner although the queries of another subgraph give the type too', () => {
    const rated = vouchers.replace('type Query {', 'type Query { generous: [Warehouse!] ');
    const big = inventory.replace('name: String!', 'name: String!  city: String');
    expect(losses('inventory', { inventory: big, vouchers: rated })).toEqual([
      'vouchers extends Warehouse: name city',
    ]);
    expect(losses('vouchers', { inventory: big, vouchers: rated })).toEqual([]);
  });

  it('lets go of each shipped subgraph that only adds to the types of others', () => {
    const graph = readGraphTypes(readFileSync(pathOf('supergraph.graphql'), 'utf8'));
    const owners = shippedSubgraphs.filter((name) => lossesWithout(name, graph).length > 0);
    expect(owners.toSorted()).toEqual(['products', 'users']);
  });
});
