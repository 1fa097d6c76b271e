// The classes of operations to which Apollo's plans, run as they are, give wrong data without an error. One schema of
// everything, which knows no subgraphs, is the judge.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { graphqlSync } from 'graphql';

import type { Federation } from '../support/federation.ts';
import { startFederation } from '../support/federation.ts';
import { press, wholePress } from '../support/press.ts';
import { shop, wholeShop } from '../support/shop.ts';

let federation: Federation<keyof typeof shop>;
let pressFederation: Federation<keyof typeof press>;

beforeAll(async () => {
  [federation, pressFederation] = await Promise.all([startFederation(shop), startFederation(press)]);
});

afterAll(() => Promise.all([federation.close(), pressFederation.close()]));

/** The classes by name, each with operations of it. */
const classes: Readonly<Record<string, readonly string[]>> = {
  'an alias equal to a key': [
    '{ products { id: name shippingEstimate } }',
    '{ products { id: name identifier: id customs } }',
    '{ products { __typename: name shippingEstimate } }',
  ],
  'an alias that feeds a wrong input to @requires': [
    '{ products { weight: stock shippingEstimate } }',
    '{ products { price: stock weight: stock shippingEstimate customs } }',
    '{ products { box: dims { size: id } packing } }',
  ],
  "a client's other arguments on a required field": [
    '{ products { weight(unit: GRAM) shippingEstimate } }',
    '{ products { price(currency: EUR) weight(unit: KILO) shippingEstimate customs plain } }',
    '{ products { dims { size(unit: KILO) } packing } }',
  ],
  "a required field's default": [
    '{ products { weight plain } }',
    '{ products { weight(unit: KILO) plain shippingEstimate } }',
  ],
  'two @requires with different arguments': [
    '{ products { shippingEstimate customs } }',
    '{ products { a: shippingEstimate b: customs c: plain d: weight e: weight(unit: KILO) } }',
  ],
  'nested @requires with different arguments': [
    '{ products { packing wrapping } }',
    '{ products { packing wrapping dims { size small: size(unit: KILO) } } }',
  ],
  'chained @requires': [
    '{ products { insurance } }',
    '{ products { insurance shippingEstimate customs weight(unit: GRAM) } }',
    '{ products { insurance premium shippingEstimate(express: true) slow: shippingEstimate } }',
  ],
  'disjoint types that share a response path with different arguments': [
    '{ items { __typename ... on Product { value: weight(unit: GRAM) } ... on Voucher { value: worth(currency: USD) } } }',
    '{ items { ... on Product { rank: shippingEstimate } ... on Voucher { rank: worth } id } }',
    '{ items { ... on Product { related { n: name } } ... on Voucher { related: goodFor { n: customs } } } }',
  ],
  'an alias for __typename': [
    '{ items { kind: __typename id } }',
    '{ t: __typename products { t: __typename id: __typename customs } }',
  ],
  'fields of one argument list under two names': [
    '{ products { a: weight(unit: KILO) b: weight(unit: KILO) weight(unit: KILO) } }',
  ],
  'names that every object has': [
    '{ products { constructor: name toString: id __proto__: stock hasOwnProperty: customs valueOf } }',
    '{ products { valueOf rating { constructor } } }',
  ],
  'output renames of falsy values': [
    '{ items { id count } }',
    '{ items { ... on Product { count flag text } ... on Voucher { count flag text } } }',
  ],
};

/** Classes of which each operation is one of the press. */
const pressClasses: Readonly<Record<string, readonly string[]>> = {
  "an interface object's field with @requires that is selected for some types, and another for all": [
    '{ media { score ... on Book { blurb } } }',
    '{ media { score ... on Book { blurb } ... on Film { blurb critic } } }',
    '{ critics { id ... on Book { blurb } } }',
    '{ critics { id score ... on Film { blurb score minutes } } }',
  ],
  "an interface object's non-null field that is selected for the one type that has it": [
    '{ media { score ... on Film { critic } } }',
    '{ media { title next { score } ... on Film { critic } } }',
    '{ media { ... on Book { n: next { score } } ... on Song { n: next { id ... on Book { pages } } } } }',
    '{ critics { __typename id ... on Film { critic next { id } } ... on Book { next { score } } } }',
  ],
  'a @requires whose input is an input from the subgraph that it came from': [
    '{ writers { tax } }',
    '{ writers { tax grade bonus time week: time(period: WEEK) } }',
    '{ agencies { rating } }',
    '{ critics { ... on Film { critic } } writers { tax } }',
    '{ agencies { rating rank staff id code } media { title } }',
  ],
  'a @requires whose input goes back and forth between two subgraphs': [
    '{ writers { refund } }',
    '{ writers { net } }',
    '{ writers { net tax grade pay } agencies { margin } }',
  ],
  'a @requires in one fetch with the field from which its input is computed': [
    '{ agencies { clients margin } }',
    '{ agencies { clients fee margin } }',
    '{ agencies { margin rating clients rank } writers { tax } }',
  ],
};

