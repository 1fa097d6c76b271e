// Uploads under way: slow, hanging and aborted ones, and subgraphs that do not read them.
import { once } from 'node:events';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as requestPlainly } from 'node:http';
import { connect, createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSelfSignedCertificate, eventually } from '@meridian/testing';

import type { TestGatewayOptions } from '../support/test-gateway.ts';
import { useTestGateway } from '../support/use-test-gateway.ts';
import { useInSuite } from '../support/use-in-suite.ts';
import { form, formHeaders, operation, store } from './form.ts';
import type { Misbehaviour } from './upload-subgraphs.ts';
import { startUploadSubgraphs } from './upload-subgraphs.ts';

const gateway = useTestGateway();
const subgraphs = useInSuite(startUploadSubgraphs);

afterEach(() => {
  subgraphs.received.length = 0;
  subgraphs.misbehave(undefined);
});

async function start(rest = '', options: TestGatewayOptions = {}): Promise<void> {
  const config = `
preview_file_uploads:
  enabled: true
  protocols: { multipart: { limits: { max_file_size: 1GB${rest.startsWith(',') ? rest : ''} } } }
${rest.startsWith(',') ? '' : rest}`;
  await gateway.start({ ...options, config, prepare: (directory) => subgraphs.prepare(directory) });
}

/** Everything before the bytes of a file, and everything after them. */
const whole = form(operation(store, { file: null }, { 0: ['variables.file'] }, ['0', '|', 'a.bin']));
const beginning = whole.subarray(0, whole.indexOf('|\r\n'));
const end = whole.subarray(whole.indexOf('|\r\n') + 1);

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
afterAll(() => agent.destroy());

function open(headers: Readonly<Record<string, string>> = {}): ClientRequest {
  return requestPlainly(gateway.url, { method: 'POST', agent, headers: { ...formHeaders, ...headers } });
}

async function responseTo(request: ClientRequest): Promise<{ status: number | undefined; body: string }> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: await text(response) };
}

/** Lets the subgraph read and not respond. Resolves when its next request has ended: true for a complete one. */
function whenClosed(): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  subgraphs.misbehave((request) => {
    request.resume();
    request.on('close', () => resolve(request.complete));
  });
  return promise;
}

/** Responds at once, without a look at the request. */
const respondEarly: Misbehaviour = (_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end('{"data":{"store":{"name":"early","mediaType":"","bytes":0,"sha256":""}}}');
};

