// The supergraph is replaced while requests are under way.
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { Worker } from 'node:worker_threads';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPlannerThread } from '@meridian/executor';
import { eventually } from '@meridian/testing';

import type { ReceivedRequest } from '../support/stub-subgraph.ts';
import { respondJson } from '../support/stub-subgraph.ts';
import type { ClientSideResponse, TestGateway } from '../support/test-gateway.ts';
import { startTestGateway } from '../support/test-gateway.ts';
import { replaceFile } from '../support/replace-file.ts';

let gateway: TestGateway;
/** With the field `Query.time`, and without it. */
let sdls: readonly [string, string];
/** The threads that have started and not ended, such as planners. */
const threads = new Set<Worker>();
const addThread = (thread: Worker): void => {
  threads.add(thread);
  thread.once('exit', () => threads.delete(thread));
};

beforeAll(() => void process.on('worker', addThread));
afterAll(() => void process.off('worker', addThread));
beforeEach(async () => {
  gateway = await startTestGateway({ createPlanner: createPlannerThread });
  const sdl = readFileSync(gateway.supergraphPath, 'utf8');
  sdls = [sdl, sdl.replace(/\n\s*time: String[^\n]*/u, '')];
});

afterEach(() => gateway.close());

describe('A new supergraph', () => {
  it('drops no request, whether it was planned before or is planned while the supergraph is replaced', async () => {
    const end = new AbortController();
    const responses: ClientSideResponse[] = [];
    const client = async (name: string): Promise<void> => {
      for (let index = 0; !end.signal.aborted; index += 1) {
        // Every other operation has not been seen before.
        const operation = index % 2 === 0 ? name : `${name}_${index}`;
        const query = `query ${operation} { topProducts(first: 2) { id name reviews { id } } }`;
        responses.push(await gateway.post({ query }));
      }
    };
    const clients = ['A', 'B', 'C', 'D'].map(client);

    for (const sdl of [sdls[1], sdls[0]]) {
      const countBefore = responses.length;
      await replace(sdl);
      await eventually(() => expect(responses.length).toBeGreaterThan(countBefore + 8));
    }
    end.abort();
    await Promise.all(clients);

    const [first] = responses;
    expect(first?.body.data).toMatchObject({ topProducts: [{ id: expect.any(String) }, {}] });
    expect(responses.filter(({ status }) => status !== 200)).toEqual([]);
    expect(new Set(responses.map(({ body }) => JSON.stringify(body)))).toEqual(
      new Set([JSON.stringify(first?.body)]),
    );
  });

  it('leaves a request under way with the plan and the planner that it began with, which are released after it', async () => {
    const underWay = gateway.post({ query: 'query A { time topProducts(first: 1) { reviews { id } } }' });
    const held = await heldRequest();
    await replace(sdls[1]);
    expect(threads.size).toBe(2);
    expect((await gateway.post({ query: 'query B { time }' })).code).toBe('GRAPHQL_VALIDATION_FAILED');

    held.response();

    expect((await underWay).body).toEqual({
      data: { time: 'now', topProducts: [{ reviews: [] }] },
    });
    await eventually(() => expect(threads.size).toBe(1));
  });

  it('has one planner, and none is left when the gateway is closed', async () => {
    for (const sdl of [sdls[1], sdls[0]]) {
      await replace(sdl);
    }
    await eventually(() => expect(threads.size).toBe(1));

    await gateway.close();

    expect(threads.size).toBe(0);
  });
});

/** A request of the second round, whose response is held back. */
async function heldRequest(): Promise<{ response(): void }> {
  return await new Promise((resolve) => {
    gateway.reviews.misbehave((response, { body }: ReceivedRequest) => {
      const { representations = [] } = body.variables ?? {};
      const entities = Array.isArray(representations) ? representations.map(() => ({ reviews: [] })) : [];
      resolve({ response: () => respondJson(response, { data: { _entities: entities } }) });
    });
  });
}

/** Replaces the supergraph, and waits until it is loaded. */
async function replace(sdl: string): Promise<void> {
  const reloads = (): number => gateway.log.filter(({ msg }) => msg === 'supergraph reloaded').length;
  const reloadsBefore = reloads();
  await replaceFile(gateway.supergraphPath, sdl);
  await eventually(() => expect(reloads()).toBe(reloadsBefore + 1));
}
