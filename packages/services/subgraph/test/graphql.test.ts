import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import supertest from 'supertest';

import { createThings } from './fixtures/things.ts';
import type { Observer } from './fixtures/things.ts';
import { hostSubgraph } from './support/index.ts';
import type { HostedSubgraph } from './support/index.ts';

describe('POST /graphql of a subgraph in production', () => {
  const observer: Observer = { notes: [], batches: [] };
  let things: HostedSubgraph;
  beforeAll(async () => {
    things = await hostSubgraph(createThings(observer));
  });
  afterAll(() => things.stop());
  beforeEach(() => {
    observer.notes.length = 0;
    observer.batches.length = 0;
  });

  const post = async (body: string) =>
    supertest(things.url)
      .post('/graphql')
      .set('Authorization', `Bearer ${await things.token()}`)
      .set('Content-Type', 'application/json')
      .send(body);

  it('answers 401 without a token, whatever header names a caller', async () => {
    const response = await supertest(things.url)
      .post('/graphql')
      .set({ 'x-tenant-id': 'acme', 'x-meridian-caller': 'alice' })
      .send({ query: '{ secret }' });
    expect(response.status).toBe(401);
    expect(response.body).toMatchObject({
      type: 'https://meridian.example/problems/authentication-required',
    });
  });

  it('answers with data, as JSON without a cache policy', async () => {
    const response = await post('{"query":"{ things { id } }"}');
    expect(response.status).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'application/json; charset=utf-8' });
    expect(response.headers).not.toHaveProperty('cache-control');
    expect(response.text).toBe('{"data":{"things":[{"id":"0"},{"id":"1"}]}}\n');
  });

  it('answers 400 malformed-body to a body that is not JSON', async () => {
    const response = await post('{"query":');
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({ type: 'https://meridian.example/problems/malformed-body' });
  });

  it('answers 405 to GET and 404 to other paths, as problems', async () => {
    await supertest(things.url)
      .get('/graphql')
      .expect(405)
      .expect('Content-Type', 'application/problem+json');
    await supertest(things.url).get('/other').expect(404).expect('Content-Type', 'application/problem+json');
  });

  it('accepts header fields of more than 4 KB', async () => {
    await supertest(things.url)
      .post('/graphql')
      .set(
        'Authorization',
        `Bearer ${await things.token({ scopes: Array.from({ length: 500 }, (_, n) => `scope:${n}`) })}`,
      )
      .send({ query: '{ things { id } }' })
      .expect(200);
  });

  it('reads the entities of a batch together, in the order of the representations, with null for a missing one', async () => {
    const keys = ['acme 2', 'globex 1', 'acme 1', 'acme 2'].map((id) => ({ id }));
    const response = await things.entities('Thing', keys, '{ id name size }');
    expect(response).toEqual({
      data: { _entities: [thing('acme 2'), null, thing('acme 1'), thing('acme 2')] },
    });
    expect(observer.batches).toEqual([['acme 2', 'globex 1', 'acme 1']]);
  });

  it("measures each batch of a loader, whatever the names of the clients' operations", async () => {
    const counted = async (): Promise<number> =>
      Number(
        /^meridian_loader_batch_duration_seconds_count\{.*loader="thingById",outcome="success"\} (\d+)$/m.exec(
          await things.metrics(),
        )?.[1] ?? 0,
      );
    const before = await counted();
    await things.ask('query Hostile1 { thing(id: "acme 1") { id } }');
    await things.ask('query Hostile2 { thing(id: "acme 2") { id } }');
    expect([(await counted()) - before, observer.batches.length]).toEqual([2, 2]);
    expect(await things.metrics()).not.toContain('Hostile');
  });

  it('keeps the loaders of one request from the next, and of one tenant from another', async () => {
    const document = '{ thing(id: "acme 1") { id } }';
    expect(await things.ask(document)).toEqual({ data: { thing: { id: 'acme 1' } } });
    expect(await things.ask(document, {}, { tenant: 'globex' })).toEqual({ data: { thing: null } });
    expect(observer.batches).toEqual([['acme 1'], ['acme 1']]);
  });

  it.each(['{ __schema { types { name } } }', '{ __type(name: "Thing") { name } }'])(
    'refuses the introspection %s',
    async (document) => {
      const { data, errors } = await things.ask(document);
      expect(data).toBeUndefined();
      expect(errors).toMatchObject([{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }]);
    },
  );

  it('does not serve _service', async () => {
    const { data, errors } = await things.ask('{ service: _service { sdl } }');
    expect(data).toBeUndefined();
    expect(errors).toMatchObject([{ message: 'Cannot query field "_service" on type "Query".' }]);
  });

  it('suggests no fields', async () => {
    const { errors } = await things.ask('{ secre }');
    expect(errors?.[0]?.message).toBe('Cannot query field "secre" on type "Query".');
  });

  describe('to a repeated query', () => {
    it.each([
      '{ things { id size } thing(id: "acme 1") { name } }',
      'query Page { things(first: 4) { id } }',
      'query Bug { fail(how: "bug") secret }',
      'query Store { a: fail(how: "store timeout") b: fail(how: "client error") }',
      '{ _entities(representations: [{ __typename: "Thing", id: "acme 1" }]) { ... on Thing { name } } }',
    ])('answers byte for byte as the first time: %s', async (query) => {
      const first = await post(JSON.stringify({ query }));
      const second = await post(JSON.stringify({ query }));
      expect(second.text).toBe(first.text);
      expect(second.headers['content-type']).toBe(first.headers['content-type']);
    });

    it('logs the cause of a bug each time', async () => {
      const query = 'query BugTwice { fail(how: "bug") }';
      await post(JSON.stringify({ query }));
      await post(JSON.stringify({ query }));
      const lines = things.logLines.filter((line) => line.includes('"operationName":"BugTwice"'));
      expect(lines).toHaveLength(2);
    });

    it('applies the scopes of each caller', async () => {
      const document = '{ secret }';
      expect((await things.ask(document)).data).toEqual({ secret: 'secret' });
      const { data, errors } = await things.ask(document, {}, { scopes: [] });
      expect(data).toEqual({ secret: null });
      expect(errors).toMatchObject([{ extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } }]);
    });

    it.each([
      ['variables that do not fit', { variables: { first: 'x' } }, 'BAD_USER_INPUT'],
      ['an operation name that it has not', { operationName: 'Other' }, 'OPERATION_RESOLUTION_FAILURE'],
      [
        'a persisted identifier',
        { extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
        'PERSISTED_QUERY_NOT_SUPPORTED',
      ],
    ])('answers %s as it would have at first', async (_what, members, code) => {
      const query = 'query Things($first: Int) { things(first: $first) { id } }';
      await post(JSON.stringify({ query }));
      const { body } = await post(JSON.stringify({ query, ...members }));
      expect(body).toMatchObject({ errors: [{ extensions: { code } }] });
    });

    it('reads 100 media types of an Accept', async () => {
      const ask = async (count: number) =>
        await supertest(things.url)
          .post('/graphql')
          .set('Authorization', `Bearer ${await things.token()}`)
          .set('Accept', `${'a/b,'.repeat(count)}application/json`)
          .send({ query: '{ things { size } }' });
      expect((await ask(99)).status).toBe(200);
      expect((await ask(100)).status).toBe(406);
    });

    it('answers in the accepted media type', async () => {
      const requested = async () =>
        supertest(things.url)
          .post('/graphql')
          .set('Authorization', `Bearer ${await things.token()}`)
          .set('Accept', 'application/graphql-response+json')
          .send({ query: '{ things { size } }' });
      await requested();
      expect((await requested()).headers['content-type']).toMatch(/^application\/graphql-response\+json/);
    });
  });

  it.each(['Nothing', 'Guarded', 'Query', '__proto__'])(
    'refuses a representation of %s, which is not an entity of it',
    async (__typename) => {
      const { errors } = await things.entities('Thing', [{ id: 'acme 1' }, { __typename }], '{ id }');
      expect(errors).toMatchObject([{ path: ['_entities'], extensions: { code: 'BAD_USER_INPUT' } }]);
    },
  );

  // The second time, the query is known: it takes another route than the first time.
  it.each(['first', 'second'])(
    'answers null for a representation whose key is null or absent, the %s time',
    async () => {
      const keys = [{ id: 'acme 1' }, { id: null }, {}, { name: 'acme 2' }];
      expect(await things.entities('Thing', keys, '{ name }')).toEqual({
        data: { _entities: [{ name: 'thing acme 1' }, null, null, null] },
      });
    },
  );

  it.each(['first', 'second'])(
    'answers the other entities when resolving one of them rejects and another throws, the %s time',
    async () => {
      const keys = [{ id: 'rejects' }, { id: 'throws' }, { id: 'acme 1' }];
      const { data, errors } = await things.entities('Thing', keys, '{ id size }');
      expect(data).toMatchObject({ _entities: [null, null, { id: 'acme 1' }] });
      expect(errors).toHaveLength(2);
    },
  );

  describe('with @pageSize', () => {
    it.each([0, 3])('accepts its bound %i', async (first) => {
      const { data } = await things.ask('query Things($first: Int) { things(first: $first) { id } }', {
        first,
      });
      expect(data?.['things']).toHaveLength(first);
    });

    it('accepts an argument that is absent or null', async () => {
      expect(await things.ask('{ a: things { id } b: things(first: null) { id } }')).not.toHaveProperty(
        'errors',
      );
    });

    it.each([-1, 4])('refuses %i with PAGE_SIZE_LIMIT', async (first) => {
      const { data, errors } = await things.ask(`{ things(first: ${first}) { id } }`);
      expect(data).toBeNull();
      expect(errors).toMatchObject([
        {
          message: `Query.things(first:) takes 0 to 3, not ${first}`,
          extensions: { code: 'PAGE_SIZE_LIMIT' },
        },
      ]);
    });
  });

  describe('with @requiresScopes', () => {
    it.each([[['orders:read', 'orders:write']], [['accounts:read']]])('lets %j pass', async (scopes) => {
      expect(await things.ask('{ secret }', {}, { scopes })).toEqual({ data: { secret: 'secret' } });
    });

    it.each([[[]], [['orders:read']], [['orders:write', 'reviews:write']]])(
      'nulls the field with an error for %j, and leaves its siblings',
      async (scopes) => {
        const { data, errors } = await things.ask('{ secret things { id } }', {}, { scopes });
        expect(data).toMatchObject({ secret: null, things: [{ id: '0' }, { id: '1' }] });
        expect(errors).toMatchObject([
          { path: ['secret'], extensions: { code: 'UNAUTHORIZED_FIELD_OR_TYPE' } },
        ]);
      },
    );

    it('applies to a field whose type requires the scope', async () => {
      expect((await things.ask('{ guarded { value } }', {}, { scopes: [] })).data).toEqual({ guarded: null });
      expect((await things.ask('{ guarded { value } }')).data).toEqual({ guarded: { value: 'guarded' } });
    });
  });

  describe('with an error', () => {
    it.each([
      ['client error', 'THING_NOT_FOUND', 'There is no such thing'],
      ['store timeout', 'GATEWAY_TIMEOUT', 'The subgraph did not respond within its deadline'],
      ['store unavailable', 'SERVICE_UNAVAILABLE', 'The subgraph cannot reach its store'],
      [
        'outcome unknown',
        'OUTCOME_UNKNOWN',
        'The outcome of the write is unknown: read before writing again',
      ],
      ['bug', 'INTERNAL_SERVER_ERROR', 'Internal server error'],
    ])('shows a %s as %s, and nothing of its cause', async (how, code, message) => {
      const { data, errors } = await things.ask('query Fail($how: String!) { fail(how: $how) }', { how });
      expect(data).toEqual({ fail: null });
      expect(errors).toEqual([
        { message, path: ['fail'], locations: expect.anything(), extensions: { code } },
      ]);
    });

    it('logs the cause of a bug, with its request', async () => {
      await things.ask('query FindBug { fail(how: "bug") }');
      const line = things.logLines.map((text): unknown => JSON.parse(text)).find(isAboutFindBug);
      expect(line).toMatchObject({
        level: 'error',
        path: 'fail',
        requestId: expect.any(String),
        err: { message: 'select * from things where secret = 1' },
      });
    });

    it("does not log a client's mistake", async () => {
      const before = things.logLines.length;
      await things.ask('{ fail(how: "client error") things(first: 7) { id } }');
      expect(things.logLines.slice(before).filter((line) => line.includes('"level":"error"'))).toEqual([]);
    });
  });

  it('runs root mutation fields one after another, in document order', async () => {
    await things.ask('mutation Notes { b: note(text: "b") a: note(text: "a") c: note(text: "c") }');
    expect(observer.notes).toEqual(['begin b', 'end b', 'begin a', 'end a', 'begin c', 'end c']);
  });

  it('runs sibling fields concurrently', async () => {
    await things.ask('{ a: thing(id: "acme 1") { id } b: thing(id: "acme 2") { id } }');
    expect(observer.batches).toEqual([['acme 1', 'acme 2']]);
  });
});

