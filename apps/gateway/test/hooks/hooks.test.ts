// Hooks at each stage: what they can do, and how they fail.
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import { findFreePort } from '@meridian/processes';
import { createTestIdentity, eventually, listenOnLoopback } from '@meridian/testing';

import { respondJson } from '../support/stub-subgraph.ts';
import { logged, spawnGateway } from '../support/gateway-process.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { withHooks } from './with-hooks.ts';

const gateway = useTestGateway();
const product = { query: 'query P($id: ID!) { product(id: $id) { id name } }', variables: { id: '7' } };

/** One stage's side as the code of a module. */
const at = (stage: string, side: string, body: string): string =>
  `{ ${stage}: { ${side}(message) { ${body} } } }`;

describe('Hooks', () => {
  it('pass all stages in order, with one context and their own log fields', async () => {
    const step = (name: string): string =>
      `(message) => { message.context.set('seen', [...(message.context.get('seen') ?? []), '${name}']); message.note({ seen: message.context.get('seen').length }); }`;
    const stage = (name: string): string =>
      `${name}: { request: ${step(`${name}<`)}, response: ${step(`${name}>`)} }`;
    await gateway.start(
      withHooks(`{ name: 'steps',
        router: { request: ${step('router<')}, response: (message) => { (${step('router>')})(message); message.headers.set('seen', message.context.get('seen').join(' ')); } },
        ${['supergraph', 'execution', 'subgraph'].map(stage).join()} }`),
    );
    const { body, headers } = await gateway.post(product);
    expect(body).toEqual({ data: { product: { id: '7', name: 'Product 7' } } });
    expect(headers.get('seen')).toBe(
      'router< supergraph< execution< subgraph< subgraph> execution> supergraph> router>',
    );
    expect(gateway.log.find(({ noted }) => noted !== undefined)).toMatchObject({ noted: { seen: 8 } });
  });

  it.each([
    ['router', `message.setBody((await message.readBody()).replace('"7"', '"8"'))`],
    ['supergraph', `message.variables = { id: '8' }`],
    ['supergraph', `message.variables.id = '8'`],
    ['supergraph', `message.query = message.query.replace('$id)', '8)').replace('($id: ID!)', '')`],
    ['router', `const { readBody, setBody } = message; setBody((await readBody()).replace('"7"', '"8"'))`],
  ])('change the request at %s: %s', async (stage, change) => {
    await gateway.start(withHooks(`{ ${stage}: { async request(message) { ${change} } } }`));
    expect((await gateway.post(product)).body).toEqual({ data: { product: { id: '8', name: 'Product 8' } } });
  });

  it('give an alias of a GET its operation', async () => {
    const query = new URLSearchParams({ query: 'query P { product(id: 8) { name } }' });
    await gateway.start(
      withHooks(`{ router: { request(message) {
        const { note, identify } = message;
        note({ alias: message.url.split('?')[1] });
        if (message.url.endsWith('?view=eight')) message.url = message.url.replace('view=eight', '${query.toString()}');
        return identify().then(() => undefined);
      } } }`),
    );
    const response = await fetch(`${gateway.url}?view=eight`, {
      headers: { 'X-Apollo-Operation-Name': 'P' },
    });
    expect(await response.json()).toEqual({ data: { product: { name: 'Product 8' } } });
    // A cache would keep it under another query.
    expect(response.headers.get('cache-control')).toMatch(/no-store/u);
    expect(gateway.log.find(({ noted }) => noted !== undefined)).toMatchObject({
      noted: { alias: 'view=eight' },
    });
  });

  it.each([
    ['client hangs up', '30s', 'no response'],
    ['time of a hook has passed', '200ms', '504, later signals aborted: false'],
  ])('stop what they wait for when the %s', async (why, timeout, outcome) => {
    const called = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    await using peer = await listenOnLoopback((_request, response) => {
      called.resolve();
      response.once('close', closed.resolve);
    });
    const code = `{ router: {
      request: ({ signal }) => fetch('${peer.url}', { signal }),
      response({ signal, headers }) { headers.set('x-aborted', String(signal.aborted)); },
    } }`;
    const config = `meridian: { hooks: ./hooks.ts, hook_timeout: ${timeout} }`;
    await gateway.start({ ...withHooks(code), config });
    const client = new AbortController();
    const response = gateway.send(product, {}, client.signal);
    await called.promise;
    if (why === 'client hangs up') {
      client.abort();
    }
    const ended = await response.then(
      ({ status, headers }) => `${status}, later signals aborted: ${headers.get('x-aborted')}`,
      () => 'no response',
    );
    expect(ended).toBe(outcome);
    await closed.promise;
  });

  it('change a request to a subgraph, and its response', async () => {
    await gateway.start(
      withHooks(`{ subgraph: {
        request(message) { message.headers.set('authorization', 'Bearer of-the-service'); message.body = message.body.replace('"7"', '"8"'); },
        response(message) { message.body = message.body.replace('Product', 'Thing'); } } }`),
    );
    expect((await gateway.post(product)).body.data).toEqual({ product: { id: '8', name: 'Thing 8' } });
    expect(gateway.products.received[0]?.headers.authorization).toBe('Bearer of-the-service');
  });

  it('change the result, its errors and extensions, and the whole response', async () => {
    await gateway.start(
      withHooks(`{
        supergraph: { response(message) {
          delete message.data.product.name;
          message.errors = [{ message: 'trimmed', extensions: {} }];
          message.extensions = { trimmed: 1 };
          message.headers.set('x-trimmed', 'yes');
        } },
        router: { response(message) { message.status = 203; message.body = message.body.replace('trimmed', 'cut'); } } }`),
    );
    const { status, headers, body } = await gateway.post(product, { 'Accept-Encoding': 'gzip' });
    expect([status, headers.get('x-trimmed'), body]).toEqual([
      203,
      'yes',
      {
        errors: [{ message: 'cut', extensions: {} }],
        data: { product: { id: '7' } },
        extensions: { trimmed: 1 },
      },
    ]);
  });

  it('keep numbers that a double cannot hold', async () => {
    await gateway.start(withHooks(at('supergraph', 'response', `message.data.found = message.data.time`)));
    gateway.products.misbehave((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"data":{"found":"x","time":"12345678901234567890.10"}}');
    });
    expect((await gateway.post({ query: 'query A { found time }' })).body.data).toMatchObject({
      found: '12345678901234567890.10',
    });
  });

  it('read a compressed response', async () => {
    await gateway.start(
      withHooks(at('router', 'response', `message.headers.set('x-length', String(message.body.length))`)),
    );
    const many = { query: 'query P { topProducts(first: 100) { id name price } }' };
    const { headers, body } = await gateway.post(many, { 'Accept-Encoding': 'gzip' });
    expect(headers.get('content-encoding')).toBe('gzip');
    expect(headers.get('x-length')).toBe(String(JSON.stringify(body).length));
  });

  it.each([
    ['router', 'request'],
    ['supergraph', 'request'],
    ['execution', 'request'],
  ])('end a request at %s', async (stage, side) => {
    const end = `return { status: 418, headers: { 'x-why': 'tea' }, errors: [{ message: 'short and stout', extensions: {} }] }`;
    await gateway.start(withHooks(at(stage, side, end)));
    const { status, headers, body } = await gateway.post(product);
    expect([status, headers.get('x-why'), headers.get('cache-control'), body]).toEqual([
      418,
      'tea',
      'private, no-store',
      { errors: [{ message: 'short and stout', extensions: {} }] },
    ]);
    expect(gateway.products.received).toHaveLength(0);
  });

  it.each([
    [
      '{ data: null }',
      200,
      'text/event-stream; charset=utf-8',
      'event: next\ndata: {"data":null}\n\nevent: complete\ndata:\n\n',
    ],
    [`{ body: 'x', headers: { 'content-type': 'text/plain' } }`, 200, 'text/plain', 'x'],
    ['{ errors: [] }', 400, 'application/json', '{"errors":[]}'],
  ])('end a request of a client that takes only events: %s', async (end, ...response) => {
    await gateway.start(withHooks(at('router', 'request', `return ${end}`)));
    const sent = await gateway.send(product, { Accept: 'text/event-stream' });
    expect([sent.status, sent.headers.get('content-type'), await sent.text()]).toEqual(response);
  });

  it('respond for a subgraph, whose errors are masked', async () => {
    const end = `return { data: { product: { id: '1', name: null } }, errors: [{ message: 'secret', path: ['product', 'name'] }] }`;
    await gateway.start(withHooks(at('subgraph', 'request', end)));
    const { body } = await gateway.post(product);
    expect(gateway.products.received).toHaveLength(0);
    expect(JSON.stringify(body)).not.toContain('secret');
    expect(body.errors?.[0]?.extensions.code).toBe('INTERNAL_SERVER_ERROR');
  });

  it('see all claims of a verified token', async () => {
    const identity = await createTestIdentity();
    await gateway.start(
      withHooks(
        at('supergraph', 'request', `message.note({ policies: message.caller.claims.get('policies') })`),
        `authentication: { router: { jwt: { jwks: [{ url: '${identity.jwksUrl.href}', issuers: ['${identity.issuer}'] }] } } }`,
        { env: { NODE_ENV: 'development' } },
      ),
    );
    const token = await identity.token({ policies: ['emea'] });
    await gateway.post(product, { Authorization: `Bearer ${token}` });
    await identity.close();
    expect(gateway.log.find(({ noted }) => noted !== undefined)).toMatchObject({
      noted: { policies: ['emea'] },
    });
  });

  it('see rejected requests on their way out', async () => {
    await gateway.start(
      withHooks(at('router', 'response', `message.headers.set('x-status', String(message.status))`)),
    );
    const { status, headers } = await gateway.post('{');
    expect([status, headers.get('x-status')]).toEqual([400, '400']);
  });
});

