import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { OperationPlan, PlanExplanation } from '../../src/index.ts';
import { createExecutor, explainPlan, listFetches } from '../../src/index.ts';
import { supergraphOf } from '../support/federation.ts';
import { library } from '../support/library.ts';

const supergraph = supergraphOf(library);
const transport = { send: () => Promise.reject(new Error('A plan that is explained is not run')) };

async function planned(text: string): Promise<OperationPlan> {
  return await createExecutor({ supergraph, transport, isDeferring: true })
    .prepare({ document: parse(text) })
    .plan({});
}

async function explain(text: string): Promise<PlanExplanation> {
  return explainPlan(await planned(text));
}

describe('explainPlan', () => {
  it('shows the fetches with their entities, their order and their variables', async () => {
    const { text, fetchCount, roundCount } = await explain(
      'query ($stars: Int) { books { likes reviews(stars: $stars) { text } } }',
    );

    expect(text).toBe(`in order
  fetch 1: query books
    {
      books {
        __typename
        id
      }
    }
  at the same time
    fetch 2: query reviews for books, each different one of Book { id } once
      with $stars
      {
        ... on Book {
          reviews(stars: $stars) {
            text
          }
        }
      }
    fetch 3: query likes for books, each different one of Book { id } once
      {
        ... on Medium {
          likes
        }
      }`);
    expect({ fetchCount, roundCount }).toEqual({ fetchCount: 3, roundCount: 2 });
  });

  it('shows which fetches are one subrequest when they are for the same objects', async () => {
    const { text } = await explain(
      '{ first: films { reviews { author { name } } } second: films { again: reviews { author { name } } } }',
    );

    expect(text).toMatch(
      /fetch 5: query authors for second\.again\.author, .*; one request with fetch 3 where it is for the same/u,
    );
  });

  it('shows the types of objects that a fetch is for, and the fields that it requires', async () => {
    const { text } = await explain('{ media { title ... on Book { summary } } }');

    expect(text).toContain('for media');
    expect(text).toContain('Book { id pages tags spine { color width } }');
  });

  it('shows that nothing is fetched', async () => {
    expect(await explain('{ __typename }')).toEqual({
      fetchCount: 0,
      roundCount: 0,
      text: 'nothing is fetched',
      flowchart: 'flowchart TD\n  request([request])\n  response([response])\n  request --> response',
    });
  });

  it('shows which fetches the first result waits for, and each deferred fragment', async () => {
    const explained = await explain(`{ books {
      title
      spine { color ... @defer { width } }
      ... @defer(label: "reviews") { reviews { stars ... @defer { author { name } } } likes }
    } }`);

    expect(explained.text).toBe(`first result
  fetch 1: query books
    {
      books {
        __typename
        title
        spine {
          color
          width
        }
        id
      }
    }
deferred at books.spine
  nothing more is fetched
deferred "reviews" at books
  at the same time
    fetch 2: query likes for books, each different one of Book { id } once; after fetch 1
      {
        ... on Medium {
          likes
        }
      }
    fetch 3: query reviews for books, each different one of Book { id } once; after fetch 1
      {
        ... on Book {
          reviews {
            stars
            author {
              __typename
              id
            }
          }
        }
      }
deferred at books.reviews
  fetch 4: query authors for books.reviews.author, each different one of Author { id } once; after fetch 3
    {
      ... on Author {
        name
      }
    }`);
    expect(explained.flowchart.split('\n').slice(6)).toEqual(
      [
        'response([response])',
        'part0(["at books.spine"])',
        'part1(["#quot;reviews#quot; at books"])',
        'part2(["at books.reviews"])',
        'request --> fetch1',
        'fetch1 --> fetch2',
        'fetch1 --> fetch3',
        'fetch3 --> fetch4',
        'fetch1 --> response',
        'response -.-> part0',
        'fetch2 --> part1',
        'fetch3 --> part1',
        'response -.-> part1',
        'fetch4 --> part2',
        'part1 -.-> part2',
      ].map((line) => `  ${line}`),
    );
  });

  it('draws a Mermaid flowchart', async () => {
    const { flowchart } = await explain(
      '{ books { title likes a: title(lang: "en") reviews { author { name } } } authors { id } }',
    );

    expect(flowchart).toBe(`flowchart TD
  request([request])
  fetch1["1. books<br/>query<br/>books"]
  fetch2["2. reviews<br/>books<br/>Book #123; id #125;<br/>reviews"]
  fetch3["3. authors<br/>books.reviews.author<br/>Author #123; id #125;<br/>name"]
  fetch4["4. likes<br/>books<br/>Book #123; id #125;<br/>likes"]
  fetch5["5. authors<br/>query<br/>authors"]
  response([response])
  request --> fetch1
  fetch1 --> fetch2
  fetch2 --> fetch3
  fetch1 --> fetch4
  request --> fetch5
  fetch3 --> response
  fetch4 --> response
  fetch5 --> response`);
  });
});

describe('listFetches', () => {
  it('says of each fetch in which round it is, and what it waits for', async () => {
    const plan = await planned('{ books { title likes reviews { author { name } } } authors { id } }');

    expect(
      listFetches(plan).map(({ number, subgraph, after, round }) => [number, subgraph, after, round]),
    ).toEqual([
      [1, 'books', [], 1],
      [2, 'reviews', [1], 2],
      [3, 'authors', [2], 3],
      [4, 'likes', [1], 2],
      [5, 'authors', [], 1],
    ]);
    expect(listFetches(plan)[1]).toEqual({
      number: 2,
      subgraph: 'reviews',
      operationKind: 'query',
      target: 'books',
      lookup: 'Book { id }',
      fields: ['reviews'],
      after: [1],
      round: 2,
      sameAs: undefined,
    });
  });

  it('lists nothing where nothing is fetched', async () => {
    expect(listFetches(await planned('{ __typename }'))).toEqual([]);
  });
});