describe('POST /graphql of a subgraph with a short deadline', () => {
  const observer: Observer = { notes: [], batches: [] };
  let things: HostedSubgraph;
  beforeAll(async () => {
    things = await hostSubgraph(createThings(observer), { requestDeadlineMs: 800 });
  });
  afterAll(() => things.stop());

  it('answers partial data at its deadline', async () => {
    const { data, errors } = await things.ask('{ slow things { id } }');
    expect(data).toMatchObject({ slow: null, things: [{ id: '0' }, { id: '1' }] });
    expect(errors).toMatchObject([{ path: ['slow'], extensions: { code: 'GATEWAY_TIMEOUT' } }]);
  });

  it('answers partial data at its deadline also for a known query', async () => {
    await things.ask('query Again { slow things { id } }');
    const { data, errors } = await things.ask('query Again { slow things { id } }');
    expect(data).toMatchObject({ slow: null, things: [{ id: '0' }, { id: '1' }] });
    expect(errors).toMatchObject([{ path: ['slow'], extensions: { code: 'GATEWAY_TIMEOUT' } }]);
  });

  it('starts no further mutation after its deadline', async () => {
    const { errors } = await things.ask('mutation Notes { a: note(text: "never ends") b: note(text: "b") }');
    expect(observer.notes).toEqual(['begin never ends', 'end never ends']);
    expect(errors).toMatchObject([{ path: ['b'], extensions: { code: 'GATEWAY_TIMEOUT' } }]);
  });

  it('aborts its resolvers when the client hangs up', async () => {
    const client = new AbortController();
    const reason = new Promise((resolve) => {
      observer.onSlow = (signal) => {
        signal.addEventListener('abort', () => resolve(signal.reason));
        client.abort();
      };
    });
    const request = fetch(`${things.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await things.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ slow }' }),
      signal: client.signal,
    });
    await expect(request).rejects.toThrow('aborted');
    await expect(reason).resolves.toMatchObject({ name: 'ClientDisconnected' });
  });
});

describe('POST /graphql of a subgraph in development', () => {
  let things: HostedSubgraph;
  beforeAll(async () => {
    things = await hostSubgraph(createThings({ notes: [], batches: [] }), { mode: 'development' });
  });
  afterAll(() => things.stop());

  it('shows its schema to any authenticated caller', async () => {
    const { data } = await things.ask('{ _service { sdl } __type(name: "Thing") { name } }');
    expect(data).toMatchObject({
      _service: { sdl: expect.stringContaining('type Thing') },
      __type: { name: 'Thing' },
    });
  });

  it('shows the message of a bug, without its stack', async () => {
    const { errors } = await things.ask('{ fail(how: "bug") }');
    expect(errors).toMatchObject([{ message: 'select * from things where secret = 1' }]);
    expect(JSON.stringify(errors)).not.toContain('fixtures');
  });
});

/** A thing as a selection of all its fields returns it. */
function thing(id: string) {
  return { id, name: `thing ${id}`, size: 'LARGE' };
}

function isAboutFindBug(line: unknown): boolean {
  return (
    typeof line === 'object' && line !== null && 'operationName' in line && line.operationName === 'FindBug'
  );
}
