import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@meridian/testing';
import { createLogger, createMetrics } from '@meridian/telemetry';
import type { Metrics } from '@meridian/telemetry';
import { buildSchema, parse } from 'graphql';

import type { OperationRequest } from '../../src/interceptors/gateway-request.ts';
import { countUses } from '../../src/usage/count-uses.ts';
import type { UsageBatch } from '../../src/usage/usage-batch.ts';
import type { UsageRecorder } from '../../src/usage/usage-recorder.ts';
import { createUsageRecorder } from '../../src/usage/usage-recorder.ts';
import type { UsageStore } from '../../src/usage/usage-store.ts';

const schema = buildSchema('type Query { time: String  name: String }');
const time = { name: 'Time', document: parse('query Time { time }') };
const name = { name: 'Name', document: parse('query Name { name }') };

const run = { durationMs: 3, isFailed: false, cost: 2, variables: {} };

let metrics: Metrics;
let lines: string[];
let recorder: UsageRecorder;
let written: UsageBatch[];
let tried: UsageBatch[];
let isDown: boolean;

const store: UsageStore = {
  record(batch) {
    tried.push(batch);
    if (isDown) {
      return Promise.reject(new Error('down'));
    }
    written.push(batch);
    return Promise.resolve();
  },
  forget: () => Promise.resolve(),
};

beforeEach(() => {
  metrics = createMetrics({ service: 'gateway' });
  [lines, written, tried, isDown] = [[], [], [], false];
  recorder = createUsageRecorder({
    store,
    metrics,
    logger: createLogger({ service: 'gateway', destination: { write: (line) => void lines.push(line) } }),
    settings: { flush_interval: 5, max_counts: 2, retention_days: 90 },
  });
});
afterEach(() => recorder.close(0));

function requestsWritten(): number {
  return written.flatMap(({ usage }) => usage).reduce((sum, { requests }) => sum + requests, 0);
}

describe('A usage database that is down', () => {
  it('costs no counts within the bound: they are written when it is back, once', async () => {
    isDown = true;
    recorder.count(time, schema, {}, run);
    await eventually(() => expect(tried.length).toBeGreaterThan(2));
    recorder.count(time, schema, {}, run);
    recorder.count(name, schema, {}, run);
    isDown = false;
    await eventually(() => expect(requestsWritten()).toBe(3));
    expect(new Set(tried.map(({ id }) => id)).size).toBe(written.length);
  });

  it('causes counts over the bound to be dropped, and counted as dropped', async () => {
    isDown = true;
    recorder.count(time, schema, {}, run);
    await eventually(() => expect(tried).not.toEqual([]));
    for (const version of ['1', '2', '3', '4', '2']) {
      recorder.count(time, schema, { 'apollographql-client-version': version }, run);
    }
    expect(await metrics.registry.metrics()).toContain('meridian_usage_dropped_total{service="gateway"} 2');
    isDown = false;
    await eventually(() => expect(requestsWritten()).toBe(4));
  });

  it('is logged once', async () => {
    isDown = true;
    recorder.count(time, schema, {}, run);
    await eventually(() => expect(tried.length).toBeGreaterThan(3));
    expect(lines.filter((line) => line.includes('usage cannot be written'))).toHaveLength(1);
  });

  it('makes a gateway that ends log how many counts are lost', async () => {
    isDown = true;
    recorder.count(time, schema, {}, run);
    await eventually(() => expect(tried).not.toEqual([]));
    recorder.count(name, schema, {}, run);
    await recorder.close(20);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ level: 'error', requests: 2 }),
    );
  });
});

describe('The name that a client gives itself', () => {
  it('is truncated to 100 characters', async () => {
    recorder.count(time, schema, { 'apollographql-client-name': 'x'.repeat(5000) }, run);
    await recorder.close(100);
    expect(written[0]?.usage[0]?.clientName).toBe('x'.repeat(100));
  });
});

describe('Usage', () => {
  it('has the inputs of all requests of a client for an operation, in the text and in variables', async () => {
    const sorted = buildSchema(
      'type Query { names(order: Order, filter: Filter): String } enum Order { UP DOWN } input Filter { text: String, not: Filter }',
    );
    const document = parse('query Names($filter: Filter) { names(order: UP, filter: $filter) }');
    const names = { name: 'Names', document };
    recorder.count(names, sorted, {}, { ...run, variables: { filter: { text: 'secret' } } });
    recorder.count(names, sorted, {}, { ...run, variables: { filter: { not: {} } } });
    await eventually(() => expect(requestsWritten()).toBe(2));
    const inputs = written.flatMap(({ usage }) => usage.flatMap((use) => use.inputs));
    expect([...new Set(inputs)].toSorted()).toEqual(['Filter', 'Filter.not', 'Filter.text', 'Order.UP']);
    expect(JSON.stringify(written)).not.toContain('secret');
  });
});

it('A use that cannot be counted is logged, and costs neither its request nor the process anything', async () => {
  const logger = createLogger({
    service: 'gateway',
    destination: { write: (line) => void lines.push(line) },
  });
  const around = countUses({
    count() {
      throw new Error('no room');
    },
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a request, all that is read
  const request = {
    request: { context: { startedMs: 0, log: logger } },
    graphqlRequest: { headers: {}, variables: {} },
    graph: { supergraph: { apiSchema: schema } },
    operation: time,
    cost: 1,
  } as unknown as OperationRequest;
  expect(await around(request, () => Promise.resolve({ errors: [] }))).toEqual({ errors: [] });
  await expect(around(request, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual(
    Array.from({ length: 2 }, () => expect.objectContaining({ msg: 'a use was not counted' })),
  );
});