describe('An upload under way', () => {
  it('is read no faster than the subgraph reads it, and reaches it whole', async () => {
    await start();
    const go = Promise.withResolvers<void>();
    let receivedBytes = 0;
    const readLate = async (...[request, response]: Parameters<Misbehaviour>): Promise<void> => {
      await go.promise;
      for await (const chunk of request) {
        receivedBytes += (chunk as Buffer).length;
      }
      respondEarly(request, response);
    };
    subgraphs.misbehave((request, response) => void readLate(request, response));
    const chunk = Buffer.alloc(1_000_000);
    const chunks = 100;
    const request = open();
    const response = responseTo(request);
    let sent = 0;
    const sending = (async () => {
      request.write(beginning);
      for (; sent < chunks; sent += 1) {
        if (!request.write(chunk)) {
          await once(request, 'drain');
        }
      }
      request.end(end);
    })();
    await eventually(() => expect(subgraphs.received).toHaveLength(1));
    let before = -1;
    await eventually(() => {
      const isStalled = before === sent;
      before = sent;
      expect(isStalled).toBe(true);
    });
    // The buffers of two connections, of this process and of the system.
    expect(sent).toBeLessThan(40);
    go.resolve();
    await sending;
    expect((await response).status).toBe(200);
    expect(receivedBytes).toBeGreaterThan(chunks * chunk.length);
  });

  it('ends for the subgraph when the client leaves, and the gateway serves on', async () => {
    await start();
    const isComplete = whenClosed();
    const request = open();
    request.on('error', () => {});
    request.write(beginning);
    request.write('some');
    await eventually(() => expect(subgraphs.received).toHaveLength(1));
    request.destroy();
    expect(await isComplete).toBe(false);
    await eventually(() => expect(gateway.log.some((line) => line['status'] === 499)).toBe(true));
    subgraphs.misbehave(undefined);
    const next = open();
    next.end(whole);
    expect((await responseTo(next)).status).toBe(200);
  });

  it.each([
    ['the rest of a file', 'traffic_shaping: { router: { timeout: 1s } }', beginning, 408, 'REQUEST_TIMEOUT'],
    [
      'the operation',
      'traffic_shaping: { router: { timeout: 1s } }',
      Buffer.from('--x\r\n'),
      408,
      'REQUEST_TIMEOUT',
    ],
    ['the operation', ', operation_body_timeout: 300ms', Buffer.from('--x\r\n'), 408, 'REQUEST_TIMEOUT'],
  ])('that never brings %s ends (%s)', async (_, config, sent, status, code) => {
    await start(config);
    const request = open();
    request.write(sent);
    const response = await responseTo(request);
    expect(response.status).toBe(status);
    expect(response.body).toContain(code);
    request.destroy();
  });

  it.each([
    ['little', 'on the same connection', 100_000, true],
    ['much', 'on a new one', 20_000_000, false],
  ])(
    'of which the subgraph leaves %s unread gets its response, and the next request %s',
    async (_, __, bytes, isKept) => {
      await start();
      subgraphs.misbehave(respondEarly);
      const request = open({ 'content-length': String(beginning.length + bytes + end.length) });
      const response = responseTo(request);
      request.on('error', () => {});
      request.write(beginning);
      expect(await response).toMatchObject({ status: 200, body: expect.stringContaining('early') });
      request.write(Buffer.alloc(bytes));
      request.end(end);
      await eventually(() =>
        expect(request.socket?.destroyed === true || request.writableFinished).toBe(true),
      );
      subgraphs.misbehave(undefined);
      const next = open();
      next.end(whole);
      expect((await responseTo(next)).body).toContain('a.bin');
      expect(next.reusedSocket).toBe(isKept);
    },
  );

  it('of which the subgraph reads nothing gets its response also when all of it is sent at once', async () => {
    await start();
    subgraphs.misbehave(respondEarly);
    const body = new Uint8Array(Buffer.concat([beginning, Buffer.alloc(10_000_000), end]));
    for (let index = 0; index < 5; index += 1) {
      const response = await fetch(gateway.url, { method: 'POST', headers: formHeaders, body });
      expect(await response.text()).toContain('early');
    }
  });

  it('that its client sends slowly does not open the circuit of the subgraph, one that the subgraph keeps does', async () => {
    await start(`
traffic_shaping: { subgraphs: { files: { timeout: 300ms } } }
circuit_breaker: { subgraphs: { files: { consecutive_failures: 2, open_duration: 1m } } }`);
    const codeOf = async (sent: Buffer): Promise<unknown> => {
      const request = open({ 'content-length': String(whole.length) });
      request.on('error', () => {});
      request.write(sent);
      const { body } = await responseTo(request);
      request.destroy();
      return JSON.parse(body).errors?.[0].extensions.code;
    };
    for (const sent of [beginning, beginning, beginning]) {
      expect(await codeOf(sent)).toBe('GATEWAY_TIMEOUT');
    }
    expect(await codeOf(whole)).toBeUndefined();
    subgraphs.misbehave(() => {});
    expect(await codeOf(whole)).toBe('GATEWAY_TIMEOUT');
    expect(await codeOf(whole)).toBe('GATEWAY_TIMEOUT');
    expect(await codeOf(whole)).toBe('REQUEST_CIRCUIT_BREAKER_OPEN');
  });

  it('that its subgraph leaves early lets later files through, to another subgraph', async () => {
    await start();
    subgraphs.misbehave(respondEarly);
    const query =
      'mutation Test($file: Upload!, $next: Upload!) { store(file: $file) { name } archive(file: $next) }';
    const map = { 0: ['variables.file'], 1: ['variables.next'] };
    const large = Buffer.alloc(3_000_000);
    const request = open();
    request.end(
      form(operation(query, { file: null, next: null }, map, ['0', large, 'a'], ['1', 'x', 'next'])),
    );
    expect(JSON.parse((await responseTo(request)).body)).toEqual({
      data: { store: { name: 'early' }, archive: 'next' },
    });
  });

  it('that is forged counts against its peer, and one to another path is not found', async () => {
    await start('traffic_shaping: { router: { global_rate_limit: { capacity: 3, interval: 1h } } }');
    const post = async (path: string): Promise<number> => {
      const headers = { 'content-type': formHeaders['content-type'] };
      const body = new Uint8Array(whole);
      return (await fetch(new URL(path, gateway.url), { method: 'POST', headers, body })).status;
    };
    expect(await post('/other')).toBe(404);
    const statuses = [];
    for (let index = 0; index < 4; index += 1) {
      statuses.push(await post('/graphql'));
    }
    expect(statuses).toEqual([400, 400, 400, 429]);
  });

  it('that is rejected before its body leaves the connection usable', async () => {
    await start('authorization: { require_authentication: false }');
    for (const headers of [{ 'apollo-require-preflight': '' }, { accept: 'text/html' }]) {
      const rejected = open({ ...headers, 'content-length': String(whole.length + 300_000) });
      const response = responseTo(rejected);
      rejected.write(whole.subarray(0, 20));
      expect((await response).status).toBeGreaterThanOrEqual(400);
      rejected.end(Buffer.concat([whole.subarray(20), Buffer.alloc(300_000)]));
      const next = open();
      next.end(whole);
      expect((await responseTo(next)).status).toBe(200);
    }
  });

  it('with too large a file ends for the subgraph too', async () => {
    await gateway.start({
      config: 'preview_file_uploads: { enabled: true }',
      prepare: (directory) => subgraphs.prepare(directory),
    });
    const isComplete = whenClosed();
    const request = open();
    request.on('error', () => {});
    const response = responseTo(request);
    request.write(beginning);
    request.write(Buffer.alloc(1_000_001));
    expect(await response).toMatchObject({
      status: 413,
      body: expect.stringContaining('FILE_UPLOADS_LIMITS_MAX_FILE_SIZE_EXCEEDED'),
    });
    expect(await isComplete).toBe(false);
    request.destroy();
  });
});

