import { getEventListeners } from 'node:events';
import process from 'node:process';

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'graphql';

import { SubgraphFailure } from '../../src/index.ts';
import type { HeldSubgraphs } from '../support/held-subgraphs.ts';
import { createHeldSubgraphs, readParts } from '../support/held-subgraphs.ts';
import { library } from '../support/library.ts';

const books = '{ books { id ... @defer(label: "reviews") { reviews { stars } } } }';
const noSignal = new AbortController().signal;

describe('A run with @defer', () => {
  let subgraphs: HeldSubgraphs;
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);

  beforeEach(() => {
    subgraphs = createHeldSubgraphs(library);
    rejections.length = 0;
    process.on('unhandledRejection', onRejection);
  });

  afterEach(async () => {
    await new Promise((resolve) => void setImmediate(resolve));
    process.off('unhandledRejection', onRejection);
    expect(rejections).toEqual([]);
  });

  it('gives its first result while fetches of fragments are under way', async () => {
    subgraphs.held.add('reviews');
    const result = await subgraphs.run(books);

    expect(JSON.parse(result.data)).toEqual({ books: [{ id: 'b1' }, { id: 'b2' }] });
    expect(result.deferred?.pending).toEqual([
      { label: 'reviews', path: ['books', 0] },
      { label: 'reviews', path: ['books', 1] },
    ]);
    const request = await subgraphs.next('reviews');
    request.respond();
    expect((await readParts(result)).parts).toEqual([
      { label: 'reviews', path: 'books.0', data: { reviews: [{ stars: 5 }, { stars: 3 }] } },
      { label: 'reviews', path: 'books.1', data: { reviews: [{ stars: 4 }] } },
    ]);
  });

  it('delivers each fragment when its own fetches are done, whatever the order of the operation is', async () => {
    subgraphs.held.add('reviews');
    subgraphs.held.add('likes');
    const result = await subgraphs.run(
      '{ films { ... @defer(label: "one") { reviews { stars } } ... @defer(label: "two") { likes } } }',
    );
    const parts = result.deferred?.batches[Symbol.asyncIterator]();
    const likes = await subgraphs.next('likes');
    likes.respond();
    const first = await parts?.next();
    expect(first).toMatchObject({ value: { completed: [{ fragment: { label: 'two' } }] } });
    const reviews = await subgraphs.next('reviews');
    reviews.respond();
    expect(await parts?.next()).toMatchObject({ value: { completed: [{ fragment: { label: 'one' } }] } });
    expect(await parts?.next()).toEqual({ done: true, value: undefined });
  });

  it('delivers a fragment inside another after it, and announces it with it', async () => {
    subgraphs.held.add('reviews');
    const result = await subgraphs.run(
      '{ books { id ... @defer { reviews { stars ... @defer(label: "text") { text } } } } }',
    );
    expect(result.deferred?.pending.map(({ label }) => label)).toEqual([undefined, undefined]);
    const parts = result.deferred?.batches[Symbol.asyncIterator]();
    const request = await subgraphs.next('reviews');
    request.respond();
    const outer = await parts?.next();
    expect(outer).toMatchObject({
      value: {
        completed: [{ fragment: { path: ['books', 0] } }, { fragment: { path: ['books', 1] } }],
        pending: [
          { label: 'text', path: ['books', 0, 'reviews', 0] },
          { label: 'text', path: ['books', 0, 'reviews', 1] },
          { label: 'text', path: ['books', 1, 'reviews', 0] },
        ],
      },
    });
    const inner = await parts?.next();
    const texts = inner?.done === true ? [] : inner?.value.completed.map(({ data }) => data);
    expect(texts).toEqual(['{"text":"Good"}', '{"text":"Long"}', '{"text":"Odd"}']);
  });

  it('defers fragments of the types that an object has', async () => {
    const result = await subgraphs.run(
      '{ media { ... on Book @defer(label: "book") { pages } ... on Film @defer(label: "film") { minutes } } }',
    );
    expect(await readParts(result)).toEqual({
      data: { media: [{}, {}, {}] },
      errors: [],
      parts: [
        { label: 'book', path: 'media.0', data: { pages: 500 } },
        { label: 'book', path: 'media.1', data: { pages: 700 } },
        { label: 'film', path: 'media.2', data: { minutes: 117 } },
      ],
    });
  });

  it('defers on the root', async () => {
    const result = await subgraphs.run(
      '{ films { title } ... @defer { authors { name } __schema { queryType { name } } } }',
    );
    expect(await readParts(result)).toEqual({
      data: { films: [{ title: 'Alien' }] },
      errors: [],
      parts: [
        {
          path: '',
          data: { authors: [{ name: 'Ann' }, { name: 'Bob' }], __schema: { queryType: { name: 'Query' } } },
        },
      ],
    });
  });

  it('defers what needs no subgraph', async () => {
    const result = await subgraphs.run(
      '{ __typename ... @defer { __schema { queryType { name } } ... @defer(label: "kind") { kind: __typename } } }',
    );
    expect(await readParts(result)).toEqual({
      data: { __typename: 'Query' },
      errors: [],
      parts: [
        { path: '', data: { __schema: { queryType: { name: 'Query' } } } },
        { label: 'kind', path: '', data: { kind: 'Query' } },
      ],
    });
  });

  it('takes the fast path, as without @defer', async () => {
    let slowCount = 0;
    const watch = { onSlowPath: () => void (slowCount += 1) };
    const text = '{ books { title pages ... @defer { likes reviews { stars author { name } } } } }';
    expect((await readParts(await subgraphs.run(text, {}, { watch }))).parts).toHaveLength(2);
    expect(slowCount).toBe(0);
  });

  it('is one whole result where the directive is ignored, and where nothing is left to announce', async () => {
    expect(await subgraphs.run(books, {}, { isDeferring: false })).not.toHaveProperty('deferred');
    const nothing = await subgraphs.run(
      'query ($isOn: Boolean!) { books { id ... @defer(if: $isOn) { title } } }',
      { isOn: false },
    );
    expect(nothing).not.toHaveProperty('deferred');
    expect(nothing.data).toContain('Emma');
    const ofNoType = await subgraphs.run('{ films { id ... on Medium { ... on Book @defer { pages } } } }');
    expect(ofNoType).not.toHaveProperty('deferred');
  });

  it('defers nothing at the root of a mutation, and below it', async () => {
    const result = await subgraphs.run(`mutation {
      ... @defer { first: rate(id: "b1", stars: 1) { stars ... @defer(label: "book") { book { title } } } }
      second: rate(id: "b2", stars: 2) { stars }
    }`);
    expect(await readParts(result)).toEqual({
      data: { first: { stars: 1 }, second: { stars: 2 } },
      errors: [],
      parts: [{ label: 'book', path: 'first', data: { book: { title: 'Emma' } } }],
    });
  });

  describe('whose subgraph fails', () => {
    it.each(['fast', 'slow'] as const)('nulls the fields of the part only (%s path)', async (path) => {
      subgraphs.held.add('likes');
      const result = await subgraphs.run(
        '{ films { title ... @defer { minutes } ... @defer(label: "likes") { likes } } }',
        {},
        { path },
      );
      const request = await subgraphs.next('likes');
      request.fail(new SubgraphFailure('GATEWAY_TIMEOUT', 'too slow'));

      expect(await readParts(result)).toEqual({
        data: { films: [{ title: 'Alien' }] },
        errors: [],
        parts: expect.arrayContaining([
          { path: 'films.0', data: { minutes: 117 } },
          // It is not null, and there is nothing above it in the fragment.
          { label: 'likes', path: 'films.0', data: null, errors: ['films.0.likes'] },
        ]),
      });
    });

    it('files errors by their paths', async () => {
      subgraphs.held.add('reviews');
      const result = await subgraphs.run('{ books { title ... @defer { reviews { stars text } } } }');
      const request = await subgraphs.next('reviews');
      request.respond({
        data: {
          _entities: [{ reviews: [{ stars: 5, text: null }] }, { reviews: [{ stars: 4, text: 'Odd' }] }],
        },
        errors: [{ message: 'no text', path: ['_entities', 0, 'reviews', 0, 'text'] }],
      });
      expect((await readParts(result)).parts).toEqual([
        {
          path: 'books.0',
          data: { reviews: [{ stars: 5, text: null }] },
          errors: ['books.0.reviews.0.text'],
        },
        { path: 'books.1', data: { reviews: [{ stars: 4, text: 'Odd' }] } },
      ]);
    });

    it('keeps an object that was delivered: the data of the fragment is null instead', async () => {
      subgraphs.held.add('authors');
      const result = await subgraphs.run(
        '{ films { reviews { author { id } ... @defer { stars author { name } } } } }',
      );
      const request = await subgraphs.next('authors');
      request.respond({
        data: { _entities: [{ name: null }] },
        errors: [{ message: 'no name', path: ['_entities', 0, 'name'] }],
      });
      expect(await readParts(result)).toEqual({
        data: { films: [{ reviews: [{ author: { id: 'a2' } }] }] },
        errors: [],
        // Without @defer, the author would be null.
        parts: [{ path: 'films.0.reviews.0', data: null, errors: ['films.0.reviews.0.author.name'] }],
      });
    });

    it('announces no fragment of an object that is null', async () => {
      subgraphs.held.add('books');
      const running = subgraphs.run('{ media { id title ... @defer { likes } } }');
      const request = await subgraphs.next('books');
      request.respond({
        data: {
          media: [
            { __typename: 'Book', id: 'b1', title: null },
            { __typename: 'Film', id: 'f1', title: 'Alien' },
          ],
        },
        errors: [{ message: 'no title', path: ['media', 0, 'title'] }],
      });
      const result = await running;
      expect(await readParts(result)).toEqual({
        data: { media: [null, { id: 'f1', title: 'Alien' }] },
        errors: ['media.0.title'],
        parts: [{ path: 'media.1', data: { likes: 51 } }],
      });
    });

    it('has no parts where the data is null', async () => {
      subgraphs.held.add('books');
      const running = subgraphs.run('{ films { title ... @defer { minutes } } }');
      const request = await subgraphs.next('books');
      request.fail(new SubgraphFailure('SUBREQUEST_HTTP_ERROR', 'down'));
      const result = await running;
      expect(result).toMatchObject({ data: 'null', errors: [{ path: ['films'] }] });
      expect(result).not.toHaveProperty('deferred');
    });
  });

  it('cancels what is under way when its consumer stops, also while it waits', async () => {
    subgraphs.held.add('reviews');
    const result = await subgraphs.run(books);
    const request = await subgraphs.next('reviews');
    const parts = result.deferred?.batches[Symbol.asyncIterator]();
    const waiting = parts?.next();
    expect(request.signal.aborted).toBe(false);
    await parts?.return?.();

    expect(request.signal.aborted).toBe(true);
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(await parts?.next()).toEqual({ done: true, value: undefined });
  });

  it('leaves no listener on its signal, whether it is read to its end or not', async () => {
    const { signal } = new AbortController();
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    await readParts(await subgraphs.run(books, {}, { signal }));
    const result = await subgraphs.run(books, {}, { signal });
    await result.deferred?.batches[Symbol.asyncIterator]().return?.();
    expect(listeners()).toBe(0);
  });

  it('starts no fetch after its consumer has stopped', async () => {
    subgraphs.held.add('reviews');
    const result = await subgraphs.run('{ books { id ... @defer { reviews { author { name } } } } }');
    const request = await subgraphs.next('reviews');
    await result.deferred?.batches[Symbol.asyncIterator]().return?.();
    request.respond();
    await new Promise((resolve) => void setImmediate(resolve));
    expect(subgraphs.requests.map(({ subgraph }) => subgraph)).toEqual(['books', 'reviews']);
  });

  it('rejects with the reason of its signal, before and after the first result', async () => {
    subgraphs.held.add('reviews');
    const controller = new AbortController();
    const result = await subgraphs.run(books, {}, { signal: controller.signal });
    const request = await subgraphs.next('reviews');
    const waiting = readParts(result);
    const reason = new Error('the client has gone');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(request.signal.reason).toBe(reason);

    subgraphs.held.add('books');
    const another = new AbortController();
    const running = subgraphs.run(books, {}, { signal: another.signal });
    await subgraphs.next('books');
    another.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  it('ends what is under way when no fragment is announced', async () => {
    subgraphs.held.add('books');
    subgraphs.held.add('authors');
    const running = subgraphs.run(
      '{ films { title ... @defer { minutes } } ... @defer { authors { name } } }',
    );
    const authors = await subgraphs.next('authors');
    const films = await subgraphs.next('books');
    films.respond({ data: { films: null }, errors: [{ message: 'no films', path: ['films'] }] });
    expect((await running).deferred).toBeUndefined();
    expect(authors.signal.aborted).toBe(true);
  });

  it('announces 50 000 fragments at most, and says that there are more', async () => {
    subgraphs.held.add('books');
    const running = subgraphs.run('{ books { title ... @defer { spine { color } } } }');
    const request = await subgraphs.next('books');
    const book = { __typename: 'Book', title: 'Emma', id: 'b1' };
    request.respond({ data: { books: Array.from({ length: 50_001 }, () => book) } });
    const result = await running;
    expect(result.deferred?.pending).toHaveLength(50_000);
    expect(result.errors).toMatchObject([{ kind: 'subrequest', code: 'SUBREQUEST_MALFORMED_RESPONSE' }]);
    await result.deferred?.batches[Symbol.asyncIterator]().return?.();
  });
});

describe('The planner', () => {
  it('gets @defer only where it is supported, so that no stored plan is taken for another', async () => {
    const subgraphs = createHeldSubgraphs(library);
    const texts: string[] = [];
    const planner = {
      plan: (text: string) => {
        texts.push(text);
        return Promise.resolve({ rejection: 'not now' });
      },
      close: () => Promise.resolve(),
    };
    for (const isDeferring of [false, true]) {
      const prepared = subgraphs.executor({ planner, isDeferring }).prepare({ document: parse(books) });
      await expect(prepared.run({ variables: {}, signal: noSignal })).rejects.toThrow('not now');
    }
    const [ignoring, deferring, fallback] = texts;
    expect(ignoring).not.toContain('@defer');
    expect(deferring).toContain('@defer(label: "0")');
    // Of an operation that cannot be planned with it.
    expect(fallback).toBe(ignoring);
  });
});
