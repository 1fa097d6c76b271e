import process from 'node:process';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { caseCount } from '@meridian/testing';
import * as fc from 'fast-check';

import { startAccounts } from '../running-accounts.ts';
import type { RunningAccounts } from '../running-accounts.ts';
import { createSender, faultOf } from './send.ts';
import type { FuzzedResponse, FuzzedRequest } from './send.ts';

// The same requests every time, so that only a change of the code changes the result. FAST_CHECK_SEED sets another
// seed.
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 1), numRuns: caseCount(150) });

/** Characters that Node's client accepts in a header field: ISO 8859-1 without controls. */
const fieldValue = fc.string({ unit: characters(0x20, 0xff, (code) => code !== 0x7f), maxLength: 60 });
/** Characters that Node's client accepts in a target. */
const targetText = fc.string({ unit: characters(0x21, 0xff), maxLength: 40 });

describe('The accounts service answers hostile input with a documented problem, never 500:', () => {
  let accounts: RunningAccounts;
  let sender: ReturnType<typeof createSender>;
  let known: { id: string; etag: string };
  beforeAll(async () => {
    accounts = await startAccounts();
    sender = createSender(accounts.url);
    known = await accounts.create({});
  });
  afterAll(async () => {
    sender.close();
    await accounts.stop();
  });

  /** Sends a request, with a token unless it has one, and returns its response, which must be correct. */
  async function responseTo(request: Partial<FuzzedRequest>): Promise<FuzzedResponse> {
    const { method = 'GET', target = `/accounts/${known.id}`, headers = {}, body } = request;
    const response = await sender.send({
      method,
      target,
      headers: { Authorization: accounts.authorizationOf(), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    expect([request, faultOf(response, method)]).toEqual([request, undefined]);
    return response;
  }

  const holds = <Value>(values: fc.Arbitrary<Value>, check: (value: Value) => Promise<void>) =>
    fc.assert(fc.asyncProperty(values, check));

  it('cursors, of which only issued ones open', async () => {
    const first = await responseTo({ target: '/accounts?limit=1' });
    const { next_cursor: cursor }: { next_cursor: string | null } = JSON.parse(first.body);
    const given = cursor ?? 'AQ';
    const edited = fc
      .tuple(fc.nat({ max: given.length }), fc.nat({ max: 2 }), fc.string({ maxLength: 3 }))
      .map(([at, removed, added]) => given.slice(0, at) + added + given.slice(at + removed));
    const sealed = fc.uint8Array({ minLength: 0, maxLength: 80 }).map((bytes) => {
      return Buffer.from([1, ...bytes]).toString('base64url');
    });
    await holds(fc.oneof(fc.string(), fc.base64String(), sealed, edited), async (text) => {
      const { status } = await responseTo({
        target: `/accounts?cursor=${encodeURIComponent(text.toWellFormed())}`,
      });
      expect(status).toBe(text === cursor ? 200 : 400);
    });
  });

  it('query strings', async () => {
    const name = fc.constantFrom('limit', 'cursor', 'account_id', 'subject', 'LIMIT', 'x', '');
    const value = fc.oneof(
      targetText,
      fc.integer().map(String),
      fc.constantFrom('%', '%ff', '%00', '1e3', '0', '-1'),
    );
    const query = fc.array(fc.tuple(name, value), { maxLength: 4 });
    await holds(
      fc.tuple(fc.constantFrom('/accounts', '/transfers', '/events'), query),
      async ([path, parameters]) => {
        const text = parameters.map(([key, text]) => `${key}=${text}`).join('&');
        expect([200, 400]).toContain((await responseTo({ target: `${path}?${text}` })).status);
      },
    );
  });

  it('paths, which are answered by their route or with 301, 400, 404 or 405', async () => {
    const part = fc.oneof(
      targetText,
      fc.constantFrom(
        'accounts',
        'transfers',
        'problems',
        '..',
        '.',
        '%2e%2e',
        '%00',
        '%2F',
        '%C3%28',
        '\\',
        '//',
        '',
      ),
    );
    const path = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    const method = fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE');
    // A message that is not HTTP is rejected before its method is known: a client that sent HEAD expects no
    // body.
    const requested = fc
      .tuple(method, path)
      .filter(([name, text]) => name !== 'HEAD' || !/[\u0080-\u00ff]/.test(text));
    await holds(requested, async ([method, target]) => {
      const { status, headers } = await responseTo({ method, target });
      // A PUT or a POST that finds its route is rejected, because something is missing.
      expect([200, 301, 400, 404, 405, 428]).toContain(status);
      // A redirect stays on this host.
      expect(status === 301 ? headers.location : '/').toMatch(/^\/(?![/\\])/);
    });
  });

  it('Accept', async () => {
    const range = fc.constantFrom(
      'application/json',
      'application/*',
      '*/*',
      'text/html',
      'application/vnd.meridian.account.v2+json',
    );
    const parameter = fc.oneof(
      fc.constantFrom(
        '',
        ';q=0',
        ';q=1',
        ';q=0.5',
        ';q=2',
        ';q',
        ';charset=utf-8',
        ';charset=latin1',
        '; Q = 0.1',
      ),
      fieldValue.map((value) => `;${value}`),
    );
    const element = fc.tuple(fc.oneof(range, fieldValue), parameter).map((parts) => parts.join(''));
    const accept = fc.oneof(
      fieldValue,
      fc.array(element, { maxLength: 5 }).map((elements) => elements.join(',')),
    );
    await holds(accept, async (Accept) => {
      expect([200, 406]).toContain((await responseTo({ headers: { Accept } })).status);
    });
  });

  it('If-None-Match, of which only the current tag gives 304', async () => {
    await holds(aroundTag(), async (template) => {
      const header = template.replaceAll('$etag', known.etag);
      const { status } = await responseTo({ headers: { 'If-None-Match': header } });
      expect([header, status]).toEqual([header, trimmed(header) === known.etag ? 304 : 200]);
    });
  });

  it('If-Match, of which only the current tag writes', async () => {
    await holds(aroundTag(), async (template) => {
      const header = template.replaceAll('$etag', known.etag);
      const { status, headers } = await responseTo({
        method: 'PUT',
        headers: { 'If-Match': header, 'Content-Type': 'application/json' },
        body: '{"balance_minor_units":1}',
      });
      const expected = trimmed(header) === known.etag ? 200 : trimmed(header) === '' ? 428 : 412;
      expect([header, status]).toEqual([header, expected]);
      if (status === 200) {
        known = { ...known, etag: headers.etag ?? '' };
      }
    });
  });

  it('URLs of webhooks, of which no address inside is taken', async () => {
    const host = fc.oneof(
      fc.ipV4Extended(),
      fc.ipV6().map((address) => `[${address}]`),
      fc.constantFrom('10.', '127.', '192.168.', '169.254.').map((start) => `${start}1`),
      fc.domain(),
    );
    const url = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.webUrl({ withQueryParameters: true, validSchemes: ['http', 'https', 'ftp'] }),
      fc
        .tuple(fc.constantFrom('https://', 'https:', 'HTTPS:\\\\', 'https://a@'), host)
        .map((parts) => parts.join('')),
    );
    await holds(url, async (text) => {
      const { status } = await responseTo({
        method: 'POST',
        target: '/webhooks',
        body: JSON.stringify({ url: text }),
      });
      // 409: there are a hundred.
      expect([201, 400, 409, 422]).toContain(status);
      const isInside = /^https:\/\/(?:10|192\.168|169\.254)\.\d+$/u.test(text);
      expect(isInside && status === 201).toBe(false);
    });
  });

  it('bodies and their declared media types', async () => {
    const member = fc.constantFrom('balance_minor_units', 'id', 'balance', '__proto__', 'constructor', '');
    const value = fc.oneof(fc.jsonValue(), fc.bigInt(), fc.constantFrom(-0, 1.5, 2n ** 63n));
    const object = fc
      .array(fc.tuple(member, value), { maxLength: 3 })
      .map(
        (members) =>
          `{${members
            .map(([key, item]) => `"${key}":${typeof item === 'bigint' ? item : JSON.stringify(item)}`)
            .join(',')}}`,
      );
    const body = fc.oneof(fc.json(), object, fc.string({ unit: 'binary' }), fc.uint8Array({ maxLength: 40 }));
    const type = fc.oneof(
      fc.constantFrom('application/json', 'application/json; charset=x', 'text/plain', ''),
      fieldValue,
    );
    const target = fc.constantFrom('/accounts', `/accounts/${known.id}`, `/accounts/${known.id}/transfers`);
    await holds(fc.tuple(target, type, body), async ([target, declared, body]) => {
      const isWrite = target === `/accounts/${known.id}`;
      const { status } = await responseTo({
        method: isWrite ? 'PUT' : 'POST',
        target,
        headers: { 'Content-Type': declared, ...(isWrite ? { 'If-Match': '"x"' } : {}) },
        body,
      });
      expect([201, 400, 409, 412, 415, 422]).toContain(status);
    });
  });

  it('Authorization and Idempotency-Key', async () => {
    const scheme = fc.constantFrom('Bearer ', 'bearer', 'Basic ', '', 'Bearer eyJhbGciOiJub25lIn0.');
    await holds(fc.tuple(scheme, fieldValue, fieldValue), async ([prefix, token, key]) => {
      const refused = await responseTo({ headers: { Authorization: prefix + token } });
      expect(refused.status).toBe(401);
      const created = await responseTo({
        method: 'POST',
        target: '/accounts',
        headers: { 'Idempotency-Key': key },
        body: '{"balance_minor_units":1}',
      });
      expect([201, 400]).toContain(created.status);
    });
  });
});

/** Variations of a field value with an entity tag; the test replaces `$etag`. */
function aroundTag(): fc.Arbitrary<string> {
  const piece = fc.constantFrom('$etag', '"another"', 'W/', '*', ',', ' ', '"', '""', 'é');
  return fc.oneof(
    fieldValue.map((value) => value.replaceAll('$', '')),
    fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('')),
  );
}

/** Removes the blanks around a field's value (RFC 9110 §5.5); `trim` removes more. */
function trimmed(value: string): string {
  return value.replaceAll(/^[ \t]+|[ \t]+$/g, '');
}

function characters(from: number, to: number, isMeant: (code: number) => boolean = () => true) {
  return fc
    .integer({ min: from, max: to })
    .filter(isMeant)
    .map((code) => String.fromCharCode(code));
}