describe('An upload over HTTP/2', () => {
  it('arrives; others on its connection go on when it is aborted, rejected, or not read', async () => {
    const { cert, key } = createSelfSignedCertificate();
    await start('', { tls: { certificate: cert, key } });
    const session = connect(gateway.url.replace('http:', 'https:'), { rejectUnauthorized: false });
    const openStream = (headers: Readonly<Record<string, string>> = {}) =>
      session.request({ ':method': 'POST', ':path': '/graphql', ...formHeaders, ...headers });
    const upload = async (body: Buffer): Promise<string> => {
      const stream = openStream();
      stream.end(body);
      return await text(stream);
    };
    const large = Buffer.concat([beginning, Buffer.alloc(3_000_000), end]);
    expect(await upload(large)).toContain('"bytes":3000000');

    const isComplete = whenClosed();
    const aborted = openStream();
    aborted.on('error', () => {});
    aborted.write(large.subarray(0, 500_000));
    await eventually(() => expect(subgraphs.received).toHaveLength(2));
    aborted.close(8);
    expect(await isComplete).toBe(false);

    subgraphs.misbehave(respondEarly);
    expect(await upload(large)).toContain('early');
    subgraphs.misbehave(undefined);
    const forged = openStream({ 'apollo-require-preflight': '' });
    forged.end(large);
    expect(await text(forged)).toContain('forgery');
    expect(await upload(whole)).toContain('"bytes":1');
    session.close();
  });
});

describe('An upload to a subgraph that speaks HTTP/2', () => {
  const { cert, key } = createSelfSignedCertificate();
  const authorities = getCACertificates();
  beforeAll(() => setDefaultCACertificates([...authorities, cert]));
  afterAll(() => setDefaultCACertificates(authorities));

  it('goes over HTTP/1.1, and ends there when the client leaves or a file is missing', async () => {
    const versions: string[] = [];
    const server = createSecureServer({ cert, key, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      subgraphs.serveFiles(request as never, response as never);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await start(`
override_subgraph_url: { files: "https://127.0.0.1:${port}" }
traffic_shaping: { subgraphs: { files: { experimental_http2: enable } } }`);
    expect((await gateway.post({ query: 'query Test { greeting }' })).body.data).toEqual({
      greeting: 'hello',
    });
    const upload = open();
    upload.end(Buffer.concat([beginning, Buffer.alloc(3_000_000), end]));
    expect((await responseTo(upload)).body).toContain('"bytes":3000000');
    const missing = open();
    missing.end(form(operation(store, { file: null }, { 0: ['variables.file'] })));
    expect((await responseTo(missing)).body).toContain('Missing files');

    const isComplete = whenClosed();
    const leaving = open();
    leaving.on('error', () => {});
    leaving.write(beginning);
    await eventually(() => expect(versions).toHaveLength(4));
    leaving.destroy();
    expect(await isComplete).toBe(false);
    expect(versions).toEqual(['2.0', '1.1', '1.1', '1.1']);
    await gateway.close();
    server.close();
  });

  it('only is refused, with the reason', async () => {
    await start('traffic_shaping: { subgraphs: { files: { experimental_http2: http2only } } }');
    const request = open();
    request.end(whole);
    expect((await responseTo(request)).body).toContain('SUBREQUEST_HTTP_ERROR');
    expect(JSON.stringify(gateway.log)).toContain('a request with files needs HTTP/1.1');
    expect(subgraphs.received).toEqual([]);
  });
});
