import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually, startServiceProcess } from '@meridian/testing';
import type { ServiceProcess } from '@meridian/testing';

import { faultsOf } from '../linearizability/check-history.ts';
import { runUnderFaults, writeOutcomes } from '../linearizability/run-under-faults.ts';
import { startIsolatedCluster } from './isolated-cluster.ts';
import type { IsolatedCluster } from './isolated-cluster.ts';

const main = new URL('../../src/main.ts', import.meta.url);

describe('A worker that is killed', () => {
  let store: IsolatedCluster;
  let service: ServiceProcess;
  let headers: Record<string, string>;
  beforeAll(async () => {
    store = await startIsolatedCluster();
    headers = await store.headersOf('acme');
    service = await startServiceProcess(main, store.environment);
  });
  afterAll(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
    await store.stop();
  });

  const killAndRestart = async (): Promise<void> => {
    const { worker } = await store.placeOf('acme');
    await worker.kill();
    await worker.restart();
  };

  it('leaves one unbranched chain of writes, and every read fits real time', async () => {
    const histories = await runUnderFaults({
      urls: () => [service.url],
      headers,
      faults: [killAndRestart, killAndRestart, killAndRestart],
    });
    for (const { initial, history } of histories) {
      expect(faultsOf(initial, history)).toEqual([]);
    }
    expect(writeOutcomes(histories)).toContain('written');
    const { rows } = await store.admin<{ sum: string }>(
      'select sum(amount_minor_units)::text from ledger_entries',
    );
    expect(rows).toEqual([{ sum: '0' }]);
  });

  it('is 503 to reads and writes while it is away, and other tenants do not notice', async () => {
    const { worker } = await store.placeOf('acme');
    const other = await tenantElsewhere(worker.url);
    const otherHeaders = await store.headersOf(other);
    const create = (as: Record<string, string>, id: string) =>
      fetch(`${service.url}/accounts`, {
        method: 'POST',
        headers: as,
        body: `{"id":"${id}","balance_minor_units":1}`,
      });
    expect((await create(headers, 'here')).status).toBe(201);
    expect((await create(otherHeaders, 'there')).status).toBe(201);

    await worker.kill();
    // Each connection of the pool first notices that its connection to the worker is gone.
    await eventually(async () => {
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => (await create(headers, `new-${index}`)).status),
      );
      expect(new Set(statuses)).toEqual(new Set([503]));
    });
    const read = await fetch(`${service.url}/accounts/here`, { headers });
    expect({ status: read.status, retryAfter: read.headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: expect.stringMatching(/^\d+$/u),
    });
    expect((await fetch(`${service.url}/accounts/there`, { headers: otherHeaders })).status).toBe(200);

    await worker.restart();
    await eventually(async () => {
      expect((await fetch(`${service.url}/accounts/here`, { headers })).status).toBe(200);
    });
  });

  async function tenantElsewhere(url: string): Promise<string> {
    for (let count = 0; ; count += 1) {
      const { worker } = await store.placeOf(`tenant-${count}`);
      if (worker.url !== url) {
        return `tenant-${count}`;
      }
    }
  }
});
