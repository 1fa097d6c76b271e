import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { findFreePort } from '@meridian/processes';
import { eventually } from '@meridian/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

import { followSubgraphs } from '../../src/composition/follow-subgraphs.ts';
import type { ChangingSubgraph } from './subgraph-of.ts';
import { subgraphOf } from './subgraph-of.ts';

const twice = '\n  a: Int\n  a: Int\n';

let folder: string;
let path: string;
let books: ChangingSubgraph;
let reviews: ChangingSubgraph;
let said: string[];
let following: Promise<() => void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'meridian-follow-'));
  path = join(folder, 'supergraph.graphql');
  books = await subgraphOf('type Query { books: Int }');
  reviews = await subgraphOf('type Query { reviews: Int }');
  said = [];
});

afterEach(async () => {
  (await following)();
  await books.close();
  await reviews.close();
  rmSync(folder, { recursive: true });
});

function follow(urls: Readonly<Record<string, string>> = {}): Promise<() => void> {
  following = followSubgraphs(new Map(Object.entries({ books: books.url, reviews: reviews.url, ...urls })), {
    path,
    say: (text) => void said.push(text),
    everyMs: 10,
  });
  return following;
}

const supergraph = (): string => readFileSync(path, 'utf8');

describe('followSubgraphs', () => {
  it('composes the schemas that the subgraphs respond with', async () => {
    await follow();
    expect(said).toEqual(['composed books, reviews']);
    expect(supergraph()).toContain(`BOOKS @join__graph(name: "books", url: "${books.url}")`);
    expect(supergraph()).toContain('reviews: Int @join__field(graph: REVIEWS)');
  });

  it('composes again when a schema changes', async () => {
    await follow();
    books.sdl = 'type Query { novels: Int }';
    await eventually(() => expect(supergraph()).toContain('novels'));
    expect(said).toEqual(['composed books, reviews', 'composed books, reviews']);
  });

  it('keeps the last supergraph when a schema does not compose, and names the subgraph and the lines', async () => {
    await follow();
    const before = supergraph();
    books.sdl = `type Query {${twice}}`;
    await eventually(() => expect(said).toHaveLength(2));
    expect(said[1]).toContain('keeping the last supergraph: INVALID_GRAPHQL: [books] Field a already exists');
    expect(said[1]).toContain('\n  at subgraph "books", 2:3\n     2 | a: Int\n  at subgraph "books", 3:3\n');
    expect(supergraph()).toBe(before);
    books.sdl = 'type Query { a: Int }';
    await eventually(() => expect(said).toHaveLength(3));
    expect(supergraph()).toContain('a: Int');
  });

  it('shows no control characters of a schema', async () => {
    await follow();
    books.sdl = 'type Query { books: Int }\ntype B @key(fields: "\u009b2J") { id: ID }';
    await eventually(() => expect(said).toHaveLength(2));
    expect(said[1]).toContain('[books] On type "B"');
    expect(said[1]).not.toMatch(/(?!\n)\p{Cc}/u);
  });

  it('keeps the last supergraph while a subgraph does not respond, and says so once', async () => {
    await follow();
    const before = supergraph();
    books.response = { status: 503, body: '' };
    await eventually(() => expect(said).toHaveLength(2));
    reviews.sdl = 'type Query { opinions: Int }';
    await eventually(() => expect(supergraph()).toContain('opinions'));
    books.response = undefined;
    await eventually(() => expect(said).toHaveLength(4));
    expect(said.slice(1)).toEqual([
      `keeping the last supergraph: subgraph books: ${books.url} responds with status 503`,
      'composed books, reviews',
      'the subgraphs respond again, with the same schemas',
    ]);
    expect(before).toContain('books');
  });

  it.each([
    [
      'a fault of its schema',
      { status: 200, body: '{"errors":[{"message":"no\\u001b[2J"}]}' },
      String.raw`responds with the error "no\u001b[2J"`,
    ],
    [
      'another JSON',
      { status: 200, body: '{"data":{"a":1}}' },
      'has no _service.sdl: is this the URL of a federated subgraph?',
    ],
    ['a page', { status: 200, body: '<html>' }, 'has no _service.sdl'],
  ])('waits for a subgraph that responds with %s, and says why', async (_what, response, reason) => {
    books.response = response;
    void follow();
    await eventually(() => expect(said).toEqual([expect.stringContaining(reason)]));
    expect(said[0]).toMatch(/^waiting: subgraph books: /u);
    books.response = undefined;
    await following;
    expect(said[1]).toBe('composed books, reviews');
  });

  it('waits for a subgraph that starts later', async () => {
    const port = await findFreePort();
    void follow({ reviews: `http://127.0.0.1:${port}/` });
    await eventually(() =>
      expect(said).toEqual([
        expect.stringMatching(/^waiting: subgraph reviews: no response from \S+: .*ECONNREFUSED/u),
      ]),
    );
    const late = createServer((_request, response) => {
      response.end(JSON.stringify({ data: { _service: { sdl: reviews.sdl } } }));
    }).listen(port, '127.0.0.1');
    await following;
    expect(said[1]).toBe('composed books, reviews');
    late.close();
    late.closeAllConnections();
  });
});