const accept = { Accept: 'multipart/mixed;deferSpec=20220824, application/json' };

describe('A hook of a response in parts', () => {
  it.each(['router', 'supergraph'])('that throws ends the deferred fetches: %s', async (stage) => {
    // Nothing else ends them.
    const patient = 'traffic_shaping: { router: { timeout: 1h }, all: { timeout: 1h } }';
    await gateway.start(withHooks(at(stage, 'response', `throw new Error('no')`), patient));
    const arrived = Promise.withResolvers<void>();
    const left = Promise.withResolvers<boolean>();
    gateway.reviews.misbehave((response) => {
      response.on('close', () => left.resolve(response.writableFinished));
      arrived.resolve();
    });
    gateway.products.misbehave(async (response) => {
      await arrived.promise;
      respondJson(response, { data: { time: 'now' } });
    });
    const query = 'query D { time ... @defer { review(id: "1") { id } } }';
    expect((await gateway.post({ query }, accept)).status).toBe(500);
    expect(await left.promise).toBe(false);
  });

  it.each(['router', 'supergraph'])('cannot change its media type: %s', async (stage) => {
    await gateway.start(
      withHooks(at(stage, 'response', `message.headers.set('content-type', 'application/json')`)),
    );
    const query = 'query D { time ... @defer { review(id: "1") { id } } }';
    expect((await gateway.post({ query }, accept)).status).toBe(500);
    expect(JSON.stringify(gateway.log)).toContain('the header field content-type cannot be changed here');
    expect((await gateway.post({ query: 'query A { time }' })).headers.get('content-type')).toBe(
      'application/json',
    );
  });
});

