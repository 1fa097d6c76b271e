import { describe, expect, it } from '@jest/globals';
import { loadSupergraph } from '@meridian/executor';
import { Kind, parse, validate } from 'graphql';

import { prepareEstimate } from '../../../src/pipeline/3-compile/estimate-cost.ts';
import { fieldCosts } from '../../../src/supergraph/field-costs.ts';
import { compose } from '../../support/compose.ts';

const link = `extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@requires", "@external", "@listSize"])`;
const supergraph = loadSupergraph(
  composed({
    harbour: `
      type Query { ships: [Ship!]!  port: Port }
      type Ship @key(fields: "id") {
        id: ID!
        owner: Person!
        fee: Float @requires(fields: "owner { berths { zone } }")
        feeWithTax: Float @requires(fields: "dues")
        dues: Float @external
      }
      type Port @key(fields: "id") {
        id: ID!
        quays: [Quay!]! @external
        visits(first: Int = 3): [Visit!]!
          @requires(fields: "quays { name }")
          @listSize(slicingArguments: ["first"], requireOneSlicingArgument: false)
      }
      type Visit { at: String }
      type Quay { name: String @external }
      type Person @key(fields: "id") { id: ID!  berths: [Berth!]! @external }
      type Berth { zone: Int! @external }
    `,
    registry: `
      type Person @key(fields: "id") { id: ID!  berths: [Berth!]! }
      type Berth { zone: Int! }
      type Quay { name: String }
      type Port @key(fields: "id") { id: ID!  quays: [Quay!]! }
      type Ship @key(fields: "id") { id: ID!  owner: Person! @external  dues: Float @requires(fields: "owner { berths { zone } }") }
    `,
  }),
);

describe('The estimated cost of a field with @requires', () => {
  it.each([
    ['includes the cost of the required fields', '{ ships { fee } }', 100 * (1 + 1 + 100)],
    [
      'includes it also when the required fields are selected as well',
      '{ ships { fee owner { id } } }',
      100 * (1 + 1 + 100 + 1),
    ],
    [
      'includes the cost of what the required fields require',
      '{ ships { feeWithTax } }',
      100 * (1 + 1 + 100),
    ],
    ['includes it once for a list', '{ port { visits(first: 2) { at } } }', 1 + 2 + 100],
  ])('%s: %s', (_rule, text, cost) => {
    expect(estimate(text)).toBe(cost);
  });
});

function estimate(text: string): number {
  const document = parse(text);
  expect(validate(supergraph.apiSchema, document)).toEqual([]);
  const [operation] = document.definitions;
  const { schema } = supergraph;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) {
    throw new Error('There is no operation');
  }
  return prepareEstimate(document, operation, {
    schema,
    costOf: fieldCosts(supergraph),
    assumedListSize: 100,
  })({});
}

function composed(subgraphs: Readonly<Record<string, string>>): string {
  return compose(
    Object.entries(subgraphs).map(([name, sdl]) => ({ name, routingUrl: `http://${name}`, sdl: link + sdl })),
  );
}