describe('The executor answers correctly where Apollo does not', () => {
  it.each(Object.entries(pressClasses).flatMap(([name, texts]) => texts.map((text) => [name, text])))(
    'for %s: %s',
    async (_name, text) => {
      const data = dataOf(text, {}, pressFederation, wholePress);
      expect(await pressFederation.dataOf(text)).toEqual(data);
    },
  );

  it.each(Object.entries(classes).flatMap(([name, texts]) => texts.map((text) => [name, text])))(
    'for %s: %s',
    async (_name, text) => {
      expect(await federation.dataOf(text)).toEqual(dataOf(text));
    },
  );

  it('for fields of one type of an interface object, which are not fetched for the others', async () => {
    const { desk } = pressFederation.subgraphs;
    desk.reset();

    const { data, errors } = await pressFederation.run(
      '{ critics { id next { __typename } ... on Book { pages next { title } } } }',
    );

    expect(errors).toEqual([]);
    expect(data).toEqual({
      critics: [
        { id: 'b1', next: { __typename: 'Film', title: 'Alien' }, pages: 500 },
        { id: 'f1', next: { __typename: 'Song' } },
        { id: 's1', next: { __typename: 'Book' } },
      ],
    });
    const forTitles = desk.received.filter(({ body }) => body.query.includes('title'));
    expect(forTitles.map(({ body }) => body.variables?.representations)).toEqual([
      [{ __typename: 'Media', id: 'f1' }],
    ]);
  });

  it('for a conditional @requires next to fields without a condition', async () => {
    const text =
      'query ($with: Boolean!) { products { id name shippingEstimate @include(if: $with) customs @skip(if: $with) } }';

    expect(await federation.dataOf(text, { with: true })).toEqual(dataOf(text, { with: true }));
    expect(await federation.dataOf(text, { with: false })).toEqual(dataOf(text, { with: false }));
  });

  it('for nested conditions, each with a parent of its own', async () => {
    const text = `query ($one: Boolean!, $other: Boolean = true) {
      products { dims @include(if: $one) { size @skip(if: $other) small: size(unit: KILO) @include(if: $other) } rating @skip(if: $one) { stars @include(if: $other) } }
    }`;
    for (const variables of [
      { one: true },
      { one: false },
      { one: true, other: false },
      { one: false, other: false },
    ]) {
      expect(await federation.dataOf(text, variables)).toEqual(dataOf(text, variables));
    }
  });

  it('for a client variable called representations', async () => {
    const text =
      'query ($representations: Unit) { products { weight(unit: $representations) shippingEstimate estimate: shippingEstimate(express: true) } }';

    expect(await federation.dataOf(text, { representations: 'KILO' })).toEqual(
      dataOf(text, { representations: 'KILO' }),
    );
  });

  it('for root mutations of one field under different names, which run once each and in order', async () => {
    const text =
      'mutation { a: count(by: 1) b: count(by: 1) count(by: 2) c: countElsewhere(by: 1) d: count(by: 1) }';

    const { data } = await federation.run(text);

    expect(JSON.stringify(data)).toBe('{"a":1,"b":2,"count":4,"c":5,"d":6}');
  });
});

/** The data of one server of the whole schema. */
function dataOf(
  source: string,
  variableValues = {},
  { supergraph: { apiSchema: schema } }: Pick<Federation<string>, 'supergraph'> = federation,
  rootValue: object = wholeShop,
): unknown {
  const { data, errors } = graphqlSync({ schema, source, variableValues, rootValue });
  if (errors !== undefined) {
    throw errors[0];
  }
  return JSON.parse(JSON.stringify(data)) as unknown;
}