describe('The header fields of subgraphs', () => {
  const passedOn = (code: string): ReturnType<typeof withHooks> => {
    const started = withHooks(`{ router: { response(message) { ${code} } } }`);
    const rule = (name: string): string => `{ propagate: { named: ${name}, algorithm: append } }`;
    return {
      ...started,
      config: `meridian: { hooks: ./hooks.ts, headers: { all: { response: [${rule('set-cookie')}, ${rule('x-one')}] } } }`,
    };
  };
  const sent = { 'Set-Cookie': ['a=1', 'b=2'], 'X-One': 'p' };
  const ask = async (): Promise<Awaited<ReturnType<typeof gateway.post>>> => {
    gateway.products.misbehave((response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ...sent });
      response.end('{"data":{"time":"now"}}');
    });
    return await gateway.post({ query: 'query A { time }' });
  };

  it.each([
    [`message.headers.set('x-seen', message.headers.get('set-cookie'))`, ['a=1', 'b=2'], 'p', 'a=1, b=2'],
    [`message.headers.delete('set-cookie')`, [], 'p', null],
    [
      `for (const c of [['a, b', 'c'], ['a', 'b, c']]) message.headers.set('set-cookie', c)`,
      ['a', 'b, c'],
      'p',
      null,
    ],
    [`message.headers.set('x-one', message.headers.get('x-one') + 'q')`, ['a=1', 'b=2'], 'pq', null],
  ])('pass the hooks of the whole response: %s', async (code, cookies, one, seen) => {
    await gateway.start(passedOn(code));
    const { status, headers } = await ask();
    expect([status, headers.getSetCookie(), headers.get('x-one'), headers.get('x-seen')]).toEqual([
      200,
      cookies,
      one,
      seen,
    ]);
  });

  it('do not go out with the error of a hook', async () => {
    await gateway.start(passedOn(`throw new Error('no')`));
    const { status, headers } = await ask();
    expect([status, headers.getSetCookie(), headers.get('x-one')]).toEqual([500, [], null]);
  });
});

