import { once } from 'node:events';
import { connect } from 'node:net';

import { afterEach, describe, expect, it } from '@jest/globals';

import { startAccounts } from './running-accounts.ts';
import type { RunningAccounts } from './running-accounts.ts';

describe('A tenant', () => {
  let accounts: RunningAccounts;
  afterEach(() => accounts.stop());

  /** The statuses of reads by globex, one after another. */
  async function readAsGlobex(id: string, times: number): Promise<Set<number>> {
    const statuses = new Set<number>();
    for (let read = 0; read < times; read += 1) {
      const { status } = await accounts.client({ tenant: 'globex' }).get(`/accounts/${id}`);
      statuses.add(status);
    }
    return statuses;
  }

  it('gets responses while another tenant sends thousands of pipelined requests', async () => {
    accounts = await startAccounts({ requestDeadlineMs: 10_000 });
    const { id } = await accounts.create({ tenant: 'globex' });
    await Promise.all(Array.from({ length: 100 }, () => accounts.create({})));

    const { hostname, port } = new URL(accounts.url);
    const request = `GET /accounts?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: ${accounts.authorizationOf()}\r\n\r\n`;
    const statuses = new Map<string, number>();
    const over = new AbortController();
    const makeNoise = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const socket = connect(Number(port), hostname);
        socket.on('data', (chunk: Buffer) => {
          for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/gu)) {
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
          }
        });
        socket.on('error', () => {});
        const closed = once(socket, 'close');
        socket.write(request.repeat(60));
        await closed;
      }
    };
    const noise = Array.from({ length: 40 }, makeNoise);
    const seen = await readAsGlobex(id, 20);
    over.abort();
    await Promise.all(noise);
    expect(seen).toEqual(new Set([200]));
    expect([...statuses.keys()].toSorted()).toEqual(['200', '503']);
  });

  it("gets responses while another tenant's writes hold connections to the store", async () => {
    accounts = await startAccounts({ requestDeadlineMs: 20_000 });
    const { id } = await accounts.create({ tenant: 'globex' });
    const locked = await accounts.create({});
    const { commit } = await accounts.beginWrite(locked.id);
    const writes = Array.from({ length: 40 }, () =>
      accounts.put(locked.id, locked.etag, 1).then(({ status }) => status),
    );
    await accounts.untilBlocked();
    expect(await readAsGlobex(id, 20)).toEqual(new Set([200]));
    await commit();
    expect(new Set(await Promise.all(writes))).toEqual(new Set([412]));
  });

  it('gets 503 unavailable with Retry-After above its share of requests in flight, and other tenants do not', async () => {
    accounts = await startAccounts({
      requestDeadlineMs: 20_000,
      load: { maxInFlight: 4, maxTenantInFlight: 2 },
    });
    const { id } = await accounts.create({ tenant: 'globex' });
    const locked = await accounts.create({});
    const { commit } = await accounts.beginWrite(locked.id);
    const writes = Array.from({ length: 5 }, () =>
      accounts.put(locked.id, locked.etag, 1).then((response) => response),
    );
    const refused = await Promise.race(writes);
    expect(refused.status).toBe(503);
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'content-type': 'application/problem+json' });
    expect(refused.text).toContain('/problems/unavailable');
    expect(await readAsGlobex(id, 3)).toEqual(new Set([200]));
    await commit();
    const statuses = (await Promise.all(writes)).map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([412, 412, 503, 503, 503]);
    await accounts.client().get(`/accounts/${locked.id}`).expect(200);
  });
});
