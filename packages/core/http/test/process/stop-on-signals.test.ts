import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

import { describe, expect, it } from '@jest/globals';

import { startServiceProcess } from '../fixtures/start-service-process.ts';
import type { ServiceProcess } from '../fixtures/start-service-process.ts';

describe('A process that receives SIGTERM', () => {
  it('loses no request of clients that never pause, and exits 0', async () => {
    const service = await startServiceProcess();
    const load = startLoad(`${service.url}/patient`);
    await load.responded(200);
    service.child.kill('SIGTERM');
    const { exitCode } = await service.ended;
    const { failures, responses } = await load.stop();
    expect(failures).toEqual([]);
    expect(new Set(responses)).toEqual(new Set(['200 done']));
    expect(exitCode).toBe(0);
  });

  it('exits 0 on SIGINT too', async () => {
    const service = await startServiceProcess();
    service.child.kill('SIGINT');
    expect(await service.ended).toEqual({ exitCode: 0, signal: null });
  });

  it('is not ready from then on', async () => {
    const service = await startServiceProcess();
    service.child.kill('SIGTERM');
    expect(await readinessAfterSignal(service)).toBe(503);
    await service.ended;
  });

  it('ignores a second signal within a second', async () => {
    const service = await startServiceProcess();
    const response = fetch(`${service.url}/patient`);
    await inFlight(service.url);
    service.child.kill('SIGTERM');
    service.child.kill('SIGINT');
    service.child.kill('SIGTERM');
    expect((await response).status).toBe(200);
    expect(await service.ended).toEqual({ exitCode: 0, signal: null });
  });

  it('exits at once on a second signal after a second, whatever is under way', async () => {
    const service = await startServiceProcess({ SHUTDOWN_GRACE_MS: '60000' });
    const lost = fetch(`${service.url}/slow`).catch(() => 'lost');
    await inFlight(service.url);
    service.child.kill('SIGTERM');
    await readinessAfterSignal(service);
    // The second, in which a signal is the same one, has begun.
    await delay(1100);
    service.child.kill('SIGTERM');
    // At the end of the grace it would be 0.
    expect(await service.ended).toEqual({ exitCode: 1, signal: null });
    expect(await lost).toBe('lost');
  });

  it('cuts off a request that outlasts the grace period, and exits 0', async () => {
    const service = await startServiceProcess({ SHUTDOWN_GRACE_MS: '1500' });
    // Left alone it would be responded: 504, at the service's deadline.
    const lost = fetch(`${service.url}/slow`).catch(() => 'lost');
    await inFlight(service.url);
    service.child.kill('SIGTERM');
    expect(await service.ended).toEqual({ exitCode: 0, signal: null });
    expect(await lost).toBe('lost');
  });
});

/** The state of `/readyz` once a signal has arrived, which is sent together with the first request. */
async function readinessAfterSignal({ adminUrl }: ServiceProcess): Promise<number> {
  let status = 200;
  while (status === 200) {
    ({ status } = await fetch(`${adminUrl}/readyz`));
  }
  return status;
}

/** A request sent later that is responded shows that an earlier one has arrived. */
async function inFlight(url: string): Promise<void> {
  await fetch(`${url}/things/1`);
}

interface Load {
  /** Settles when so many requests have been responded. */
  responded(count: number): Promise<void>;
  /** The outcomes of all requests; a refused connection does not count. */
  stop(): Promise<{ failures: string[]; responses: string[] }>;
}

/** Clients that send one request after another: half of them on a kept connection, half on a new one each time. */
function startLoad(url: string): Load {
  const agents = Array.from(
    { length: 16 },
    (_, index) => new Agent({ keepAlive: index % 2 === 0, maxSockets: 1 }),
  );
  const failures: string[] = [];
  const responses: string[] = [];
  const stopping = new AbortController();
  const client = async (agent: Agent): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        responses.push(await fetchWith(agent, url));
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
        if (code === 'ECONNREFUSED') {
          return;
        }
        failures.push(code);
      }
    }
  };
  const clients = agents.map((agent) => client(agent));
  return {
    async responded(count) {
      while (responses.length < count) {
        await delay(5);
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(clients);
      return { failures, responses };
    },
  };
}

async function fetchWith(agent: Agent, url: string): Promise<string> {
  const request = get(url, { agent });
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (response === undefined) {
    throw new Error('no response');
  }
  return `${response.statusCode} ${await text(response)}`;
}