const everywhere = ['router', 'supergraph', 'execution', 'subgraph'].flatMap((stage) =>
  ['request', 'response'].map((side) => [stage, side] as const),
);

describe('A hook', () => {
  it.each(everywhere)(
    'that throws is a request error that names it in the log alone: %s.%s',
    async (stage, side) => {
      await gateway.start(withHooks(at(stage, side, `throw new Error('of the inside')`)));
      const { status, code, body } = await gateway.post(product);
      expect([status, code]).toEqual([500, 'INTERNAL_SERVER_ERROR']);
      expect(JSON.stringify(body)).not.toMatch(/inside|hooks/u);
      const stageName = `${stage}${side === 'request' ? 'Request' : 'Response'}`;
      expect(JSON.stringify(gateway.log)).toContain(
        `the hook ./hooks.ts failed at ${stageName}: of the inside`,
      );
    },
  );

  it.each([
    ['router', `message.context.set('a', 1)`],
    ['supergraph', '{}'],
    ['execution', '{ statusCode: 403 }'],
    ['subgraph', `Promise.resolve(['a'])`],
  ])('that returns something else than a response is a request error: %s: %s', async (stage, value) => {
    await gateway.start(withHooks(at(stage, 'request', `return ${value}`)));
    expect(await gateway.post(product)).toMatchObject({ status: 500, code: 'INTERNAL_SERVER_ERROR' });
    expect(JSON.stringify(gateway.log)).toContain('it returned a value that is not a response');
  });

  it('is awaited where it returns what has `then`, and what it returns for a response means nothing', async () => {
    const end = `({ then: (resolve) => resolve({ status: 418, data: null }) })`;
    const add = (name: string): string => `({ headers }) => { headers.set('${name}', 'b'); return headers; }`;
    await gateway.start({
      config: 'meridian: { hooks: [./hooks.ts, ./others.ts] }',
      async prepare(directory) {
        await writeFile(
          join(directory, 'hooks.ts'),
          `export default { router: { request: () => ${end}, response: ${add('x-a')} } };`,
        );
        await writeFile(
          join(directory, 'others.ts'),
          `export default { router: { response: ${add('x-b')} } };`,
        );
        return {};
      },
    });
    const { status, headers } = await gateway.post(product);
    expect([status, headers.get('x-a'), headers.get('x-b')]).toEqual([418, 'b', 'b']);
  });

  it.each([
    ['router', 'request', 'return { body: 5 }'],
    ['router', 'request', 'return { body: null }'],
    ['router', 'request', 'message.setBody({})'],
    ['router', 'request', `message.headers.set('x-a', 5)`],
    ['supergraph', 'request', 'return { body: { data: null } }'],
    ['supergraph', 'request', `return { headers: { 'x-a': 5 }, data: null }`],
    ['subgraph', 'request', 'message.body = {}'],
    ['subgraph', 'request', 'return { body: {} }'],
    ['subgraph', 'response', 'message.body = {}'],
    ['router', 'response', 'message.body = {}'],
    ['router', 'response', `message.headers.set('x-a', undefined)`],
    ['router', 'request', 'return { status: 204 }'],
    ['router', 'request', 'return { status: 601, data: null }'],
    ['router', 'request', `message.url = '/other?query={time}'`],
    ['router', 'request', `message.url += '?query={a b}'`],
    ['supergraph', 'request', 'message.variables = []'],
    ['supergraph', 'response', 'message.data = []'],
    ['execution', 'response', 'message.data = 5'],
    ['router', 'response', 'message.status = 304'],
    ['supergraph', 'request', 'message.query = null'],
    ['supergraph', 'request', 'message.operationName = 5'],
    ['supergraph', 'response', 'message.errors = undefined'],
    ['supergraph', 'response', 'message.extensions = null'],
    ['execution', 'response', 'delete message.errors'],
  ])('that breaks a rule is a request error that names it: %s.%s: %s', async (stage, side, code) => {
    await gateway.start(withHooks(at(stage, side, code)));
    expect(await gateway.post(product)).toMatchObject({ status: 500, code: 'INTERNAL_SERVER_ERROR' });
    expect(JSON.stringify(gateway.log)).toMatch(
      new RegExp(`the hook ./hooks.ts failed at ${stage}R${side.slice(1)}.*StageRuleError`, 'u'),
    );
  });

  it.each(['execution', 'supergraph', 'router'])(
    'cannot give an event another Content-Type: %s',
    async (stage) => {
      await gateway.start(
        withHooks(at(stage, 'response', `message.headers.set('content-type', 'application/json')`)),
      );
      const { status } = await gateway.send(product, { Accept: 'text/event-stream' });
      expect(status).toBe(500);
      expect(JSON.stringify(gateway.log)).toContain(`the hook ./hooks.ts failed at ${stage}Response`);
    },
  );

  it('that assigns a member without an effect throws, in sloppy code too; it can assign the others', async () => {
    // The text of a function is sloppy code, as CommonJS is.
    const code = (stage: string, side: string): string => `{
      const assign = new Function('message', 'name', 'message[name] = message[name]');
      const names = new Set(['other']);
      for (let one = message; one !== null; one = Object.getPrototypeOf(one)) {
        for (const name of Object.getOwnPropertyNames(one)) names.add(name);
      }
      message.note({ '${stage}.${side}': [...names].filter((name) => {
        try { assign(message, name); return true; } catch (error) { return error.name !== 'StageRuleError'; }
      }).toSorted() });
    }`;
    const stages = ['router', 'supergraph', 'execution', 'subgraph'].map((stage) => {
      const hooks = ['request', 'response'].map((side) => `${side}(message) ${code(stage, side)}`);
      return `${stage}: { ${hooks.join()} }`;
    });
    await gateway.start(withHooks(`{ ${stages.join()} }`));
    expect((await gateway.post(product)).body).toEqual({ data: { product: { id: '7', name: 'Product 7' } } });
    const result = ['data', 'errors', 'extensions', 'status'];
    expect(gateway.log.find(({ noted }) => noted !== undefined)?.['noted']).toEqual({
      'router.request': ['url'],
      'supergraph.request': ['extensions', 'operationName', 'query', 'variables'],
      'execution.request': [],
      'subgraph.request': ['body'],
      'subgraph.response': ['body'],
      'execution.response': result,
      'supergraph.response': result,
      'router.response': ['body', 'status'],
    });
  });

  it.each([
    ['router', 'request', `message.body = '{}'`, '`body` of the message', 'call setBody(text)'],
    [
      'subgraph',
      'request',
      `message.headers = {}`,
      '`headers` of the message',
      'call headers.set(name, value)',
    ],
    ['subgraph', 'request', `message.subgraph = 'a'`, '`subgraph` of the message', 'only body can'],
    ['execution', 'request', `message.query = ''`, '`query` of the message', 'no member can'],
    ['execution', 'response', `message.headers['x-a'] = 'b'`, 'a header field', `headers.set('x-a', value)`],
    ['subgraph', 'response', `message.sent.headers['x-a'] = 'b'`, 'Cannot add property', 'x-a'],
  ])(
    'that assigns at %s.%s what it cannot finds the way in the log: %s',
    async (stage, side, code, ...texts) => {
      await gateway.start(withHooks(at(stage, side, code)));
      expect((await gateway.post(product)).status).toBe(500);
      const line = JSON.stringify(gateway.log);
      for (const text of [`the hook ./hooks.ts failed at ${stage}`, ...texts]) {
        expect(line).toContain(text);
      }
    },
  );

  it.each([
    ...everywhere.map(([stage, side]) => [stage, side, 'new Promise(() => {})'] as const),
    ['router', 'request', '{ then() {} }'] as const,
  ])('that hangs is cut: %s.%s: %s', async (stage, side, value) => {
    await gateway.start(withHooks(at(stage, side, `return ${value}`)));
    const { status, code } = await gateway.post(product);
    expect([status, code]).toEqual([504, 'GATEWAY_TIMEOUT']);
    expect(JSON.stringify(gateway.log)).toContain('the hook ./hooks.ts at');
  });

  it.each([
    [
      '/graphql',
      `export default ${at('router', 'request', 'for (;;) {}')};`,
      'a hook blocks the event loop',
      { service: 'gateway', graph: 'shop', hooks: ['./hooks.ts at routerRequest'] },
    ],
    [
      '/partner',
      `export default ${at('router', 'request', `void Promise.reject(new Error('forgotten'))`)};`,
      'a promise was rejected that nothing awaits: a hook has to await, or catch, what it begins',
      { graph: 'partner', err: expect.objectContaining({ message: 'forgotten' }) },
    ],
    [
      '/partner',
      `setTimeout(() => void Promise.reject(new Error('forgotten')), 100); export default {};`,
      'a promise was rejected that nothing awaits: a hook has to await, or catch, what it begins',
      { graph: 'partner', err: expect.objectContaining({ message: 'forgotten' }) },
    ],
  ])(
    'that at %s does %s is logged, with its graph, while the process goes on',
    async (path, code, message, line) => {
      const shop = gateway;
      await shop.start();
      const folder = await mkdtemp(join(tmpdir(), 'meridian-hooks-'));
      await writeFile(join(folder, 'hooks.ts'), code);
      await writeFile(
        join(folder, 'router.yaml'),
        'meridian: { hooks: ./hooks.ts, graphs: { shop: {}, partner: { path: /partner } } }',
      );
      const port = await findFreePort();
      const child = spawnGateway({
        SUPERGRAPH_PATH: shop.supergraphPath,
        ROUTER_CONFIG_PATH: join(folder, 'router.yaml'),
        PORT: String(port),
      });
      try {
        const logLine = await logged(child, ({ msg, graph }) => {
          void fetch(`http://127.0.0.1:${port}${path}`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(product),
          }).catch(() => {});
          return msg === message && graph === line.graph;
        });
        expect(logLine).toMatchObject(line);
        expect(child.exitCode).toBe(null);
      } finally {
        child.kill('SIGKILL');
        await rm(folder, { recursive: true });
      }
    },
  );
});

