// Two gateways and two replicas of each service, behind the HAProxy of deploy/haproxy, with Redis and PgBouncer: they
// are one service to clients, count together, and restart under load without a failed request.
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { withClient } from '../../../packages/services/database/src/with-client.ts';
import { paste } from '../../../packages/development/local-stack/test/e2e/paste.ts';
import { tryIt } from '../../../packages/development/local-stack/src/try-it/try-it.ts';
import { readServices } from '../../../packages/development/local-stack/src/apps/services.ts';
import { pathOf } from '../graph/shipped-subgraphs.ts';
import { startReplicatedStack } from './replicated-stack.ts';
import type { ReplicatedStack } from './replicated-stack.ts';

const services = readServices();

/** More than the load takes, and as much as a tenant uses up in some hundred requests. */
const costPerHour = 200_000;
const clientCount = 4;
/** Between two requests of a client, so that the machine has time for processes that start. */
const pauseMs = 20;

let stack: ReplicatedStack;
beforeAll(async () => {
  stack = await startReplicatedStack(costPerHour);
});
afterAll(() => stack.close());

interface Caller {
  readonly tenant?: string;
  readonly subject?: string;
}

async function send(
  service: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body = null,
    caller = {},
  }: {
    method?: string;
    headers?: Readonly<Record<string, string>>;
    body?: string | null;
    caller?: Caller;
  } = {},
) {
  const token = await stack.identity.token(caller);
  const response = await fetch(stack.urlOf(service) + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      ...(body !== null && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body,
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text };
}

const ask = (query: string, caller?: Caller) =>
  send('gateway', '/graphql', {
    method: 'POST',
    headers: { 'apollographql-client-name': 'replicas', 'meridian-include-cost': 'true' },
    body: JSON.stringify({ query }),
    ...(caller && { caller }),
  });

/** The requests that each gateway has had on its public listener. */
async function requestsByGateway(): Promise<number[]> {
  const counts = [1, 2].map(async (replica) => {
    const metrics = await (await fetch(`${stack.adminUrlOf('gateway', replica)}/metrics`)).text();
    const lines = metrics.matchAll(/^http_server_request_duration_seconds_count\{[^\n]*\} (?<count>\d+)$/gmu);
    return lines.reduce((sum, { groups }) => sum + Number(groups?.['count']), 0);
  });
  return await Promise.all(counts);
}

describe('Two replicas of everything', () => {
  it("run the newcomer's commands", async () => {
    const manifest: { readonly operations: readonly { readonly id: string; readonly name: string }[] } =
      JSON.parse(await readFile(pathOf('persisted-queries.json'), 'utf8'));
    const lines = tryIt({
      token: await stack.identity.token(),
      tokenTtlHours: 1,
      accountsUrl: stack.urlOf('accounts'),
      accountId: 'savings',
      graphUrl: `${stack.urlOf('gateway')}/graphql`,
      queryIdentifier: manifest.operations.findLast(({ name }) => name === 'TopProducts')?.id ?? '',
    });
    const { code, output } = await paste(lines.join('\n'));
    expect(output.match(/HTTP\/1\.1 \d+/gu)).toEqual(
      [201, 304, 200, 200, 200].map((status) => `HTTP/1.1 ${status}`),
    );
    expect(code).toBe(0);
  });

  it("keep a tenant's data from another tenant, whichever replica responds", async () => {
    for (let time = 0; time < 4; time += 1) {
      expect((await send('accounts', '/accounts/savings')).status).toBe(200);
      expect((await send('accounts', '/accounts/savings', { caller: { tenant: 'globex' } })).status).toBe(
        404,
      );
    }
    const query = 'query Top { topProducts(first: 20) { id } }';
    const identifiersOf = async (tenant: string): Promise<string[]> =>
      (await ask(query, { tenant })).body.match(/[0-9a-f-]{36}/gu) ?? [];
    const own = await identifiersOf('acme');
    expect(own.length).toBeGreaterThan(5);
    for (let time = 0; time < 4; time += 1) {
      const others = await identifiersOf('globex');
      expect(others.length).toBeGreaterThan(5);
      expect(others.filter((id) => own.includes(id))).toEqual([]);
    }
  });

  it('run a transfer once for ten requests with one Idempotency-Key', async () => {
    const account = (id: string, balance: number) =>
      send('accounts', '/accounts', {
        method: 'POST',
        body: JSON.stringify({ id, balance_minor_units: balance }),
      });
    await account('giver', 1000);
    await account('taker', 0);
    const requests = Array.from({ length: 10 }, () =>
      send('accounts', '/accounts/giver/transfers', {
        method: 'POST',
        headers: { 'Idempotency-Key': 'once-for-all' },
        body: JSON.stringify({ to_account_id: 'taker', amount_minor_units: 10 }),
      }),
    );
    const responses = await Promise.all(requests);
    expect(new Set(responses.map(({ status }) => status).filter((status) => status !== 409))).toEqual(
      new Set([201]),
    );
    expect(JSON.parse((await send('accounts', '/accounts/taker')).body)).toMatchObject({
      balance_minor_units: 10,
    });
  });

  it("count one tenant's cost together, and its neighbour's apart", async () => {
    const caller = { tenant: 'initech' };
    const products = 'topProducts(first: 50) { id reviews(first: 5) { id } }';
    const query = `query Metered { a: ${products} b: ${products} c: ${products} d: ${products} e: ${products} }`;
    const before = await requestsByGateway();
    const startedMs = performance.now();
    let accepted = 0;
    let cost = 0;
    for (;;) {
      const { status, headers } = await ask(query, caller);
      if (status === 429) {
        break;
      }
      expect(status).toBe(200);
      cost = Number(headers.get('Meridian-Cost-Estimated'));
      accepted += 1;
    }
    expect(cost).toBeGreaterThan(1000);
    // The part of the hour that has passed is given back.
    const refilled = (costPerHour * (performance.now() - startedMs)) / 3_600_000;
    expect(accepted).toBeGreaterThanOrEqual(Math.floor(costPerHour / cost));
    expect(accepted).toBeLessThanOrEqual(Math.floor((costPerHour + refilled) / cost));
    const after = await requestsByGateway();
    for (const [index, count] of after.entries()) {
      expect(count).toBeGreaterThan(before[index] ?? 0);
    }
    expect((await ask(query, { tenant: 'globex' })).status).toBe(200);
  });

  it('fail no request while each is restarted under load, lose no write, and record each use once', async () => {
    const outcomes = new Map<string, number>();
    const load = new AbortController();
    let graphRequests = 0;
    const note = (what: string): void => void outcomes.set(what, (outcomes.get(what) ?? 0) + 1);

    /** A client, which never sends a request again. */
    async function writeAndRead(client: number): Promise<number> {
      const path = `/accounts/client-${client}`;
      const attempt = async (name: string, call: () => ReturnType<typeof send>) => {
        const response = await call().catch((error: unknown) => String(error));
        note(`${name} ${typeof response === 'string' ? response : response.status}`);
        return typeof response === 'string' ? undefined : response;
      };
      const created = await attempt('POST', () =>
        send('accounts', '/accounts', {
          method: 'POST',
          body: JSON.stringify({ id: `client-${client}`, balance_minor_units: 0 }),
        }),
      );
      let etag = created?.headers.get('etag') ?? '';
      let written = 0;
      while (!load.signal.aborted) {
        await delay(pauseMs);
        const put = await attempt('PUT', () =>
          send('accounts', path, {
            method: 'PUT',
            headers: { 'If-Match': etag },
            body: JSON.stringify({ balance_minor_units: written + 1 }),
          }),
        );
        written += put?.status === 200 ? 1 : 0;
        etag = put?.headers.get('etag') ?? '';
        await attempt('GET orders', () => send('orders', '/openapi.json'));
        graphRequests += 1;
        const graph = await attempt('graph', () =>
          ask('query Load { me { id } topProducts(first: 1) { averageRating } }'),
        );
        if (graph?.body.includes('"errors"') !== false) {
          note(`graph: ${graph?.body.replaceAll(/"traceId":"\w+"/gu, '')}`);
        }
      }
      return written;
    }

    const clients = Array.from({ length: clientCount }, (_, client) => writeAndRead(client));
    const codes = [...(await stack.restart(1)), ...(await stack.restart(2))];
    load.abort();
    const writes = await Promise.all(clients);

    expect(codes).toEqual(services.flatMap(() => [0, 0]));
    expect([...outcomes.keys()].toSorted()).toEqual(['GET orders 200', 'POST 201', 'PUT 200', 'graph 200']);
    for (const [client, written] of writes.entries()) {
      expect(written).toBeGreaterThan(0);
      expect(JSON.parse((await send('accounts', `/accounts/client-${client}`)).body)).toMatchObject({
        balance_minor_units: written,
      });
    }
    // A gateway writes the counts that it has when it stops, and when its metrics are read.
    await requestsByGateway();
    const [{ requests } = { requests: '' }] = await withClient(
      stack.databaseOf('gateway').adminUrl,
      async (client) =>
        (
          await client.query<{ requests: string }>(
            `select sum(requests) as requests from operation_usage join operations on id = operation_id
            where name = 'Load' and client_name = 'replicas'`,
          )
        ).rows,
    );
    expect(Number(requests)).toBe(graphRequests);
  });
});
