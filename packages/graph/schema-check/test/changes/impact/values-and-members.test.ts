// Changes of what operations write, send and get from abstract types: literal enum values, values in input objects,
// nulls in variables, implementors of interfaces. Teams planted them (issue 28).
import { describe, expect, it } from '@jest/globals';

import type { CheckInput } from '../../../src/check-graphs.ts';
import type { CheckReport } from '../../../src/report/report.ts';
import { checkSmall, listedAs, smallGraph } from '../../support/small-graph.ts';
import { usageOf } from '../../support/usage.ts';

const depot = `
  type Query {
    measure(unit: Size = L): Int
    scaled(by: [Size!]): Int
    parcels(filter: Filter, first: Int = 10): [Parcel]
    events: [Event]
  }
  enum Size { S M L }
  enum Unit { KG LB }
  input Range { to: Int, unit: Unit! = KG }
  input Filter { range: Range, text: String }
  interface Noted { note: String }
  type Memo implements Noted { note: String }
  type Parcel implements Noted @key(fields: "id") { id: ID! size: Size weight: Int note: String place: Place }
  interface Event { at: String }
  type Scan implements Event { at: String door: Int }
  type Move implements Event { at: String }
  type Place { id: ID name: String }
  type Area { id: ID }
`;

const operations = {
  Measure: '{ measure(unit: M) }',
  Scaled: '{ scaled(by: [S, M]) }',
  Weighed: '{ parcels(filter: { range: { to: 1, unit: LB } }) { id } }',
  Nulls: '($first: Int) { parcels(first: $first) { id } }',
  WithDefault: '($first: Int = 20) { parcels(first: $first) { id } }',
  Sends: '($filter: Filter) { parcels(filter: $filter) { id } }',
  Events: '{ events { at ... on Scan { door } } }',
  Places: '{ parcels(first: 1) { weight note place { id name } } }',
};

interface Outcome {
  readonly verdict: CheckReport['verdict'];
  readonly order: string | undefined;
  /** The changes that name an operation, but for safe ones. */
  readonly changes: readonly string[];
}

async function outcomeOf(
  text: string,
  replacement: string,
  input: Partial<CheckInput> = {},
): Promise<Outcome> {
  const changed = depot.replace(text, replacement);
  expect(changed).not.toBe(depot);
  const { verdict, changes, deployOrder } = await checkSmall(
    smallGraph({ depot }),
    smallGraph({ depot: changed }),
    operations,
    input,
  );
  return {
    verdict,
    order: deployOrder[0]?.order,
    changes: changes
      .filter((change) => change.level !== 'safe' && change.operations.length > 0)
      .map(({ level, kind, operations: hits }) =>
        [
          level,
          kind,
          ...hits.map(({ name, isCertain }) => (isCertain ? name : `perhaps ${name}`)).toSorted(),
        ].join(' '),
      ),
  };
}

