// Faulty or deceptive subgraph responses, each to an operation of two fetches, the second of a hundred
// entities.
import type { ServerResponse } from 'node:http';

/** A faulty response, to fetches of entities or of root fields. */
export interface SubgraphAttack {
  readonly name: string;
  readonly of: 'root' | 'entities';
  readonly body: string;
}

const errors = (count: number, error: object): string =>
  JSON.stringify({ data: null, errors: Array.from({ length: count }, () => error) });

/** More entities than a fetch may have, so the fetch for them is not sent. */
const manyEntities: SubgraphAttack = {
  name: 'a list of 100 000 entities',
  of: 'root',
  body: JSON.stringify({
    data: {
      topProducts: Array.from({ length: 100_000 }, (_, index) => ({
        __typename: 'Product',
        id: `${index}`,
        name: '',
      })),
    },
  }),
};

const ofEither = (['root', 'entities'] as const).flatMap((of): readonly SubgraphAttack[] => [
  { name: '100 000 errors without a path', of, body: errors(100_000, {}) },
  { name: '5 000 errors without a path, with texts', of, body: errors(5000, { message: 'x'.repeat(50) }) },
  {
    name: '3 000 errors with a path that leads nowhere',
    of,
    body: errors(3000, { message: 'x', path: ['_entities', 9_999_999, 'reviews', 'x'] }),
  },
  { name: 'a message of 200 kB of eyJ-', of, body: errors(1, { message: 'eyJ-'.repeat(50_000) }) },
  { name: '50 messages of 6 kB of eyJ-', of, body: errors(50, { message: 'eyJ-'.repeat(1500) }) },
  {
    name: 'extensions that nest 30 000 times',
    of,
    body: `{"data":null,"errors":[{"message":"x","extensions":${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}}]}`,
  },
  {
    name: 'data that nests 100 000 times',
    of,
    body: `{"data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  },
  {
    name: '100 000 entities where a hundred were asked for',
    of,
    body: JSON.stringify({
      data: { _entities: Array.from({ length: 100_000 }, () => null), topProducts: [] },
    }),
  },
  { name: '300 kB that is not JSON', of, body: '{"data":'.repeat(40_000) },
]);

/** JSON that takes a parser much longer than other JSON of its length. */
const slowJson: readonly SubgraphAttack[] = [
  { name: 'lists that nest 5 000 000 times', body: `${'['.repeat(5_000_000)}${']'.repeat(5_000_000)}` },
  {
    name: '700 000 members with different names',
    body: `{${Array.from({ length: 700_000 }, (_, index) => `"k${index}":0`).join()}}`,
  },
  { name: 'a list of 3 000 000 nulls', body: `[${Array(3_000_000).fill('null').join()}]` },
].map(({ name, body }) => ({ name, of: 'root', body: `{"data":{"topProducts":[],"other":${body}}}` }));

export const subgraphAttacks: readonly SubgraphAttack[] = [...ofEither, manyEntities, ...slowJson];

/**
 * A response to `product { parts { id name price } }` of about this many bytes. Its keys are in another order than the
 * selection's, as some servers write them.
 */
export function honestResponse(bytes: number): string {
  const part = (index: number): object => ({ price: index, name: `Part ${index}`, id: `${index}` });
  const count = Math.ceil(bytes / JSON.stringify(part(10_000)).length);
  return JSON.stringify({
    data: { product: { parts: Array.from({ length: count }, (_, index) => part(index)) } },
  });
}

/** Responds with a body, unchanged. */
export function responseText(response: ServerResponse, body: string): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(body);
}