describe('The start', () => {
  it.each([
    ['export default {{;', /hooks\.ts:1: /u],
    ['const a = 1;\nenum B { C }\nexport default {};', /hooks\.ts:2: .*enum/u],
    ['throw new Error("no flags");', /hooks\.ts:1: no flags/u],
    ['export const a = 1;', /hooks\.ts: has no default export/u],
    ['export default { ruoter: {} };', /`ruoter` is not a stage; the stages are router, supergraph/u],
    ['export default { router: { before() {} } };', /`router\.before`/u],
    ['export default { start() { throw new Error("no database"); } };', /hooks\.ts:1: no database/u],
  ])('fails for %s, and names the place', async (text, message) => {
    const prepare = async (directory: string): Promise<Record<string, string>> => {
      await writeFile(join(directory, 'hooks.ts'), text);
      return {};
    };
    await expect(gateway.start({ config: 'meridian: { hooks: [./hooks.ts] }', prepare })).rejects.toThrow(
      message,
    );
  });
});

describe('A module', () => {
  it('is stopped also where its start fails', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'meridian-stop-'));
    const stopped = join(folder, 'stopped');
    const prepare = async (directory: string): Promise<Record<string, string>> => {
      await writeFile(
        join(directory, 'hooks.ts'),
        `import { writeFileSync } from 'node:fs';
        export default { start() { throw new Error('no database'); }, stop: () => writeFileSync('${stopped}', '') };`,
      );
      return {};
    };
    try {
      await expect(gateway.start({ config: 'meridian: { hooks: [./hooks.ts] }', prepare })).rejects.toThrow(
        'no database',
      );
      expect(existsSync(stopped)).toBe(true);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('A change of a file', () => {
  it.each(['hooks', 'my 100%-hooks'])(
    'loads the hooks anew, with what they import, and keeps the old ones where the new ones fail: %s',
    async (folder) => {
      const code = `{ router: { request: () => ({ status: 200, body: text }) } }`;
      await gateway.start({
        config: `meridian: { hooks: './${folder}/hooks.ts' }`,
        async prepare(directory) {
          await mkdir(join(directory, folder));
          await writeFile(
            join(directory, folder, 'text.ts'),
            `export const text: string = '{"data":{"time":"first"}}';`,
          );
          await writeFile(
            join(directory, folder, 'hooks.ts'),
            `import { text } from './text.ts'; export default ${code};`,
          );
          return {};
        },
      });
      const time = async (): Promise<unknown> => (await gateway.post(product)).body.data?.['time'];
      expect(await time()).toBe('first');
      const file = join(dirname(gateway.configPath), folder, 'text.ts');
      await writeFile(file, 'export const text: = 1');
      await gateway.logged({ msg: 'invalid configuration rejected; keeping the previous one' });
      expect(await time()).toBe('first');
      await writeFile(file, `export const text = '{"data":{"time":"second"}}';`);
      await eventually(async () => expect(await time()).toBe('second'));
    },
  );
});