describe('A check names the operations', () => {
  it.each([
    ['enum Size { S M L }', 'enum Size { S L }', ['Measure', 'Scaled'], 'supergraph-first'],
    // The subgraph takes it in either order.
    ['enum Size { S M L }', 'enum Size { S M @inaccessible L }', ['Measure', 'Scaled'], 'any'],
    ['enum Unit { KG LB }', 'enum Unit { KG }', ['Weighed', 'perhaps Sends'], 'supergraph-first'],
  ])('that write a removed enum value: %s → %s', async (text, replacement, names, order) => {
    expect(await outcomeOf(text, replacement)).toEqual({
      verdict: 'fails',
      order,
      changes: [['breaking ENUM_VALUE_REMOVED', ...names].join(' ')],
    });
  });

  it.each([
    [
      'first: Int = 10',
      'first: Int! = 10',
      'FIELD_ARGUMENT_TYPE_CHANGED',
      'perhaps Nulls perhaps WithDefault',
    ],
    ['text: String', 'text: String! = "any"', 'INPUT_FIELD_TYPE_CHANGED', 'perhaps Sends'],
    ['unit: Unit! = KG', 'unit: Unit!', 'INPUT_FIELD_DEFAULT_CHANGED', 'perhaps Sends'],
  ])('that may send what is no longer taken: %s → %s', async (text, replacement, kind, names) => {
    expect(await outcomeOf(text, replacement)).toEqual({
      verdict: 'undecided',
      order: 'supergraph-first',
      changes: [`breaking ${kind} ${names}`],
    });
  });

  it('that leave out a value whose default goes, once', async () => {
    const changed = depot.replace('first: Int = 10', 'first: Int! = 10');
    const { changes } = await checkSmall(
      smallGraph({ depot: changed }),
      smallGraph({ depot: changed.replace('first: Int! = 10', 'first: Int!') }),
      operations,
    );
    expect(changes.filter(({ verdict }) => verdict === 'fails')).toEqual([
      expect.objectContaining({ kind: 'FIELD_ARGUMENT_DEFAULT_CHANGED', level: 'breaking' }),
    ]);
  });

  it('that may get a new implementor of an interface, and deploys the supergraph first', async () => {
    expect(
      await outcomeOf('type Place ', 'type Loss implements Event { at: String } type Place '),
    ).toMatchObject({
      verdict: 'passes',
      order: 'supergraph-first',
      changes: ['dangerous OBJECT_TYPE_INTERFACE_ADDED Events'],
    });
  });

  it('that get a scalar of another specification', async () => {
    const dated = depot
      .replace('note: String place', 'note: Money place')
      .replace('interface Noted { note: String }', '');
    const scalar = (url: string): string =>
      `${dated.replaceAll('implements Noted', '')} scalar Money @specifiedBy(url: "https://${url}")`;
    const { changes } = await checkSmall(
      smallGraph({ depot: scalar('a.example') }),
      smallGraph({ depot: scalar('b.example') }),
      operations,
    );
    expect(changes).toMatchObject([{ kind: 'SPECIFIED_BY_CHANGED', operations: [{ name: 'Places' }] }]);
  });

  it('whose lists lose an implementor of an interface that they do not name', async () => {
    expect(await outcomeOf('type Move implements Event', 'type Move')).toMatchObject({
      verdict: 'fails',
      changes: ['breaking OBJECT_TYPE_INTERFACE_REMOVED Events'],
    });
  });

  it('by what made them invalid only: the field that goes from a type, and not the interface', async () => {
    expect(
      await outcomeOf(
        'type Parcel implements Noted @key(fields: "id") { id: ID! size: Size weight: Int note: String',
        'type Parcel @key(fields: "id") { id: ID! size: Size weight: Int',
      ),
    ).toMatchObject({ changes: ['breaking FIELD_REMOVED Places'] });
  });

  it.each([
    ['weight: Int', 'weight: Place'],
    ['place: Place', 'place: Area'],
  ])('by one change for one edit: %s → %s', async (text, replacement) => {
    expect(await outcomeOf(text, replacement)).toMatchObject({
      verdict: 'fails',
      changes: ['breaking FIELD_TYPE_CHANGED Places'],
    });
  });
});

describe('A report', () => {
  it('names an operation once of which two releases have different texts, with the clients of both', async () => {
    const texts = ['query Places { parcels { note } }', 'query Places { parcels { note place { id } } }'];
    const listed = texts.map((text, index) =>
      listedAs('Places', text, {
        id: `places-${index}`,
        client: 'ios',
        versions: index === 0 ? ['3.0', '3.1'] : ['3.1'],
      }),
    );
    const { changes } = await checkSmall(
      smallGraph({ depot }),
      smallGraph({ depot: depot.replace(/ note: String/gu, ' memo: String') }),
      {},
      { listedBefore: listed, listedAfter: listed },
    );
    expect(changes.find(({ coordinate }) => coordinate === 'Parcel.note')).toMatchObject({
      reason: '2 known operations would break',
      operations: [
        {
          name: 'Places',
          identifiers: ['places-0', 'places-1'],
          clients: [
            { name: 'ios', version: '3.0' },
            { name: 'ios', version: '3.1' },
          ],
        },
      ],
    });
  });

  it('says why usage leaves open a null, which is not recorded', async () => {
    const { changes, verdict } = await checkSmall(
      smallGraph({ depot }),
      smallGraph({ depot: depot.replace('first: Int = 10', 'first: Int! = 10') }),
      operations,
      { usage: usageOf([], { recordedDays: 30 }) },
    );
    expect(verdict).toBe('undecided');
    expect(changes[0]?.reason).toBe(
      'whether 2 operations would break depends on what clients send, and usage of 30 days does not say what that is',
    );
  });
});
