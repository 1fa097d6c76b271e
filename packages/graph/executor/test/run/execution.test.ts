import { describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import type { ReportedError } from '../../src/index.ts';
import { OperationError } from '../../src/index.ts';
import { library } from '../support/library.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import { useFederation } from '../support/federation.ts';

const federation = useFederation(library);

describe('The executor', () => {
  it.each([
    ['over several subgraphs', '{ books { id title reviews { stars author { name } } } }'],
    [
      'of interfaces',
      '{ media { id __typename title ... on Book { pages } ... on Film { minutes reviews { stars } } } }',
    ],
    ['of unions', '{ search { __typename ... on Book { title reviews { text } } ... on Author { name } } }'],
    ['of interface objects', '{ media { id likes } }'],
    ['of interface objects below concrete types', '{ books { title likes } films { likes title } }'],
    [
      'from an interface object to its types',
      '{ mostLiked { id likes title __typename ... on Book { pages } } }',
    ],
    ['of nested lists', '{ shelves { title reviews { stars } } }'],
    ['with @provides', '{ featured { title book { title pages } } }'],
    ['with @requires of several fields and nested ones', '{ books { summary } }'],
    ['with compound and nested keys', '{ copies { shelf { code } number borrower { name } } }'],
    [
      'with aliases and fragments',
      'query Q { all: books { ...B again: title } } fragment B on Book { title r: reviews { s: stars } reviews { text } }',
    ],
    ['of a mutation', 'mutation { rate(id: "b1", stars: 4) { stars book { title } } }'],
    ['of a nullable entity that is not there', '{ books { sequel { title pages } } }'],
  ])('answers like stock @apollo/gateway, key by key: an operation %s', async (_name, text) => {
    const { data, errors } = await federation.run(text);

    expect(errors).toEqual([]);
    expect(JSON.stringify(data)).toBe(JSON.stringify(await federation.runStock(text)));
  });

  it('sends no request for what the schema answers', async () => {
    const text =
      'query ($name: String!) { __typename kind: __typename __type(name: $name) { name ...F } __schema { queryType { name } } } fragment F on __Type { kind }';

    expect(await federation.dataOf(text, { name: 'Book' })).toEqual({
      __typename: 'Query',
      kind: 'Query',
      __type: { name: 'Book', kind: 'OBJECT' },
      __schema: { queryType: { name: 'Query' } },
    });
    expect(receivedBy('books')).toHaveLength(0);
  });

  it('returns an object of which every field is skipped', async () => {
    const text =
      'query ($no: Boolean = false) { books { title @include(if: $no) } films @include(if: $no) { title } }';

    expect((await federation.run(text)).data).toEqual({ books: [{}, {}] });
  });

  it('keeps the order of the selection, whatever the order of the subgraph responses', async () => {
    federation.subgraphs.books.misbehave((response) =>
      respondJson(response, { data: { books: [{ title: 'Emma', pages: 1, id: 'b1' }] } }),
    );

    const { data } = await federation.run('{ books { id pages title } }');

    expect(JSON.stringify(data)).toBe('{"books":[{"id":"b1","pages":1,"title":"Emma"}]}');
  });

  it('runs the named one of several operations', async () => {
    const document = parse('query A { books { id } } query B { films { id } }');
    const run = { variables: {}, headersFor: () => ({}), signal: new AbortController().signal };

    const { data } = await federation.executor.prepare({ document, name: 'B' }).run(run);

    expect(JSON.parse(data)).toEqual({ films: [{ id: 'f1' }] });
    expect(() => federation.executor.prepare({ document })).toThrow(OperationError);
    expect(() => federation.executor.prepare({ document, name: 'C' })).toThrow(
      'The document has no operation "C"',
    );
  });

  it('sends variables only to the subgraphs that use them, and absent ones to none', async () => {
    await federation.run(
      'query ($stars: Int, $lang: String) { books { title(lang: $lang) reviews(stars: $stars) { stars } } }',
      { stars: 5 },
    );

    expect(receivedBy('books')[0]?.body.variables).toBeUndefined();
    expect(Object.keys(receivedBy('reviews')[0]?.body.variables ?? {})).toEqual(['stars', 'representations']);
  });

  it('sends each subgraph the header fields that are meant for it', async () => {
    const operation = federation.executor.prepare({ document: parse('{ books { reviews { stars } } }') });
    const headersFor = (subgraph: string) => ({ 'x-for': subgraph });

    await operation.run({ variables: {}, headersFor, signal: new AbortController().signal });

    expect(receivedBy('books')[0]?.headers['x-for']).toBe('books');
    expect(receivedBy('reviews')[0]?.headers['x-for']).toBe('reviews');
  });

  it('rejects with the reason of its signal, and aborts its subrequests', async () => {
    const controller = new AbortController();
    const reason = new Error('the client has gone');
    const closed = new Promise<void>((resolve) => {
      federation.subgraphs.books.misbehave((response) => {
        response.on('close', resolve);
        controller.abort(reason);
      });
    });

    await expect(federation.run('{ books { id } }', {}, controller.signal)).rejects.toBe(reason);
    await closed;
  });

  it('throws for a chain of fragments that nests too deeply', async () => {
    const fragments = Array.from(
      { length: 3000 },
      (_, index) => `fragment F${index} on Query { ...F${index + 1} }`,
    );
    const text = `{ ...F0 } ${fragments.join(' ')} fragment F3000 on Query { __typename }`;
    const operation = federation.executor.prepare({ document: parse(text) });

    await expect(operation.plan({})).rejects.toThrow(
      new OperationError('The operation nests more than 500 selection sets with its fragments expanded'),
    );
  });
});

describe("The executor's deduplication", () => {
  it('sends a representation once for all objects that share it', async () => {
    const { data } = await federation.run('{ books { reviews { author { id name } } } }');

    const authors = receivedBy('authors');
    expect(authors).toHaveLength(1);
    expect(authors[0]?.body.variables?.representations).toEqual([
      { __typename: 'Author', id: 'a1' },
      { __typename: 'Author', id: 'a2' },
    ]);
    expect(data).toEqual({
      books: [
        { reviews: [{ author: { id: 'a1', name: 'Ann' } }, { author: { id: 'a2', name: 'Bob' } }] },
        { reviews: [{ author: { id: 'a1', name: 'Ann' } }] },
      ],
    });
  });

  it('sends equal fetches of one execution once', async () => {
    const { data } = await federation.run(
      '{ first: films { reviews { author { name } } } second: films { again: reviews { author { name } } } }',
    );

    expect(receivedBy('authors')).toHaveLength(1);
    expect(data).toEqual({
      first: [{ reviews: [{ author: { name: 'Bob' } }] }],
      second: [{ again: [{ author: { name: 'Bob' } }] }],
    });
  });

  it('reports the error of an entity at every path that shared its representation', async () => {
    federation.subgraphs.authors.misbehave((response) =>
      respondJson(response, {
        data: { _entities: [null, { name: 'Bob' }] },
        errors: [{ message: 'no Ann', path: ['_entities', 0, 'name'], extensions: { code: 'GONE' } }],
      }),
    );

    const { data, errors } = await federation.run('{ all: books { rs: reviews { author { name } } } }');

    expect(data).toEqual({
      all: [{ rs: [{ author: null }, { author: { name: 'Bob' } }] }, { rs: [{ author: null }] }],
    });
    expect(errors.map(({ path }) => path)).toEqual([
      ['all', 0, 'rs', 0, 'author', 'name'],
      ['all', 1, 'rs', 0, 'author', 'name'],
    ]);
    expect((errors[0] as ReportedError).extensions).toEqual({ code: 'GONE' });
  });
});

describe('A null', () => {
  it('in a non-null position propagates to the nearest nullable one, with an error', async () => {
    federation.subgraphs.books.misbehave((response) =>
      respondJson(response, {
        data: {
          media: [
            { __typename: 'Book', id: 'b1', title: null },
            { __typename: 'Film', id: 'f1', title: 'Alien' },
          ],
        },
      }),
    );

    const { data, errors } = await federation.run('{ media { title } }');

    expect(data).toEqual({ media: [null, { title: 'Alien' }] });
    expect(errors).toMatchObject([{ code: 'SUBREQUEST_MALFORMED_RESPONSE', path: ['media', 0, 'title'] }]);
  });

  it('propagates to the root', async () => {
    federation.subgraphs.books.misbehave((response) => respondJson(response, { data: { books: null } }));

    expect(await federation.run('{ books { id } }')).toMatchObject({
      data: null,
      errors: [{ path: ['books'] }],
    });
  });

  it('raises no second error when a subgraph has reported one', async () => {
    federation.subgraphs.books.misbehave((response) =>
      respondJson(response, { data: null, errors: [{ message: 'no books', path: ['books', 1, 'title'] }] }),
    );

    const { data, errors } = await federation.run('{ books { title } }');

    expect(data).toBeNull();
    expect(errors).toEqual([
      {
        kind: 'reported',
        subgraph: 'books',
        message: 'no books',
        extensions: {},
        path: ['books', 1, 'title'],
      },
    ]);
  });

  it('raises no error for an entity that its subgraph answers with null', async () => {
    federation.subgraphs.authors.misbehave((response) =>
      respondJson(response, { data: { _entities: [null, null] } }),
    );

    expect(await federation.dataOf('{ books { reviews { author { name } } } }')).toEqual({
      books: [{ reviews: [{ author: null }, { author: null }] }, { reviews: [{ author: null }] }],
    });
  });
});

describe('A leaf', () => {
  it.each([
    ['Int', 'pages', 'many'],
    ['Int', 'pages', 2 ** 31],
    ['Int', 'pages', 1.5],
    ['Boolean', 'lent', 1],
    ['String', 'subtitle', 7],
    ['String', 'subtitle', { text: 'nested' }],
    ['enum', 'genre', 'POETRY'],
    ['list of String', 'tags', 'one'],
    ['list of String', 'tags', [1]],
    ['Float', 'weight', '1.5'],
  ])('that is not a valid %s becomes null with an error: %s = %j', async (_type, field, value) => {
    federation.subgraphs.books.misbehave((response) =>
      respondJson(response, { data: { books: [{ [field]: value }] } }),
    );

    const { data, errors } = await federation.run(`{ books { ${field} } }`);

    expect(JSON.stringify(data)).toMatch(
      `{"books":[{"${field}":${Array.isArray(value) ? '[null]' : 'null'}}]}`,
    );
    expect(errors).toMatchObject([{ code: 'SUBREQUEST_MALFORMED_RESPONSE' }]);
  });

  it('cannot break out of its position', async () => {
    const hostile = '"},"errors":[\\u2028\n\u0000</script>';
    federation.subgraphs.books.misbehave((response) =>
      respondJson(response, { data: { books: [{ subtitle: hostile, tags: [hostile] }] } }),
    );

    expect((await federation.run('{ books { subtitle tags } }')).data).toEqual({
      books: [{ subtitle: hostile, tags: [hostile] }],
    });
  });

  it('of a type that the schema does not have becomes null with an error', async () => {
    federation.subgraphs.books.misbehave((response) =>
      respondJson(response, { data: { media: [{ __typename: 'Pamphlet', id: 'p1' }] } }),
    );

    expect(await federation.run('{ media { id } }')).toMatchObject({
      data: { media: [null] },
      errors: [{ path: ['media', 0, 'id'] }],
    });
  });
});

function receivedBy(name: keyof typeof library) {
  return federation.subgraphs[name].received;
}
