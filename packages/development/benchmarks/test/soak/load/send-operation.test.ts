import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoopbackServer } from '@meridian/testing';
import { listenOnLoopback } from '@meridian/testing';

import type { Outage } from '../../../src/soak/events/outages.ts';
import { Outages } from '../../../src/soak/events/outages.ts';
import type { ExpectedOperation } from '../../../src/soak/load/send-operation.ts';
import { sendOperation } from '../../../src/soak/load/send-operation.ts';
import { createPace } from '../../../src/soak/load/session.ts';
import { Sender } from '../../../src/soak/load/http-sender.ts';
import { Tally } from '../../../src/soak/load/tally.ts';
import { demoTenants } from '../../../src/soak/load/tenant.ts';
import { TenantIsolation } from '../../../src/soak/load/tenant-isolation.ts';

const [acme, globex] = demoTenants();
if (acme === undefined || globex === undefined) {
  throw new Error('There are two tenants');
}

const isolation = new TenantIsolation([acme, globex]);

/** Plays the gateway. */
let server: LoopbackServer;
let sender: Sender;
let httpResponse: { status?: number; headers?: Record<string, string>; body: object };
let outages: Outages;
let tally: Tally;

beforeAll(async () => {
  server = await listenOnLoopback((_request, response) => {
    const { status = 200, headers = {}, body } = httpResponse;
    response.writeHead(status, { 'apollo-trace-id': 'some', ...headers }).end(JSON.stringify(body));
  });
  sender = new Sender(() => undefined);
});
afterAll(async () => {
  await sender.close();
  await server.close();
});
beforeEach(() => {
  outages = new Outages();
  tally = new Tally();
});

const right = { me: { id: 'u1', name: 'Alice Adler' } };

/** Sends what only users responds to, by default. */
async function send(how: Pick<Partial<ExpectedOperation>, 'method' | 'operation'> = {}): Promise<unknown> {
  const gateway = new URL(server.url);
  const load = {
    sender,
    pace: createPace(1000),
    outages,
    tally,
    isolation,
    targets: { gateway, accounts: gateway, orders: gateway },
    identifierOf: () => 'an identifier',
    signal: new AbortController().signal,
  };
  const session = { load, tenant: acme, otherTenant: globex, index: 0, token: 't', tokenWithoutScopes: 't' };
  return await sendOperation(session as Parameters<typeof sendOperation>[0], {
    operation: 'Me',
    expected: right,
    ...how,
  });
}

const failed = (code: string, data: object | null = { me: null }) => ({
  data,
  errors: [{ extensions: { code } }],
});

describe('A response in a soak', () => {
  it('is right when it is as expected', async () => {
    httpResponse = { body: { data: right } };
    await expect(send()).resolves.toEqual(right);
    expect(tally.totals()).toMatchObject({ right: 1, partial: 0, faults: new Map() });
  });

  it.each<[Outage['kind'], string]>([
    ['killed', 'SUBREQUEST_HTTP_ERROR'],
    ['stopped', 'SUBREQUEST_HTTP_ERROR'],
    ['hung', 'GATEWAY_TIMEOUT'],
  ])('may be partial while a service that it needs is %s, with %s', async (kind, code) => {
    outages.begin('users', kind);
    httpResponse = { body: failed(code) };
    await expect(send()).resolves.toBeUndefined();
    expect(tally.totals()).toMatchObject({ right: 1, partial: 1, faults: new Map() });
  });

  it('may lack a review that could not be checked while products is away, with SERVICE_UNAVAILABLE', async () => {
    outages.begin('products', 'hung');
    httpResponse = { body: failed('SERVICE_UNAVAILABLE') };
    await expect(send({ operation: 'AddReview' })).resolves.toBeUndefined();
    expect(tally.totals()).toMatchObject({ right: 1, partial: 1, faults: new Map() });
  });

  it.each<[string, typeof httpResponse, { service?: string; method?: 'GET' }, RegExp]>([
    [
      'something else',
      { body: { data: { me: { id: 'u2', name: 'Alice Adler' } } } },
      {},
      /data\.me\.id is "u2"/,
    ],
    [
      'null without an error',
      { body: { data: { me: null } } },
      { service: 'users' },
      /data\.me is not an object/,
    ],
    [
      'partial with every service there',
      { body: failed('SUBREQUEST_HTTP_ERROR') },
      {},
      /every service that it needs/,
    ],
    [
      'partial for a service that it does not need',
      { body: failed('SUBREQUEST_HTTP_ERROR') },
      { service: 'orders' },
      /every service/,
    ],
    [
      'partial with another code',
      { body: failed('INTERNAL_SERVER_ERROR') },
      { service: 'users' },
      /INTERNAL_SERVER_ERROR with users killed/,
    ],
    [
      'wrong in its partial data',
      { body: failed('SUBREQUEST_HTTP_ERROR', { me: { id: 'u2', name: null } }) },
      { service: 'users' },
      /"u2" instead of "u1" in a partial/,
    ],
    ['a status other than 200', { status: 503, body: {} }, { service: 'users' }, /status 503/],
    [
      'for anybody to keep',
      { body: { data: right }, headers: { 'cache-control': 'max-age=60' } },
      { method: 'GET' },
      /Cache-Control: max-age=60/,
    ],
    [
      'for others to keep though it is partial',
      { body: failed('SUBREQUEST_HTTP_ERROR'), headers: { 'cache-control': 'private, max-age=60' } },
      { service: 'users', method: 'GET' },
      /of a partial response/,
    ],
    [
      'without a trace id',
      { body: { data: right }, headers: { 'apollo-trace-id': '' } },
      {},
      /no apollo-trace-id/,
    ],
    [
      "another tenant's",
      { body: { data: { me: { id: globex.orders[0]?.id } } } },
      {},
      /acme was shown \S+, which is of globex/,
    ],
  ])('is a fault when it is %s', async (_case, given, { service, ...how }, fault) => {
    if (service !== undefined) {
      outages.begin(service, 'killed');
    }
    httpResponse = given;
    await send(how);
    expect([...tally.totals().faults.keys()]).toContainEqual(expect.stringMatching(fault));
  });
});
